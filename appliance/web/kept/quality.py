"""The pages that show how well the codes were read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from appliance.core.document import Box
from appliance.quality.values import PageQuality, Report
from appliance.store.values import DocumentInfo
from appliance.web import urls
from appliance.web.language import later, runs
from appliance.web.pages import library, loaded
from appliance.web.reading import marks, views

if TYPE_CHECKING:
    from appliance.library import Library

blueprint = Blueprint("quality", __name__)

SHOWN = 24  # pages at once; the others by a link
WORDS = {
    "digital": later("digital text"),
    "ocr": later("character recognition"),
    "none": later("no text"),
    "checked": later("checked"),
}


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A page to look at, with its picture and what is doubtful on it."""

    page: PageQuality
    view: marks.View
    trust: str


@blueprint.get("/quality")
def overview() -> str:
    """Show how well each document was read."""
    reports = [counted(library().quality(info.id), info) for info in loaded().documents]
    return render_template("quality_overview.html", reports=reports)


@blueprint.get("/d/<document>/quality")
def document(document: str) -> str:
    """Show what was expected of a document against what was found, and the pages to look at."""
    info = views.info_of(library(), document)
    report = counted(library().quality(document), info)
    every = request.args.get("all") == "1"
    shown = report.look_at if every else report.look_at[:SHOWN]
    return render_template(
        "quality.html",
        info=info,
        report=report,
        thumbnails=[thumbnail(library(), document, page) for page in shown],
        hidden=len(report.look_at) - len(shown),
        trusts=_trusts(report),
    )


def counted(report: Report, info: DocumentInfo) -> Report:
    """Return a report that counts what the list of documents counts: tables without a caption, notes as well.

    What is missing by its number or caption stays as it was found out.
    """
    return replace(
        report,
        clauses=replace(report.clauses, found=info.clauses),
        tables=replace(report.tables, found=info.tables),
        figures=replace(report.figures, found=info.figures),
    )


@blueprint.get("/documents/<document>/quality")
def elsewhere(document: str) -> Redirect:
    """Lead from the long address to the short one."""
    return redirect(urls.to("quality.document", document=document))


def thumbnail(port: Library, document: str, page: PageQuality) -> Thumbnail:
    """Return a page with the boxes of its doubts; a box that covers nearly all of it tells nothing."""
    boxes = [reason.box for reason in page.reasons if reason.box and reason.box.page == page.number]
    drawn = [box for box in boxes if not _all_of_it(box)]
    return Thumbnail(page, marks.view(document, port.page(document, page.number), drawn), WORDS[page.trust])


def _all_of_it(box: Box) -> bool:
    return (box.x1 - box.x0) * (box.y1 - box.y0) > 0.9


def _trusts(report: Report) -> list[tuple[str, str, str]]:
    """Return for each kind of trust its words, how many pages have it, and which (not where most do)."""
    found = []
    for trust, words in WORDS.items():
        pages = [page.number for page in report.pages if page.trust == trust]
        if pages:
            named = runs(pages) if trust in ("none", "checked") or 3 * len(pages) < len(report.pages) else ""
            found.append((words, str(len(pages)), named))
    return found
