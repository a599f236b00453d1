"""A compound question taken apart: the questions in it, and a follow-up completed by the question before."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from appliance.core.evidence import SubQuestion
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.text.numbers import spelt_numbers
from appliance.text.quantities import unit_behind
from appliance.text.terms import fold, words

PARTS = 4  # of one question; what is left stays in the last
HALF = 2  # words of a part that leaves the rest to another: "how wide"
FEW = 2  # words with meaning below which a part leans on what came before

Content = Callable[[str], Sequence[str]]
"""The words of a text that carry meaning."""


def _data() -> dict[str, Any]:
    return shipped("retrieval/parts")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_data()[name])


@cache
def _any(name: str) -> str:
    """Return the pattern of any entry of a list of data/retrieval/parts.toml."""
    return f"(?:{'|'.join(map(re.escape, sorted(_data()[name], key=len, reverse=True)))})"


def _opens_with(name: str, folded: str) -> bool:
    return re.match(rf"{_any(name)}\b", folded) is not None


@mechanism("query.parts", without=lambda question, _content, _generic=(): (SubQuestion(question, question),))
def parts(question: str, content: Content, generic: Collection[str] = ()) -> tuple[SubQuestion, ...]:
    """Return the questions in a question, in order; one that cannot be cut is its only part.

    A part whose words are all `generic` ("which clause covers it") says too little to stand alone.

    A sentence that asks nothing ("I am designing a bridge.") is said with every part after it.
    """
    found = re.split(r"(?<=[?!;])\s+|(?<=[^\W\d]{2}\.)\s+(?=[A-Z])", question)
    sentences = [part.strip() for part in found if part.strip()]
    marked = any(sentence.endswith("?") for sentence in sentences)
    asking: list[str] = []
    told: list[str] = []
    for sentence in sentences:
        whole = marked and not sentence.endswith("?")
        for piece, joined in [(sentence, False)] if whole else _cut(sentence):
            if asking and _asks_what_is_left_out(piece):
                asking[-1] = f"{asking[-1].rstrip('?. ')} and {piece}"
                continue
            asks = _asks(piece, marked) or (joined and _names_quantity(piece))
            (asking if asks else told).append(piece)
    if not asking or len(asking) + len(told) < 2:
        return (SubQuestion(question, question),)
    setting = " ".join(told)
    asking = _completed(asking)
    kept = [*asking[: PARTS - 1], " ".join(asking[PARTS - 1 :])] if len(asking) > PARTS else asking
    resolved: list[SubQuestion] = []
    for number, piece in enumerate(kept):
        # with the setting as told, and with the words of the first where it leans on it
        said = {*content(piece)}
        before = setting.rstrip(" .,;") if any(word not in said for word in content(setting)) else ""
        lean = kept[0] if number and _leans(piece, content, generic) else ""
        topic = " ".join(_lacking(lean, {*said, *content(setting)}, content))
        unsaid = "; ".join(filter(None, (before, topic)))
        resolved.append(SubQuestion(piece, f"{piece} ({unsaid})" if unsaid else piece))
    return tuple(resolved)


def _cut(sentence: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a sentence, cut where one that opens like a question is joined to another.

    Each comes with whether a word joins it to the next ("X and which Y"), not a mere comma or dash.

    What stands before a mere comma and opens with a word such as "when" or "if" is a condition of
    what follows.
    """
    joining = _any("joining")
    joint = rf"(?:(?:,\s*|\s+[-–—]\s+)(?:{joining}\s+)?|\s+{joining}\s+)(?={_any('openings')}\b)"
    start = 0
    for match in re.finditer(joint, sentence, re.IGNORECASE):
        before = sentence[start : match.start()].strip(" ,;-")
        rest = sentence[match.end() :]
        first, second = (*words(rest)[:2], "", "")[:2]  # "has it" opens a question, not "has 6000 mm2"
        opens = first not in _words("inverted") or second in _words("subjects")
        if len(before.split()) > 1 and opens and not _is_half(before, rest):
            yield before, any(char.isalpha() for char in match.group())
            start = match.end()
    yield sentence[start:].strip(" ,;-"), False


def _is_half(piece: str, rest: str) -> bool:
    """Tell whether a part leaves its verb to the next: "what factor and what rate are applied".

    One whose thing the next points back to ("what size of trap and how many decibels may it make") does not.
    """
    said, verbs = words(rest), _words("verbs")
    points = bool(_words("pointing") & set(said)) and bool(_words("small") & set(words(piece)))
    if points or verbs & set(said[1:2]):  # "what does it cost" asks about no noun
        return False
    both = _opens_with("determiners", fold(piece)) and _opens_with("determiners", fold(rest))
    return both and not verbs & set(words(piece))


def _names_quantity(piece: str) -> bool:
    """Tell whether a part without a verb names what is to be measured: "imposed load of an office floor"."""
    said = set(words(piece))
    told = _opens_with("conditions", fold(piece)) or said & _words("verbs")
    return not told and bool(said & _words("quantities"))


def _asks(piece: str, marked: bool) -> bool:
    """Tell whether a part asks; `marked` where the whole has question marks, so that a condition shows."""
    folded = fold(piece)
    if piece.endswith("?"):
        return True
    if _opens_with("conditions", folded):  # "when can that be" asks, "when it can be" does not
        _, verb, subject = (*words(folded)[:3], "", "", "")[:3]
        return verb in _words("inverted") and subject in _words("subjects")
    return _opens_with("openings", folded) and (marked or len(folded.split()) > 1)


def _asks_what_is_left_out(piece: str) -> bool:
    """Tell whether a piece only turns what is asked before it: "what not?", "what does it not?"."""
    said, negations = words(piece), _words("negations")
    small = {word for name in ("openings", "pointing", "joining") for word in _words(name) if " " not in word}
    return bool(negations & set(said)) and small.issuperset(word for word in said if word not in negations)


def _completed(asking: Sequence[str]) -> list[str]:
    """Return the pieces of a question, with what those leave to another that are only its opening.

    "How wide" and "how high must a door be" are "how wide must a door be" and "how high must a door be".
    """
    said = [piece.rstrip("?. ").split() for piece in asking]
    opened = [len(piece) <= HALF and not _words("verbs") & {*words(" ".join(piece))} for piece in said]
    found = list(asking)
    for at in (at for at, half in enumerate(opened) if half):
        near = sorted((abs(other - at), said[other]) for other, half in enumerate(opened) if not half)
        alike = (piece for _, piece in near if fold(piece[0]) == fold(said[at][0]))
        if left := next(alike, ())[len(said[at]) :]:
            found[at] = " ".join((*said[at], *left)) + "?"
    return found


def _lacking(topic: str, said: Collection[str], content: Content) -> list[str]:
    """Return the words of a topic that a part does not say, with the negations before them."""
    known, negations = set(content(topic)), _words("negations")
    kept = [word for word in words(topic) if word in negations or (word in known and word not in said)]
    turned = [*kept[1:], "no"] if kept else []  # a negation is kept before what it turns
    pairs = zip(kept, turned, strict=True)
    return list(dict.fromkeys(word for word, behind in pairs if not {word, behind} <= negations))


def _leans(piece: str, content: Content, generic: Collection[str] = ()) -> bool:
    """Tell whether a part points back ("how many for 12 flats"), or says too little to be searched alone."""
    own = [word for word in content(piece) if word not in generic]
    counts = re.match(rf"{_any('determiners')}\s+{_any('small')}\b", fold(piece)) is not None
    return counts or bool(_words("pointing") & set(words(piece))) or len(own) < FEW


# -- what a following question means after the one before

EXACT = frozenset({"label", "document", "edition", "quantity"})  # kinds of slots that no word more belongs to
_CODED = re.compile(r"(?P<noun>[^\W\d_]{3,}) (?P<code>[A-Za-z]?\d{1,2}[a-z]?|[A-Z])(?![.,:/]?\w)")


@dataclass(frozen=True, slots=True)
class Slot:
    """What a text names at [start, end), which another of its kind may replace: "timber" is a material."""

    kind: str
    start: int
    end: int
    words: str


Slots = Callable[[str], Sequence[Slot]]
"""What a text names, in order, none inside another."""


def followed(
    question: str, before: str, content: Content, slots: Slots, generic: Collection[str] = ()
) -> str:
    """Return a question as it is meant after another one; one that says enough is returned unchanged.

    One whose words are all `generic` ("which clause?") says too little.

    "And for timber?" after one about concrete is that question about timber: what it names takes the
    place of what is named there of the same kind. What names nothing of a kind is added to it.
    """
    if not before.strip():
        return question
    question, thanked = question.strip(), rf"(?:{_any('polite')}\b[\s,;:.!-]*)+(?P<rest>[^\W_].*)$"
    if said := re.match(thanked, question, re.IGNORECASE | re.DOTALL):  # "thanks, and the height?"
        meant = followed(said["rest"], before, content, slots, generic)
        return question if meant == said["rest"] else meant
    # without the words by which it goes on from another
    bare = re.sub(rf"^{_any('continuing')}\b,?\s*", "", question, count=1, flags=re.IGNORECASE)
    opening = _words("openings") - _words("inverted") - _words("conditions")  # "for a flat roof, what is ..."
    continues = bare != question and not opening & set(words(bare))
    names_only = not _opens_with("openings", fold(question)) and len(content(question)) < FEW  # "timber?"
    if continues or not content(question) or names_only:
        return _with_quantity(question, bare, before) or _replaced(question, bare, before, content, slots)
    if not _leans(question, content, generic):
        return question
    if other := _with_quantity(question, question, before):
        return other
    lacking = _lacking(before, set(content(question)), content)
    return f"{question.rstrip('?. ')} ({' '.join(lacking)})?" if lacking else question


def _replaced(question: str, bare: str, before: str, content: Content, slots: Slots) -> str:
    """Return the question before with what was named now in the place of what was named there.

    `bare` is the question without the words by which it goes on from the one before.
    """
    earlier, said = _core(before), _core(bare)
    last = {slot.kind: slot for slot in slots(earlier)}
    pairs = [(last[slot.kind], slot) for slot in slots(said) if slot.kind in last]
    taken = [(slot.start, slot.end) for slot in slots(earlier) if slot.kind in EXACT - {"quantity"}]
    if not pairs and (numbered := _with_number(said, earlier, taken)):
        return numbered
    pairs = [_whole(*pair, earlier, said, content) for pair in pairs or _of_one_noun(earlier, said, content)]
    pairs = [_with_head(*pair, earlier, said, content) for pair in pairs]
    if not pairs:
        elsewhere = any(slot.kind in {"document", "edition"} for slot in slots(said))  # where, not of what
        behind = "" if slots(said) else question[: len(question) - len(bare)].split()[-1:]
        in_place = "" if elsewhere else _with_subject(bare, before, "".join(behind))
        return in_place or (f"{earlier}, {said}?" if said and content(said) else before)
    text, rest = earlier, said
    for old, new in sorted({old.kind: (old, new) for old, new in pairs}.values(), key=lambda p: -p[0].start):
        text = text[: old.start] + new.words + text[old.end :]
    for _, new in pairs:
        rest = rest.replace(new.words, " ")
    unsaid = [word for word in content(rest) if word not in content(text)]
    return f"{text}, {said}?" if unsaid else f"{text}?"


def _core(question: str) -> str:
    return question.strip().rstrip("?. ")


def _of_one_noun(earlier: str, said: str, content: Content) -> list[tuple[Slot, Slot]]:
    """Return what ends a following question, a noun or its code, where the one before names it too.

    "zone 4" stands for "zone 3".
    """
    codes = [
        # a number with a unit is none ("zone 2 kPa")
        [found for found in _CODED.finditer(text) if not unit_behind(text, found.end())]
        for text in (earlier, said)
    ]
    if codes[1] and not said[codes[1][0].end() :].strip():
        new = codes[1][0]
        old = [found for found in codes[0] if fold(found["noun"]) == fold(new["noun"])]
        if old:
            return [(_slot("code", old[-1]), _slot("code", new))]
    names = [[slot for slot in _each_word(text) if content(slot.words)] for text in (earlier, said)]
    same = [slot for slot in names[0] if names[1] and fold(slot.words) == fold(names[1][-1].words)]
    return [(same[-1], names[1][-1])] if same else []


def _with_head(old: Slot, new: Slot, earlier: str, said: str, content: Content) -> tuple[Slot, Slot]:
    """Return two names with the nouns behind each: "school corridor" stands for "office floor".

    A noun that the question before names elsewhere stays there: "the wall is concrete", "a timber wall".
    """
    if old.kind.split()[0] in {*EXACT, "noun", "code"}:
        return old, new
    ends: list[int] = []
    for slot, text in ((old, earlier), (new, said)):  # where the words with meaning behind each end
        end = slot.end
        for word in (word for word in _each_word(text) if word.start >= slot.end):
            if text[end : word.start].strip() or not content(word.words):
                break
            end = word.end
        ends.append(end)
    head = fold(said[new.end : ends[1]]).split()
    if not head or said[ends[1] :].strip() or (ends[0] == old.end and set(head) <= set(words(earlier))):
        return old, new
    return (
        replace(old, end=ends[0], words=earlier[old.start : ends[0]]),
        replace(new, end=ends[1], words=said[new.start : ends[1]]),
    )


def _whole(old: Slot, new: Slot, earlier: str, said: str, content: Content) -> tuple[Slot, Slot]:
    """Return what takes whose place with the words that say which: "utility stair" for "private stair".

    Where no small word shows where the earlier name begins ("rise private stair"), both stay as they are.
    """
    if old.kind.split()[0] in EXACT:
        return old, new
    (start, _), (opened, bounded) = _begun(new, said, content), _begun(old, earlier, content)
    if start == new.start or not bounded:
        return old, new
    return (
        replace(old, start=opened, words=earlier[opened : old.end]),
        replace(new, start=start, words=said[start : new.end]),
    )


def _begun(slot: Slot, text: str, content: Content) -> tuple[int, bool]:
    """Return where the name of a slot begins, and whether a small word stands before it."""
    start = slot.start
    for word in reversed([word for word in _each_word(text) if word.end <= slot.start]):
        if text[word.end : start].strip() or not content(word.words):
            return start, True
        start = word.start
    return start, False


def _each_word(text: str) -> list[Slot]:
    return [_slot("noun", match) for match in re.finditer(r"[^\W_]+(?:[-'][^\W_]+)*", text)]


def _slot(kind: str, found: re.Match[str]) -> Slot:
    return Slot(kind, *found.span(), found.group())


# -- what takes the role of a quantity, a thing or a number in the question before

QUANTITY_WORDS = 4  # of the name of a wanted quantity
PAUSE = r"\s*[,;:.?!](?!\S)|\s+[-\u2013\u2014](?!\S)"  # a sign that ends what is said of a thing
_SIGN = re.compile(r"[\u0391-\u03a9\u03b1-\u03c9][^\W_]{0,4}")  # a Greek letter with its index
_FIGURES = r"\d+(?:[.,]\d+)?"
_NUMBER = re.compile(rf"(?<![\w.,:/-])(?:{_FIGURES}|[^\W\d_]+)(?![\w:/]|[.,-]\d)")


def _with_quantity(question: str, said: str, before: str) -> str:
    """Return the question before about another quantity, "" where none is named: `said` is "the going?".

    What a small word opens ("and for a ramp?") is a thing.
    """
    small, being, asked_as = _any("small"), _any("being"), _data()["asked_as"]
    opened_by = question[: len(question) - len(said)]
    if re.search(rf"\b{small}\s*$", opened_by, re.IGNORECASE):
        return ""
    # what points back at the end: "for it", "is it", "must they be"
    pointing = rf"\s+(?:{small}|{_any('inverted')})\s+{_any('pointing')}(?:\s+{being})?$"
    core = _core(said)  # "going" of "the going of it"
    for pattern in (pointing, rf"^{_before_quantity()}", rf"^{_any('articles')}\s+"):
        core = re.sub(pattern, "", core, flags=re.IGNORECASE)
    if turned := _with_bound(core, before):
        return turned
    name: str = asked_as.get(fold(core)) or (core if core and _is_quantity(core) else "")
    return _about_quantity(core, name, _core(before)) if name else ""


def _about_quantity(core: str, name: str, earlier: str) -> str:
    """Return a question about another quantity, asked for as `core`; "" where its own cannot be told."""
    small, being, asked_as = _any("small"), _any("being"), _data()["asked_as"]
    # "how wide is a landing": its thing stays, whatever it is asked with
    verb, article = f"(?:{_any('linked_by')}|{_any('inverted')})", _any("articles")
    how = rf"{_any('asked_as')}(?P<verb>\s+{verb})(?P<thing>\s+(?:{article}\s+)?\S.*)$"
    if found := re.match(how, earlier, re.IGNORECASE):
        if fold(core) in asked_as:
            return f"{core}{found['verb']}{found['thing']}?"
        thing = re.sub(rf"\s{being}(?=\s|$)", "", found["thing"], count=1)
        return f"{name} of{thing}?"
    wanted = rf"(?P<opening>(?:{_before_quantity()})?)(?P<wanted>.*?)(?P<rest>\s{small}\s.*)?$"
    found = re.match(wanted, earlier, re.IGNORECASE)
    if found is None or not found["wanted"].strip():
        return ""
    # what stands behind the quantity in "imposed load office floor" comes with a small word before it
    told = found["wanted"].split()
    last = max((at for at, word in enumerate(told) if _is_quantity(word)), default=len(told))
    behind = f" {_data()['linking']} {' '.join(told[last + 1 :])}" if told[last + 1 :] else ""
    rest = behind + (found["rest"] or "")
    return f"{found['opening']}{name}{rest}?" if rest else ""


def _with_bound(bound: str, before: str) -> str:
    """Return the question before with its bound turned to the opposite one, "" where `bound` is not that."""
    for pair in _data()["opposites"]:
        for one, other in (pair, pair[::-1]):
            turned, times = re.subn(rf"\b{one}\b", other, _core(before), flags=re.IGNORECASE)
            if fold(bound) == other and times and other not in fold(before).split():
                return f"{turned}?"
    return ""


def _is_quantity(name: str) -> bool:
    """Tell whether a name ends in a word for something that is measured, or is its symbol ("ψ0")."""
    said, sign = fold(name).split(), _SIGN.fullmatch(unicodedata.normalize("NFKC", name.strip()))
    return len(said) <= QUANTITY_WORDS and (said[-1] in _words("quantities") or sign is not None)


def _before_quantity() -> str:
    """Return the pattern of what stands before a quantity that is asked for: "what should be the", "the"."""
    verb, the = rf"\s+{_any('linked_by')}(?:\s+{_any('being')})?", _any("definite")
    return rf"(?:{_any('asking')}(?:{verb})?(?:\s+{the})?\s+|{the}\s+)"


def _with_subject(said: str, before: str, behind: str) -> str:
    """Return the question before about another thing, "" where it cannot be told what is replaced.

    What stands `behind` a small word takes the place of the one thing that stands there behind it.
    """
    earlier, article, small = _core(before), _any("articles"), _any("small")
    plain = bool(behind) and not re.match(rf"{article}\s", said, re.IGNORECASE)  # "in Mumbai"
    opening = rf"(?!{article}\s)" if plain else rf"{article}\s+"
    thing = rf"(?P<small>{small})?\s*(?P<thing>{opening}\S.*)"
    new = re.fullmatch(thing, _core(said), re.IGNORECASE)
    if new is None or re.search(rf"\s{small}\s", new["thing"], re.IGNORECASE):
        return ""
    named = rf"\b(?P<small>{small})\s+(?P<thing>{opening}.*?)(?=\s{small}\s|{PAUSE}|$)"
    things = list(re.finditer(named, earlier, re.IGNORECASE))
    said_behind = fold(behind if plain else new["small"] or "")
    same = [found for found in things if fold(found["small"]) == said_behind]
    old = same[-1:] or (things if len(things) == 1 and not plain else [])
    if not old:
        return ""
    return f"{earlier[: old[0].start('thing')]}{new['thing']}{earlier[old[0].end('thing') :]}?"


def _with_number(said: str, before: str, taken: Sequence[tuple[int, int]]) -> str:
    """Return the question before with another number, "" where `said` is no bare number or none is there.

    `taken` are the stretches whose numbers stay. Of several the one that is nearest in size is replaced.
    """
    bare = re.sub(rf"^{_any('small')}\s+", "", said.strip(), flags=re.IGNORECASE)
    number = _value(bare)
    if number is None:
        return ""
    found: list[tuple[float, re.Match[str]]] = []
    for match in _NUMBER.finditer(before):
        value = _value(match.group())
        if value is not None and not any(a < match.end() and match.start() < b for a, b in taken):
            # how many times one number is the other, as a logarithm
            found.append((abs(math.log(max(value, 1e-9) / max(number, 1e-9))), match))
    if not found:
        return ""
    _, old = min(found, key=lambda item: item[0])
    return f"{before[: old.start()]}{bare}{before[old.end() :]}?"


def _value(text: str) -> float | None:
    if re.fullmatch(_FIGURES, text):
        return float(text.replace(",", "."))
    named = spelt_numbers().get(text.casefold(), 0)
    return named if named > 1 else None  # "one" may stand for a thing
