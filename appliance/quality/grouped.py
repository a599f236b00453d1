"""Problems of one page told together: those of one drawing, one table, one kind, with their number and place.

Rules of this module: pure; nothing is left out of the count, and what is little is told one by one. A page
of a scan may have a hundred doubtful numbers: a person looks at the drawing that they stand in, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from appliance.document import Box, Document, Figure, Problem, Table
from appliance.quality.values import Reason

MANY = 3  # problems that are told together
WEIGHT = 3.0  # of what was read with doubt, or not at all
ALIKE = 1.5  # of others of one kind that say the same of several things

_OWN = re.compile(
    r"“[^”]*”|‘[^’]*’|\([^)]*\)|\d+"
)  # what one problem names: the others of its kind name others

Place = tuple[str, Box]  # what stands there, and where


def places_of(document: Document) -> list[Place]:
    """Return the tables and figures with their boxes, the smaller first: a table may stand in a figure."""
    items: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    places = [(str(item.label), box) for item in items for box in item.boxes]
    return sorted(places, key=lambda place: (place[1].x1 - place[1].x0) * (place[1].y1 - place[1].y0))


def doubts_told(doubts: Sequence[Problem], places: Sequence[Place]) -> Iterator[Reason]:
    """Yield what was read with doubt on one page, that of each table, drawing and of the text as one."""
    if len(doubts) < MANY:
        yield from (Reason("problem", item.page, item.message, WEIGHT, item.box) for item in doubts)
        return
    groups: dict[Place | None, list[Problem]] = {}
    for doubt in doubts:
        groups.setdefault(_home(doubt, places), []).append(doubt)
    for home, own in sorted(groups.items(), key=lambda group: (group[0] is None, -len(group[1]))):
        first = own[0]
        if len(own) == 1:
            yield Reason("problem", first.page, first.message, WEIGHT, first.box)
            continue
        of = f" of {home[0]}" if home else " outside of tables and figures" if len(groups) > 1 else ""
        words = f"{len(own)} places{of} were read with doubt: compare them with the image. The first: "
        yield Reason("problem", first.page, words + first.message, WEIGHT, home[1] if home else first.box)


def others_told(problems: Sequence[Problem]) -> Iterator[Reason]:
    """Yield the other problems; those of one page that say the same of several things as one."""
    alike: dict[tuple[int, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.page, _OWN.sub("", problem.message)), []).append(problem)
    for own in alike.values():
        first = own[0]
        if len(own) < MANY or not first.page:
            yield from (Reason("problem", item.page, item.message, WEIGHT, item.box) for item in own)
        else:
            words = f"{first.message} The same is so of {len(own) - 1} more on this page."
            yield Reason("problem", first.page, words, ALIKE, first.box)


def _home(problem: Problem, places: Sequence[Place]) -> Place | None:
    """Return the smallest table or figure that the middle of a problem's box lies in."""
    box = problem.box
    if box is None:
        return None
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    inside = (
        place
        for place in places
        if place[1].page == box.page and place[1].x0 <= x <= place[1].x1 and place[1].y0 <= y <= place[1].y1
    )
    return next(inside, None)
