"""What a document says that it holds: captions in its text, numbers that it skips, items it speaks of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from appliance.core.document import Box, Clause, Document, Figure, Reference, Table
from appliance.ingest.checks import (
    Gap,
    Placed,
    clause_gaps,
    gap_words,
    gaps,
    in_one_sequence,
)
from appliance.ingest.structure.captions import CaptionKind, match
from appliance.ingest.structure.unnumbered_headings import bare
from appliance.quality.contract import Doubt, ReasonKind

TITLE = 110  # signs: what follows a number on a longer line is a sentence
FAR = 3  # pages: a gap between items that are further apart is looked for at its ends
WEIGHTS: Mapping[ReasonKind, float] = {"caption": 4.0, "gap": 3.0, "mention": 1.5}
NAMED = 6  # missing items that one sentence names
SPOKEN = 3  # places of one chapter that are spoken of and missing; fewer are slips or parts of a law
CLAUSE_GAP = 2.5  # a clause number may be left out by the code itself
_CLAUSE = re.compile(
    r"(?P<word>[A-Z][a-z]+ )?(?P<number>(?P<chapter>[A-Z]|\d{1,2}(?=\.))\.?\d{1,3}(?:\.\d{1,3})*)(?:\(.*)?"
)
Words = Mapping[str, tuple[str, ...]]


@dataclass(slots=True)
class Missing:
    """Items that should be there, or are only spoken of, by name; the reasons on the pages to look at."""

    names: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    reasons: list[Doubt] = field(default_factory=list)


def missing_items(document: Document, kind: CaptionKind, words: Words) -> Missing:
    """Return the tables or figures that the document says it holds and that were not found."""
    items = document.tables if kind == "table" else document.figures
    known = {bare(str(item.label)) for item in items}
    lost = Missing()
    for name, box in _captions(document.clauses, kind, words):
        if bare(name) not in known:
            known.add(bare(name))
            lost.names.append(name)
            told = f"“{name}” is printed here; no {kind} was found for it."
            lost.reasons.append(Doubt("caption", box.page, told, WEIGHTS["caption"], box))
    tables, figures = _placed(document.tables), _placed(document.figures)
    parts = [str(item.label) for item in (*tables, *figures)]
    own = tables if kind == "table" else figures
    for gap in () if in_one_sequence(tables, figures) else gaps(own):
        if any(name.startswith(f"{gap.printed}.") for name in parts):
            continue
        if bare(gap.printed) not in known:
            known.add(bare(gap.printed))
            lost.names.append(gap.printed)
            lost.reasons += _around(gap, WEIGHTS["gap"])
    numbered = (one for one in document.references if one.kind == kind and re.search(r"\d", one.number))
    _tell_spoken(lost, known, filter(_is_lost, numbered))
    return lost


def missing_clauses(document: Document) -> Missing:
    """Return the clause numbers that are skipped between clauses, and those that are only spoken of."""
    lost = Missing()
    told = {problem.message for problem in document.problems}
    for gap in clause_gaps(document):
        lost.names.append(gap.printed)
        if gap_words(gap) not in told:  # reading has said so already
            lost.reasons += _around(gap, CLAUSE_GAP)
    _tell_spoken(lost, {bare(name) for name in lost.names}, _lost_chapters(document))
    return lost


def _lost_chapters(document: Document) -> list[Reference]:
    """Return the references to clauses that are not there, several of one chapter: "B1", "B2" and "B3.1".

    Those in the cells of a table are left out: a column may hold the numbers of another code.
    """
    tables = {table.label for table in document.tables}
    chapters: dict[str, dict[str, Reference]] = defaultdict(dict)
    for reference in filter(_is_lost, document.references):
        clause = _CLAUSE.fullmatch(reference.number) if reference.kind == "clause" else None
        if clause and reference.source not in tables:
            named = reference if clause["word"] else replace(reference, number=f"Clause {reference.number}")
            chapters[clause["chapter"]].setdefault(clause["number"], named)
    return [one for found in chapters.values() if len(found) >= SPOKEN for one in found.values()]


def _is_lost(reference: Reference) -> bool:
    """Tell whether a reference is to a place of this document and leads nowhere."""
    return reference.status == "unresolved" and not reference.external


def _tell_spoken(lost: Missing, known: set[str], mentions: Iterable[Reference]) -> None:
    """Tell of each missing item where it is first spoken of; those of one page in one sentence."""
    by_page: dict[int, dict[str, Box]] = defaultdict(dict)
    for reference in mentions:
        if bare(reference.number) not in known and reference.boxes:
            known.add(bare(reference.number))
            lost.spoken.append(reference.number)
            by_page[reference.boxes[0].page][reference.number] = reference.boxes[0]
    for page, named in by_page.items():
        names = list(named)
        if len(names) > NAMED:
            names = [*names[:NAMED], f"{len(names) - NAMED} more"]
        listed = f"{', '.join(names[:-1])} and {names[-1]} are" if len(names) > 1 else f"{names[0]} is"
        words = f"{listed} spoken of here and not found."
        lost.reasons.append(Doubt("mention", page, words, WEIGHTS["mention"], next(iter(named.values()))))


def _around(gap: Gap, weight: float) -> list[Doubt]:
    """Return the gap as a reason on the pages where the missing item should stand."""
    after = gap.after.boxes[0] if gap.after.boxes else None
    before = gap.before.boxes[-1] if gap.before and gap.before.boxes else after
    if before is None or after is None:
        return []
    words = gap_words(gap)
    last = max(before.page, after.page)
    pages = range(before.page, last + 1) if last - before.page < FAR else (before.page, last)
    boxes = {after.page: after, before.page: before}
    return [Doubt("gap", page, words, weight, boxes.get(page)) for page in pages]


def _placed(items: Iterable[Table | Figure]) -> list[Placed]:
    """Return the items that are printed with a number; a table without a caption has a made-up name."""
    return [Placed(item.label, item.boxes) for item in items if not isinstance(item, Table) or item.captioned]


def _captions(clauses: Sequence[Clause], kind: CaptionKind, words: Words) -> list[tuple[str, Box]]:
    """Return what reads as a caption at the beginning of a line of clause text, with its line."""
    found = []
    for clause in clauses:
        text = clause.passage.text
        for line in clause.passage.lines:
            said = match(text[line.start : line.end].strip(), words)
            if said is None or said.kind != kind or len(said.rest) > TITLE:
                continue
            titled = said.rest[:1].isupper() and not said.rest.rstrip().endswith((".", ",", ";"))
            if titled and (said.sign or line.start == 0 or text[line.start - 1] == "\n"):
                found.append((said.label, line.box))
    return found
