"""The library, its tools and the jobs of the models, as JSON in the shapes of the contract."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import astuple
from functools import partial
from typing import Any, cast

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request

from appliance.contract.answers import answer_json
from appliance.contract.documents import cells_json, clause_json, decided_json, document_json, table_json
from appliance.contract.found import evidence_json, place_json
from appliance.contract.shape import shaped
from appliance.core.document import OUT_OF_FORCE
from appliance.core.errors import BadInput
from appliance.core.evidence import Failed, Grounded
from appliance.core.jobs import ENDED, Refused
from appliance.tools import TOOLS, Tools, about, described, from_pairs
from appliance.web import observed, urls
from appliance.web.answers import model_queues, request_filters, view
from appliance.web.answers.cited_places import Stop
from appliance.web.api import openapi, shapes
from appliance.web.kept import citation_check
from appliance.web.language import later, say
from appliance.web.pages import keep_gap
from appliance.web.reading import marks
from appliance.web.served import info_of, library, loaded

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
tools_blueprint = Blueprint("tools", __name__, url_prefix=f"{openapi.PREFIX}tools")

NO_MODEL = "No model for this is installed on this box."
jobs_blueprint = Blueprint("jobs", __name__)
figures_blueprint = Blueprint("describing", __name__)

SUGGESTIONS = 8
WHY = {
    "full": later("The language model has many questions to answer. Try again in {seconds} s."),
    "one each": later("This device has another question being written. Try again in {seconds} s."),
}
STAGES = {
    "": later("Waiting"),
    "searching": later("Searching"),
    "answer": later("Choosing the sentences that answer"),
    "figure": later("Looking at the figure"),
}


@blueprint.get("/search")
def search() -> Response:
    """Return the places found for `q`; `limit`, `d` (document) and `kind` narrow it.

    So do `family`, `edition`, `tag` and `status`; `after` is the question before, `reading`
    (DOCUMENT:LABEL) and `selected` tell what is open. With `from` it goes through all places that hold words
    of the question, as the page does; `total` tells how many there are.
    """
    question, limit = request.args.get("q", ""), request_filters.limit()
    given = request_filters.given()
    if (first := request_filters.first()) is not None:
        listing = library().with_words(question, first, limit, **given)
        hits = [place_json(place, rank) for rank, place in enumerate(listing.places, first + 1)]
        return jsonify({"query": question, "from": first, "total": listing.total, "hits": hits})
    evidence = library().search(question, limit=limit, **given)
    observed.searched(evidence)
    total = library().with_words(question, **given).total
    return jsonify({**evidence_json(evidence), "total": total})


@blueprint.get("/ask")
def ask() -> tuple[Response, int]:
    """Return the answer to `q`, one of three outcomes; `d` narrows it to documents.

    With `written` it is the one that the language model has written, where that is kept (`mode` "model"); a
    job for it is begun by POST to `jobs`.
    """
    asked = request.args.get("q", "")
    answer = model_queues.kept() or library().answered(asked, **request_filters.given())
    keep_gap(answer)
    return jsonify(answer_json(answer)), 503 if isinstance(answer, Failed) else 200


@blueprint.get("/suggest")
def suggest() -> Response:
    """Return exact labels that begin with `q`, each with the address that reads it."""
    found = library().suggest(request.args.get("q", "")[:80], limit=SUGGESTIONS)
    return jsonify(
        [
            {
                "document": document,
                "label": label.named,
                "title": title,
                "address": urls.rooted("pages.label", document=document, key=label.key),
            }
            for document, label, title in found
        ]
    )


@blueprint.get("/documents")
def documents() -> Response:
    """Return what is loaded."""
    return jsonify(shaped(shapes.Loaded, loaded()))


@blueprint.get("/document/<document>")
def document(document: str) -> Response:
    """Return everything read out of one PDF."""
    return jsonify(document_json(library().document(document), library().national_choices(document)))


@blueprint.get("/clause/<document>/<path:key>")
def clause(document: str, key: str) -> Response:
    """Return a clause with what stands in it, its references both ways, and what decides about it."""
    opened = library().clause(document, key)
    boxes = [box for formula in opened.formulas for box in formula.boxes]
    decided = library().national_choices(document, *opened.keys)
    return jsonify(clause_json(opened, decided, library().doubts(document, boxes)))


@blueprint.get("/document/<document>/page/<int:number>")
def page(document: str, number: int) -> Response:
    """Return one page: its size, printed number and images."""
    return jsonify(view_json(marks.view(document, library().page(document, number))))


@blueprint.get("/picture/<document>/<path:key>")
def picture(document: str, key: str) -> Response:
    """Return a figure or formula as it is printed, as PNG."""
    content = library().picture(document, key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/png")


@blueprint.get("/table/<document>/<path:key>")
def table(document: str, key: str) -> Response:
    """Return one table as data, with what decides about it, and the cells of `row` and `column`."""
    words = request.args.get("row", ""), request.args.get("column", "")
    looked = library().table_lookup(document, key, *words) if any(words) else None
    found = looked.table if looked else library().table(document, key)
    cells = cells_json(looked) if looked else {"exact": False, "values": [], "cells": [], "more": 0}
    told = {name: cells[name] for name in ("exact", "values", "cells", "more")}
    decided = library().national_choices(document, found.label.key)
    return jsonify({**table_json(found), **decided_json(decided), **told})


@blueprint.get("/openapi.json")
def description() -> Response:
    """Return the description of all this for programs (OpenAPI 3.1)."""
    if "description" not in current_app.extensions:
        current_app.extensions["description"] = openapi.description(current_app)
    return jsonify(current_app.extensions["description"])


@tools_blueprint.get("")
def listing() -> Response:
    """Return the tools that a program may use, each with the JSON schema of its parameters."""
    return jsonify(described())


def _call(name: str) -> Response:
    """Return what a tool finds."""
    by_form = name in openapi.BY_FORM
    if by_form and request.is_json:
        raise BadInput(f"{name} takes a form and no JSON: send its parameters as the fields of a form.")
    arguments = from_pairs(name, (request.form if by_form else request.args).items(multi=True))
    with citation_check.turn() if by_form else nullcontext():
        return jsonify(cast("Tools", current_app.extensions["tools"]).call(name, arguments))


for _name in TOOLS:
    _view = partial(_call, _name)
    _view.__doc__ = about(_name)
    _methods = ["POST"] if _name in openapi.BY_FORM else ["GET"]
    tools_blueprint.add_url_rule(f"/{_name}", _name, _view, methods=_methods)


def stops_json(stops: Iterable[Stop]) -> dict[str, Any]:
    """Return the stops of a page by id: what its script needs to turn pages without asking for a new one."""
    made = {}
    for stop in stops:
        info = info_of(stop.document)
        status = info.status if info else "unknown"
        made[stop.id] = {
            "document": stop.document,
            "label": stop.label.named,
            "outdated": say(status) if status in OUT_OF_FORCE else "",
            "standing": say(status) if status == "in force" else "",
            "edition": info.edition if info else "",
            "address": urls.place(stop.document, stop.label, stop.kind).removeprefix(urls.root()),
            "web": stop.web,
            "views": [view_json(each) for each in stop.views],
        }
    return made


def view_json(shown: marks.View) -> shapes.View:
    """Return a view: rectangles as [x, y, width, height] in points of the page."""
    info = info_of(shown.document)
    return shaped(
        shapes.View,
        shown,
        last=info.pages if info else 0,
        image=urls.rooted("pages.image", name=shown.large) if shown.large else "",
        small=urls.rooted("pages.image", name=shown.phone) if shown.phone else "",
        address=urls.rooted("pages.page", document=shown.document, number=shown.page),
        crop=astuple(shown.crop),
        strong=[astuple(rect) for rect in shown.strong],
        faint=[astuple(rect) for rect in shown.faint],
    )


@jobs_blueprint.post("/api/v1/jobs")
def start() -> tuple[Response, int]:
    """Have the answer to `q` written; return where to look at it."""
    at, asks = model_queues.desk() or abort(404, NO_MODEL), model_queues.wanted("always")
    if not asks.question:
        abort(400)
    try:
        ticket = at.jobs.submit(at.key(asks), request.remote_addr or "", asks)
    except Refused as refused:
        return _refused(refused, say(WHY[refused.why]).format(seconds=_seconds(refused)))
    at_job = urls.to("jobs.look", ticket=ticket)
    given = {name: request.args.getlist(name) for name in request.args}
    done = urls.rooted("api.ask", **{**given, "written": "yes"})
    response = jsonify({"job": ticket, "address": at_job.removeprefix(urls.root()), "answer": done})
    response.headers["Location"] = at_job
    return response, 202


@jobs_blueprint.get("/api/v1/jobs/<ticket>")
def look(ticket: str) -> tuple[Response, int]:
    """Return how a job is, with its text since the offset `after`."""
    given_up = later("This answer was given up. Ask again.")
    return _looked(model_queues.desk(), ticket, given_up, request_filters.number("after", 8))


@jobs_blueprint.post("/api/v1/jobs/<ticket>/cancel")
def cancel(ticket: str) -> Response:
    """Give a job up."""
    return jsonify({"cancelled": (model_queues.desk() or abort(404, NO_MODEL)).jobs.cancel(ticket)})


@jobs_blueprint.get("/written")
def part() -> str:
    """Return what the model wrote for `q`, as it stands on its page, to be put beneath what is quoted."""
    answer = model_queues.kept()
    if not isinstance(answer, Grounded) or answer.written is None:
        abort(404)
    shown = view.written_by_model(view.of_answer(library(), answer))
    return render_template("written.html", question=answer.question, shown=shown)


@figures_blueprint.post("/api/v1/figures/<document>/<path:key>/describe", endpoint="start")
def start_figure(document: str, key: str) -> tuple[Response, int]:
    """Have a figure described; return where to look at it."""
    at = model_queues.figure_desk() or abort(404, NO_MODEL)
    at.describer.kept(document, key)  # a figure that there is not is told at once
    try:
        ticket = at.jobs.submit(f"{document} {key}", request.remote_addr or "", (document, key))
    except Refused as refused:
        busy = later("The model that describes figures is busy. Try again in %(seconds)s s.")
        return _refused(refused, say(busy, seconds=_seconds(refused)))
    return jsonify({"job": ticket, "address": urls.rooted("describing.look", ticket=ticket)}), 202


@figures_blueprint.get("/api/v1/figures/jobs/<ticket>", endpoint="look")
def look_figure(ticket: str) -> tuple[Response, int]:
    """Return how a job is."""
    return _looked(model_queues.figure_desk(), ticket, later("This was given up. Ask again."))


@figures_blueprint.post("/api/v1/figures/jobs/<ticket>/cancel", endpoint="cancel")
def cancel_figure(ticket: str) -> Response:
    """Give a job up."""
    return jsonify({"cancelled": (model_queues.figure_desk() or abort(404, NO_MODEL)).jobs.cancel(ticket)})


def _looked(
    at: model_queues.Desk | model_queues.FigureDesk | None, ticket: str, given_up: str, since: int = 0
) -> tuple[Response, int]:
    """Return how a job is, as the page's script reads it."""
    found = (at or abort(404, NO_MODEL)).jobs.look(ticket, since)
    if found is None:
        return jsonify({"error": {"status": 404, "message": say(given_up)}}), 404
    looked = shaped(
        shapes.Looked,
        found,
        ended=found.state in ENDED,
        stage=say(STAGES.get(found.stage, found.stage)),
        share=round(found.done / found.total, 3) if found.total else 0.0,
        seconds=math.ceil(found.seconds),
    )
    return jsonify(looked), 200


def _refused(refused: Refused, message: str) -> tuple[Response, int]:
    """Return the answer that says when to ask again."""
    seconds = _seconds(refused)
    response = jsonify({"error": {"status": 429, "message": message}, "seconds": seconds})
    response.headers["Retry-After"] = str(seconds)
    return response, 429


def _seconds(refused: Refused) -> int:
    return max(1, math.ceil(refused.seconds))
