"""What people say of an answer, kept for whoever keeps the codes."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, jsonify, render_template, request

from appliance.core.evidence import Answer
from appliance.site.gaps_and_feedback import PLACES, About, Shown, Verdict, judged
from appliance.site.gaps_and_feedback import about as about_row
from appliance.text.terms import fold_label
from appliance.web.answers import request_filters
from appliance.web.api.shapes import Gap
from appliance.web.guard import in_pace
from appliance.web.language import later
from appliance.web.served import info_of, library, loaded

blueprint = Blueprint("gaps", __name__)

TYPED = 200  # characters of a typed place that are read
SUGGESTED = 200  # items whose number begins like the typed one, among which it is looked for
WORDS = {"helpful": later("helpful"), "wrong": later("wrong"), "missing": later("something is missing")}
LISTED = 100  # gaps of one reply


@blueprint.get("/api/v1/gaps")
def api_gaps() -> Response:
    """Return the questions that found nothing, the last one first; `from` passes over so many."""
    rows, first = library().site.rows("gaps"), request_filters.number("from")
    told = [{"beside": "", "asked": 1, "last": "", **judged(row)} for row in rows[first : first + LISTED]]
    gaps = [{name: one[name] for name in Gap.__annotations__} for one in told]
    return jsonify({"total": len(rows), "from": first, "gaps": gaps})


@blueprint.post("/feedback")
def feedback() -> str:
    """Keep what a person says of an answer."""
    if not in_pace("feedback"):
        abort(429)
    form = request.form
    beside = request_filters.read_beside(form.get("beside", ""))
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
    # The places that a typed document and number may mean ("AD-K 1.3"), none for one not loaded.
    document, _, label = typed.replace(":", " ", 1).partition(" ")
    wanted = fold_label(label)
    fitting = tuple(
        Shown(name, key.key)
        for name, key, _ in (library().suggest(label, SUGGESTED) if wanted else ())
        if name.casefold() == document.casefold() and wanted in {fold_label(str(key)), fold_label(key.named)}
    )
    named = fitting if len(fitting) == 1 else ()
    right = tuple(dict.fromkeys((*_shown(form.getlist("right")), *named))) if verdict != "helpful" else ()
    if right:
        library().site.add_correction(said, (), right, comment)
    unknown = typed if verdict != "helpful" and not named else ""
    return render_template(
        "feedback.html",
        asked=said.question,
        back=beside or {"q": said.question},
        verdict=WORDS[verdict],
        right=right,
        unknown=unknown,
        several=fitting if unknown else (),
    )


def about_answer(answer: Answer) -> About:
    """Return what the form of an answer names."""
    return about_row(answer, loaded().version, beside=request_filters.beside(request.args.get("q", "")))


def _shown(written: list[str]) -> tuple[Shown, ...]:
    """Return the places that the form names ("3 DOC label"), of loaded documents alone."""
    found = []
    for text in written[:PLACES]:
        page, _, rest = text.partition(" ")
        document, _, label = rest.partition(" ")
        if page.isascii() and page.isdigit() and len(page) < 6 and label and info_of(document):
            found.append(Shown(document, label, int(page)))
    return tuple(found)
