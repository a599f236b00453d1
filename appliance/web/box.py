"""The pages about the box itself: what it is, whether it is well, and the figures of its service."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template

from appliance import __version__
from appliance.contract.shape import shaped
from appliance.core.errors import ApplianceError, SiteUnusable
from appliance.operation.health import points
from appliance.operation.history import History, history, together
from appliance.operation.values import Point
from appliance.quality.contract import report_json, summary_json
from appliance.site.figures import figures as kept_figures
from appliance.update.home import home_of, installed, load_state
from appliance.web import lan, served
from appliance.web.answers.model_queues import desk
from appliance.web.api import shapes
from appliance.web.guard import settings
from appliance.web.language import worded
from appliance.web.observed import meter
from appliance.web.served import library, loaded

blueprint = Blueprint("box", __name__)
health_blueprint = Blueprint("health", __name__)

REPLACED = (
    "its file was replaced after it was opened; the page shows the one before until it is started again"
)
OWN_ONLY = Point("access", "well", "only this machine: nothing else can reach it")
AGAIN, DOCTOR = "appliance serve --library FILE", "appliance doctor --library FILE"


@blueprint.get("/box")
def page() -> str:
    """Show what the box is."""
    found = state()
    addresses = lan.addresses_of_request()
    return render_template(
        "box.html",
        now=loaded(),
        points=found,
        worst=worst(found),
        release=release(),
        file_day=served.file_day(),
        notes=notes(),
        addresses=addresses,
        own_only=all(map(lan.is_own, addresses)),
        code=lan.qr(addresses[0]),
    )


@blueprint.get("/api/v1/box")
def api_box() -> Response:
    """Return what the box is."""
    now, found = loaded(), state()
    return jsonify(
        {
            "program": __version__,
            "library": now.version,
            "issued": now.issued,
            "built": served.file_day(),
            "release": release(),
            "documents": len(now.documents),
            "embedder": now.embedder,
            "reranker": now.reranker,
            "state": worst(found),
            "checks": [asdict(point) for point in found],
            "notes": notes(),
            "addresses": list(lan.addresses_of_request()),
        }
    )


@blueprint.get("/api/v1/figures")
def api_figures() -> Response:
    """Return the figures of the service: totals, and the time of each stage in milliseconds."""
    found = counted()
    return jsonify(shaped(shapes.Figures, found, not_found_share=round(found.not_found_share, 4)))


@blueprint.get("/api/v1/document/<document>/quality")
def api_quality(document: str) -> Response:
    """Return what was expected of a document against what was found."""
    return jsonify(report_json(library().quality(document)))


@blueprint.get("/api/v1/quality")
def api_overview() -> Response:
    """Return how well each document was read."""
    reports = [library().quality(info.id) for info in loaded().documents]
    return jsonify([summary_json(report) for report in reports])


def standing() -> dict[str, Any]:
    """Return how the box is, as the first page says it."""
    return {"worst": worst(state()), "file_day": served.file_day(), "release": release()}


def release() -> shapes.Release | None:
    """Return the version of the bundle that is served, None where the library came by no bundle."""
    home = home_of(current_app.extensions.get(served.PATH))
    with suppress(ApplianceError):
        found = installed(home, load_state(home).current).release if home else None
        return shaped(shapes.Release, found) if found else None
    return None


def is_box() -> bool:
    """Tell whether the library came by updates."""
    return home_of(current_app.extensions.get(served.PATH)) is not None


def notes() -> dict[str, int]:
    """Return how many notes of each kind the box keeps; none where they cannot be read."""
    with suppress(SiteUnusable):
        return library().site.counts()
    return {}


@health_blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Tell whether the box answers, for a machine that watches it."""
    well = False
    with suppress(ApplianceError):
        well = bool(library().overview().documents)
    return jsonify({"ok": well, "version": __version__}), 200 if well else 503


@health_blueprint.get("/health")
def health() -> str:
    """Show how the box is."""
    found = state()
    return render_template("health.html", points=found, worst=worst(found))


@health_blueprint.get("/figures")
def figures() -> str:
    """Show the figures of the service."""
    return render_template("figures.html", history=counted(), minutes=max(1, meter().minutes))


@health_blueprint.get("/api/v1/health")
def api_health() -> Response:
    """Return how the box is."""
    found = state()
    return jsonify({"state": worst(found), "checks": [asdict(point) for point in found]})


def state() -> tuple[Point, ...]:
    """Return how the box is, point by point."""
    path = current_app.extensions.get(served.PATH)
    found = list(points(path, settings(), library().site)) if path else []
    own_only = not settings().serve.access_code_file.parts and all(
        map(lan.is_own, lan.addresses_of_request())
    )
    for at, point in enumerate(found):
        if own_only and point.name == OWN_ONLY.name and point.state == "well":
            found[at] = OWN_ONLY
    match served.standing() if path else "":  # whether the library's file is the one that was opened
        case "same":
            found.append(Point("library", "well", "its file is the one that was opened"))
            if missing := library().missing_images():
                words = f"{missing} are missing: answers stand without them"
                found.append(Point("page images", "wrong", words, DOCTOR))
        case "replaced":
            found.append(Point("library", "note", REPLACED, AGAIN))
        case "gone":
            words = "its file is gone; the page shows what it had opened"
            found.append(Point("library", "wrong", words, AGAIN))
    said = "none; answers are quotations"
    if at_desk := desk():
        running, waiting = at_desk.jobs.load()
        now = f"{waiting} waiting" if waiting else "nobody waiting"
        said = f"writes answers; {'one' if running else 'none'} now, {now}"
    return (*found, Point("language model", "well", said))


def worst(found: Sequence[Point]) -> str:
    """Return the worst state of all points."""
    states = {point.state for point in found}
    return next((bad for bad in ("wrong", "note") if bad in states), "well")


def counted() -> History:
    """Return the figures of the service, with those of this hour."""
    site, rows = library().site, meter().now()
    with suppress(SiteUnusable):  # what is in memory is shown
        rows = together(kept_figures(site.path, settings().site), rows)
    return history(rows, lambda text: worded(text) or text)
