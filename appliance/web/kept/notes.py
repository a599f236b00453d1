"""What people say of an answer, and what the site left for whoever keeps the codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from appliance.core.document import Label
from appliance.core.evidence import Answer
from appliance.core.settings import Settings
from appliance.site.notes import Site, judged
from appliance.site.values import PLACES as GAPS_PLACES
from appliance.site.values import About, Row, Shown, Verdict
from appliance.site.values import about as about_row
from appliance.text.terms import fold_label
from appliance.web import access as local
from appliance.web import urls
from appliance.web.answers import asked
from appliance.web.answers.asked import read_beside
from appliance.web.answers.filters import GROUPS
from appliance.web.api.shapes import Gap, GapPlace
from appliance.web.guard import pace
from appliance.web.language import later
from appliance.web.pages import info_of, library, loaded

blueprint = Blueprint("gaps", __name__)

TYPED = 200  # characters of a typed place that are read
SUGGESTED = 200  # items whose number begins like the typed one, among which it is looked for
WORDS = {"helpful": later("helpful"), "wrong": later("wrong"), "missing": later("something is missing")}


@blueprint.get("/feedback")
def elsewhere() -> Redirect:
    """Lead to the first page whoever opens the address of the form."""
    return redirect(urls.to("pages.home"))


@blueprint.post("/feedback")
def feedback() -> tuple[str, int]:
    """Keep what a person says of an answer."""
    if not pace("feedback").allows(request.remote_addr or ""):
        abort(429)
    form = request.form
    beside = asked.read_beside(form.get("beside", ""))
    said = About(
        form.get("request", ""),
        form.get("q", ""),
        _shown(form.getlist("shown")),
        loaded().version,
        urlencode(beside, doseq=True),
    )
    verdict, comment = form.get("verdict", ""), form.get("comment", "")
    library().site.add_feedback(said, cast("Verdict", verdict), comment)
    typed = form.get("place", "").strip()[:TYPED]
    fitting = _typed(typed)
    named = fitting if len(fitting) == 1 else ()
    right = tuple(dict.fromkeys((*_shown(form.getlist("right")), *named))) if verdict != "helpful" else ()
    if right:
        library().site.add_correction(said, (), right, comment)
    unknown = typed if verdict != "helpful" and not named else ""
    page = render_template(
        "feedback.html",
        asked=said.question,
        back=beside or {"q": said.question},
        verdict=WORDS[verdict],
        right=right,
        unknown=unknown,
        several=fitting if unknown else (),
    )
    return page, 200


def about_answer(answer: Answer) -> About:
    """Return what the form of an answer names."""
    return about_row(answer, loaded().version, beside=asked.beside(request.args.get("q", "")))


def _typed(text: str) -> tuple[Shown, ...]:
    """Return the places that a typed document and number may mean ("AD-K 1.3"), none for one not loaded."""
    document, _, label = text.replace(":", " ", 1).partition(" ")
    wanted = fold_label(label)
    found = library().suggest(label, SUGGESTED) if wanted else ()
    same = [(name, key) for name, key, _ in found if name.casefold() == document.casefold()]
    return tuple(
        Shown(name, key.key) for name, key in same if wanted in {fold_label(str(key)), fold_label(key.named)}
    )


def _shown(written: list[str]) -> tuple[Shown, ...]:
    """Return the places that the form names ("3 DOC label"), of loaded documents alone."""
    found = []
    for text in written[:GAPS_PLACES]:
        page, _, rest = text.partition(" ")
        document, _, label = rest.partition(" ")
        if page.isascii() and page.isdigit() and len(page) < 6 and label and info_of(document):
            found.append(Shown(document, label, int(page)))
    return tuple(found)


keeper_blueprint = Blueprint("keeper", __name__)

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


@keeper_blueprint.get("/keeper")
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


@keeper_blueprint.get("/api/v1/gaps")
def api_gaps() -> Response:
    """Return the questions that found nothing, the last one first, from the `from`th (0) on."""
    if not allowed():
        abort(403)
    rows, first = library().site.rows("gaps"), asked.number("from")
    return jsonify(
        {"total": len(rows), "from": first, "gaps": [gap_json(row) for row in rows[first : first + SHOWN]]}
    )


def gap_json(row: Row) -> Gap:
    """Return a question that found nothing, for programs."""
    told = judged(row)
    shown = [GapPlace(document=one.document, label=str(Label.from_key(one.label)), page=one.page or None)
             for one in row.about.shown]  # fmt: skip
    return Gap(
        question=row.about.question,
        beside=row.about.beside,
        asked=told.get("asked", 1),
        at=told["at"],
        last=told.get("last", told["at"]),
        library=row.about.library,
        reasons=told.get("reasons", []),
        shown=shown,
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
