"""Saved answers: kept with a note, listed, read again, held against the library that is open now."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from threading import Lock
from typing import cast

from flask import Blueprint, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from appliance.core.errors import BadInput, SiteUnusable
from appliance.core.evidence import Answer, Failed, Grounded, NotFound
from appliance.keeping.contract import saved_json, saved_short
from appliance.keeping.kept import kept
from appliance.keeping.paper import Paper, paper, without_rows
from appliance.keeping.recheck import Recheck, Shelf, recheck
from appliance.site import saved as site_saved
from appliance.site.saved import PAGE, Kept, Saved
from appliance.web import urls
from appliance.web.answers import asked, writing
from appliance.web.answers.card import proved
from appliance.web.guard import pace
from appliance.web.pages import library, loaded, scope
from appliance.web.reading.marks import View

blueprint = Blueprint("saved", __name__)

FILTERS = ("d", "family", "edition", "kind", "tag", "status", "after", "reading", "selected")
VALUE = 200  # characters of a filter that is kept
LATELY = 3  # saved answers on the first page
_MAKING = Lock()


@blueprint.get("/saved")
def listing() -> str:
    """List the saved answers, those to one question together, each with how it stands now."""
    first, site = asked.number("from"), library().site
    rows = site_saved.listed(site, first)
    return render_template(
        "saved_list.html",
        groups=[[(row, checked(row)) for row in group] for group in together(rows)],
        total=site_saved.count(site),
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
    same: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Saved]] = {}
    for row in rows:
        same.setdefault((row.kept.question, row.kept.resolved, row.kept.asked), []).append(row)
    return list(same.values())


@blueprint.get("/saved/<key>")
def one(key: str) -> str:
    """Show a saved answer with its note, and what has changed of its quotations."""
    found = site_saved.saved(library().site, key)
    return _page(found)


@blueprint.post("/save")
def save() -> Redirect:
    """Save the answer to the question of the address; lead to it."""
    _paced()
    key = site_saved.save(library().site, _asked_again(), request.form.get("note", ""))
    return redirect(urls.to("saved.one", key=key), 303)


@blueprint.post("/saved/<key>/note")
def note(key: str) -> Redirect | tuple[str, int]:
    """Write the note of a saved answer; where another was written meanwhile, show both."""
    _paced()
    text = request.form.get("note", "")
    if site_saved.note(library().site, key, text, request.form.get("seen", "")):
        return redirect(urls.to("saved.one", key=key), 303)
    return _page(site_saved.saved(library().site, key), typed=site_saved.tidy(text), refused=True), 409


@blueprint.post("/saved/<key>/remove")
def remove(key: str) -> Redirect:
    """Remove a saved answer."""
    _paced()
    site_saved.remove(library().site, key)
    return redirect(urls.to("saved.listing"), 303)


@blueprint.get("/history")
def history() -> str:
    """Show what was asked on this device; the list is written by the device itself."""
    return render_template("history.html")


@blueprint.get("/api/v1/saved")
def api_listing() -> Response:
    """Return the saved answers, youngest first; `from` passes over so many."""
    site = library().site
    rows = [saved_short(row, checked(row)) for row in site_saved.listed(site, asked.number("from"))]
    return jsonify({"total": site_saved.count(site), "from": asked.number("from"), "saved": rows})


@blueprint.get("/api/v1/saved/<key>")
def api_one(key: str) -> Response:
    """Return a saved answer whole, with how each quotation stands now."""
    found = site_saved.saved(library().site, key)
    return jsonify(saved_json(found, checked(found)))


@blueprint.post("/api/v1/saved")
def api_save() -> tuple[Response, int]:
    """Save the answer to `q`; return its key."""
    _paced()
    key = site_saved.save(library().site, _asked_again(), request.form.get("note", ""))
    response = jsonify({"key": key})
    response.headers["Location"] = urls.to("saved.api_one", key=key)
    return response, 201


@blueprint.post("/api/v1/saved/<key>/remove")
def api_remove(key: str) -> Response:
    """Remove a saved answer."""
    _paced()
    site_saved.remove(library().site, key)
    return jsonify({"removed": key})


def checked(row: Saved) -> Recheck:
    """Return how a saved answer stands in the library that is open; worked out once for each."""
    known = cast("dict[str, Recheck]", current_app.extensions.setdefault("rechecked", {}))
    if row.key not in known:
        if len(known) > 2 * library().site.limits.saved_answers:
            known.clear()
        known[row.key] = recheck(row.kept, _shelf())
    return known[row.key]


def savable(answer: Answer) -> bool:
    """Tell whether an answer can be saved: not one that failed."""
    return not isinstance(answer, Failed)


def answer_asked() -> Grounded | NotFound:
    """Return the answer to what the address asks; raises BadInput for none, ApplianceError as `ask` does."""
    question = request.args.get("q", "").strip()
    if not question:
        message = "Name the question, as the address of its answer does."
        raise BadInput(message)
    answer = writing.kept() or library().ask(question, documents=scope(), **asked.given())
    if isinstance(answer, Failed):
        abort(503)
    return answer


def filters() -> Sequence[tuple[str, str]]:
    """Return the filters of the address, as they lead to the same answer again."""
    found = [(name, value) for name in FILTERS for value in request.args.getlist(name)]
    return tuple((name, value) for name, value in found if value and len(value) <= VALUE)


def again(row: Kept) -> str:
    """Return the address that asks the question of a saved answer anew."""
    given: dict[str, list[str]] = {}
    for name, value in row.asked:
        given.setdefault(name, []).append(value)
    return urls.to("pages.ask", q=row.question, **given)


def day(at: float) -> str:
    """Return a day, "" where the clock of the box cannot have been right."""
    return time.strftime("%Y-%m-%d", time.gmtime(at)) if at > 1_700_000_000 else ""


def card_views(made: Paper, *, same: bool) -> list[View | None]:
    """Return the part of the page that proves each claim of the card; none of another library."""
    if not same:
        return [None for _ in made.card.claims]
    return [proved(library(), made.kept, claim) for claim in made.card.claims]


def _page(found: Saved, typed: str = "", *, refused: bool = False) -> str:
    made = paper(found.kept, found.at)
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
        again=again(found.kept),
        most=site_saved.NOTE,
    )


def _asked_again() -> Kept:
    return kept(answer_asked(), library(), filters())


def _shelf() -> Shelf:
    """Return the documents as passages; kept, for a library never changes while it is open."""
    with _MAKING:
        if "passages" not in current_app.extensions:
            current_app.extensions["passages"] = Shelf(loaded().version, library().document)
        return cast("Shelf", current_app.extensions["passages"])


def _paced() -> None:
    if not pace("saved").allows(request.remote_addr or ""):
        abort(429)
