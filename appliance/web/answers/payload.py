"""What the page's own script needs to turn pages without asking for a new page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from typing import Any

from appliance.contract.shape import shaped
from appliance.core.document import OUT_OF_FORCE
from appliance.web import urls
from appliance.web.answers.cited_places import Stop
from appliance.web.api import shapes
from appliance.web.language import say
from appliance.web.pages import info_of, last_page
from appliance.web.reading.marks import View


def stops_json(stops: Iterable[Stop]) -> dict[str, Any]:
    """Return the stops of a page by id."""
    return {
        stop.id: {
            "document": stop.document,
            "label": stop.label.named,
            **_edition(stop.document),
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


def _edition(document: str) -> dict[str, str]:
    """Return an edition, and in words that it no longer applies or is in force; "" for what is not known."""
    info = info_of(document)
    status = info.status if info else "unknown"
    return {
        "outdated": say(status) if status in OUT_OF_FORCE else "",
        "standing": say(status) if status == "in force" else "",
        "edition": info.edition if info else "",
    }


def _rooted(relative: str) -> str:
    return relative.removeprefix(urls.root())
