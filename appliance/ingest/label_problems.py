"""What the numbers of a document tell of it: numbers that are skipped, captions that repeat one.

Rules of this module: pure. A code may leave a number out or print one twice; both are told with the
place, because a place that was not found looks the same. Notes and quoted law need not be whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from appliance.document import Document, Figure, Formula, Problem, Table
from appliance.ingest.edition_words import found, load_edition_words
from appliance.ingest.headings import number_of_title
from appliance.ingest.sequences import Gap, Placed, gaps, letter_gaps

UNNUMBERED = frozenset({"note", "requirement"})
UNREAD = frozenset({"heading", "front"})
TOLD = 40  # of each kind, in one document


def label_problems(document: Document) -> Iterator[Problem]:
    """Yield the problems of skipped clause numbers and of captions that repeat a number."""
    yield from islice(_skipped(document), TOLD)
    yield from islice(_repeated(document), TOLD)
    yield from islice(_unread(document), TOLD)


def gap_words(gap: Gap) -> str:
    """Return what is missing and between which places, as a sentence; "" where nothing has a place."""
    if not gap.after.boxes:
        return ""
    after = gap.after.boxes[0].page
    name = f"Clause {gap.printed}" if gap.printed[0].isdigit() else gap.printed
    if not gap.before or not gap.before.boxes:
        return f"{name} was not found before {gap.after.label} (page {after})."
    since = f"{gap.before.label} (page {gap.before.boxes[-1].page})"
    return f"{name} was not found between {since} and {gap.after.label} (page {after})."


def in_sequence(document: Document) -> list[Placed]:
    """Return the numbered clauses whose numbers follow one another.

    Those of a commentary need not, nor what an annex calls after the places of its code.
    """
    choosing = load_edition_words().choosing
    return [
        Placed(clause.label, clause.boxes)
        for clause in document.clauses
        if clause.kind not in UNNUMBERED
        and str(clause.label)[1:] != str(clause.parent)
        and not found(choosing, str(clause.label))
    ]


def _skipped(document: Document) -> Iterator[Problem]:
    numbered = in_sequence(document)
    annexes = [Placed(c.label, c.boxes) for c in document.clauses if c.kind == "annex"]
    for gap in (*gaps(numbered), *letter_gaps(annexes)):
        if words := gap_words(gap):
            box = gap.after.boxes[0]
            yield Problem(words, box.page, box)


def _unread(document: Document) -> Iterator[Problem]:
    """Yield the headings that begin with a number which is none of the sequence: no clause has it."""
    for clause in document.clauses:
        number = number_of_title(clause.title) if clause.kind in UNREAD else ""
        if number and clause.boxes and clause.title == clause.label.parts[-1]:
            box = clause.boxes[0]
            where = f"The heading {number} on page {box.page}"
            yield Problem(f"{where} opens no clause. Look at the page.", box.page, box)


def _repeated(document: Document) -> Iterator[Problem]:
    items: tuple[Table | Figure | Formula, ...] = (*document.tables, *document.figures, *document.formulas)
    for item in items:
        captioned = not isinstance(item, Table) or item.captioned
        counted = any(part.startswith("no. ") for part in item.label.parts[:-1])
        if captioned and counted and item.boxes:
            box = item.boxes[0]
            yield Problem(
                f"{item.label} stands more than once; page {box.page} has another one.", box.page, box
            )
