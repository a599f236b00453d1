"""What a specification cites: standards and their parts, as printed."""

from __future__ import annotations

import math
import re
import time
from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise

from appliance.citing.names import every_name, title_behind, with_edition, year_behind
from appliance.citing.sentence_of_reference import (
    SENTENCE,
    Said,
    of_own_sentence,
    of_sentence,
    spelled,
    spoken,
)
from appliance.citing.values import Cited, Paragraph
from appliance.core.document import Clause, Document, Label, Passage, Reference
from appliance.core.files import shipped
from appliance.core.runs import grouped
from appliance.ingest.references.find import find_references
from appliance.ingest.references.named_documents import Host
from appliance.ingest.references.part_words import OWN, Words, fold_word, load_words
from appliance.store.records import DocumentInfo
from appliance.text.designations import amendments_behind
from appliance.text.numbers import PARAGRAPH

_LETTERS = r"[^\W\d_a-z](?:[^\W\d_]{0,4}[^\W\d_a-z])?"
_NAME = re.compile(
    rf"(?<![\w./@#&+-])(?P<body>[^\W\d_a-z][^\W\d_]{{0,4}}[^\W\d_a-z])(?P<series>(?:[ /-]{_LETTERS}){{0,2}})"
    r"(?P<gap>\s?|-)(?P<number>\d{1,6}(?:[./-]\d{1,5}){0,4})"
    r"(?P<year>\s?[:(–—]\s?(?:19|20)\d\d\)?)?(?![\w%°\"″′×]|[.,:/-]\d)"
)
_UNLISTED_DATED = re.compile(r"\d[/-](?:19|20)\d\d$|(?:\d{3}|\.\d{1,2})[/-]\d\d$")  # "3-2010", "2.01.07-85"
_YEAR = re.compile(r"(?:19|20)\d\d")
_POSTCODE = re.compile(r"\s\d[A-Z]{2}(?!\w)")
_BEHIND = re.compile(r"[\s,:(–—-]{0,4}")
FAR = 2_000  # characters between a document and its part


def _unlisted(piece: _Piece, words: Words) -> Iterator[Host]:
    """Yield what looks like the designation of a standard; alone where nothing else is written so."""
    none = {word for known in shipped("citing/unlisted").values() for word in known}
    for match in _NAME.finditer(piece.text, piece.start, piece.end):
        body, number, end = match["body"], match["number"], match.end()
        series = [part for part in re.split(r"[ /-]", match["series"]) if part]
        letters = [body, *series]
        if _POSTCODE.match(piece.text, end) or any(fold_word(part) in words.names for part in letters):
            continue
        known = body in words.bodies and any(part not in words.bodies for part in series)
        dated = match["year"] is not None or (bool(match["gap"]) and bool(_UNLISTED_DATED.search(number)))
        season = _YEAR.fullmatch(number) and len(body) > len("ABCD")  # words before a year: "SPRING 2020"
        counts = season or words.units.match(piece.text, end)
        if known or not (counts or none & {part.upper() for part in letters}):
            yield Host(match.start(), end, " ".join(match.group().split()), known or dated)


def _settled(
    text: str, named: Sequence[Host], read: Sequence[Reference], words: Words
) -> tuple[list[Reference], list[Host]]:
    """Return the references with those to unlisted standards and to their parts, and what stays doubtful.

    A part right beside such a standard is its own ("clause 5 of XYZ 12"), and no part behind it is one of
    what was named before it. The number inside a designation ("SNiP 2.01.07-85") is no clause of another.
    """
    sure = {one for one in named if one.alone}
    read = [each for each in read if not any(o.start < each.start and each.end <= o.end for o in sure)]
    free = [one for one in named if not any(each.start < one.end and one.start < each.end for each in read)]
    beside: dict[int, Host] = {}
    for at, part in enumerate(read):
        within = words.within.match(text, part.end)
        behind = [one for one in free if within and within.end() == one.start]
        before = (o for o in free if o.end <= part.start and _BEHIND.fullmatch(text, o.end, part.start))
        if part.kind in _PARTS and (owner := next(chain(behind, before), None)):
            beside[at] = owner
    sure = sure.intersection(free).union(beside.values())
    own = [
        replace(each, designation=beside[at].designation) if at in beside else _parted(text, each, free, sure)
        for at, each in enumerate(read)
    ]
    label = Label(("unlisted",))
    found = [
        Reference(label, o.start, o.end, o.designation, "document", (), designation=o.designation)
        for o in sure
    ]
    whole = sorted([*own, *found], key=lambda one: (one.start, one.kind != "document"))
    return whole, [one for one in free if one not in sure]


def _parted(text: str, part: Reference, named: Sequence[Host], sure: Collection[Host]) -> Reference:
    """Return a part without the document before it where an unlisted standard stands between the two."""
    if part.kind not in _PARTS or not part.designation or _names_its_own(part):
        return part
    last = text.rfind(part.designation, max(0, part.start - FAR), part.start)
    between = [one for one in named if last < one.start < part.start]
    if not between or last < 0:
        return part
    return replace(part, designation=between[-1].designation if between[-1] in sure else "")


BATCH = 20_000  # characters that are read at once
BLANK = 200  # characters before a cut in which a blank is looked for
DIGITS = 3  # of the number of a table or section without a dot, at most
NEAR = 3  # paragraphs between a document and a part that is named without one
_OWN = re.compile(r"\s*(?P<number>\d{1,3}(?:\.\d{1,3})*)[.)]?\s+\S")
_HEADING = re.compile(  # a line that names a part and then a title: "Section 4 Loads", "Figure 2 - Plan"
    r"[ \t#*]*(?P<word>[^\W\d_]+) (?P<number>[A-Z]?\d*(?:\.\d+)*)[.)]?"
    r"(?:[ \t]*[-–—:][ \t]*|[ \t]+)(?=[A-Z])[^.;]{3,}$"
)
_BODY = re.compile(r"(?<![A-Za-z])[A-Z]{2,5}(?=\s?\d)")
_CLAUSE = re.compile(
    rf"(?<![\w.,/:-])\d{{1,2}}(?:(?:\.\d{{1,2}}){{2,4}}(?:{PARAGRAPH})?|\.\d{{1,2}}{PARAGRAPH})"
    r"(?![\w%/-]|\.\d)"
)
_CODE = re.compile(r"[A-Z]{2,5}-?[\w-]*")
_DATED = re.compile(r"\d.*[\s:,(–-](?:19|20)\d\d(?: edition)?[)\]]?$")  # not the number of "EN 1990"
_NOTE_OF = re.compile(r"\S+(?: \S+)? \S+ \d+")  # the note of a clause
_PARTS = frozenset(
    {"note", "clause", "annex", "part", "section", "table", "figure", "formula", "requirement"}
)
_NONE = (-NEAR - 1, "")  # no document was named


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found, and the position of the first paragraph that was not wholly read, None for none.

    `unread` is what looks like a standard and is none that is known, where it stands first.
    """

    cited: tuple[Cited, ...]
    left: int | None = None
    unread: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """The characters [start, end) of a paragraph."""

    position: int
    text: str
    start: int
    end: int


def citations(
    paragraphs: Sequence[Paragraph], loaded: Iterable[DocumentInfo], most: int, until: float = math.inf
) -> Gathered:
    """Return what the paragraphs cite, in their order, at most so many, read until that (monotonic) time."""
    infos = tuple(loaded)
    loaded_families = tuple(dict.fromkeys(info.family for info in infos))
    own = {("", match["number"]) for each in paragraphs if (match := _OWN.match(each.text))}
    headings = {(at, start): part for at, each in enumerate(paragraphs) for start, part in _headings(each)}
    own |= set(headings.values())
    found: list[Cited] = []
    unread: dict[str, Said] = {}
    last = _NONE
    for batch in _batches(paragraphs):
        if time.monotonic() > until:
            return Gathered(tuple(found), batch[0].position, tuple(unread.values()))
        text = "\n".join(piece.text[piece.start : piece.end] for piece in batch)
        # The words of the families loaded, of those that a batch names though not loaded, and of none: these
        # also in every other language in which the batch names parts.
        named = dict.fromkeys([*loaded_families, *every_name().named(text), ""])
        spelt = [*((family, OWN) for family in named), *(("", language) for language in spoken(text))]
        said = tuple(_references(batch, [_words(load_words(*each), infos) for each in spelt]))
        behind = of_sentence(said)
        titles = {(o.position, o.start) for o in said if o.reference and o.reference.designation}
        for one in said:
            if one.reference is None:
                unread.setdefault(one.name, one)
                last = last if one.position == last[0] else _NONE
                continue
            if (one.position, one.start) in headings and not _names_its_own(one.reference):
                continue
            before = last[1] if one.position - last[0] <= NEAR else ""
            theirs = behind.get((one.position, one.start), "")
            cited = _cited(one, theirs or before, own, titles)
            if one.reference.designation:
                last = one.position, one.reference.designation
            if cited:
                found.append(replace(cited, behind=cited.assumed and bool(theirs)))
            if len(found) >= most:
                return Gathered(tuple(found), None, tuple(unread.values()))
    return Gathered(tuple(found), None, tuple(unread.values()))


def _headings(paragraph: Paragraph) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the parts of a text itself that its lines head or caption: where, and its kind and number."""
    names = load_words("").names
    for start, end in pairwise((0, *paragraph.lines, len(paragraph.text))):
        match = _HEADING.match(paragraph.text[start:end].rstrip())
        named = match and names.get(fold_word(match["word"].capitalize()))
        if match and named and match["number"]:
            yield start + match.start("word"), (named.kind, match["number"])


def _batches(paragraphs: Sequence[Paragraph]) -> Iterator[list[_Piece]]:
    """Yield the paragraphs in parts that are read at once, so short that the clock is looked at soon."""
    batch: list[_Piece] = []
    size = 0
    for position, paragraph in enumerate(paragraphs):
        for start, end in _cuts(paragraph.text):
            if batch and size + end - start > BATCH:
                yield batch
                batch, size = [], 0
            batch.append(_Piece(position, paragraph.text, start, end))
            size += end - start
    if batch:
        yield batch


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that are short enough to read, cut behind a sentence or else at a blank."""
    start = 0
    while len(text) - start > BATCH:
        latest = start + BATCH
        end = max(text.rfind(". ", latest - SENTENCE, latest) + 1, text.rfind(" ", latest - BLANK, latest))
        end = end if end > start else latest
        yield start, end
        start = end
    yield start, len(text)


def _references(batch: Sequence[_Piece], families: Sequence[Words]) -> Iterator[Said]:
    """Yield what any family reads in the pieces, in the order of the text, placed in the whole paragraph.

    What looks like a standard and was not read is among it, without a reference.
    """
    written = [spelled(piece.text[piece.start : piece.end]) for piece in batch]
    clauses = (  # of a document that has no numbers of its own
        Clause(Label((f"¶{at}",)), "front", "", Passage(each.text.replace("\n", " ")), None, 1, ())
        for at, each in enumerate(written)
    )
    document = Document("", "", "", "", "unknown", "en", "", "", (), tuple(clauses))
    found = (one for words in families for one in find_references(document, words))
    merged = grouped((int(one.source.parts[0][1:]), one) for one in found)
    for at, piece in enumerate(batch):
        read = []
        for one in _apart(merged[at]):
            start, end = (piece.start + written[at].written(place) for place in (one.start, one.end))
            name = written[at].as_written(one.designation)
            placed = replace(one, start=start, end=end, text=piece.text[start:end], designation=name)
            if not _is_none(placed, piece.text, families[0]):
                read.append(of_own_sentence(piece.text, placed, _PARTS))
        every = sorted([*read, *_bare(piece, read)], key=lambda one: one.start)
        named = list(_unlisted(piece, families[0]))
        every, doubtful = _settled(piece.text, named, every, families[0])
        said = [Said(piece.position, piece.text, one, one.start) for one in every]
        said += [Said(piece.position, piece.text, None, one.start, one.designation) for one in doubtful]
        yield from sorted(said, key=lambda one: one.start)


def _is_none(reference: Reference, text: str, words: Words) -> bool:
    """Tell whether three figures count something ("a table 800 mm high"), or "DWG 12" was read."""
    if reference.kind == "document":
        letters = re.match(r"[A-Z]+(?=[ -]\d)", reference.designation)
        return letters is not None and letters.group() in shipped("citing/unlisted")["records"]
    number = reference.number.rpartition(" ")[2]
    if len(number) < DIGITS or not number.isdigit():
        return False
    small = reference.text[:1].islower() and not _names_its_own(reference)
    return small or bool(words.units.match(text, reference.end))


def _names_its_own(reference: Reference) -> bool:
    """Tell whether the document stands with the part, and was not carried on to it."""
    return bool(reference.designation) and reference.designation in " ".join(reference.text.split())


def _words(words: Words, infos: Sequence[DocumentInfo]) -> Words:
    """Return words with the bodies and ids of the documents loaded."""
    bodies = {match.group() for info in infos if (match := _BODY.search(info.designation))}
    ids = sorted((info.id for info in infos if _CODE.fullmatch(info.id)), key=len, reverse=True)
    every = every_name()
    own = (*map(with_edition, words.patterns), *(rf"{re.escape(name)}(?![\w-])" for name in ids))
    own_words = copy(words)
    own_words.bodies = tuple(dict.fromkeys((*words.bodies, *every.bodies, *sorted(bodies))))
    own_words.patterns = tuple(dict.fromkeys((*every.patterns, *own)))
    own_words.apart, own_words.digits = True, max(words.digits, DIGITS)
    return own_words


def _apart(found: Sequence[Reference]) -> Iterator[Reference]:
    """Yield what any family read in a paragraph; of readings that overlap, that of the longest text."""
    spans = sorted({(one.start, one.end) for one in found}, key=lambda span: (span[0] - span[1], span[0]))
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not _overlaps(kept, *span):
            insort(kept, span)
    chosen = set(kept)
    seen: set[tuple[int, int, str]] = set()
    best = sorted(found, key=lambda one: (one.start, not one.designation))
    named = {(one.start, one.end) for one in found if one.designation}
    for one in best:
        span = (one.start, one.end)
        if span not in chosen or (span in named and not one.designation) or (*span, one.number) in seen:
            continue
        seen.add((*span, one.number))
        yield one


def _overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether a span meets one of sorted spans that lie apart."""
    at = bisect_left(spans, (end, end))
    return at > 0 and spans[at - 1][1] > start


def _bare(piece: _Piece, read: Sequence[Reference]) -> Iterator[Reference]:
    """Yield numbers that can be nothing but those of clauses ("5.3.2", "5.2(3)"), where nothing was read.

    The grammar of a code believes them of the code itself alone; a specification has no such numbers.
    """
    begin = len(piece.text) - len(piece.text.lstrip(" #*"))
    taken = sorted({(one.start, one.end) for one in read})
    for match in _CLAUSE.finditer(piece.text, piece.start, piece.end):
        start, end = match.span()
        if start > begin and not _overlaps(taken, start, end):
            label = Label((f"¶{piece.position}",))
            yield Reference(label, start, end, match.group(), "clause", (), number=match.group())


def _cited(
    said: Said, named: str, own: Collection[tuple[str, str]], documents: Collection[tuple[int, int]]
) -> Cited | None:
    """Return a reference as a citation, None for what names nothing outside the text itself."""
    position, text, reference = said.position, said.text, said.reference
    assert reference is not None
    alone = not reference.designation
    number = reference.number.rsplit(" ", 1)[-1]
    loose = reference.kind == "note" and not _NOTE_OF.fullmatch(reference.number)
    if reference.kind == "relative" or loose or (alone and reference.kind not in _PARTS):
        return None
    bare = alone and reference.text[:1].isdigit()
    if alone and (
        not {("", number.rstrip(".")), (reference.kind, number.rstrip("."))}.isdisjoint(own)
        or ((bare or number.startswith("(")) and not named)
    ):
        return None
    if _of_itself().match(text, reference.end) and not _names_its_own(reference):
        return None
    title = title_behind(text, reference.end, loose=reference.kind == "document")
    if (position, text.find(title, reference.end)) in documents:
        title = ""  # another document is named there
    designation = reference.designation or named
    if not alone and not _DATED.search(designation) and (year := year_behind(text, reference.end, title)):
        designation = f"{designation}:{year}"
    return Cited(
        position, reference.start, reference.end, text[reference.start : reference.end], reference.kind,
        reference.number, designation, title, assumed=alone and bool(named),
        amended=amendments_behind(text, reference.end),
    )  # fmt: skip


@cache
def _of_itself() -> re.Pattern[str]:
    """Return the pattern of words that tell a part of the text itself: "of this specification"."""
    said = shipped("citing/words")
    of, this, itself = ("|".join(map(re.escape, said[name])) for name in ("belonging", "pointing", "itself"))
    return re.compile(rf"\s+(?:{of})\s+(?:{this})\s+(?:[\w’'-]+\s+)?(?:{itself})\b", re.IGNORECASE)
