"""The evidence as numbered sentences: what a language model reads and may name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from appliance.answer.candidates.values import Candidate, Quote
from appliance.answer.verify import phrases
from appliance.answer.write.strange import speaks, suspicious
from appliance.answer.write.words import any_of, content, light, pointing, words
from appliance.core.evidence import Place
from appliance.tables.rows import flat
from appliance.text.numbers import COUNTED, MARKED, PARAGRAPH, unit_pattern
from appliance.text.sentences import BULLETS, sentence_spans

Path = tuple[int, ...]  # what introduces a sentence, the outermost first
Stack = list[tuple[int, str, str]]  # where, kind of mark, mark

MARK = re.compile(rf"\s*(?:([{BULLETS}])|\(?(?:([a-z]|[ivx]+)|(\d{{1,2}}))[).]P?)\s")  # how an item begins
_OPEN = re.compile(r":\s*$")
ENDED = re.compile(r"[.!?]\s*$")
_PARAGRAPH = re.compile(rf"(?:^|\s)(?:{PARAGRAPH}|\(?\d{{1,2}}[).]P?)\s")
_ROMAN = re.compile(r"[ivx]+")
_LISTED_NUMBERED = re.compile(rf"\s*(?:\({COUNTED}[a-z]?\){MARKED}|(?:[A-Z]\.)?\d+(?:\.\d+)+\.?)\s")
_NOTE = re.compile(r"\s*NOTES?\b\s*\d*\s*[:.–—-]?\s*")
_BRACKETED = re.compile(r"\s*\((?!(?:\w{1,3})\))")  # a remark, no mark of an item


def paths(texts: Sequence[str], heads: Collection[int] = ()) -> list[Path]:
    """Return for each sentence the sentences that introduce it, as indices; those at `heads` are headings.

    A numbered item stands under what the one before it in the same numbering stands under.
    """
    found: list[Path] = []
    stack: Stack = []
    counted: dict[str, tuple[int, Stack]] = {}  # of each numbering: the last number, what stands over it
    for at, text in enumerate(texts):
        mark = MARK.match(text)
        if mark is None:
            if at in heads:
                stack = []
            elif opens(text) or not ENDED.search(text) or not stack:
                stack = [(at, "", "")]
            found.append(())
            continue
        kind, sign = _kind(mark, stack)
        style, number = _numbering(text, mark)
        if style:
            kind += style
            stack = _over_number(texts, at, stack, counted.get(style, (0, [])), style)
            counted[style] = (number, list(stack))
        elif kind in {own for _, own, _ in stack}:
            while stack.pop()[1] != kind:
                pass
        over = tuple(n for n, own, _ in stack if own or _introduces(texts[n], kind))
        found.append(over)
        stack.append((at, kind, sign))
    return found


def _over_number(texts: Sequence[str], at: int, stack: Stack, last: tuple[int, Stack], style: str) -> Stack:
    """Return what stands over a numbered item or paragraph."""
    mark = MARK.match(texts[at])
    number = int(mark[3]) if mark and mark[3] else 0
    if 1 < number == last[0] + 1:
        return list(last[1])
    within = next((n for n in range(at - 1, -1, -1) if _holds_item(texts[n], style, number - 1)), None)
    if number > 1 and within is not None:
        return [(within, "-", "")]  # the first item stands in the line of the introduction
    same = max((n for n, (_, kind, _) in enumerate(stack) if kind == f"1{style}"), default=len(stack))
    above = stack[:same]
    unmarked = above and not above[0][1]
    return [] if unmarked and not _introduces(texts[above[0][0]], "1") else list(above)


def _numbering(text: str, mark: re.Match[str]) -> tuple[str, int]:
    """Return how an item is numbered ("()", "."), and its number; 0 for one that is not."""
    if not mark[3]:
        return "", 0
    return "".join(sign for sign in text[: mark.end()] if sign in "()."), int(mark[3])


def _holds_item(text: str, style: str, number: int) -> bool:
    """Tell whether a sentence without an end holds an item behind other words: "is needed 1) in homes;"."""
    sign = {"()": rf"\({number}\){MARKED}", ")": rf"{number}\)", ".": rf"{number}\."}.get(style)
    if sign is None or ENDED.search(text):
        return False
    return any(
        re.search(r"[^\W\d_]{2}", text[: found.start()]) for found in re.finditer(rf"\s{sign}\s", text)
    )


def whole_lists(texts: Sequence[str], over: Sequence[Path]) -> list[range]:
    """Return the stretches of sentences that are one thing: introduction and items."""
    found = []
    for first in sorted({n for path in over for n in path}):
        last = max(n for n, path in enumerate(over) if first in path)
        items = texts[first + 1 : last + 1]
        if binds(texts[first]) or any(_chosen().search(item) for item in items):
            found.append(range(first, last + 1))
    return found


def opens(text: str) -> bool:
    """Tell whether a sentence introduces what follows."""
    return bool(_OPEN.search(text))


def binds(introduction: str) -> bool:
    """Tell whether what introduces a list makes its items one condition or one choice."""
    return bool(_binding().search(introduction))


def leans(text: str) -> bool:
    """Tell whether a sentence speaks of the one before it ("This does not …", "Where it applies, …")."""
    said = MARK.sub("", text, count=1).strip()
    return bool(_leaning().match(said) or _leaning_case().match(said))


def restricts(text: str) -> bool:
    """Tell whether a sentence takes back some of what the one before it says; a note may do so too."""
    note = _NOTE.match(text)
    said = text[note.end() :] if note else text
    if _restricting().match(said.strip()) or _anywhere("exempting").search(said) or _BRACKETED.match(said):
        return True
    speaks = note or leans(said) or _anywhere("speaking").search(said)
    return bool(speaks and (_anywhere("taking_back").search(said) or _narrowing().match(said.strip())))


def taking_back(texts: Sequence[str], last: int) -> list[int]:
    """Return what follows a sentence in its paragraph and takes back some of it.

    At once, or further on where it leans, exempts, is a note, or denies something of the same thing: "Rails
    are needed. They are solid. This does not apply to sheds." or "… Sheds need no rails."; at once also where
    it says another thing of it for some cases ("In dwellings rails on one side will do").
    """
    found = []
    about = set(content(texts[last]))
    for at in range(last + 1, len(texts)):
        text = texts[at]
        if starts_paragraph(text):
            break
        far = leans(text) or _NOTE.match(text) or _anywhere("exempting").search(text)
        if _differs(text, about, near=at == last + 1) or (restricts(text) and (at == last + 1 or far)):
            found.append(at)
    return found


def _differs(text: str, about: Collection[str], *, near: bool) -> bool:
    """Tell whether a sentence denies something of the same thing, or, near it, says it for other cases."""
    if MARK.match(text):
        return False
    same = not set(about).isdisjoint(content(text))
    if same and _anywhere("denying").search(text):
        return True
    elsewhere = near and _narrowing().match(_unnumbered(text))
    return bool(elsewhere and (same or _pointing().search(text)))


def announcers(texts: Sequence[str], first: int) -> set[int]:
    """Return the sentences before one that say when, or for what, it holds, with all between.

    "The following applies …", "This clause applies to …", "When …, the guidance applies."; of the sentence at
    once before also "In sheds …", where this one does not say for what it holds.
    """
    found: set[int] = set()
    own = bool(_narrowing().match(_unnumbered(texts[first])))
    same = not starts_paragraph(texts[first])
    for at in range(first - 1, -1, -1):
        text, said = texts[at], _unnumbered(texts[at])
        near = at == first - 1 and not own and _narrowing().match(said)
        if same and (_anywhere("announcing").search(text) or _scoping(text) or _when().match(said) or near):
            found |= set(range(at, first))
        elif _scoping(text) and _anywhere("confining").search(text):
            found.add(at)
        same = same and not starts_paragraph(text)
    return found


def _scoping(text: str) -> bool:
    """Tell whether a sentence says for what a provision holds."""
    return bool(_anywhere("scoping").search(text))


def _unnumbered(text: str) -> str:
    return _LISTED_NUMBERED.sub("", MARK.sub("", text, count=1), count=1).strip()


def starts_paragraph(text: str) -> bool:
    """Tell whether a sentence begins a numbered paragraph or clause."""
    return _LISTED_NUMBERED.match(text) is not None


def _introduces(text: str, kind: str) -> bool:
    """Tell whether a sentence without a mark introduces items: it ends in a colon, or has no end.

    "(2)" behind "4.2 (1) Where:" is the next paragraph, no item.
    """
    if kind.startswith("1") and _PARAGRAPH.search(text):
        return False
    return opens(text) or not ENDED.search(text)


def _kind(mark: re.Match[str], stack: Stack) -> tuple[str, str]:
    """Return the kind of a mark ("-", "a", "i", "1") and the mark; "i" behind "h" is a letter."""
    dash, letters, _ = mark.groups()
    if dash or not letters:
        return ("-", dash) if dash else ("1", "")
    before = next((sign for _, kind, sign in reversed(stack) if kind == "a"), "")
    follows = len(letters) == 1 and before and ord(letters) == ord(before) + 1
    roman = _ROMAN.fullmatch(letters) and not follows
    return ("i" if roman else "a"), letters


@cache
def _binding() -> re.Pattern[str]:
    return re.compile(any_of(words()["binding"]), re.IGNORECASE)


@cache
def _chosen() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['choosing'])})\W*$", re.IGNORECASE)


@cache
def _leaning() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of([*words()['leaning'], *words()['restricting']])})", re.IGNORECASE)


@cache
def _restricting() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['restricting'])})", re.IGNORECASE)


@cache
def _narrowing() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['narrowing'])})", re.IGNORECASE)


@cache
def _pointing() -> re.Pattern[str]:
    return re.compile(pointing(), re.IGNORECASE)


@cache
def _when() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['when'])})", re.IGNORECASE)


@cache
def _leaning_case() -> re.Pattern[str]:
    """Return the pattern of a case that is said of what stands before ("Where it applies")."""
    case, speaking = any_of(words()["narrowing"]), any_of(words()["speaking"])
    return re.compile(rf"(?:{case})\s+(?:{speaking})", re.IGNORECASE)


@cache
def _anywhere(name: str) -> re.Pattern[str]:
    return re.compile(any_of(words()[name]), re.IGNORECASE)


Span = tuple[int, int]

KEPT = 512  # clauses remembered: each is looked at for every statement about it
HEADING = 14  # words of a heading at most

_LAST_WORD = re.compile(r"([^\W\d_][\w.]*)\.[\"”’)\]]*$")
_VOWEL = re.compile(r"[aeiouyäöüéèêàáíóú]", re.IGNORECASE)
_CUTS = re.compile(
    rf"\n(?=\s*\({COUNTED}[a-z]?\){MARKED}\s)"
    r"|\n(?=\s*\d{1,2}[.)]\s+\S)|(?<=[;:])\s+(?=\(?\d{1,2}[.)]\s+[A-Z])"
)
_HEADED = re.compile(r"[ \t]*(?:[A-Z]{1,3}\.)?\d+(?:\.\d+)+\.?[ \t]+[^\W\d_a-z][^\n]*(?=\n)")
_NUMBERED = re.compile(r"\s*(?:[A-Z]{1,3}\.?)?\d+(?:\.\d+)*\.?\s+[^\W\d_a-z]")


@dataclass(frozen=True, slots=True)
class Clause:
    """Sentences in order, which are quoted; what introduces each, and what each is not told without."""

    units: tuple[str, ...]
    spans: tuple[Span, ...]
    own: tuple[bool, ...]
    over: tuple[tuple[int, ...], ...]
    ties: tuple[frozenset[int], ...]
    heads: frozenset[int]

    def whole(self, at: Collection[int]) -> frozenset[int]:
        """Return these sentences with all that they are not told without."""
        found, left = set(at), list(at)
        while left:
            new = self.ties[left.pop()] - found
            found |= new
            left += new
        return frozenset(found)

    def dangling(self, last: int) -> int:
        """Return the last sentence of the list that a sentence introduces, itself where none."""
        return max((n for n, path in enumerate(self.over) if last in path), default=last)


@lru_cache(KEPT)
def clause_of(text: str, quoted: tuple[str, ...], above: tuple[str, ...] = ()) -> Clause:
    """Return the sentences of a text around what is quoted of it, one after the other; `above` are headings.

    What is not found in the text stands alone.
    """
    spans = _found(text, quoted)
    if spans is None:
        text = "\n".join(quoted)
        spans = [(0, len(text))]
    edges = sorted({0, len(text), *(edge for span in spans for edge in span)})
    cut = [span for first, last in pairwise(edges) for span in unit_spans(text, first, last)]
    units = tuple(text[slice(*span)] for span in cut)
    heads = {at for at, unit in enumerate(units) if is_heading(unit, above)}
    over = paths(units, heads)
    own = tuple(any(start <= first and last <= end for start, end in spans) for first, last in cut)
    ties = tuple(_ties(units, over, heads))
    return Clause(units, tuple(cut), own, tuple(over), ties, frozenset(heads))


def is_heading(text: str, above: Collection[str] = ()) -> bool:
    """Tell whether a text is a heading: a known one, or a number with a few words that are no sentence."""
    said = flat(text)
    if said in above:
        return True
    if not _NUMBERED.match(text) or ENDED.search(text) or opens(text) or text.rstrip().endswith((",", ";")):
        return False
    own = said.split()
    return len(own) <= HEADING and not {word.casefold() for word in own} & _said()


def unit_spans(text: str, first: int, last: int) -> list[Span]:
    """Return the spans of the sentences between two characters: headings and numbered items are their own.

    What only seems to end at an abbreviation goes on.
    """
    cuts = [match.end() for match in _CUTS.finditer(text, first, last)]
    return [span for edges in pairwise([first, *cuts, last]) for span in _sentences(text, *edges)]


def _sentences(text: str, first: int, last: int) -> Iterator[Span]:
    """Yield the spans of the sentences of a stretch, the headings before one each by itself."""
    spans: list[Span] = []
    for start, end in sentence_spans(text[first:last]):
        own = (first + start, first + end)
        if spans and _goes_on(text[slice(*spans[-1])]):
            own = (spans.pop()[0], own[1])
        while (head := _HEADED.match(text, *own)) and is_heading(head.group()):
            spans.append((own[0], head.end()))
            own = (head.end() + 1, own[1])
        spans.append(own)
    for start, end in spans:
        inner = text[start:end]
        yield start + len(inner) - len(inner.lstrip()), end


def _found(text: str, quoted: Sequence[str]) -> list[Span] | None:
    """Return where quotations stand in a text, one behind the other."""
    spans: list[Span] = []
    for part in quoted:
        at = text.find(part, spans[-1][1] if spans else 0)
        if at < 0 or not part:
            return None
        spans.append((at, at + len(part)))
    return spans


def _ties(
    units: Sequence[str], over: Sequence[tuple[int, ...]], heads: Collection[int]
) -> list[frozenset[int]]:
    """Return for each sentence what it is not told without."""
    ties = [set(path) for path in over]
    for whole in whole_lists(units, over):
        for at in whole:
            ties[at] |= set(whole)
    last_item = {n: at for at, path in enumerate(over) for n in path}
    for at in range(len(units)):
        if at in heads:
            continue
        before = at - 1 if at and at - 1 not in heads else None
        if before is not None and (_runs_on(units[before], units[at]) or (leans(units[at]) and not over[at])):
            ties[at].add(before)
            ties[before] |= {at} if _runs_on(units[before], units[at]) else set()
        if not over[at]:
            ties[at] |= announcers(units, at)
        for end in taking_back(units, at):
            ties[at] |= set(range(at, last_item.get(end, end) + 1))
    return [frozenset(found) for found in ties]


def _runs_on(text: str, behind: str) -> bool:
    """Tell whether a sentence without an end goes on in what follows: an item of a list is no such thing."""
    if ENDED.search(text) or opens(text) or text.rstrip().endswith(";") or MARK.match(text):
        return False
    return MARK.match(behind) is None or starts_paragraph(behind)


def _goes_on(text: str) -> bool:
    """Tell whether a full stop is that of an abbreviation: a listed one, or no unit and without a vowel."""
    last = _LAST_WORD.search(text)
    if last is None:
        return False
    word = last[1].casefold()
    voiced = _VOWEL.search(word) or len(word) == 1 or last[1].isupper() or unit_pattern().fullmatch(last[1])
    return word in _abbreviated() or not voiced


@cache
def _abbreviated() -> frozenset[str]:
    return frozenset(words()["abbreviated"])


@cache
def _said() -> frozenset[str]:
    """Return words that a heading has none of: with them it says something, or introduces what follows."""
    modals = {word for phrase in phrases("modals") for word in phrase.split()}
    return frozenset((modals | light() | set(words()["unheaded"])) - {"a", "an", "the"})


MOST = 24  # sentences: more ids only make a small model lose its way
START, STEP = 0.5, 0.02  # worth of a sentence that is quoted without a model, less for each one before it
STRANGE = "the quoted place holds what is no text of a code (“{}”)"
READ_WORDS = 120  # of one sentence that the model is shown; what is quoted is whole

Count = Callable[[Sequence[str]], list[int]]
Spot = tuple[str, int, tuple[object, ...], str]  # where a quotation stands: document, page, boxes, words


@dataclass(frozen=True, slots=True)
class Sentence:
    """One numbered sentence; `held` are the texts that prove it, `above` the headings over them.

    A statement about it may say only what stands in `held`; `doubt` says why nothing may rest on it alone.
    `keys` is of a row of a table, as a claim has it.
    """

    id: str
    label: str
    text: str
    held: tuple[str, ...]
    above: tuple[str, ...]
    quotes: tuple[Quote, ...]
    place: Place
    doubt: str = ""
    keys: int = 0

    @property
    def shown(self) -> str:
        """Return as much of its text as a model reads."""
        printed = self.text.split()
        return " ".join(printed[:READ_WORDS]) + (" …" if len(printed) > READ_WORDS else "")

    @property
    def line(self) -> str:
        """Return the line that a model reads."""
        return f"{self.id} [{self.label}] {self.shown}"


def spot(quote: Quote) -> Spot:
    """Return where a quotation stands, whatever label a reader finds beside it."""
    return (quote.document, quote.page, quote.boxes, quote.text)


def numbered(
    found: Iterable[Candidate],
    doubted: Callable[[Candidate], str],
    leading: Sequence[Spot],
    count: Count,
    tokens: int,
) -> tuple[Sentence, ...]:
    """Return numbered sentences of at most so many tokens; what stands in `leading` spots has a start."""
    made = _each_once(sentence for finding in found for sentence in _of_finding(finding, doubted(finding)))
    made.sort(key=lambda item: -item[0] - _start(item[1], leading))
    spread = len({sentence.place.document for _, sentence in made}) > 1
    named = [replace(item, id=f"S{MOST}", label=_called(item, spread=spread)) for _, item in made]
    kept: list[Sentence] = []
    room = tokens
    for sentence, size in zip(named, count([item.line for item in named]) if named else [], strict=True):
        if size <= room and len(kept) < MOST:
            kept.append(replace(sentence, id=f"S{len(kept) + 1}"))
            room -= size
    return tuple(kept)


def _of_finding(finding: Candidate, doubt: str) -> Iterator[tuple[float, Sentence]]:
    """Yield a sentence for each claim of a finding, with those of its quotes that the claim rests on."""
    above = (*finding.place.heading_path, finding.place.title)
    spoken = speaks("\n".join((finding.place.text, *(quote.text for quote in finding.quotes))))
    for claim in finding.claims:
        own = tuple(quote for quote in finding.quotes if quote.text in claim.quotes) or finding.quotes
        if not own or not claim.text.strip():
            continue
        text = " ".join(claim.text.split())
        strange = suspicious("\n".join((text, *claim.quotes))) or spoken
        why = STRANGE.format(strange[:40]) if strange else ""
        whole = "; ".join(filter(None, (doubt, why)))
        sentence = Sentence("", "", text, claim.quotes, above, own, finding.place, whole, claim.keys)
        yield finding.score, sentence


def _each_once(made: Iterable[tuple[float, Sentence]]) -> list[tuple[float, Sentence]]:
    """Return the sentences, the best first, no text twice; the case of a symbol tells two apart."""
    kept: dict[str, tuple[float, Sentence]] = {}
    for score, sentence in sorted(made, key=lambda item: -item[0]):
        kept.setdefault(sentence.text, (score, sentence))
    return list(kept.values())


def _start(sentence: Sentence, leading: Sequence[Spot]) -> float:
    """Return what a sentence is worth for standing in one of the leading spots, the first most."""
    for at, (document, page, _, quoted) in enumerate(leading):
        own = (q for q in sentence.quotes if q.document == document and q.page >= page)
        if any(q.text in quoted or quoted in q.text for q in own):
            return max(START - STEP * at, 0.0)
    return 0.0


def _called(sentence: Sentence, *, spread: bool) -> str:
    """Return the name under which a model is shown where a sentence stands."""
    quote = sentence.quotes[-1]
    return f"{quote.document} {quote.label}" if spread else str(quote.label)


def by_id(sentences: Collection[Sentence]) -> dict[str, Sentence]:
    """Return the sentences by their ids."""
    return {sentence.id: sentence for sentence in sentences}
