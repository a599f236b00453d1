"""The pages about the box itself: whether it is well, and the figures of its service."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import cast

from flask import Blueprint, Response, current_app, jsonify, render_template

from appliance import __version__
from appliance.core.errors import ApplianceError, SiteUnusable
from appliance.core.settings import Settings
from appliance.operation.health import points
from appliance.operation.history import History, history, together
from appliance.operation.values import Point
from appliance.site.figures import figures as kept_figures
from appliance.web import lan, observed
from appliance.web.answers.writing import desk
from appliance.web.language import worded
from appliance.web.observed import meter
from appliance.web.pages import library

blueprint = Blueprint("health", __name__)

REPLACED = (
    "its file was replaced after it was opened; the page shows the one before until it is started again"
)
OWN_ONLY = Point("access", "well", "only this machine: nothing else can reach it")
AGAIN, DOCTOR = "appliance serve --library FILE", "appliance doctor --library FILE"


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Tell whether the box answers, for a machine that watches it."""
    try:
        well = bool(library().overview().documents)
    except ApplianceError:
        well = False
    return jsonify({"ok": well, "version": __version__}), 200 if well else 503


@blueprint.get("/health")
def health() -> str:
    """Show how the box is."""
    found = state()
    return render_template("health.html", points=found, worst=worst(found))


@blueprint.get("/figures")
def figures() -> str:
    """Show the figures of the service."""
    return render_template("figures.html", history=counted(), minutes=max(1, meter().minutes))


@blueprint.get("/api/v1/health")
def api_health() -> Response:
    """Return how the box is."""
    found = state()
    return jsonify({"state": worst(found), "checks": [asdict(point) for point in found]})


def state() -> tuple[Point, ...]:
    """Return how the box is, point by point."""
    return (*_points(_settings()), *_file(), _writer())


def worst(points: Sequence[Point]) -> str:
    """Return the worst state of all points."""
    return next((bad for bad in ("wrong", "note") if any(point.state == bad for point in points)), "well")


def counted() -> History:
    """Return the figures of the service, with those of this hour."""
    site, rows = library().site, meter().now()
    with suppress(SiteUnusable):  # what is in memory is shown
        rows = together(kept_figures(site.path, _settings().site), rows)
    return history(rows, lambda text: worded(text) or text)


def _points(settings: Settings) -> tuple[Point, ...]:
    path = current_app.extensions.get("library path")
    found = points(path, settings, library().site) if path else ()
    if settings.serve.access_code_file.parts or not all(map(lan.is_own, lan.addresses_of_request())):
        return found
    return tuple(
        OWN_ONLY if point.name == OWN_ONLY.name and point.state == "well" else point for point in found
    )


def _file() -> Iterator[Point]:
    """Yield whether the library's file is still the one that was opened; nothing for one without a file."""
    if not current_app.extensions.get(observed.PATH):
        return
    match observed.standing():
        case "same":
            yield Point("library", "well", "its file is the one that was opened")
            if missing := library().missing_images():
                yield Point(
                    "page images", "wrong", f"{missing} are missing: answers stand without them", DOCTOR
                )
        case "replaced":
            yield Point("library", "note", REPLACED, AGAIN)
        case "gone":
            yield Point("library", "wrong", "its file is gone; the page shows what it had opened", AGAIN)


def _writer() -> Point:
    at = desk()
    if at is None:
        return Point("language model", "well", "none; answers are quotations")
    running, waiting = at.jobs.load()
    now = f"{waiting} waiting" if waiting else "nobody waiting"
    return Point("language model", "well", f"writes answers; {'one' if running else 'none'} now, {now}")


def _settings() -> Settings:
    return cast("Settings", current_app.config["SETTINGS"])
