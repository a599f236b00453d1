"""Lines that open as captions and are entries of a list of tables or figures.

Rules of this module: pure; an entry ends in leaders or in a page number far behind its text. One whose
text reaches to its page number is told by the entries above and below it, whose numbers end where its does.
"""

from __future__ import annotations

import re

from appliance.ingest.page import Line
from appliance.ingest.view import View

FEWEST = 3  # other entries that tell of one whose text reaches to its number
ALIGNED = 1.0  # points between their right edges
APART = 2.0  # type sizes between the text of an entry and its page number
_LEADERS = re.compile(r"(?:\.\s?){4,}")


def listed(view: View, line: Line) -> bool:
    """Tell whether the line is an entry among others of its list."""
    if is_entry(line):
        return True
    if not line.words[-1].text.isdecimal():
        return False
    others = (
        other
        for _, other in view.lines
        if other.words[0].text == line.words[0].text and abs(other.x1 - line.x1) <= ALIGNED
    )
    return sum(map(is_entry, others)) >= FEWEST


def is_entry(line: Line) -> bool:
    """Tell whether the line ends as an entry does: in leaders, or in a page number set apart."""
    last, before = line.words[-1], line.words[max(len(line.words) - 2, 0)]
    apart = last.text.isdecimal() and last.x0 - before.x1 > APART * line.size
    return apart or bool(_LEADERS.search(line.text))
