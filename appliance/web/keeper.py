"""What the site left for whoever keeps the codes: questions without an answer, what people say of answers.

Rules of this module: reading only. It names nobody, for nothing is known of who asked; still what colleagues
typed is shown only at the box itself, or where everybody who opens a page has given the access code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from flask import Blueprint, abort, current_app, render_template, request

from appliance.settings import Settings
from appliance.site.notes import Site
from appliance.site.values import Row, Shown
from appliance.web import local
from appliance.web.asked import read_beside
from appliance.web.filters import GROUPS
from appliance.web.language import later
from appliance.web.pages import library

blueprint = Blueprint("keeper", __name__)

SHOWN = 100  # lines of a kind; the rest is counted
PLACES = 4  # places that a line names
COMMENTS = 6  # comments that a line shows; the rest is counted
VERDICTS = {"helpful": later("helpful"), "wrong": later("wrong"), "missing": later("something is missing")}


@dataclass(frozen=True, slots=True)
class Said:
    """What a person wrote of an answer."""

    verdict: str
    comment: str
    at: float


@dataclass(frozen=True, slots=True)
class Line:
    """One question of the site: how often it came, when last, where it led, and what was said of it.

    `address` asks it as it was asked; `narrowed` are the filters set then, `after` the question before;
    `verdicts` are the presses of each button, `comments` what was written with them, youngest first.
    """

    question: str
    times: int
    at: float
    shown: tuple[Shown, ...]
    verdicts: Mapping[str, int] = field(default_factory=dict)
    comments: tuple[Said, ...] = ()
    address: Mapping[str, Sequence[str]] = field(default_factory=dict)
    narrowed: tuple[str, ...] = ()
    after: str = ""


@blueprint.get("/keeper")
def page() -> str:
    """Show the notes of the site: what was asked in vain, most frequent first; what was said."""
    if not allowed():
        abort(403)
    site = library().site
    asked_for, said = gathered(site.rows("gaps")), gathered(site.rows("feedback"))
    return render_template(
        "keeper.html",
        gaps=[line for line in asked_for if not line.narrowed],
        narrowed=[line for line in asked_for if line.narrowed],
        said=sorted(said, key=lambda line: -line.at),
        most=SHOWN,
        comments=COMMENTS,
        verdicts=VERDICTS,
    )


def allowed() -> bool:
    """Tell whether this reader may see what colleagues typed."""
    settings: Settings = current_app.config["SETTINGS"]
    return bool(settings.serve.access_code_file.parts) or local.is_here(request.environ)


def gathered(rows: Iterable[Row]) -> tuple[Line, ...]:
    """Return one line for each question, however it was spaced or capitalised; the most frequent first.

    With a filter it is another question: it says nothing of what was left out.
    """
    same: dict[tuple[str, tuple[str, ...]], list[Row]] = {}
    for row in rows:
        narrowed = _narrowed(read_beside(row.about.beside))
        same.setdefault((" ".join(row.about.question.casefold().split()), narrowed), []).append(row)
    return tuple(sorted(map(_line, same.values()), key=lambda line: (-line.times, -line.at)))


def unanswered(site: Site) -> tuple[int, int]:
    """Return how many questions found nothing: in all documents, with a filter set. Raises SiteUnusable."""
    lines = gathered(site.rows("gaps"))
    narrowed = sum(bool(line.narrowed) for line in lines)
    return len(lines) - narrowed, narrowed


def _line(rows: Sequence[Row]) -> Line:
    """Return the line of rows of one question, youngest first."""
    row, verdicts = rows[0], Counter(str(row.said["verdict"]) for row in rows if "verdict" in row.said)
    written = [
        Said(str(row.said.get("verdict", "")), str(row.said.get("comment", "")), row.at) for row in rows
    ]
    address: dict[str, list[str]] = read_beside(row.about.beside)
    return Line(
        row.about.question,
        sum(int(row.said.get("asked", 1)) for row in rows),
        max(float(row.said.get("last", row.at)) for row in rows),
        row.about.shown[:PLACES],
        verdicts,
        tuple(said for said in written if said.comment),
        address or {"q": [row.about.question]},
        _narrowed(address),
        "".join(address.get("after", ())[:1]),
    )


def _narrowed(address: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the values of the filters of an address."""
    return tuple(value for name in GROUPS for value in address.get(name, ()))
