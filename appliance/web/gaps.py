"""What people say of an answer: three buttons and a comment, a plain form that works without script.

Rules of this module: the form names the request, the question and the places shown; what it sends back
is a stranger's text, cut and kept as text. Nothing is kept of who sent it: the address is held in
memory for a minute, to bound how much one may send, and never written.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from threading import Lock
from typing import cast

from flask import Blueprint, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from appliance.evidence import Answer
from appliance.settings import Settings
from appliance.site.notes import Site
from appliance.site.values import PLACES, About, Shown, Verdict
from appliance.site.values import about as about_row
from appliance.web import address
from appliance.web.pages import info_of, library, loaded

blueprint = Blueprint("gaps", __name__)

MINUTE = 60.0
ADDRESSES = 4_096  # remembered at once
WORDS = {"helpful": "helpful", "wrong": "wrong", "missing": "something is missing"}


class Pace:
    """How often each address has sent something in the last minute; in memory alone."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._sent: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, address: str, now: float | None = None) -> bool:
        """Tell whether this address may send now, and count it if so."""
        now = time.monotonic() if now is None else now
        with self._lock:
            sent = self._sent.setdefault(address, deque())
            self._sent.move_to_end(address)
            while len(self._sent) > ADDRESSES:
                self._sent.popitem(last=False)
            while sent and sent[0] <= now - MINUTE:
                sent.popleft()
            if len(sent) >= self._most:
                return False
            sent.append(now)
            return True


@blueprint.get("/feedback")
def elsewhere() -> Redirect:
    """Lead to the first page whoever opens the address of the form."""
    return redirect(address.to("pages.home"))


@blueprint.post("/feedback")
def feedback() -> tuple[str, int]:
    """Keep what a person says of an answer."""
    site = getattr(library(), "site", None)
    if not isinstance(site, Site):
        abort(404)
    if not pace().allows(request.remote_addr or ""):
        abort(429)
    form = request.form
    said = About(form.get("request", ""), form.get("q", ""), _shown(form.getlist("shown")), loaded().version)
    verdict = form.get("verdict", "")
    site.add_feedback(said, cast("Verdict", verdict), form.get("comment", ""))
    page = render_template("feedback.html", asked=said.question, verdict=WORDS[verdict])
    return page, 200


def about_answer(answer: Answer) -> About | None:
    """Return what the form of an answer names; None where this library keeps no notes."""
    site = getattr(library(), "site", None)
    return about_row(answer, loaded().version) if isinstance(site, Site) else None


def pace() -> Pace:
    """Return the pace of this app."""
    settings = cast("Settings", current_app.config["SETTINGS"])
    return cast("Pace", current_app.extensions.setdefault("pace", Pace(settings.site.notes_per_minute)))


def _shown(written: list[str]) -> tuple[Shown, ...]:
    """Return the places that the form names ("3 DOC label"), of loaded documents alone."""
    found = []
    for text in written[:PLACES]:
        page, _, rest = text.partition(" ")
        document, _, label = rest.partition(" ")
        if page.isascii() and page.isdigit() and len(page) < 6 and label and info_of(document):
            found.append(Shown(document, label, int(page)))
    return tuple(found)
