"""Strokes of drawings in the cells of a ruled table, which part neither its columns nor its rows.

Rules of this module: pure geometry in points. What runs over half of the table is a rule of it, and so is
what hangs between two rules. A short upright stroke that hangs on other strokes alone is the edge of a
drawing (a section, a stress block), unless it stands on a rule and ends at a line that runs on over it on
both sides, or that meets a rule itself: that line stands under a head of several columns, or parts a cell.
A short line across that meets the edge of a drawing belongs to the drawing. For scans there is
`grid_drawings`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.rules import Area, Rule, Ruling

LONG = 0.5  # of the table's height or width: a rule of the table, whatever it meets
HANGS = 4.0  # points between the end of an upright rule and the rule across that it hangs on
MEETS = 1.8  # points between lines that meet; a drawing in a cell stands further off its rules


def without_strokes(rules: Ruling, area: Area) -> Ruling:
    """Return the rules of a table without the strokes of drawings in its cells."""
    across = [rule for rule in rules.horizontal if rule.length >= LONG * area.width]
    down = [rule for rule in rules.vertical if rule.length >= LONG * area.height]
    short = sorted(set(rules.horizontal) - set(across)), sorted(set(rules.vertical) - set(down))
    while short[1]:
        left = _unmet(short[0], down, (area.x0, area.x1))
        across += sorted(set(short[0]) - set(left))
        loose = _not_hanging(short[1], sorted(across), left, sorted(down), area)
        down += sorted(set(short[1]) - set(loose))
        done, short = (left, loose) == short, (left, loose)
        if done:
            break
    edges = set(short[1])
    drawn = {line for line in short[0] if edges and _touched(line, short[1])}
    return replace(
        rules,
        horizontal=tuple(rule for rule in rules.horizontal if rule not in drawn),
        vertical=tuple(rule for rule in rules.vertical if rule not in edges),
    )


def _unmet(lines: Sequence[Rule], down: Sequence[Rule], sides: tuple[float, float]) -> list[Rule]:
    """Return the lines across of which an end meets neither a side of the table nor an upright rule."""
    upright = sorted(down)
    return [line for line in lines if _ends_met(line, upright, sides) < 2]


def _ends_met(line: Rule, down: Sequence[Rule], sides: tuple[float, float]) -> int:
    """Return how many ends of a line across meet a side of the table or an upright rule there."""
    return sum(
        min(abs(end - side) for side in sides) <= MEETS
        or any(_holds(rule, line.at) for rule in _near(down, end, MEETS))
        for end in (line.start, line.end)
    )


def _not_hanging(
    strokes: Sequence[Rule], across: Sequence[Rule], others: Sequence[Rule], down: Sequence[Rule], area: Area
) -> list[Rule]:
    """Return the upright strokes that do not hang on rules at both ends."""
    kept = []
    for stroke in strokes:
        ends = [end for end in (stroke.start, stroke.end) if not _on_rule(end, across, area)]
        if len(ends) == 2 or (ends and not _on_line(stroke.at, ends[0], others, down, area)):
            kept.append(stroke)
    return kept


def _on_rule(y: float, across: Sequence[Rule], area: Area) -> bool:
    return min(y - area.y0, area.y1 - y) <= HANGS or bool(_near(across, y, HANGS))


def _on_line(x: float, y: float, lines: Sequence[Rule], down: Sequence[Rule], area: Area) -> bool:
    """Tell whether a line at this height runs on over both sides of x, or meets x and a rule elsewhere."""
    for line in _near(lines, y, MEETS):
        if line.start + HANGS < x < line.end - HANGS:
            return True
        if _holds(line, x) and _ends_met(line, down, (area.x0, area.x1)):
            return True
    return False


def _touched(line: Rule, strokes: Sequence[Rule]) -> bool:
    """Tell whether an upright stroke meets a line across."""
    first = bisect_left(strokes, line.start - MEETS, key=lambda rule: rule.at)
    last = bisect_right(strokes, line.end + MEETS, key=lambda rule: rule.at)
    return any(_holds(stroke, line.at) for stroke in strokes[first:last])


def _holds(rule: Rule, at: float) -> bool:
    return rule.start - MEETS <= at <= rule.end + MEETS


def _near(rules: Sequence[Rule], at: float, slack: float) -> Sequence[Rule]:
    """Return the rules, which are sorted, that stand this near a position."""
    first = bisect_left(rules, at - slack, key=lambda rule: rule.at)
    return rules[first : bisect_right(rules, at + slack, key=lambda rule: rule.at)]
