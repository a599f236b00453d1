"""Rules of a scanned table: gaps closed, strokes of drawings left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import Area, Rule, Ruling, around, covered
from appliance.ingest.page import Word

REACH = 0.55  # of the frame's width that the pieces of a level cover together
DRAWN = 0.3  # of a column's width, from which the level was drawn there
UPRIGHT = 0.12  # of the frame's height that the pieces of an upright line cover together
LEVELS, EDGES = 4, 3  # at least, for a table to be one of ruled rows and columns
MIDDLE = 0.3  # of the row's height, off its middle
NEAR = 3.0  # points between lines that are one
THROUGH = 2.5  # points of a word on both sides of a line that it runs through
CLEAR, GONE = 0.9, 0.1  # shares of a row over which an upright line is drawn: all of it, nothing


@mechanism(
    "tables.mended_rules",
    "Broken rules are joined before the grid is made.",
    without=lambda rules, _area, _words: rules,
)
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
    open_at = {at: _open_bands(at, sides, (top, bottom), rules, words) for at in sides[1:-1]}
    for band in pairwise(whole):
        vertical += _upright(band, sides, rules, words, open_at)
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
    band: tuple[float, float],
    sides: Sequence[float],
    rules: Ruling,
    words: Sequence[Word],
    open_at: Mapping[float, Sequence[tuple[float, float]]],
) -> list[Rule]:
    """Return the pieces of upright lines that are missing in one row and not `open_at` there in print."""
    inside = [word for word in words if band[0] < (word.y0 + word.y1) / 2 < band[1]]
    crossed = {at for at in sides[1:-1] for word in inside if word.x0 + THROUGH < at < word.x1 - THROUGH}
    if len(crossed) > 1:
        return []
    found = []
    for left, at, right in zip(sides, sides[1:], sides[2:], strict=False):
        begins = min((r.start for r in rules.vertical if abs(r.at - at) < NEAR), default=band[1])
        both = all(
            any(start < (word.x0 + word.x1) / 2 < end for word in inside)
            for start, end in ((left, at), (at, right))
        )
        if at not in crossed and (begins <= (band[0] + band[1]) / 2 or both):
            gaps = sorted([*open_at.get(at, ()), *_under_head(at, begins, band, rules.horizontal)])
            found += [Rule(at, *piece) for piece in _without(band, gaps)]
    return found


def _under_head(
    at: float, begins: float, band: tuple[float, float], levels: Sequence[Rule]
) -> list[tuple[float, float]]:
    """Return the upper part of a row that an upright line leaves open: it begins at a level within it."""
    within = band[0] + 2 * NEAR < begins < band[1] - 2 * NEAR
    met = any(abs(r.at - begins) < NEAR and r.start - NEAR <= at <= r.end + NEAR for r in levels)
    return [(band[0], begins)] if within and met else []


def _without(band: tuple[float, float], gaps: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield what is left of a row without the gaps in it."""
    start = band[0]
    for first, end in gaps:
        if first < band[1] - NEAR and end > band[0] + NEAR:
            if first > start + NEAR:
                yield start, first
            start = max(start, end)
    if start < band[1] - NEAR:
        yield start, band[1]


def _open_bands(
    at: float, sides: Sequence[float], frame: tuple[float, float], rules: Ruling, words: Sequence[Word]
) -> list[tuple[float, float]]:
    """Return between which levels an upright line was left out in print for a value of both its columns.

    A line that is drawn between two levels in part has faded, and may have anywhere.
    """
    left, right = max(side for side in sides if side < at), min(side for side in sides if side > at)
    own = [r.at for r in rules.horizontal if r.start < (left + at) / 2 and r.end > (at + right) / 2]
    levels = sorted({*frame, *(level for level in own if frame[0] < level < frame[1])})
    bands = [band for band in pairwise(levels) if band[1] - band[0] > 2 * NEAR]
    shares = [covered(rules.vertical, at, band[0] + NEAR, band[1] - NEAR, NEAR) for band in bands]
    if any(GONE < share < CLEAR for share in shares) or not any(share >= CLEAR for share in shares):
        return []
    return [
        band
        for band, share in zip(bands, shares, strict=True)
        if share <= GONE and _stands(words, left, at, band) and not _stands(words, at, right, band)
    ]


def _stands(words: Sequence[Word], left: float, right: float, band: tuple[float, float]) -> bool:
    """Tell whether a word stands in a column between two levels."""
    return any(
        left < (word.x0 + word.x1) / 2 < right and band[0] < (word.y0 + word.y1) / 2 < band[1]
        for word in words
    )


MEETS = 3.0  # points between lines that meet
SMALL = 0.5  # of the table's width and height: what is larger is no drawing in a cell
FRAME = 0.9  # of the table's width: a rule of its frame
MANY = 300  # rules: more are not compared with each other


@mechanism(
    "tables.without_drawings",
    "Lines of drawings in a table are no rules of its grid.",
    without=lambda rules, _area: rules,
)
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
