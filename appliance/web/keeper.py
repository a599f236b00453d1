"""What the site left for whoever keeps the codes: questions without an answer, what people say of answers.

Rules of this module: reading only. It names nobody, for nothing is known of who asked; still what colleagues
typed is shown only at the box itself, or where everybody who opens a page has given the access code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask import Blueprint, abort, current_app, render_template, request

from appliance.settings import Settings
from appliance.site.values import Row, Shown
from appliance.web import local
from appliance.web.language import later
from appliance.web.pages import library

blueprint = Blueprint("keeper", __name__)

SHOWN = 100  # lines of a kind; the rest is counted
PLACES = 4  # places that a line names
VERDICTS = {"helpful": later("helpful"), "wrong": later("wrong"), "missing": later("something is missing")}


@dataclass(frozen=True, slots=True)
class Line:
    """One question of the site: how often it came, when last, where it led, and what was said of it."""

    question: str
    times: int
    at: float
    shown: tuple[Shown, ...]
    verdict: str = ""
    comment: str = ""


@blueprint.get("/keeper")
def page() -> str:
    """Show the notes of the site, the most frequent questions first, comments youngest first."""
    if not allowed():
        abort(403)
    site = library().site
    gaps, said = gathered(site.rows("gaps")), tuple(map(_line, site.rows("feedback")))
    return render_template("keeper.html", gaps=gaps, said=said, most=SHOWN, verdicts=VERDICTS)


def allowed() -> bool:
    """Tell whether this reader may see what colleagues typed."""
    settings: Settings = current_app.config["SETTINGS"]
    return bool(settings.serve.access_code_file.parts) or local.is_here(request.environ)


def gathered(rows: Iterable[Row]) -> tuple[Line, ...]:
    """Return one line for each question, however it was spaced or capitalised; the most frequent first."""
    same: dict[str, list[Row]] = {}
    for row in rows:
        same.setdefault(" ".join(row.about.question.casefold().split()), []).append(row)
    lines = (
        Line(found[0].about.question, len(found), found[0].at, _places(found[0])) for found in same.values()
    )
    return tuple(sorted(lines, key=lambda line: (-line.times, -line.at)))


def _line(row: Row) -> Line:
    said = {name: str(value) for name, value in row.said.items()}
    return Line(row.about.question, 1, row.at, _places(row), said.get("verdict", ""), said.get("comment", ""))


def _places(row: Row) -> tuple[Shown, ...]:
    return row.about.shown[:PLACES]
