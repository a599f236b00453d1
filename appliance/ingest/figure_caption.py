"""The rest of a figure's title, where it is set in the middle or in the type of the text.

Rules of this module: pure. A line right under a caption goes on its title if both have the same
middle and different edges: running text shares its left edge, and so does a paragraph that follows. It
goes on, too, where the line above had no room left and this one begins as no sentence does: with a
dash, an opening bracket that holds no number, or a small letter.
"""

from __future__ import annotations

import re
from dataclasses import replace

from appliance.ingest.captions import Caption
from appliance.ingest.page import Line
from appliance.ingest.rules import Area

MOST = 4  # lines of a title
MIDDLE = 0.6  # type sizes between the middles of two lines
INDENT = 1.0  # type sizes between their left edges, at least
CLOSE = 0.6  # type sizes of white between them, at most
FULL = 3.0  # type sizes that a full line leaves free at its right
TIGHT = 0.35  # type sizes of white between the lines of a title
LEFT = 0.5  # type sizes by which its next line may stand left of it
_RUNS_OVER = re.compile(r"[-–—]\s?\w|\((?!\s?\w{1,3}\s?\))|[^\W\d_A-Z](?!\w{0,2}\))")


def completed(caption: Caption) -> Caption:
    """Return the caption with the centred lines that go on its title."""
    seen = dict(caption.view.lines)
    members = [seen[index] for index in caption.lines if index in seen]
    if caption.kind != "figure" or not members or not _alone(members[-1], caption.area):
        return caption
    for index, line in sorted(seen.items(), key=lambda item: item[1].y0):
        last = members[-1]
        if len(members) >= MOST or not caption.title:
            break
        if index in caption.lines or not (_goes_on(last, line) or _runs_over(caption, last, line)):
            continue
        members.append(line)
        caption = replace(
            caption,
            title=f"{caption.title} {line.text}".rstrip(" ."),
            lines=(*caption.lines, index),
            area=_around(caption.area, line),
        )
    return caption


def _alone(line: Line, head: Area) -> bool:
    """Tell whether the line holds the caption alone, with no other beside it."""
    return line.x0 >= head.x0 - 1 and line.x1 <= head.x1 + 1


def _goes_on(last: Line, line: Line) -> bool:
    size = max(last.size, 1.0)
    alike = abs(line.size - last.size) < 0.12 * size and line.bold == last.bold
    close = -0.4 * size < line.y0 - last.y1 < CLOSE * size and line.y0 > last.y0 + 0.5 * size
    middle = abs(line.x0 + line.x1 - last.x0 - last.x1) < 2 * MIDDLE * size
    return alike and close and middle and abs(line.x0 - last.x0) > INDENT * size


def _runs_over(caption: Caption, last: Line, line: Line) -> bool:
    """Tell whether a line goes on in the middle of a sentence under a full line of the title."""
    size = max(last.size, 1.0)
    full = last.x1 > caption.view.body.x1 - FULL * size and not last.text.rstrip().endswith((".", ":"))
    tight = -0.4 * size < line.y0 - last.y1 < TIGHT * size and line.y0 > last.y0 + 0.5 * size
    opens = _RUNS_OVER.match(line.text)
    alike = not opens or not opens.group()[0].isalpha() or abs(line.size - last.size) < 0.06 * size
    return bool(opens) and full and tight and alike and line.x0 > caption.area.x0 - LEFT * size


def _around(area: Area, line: Line) -> Area:
    return Area(min(area.x0, line.x0), area.y0, max(area.x1, line.x1), max(area.y1, line.y1))
