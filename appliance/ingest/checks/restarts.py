"""Numbering that begins again inside a document: two codes bound in one, or a copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from appliance.core.document import Problem
from appliance.ingest.layout.typography import Row
from appliance.ingest.page import PageContent, PageLayout, box_on
from appliance.ingest.structure.skeleton import Skeleton

BEFORE_MIN = 3  # number that a series has reached when it begins again


def restart_problems(
    skeleton: Skeleton, rows: Sequence[Row], layouts: Sequence[PageLayout]
) -> tuple[Problem, ...]:
    """Return where whole numbers go back to the first one without a Part that begins."""
    pages: Mapping[int, PageContent] = {page.content.number: page.content for page in layouts}
    last: dict[str, int] = {}
    containers = frozenset(skeleton.containers)
    problems = []
    for index, reading in sorted(skeleton.openings.items()):
        if index in containers:
            last.clear()
        first = reading.number[0]
        if reading.level.sequence == "once" or not isinstance(first, int):
            continue
        if first <= 1 and last.get(reading.level.series, 0) >= BEFORE_MIN:
            line = rows[index].line
            message = (
                f"The numbers begin again with {reading.printed} on page {line.page}: "
                "another document may be bound in here. Look at the page."
            )
            box = box_on(pages[line.page], line.x0, line.y0, line.x1, line.y1)
            problems.append(Problem(message, line.page, box))
        last[reading.level.series] = first
    return tuple(problems)
