"""An answer to take away: as PDF, as Markdown, or to print, each leading back by a QR code."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable

import segno
from flask import Blueprint, Response, abort, render_template, request
from markupsafe import Markup

from appliance.core.document import Box
from appliance.keeping.kept import kept
from appliance.keeping.language import Speech
from appliance.keeping.markdown import markdown
from appliance.keeping.paper import Paper, paper, without_rows
from appliance.keeping.pdf import pdf
from appliance.site.saved import KeptCitation, saved
from appliance.web import lan, urls
from appliance.web.answers import cited_places
from appliance.web.guard import turn
from appliance.web.kept.saved import answer_asked, card_views, checked, filters
from appliance.web.language import language, say, worded
from appliance.web.pages import library, loaded
from appliance.web.reading.marks import View

blueprint = Blueprint("export", __name__)

PATIENCE = 20.0  # seconds that a paper with pictures waits for another one
NAME = 60  # characters of a file name
PRINTED = 12  # pictures of a printed answer


@blueprint.get("/ask.pdf")
def ask_pdf() -> Response:
    """Send the answer to `q` as PDF."""
    return _pdf(lambda: _asked(pictures=True))


@blueprint.get("/ask.md")
def ask_md() -> Response:
    """Send the answer to `q` as Markdown."""
    return _markdown(lambda: _asked(pictures=True))


@blueprint.get("/print")
def ask_print() -> str:
    """Show the answer to `q` as it is printed."""
    return _print(_asked(), _back())


@blueprint.get("/saved/<key>.pdf")
def saved_pdf(key: str) -> Response:
    """Send a saved answer as PDF."""
    return _pdf(lambda: _saved(key, pictures=True))


@blueprint.get("/saved/<key>.md")
def saved_md(key: str) -> Response:
    """Send a saved answer as Markdown."""
    return _markdown(lambda: _saved(key, pictures=True))


@blueprint.get("/saved/<key>/print")
def saved_print(key: str) -> str:
    """Show a saved answer as it is printed."""
    return _print(_saved(key), urls.to("saved.one", key=key))


def here(path: str) -> str:
    """Return the whole address of a place on this box, as another device reaches it."""
    return lan.addresses_of_request()[0] + path.removeprefix(urls.root()).removeprefix("./")


def qr(text: str) -> Markup:
    """Return a QR code as SVG to stand in a page, black on white in every theme."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=False, border=2, light="#fff", svgclass="qr", lineclass=None,
        omitsize=True,
    )  # fmt: skip
    return Markup(out.getvalue().decode())  # noqa: S704 - drawn here from modules, no text in it


def _asked(*, pictures: bool = False) -> Paper:
    answer = kept(answer_asked(), library(), filters())
    shown = library() if pictures else None
    return paper(
        answer,
        time.time(),
        shown,
        address=here(_back()),
        speech=speech(),
        issued=loaded().issued,
        place=_page_of,
    )


def _back() -> str:
    """Return the way to the answer that the address asks for, as it was."""
    return urls.to("pages.ask", **{name: found for name, found in request.args.lists() if name != "s"})


def _saved(key: str, *, pictures: bool = False) -> Paper:
    found = saved(library().site, key)
    same = found.kept.library == loaded().version
    return paper(
        found.kept,
        found.at,
        library() if pictures and same else None,
        address=here(urls.to("saved.one", key=key)),
        note=found.note,
        checked=checked(found),
        speech=speech(),
        issued=loaded().issued if same else "",
        place=_page_of if same else None,
    )


def _page_of(citation: KeptCitation) -> str:
    """Return the whole address of the page that a quotation stands on, with its place boxed."""
    return here(urls.to("pages.page", document=citation.document, number=citation.page, at=citation.key))


def speech() -> Speech:
    """Return how a paper speaks that goes to the reader of this page."""
    return Speech(language(), say, lambda text: worded(text) or text)


def _pdf(make: Callable[[], Paper]) -> Response:
    return _taken(make, pdf, "application/pdf", "pdf")


def _markdown(make: Callable[[], Paper]) -> Response:
    return _taken(make, lambda made: markdown(made).encode(), "text/markdown", "md")


def _taken(make: Callable[[], Paper], write: Callable[[Paper], bytes], kind: str, ending: str) -> Response:
    """Return a paper with pictures, of which one is made at a time; aborts where its turn does not come."""
    with turn("paper", 1, PATIENCE) as held:
        if not held:
            abort(503)
        made = make()
        return _sent(write(made), made, kind, ending)


def _sent(content: bytes, made: Paper, kind: str, ending: str) -> Response:
    response = Response(content, mimetype=kind)
    words = re.sub(r"[^a-z0-9]+", "-", made.kept.question.casefold()).strip("-")[:NAME].strip("-")
    response.headers["Content-Disposition"] = f'inline; filename="{words or "answer"}.{ending}"'
    return response


def _print(made: Paper, back: str) -> str:
    same = made.kept.library == loaded().version
    sources = [
        (each, _views(each.citations, made.kept.focus(each.citations)) if same else ())
        for each in (*made.cited, *made.uncited)
    ]
    return render_template(
        "print.html",
        back=back,
        paper=made,
        sources=sources,
        shown=card_views(made, same=same),
        most=PRINTED,
        code=qr(made.address),
        same=same,
        without_rows=without_rows,
    )


def _views(citations: tuple[KeptCitation, ...], focus: tuple[Box, ...]) -> tuple[View, ...]:
    """Return the pages of a source, each with what is cited on it boxed; of a table what decides."""
    boxes = [box for item in citations for box in item.boxes]
    around = boxes if focus else ()
    return tuple(
        cited_places.views(library(), citations[0].document, focus or boxes, around, cells=bool(focus))
    )
