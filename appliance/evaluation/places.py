"""When a place that is shown covers a place that is wanted.

Rules of this module: pure; these few lines are the definition behind every figure of the judged
questions, so nothing here is more generous than it says. Same document; one of the labels of the
shown text equals the wanted label (case, spaces, trailing dots and dashes ignored); one of its
pages is the wanted page or next to it. A wanted place of kind "page" asks for the page itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from appliance.printed import Labelled, printed_labels

PAGES_APART = 1  # an item that starts at the foot of a page is often shown with the next one

_SPACES = re.compile(r"[\s\u00a0\u00ad\u200b-\u200d\u2060\ufeff]+")
_TAIL = ".-\u2010\u2011\u2012\u2013\u2014\u2212"


class Shown(Labelled, Protocol):
    """The part of a `Place` that is judged."""

    @property
    def document(self) -> str: ...
    @property
    def pages(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class Gold:
    """A place that a complete answer needs; `page` counts the pages of the PDF from 1."""

    document: str
    label: str
    kind: str
    page: int


def normal_label(text: str) -> str:
    """Return the label without case, spaces, trailing dots and dashes."""
    return _SPACES.sub("", text).casefold().rstrip(_TAIL)


def covers(place: Shown, gold: Gold) -> bool:
    """Tell whether the shown place covers the wanted one."""
    if place.document != gold.document:
        return False
    if gold.kind == "page":
        return gold.page in place.pages
    if not any(abs(page - gold.page) <= PAGES_APART for page in place.pages):
        return False
    wanted = normal_label(gold.label)
    return any(normal_label(label) == wanted for label in printed_labels(place))


def first_rank(places: Sequence[Shown], gold: Gold) -> int | None:
    """Return the rank, from 1, of the first place that covers the wanted one."""
    return next((rank for rank, place in enumerate(places, 1) if covers(place, gold)), None)


def first_page_rank(places: Sequence[Shown], gold: Gold) -> int | None:
    """Return the rank, from 1, of the first place that stands on the wanted page, whatever its label."""
    ranks = (
        rank
        for rank, place in enumerate(places, 1)
        if place.document == gold.document and gold.page in place.pages
    )
    return next(ranks, None)
