"""The lettering of a figure as text: labels and axis titles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from appliance.core.mechanisms import mechanism
from appliance.ingest.figures.regions import NEAR
from appliance.ingest.geometry import Area, around
from appliance.ingest.page import Line, Word
from appliance.ingest.tables.cells import Fragment, rows_of, text_of

LEADING = 0.55  # type sizes between the lines of one label, at most
_SIGNS = re.compile(r"[^\W_]", re.UNICODE)
_NOISE = 0.5  # share of letters and digits under which a word is a drawing misread as text
_LONG = 3  # signs; a shorter word may be a sign of its own ("±", "<=")


def lettering(words: Iterable[Word]) -> str:
    """Return the words as labels, one to a line."""
    upright = [word for word in words if _readable(word.text)]
    labels: list[list[Fragment]] = []
    for row in rows_of(upright):
        for fragment in row.fragments:
            home = next((label for label in reversed(labels) if _under(label[-1], fragment)), None)
            if home is None:
                labels.append([fragment])
            else:
                home.append(fragment)
    texts = (" ".join(text_of(fragment.words) for fragment in label) for label in labels)
    return "\n".join(text for text in texts if _SIGNS.search(text))


def _readable(text: str) -> bool:
    signs = len(_SIGNS.findall(text))
    return signs >= _NOISE * len(text) or (len(text) < _LONG and len(set(text)) == len(text))


def _under(upper: Fragment, lower: Fragment) -> bool:
    """Tell whether the lower run is the next line of the label that ends with the upper one."""
    size = upper.words[0].size
    gap = min(w.y0 for w in lower.words) - max(w.y1 for w in upper.words)
    shared = min(upper.x1, lower.x1) - max(upper.x0, lower.x0)
    beside = shared >= 0.5 * min(upper.x1 - upper.x0, lower.x1 - lower.x0)
    alike = abs(lower.words[0].size - size) < 0.15 * size
    placed = (
        abs(upper.x0 - lower.x0) < size
        or abs(upper.x1 - lower.x1) < size
        or abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) < 2 * size
    )
    spoken = any(char.isalpha() for word in (*upper.words, *lower.words) for char in word.text)
    return -0.5 * size < gap < LEADING * size and beside and alike and placed and spoken


@mechanism(
    "figures.axis_labels",
    "The lettering along the axes belongs to a figure.",
    without=lambda area, _aside: area,
)
def with_axis_labels(area: Area, aside: Sequence[Line]) -> Area:
    """Return the area of a drawing with the lines beside it that run up or down, one after the other."""
    waiting = [line for line in aside if _level(line, area)]
    while joined := [line for line in waiting if _beside(line, area)]:
        waiting = [line for line in waiting if line not in joined]
        area = around([area, *joined])
    return area


def _level(line: Line, area: Area) -> bool:
    return area.y0 - line.size <= line.y0 and line.y1 <= area.y1 + line.size


def _beside(line: Line, area: Area) -> bool:
    return max(area.x0 - line.x1, line.x0 - area.x1) <= NEAR * line.size
