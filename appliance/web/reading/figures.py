"""A figure described by a vision model, on the page of the figure."""

from __future__ import annotations

from typing import Protocol, cast

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, request

from appliance.answer.write.asking import GivenUp, Watch
from appliance.core.jobs import Gone, Job, Jobs, Refused
from appliance.core.settings import JobSettings
from appliance.figures import Described
from appliance.web import urls
from appliance.web.api.routes import look_json, refused_json, seconds_of
from appliance.web.language import later, say

blueprint = Blueprint("describing", __name__)

Place = tuple[str, str]  # document and key
FigureJob = Job[Place, Described]
BUSY = later("The model that describes figures is busy. Try again in %(seconds)s s.")
GIVEN_UP = later("This was given up. Ask again.")


class Describes(Protocol):
    """Who describes figures: `appliance.figures.Describer`, or a small one of a test."""

    @property
    def model(self) -> str: ...

    def kept(self, document: str, key: str) -> Described | None: ...

    def describe(self, document: str, key: str, watch: Watch | None = None) -> Described: ...


class Desk:
    """The describer of an app with its queue."""

    def __init__(self, describer: Describes, limits: JobSettings) -> None:
        self.describer = describer
        self.jobs: Jobs[Place, Described] = Jobs(self._work, limits)

    def begin(self, document: str, key: str) -> str:
        """Return the ticket of a job for a figure; raises Refused, UnknownDocument, UnknownPlace."""
        self.describer.kept(document, key)  # a figure that there is not is told at once
        return self.jobs.submit(f"{document} {key}", request.remote_addr or "", (document, key))

    def _work(self, place: Place, job: FigureJob) -> Described:
        try:
            return self.describer.describe(*place, job)
        except GivenUp:
            raise Gone from None


def install(app: Flask, describer: Describes | None, limits: JobSettings) -> None:
    """Add the routes to an app, and what its templates show; without a describer nothing is offered."""
    app.extensions["describing"] = Desk(describer, limits) if describer else None
    app.register_blueprint(blueprint)
    app.jinja_env.globals["described"] = described


def described(document: str, key: str) -> tuple[Described | None] | None:
    """Return the description that is kept of a figure, if any; None where no vision model is installed."""
    at = cast("Desk | None", current_app.extensions.get("describing"))
    return (at.describer.kept(document, key),) if at else None


@blueprint.post("/api/v1/figures/<document>/<path:key>/describe")
def start(document: str, key: str) -> tuple[Response, int]:
    """Have a figure described; return where to look at it."""
    try:
        ticket = _desk().begin(document, key)
    except Refused as refused:
        return refused_json(refused, say(BUSY, seconds=seconds_of(refused)))
    at = urls.to("describing.look", ticket=ticket)
    return jsonify({"job": ticket, "address": at.removeprefix(urls.root())}), 202


@blueprint.get("/api/v1/figures/jobs/<ticket>")
def look(ticket: str) -> tuple[Response, int]:
    """Return how a job is."""
    found = _desk().jobs.look(ticket)
    if found is None:
        return jsonify({"error": {"status": 404, "message": say(GIVEN_UP)}}), 404
    return jsonify(look_json(found)), 200


@blueprint.post("/api/v1/figures/jobs/<ticket>/cancel")
def cancel(ticket: str) -> Response:
    """Give a job up."""
    return jsonify({"cancelled": _desk().jobs.cancel(ticket)})


def _desk() -> Desk:
    found = cast("Desk | None", current_app.extensions.get("describing"))
    if found is None:
        abort(404)
    return found
