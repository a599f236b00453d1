"""What a sentence sets to a value, as it is printed: "the value of [k1] should be taken as 10 mm".

Rules of this module: pure. The subject is what stands before the words that set the value, up to the break
before it; the head of it names it: in "allowance for deviation of the cover" nothing is said of the cover. A
symbol is named by itself, also behind the name of its quantity ("coefficient k2"). What only points ("it",
"this") or says more than a name is no subject, and a number with which an expression begins is no value. A
symbol in two pieces and a number before a unit that was not read are doubtful.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from appliance.graph import Bound
from appliance.ingest.knowledge.quantities import Found
from appliance.ingest.knowledge.wording import nouns, wording

LONGEST = 6  # words of a subject
_BREAK = re.compile(r"[,;()]\s|:(?!\d)|\s[-–—]\s")
_WORD = re.compile(r"\S+")
_SYMBOL = re.compile(r"[^\W\d_][\w,.'′*]{0,9}(?<![,.])")
_EXPRESSION = re.compile(r"\s?(?:[-–−+*·×/^<>≤≥]|\(|[^\W\d_](?![^\W_]))")  # behind a number
_OPERATOR = re.compile(r"[-–−+*×·/=<>≤≥^(]\s*$")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is set, at [start, end) of a sentence; `head` ends what names it, `symbol` is "" for none."""

    start: int
    end: int
    head: int
    text: str
    symbol: str
    rest: str = ""  # what is said of a symbol behind it ("for concrete")
    bound: Bound | None = None  # of "the minimum value of"
    doubtful: bool = False

    @property
    def alone(self) -> bool:
        """Tell whether nothing but a symbol is named."""
        return bool(self.symbol) and self.text == self.symbol


def subject_of(sentence: str, number: Found) -> Subject | None:
    """Return what is set to the value of a number, None where nothing is."""
    before = sentence[: number.start]
    if wording().shares.match(sentence, number.end) or _EXPRESSION.match(sentence, number.end):
        return None  # "0,8 times the height"
    found = _before(sentence, before)
    unread = not number.unit and bool(wording().unread.match(sentence, number.end))
    return replace(found, doubtful=True) if found and unread else found


def _before(sentence: str, before: str) -> Subject | None:
    """Return what the words before a number set to it."""
    if cue := wording().taken.search(before):
        return _bounded(_phrase(sentence, _start(before, cue.start()), cue.start()), before)
    equals = wording().equals.search(before)
    return _symbol_before(sentence, equals.start()) if equals else None


def _bounded(subject: Subject | None, before: str) -> Subject | None:
    """Return the subject with what "minimum" or "maximum" in the words right before it says."""
    leads = wording().value_of.finditer(before, 0, subject.start) if subject else ()
    lead = next((lead for lead in leads if subject and not before[lead.end() : subject.start].strip()), None)
    if subject is None or lead is None:
        return subject
    signs = map(nouns().extremes.get, lead.group().casefold().split())
    return replace(subject, bound=next(filter(None, signs), None))


def _start(before: str, end: int) -> int:
    """Return where the subject before `end` may begin."""
    breaks = [match.end() for match in _BREAK.finditer(before, 0, end)]
    ruled = max((match.end() for match in wording().rules.finditer(before, 0, end)), default=end)
    breaks += [match.end() for match in wording().joined.finditer(before, ruled, end)]  # "... and k1 should"
    opened = [match.end() for match in wording().value_of.finditer(before, 0, end)]
    return max([0, *breaks, *opened])


def _phrase(sentence: str, start: int, end: int) -> Subject | None:
    words = list(_WORD.finditer(sentence, start, end))
    while words and words[0].group().casefold() in wording().articles:
        words.pop(0)
    edges = nouns().edges
    if not words or len(words) > LONGEST or words[0].group().casefold() in edges:
        return None
    if wording().rules.search(sentence, words[0].start(), end) or wording().names.search(
        f"{words[0].group()} "
    ):
        return None
    behind = next((at for at, word in enumerate(words) if word.group().casefold() in edges), len(words))
    first, last = words[0].start(), words[-1].end()
    if behind == 1 and is_symbol(words[0].group()) and len(words) > 1:
        one = words[0]
        rest = " ".join(word.group() for word in words[1:])
        return Subject(first, one.end(), one.end(), one.group(), one.group(), rest)
    symbol = words[-1].group() if behind == len(words) and is_symbol(words[-1].group()) else ""
    text = " ".join(word.group() for word in words)
    return Subject(first, last, words[behind - 1].end(), text, symbol)


def _symbol_before(sentence: str, end: int) -> Subject | None:
    """Return the symbol that stands before "=", None where it is part of an expression."""
    words = list(_WORD.finditer(sentence, 0, end))
    if not words or not is_symbol(words[-1].group()) or _OPERATOR.search(sentence[: words[-1].start()]):
        return None
    one, last = words[-1], words[-2].group() if len(words) > 1 else ""
    if last.casefold() in wording().cases:
        return None
    pieces = len(last) == 1 and last.isalpha()
    return Subject(one.start(), one.end(), one.end(), one.group(), one.group(), doubtful=pieces)


def is_symbol(word: str) -> bool:
    """Tell whether a word is a symbol: "k1", "γM", "hs", "z"; no word of the language."""
    if not _SYMBOL.fullmatch(word) or word.casefold() in nouns().edges:
        return False
    plain = word.isascii() and word.isalpha()
    return not plain or len(word) <= 2 or any(letter.isupper() for letter in word[1:-1])
