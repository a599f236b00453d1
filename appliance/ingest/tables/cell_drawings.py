"""Drawings in the cells of a scanned table, told from its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.geometry import Area, Rule, Ruling, around

MEETS = 3.0  # points between lines that meet
SMALL = 0.5  # of the table's width and height: what is larger is no drawing in a cell
FRAME = 0.9  # of the table's width: a rule of its frame
MANY = 300  # rules: more are not compared with each other


def without_drawings(rules: Ruling, area: Area) -> Ruling:
    """Return the rules of a table without those of drawings in its cells."""
    framed = sum(rule.length > FRAME * area.width for rule in rules.horizontal) > 1
    across = [Area(rule.start, rule.at, rule.end, rule.at) for rule in rules.horizontal]
    down = [Area(rule.at, rule.start, rule.at, rule.end) for rule in rules.vertical]
    if not framed or len(across) + len(down) > MANY:
        return rules
    groups = _groups([*across, *down])
    drawings = [group for group in groups if _is_drawing([(across + down)[at] for at in group], area)]
    hulls = [around([(across + down)[at] for at in group]) for group in drawings]
    alone = [group for group in groups if len(group) == 1]
    beside = [group for group in alone if _is_beside((across + down)[group[0]], hulls, area)]
    drawn = {at for group in (*drawings, *beside) for at in group}
    return replace(
        rules,
        horizontal=_kept(rules.horizontal, drawn, 0),
        vertical=_kept(rules.vertical, drawn, len(across)),
    )


def _kept(rules: Sequence[Rule], drawn: set[int], first: int) -> tuple[Rule, ...]:
    return tuple(rule for at, rule in enumerate(rules, first) if at not in drawn)


def _groups(lines: Sequence[Area]) -> list[list[int]]:
    """Return the numbers of the lines in sets of those that meet each other."""
    groups: list[list[int]] = []
    for at, line in enumerate(lines):
        met = [group for group in groups if any(_meet(line, lines[other]) for other in group)]
        groups = [group for group in groups if not any(group is other for other in met)]
        groups.append([at, *(other for group in met for other in group)])
    return groups


def _meet(one: Area, other: Area) -> bool:
    across = one.x0 - MEETS <= other.x1 and other.x0 - MEETS <= one.x1
    return across and one.y0 - MEETS <= other.y1 and other.y0 - MEETS <= one.y1


def _is_drawing(lines: Sequence[Area], area: Area) -> bool:
    """Tell whether lines that meet each other, and nothing else, are a drawing."""
    hull = around(lines)
    both = any(line.width > 0 for line in lines) and any(line.height > 0 for line in lines)
    inside = area.x0 + MEETS < hull.x0 and hull.x1 < area.x1 - MEETS
    return both and inside and hull.width < SMALL * area.width and hull.height < SMALL * area.height


def _is_beside(line: Area, drawings: Sequence[Area], area: Area) -> bool:
    """Tell whether a short line stands at the height of a drawing, or over or under it."""
    if max(line.width / area.width, line.height / area.height) > SMALL:
        return False
    return any(
        (line.y0 < drawing.y1 and drawing.y0 < line.y1 + MEETS)
        or (line.x0 < drawing.x1 and drawing.x0 < line.x1 and _near(line, drawing))
        for drawing in drawings
    )


def _near(line: Area, drawing: Area) -> bool:
    """Tell whether a line stands no further from a drawing than this is high."""
    return max(line.y0 - drawing.y1, drawing.y0 - line.y1) < drawing.height
