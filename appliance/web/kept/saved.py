"""Answers kept with a note and held against the library that is open now, or taken away as papers.

A paper (PDF, Markdown, print) leads back by a QR code.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Literal, cast

from flask import Blueprint, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.exceptions import ServiceUnavailable
from werkzeug.wrappers import Response as Redirect

from appliance.core.errors import BadInput, SiteUnusable
from appliance.core.evidence import Failed
from appliance.core.runs import grouped
from appliance.keeping.contract import saved_json, saved_short
from appliance.keeping.kept import kept
from appliance.keeping.markdown import markdown
from appliance.keeping.paper import Paper, Speech, paper, without_rows
from appliance.keeping.pdf import pdf
from appliance.keeping.recheck import Recheck, Shelf, recheck
from appliance.site import saved as site_saved
from appliance.site.saved import PAGE, Kept, KeptCitation, Saved
from appliance.web import lan, urls
from appliance.web.answers import cited_places, model_queues, request_filters
from appliance.web.answers.view import proved
from appliance.web.guard import in_pace, turn
from appliance.web.language import language, say, worded
from appliance.web.reading.marks import View
from appliance.web.served import library, loaded

blueprint = Blueprint("saved", __name__)
export_blueprint = Blueprint("export", __name__)

FILTERS = tuple(name for name in request_filters.NAMES if name != "earlier")
VALUE = 200  # characters of a filter that is kept
LATELY = 3  # saved answers on the first page
PATIENCE = 20.0  # seconds that a paper with pictures waits for another one
NAME = 60  # characters of a file name
PRINTED = 12  # pictures of a printed answer


@blueprint.before_request
def paced() -> None:
    """Let one address write only so often."""
    if request.method == "POST" and not in_pace("saved"):
        abort(429)


@blueprint.get("/saved")
def listing() -> str:
    """List the saved answers, those to one question together, each with how it stands now."""
    first, site = request_filters.number("from"), library().site
    rows = site_saved.listed(site, first)
    return render_template(
        "saved_list.html",
        groups=[[(row, checked(row)) for row in group] for group in together(rows)],
        total=site.counts().get("answers", 0),
        most=site.limits.saved_answers,
        first=first,
        page=PAGE,
    )


def lately() -> tuple[Saved, ...]:
    """Return the youngest saved answers, for the first page; none where they cannot be read."""
    with suppress(SiteUnusable):
        return tuple(group[0] for group in together(site_saved.listed(library().site)))[:LATELY]
    return ()


def together(rows: Iterable[Saved]) -> list[list[Saved]]:
    """Return saved answers by their question, asked beside the same; each in the order given."""
    same = grouped(((row.kept.question, row.kept.resolved, row.kept.asked), row) for row in rows)
    return list(same.values())


@blueprint.get("/saved/<key>")
def one(key: str) -> str:
    """Show a saved answer with its note, and what has changed of its quotations."""
    return _page(site_saved.saved(library().site, key))


@blueprint.post("/save")
def save() -> Redirect:
    """Save the answer to the question of the address; lead to it."""
    return redirect(urls.to("saved.one", key=_save()), 303)


@blueprint.post("/saved/<key>/note")
def note(key: str) -> Redirect | tuple[str, int]:
    """Write the note of a saved answer; where another was written meanwhile, show both."""
    text = request.form.get("note", "")
    if site_saved.note(library().site, key, text, request.form.get("seen", "")):
        return redirect(urls.to("saved.one", key=key), 303)
    return _page(site_saved.saved(library().site, key), typed=site_saved.tidy(text), refused=True), 409


@blueprint.post("/saved/<key>/remove")
def remove(key: str) -> Redirect:
    """Remove a saved answer."""
    site_saved.remove(library().site, key)
    return redirect(urls.to("saved.listing"), 303)


@blueprint.get("/history")
def history() -> str:
    """Show what was asked on this device; the list is written by the device itself."""
    return render_template("history.html")


@blueprint.get("/api/v1/saved")
def api_listing() -> Response:
    """Return the saved answers, youngest first; `from` passes over so many."""
    first, site = request_filters.number("from"), library().site
    rows = [saved_short(row, checked(row)) for row in site_saved.listed(site, first)]
    return jsonify({"total": site.counts().get("answers", 0), "from": first, "saved": rows})


@blueprint.get("/api/v1/saved/<key>")
def api_one(key: str) -> Response:
    """Return a saved answer whole, with how each quotation stands now."""
    found = site_saved.saved(library().site, key)
    return jsonify(saved_json(found, checked(found)))


@blueprint.post("/api/v1/saved")
def api_save() -> tuple[Response, int]:
    """Save the answer to `q`; return its key."""
    key = _save()
    response = jsonify({"key": key})
    response.headers["Location"] = urls.to("saved.api_one", key=key)
    return response, 201


@blueprint.post("/api/v1/saved/<key>/remove")
def api_remove(key: str) -> Response:
    """Remove a saved answer."""
    site_saved.remove(library().site, key)
    return jsonify({"removed": key})


def checked(row: Saved) -> Recheck:
    """Return how a saved answer stands in the library that is open; worked out once for each."""
    known = cast("dict[str, Recheck]", current_app.extensions.setdefault("rechecked", {}))
    if row.key not in known:
        if len(known) > 2 * library().site.limits.saved_answers:
            known.clear()
        made = Shelf(loaded().version, library().document)  # kept: a library never changes while it is open
        shelf = cast("Shelf", current_app.extensions.setdefault("passages", made))
        known[row.key] = recheck(row.kept, shelf)
    return known[row.key]


def kept_answer() -> Kept:
    """Return the answer to what the address asks, with the filters that lead to it again.

    Raises:
        BadInput: it asks nothing. ApplianceError: as `Library.ask` does.
    """
    question = request_filters.question()
    if not question:
        raise BadInput("Name the question, as the address of its answer does.")
    answer = model_queues.kept() or library().answered(question, **request_filters.given())
    if isinstance(answer, Failed):
        abort(503)
    found = [(name, value) for name in FILTERS for value in request.args.getlist(name)]
    filters = tuple((name, value) for name, value in found if value and len(value) <= VALUE)
    return kept(answer, library(), filters)


def day(at: float) -> str:
    """Return a day, "" where the clock of the box cannot have been right."""
    return time.strftime("%Y-%m-%d", time.gmtime(at)) if at > 1_700_000_000 else ""


def card_views(made: Paper, *, same: bool) -> list[View | None]:
    """Return the part of the page that proves each claim of the card; none of another library."""
    return [proved(library(), made.kept, claim) if same else None for claim in made.card.claims]


def _page(found: Saved, typed: str = "", *, refused: bool = False) -> str:
    made, again = paper(found.kept, found.at), grouped(found.kept.asked)
    return render_template(
        "saved.html",
        row=found,
        paper=made,
        shown=card_views(made, same=found.kept.library == loaded().version),
        without_rows=without_rows,
        now=checked(found),
        seen=site_saved.mark(found.note),
        typed=typed,
        refused=refused,
        again=urls.to("pages.ask", q=found.kept.question, **again),
        most=site_saved.NOTE,
    )


def _save() -> str:
    return site_saved.save(library().site, kept_answer(), request.form.get("note", ""))


@export_blueprint.get("/ask.<any(pdf, md):ending>")
def ask_file(ending: Literal["pdf", "md"]) -> Response:
    """Send the answer to `q` as PDF or Markdown."""
    return _taken(lambda: _asked(pictures=True), ending)


@export_blueprint.get("/print")
def ask_print() -> str:
    """Show the answer to `q` as it is printed."""
    return _print(_asked(), _back())


@export_blueprint.get("/saved/<key>.<any(pdf, md):ending>")
def saved_file(key: str, ending: Literal["pdf", "md"]) -> Response:
    """Send a saved answer as PDF or Markdown."""
    return _taken(lambda: _saved(key, pictures=True), ending)


@export_blueprint.get("/saved/<key>/print")
def saved_print(key: str) -> str:
    """Show a saved answer as it is printed."""
    return _print(_saved(key), urls.to("saved.one", key=key))


def here(path: str) -> str:
    """Return the whole address of a place on this box, as another device reaches it."""
    return lan.addresses_of_request()[0] + path.removeprefix(urls.root()).removeprefix("./")


def _asked(*, pictures: bool = False) -> Paper:
    return paper(
        kept_answer(),
        time.time(),
        library() if pictures else None,
        address=here(_back()),
        speech=speech(),
        issued=loaded().issued,
        place=_page_of,
    )


def _back() -> str:
    """Return the way to the answer that the address asks for, as it was."""
    return urls.to("pages.ask", **{name: found for name, found in request.args.lists() if name != "s"})


def _saved(key: str, *, pictures: bool = False) -> Paper:
    found = site_saved.saved(library().site, key)
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


def _taken(make: Callable[[], Paper], ending: Literal["pdf", "md"]) -> Response:
    """Return a paper with pictures, of which one is made at a time; raises where its turn does not come."""
    with turn("paper", 1, PATIENCE, ServiceUnavailable()):
        made = make()
        content = pdf(made) if ending == "pdf" else markdown(made).encode()
    response = Response(content, mimetype="application/pdf" if ending == "pdf" else "text/markdown")
    words = re.sub(r"[^a-z0-9]+", "-", made.kept.question.casefold()).strip("-")[:NAME].strip("-")
    response.headers["Content-Disposition"] = f'inline; filename="{words or "answer"}.{ending}"'
    return response


def _print(made: Paper, back: str) -> str:
    same = made.kept.library == loaded().version
    sources = []  # each with its pages on which is boxed what is cited; of a table what decides
    for each in (*made.cited, *made.uncited):
        boxes = [box for item in each.citations for box in item.boxes]
        focus = made.kept.focus(each.citations)
        strong, faint = (focus, boxes) if focus else (boxes, ())
        document = each.citations[0].document
        views = cited_places.views(library(), document, strong, faint, cells=bool(focus)) if same else ()
        sources.append((each, views))
    return render_template(
        "print.html",
        back=back,
        paper=made,
        sources=sources,
        shown=card_views(made, same=same),
        most=PRINTED,
        code=lan.qr(made.address),
        same=same,
        without_rows=without_rows,
    )
