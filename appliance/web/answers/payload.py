"""What the page's own script needs to turn pages without asking for a new page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from typing import Any

from appliance.contract.shape import shaped
from appliance.web import urls
from appliance.web.answers.cited_places import Stop
from appliance.web.api import shapes
from appliance.web.language import say
from appliance.web.pages import info_of, last_page
from appliance.web.reading.marks import View

IN_FORCE = "in force"
OUTDATED = frozenset({"superseded", "withdrawn"})


def stops_json(stops: Iterable[Stop]) -> dict[str, Any]:
    """Return the stops of a page by id."""
    return {
        stop.id: {
            "document": stop.document,
            "label": stop.label.named,
            "outdated": _outdated(stop.document),
            "standing": _standing(stop.document),
            "edition": _edition(stop.document),
            "address": _rooted(urls.place(stop.document, stop.label, stop.kind)),
            "views": [view_json(view) for view in stop.views],
        }
        for stop in stops
    }


def view_json(view: View) -> shapes.View:
    """Return a view: rectangles as [x, y, width, height] in points of the page."""
    return shaped(
        shapes.View,
        view,
        last=last_page(view.document),
        image=_rooted(urls.to("pages.image", name=view.large)) if view.large else "",
        small=_rooted(urls.to("pages.image", name=view.phone)) if view.phone else "",
        address=_rooted(urls.to("pages.page", document=view.document, number=view.page)),
        crop=astuple(view.crop),
        strong=[astuple(rect) for rect in view.strong],
        faint=[astuple(rect) for rect in view.faint],
    )


def _outdated(document: str) -> str:
    """Return why an edition no longer applies, "" for one that does."""
    info = info_of(document)
    return say(info.status) if info and info.status in OUTDATED else ""


def _standing(document: str) -> str:
    """Return that an edition is in force, "" where that is not so or not known."""
    info = info_of(document)
    return say(info.status) if info and info.status == IN_FORCE else ""


def _edition(document: str) -> str:
    info = info_of(document)
    return info.edition if info else ""


def _rooted(relative: str) -> str:
    return relative.removeprefix(urls.root())
