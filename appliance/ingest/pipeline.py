"""One PDF to one Document: the steps of ingest in order, each failure a problem and not the end."""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from appliance.core.document import Chunk, Clause, Document, Problem, Reference, Term
from appliance.core.document import Page as ReadPage
from appliance.core.settings import IngestSettings
from appliance.ingest.checks import label_problems, reading_order_problems
from appliance.ingest.chunking import make_chunks
from appliance.ingest.definitions.terms import find_terms
from appliance.ingest.figures import find_figures
from appliance.ingest.formulas.finder import doubtful_formulas, find_formulas
from appliance.ingest.layout.change_marks import without_change_marks
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.layout.running_heads import with_printed_numbers
from appliance.ingest.ocr.pages import Counting, Recognised, Waiting, not_compared, with_recognised_pages
from appliance.ingest.ocr.rules_and_drawings import lost_print, with_scanned_rules
from appliance.ingest.ocr.text_in_pictures import with_picture_text
from appliance.ingest.page import Found, PageLayout, Picture, Place, Source, Stroke, around, box_of, whole
from appliance.ingest.pdf.reader import read
from appliance.ingest.pdf.words import UNKNOWN
from appliance.ingest.references.find import find_references
from appliance.ingest.references.resolve import resolve_internal
from appliance.ingest.structure.build import build_clauses
from appliance.ingest.structure.front_matter import Front, read_front
from appliance.ingest.structure.schemes import GENERIC, Scheme, choose
from appliance.ingest.structure.tree import place
from appliance.ingest.tables.cells import in_cells, merged_cell_problems
from appliance.ingest.tables.finder import find_tables, without_charts
from appliance.text.language import language_of

_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")
Page = TypeVar("Page")

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

        def fails(first: int) -> bool:
            """Tell whether the step fails on so many of the first pages."""
            try:
                step(kept[:first])
            except Exception:  # noqa: BLE001 - that it fails is what is asked
                return True
            return False

        while True:
            try:
                return step(kept)
            except Exception:  # noqa: BLE001 - whatever failed, the page that causes it is looked for
                _LOG.warning("reading %s failed", name, exc_info=True)
            # the last of the fewest first pages on which it fails is to blame
            page = bisect_left(range(1, len(kept)), True, key=fails) + 1
            if page in lost or len(lost) == MOST_LOST:
                self.problems.append(Problem(f"The {name} could not be read."))
                return otherwise
            self.problems.append(Problem(f"The {name} of page {page} could not be read.", page))
            lost.add(page)
            kept[page - 1] = blank(kept[page - 1])

    def by_page(
        self, name: str, find: Callable[[Sequence[PageLayout]], Found[Result]], layouts: Sequence[PageLayout]
    ) -> Found[Result]:
        """Return what is found in all pages at once or, where that fails, page by page."""
        try:
            return find(layouts)
        except Exception:  # noqa: BLE001 - whatever failed, the pages are tried one by one
            _LOG.warning("finding %s failed on the whole document", name, exc_info=True)
        items: list[Result] = []
        taken: frozenset[Place] = frozenset()
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
    printed = replace(given or read(path, settings), heads=heads)
    plain = _with_characters(
        printed, path, settings, schemes=schemes, steps=steps, waiting=waiting, counting=counting
    )
    ruled = steps.run("ruled lines of scanned pages", lambda: with_scanned_rules(plain, path), plain)
    bare = steps.run("marks of changes", lambda: without_change_marks(ruled), ruled)
    source = steps.run("numbers of pages", lambda: with_printed_numbers(bare), bare)
    layouts = steps.leaving_out(  # a page whose words cannot be arranged has no lines
        "lines",
        lambda pages: arrange(replace(source, pages=tuple(pages))),
        source.pages,
        lambda page: replace(page, words=()),
        tuple(PageLayout(page, ()) for page in source.pages),
    )
    generic = next((scheme for scheme in schemes if scheme.name == GENERIC), schemes[0])
    scheme = steps.run("family of codes", lambda: choose(schemes, layouts, source), generic)
    front = steps.run(
        "designation and title",
        lambda: read_front(source, layouts, scheme),
        Front("", source.title, "", "unknown", ()),
    )
    steps.problems += [Problem(front.doubt, 1)] if front.doubt else []
    document = Document(
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
    document, layouts = _with_items(document, source, layouts, scheme, steps)
    told = language_of(clause.passage.text for clause in document.clauses)
    whole = replace(document, language=told or scheme.language)
    terms: tuple[Term, ...] = ()
    terms = steps.run("definitions", lambda: find_terms(whole.clauses, layouts, scheme), terms)
    defined = replace(whole, terms=terms)
    references: tuple[Reference, ...] = ()
    references = steps.run(
        "references", lambda: resolve_internal(find_references(defined), defined), references
    )
    linked = replace(defined, references=references)
    chunks: tuple[Chunk, ...] = ()
    chunks = steps.run("parts to search", lambda: make_chunks(linked), chunks)
    complete = replace(linked, chunks=chunks)
    doubtful: dict[str, Callable[[], tuple[Problem, ...]]] = {
        "doubtful formulas": lambda: tuple(doubtful_formulas(complete)),
        "merged cells": lambda: tuple(merged_cell_problems(complete.tables)),
        "skipped numbers": lambda: tuple(label_problems(complete)),
        "reading order": lambda: tuple(reading_order_problems(complete)),
        "print that was not read": lambda: tuple(lost_print(complete, source, steps.problems)),
    }
    for name, check in doubtful.items():
        steps.problems += steps.run(name, check, ())
    return replace(complete, problems=(*steps.problems, *complete.problems))


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
    asked: list[float] = []

    def waiting_in_all(seconds: float) -> None:
        asked.append(seconds)
        waiting(sum(asked))

    read_again = steps.run(
        "characters of pages without text",
        lambda: with_recognised_pages(source, path, settings, waiting=waiting_in_all, counting=counting),
        Recognised(source),
    )
    figures = {word.casefold() for scheme in schemes for word in scheme.captions.get("figure", ())}
    in_pictures = steps.run(
        "text in pictures",
        lambda: with_picture_text(read_again.source, path, settings, names=figures, waiting=waiting_in_all),
        Recognised(read_again.source),
    )
    steps.problems += [*_page_problems(read_again.source), *read_again.problems, *in_pictures.problems]
    steps.problems += not_compared(read_again)
    return in_pictures.source


def _with_items(
    document: Document, source: Source, layouts: Sequence[PageLayout], scheme: Scheme, steps: Steps
) -> tuple[Document, tuple[PageLayout, ...]]:
    """Return the document with its tables, figures, formulas and clauses, and its lines as they were read."""
    tables = steps.by_page("tables", lambda pages: find_tables(pages, scheme), layouts)
    taken = tables.taken
    figures = steps.by_page("figures", lambda pages: find_figures(pages, scheme, taken), layouts)
    taken = tables.taken | figures.taken
    formulas = steps.by_page("formulas", lambda pages: find_formulas(pages, scheme, taken), layouts)
    lines = taken | formulas.taken
    given = tuple(layouts), lines
    pages, lines = steps.run("cells in order", lambda: in_cells(layouts, lines, tables.items), given)
    nothing: tuple[tuple[Clause, ...], tuple[Problem, ...]] = ((), ())
    clauses, lost = steps.leaving_out(
        "clauses",
        lambda kept: build_clauses(kept, lines, scheme, source.outline, spaced=not source.heads),
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


def _page_problems(source: Source) -> list[Problem]:
    """Return a problem for each page without text, and for each with characters of unknown meaning."""
    problems: list[Problem] = []
    for page in source.pages:
        at = page.number
        problems += page.problems
        unknown = [word for word in page.words if UNKNOWN in word.text]
        if page.trust == "none" and not page.problems:
            drawn: tuple[Picture | Stroke, ...] = (*page.pictures, *page.strokes)
            box = box_of(page, around(drawn)) if drawn else whole(page)
            told = "only a picture" if drawn else "nothing is printed on it"
            problems.append(Problem(f"Page {at} has no text; {told}.", at, box))
        elif unknown:
            count = sum(word.text.count(UNKNOWN) for word in unknown)
            message = f"{count} signs of page {at} have no known meaning and read as {UNKNOWN}."
            if count == 1:
                message = f"A sign of page {at} has no known meaning and reads as {UNKNOWN}."
            else:
                message += " The first is boxed."
            problems.append(Problem(message, at, box_of(page, unknown[0])))
    return problems
