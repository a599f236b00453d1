"""One PDF to one Document: the steps of ingest joined, each failure a problem and not the end.

Rules of this module: pure but for reading the file; no store, no models. A page without text is
named. A step that fails on the whole document is tried page by page, or without the page that it fails
on (`steps`), so that one bad page costs that page alone; what was lost is said. Only a file that is
no readable PDF raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from appliance.document import Chunk, Clause, Document, Page, Problem, Reference, Term
from appliance.ingest.cell_noise import doubtful_cells
from appliance.ingest.cell_order import in_cells
from appliance.ingest.cell_series import unlike_cells
from appliance.ingest.cell_symbols import doubtful_symbols
from appliance.ingest.cells_unread import unread_cells
from appliance.ingest.charts import without_charts
from appliance.ingest.chunks import make_chunks
from appliance.ingest.circles import circle_problems
from appliance.ingest.drawn_tables import drawn_tables
from appliance.ingest.figures import find_figures
from appliance.ingest.formulas import find_formulas
from appliance.ingest.front import Front, read_front
from appliance.ingest.glyphs import UNKNOWN
from appliance.ingest.label_problems import label_problems
from appliance.ingest.language import language_of
from appliance.ingest.layout import arrange
from appliance.ingest.lost_print import lost_print
from appliance.ingest.noise import doubtful_values, with_folded_words
from appliance.ingest.ocr import Recognised, Waiting, with_recognised_pages
from appliance.ingest.outline import build_clauses
from appliance.ingest.page import PageContent, PageLayout, Picture, Source, Stroke, box_on, whole
from appliance.ingest.page_numbers import with_printed_numbers
from appliance.ingest.pdf import UnreadablePdf, read
from appliance.ingest.picture_text import with_picture_text
from appliance.ingest.place import place
from appliance.ingest.references import find_references
from appliance.ingest.resolve import resolve_internal
from appliance.ingest.scan_signs import with_drawn_signs
from appliance.ingest.scans import with_scanned_rules
from appliance.ingest.schemes import GENERIC, Scheme, choose
from appliance.ingest.sign_doubts import doubtful_signs
from appliance.ingest.steps import Steps
from appliance.ingest.table_reading import with_tables_read_again
from appliance.ingest.tables import find_tables
from appliance.ingest.terms import find_terms
from appliance.ingest.unsure_columns import unsure_columns
from appliance.settings import IngestSettings

__all__ = ["UnreadablePdf", "read_document"]


def read_document(
    path: Path,
    document_id: str,
    settings: IngestSettings,
    schemes: Sequence[Scheme],
    waiting: Waiting = lambda _: None,
) -> Document:
    """Return the document that the PDF holds; references to other documents are not resolved yet.

    `waiting` is told how many seconds the recognition of characters may take, where it is needed.

    Raises:
        UnreadablePdf: the file cannot be read as a PDF at all.
    """
    steps = Steps()
    waiting = _in_all(waiting)
    given = read(path, settings)
    plain = _with_characters(given, path, settings, schemes=schemes, steps=steps, waiting=waiting)
    ruled = steps.run("ruled lines of scanned pages", lambda: with_scanned_rules(plain, path), plain)
    source = steps.run("numbers of pages", lambda: with_printed_numbers(ruled), ruled)
    layouts = _arranged(source, steps)
    generic = next((scheme for scheme in schemes if scheme.name == GENERIC), schemes[0])
    scheme = steps.run("family of codes", lambda: choose(schemes, layouts, source), generic)
    again = steps.run(
        "second reading of scanned tables",
        lambda: _tables_again(source, layouts, scheme, path, settings, waiting=waiting),
        Recognised(source),
    )
    if again.source is not source:
        source, layouts = again.source, _arranged(again.source, steps)
    steps.problems += again.problems
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
    """Return the document with its misread words folded and all that is doubtful in it said."""
    steps.problems += steps.run("doubtful signs", lambda: tuple(doubtful_signs(document, source)), ())
    steps.problems += steps.run("doubtful cells", lambda: tuple(doubtful_cells(document, steps.problems)), ())
    steps.problems += steps.run("cells without words", lambda: tuple(unread_cells(document)), ())
    steps.problems += steps.run(
        "symbols in cells", lambda: tuple(doubtful_symbols(document, steps.problems)), ()
    )
    steps.problems += steps.run("skipped numbers", lambda: tuple(label_problems(document)), ())
    steps.problems += steps.run(
        "cells unlike others", lambda: tuple(unlike_cells(document, steps.problems)), ()
    )
    steps.problems += steps.run(
        "print that was not read", lambda: tuple(lost_print(document, source, steps.problems)), ()
    )
    steps.problems += steps.run("circles", lambda: tuple(circle_problems(document)), ())
    folded = steps.run("misread words", lambda: with_folded_words(document), document)
    return replace(folded, problems=(*steps.problems, *folded.problems))


def _with_characters(
    source: Source,
    path: Path,
    settings: IngestSettings,
    *,
    schemes: Sequence[Scheme],
    steps: Steps,
    waiting: Waiting,
) -> Source:
    """Return the source with the pages read whose text layer cannot be used, and say what is amiss."""
    read_again = steps.run(
        "characters of pages without text",
        lambda: with_recognised_pages(source, path, settings, waiting=waiting),
        Recognised(source),
    )
    drawn = steps.run(
        "signs of scanned pages", lambda: with_drawn_signs(read_again.source, path), read_again.source
    )
    figures = {word.casefold() for scheme in schemes for word in scheme.captions.get("figure", ())}
    in_pictures = steps.run(
        "text in pictures",
        lambda: with_picture_text(drawn, path, settings, names=figures, waiting=waiting),
        Recognised(drawn),
    )
    steps.problems += [*_page_problems(drawn), *read_again.problems, *in_pictures.problems]
    steps.problems += steps.run("doubtful values", lambda: tuple(doubtful_values(source)), ())
    return in_pictures.source


def _in_all(waiting: Waiting) -> Waiting:
    """Return what tells the seconds of all waits so far, where each is told by itself."""
    asked: list[float] = []

    def more(seconds: float) -> None:
        asked.append(seconds)
        waiting(sum(asked))

    return more


def _tables_again(
    source: Source,
    layouts: Sequence[PageLayout],
    scheme: Scheme,
    path: Path,
    settings: IngestSettings,
    *,
    waiting: Waiting,
) -> Recognised:
    """Return the source with the tables of its scanned pages read from their pictures, too."""
    if not any(page.trust == "ocr" for page in source.pages):
        return Recognised(source)
    tables = find_tables(layouts, scheme).items
    drawn = drawn_tables(layouts, tables)
    return with_tables_read_again(
        source, path, tables, settings, drawn=drawn, names=scheme.captions, waiting=waiting
    )


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
        pages=tuple(Page(p.number, p.width, p.height, p.printed, p.trust) for p in source.pages),
        aliases=front.aliases,
    )


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
        lambda kept: build_clauses(kept, lines, scheme, source.outline),
        pages,
        lambda page: replace(page, lines=()),
        nothing,
    )
    none: tuple[Problem, ...] = ()
    mixed = steps.run("columns", lambda: unsure_columns(layouts, tables.items), none)
    steps.problems += [*lost, *mixed, *tables.problems, *figures.problems, *formulas.problems]
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
