"""What a specification cites: standards and their parts, as printed.

Rules of this module: find only; `check.py` decides what it is worth. The grammar of the ingest reads
the text, with the words of each family in the library and with the names by which its documents go.
A part named without a document is one of the document named last before it; one that the
specification has itself (a heading carries that number) is no citation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from appliance.citing.titles import title_behind
from appliance.citing.values import Cited, Paragraph
from appliance.document import Clause, Document, Label, Passage, Reference
from appliance.ingest.grammar.words import Words, load_words
from appliance.ingest.references import find_references
from appliance.store.values import DocumentInfo

NEAR = 3  # paragraphs between a document and a part that is named without one
_OWN = re.compile(r"\s*(?P<number>\d{1,3}(?:\.\d{1,3})*)[.)]?\s+\S")
_BODY = re.compile(r"(?<![A-Za-z])[A-Z]{2,5}(?=\s?\d)")
_CLAUSE = re.compile(
    r"(?<![\w.,/:-])\d{1,2}(?:(?:\.\d{1,2}){2,4}(?:\(\d{1,2}\)P?)?|\.\d{1,2}\(\d{1,2}\)P?)(?![\w%/-]|\.\d)"
)
_CODE = re.compile(r"[A-Z]{2,5}-?[\w-]*")
_PARTS = frozenset({"clause", "annex", "part", "section", "table", "figure", "formula", "requirement"})


def citations(
    paragraphs: Sequence[Paragraph], loaded: Iterable[DocumentInfo], most: int
) -> tuple[Cited, ...]:
    """Return what the paragraphs cite, in their order, at most so many."""
    infos = tuple(loaded)
    families = dict.fromkeys([*(info.family for info in infos), ""])
    document = _document(paragraphs)
    read = [find_references(document, _words(family, infos)) for family in families]
    found: list[Cited] = []
    own = frozenset(match["number"] for each in paragraphs if (match := _OWN.match(each.text)))
    last: tuple[int, str] = (-NEAR - 1, "")
    merged = _merged(read)
    for position, paragraph in enumerate(paragraphs):
        read_here = merged.get(position, [])
        for reference in sorted([*read_here, *_bare(position, paragraph.text, read_here)], key=_start):
            named = last[1] if position - last[0] <= NEAR else ""
            cited = _cited(position, paragraph.text, reference, named, own)
            if reference.designation:
                last = position, reference.designation
            if cited:
                found.append(cited)
        if len(found) >= most:
            break
    return tuple(found[:most])


def _document(paragraphs: Sequence[Paragraph]) -> Document:
    """Return the paragraphs as a document that has no numbers of its own."""
    labels = [Label((f"¶{position}",)) for position in range(len(paragraphs))]
    clauses = tuple(
        Clause(label, "front", "", Passage(paragraph.text.replace("\n", " ")), None, 1, ())
        for label, paragraph in zip(labels, paragraphs, strict=True)
    )
    return Document("", "", "", "", "unknown", "en", "", "", (), clauses)


def _words(family: str, infos: Sequence[DocumentInfo]) -> Words:
    """Return the words of a family with the bodies and ids of the documents loaded."""
    words = load_words(family)
    bodies = {match.group() for info in infos for match in [_BODY.search(info.designation)] if match}
    ids = sorted((info.id for info in infos if _CODE.fullmatch(info.id)), key=len, reverse=True)
    patterns = (*words.patterns, *(rf"{re.escape(name)}(?![\w-])" for name in ids))
    return replace(words, bodies=tuple(dict.fromkeys((*words.bodies, *sorted(bodies)))), patterns=patterns)


def _merged(read: Iterable[Iterable[Reference]]) -> dict[int, list[Reference]]:
    """Return by paragraph what any family read; of readings that overlap, that of the longest text."""
    every: Mapping[int, list[Reference]] = defaultdict(list)
    for reference in (reference for found in read for reference in found):
        every[int(reference.source.parts[0][1:])].append(reference)
    return {position: list(_apart(found)) for position, found in every.items()}


def _apart(found: Sequence[Reference]) -> Iterator[Reference]:
    spans = sorted({(one.start, one.end) for one in found}, key=lambda span: (span[0] - span[1], span[0]))
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if all(end <= other or start >= stop for other, stop in kept):
            kept.append((start, end))
    seen: set[tuple[int, int, str]] = set()
    best = sorted(found, key=lambda one: (one.start, not one.designation))
    named = {(one.start, one.end) for one in found if one.designation}
    for one in best:
        span = (one.start, one.end)
        if span not in kept or (span in named and not one.designation) or (*span, one.number) in seen:
            continue
        seen.add((*span, one.number))
        yield one


def _bare(position: int, text: str, read: Sequence[Reference]) -> Iterator[Reference]:
    """Yield numbers that can be nothing but those of clauses ("5.3.2", "5.2(3)"), where nothing was read.

    The grammar of a code believes them of the code itself alone; a specification has no such numbers.
    """
    for match in _CLAUSE.finditer(text):
        start, end = match.span()
        if text[:start].strip(" #*") and not any(one.start < end and start < one.end for one in read):
            label = Label((f"¶{position}",))
            yield Reference(label, start, end, match.group(), "clause", (), number=match.group())


def _start(reference: Reference) -> int:
    return reference.start


def _cited(position: int, text: str, reference: Reference, named: str, own: frozenset[str]) -> Cited | None:
    """Return a reference as a citation, None for what names nothing outside the text itself."""
    alone = not reference.designation
    number = reference.number.rsplit(" ", 1)[-1]
    if reference.kind in ("relative", "note") or (alone and reference.kind not in _PARTS):
        return None
    bare = alone and reference.text[:1].isdigit()
    if alone and (number.rstrip(".") in own or ((bare or number.startswith("(")) and not named)):
        return None
    title = title_behind(text, reference.end, loose=reference.kind == "document")
    return Cited(
        position, reference.start, reference.end, text[reference.start : reference.end], reference.kind,
        reference.number, reference.designation or named, title, assumed=alone and bool(named),
    )  # fmt: skip
