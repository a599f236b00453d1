"""Gaps in the ruled lines of a scanned table closed: a hairline is lost where the scan is pale.

Rules of this module: pure; only tables of scanned pages whose lines stand on few levels that reach over most
of the frame are mended. A level is closed where it is drawn over a part of a column, and over a whole column
only where the texts over and under it each stand in the middle of their own row: a label for two rows stands
in the middle of both. An upright line goes on downwards from where it begins, upwards where words stand on
both sides of it; never through a word, and not in a row whose words run over several columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from appliance.ingest.page import Word
from appliance.ingest.rules import Area, Rule, Ruling

REACH = 0.55  # of the frame's width that the pieces of a level cover together
DRAWN = 0.3  # of a column's width, from which the level was drawn there
UPRIGHT = 0.12  # of the frame's height that the pieces of an upright line cover together
LEVELS, EDGES = 4, 3  # at least, for a table to be one of ruled rows and columns
MIDDLE = 0.3  # of the row's height, off its middle
NEAR = 3.0  # points between lines that are one
THROUGH = 2.5  # points of a word on both sides of a line that it runs through


def mended(rules: Ruling, area: Area, words: Sequence[Word]) -> Ruling:
    """Return the rules of a scanned table with the gaps in its levels and upright lines closed."""
    frame = [rule for rule in rules.horizontal if rule.length > 0.9 * area.width]
    if len(frame) < 2:
        return rules
    left, right = min(rule.start for rule in frame), max(rule.end for rule in frame)
    top, bottom = min(rule.at for rule in frame), max(rule.at for rule in frame)
    edges = _places(rules.vertical, UPRIGHT * (bottom - top), left, right)
    whole = _places(rules.horizontal, REACH * (right - left), top, bottom)
    if len(edges) < EDGES or len(whole) < LEVELS:
        return rules
    sides = sorted({left, *edges, right})
    horizontal = list(rules.horizontal)
    for over, level, under in zip(whole, whole[1:], whole[2:], strict=False):
        horizontal += _closed(level, (over, under), sides, rules.horizontal, words)
    vertical = list(rules.vertical)
    for band in pairwise(whole):
        vertical += _upright(band, sides, rules.vertical, words)
    return replace(rules, horizontal=tuple(horizontal), vertical=tuple(vertical))


def _places(rules: Sequence[Rule], least: float, first: float, last: float) -> list[float]:
    """Return where lines stand whose pieces are long enough together, the frame's own sides with them."""
    found: dict[float, float] = {}
    for rule in rules:
        home = next((at for at in found if abs(at - rule.at) < NEAR), rule.at)
        found[home] = found.get(home, 0.0) + rule.length
    kept = [at for at, length in found.items() if length >= least and first - NEAR <= at <= last + NEAR]
    return sorted(kept)


def _closed(
    level: float,
    rows: tuple[float, float],
    sides: Sequence[float],
    rules: Sequence[Rule],
    words: Sequence[Word],
) -> list[Rule]:
    """Return the pieces of a level that are missing in its columns."""
    drawn = [rule for rule in rules if abs(rule.at - level) < NEAR]
    found = []
    for left, right in pairwise(sides):
        share = sum(max(0.0, min(r.end, right) - max(r.start, left)) for r in drawn) / max(right - left, 1.0)
        inside = [word for word in words if left < (word.x0 + word.x1) / 2 < right]
        crossed = any(word.y0 + THROUGH < level < word.y1 - THROUGH for word in inside)
        apart = _centred(inside, rows[0], level) and _centred(inside, level, rows[1])
        if not crossed and (share >= DRAWN or apart):
            found.append(Rule(level, left, right))
    return found


def _centred(words: Sequence[Word], top: float, bottom: float) -> bool:
    """Tell whether the words between two levels stand in the middle between them."""
    own = [word for word in words if top < (word.y0 + word.y1) / 2 < bottom]
    if not own:
        return False
    middle = (min(word.y0 for word in own) + max(word.y1 for word in own)) / 2
    return abs(middle - (top + bottom) / 2) <= MIDDLE * (bottom - top)


def _upright(
    band: tuple[float, float], sides: Sequence[float], rules: Sequence[Rule], words: Sequence[Word]
) -> list[Rule]:
    """Return the pieces of upright lines that are missing in one row."""
    inside = [word for word in words if band[0] < (word.y0 + word.y1) / 2 < band[1]]
    crossed = {at for at in sides[1:-1] for word in inside if word.x0 + THROUGH < at < word.x1 - THROUGH}
    if len(crossed) > 1:
        return []
    found = []
    for left, at, right in zip(sides, sides[1:], sides[2:], strict=False):
        begins = min((r.start for r in rules if abs(r.at - at) < NEAR), default=band[1])
        both = all(
            any(start < (word.x0 + word.x1) / 2 < end for word in inside)
            for start, end in ((left, at), (at, right))
        )
        if at not in crossed and (begins <= (band[0] + band[1]) / 2 or both):
            found.append(Rule(at, *band))
    return found
