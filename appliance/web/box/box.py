"""The page about the box: what is loaded, since when, with which models, how it is reached."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template

from appliance import __version__
from appliance.contract.shape import shaped
from appliance.core.errors import ApplianceError, SiteUnusable
from appliance.quality.contract import report_json, summary_json
from appliance.update.home import home_of, installed, load_state
from appliance.web import lan, observed
from appliance.web.api import shapes
from appliance.web.box import health
from appliance.web.kept.export import qr
from appliance.web.pages import library, loaded

blueprint = Blueprint("box", __name__)


@blueprint.get("/box")
def page() -> str:
    """Show what the box is."""
    points = health.state()
    addresses = lan.addresses_of_request()
    return render_template(
        "box.html",
        now=loaded(),
        points=points,
        worst=health.worst(points),
        release=release(),
        file_day=observed.file_day(),
        notes=notes(),
        addresses=addresses,
        own_only=all(map(lan.is_own, addresses)),
        code=qr(addresses[0]),
    )


@blueprint.get("/api/v1/box")
def api_box() -> Response:
    """Return what the box is."""
    now, points = loaded(), health.state()
    return jsonify(
        {
            "program": __version__,
            "library": now.version,
            "issued": now.issued,
            "built": observed.file_day(),
            "release": release(),
            "documents": len(now.documents),
            "embedder": now.embedder,
            "reranker": now.reranker,
            "state": health.worst(points),
            "checks": [asdict(point) for point in points],
            "notes": notes(),
            "addresses": list(lan.addresses_of_request()),
        }
    )


@blueprint.get("/api/v1/figures")
def api_figures() -> Response:
    """Return the figures of the service: totals, and the time of each stage in milliseconds."""
    found = health.counted()
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


@dataclass(frozen=True)
class Standing:
    """How the box is, as the first page says it: its worst state, the day of its file, what was released."""

    worst: str
    file_day: str
    release: dict[str, Any] | None


def standing() -> Standing:
    """Return how the box is."""
    return Standing(health.worst(health.state()), observed.file_day(), release())


def release() -> dict[str, Any] | None:
    """Return the version of the bundle that is served, None where the library came by no bundle."""
    home = home_of(current_app.extensions.get("library path"))
    if home is None:
        return None
    with suppress(ApplianceError):
        found = installed(home, load_state(home).current).release
        return {"version": found.version, "notes": found.notes, "closes": list(found.closes)}
    return None


def is_box() -> bool:
    """Tell whether the library came by updates."""
    return home_of(current_app.extensions.get("library path")) is not None


def notes() -> dict[str, int]:
    """Return how many notes of each kind the box keeps; none where they cannot be read."""
    with suppress(SiteUnusable):
        return library().site.counts()
    return {}
