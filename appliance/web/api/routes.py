"""The library as JSON in the shapes of the contract, and the jobs of written answers."""

from __future__ import annotations

import math
from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request

from appliance.contract.answers import answer_json
from appliance.contract.documents import cells_json, clause_json, decided_json, document_json, table_json
from appliance.contract.found import evidence_json, place_json
from appliance.contract.shape import shaped
from appliance.core.evidence import Failed, Grounded
from appliance.core.jobs import ENDED, Look, Refused
from appliance.web import observed, pages, urls
from appliance.web.answers import asked, view, writing
from appliance.web.answers.payload import view_json
from appliance.web.answers.writing import Desk, desk, kept, wanted
from appliance.web.api import openapi, shapes
from appliance.web.language import later, say
from appliance.web.pages import keep_gap, library, loaded, scope
from appliance.web.reading import marks

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")

SUGGESTIONS = 8


@blueprint.get("/search")
def search() -> Response:
    """Return the places found for `q`; `limit`, `d` (document) and `kind` narrow it.

    So do `family`, `edition`, `tag` and `status`; `after` is the question before, `reading`
    (DOCUMENT:LABEL) and `selected` tell what is open. With `from` it goes through all places that hold words
    of the question, as the page does; `total` tells how many there are.
    """
    question, limit = request.args.get("q", ""), asked.limit()
    given: dict[str, Any] = {"documents": scope(), **asked.given()}
    if (first := asked.first()) is not None:
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
    answer = writing.kept() or library().ask(request.args.get("q", ""), documents=scope(), **asked.given())
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
                "address": urls.to("pages.label", document=document, key=label.key).removeprefix(urls.root()),
            }
            for document, label, title in found
        ]
    )


@blueprint.get("/documents")
def documents() -> Response:
    """Return what is loaded."""
    now = loaded()
    listed = [shaped(shapes.Info, info) for info in now.documents]
    return jsonify(shaped(shapes.Loaded, now, documents=listed))


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


jobs_blueprint = Blueprint("jobs", __name__)

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


@jobs_blueprint.post("/api/v1/jobs")
def start() -> tuple[Response, int]:
    """Have the answer to `q` written; return where to look at it."""
    try:
        ticket = _begin(_desk())
    except Refused as refused:
        return refused_json(refused, say(WHY[refused.why]).format(seconds=seconds_of(refused)))
    at = urls.to("jobs.look", ticket=ticket)
    done = urls.to("api.ask", **_given(written="yes"))
    places = {"address": at.removeprefix(urls.root()), "answer": done.removeprefix(urls.root())}
    response = jsonify({"job": ticket, **places})
    response.headers["Location"] = at
    return response, 202


@jobs_blueprint.get("/api/v1/jobs/<ticket>")
def look(ticket: str) -> tuple[Response, int]:
    """Return how a job is, with its text since the offset `after`."""
    found = _desk().jobs.look(ticket, asked.number("after", 8))
    if found is None:
        return jsonify(
            {"error": {"status": 404, "message": say("This answer was given up. Ask again.")}}
        ), 404
    return jsonify(look_json(found)), 200


@jobs_blueprint.post("/api/v1/jobs/<ticket>/cancel")
def cancel(ticket: str) -> Response:
    """Give a job up."""
    return jsonify({"cancelled": _desk().jobs.cancel(ticket)})


@jobs_blueprint.get("/written")
def part() -> str:
    """Return what the model wrote for `q`, as it stands on its page, to be put beneath what is quoted."""
    answer = kept()
    if not isinstance(answer, Grounded) or answer.written is None:
        abort(404)
    shown = view.written_by_model(view.of_answer(pages.library(), answer))
    return render_template("written.html", question=answer.question, shown=shown)


def look_json(found: Look) -> shapes.Looked:
    """Return how a job is, as the page's script reads it."""
    return shaped(
        shapes.Looked,
        found,
        ended=found.state in ENDED,
        stage=say(STAGES.get(found.stage, found.stage)),
        share=round(found.done / found.total, 3) if found.total else 0.0,
        seconds=math.ceil(found.seconds),
    )


def _begin(at: Desk) -> str:
    """Return the ticket of a job for what the request asks; raises Refused."""
    asked = wanted("always")
    if not asked.question:
        abort(400)
    return at.jobs.submit(at.key(asked), request.remote_addr or "", asked)


def _desk() -> Desk:
    found = desk()
    if found is None:
        abort(404)
    return found


def refused_json(refused: Refused, message: str) -> tuple[Response, int]:
    """Return the answer that says when to ask again."""
    response = jsonify({"error": {"status": 429, "message": message}, "seconds": int(seconds_of(refused))})
    response.headers["Retry-After"] = seconds_of(refused)
    return response, 429


def seconds_of(refused: Refused) -> str:
    """Return in how many seconds to ask again."""
    return str(max(1, math.ceil(refused.seconds)))


def _given(**more: str) -> dict[str, Any]:
    """Return the question and filters of the address, with what is added."""
    kept = {name: request.args.getlist(name) for name in request.args if name != "written"}
    return {**kept, **more}
