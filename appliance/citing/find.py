"""What a specification cites: standards and their parts, as printed.

Rules of this module: find only; `check.py` decides what it is worth. The grammar of the ingest reads
the text, with the words of each family in the library and with the names by which its documents go.
A part named without a document is one of the document that its own sentence names, else of the one named
last before it; one that the
specification has itself (a heading carries that number) is no citation. Reading takes time in proportion
to the text, whatever its paragraphs are, and ends at a number of citations or at a time.
"""

from __future__ import annotations

import math
import re
import time
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from appliance.citing.names import every_name, with_edition
from appliance.citing.notes import lettered, with_items
from appliance.citing.titles import title_behind, year_behind
from appliance.citing.values import Cited, Paragraph
from appliance.document import Clause, Document, Label, Passage, Reference
from appliance.ingest.grammar.words import Words, load_words
from appliance.ingest.references import find_references
from appliance.store.values import DocumentInfo

BATCH = 20_000  # characters that are read at once
SENTENCE, BLANK = 2_000, 200  # characters before a cut in which the end of a sentence, a blank is looked for
NEAR = 3  # paragraphs between a document and a part that is named without one
_OWN = re.compile(r"\s*(?P<number>\d{1,3}(?:\.\d{1,3})*)[.)]?\s+\S")
_BODY = re.compile(r"(?<![A-Za-z])[A-Z]{2,5}(?=\s?\d)")
_CLAUSE = re.compile(
    r"(?<![\w.,/:-])\d{1,2}(?:(?:\.\d{1,2}){2,4}(?:\(\d{1,2}\)P?)?|\.\d{1,2}\(\d{1,2}\)P?)(?![\w%/-]|\.\d)"
)
_STOP = re.compile(r"(?<!\bVol)(?<!\bNo)(?<!\bno)[.;!?]\s+(?=[A-Z(\"“])")
_CODE = re.compile(r"[A-Z]{2,5}-?[\w-]*")
_DATED = re.compile(r"\d.*[\s:,(–-](?:19|20)\d\d(?: edition)?[)\]]?$")  # not the number of "EN 1990"
_NOTE_OF = re.compile(r"\S+(?: \S+)? \S+ (?:\d+|[A-Za-z*†‡§])")  # the note of a clause, or of a table
_PARTS = frozenset(
    {"note", "clause", "annex", "part", "section", "table", "figure", "formula", "requirement"}
)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found, and the position of the first paragraph that was not wholly read, None for none."""

    cited: tuple[Cited, ...]
    left: int | None = None


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
    own = frozenset(match["number"] for each in paragraphs if (match := _OWN.match(each.text)))
    found: list[Cited] = []
    last: tuple[int, str] = (-NEAR - 1, "")
    for batch in _batches(paragraphs):
        if time.monotonic() > until:
            return Gathered(tuple(found), batch[0].position)
        said = tuple(_references(batch, _families(batch, loaded_families, infos)))
        theirs = _of_sentence(said)
        for piece, reference in said:
            before = last[1] if piece.position - last[0] <= NEAR else ""
            named = theirs.get((piece.position, reference.start)) or before
            cited = _cited(piece.position, piece.text, reference, named, own)
            if reference.designation:
                last = piece.position, reference.designation
            if cited:
                found.append(cited)
            if len(found) >= most:
                return Gathered(tuple(found))
    return Gathered(tuple(found))


def _families(batch: Sequence[_Piece], families: Sequence[str], infos: Sequence[DocumentInfo]) -> list[Words]:
    """Return the words of the families loaded, of those that a batch names though not loaded, and of none."""
    text = "\n".join(piece.text[piece.start : piece.end] for piece in batch)
    return [_words(family, infos) for family in dict.fromkeys([*families, *every_name().named(text), ""])]


def _of_sentence(said: Sequence[tuple[_Piece, Reference]]) -> dict[tuple[int, int], str]:
    """Return by (paragraph, start) the document of a part whose own sentence names one, behind it alone.

    A document that its sentence names before it is the last one named in any case.
    """
    found: dict[tuple[int, int], str] = {}
    behind, at = "", (-1, -1)  # the document that is named next, and in which sentence
    for piece, reference in reversed(said):
        here = (piece.position, _sentence(piece.text, reference.start))
        if reference.designation:
            behind, at = reference.designation, here
        elif at == here:
            found[piece.position, reference.start] = behind
    seen: set[tuple[int, int]] = set()
    for piece, reference in said:
        here = (piece.position, _sentence(piece.text, reference.start))
        if reference.designation:
            seen.add(here)
        elif here in seen:
            found.pop((piece.position, reference.start), None)
    return found


def _sentence(text: str, at: int) -> int:
    """Return where the sentence around a position begins, a sentence longer than any cut where it is."""
    least = max(0, at - SENTENCE)
    ends = [match.end() for match in _STOP.finditer(text, least, at)]
    return ends[-1] if ends else least or 0


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


def _references(batch: Sequence[_Piece], families: Sequence[Words]) -> Iterator[tuple[_Piece, Reference]]:
    """Yield what any family reads in the pieces, in the order of the text, placed in the whole paragraph."""
    document = _document([piece.text[piece.start : piece.end] for piece in batch])
    merged = _merged(find_references(document, words) for words in families)
    for at, piece in enumerate(batch):
        read = [
            _of_own_sentence(
                piece.text, replace(one, start=one.start + piece.start, end=one.end + piece.start)
            )
            for one in merged.get(at, ())
        ]
        for reference in with_items(piece.text, sorted([*read, *_more(piece, read)], key=_start)):
            yield piece, reference


def _of_own_sentence(text: str, reference: Reference) -> Reference:
    """Return a part without the document that only a sentence before names: it may be that of another."""
    name, begin = reference.designation, _sentence(text, reference.start)
    if (
        not name
        or reference.kind not in _PARTS
        or name not in " ".join(text[max(0, begin - SENTENCE) : begin].split())
    ):
        return reference
    return (
        reference
        if name in " ".join(text[begin : reference.end].split())
        else replace(reference, designation="")
    )


def _document(texts: Sequence[str]) -> Document:
    """Return texts as a document that has no numbers of its own."""
    labels = [Label((f"¶{position}",)) for position in range(len(texts))]
    clauses = tuple(
        Clause(label, "front", "", Passage(text.replace("\n", " ")), None, 1, ())
        for label, text in zip(labels, texts, strict=True)
    )
    return Document("", "", "", "", "unknown", "en", "", "", (), clauses)


def _words(family: str, infos: Sequence[DocumentInfo]) -> Words:
    """Return the words of a family with the bodies and ids of the documents loaded."""
    words = load_words(family)
    bodies = {match.group() for info in infos for match in [_BODY.search(info.designation)] if match}
    ids = sorted((info.id for info in infos if _CODE.fullmatch(info.id)), key=len, reverse=True)
    every = every_name()
    patterns = (
        *every.patterns,
        *map(with_edition, words.patterns),
        *(rf"{re.escape(name)}(?![\w-])" for name in ids),
    )
    every_body = dict.fromkeys((*words.bodies, *every.bodies, *sorted(bodies)))
    return replace(words, bodies=tuple(every_body), patterns=tuple(dict.fromkeys(patterns)), apart=True)


def _merged(read: Iterable[Iterable[Reference]]) -> dict[int, list[Reference]]:
    """Return by paragraph what any family read; of readings that overlap, that of the longest text."""
    every: Mapping[int, list[Reference]] = defaultdict(list)
    for reference in (reference for found in read for reference in found):
        every[int(reference.source.parts[0][1:])].append(reference)
    return {position: list(_apart(found)) for position, found in every.items()}


def _apart(found: Sequence[Reference]) -> Iterator[Reference]:
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


def _more(piece: _Piece, read: Sequence[Reference]) -> Iterator[Reference]:
    """Yield what the grammar of the codes does not read: lettered notes and numbers of clauses alone."""
    taken = sorted({(one.start, one.end) for one in read})
    for note in lettered(piece.text, piece.start, piece.end):
        if not _overlaps(taken, note.start, note.end):
            yield note
    yield from _bare(piece, read)


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


def _start(reference: Reference) -> int:
    return reference.start


def _cited(position: int, text: str, reference: Reference, named: str, own: frozenset[str]) -> Cited | None:
    """Return a reference as a citation, None for what names nothing outside the text itself."""
    alone = not reference.designation
    number = reference.number.rsplit(" ", 1)[-1]
    loose = reference.kind == "note" and not _NOTE_OF.fullmatch(reference.number)
    if reference.kind == "relative" or loose or (alone and reference.kind not in _PARTS):
        return None
    bare = alone and reference.text[:1].isdigit()
    if alone and (number.rstrip(".") in own or ((bare or number.startswith("(")) and not named)):
        return None
    title = title_behind(text, reference.end, loose=reference.kind == "document")
    designation = reference.designation or named
    if not alone and not _DATED.search(designation) and (year := year_behind(text, reference.end, title)):
        designation = f"{designation}:{year}"
    return Cited(
        position, reference.start, reference.end, text[reference.start : reference.end], reference.kind,
        reference.number, designation, title, assumed=alone and bool(named),
    )  # fmt: skip
