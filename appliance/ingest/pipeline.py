"""One PDF to one Document: the steps of ingest in order, each failure a problem and not the end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from appliance.core.document import Chunk, Clause, Document, Problem, Reference, Term
from appliance.core.document import Page as ReadPage
from appliance.core.settings import IngestSettings
from appliance.ingest.checks.numbering import label_problems
from appliance.ingest.checks.reading_order import reading_order_problems
from appliance.ingest.chunking import make_chunks
from appliance.ingest.definitions.terms import find_terms
from appliance.ingest.figures.finder import find_figures
from appliance.ingest.figures.regions import without_charts
from appliance.ingest.formulas.finder import doubtful_formulas, find_formulas
from appliance.ingest.layout.cell_order import in_cells
from appliance.ingest.layout.pages import arrange
from appliance.ingest.layout.running_heads import with_printed_numbers
from appliance.ingest.ocr.lost_print import lost_print
from appliance.ingest.ocr.pages import (
    Counting,
    Recognised,
    Waiting,
    not_compared,
    with_recognised_pages,
)
from appliance.ingest.ocr.pictures import with_picture_text
from appliance.ingest.ocr.scans import with_scanned_rules
from appliance.ingest.page import Found, PageContent, PageLayout, Picture, Source, Stroke, box_on, whole
from appliance.ingest.pdf.reader import UnreadablePdf, read
from appliance.ingest.pdf.words import UNKNOWN
from appliance.ingest.references.find import find_references
from appliance.ingest.references.resolve import resolve_internal
from appliance.ingest.structure.front_matter import Front, read_front
from appliance.ingest.structure.outline import build_clauses, titles_below
from appliance.ingest.structure.schemes import GENERIC, Scheme, choose
from appliance.ingest.structure.tree import place
from appliance.ingest.tables.cells import merged_cell_problems
from appliance.ingest.tables.finder import find_tables
from appliance.text.language import language_of

_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")
Page = TypeVar("Page")
Place = tuple[int, int]  # page number, index of a line

MOST_LOST = 8  # pages that a step may cost one by one; a step that fails on more has failed


@dataclass(slots=True)
class Steps:
    """Runs the steps of one document and gathers what failed in them."""

    problems: list[Problem] = field(default_factory=list)

    def run(self, name: str, step: Callable[[], Result], otherwise: Result) -> Result:
        """Return the result of a step, or the other one with a problem where it fails."""
        try:
            return step()
        except Exception:  # noqa: BLE001 - a step that fails is reported, never the document's end
            _LOG.warning("reading %s failed", name, exc_info=True)
            self.problems.append(Problem(f"The {name} could not be read."))
            return otherwise

    def leaving_out(
        self,
        name: str,
        step: Callable[[Sequence[Page]], Result],
        pages: Sequence[Page],
        blank: Callable[[Page], Page],
        otherwise: Result,
    ) -> Result:
        """Return the result of a step that needs all pages at once, those that it fails on left blank.

        `pages` are those of the document in order; the first is page 1.
        """
        kept, lost = list(pages), set[int]()
        while True:
            try:
                return step(kept)
            except Exception:  # noqa: BLE001 - whatever failed, the page that causes it is looked for
                _LOG.warning("reading %s failed", name, exc_info=True)
                page = _first_failing(step, kept)
                if page in lost or len(lost) == MOST_LOST:
                    self.problems.append(Problem(f"The {name} could not be read."))
                    return otherwise
                message = f"The {name} of page {page} could not be read."
                self.problems.append(Problem(message, page))
                lost.add(page)
                kept[page - 1] = blank(kept[page - 1])

    def by_page(
        self,
        name: str,
        find: Callable[[Sequence[PageLayout]], Found[Result]],
        layouts: Sequence[PageLayout],
    ) -> Found[Result]:
        """Return what is found in all pages at once or, where that fails, page by page."""
        try:
            return find(layouts)
        except Exception:  # noqa: BLE001 - whatever failed, the pages are tried one by one
            _LOG.warning("finding %s failed on the whole document", name, exc_info=True)
        items: list[Result] = []
        taken: frozenset[tuple[int, int]] = frozenset()
        for page in layouts:
            try:
                found = find([page])
            except Exception:  # noqa: BLE001 - whatever failed, only this page is lost
                number = page.content.number
                _LOG.warning("finding %s failed on page %d", name, number, exc_info=True)
                message = f"The {name} of page {number} could not be read."
                self.problems.append(Problem(message, number))
                continue
            items += found.items
            taken |= found.taken
            self.problems += found.problems
        return Found(tuple(items), taken)


def _first_failing(step: Callable[[Sequence[Page]], object], pages: Sequence[Page]) -> int:
    """Return how many of the first pages the step needs to fail: the last of them is to blame."""
    low, high = 0, len(pages)  # it does not fail on the first `low` pages, but on the first `high`
    while high - low > 1:
        middle = (low + high) // 2
        try:
            step(pages[:middle])
        except Exception:  # noqa: BLE001 - that it fails is what is asked
            high = middle
        else:
            low = middle
    return high


__all__ = ["UnreadablePdf", "read_document"]


def read_document(
    path: Path,
    document_id: str,
    settings: IngestSettings,
    schemes: Sequence[Scheme],
    *,
    waiting: Waiting = lambda _: None,
    counting: Counting = lambda *_: None,
    given: Source | None = None,
    heads: bool = True,
) -> Document:
    """Return the document that the PDF holds; references to other documents are not resolved yet.

    `waiting` is told how many seconds the recognition of characters may take, where it is needed, and
    `counting` how many of how many pages are recognised; `given` are its words and lines where they were
    read before; `heads` tells whether its pages may have running heads.

    Raises:
        UnreadablePdf: the file cannot be read as a PDF at all.
    """
    steps = Steps()
    waiting = _in_all(waiting)
    printed = replace(given or read(path, settings), heads=heads)
    plain = _with_characters(
        printed, path, settings, schemes=schemes, steps=steps, waiting=waiting, counting=counting
    )
    ruled = steps.run("ruled lines of scanned pages", lambda: with_scanned_rules(plain, path), plain)
    source = steps.run("numbers of pages", lambda: with_printed_numbers(ruled), ruled)
    layouts = _arranged(source, steps)
    generic = next((scheme for scheme in schemes if scheme.name == GENERIC), schemes[0])
    scheme = steps.run("family of codes", lambda: choose(schemes, layouts, source), generic)
    front = steps.run(
        "designation and title",
        lambda: read_front(source, layouts, scheme),
        Front("", source.title, "", "unknown", ()),
    )
    steps.problems += [Problem(front.doubt, 1)] if front.doubt else []
    document, layouts = _with_items(
        _named(front, source, scheme, document_id), source, layouts, scheme, steps
    )
    told = language_of(clause.passage.text for clause in document.clauses)
    document = replace(document, language=told or scheme.language)
    return _looked_through(_with_links(document, layouts, scheme, steps), source, steps)


def _with_links(document: Document, layouts: Sequence[PageLayout], scheme: Scheme, steps: Steps) -> Document:
    """Return the document with its definitions, its references, and the parts that are searched."""
    terms: tuple[Term, ...] = ()
    terms = steps.run("definitions", lambda: find_terms(document.clauses, layouts, scheme), terms)
    defined = replace(document, terms=terms)
    references: tuple[Reference, ...] = ()
    references = steps.run(
        "references", lambda: resolve_internal(find_references(defined), defined), references
    )
    linked = replace(defined, references=references)
    chunks: tuple[Chunk, ...] = ()
    chunks = steps.run("parts to search", lambda: make_chunks(linked), chunks)
    return replace(linked, chunks=chunks)


def _looked_through(document: Document, source: Source, steps: Steps) -> Document:
    """Return the document with all that is doubtful in it said."""
    steps.problems += steps.run("doubtful formulas", lambda: tuple(doubtful_formulas(document)), ())
    steps.problems += steps.run("merged cells", lambda: tuple(merged_cell_problems(document.tables)), ())
    steps.problems += steps.run("skipped numbers", lambda: tuple(label_problems(document)), ())
    steps.problems += steps.run("reading order", lambda: tuple(reading_order_problems(document)), ())
    steps.problems += steps.run(
        "print that was not read", lambda: tuple(lost_print(document, source, steps.problems)), ()
    )
    return replace(document, problems=(*steps.problems, *document.problems))


def _with_characters(
    source: Source,
    path: Path,
    settings: IngestSettings,
    *,
    schemes: Sequence[Scheme],
    steps: Steps,
    waiting: Waiting,
    counting: Counting,
) -> Source:
    """Return the source with the pages read whose text layer cannot be used, and say what is amiss."""
    read_again = steps.run(
        "characters of pages without text",
        lambda: with_recognised_pages(source, path, settings, waiting=waiting, counting=counting),
        Recognised(source),
    )
    figures = {word.casefold() for scheme in schemes for word in scheme.captions.get("figure", ())}
    in_pictures = steps.run(
        "text in pictures",
        lambda: with_picture_text(read_again.source, path, settings, names=figures, waiting=waiting),
        Recognised(read_again.source),
    )
    steps.problems += [*_page_problems(read_again.source), *read_again.problems, *in_pictures.problems]
    steps.problems += not_compared(read_again)
    return in_pictures.source


def _in_all(waiting: Waiting) -> Waiting:
    """Return what tells the seconds of all waits so far, where each is told by itself."""
    asked: list[float] = []

    def more(seconds: float) -> None:
        asked.append(seconds)
        waiting(sum(asked))

    return more


def _arranged(source: Source, steps: Steps) -> tuple[PageLayout, ...]:
    """Return the pages as lines; a page whose words cannot be arranged has none."""
    return steps.leaving_out(
        "lines",
        lambda pages: arrange(replace(source, pages=tuple(pages))),
        source.pages,
        lambda page: replace(page, words=()),
        tuple(PageLayout(page, ()) for page in source.pages),
    )


def _named(front: Front, source: Source, scheme: Scheme, document_id: str) -> Document:
    """Return the document with what it says of itself, without its items."""
    return Document(
        id=document_id,
        designation=front.designation,
        title=front.title,
        edition=front.edition,
        status=front.status,
        language=scheme.language,
        sha256=source.sha256,
        family=scheme.name,
        pages=tuple(ReadPage(p.number, p.width, p.height, p.printed, p.trust) for p in source.pages),
        aliases=front.aliases,
    )


def _with_items(
    document: Document, source: Source, layouts: Sequence[PageLayout], scheme: Scheme, steps: Steps
) -> tuple[Document, tuple[PageLayout, ...]]:
    """Return the document with its tables, figures, formulas and clauses, and its lines as they were read."""
    tables = steps.by_page("tables", lambda pages: find_tables(pages, scheme), layouts)
    taken = tables.taken
    figures = steps.by_page("figures", lambda pages: find_figures(pages, scheme, taken), layouts)
    titles = steps.run(
        "titles below drawings", lambda: titles_below(layouts, figures.taken, scheme), frozenset[Place]()
    )
    taken = tables.taken | (figures.taken - titles)
    formulas = steps.by_page("formulas", lambda pages: find_formulas(pages, scheme, taken), layouts)
    lines = taken | formulas.taken
    given = tuple(layouts), lines
    pages, lines = steps.run("cells in order", lambda: in_cells(layouts, lines, tables.items), given)
    nothing: tuple[tuple[Clause, ...], tuple[Problem, ...]] = ((), ())
    clauses, lost = steps.leaving_out(
        "clauses",
        lambda kept: build_clauses(kept, lines, scheme, source.outline),
        pages,
        lambda page: replace(page, lines=()),
        nothing,
    )
    steps.problems += [*lost, *tables.problems, *figures.problems, *formulas.problems]
    whole = replace(
        document,
        clauses=clauses,
        tables=place(without_charts(tables.items, figures.items), clauses),
        figures=place(figures.items, clauses),
        formulas=place(formulas.items, clauses),
    )
    return whole, pages


def _without_text(page: PageContent) -> Problem:
    """Return that a page has no text, with the place of what is drawn on it."""
    drawn: tuple[Picture | Stroke, ...] = (*page.pictures, *page.strokes)
    if not drawn:
        return Problem(f"Page {page.number} has no text; nothing is printed on it.", page.number, whole(page))
    x0, y0 = min(item.x0 for item in drawn), min(item.y0 for item in drawn)
    x1, y1 = max(item.x1 for item in drawn), max(item.y1 for item in drawn)
    message = f"Page {page.number} has no text; only a picture."
    return Problem(message, page.number, box_on(page, x0, y0, x1, y1))


def _page_problems(source: Source) -> list[Problem]:
    """Return a problem for each page without text, and for each with characters of unknown meaning."""
    problems: list[Problem] = []
    for page in source.pages:
        problems += page.problems
        unknown = [word for word in page.words if UNKNOWN in word.text]
        if page.trust == "none" and not page.problems:
            problems.append(_without_text(page))
        elif unknown:
            count, first = sum(word.text.count(UNKNOWN) for word in unknown), unknown[0]
            message = f"{count} signs of page {page.number} have no known meaning and read as {UNKNOWN}."
            if count == 1:
                message = f"A sign of page {page.number} has no known meaning and reads as {UNKNOWN}."
            else:
                message += " The first is boxed."
            box = box_on(page, first.x0, first.y0, first.x1, first.y1)
            problems.append(Problem(message, page.number, box))
    return problems
