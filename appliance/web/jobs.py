"""The routes of answers that the language model writes: begin one, look at it, give it up.

Rules of this module: a job is begun by POST alone, with the question in the address as everywhere else, so
that a page without script can begin it by a form and one with script by a request; nothing here waits.
What is told of a job is text, never markup; what it wrote, once checked, is shown as its page shows it.
"""

from __future__ import annotations

import math
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from appliance.evidence import Grounded
from appliance.job import ENDED, Look, Refused
from appliance.web import address, answers, pages
from appliance.web.language import later, say
from appliance.web.writing import Desk, desk, kept, wanted

blueprint = Blueprint("jobs", __name__)

WHY = {
    "full": later("The language model has many questions to answer. Try again in {seconds} s."),
    "one each": later("This device has another question being written. Try again in {seconds} s."),
}
STAGES = {
    "": later("Waiting"),
    "searching": later("Searching"),
    "questions": later("Reading the question"),
    "summary": later("Reading what was asked before"),
    "review": later("Looking through the clauses"),
    "answer": later("Writing"),
    "checking": later("Checking against the quotations"),
    "figure": later("Looking at the figure"),
}


@blueprint.post("/api/v1/jobs")
def start() -> tuple[Response, int]:
    """Have the answer to `q` written; return where to look at it."""
    try:
        ticket = _begin(_desk())
    except Refused as refused:
        return _refused(refused)
    at = address.to("jobs.look", ticket=ticket)
    done = address.to("api.ask", **_given(written="yes"))
    places = {"address": at.removeprefix(address.root()), "answer": done.removeprefix(address.root())}
    response = jsonify({"job": ticket, **places})
    response.headers["Location"] = at
    return response, 202


@blueprint.get("/api/v1/jobs/<ticket>")
def look(ticket: str) -> tuple[Response, int]:
    """Return how a job is, with its text since the offset `after`."""
    found = _desk().jobs.look(ticket, _after())
    if found is None:
        return jsonify(
            {"error": {"status": 404, "message": say("This answer was given up. Ask again.")}}
        ), 404
    return jsonify(look_json(found)), 200


@blueprint.post("/api/v1/jobs/<ticket>/cancel")
def cancel(ticket: str) -> Response:
    """Give a job up."""
    return jsonify({"cancelled": _desk().jobs.cancel(ticket)})


@blueprint.post("/write")
def write() -> Redirect | tuple[Response, int]:
    """Have an answer written for a page without script; lead back to the question with its job."""
    try:
        ticket = _begin(_desk())
    except Refused as refused:
        response = redirect(address.to("pages.ask", **_given(busy=_in(refused))), 303)
        response.headers["Retry-After"] = _in(refused)
        return response
    return redirect(address.to("pages.ask", **_given(job=ticket)), 303)


@blueprint.get("/written")
def part() -> str:
    """Return what the model wrote for `q`, as it stands on its page, to be put beneath what is quoted."""
    answer = kept()
    if not isinstance(answer, Grounded) or answer.written is None:
        abort(404)
    shown = answers.written_by_model(answers.of_answer(pages.library(), answer))
    return render_template("written.html", question=answer.question, shown=shown)


@blueprint.post("/write/<ticket>/stop")
def stop(ticket: str) -> Redirect:
    """Give up a job of a page without script; lead back to the question."""
    _desk().jobs.cancel(ticket)
    return redirect(address.to("pages.ask", **_given(mode="deterministic")), 303)


def look_json(found: Look) -> dict[str, Any]:
    """Return how a job is, as the page's script reads it."""
    return {
        "state": found.state,
        "ended": found.state in ENDED,
        "stage": say(STAGES.get(found.stage, found.stage)),
        "share": round(found.done / found.total, 3) if found.total else 0.0,
        "position": found.position,
        "seconds": math.ceil(found.seconds),
        "text": found.text,
        "told": found.told,
        "message": found.message,
    }


def busy() -> str:
    """Return the seconds after which a page without script may try again, "" where it need not wait."""
    text = request.args.get("busy", "")
    return text if text.isascii() and text.isdigit() and len(text) < 5 else ""


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


def _refused(refused: Refused) -> tuple[Response, int]:
    message = say(WHY[refused.why]).format(seconds=_in(refused))
    response = jsonify({"error": {"status": 429, "message": message}, "seconds": int(_in(refused))})
    response.headers["Retry-After"] = _in(refused)
    return response, 429


def _in(refused: Refused) -> str:
    return str(max(1, math.ceil(refused.seconds)))


def _after() -> int:
    text = request.args.get("after", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _given(**more: str) -> dict[str, Any]:
    """Return the question and filters of the address, with what is added."""
    kept = {
        name: request.args.getlist(name) for name in request.args if name not in {"job", "busy", "written"}
    }
    return {**kept, **more}
