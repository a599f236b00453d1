"""One PDF to one Document: the steps of ingest joined, each failure a problem and not the end.

Rules of this module: pure but for reading the file; no store, no models. A page without text is
named. A step that fails on the whole document is tried page by page, so that one bad page costs that
page alone; what was lost is said. Only a file that is no readable PDF raises.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from appliance.document import Clause, Document, Page, Problem, Reference, Term
from appliance.ingest.front import read_front
from appliance.ingest.layout import arrange
from appliance.ingest.outline import build_clauses
from appliance.ingest.page import Found, PageLayout, Source
from appliance.ingest.pdf import UnreadablePdf, read
from appliance.ingest.references import find_references
from appliance.ingest.resolve import resolve_internal
from appliance.ingest.schemes import Scheme, choose
from appliance.ingest.terms import find_terms
from appliance.settings import IngestSettings

__all__ = ["UnreadablePdf", "read_document"]

UNKNOWN = "\ufffd"  # what a character without a known meaning is read as
_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")


def read_document(
    path: Path, document_id: str, settings: IngestSettings, schemes: Sequence[Scheme]
) -> Document:
    """Return the document that the PDF holds; references to other documents are not resolved yet.

    Raises:
        UnreadablePdf: the file cannot be read as a PDF at all.
    """
    source = read(path, settings)
    problems = [*_page_problems(source)]
    layouts = arrange(source)
    scheme = choose(schemes, layouts, source)
    front = read_front(source, layouts, scheme)
    taken: frozenset[tuple[int, int]] = frozenset()
    nothing: tuple[tuple[Clause, ...], tuple[Problem, ...]] = ((), ())
    clauses, lost = _step(
        "clauses", problems, lambda: build_clauses(layouts, taken, scheme, source.outline), nothing
    )
    problems += lost
    document = Document(
        id=document_id,
        designation=front.designation,
        title=front.title,
        edition=front.edition,
        status=front.status,
        language=scheme.language,
        sha256=source.sha256,
        family=scheme.name,
        pages=tuple(Page(p.number, p.width, p.height, p.printed, p.trust) for p in source.pages),
        clauses=clauses,
        aliases=front.aliases,
    )
    no_terms: tuple[Term, ...] = ()
    terms = _step("definitions", problems, lambda: find_terms(clauses, layouts, scheme), no_terms)
    document = replace(document, terms=terms)
    no_references: tuple[Reference, ...] = ()
    references = _step(
        "references", problems, lambda: resolve_internal(find_references(document), document), no_references
    )
    return replace(document, references=references, problems=tuple(problems))


def _page_problems(source: Source) -> list[Problem]:
    """Return a problem for each page without text, and for each with characters of unknown meaning."""
    problems = []
    for page in source.pages:
        unknown = sum(word.text.count(UNKNOWN) for word in page.words)
        if page.trust == "none":
            has = "only a picture" if page.pictures or page.strokes else "nothing"
            problems.append(Problem(f"Page {page.number} has no text, {has}.", page.number))
        elif unknown:
            message = (
                f"{unknown} characters of page {page.number} have no known meaning and read as {UNKNOWN}."
            )
            problems.append(Problem(message, page.number))
    return problems


def _step(name: str, problems: list[Problem], run: Callable[[], Result], otherwise: Result) -> Result:
    """Return the result of a step, or the other one with a problem where it fails."""
    try:
        return run()
    except Exception as error:  # noqa: BLE001 - any failure of a step is reported, none ends the document
        _LOG.exception("reading %s failed", name)
        problems.append(Problem(f"The {name} could not be read ({type(error).__name__}: {error})."))
        return otherwise


def _by_page(
    name: str,
    problems: list[Problem],
    find: Callable[[Sequence[PageLayout]], Found[Result]],
    layouts: Sequence[PageLayout],
) -> Found[Result]:
    """Return what is found in all pages at once or, where that fails, page by page."""
    try:
        return find(layouts)
    except Exception:  # noqa: BLE001 - whatever failed, the pages are tried one by one
        _LOG.exception("finding %s failed on the whole document", name)
    items: list[Result] = []
    taken: frozenset[tuple[int, int]] = frozenset()
    for page in layouts:
        try:
            found = find([page])
        except Exception as error:  # noqa: BLE001 - whatever failed, only this page is lost
            number = page.content.number
            message = f"The {name} of page {number} could not be read ({type(error).__name__}: {error})."
            problems.append(Problem(message, number))
            continue
        items += found.items
        taken |= found.taken
        problems += found.problems
    return Found(tuple(items), taken)
