"""What a line is to a drawing: a provision that bounds it, prose beside it, or lettering in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from appliance.ingest.formulas.numbers import number_of
from appliance.ingest.page import Line
from appliance.ingest.structure.captions import Style
from appliance.ingest.structure.markers import CJK, starts_upper
from appliance.ingest.structure.schemes import Level, Scheme
from appliance.ingest.structure.series import forms_of
from appliance.ingest.view import View

LineKind = Literal["provision", "prose", "lettering"]
CLEAN = 0.8  # share of letters and digits in running text; a drawing misread as text has less
INDENT = 0.3  # of the width of the text: running text never begins further in
KEY = 20  # lines that a key has, at most
EDGE = 14.0  # points from the edge of the text at which a number may stand
PROSE_WORDS, PROSE_WIDTH = 5, 0.42  # of the width of the text: a line of running text
SMALL = 0.8  # of the usual size: smaller type is lettering
FEW = 0.12  # of a page's lines: a left edge that so many share is one of the text's
_MARK = re.compile(r"\(?[A-Za-z0-9]{1,2}[).]?\s+(?:[A-Za-z]|[\d.,]+\s?[a-z])")  # "(8) Notional column"
_SHORT = re.compile(r"[^\W\d_]{2,}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SIGNS = re.compile(f"{CJK}{{2}}")  # which stand for a word, with or without spaces between
_PLAIN = re.compile(r"^[\w()\[\]'’‘“”\"/&%€£§°–—.,;:!?<>=≤≥±×+-]+$")
_ENDED = (".", ":", ";")
_PLACES = frozenset({"part", "requirement", "section", "clause", "paragraph", "annex"})


def kinds_of(view: View, scheme: Scheme, usual: Style) -> Mapping[int, LineKind]:
    """Return what each line of the view is, by its index in the layout."""
    levels = [level for level in scheme.levels if level.kind in _PLACES]
    prose = [line for _, line in view.lines if is_prose(line, _width(view, line), usual)]
    votes = Counter(round(line.x0 / 3) for line in prose)
    edges = [view.body.x0, *(3.0 * x for x, n in votes.items() if n >= max(2, FEW * len(prose)))]
    means = [r"\s".join(map(re.escape, word.split())) for word in scheme.captions.get("explained", ())]
    # a line that explains a symbol: "h is the height"
    explained = re.compile(rf"\S{{1,8}}\s(?:\S{{1,4}}\s)?(?:{'|'.join(means)})\b") if means else None
    kinds: dict[int, LineKind] = {}
    before: Line | None = None
    for index, line in view.lines:
        kind = _kind(view, line, levels, edges, usual)
        if kind == "lettering" and explained and _at_edge(line, edges) and explained.match(line.text):
            kind = "prose"
        if kind == "lettering" and before is not None and _continues(before, line):
            kind = "prose"
        kinds[index] = kind
        before = line if kind != "lettering" else None
    return kinds


def in_key(
    view: View,
    caption: int,
    captions: Collection[int],
    kinds: Mapping[int, LineKind],
    begins: Collection[str],
) -> list[int]:
    """Return the lines of the key that stands right over a caption: their marks look like numbers.

    `begins` are the words that a key begins with.
    """
    lines = sorted(view.lines, key=lambda item: item[1].y0)
    place = next((at for at, (index, _) in enumerate(lines) if index == caption), 0)
    found: list[int] = []
    for index, line in reversed(lines[max(0, place - KEY) : place]):
        found.append(index)
        if line.text.strip(" :.").casefold() in begins:
            return found
        if (kinds[index] == "provision" and not _MARK.match(line.text)) or index in captions:
            break
    return []


def is_prose(line: Line, width: float, usual: Style) -> bool:
    """Tell whether the line reads as running text in a column of that width (points)."""
    words = line.text.split()
    spoken = sum(max(bool(_WORD.search(word)), len(_SIGNS.findall(word))) for word in words)
    short = sum(bool(_SHORT.search(word)) for word in words)
    plain = sum(bool(_PLAIN.match(word)) for word in words)
    if spoken < PROSE_WORDS or plain < 0.85 * len(words) or line.size < SMALL * usual[2] / 2:
        return False
    signs = "".join(words)
    if sum(char.isalnum() for char in signs) < CLEAN * len(signs):
        return False
    gaps = sum(b.x0 - a.x1 > 1.8 * line.size for a, b in zip(line.words, line.words[1:], strict=False))
    return line.x1 - line.x0 >= PROSE_WIDTH * width and gaps <= 1 and 2 * short >= len(words)


def _kind(view: View, line: Line, levels: Sequence[Level], edges: Sequence[float], usual: Style) -> LineKind:
    at_edge = _at_edge(line, edges)
    large = line.size >= 0.93 * usual[2] / 2
    if at_edge and large and any(_starts(level, line, usual) for level in levels):
        return "provision"
    if line.x1 > view.body.x1 - 3 * line.size and number_of(line):
        return "provision"
    if is_prose(line, _width(view, line), usual):
        inner = line.x0 > view.body.x0 + INDENT * view.body.width and not at_edge
        return "lettering" if inner else "prose"
    bold = line.bold and not usual[1] and large and view.page.trust == "digital"
    words = len(_WORD.findall(line.text))
    numbered = words and any(form.joint for form, _ in forms_of(line.text))  # "4.10 Balance"
    title = numbered or (starts_upper(line.text) and words >= 2)
    return "provision" if bold and title and any(abs(line.x0 - edge) <= 3 for edge in edges) else "lettering"


def _at_edge(line: Line, edges: Sequence[float]) -> bool:
    return any(abs(line.x0 - edge) <= EDGE for edge in edges)


def _starts(level: Level, line: Line, usual: Style) -> bool:
    """Tell whether the line begins with a number of this level and goes on as a provision does."""
    match = level.pattern.match(line.text)
    if match is None:
        return False
    heading = line.bold or line.size > 1.05 * usual[2] / 2
    if level.style == "heading" and not heading:
        return False
    rest = line.text[match.end() :].strip()
    spoken = _WORD.findall(rest)
    if not rest:
        return line.bold
    return bool(spoken) and (heading or len(spoken) >= 2 or rest[:1].isupper())


def _width(view: View, line: Line) -> float:
    """Return the width of the column in which the line stands, in points."""
    if line.column == 0:
        return view.body.width
    same = [other for _, other in view.lines if other.column == line.column]
    return max(max(o.x1 for o in same) - min(o.x0 for o in same), 0.3 * view.body.width)


def _continues(before: Line, line: Line) -> bool:
    """Tell whether the line is the short last line of the paragraph whose line stands before it."""
    close = -0.3 * line.size < line.y0 - before.y1 < 0.5 * line.size
    level = abs(line.x0 - before.x0) < 2.5 * line.size and line.x1 <= before.x1 + 2 * line.size
    ended = before.text.rstrip().endswith(_ENDED)
    return close and level and abs(line.size - before.size) < 0.1 * before.size and not ended
