"""Numbered formulas: the number at the right edge, the rows that belong to it, what explains its symbols."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from appliance.core.document import Box, Document, Formula, Label, Problem
from appliance.core.mechanisms import mechanism
from appliance.ingest.figures import LineKind, kinds_of
from appliance.ingest.formulas.text import Numbered, formula_text, incomplete, linear, number_of
from appliance.ingest.page import Found, Line, PageLayout, Place, around, box_on, ruling, views
from appliance.ingest.references.part_words import load_words
from appliance.ingest.structure.captions import body_style
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.structure.sequence import CJK

RIGHT = 0.72  # of the width of the text: a number stands further right
OVER = 0.7  # type sizes between the rows of one formula
SMALL = 0.86  # of the type of a formula: its indices
DENOMINATOR = 3.0  # type sizes over the last row of a formula within which its bar stands
SIGNS_THAT_MEAN = frozenset({"=", "–", "—", "-", ":"})
TALL = 1.6  # type sizes that a formula that is a picture may reach over and under its number
FRACTION = 0.9  # type sizes that a fraction may reach over and under the rows of a poor text layer
BETWEEN = 3  # rows between a formula and the list of its signs
SHORT = 12  # words of such a row
AHEAD = 0.3  # type sizes by which explanations go on further in than the signs they explain
_SIGNS = re.compile(r"[=<>≤≥≈~±+×·∙⋅Σ∑∫√/^]")
_ROOT = re.compile(r"√(?!\s*\()\s*\w\s*[^\W_]")
OPEN_ROOT = "how far its root reaches is not told"
_WORD = re.compile(rf"{CJK}{{2}}|[^\W\d_]{{4,}}")


@dataclass(frozen=True)
class _Row:
    """A line with what it is; `number` where it ends with the number of a formula.

    `legend` tells that it begins a list of signs, `explains` that it says what a sign is.
    """

    page: PageLayout
    index: int
    line: Line
    kind: LineKind
    number: Numbered | None
    legend: bool
    explains: bool


@mechanism("formulas.finder", without=lambda *_: Found((), frozenset()))
def find_formulas(layouts: Sequence[PageLayout], scheme: Scheme, taken: Collection[Place]) -> Found[Formula]:
    """Return the numbered formulas in document order; their lines are left to the clauses."""
    rows = _rows(layouts, scheme, taken)
    groups: list[tuple[int, Numbered, list[_Row]]] = []
    for at, row in enumerate(rows):
        if row.number is None:
            continue
        number, group = row.number, _group(rows, at)
        said = [*(word.text for word in number.before), *(r.line.text for r in group if r is not row)]
        # a whole number in brackets needs an equation
        if "." in number.number or not number.number[-1].isdecimal() or _SIGNS.search(" ".join(said)):
            groups.append((at, number, group))
    notes = [level.pattern for level in scheme.levels if level.kind == "note"]
    parts = {id(row) for _, _, group in groups for row in group}
    found = []
    for place, (at, number, group) in enumerate(groups):
        home = rows[at]
        where = _where(rows, at, {other for other, _, _ in groups[place:]}, parts, notes)
        label = number.number if "(" in number.number else f"({number.number})"
        words = [word for row in group for word in (number.before if row is home else row.line.words)]
        extent = around(row.line for row in group)
        bars = [
            stroke
            for stroke in home.page.content.strokes
            if extent.y0 <= stroke.y0
            and stroke.y1 <= extent.y1
            and stroke.x0 >= extent.x0 - 2
            and stroke.x1 <= extent.x1 + 2
        ]
        text = formula_text(words, ruling(bars).horizontal) if words else ""
        explained = "\n".join(linear(row.line.words) for row in where)
        found.append(Formula(Label((label,)), text, explained, (_box(home, group),)))
    scanned = {layout.content.number for layout in layouts if layout.content.trust == "ocr"}
    unread, unsure = [], []
    for formula in found:
        box = formula.boxes[0]
        if not formula.text:
            message = f"The signs of formula {formula.label} have no text."
            unread.append(Problem(message, box.page, box, doubt=True))
        elif box.page not in scanned:  # there none is sure: `doubtful_formulas`
            open_root = OPEN_ROOT if _ROOT.search(formula.text) else ""
            if why := incomplete(formula.text) or open_root:
                unsure.append(_doubt(formula, why))
    return Found(tuple(found), problems=(*unread, *unsure))


def _doubt(formula: Formula, why: str) -> Problem:
    box = formula.boxes[0]
    message = f"Formula {formula.label} on page {box.page} was read with doubt ({why}): "
    return Problem(message + "its picture counts, not its text.", box.page, box, doubt=True)


def _rows(layouts: Sequence[PageLayout], scheme: Scheme, taken: Collection[Place]) -> list[_Row]:
    """Return the upright lines of the document that no table or figure has taken."""
    seen = [next(iter(views(layout))) for layout in layouts]
    usual, said = body_style(seen), load_words(scheme.name)
    means = said.means | SIGNS_THAT_MEAN
    rows: list[_Row] = []
    for layout, view in zip(layouts, seen, strict=True):
        page, upright = layout.content.number, [line for line in layout.lines if line.upright]
        free = [(i, line) for i, line in enumerate(layout.lines) if line.upright and (page, i) not in taken]
        kinds = kinds_of(view, scheme, usual) if free else {}
        for index, line in free:
            kind, words = kinds.get(index, "lettering"), line.words
            number = number_of(line, words=scheme.captions.get("formula", ()))
            if number is not None:  # it ends at the right edge of its column
                column = around(other for other in upright if other.column == line.column)
                right = max(column.x0 + RIGHT * (column.x1 - column.x0), 0.4 * layout.content.width)
                number = number if line.x1 > right else None
            plain = [word.text for at, word in enumerate(words) if not word.rise or at == 0][1:3]
            apart = any(b.x0 - a.x1 > 1.2 * line.size for a, b in pairwise(words[:4]))
            # it begins with a sign and says what it is
            explains = len(words) >= 3 and len(words[0].text) <= 8
            explains = explains and (not means.isdisjoint(plain) or (apart and kind != "provision"))
            legend = bool(said.legend.match(line.text))
            rows.append(_Row(layout, index, line, kind, number, legend, explains))
    return rows


def _group(rows: Sequence[_Row], at: int) -> list[_Row]:
    """Return the rows of the formula whose number stands in this one, downwards."""
    group = [rows[at]]
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(rows) and _joins(rows[place], group, step):
            group.append(rows[place])
            place += step
    return sorted(group, key=lambda row: row.index)


def _joins(row: _Row, group: Sequence[_Row], step: int) -> bool:
    """Tell whether the row next to the group is part of the same formula: signs and few words."""
    text = row.line.text
    if row.number or row.page is not group[0].page or row.legend or text.rstrip().endswith(":"):
        return False
    left, right = min(r.line.x0 for r in group), max(r.line.x1 for r in group)
    top, low = min(r.line.y0 for r in group), max(r.line.y1 for r in group)
    inside = step > 0 and left - 2 <= row.line.x0 and row.line.x1 <= right + 2
    if inside:  # under the fraction bar of the formula, or small type: an index
        home = next((r for r in group if r.number), group[0]).line
        first = row.line.words[0]
        middle = (first.x0 + first.x1) / 2
        bars = (
            s for s in row.page.content.strokes if s.y1 - s.y0 < 2 and s.x0 >= left - 2 and s.x1 <= right + 2
        )
        reach = low - DENOMINATOR * home.size
        under = any(reach < s.y0 < row.line.y0 + 2 and s.x0 - 2 <= middle <= s.x1 + 2 for s in bars)
        inside = under or (row.line.size < SMALL * home.size and len(row.line.words) <= 2)
    words = len(_WORD.findall(text))
    spoken = words > 3 or 2 * words > len(row.line.words) or text[:1].isspace()
    if spoken or not (row.kind == "lettering" or (inside and row.kind == "prose")):
        return False
    gap = top - row.line.y1 if step < 0 else row.line.y0 - low
    return gap < (OVER if step < 0 or inside else -0.1) * row.line.size


def _where(
    rows: Sequence[_Row],
    at: int,
    numbered: Collection[int],
    parts: Collection[int],
    notes: Sequence[re.Pattern[str]],
) -> list[_Row]:
    """Return the lines that explain the signs: the list after the group in which the formula stands."""
    place = at + 1
    skipped = 0
    while place < len(rows):
        row = rows[place]
        following = rows[place + 1] if place + 1 < len(rows) else None
        # the list begins here: its word alone, or with the first sign below
        if row.legend and (len(row.line.words) <= 2 or (following and following.explains)):
            break
        own = place in numbered or id(row) in parts
        skipped += not own
        # a bound or a piece of a fraction may stand between a formula and its list
        short = len(row.line.words) <= SHORT and not row.line.text.rstrip().endswith(".")
        if not own and (skipped > BETWEEN or not short or row.kind == "provision"):
            return []
        place += 1
    if place >= len(rows) or rows[place].page.content.number - rows[at].page.content.number > 1:
        return []
    head = rows[place]
    kept = [head]
    entry: _Row | None = head if len(head.line.words) > 2 else None
    for row in rows[place + 1 :]:
        if any(note.match(row.line.text) for note in notes):
            break
        if row.explains:
            entry = row
        elif entry is None or row.kind == "provision" or row.line.x0 < entry.line.x0 + AHEAD * row.line.size:
            break
        kept.append(row)
    return kept if len(kept) > 1 else []


def _box(home: _Row, group: Sequence[_Row]) -> Box:
    """Return the box of the rows, wider where more is drawn than the text layer has.

    A formula that is a picture reaches from the left edge of the text; in a poor text layer numerators
    and denominators are missing. Neither reaches over the lines above and below.
    """
    lines = [row.line for row in group]
    hull = around(lines)
    x0, y0, x1, y1 = hull.x0, hull.y0, hull.x1, hull.y1
    column = [o for o in home.page.lines if o.column == home.line.column and o.upright and o not in lines]
    picture = len(lines) == 1 and home.number is not None and not home.number.before
    if picture:
        x0 = min([x0, *(o.x0 for o in column)])
    if picture or home.page.content.trust == "ocr":
        reach = (TALL if picture else FRACTION) * home.line.size
        y0 = max([y0 - reach, *(o.y1 + 2 for o in column if o.y1 <= y0 + 1)])
        y1 = min([y1 + reach, *(o.y0 - 2 for o in column if o.y0 >= y1 - 1)])
    return box_on(home.page.content, x0 - 2, y0 - 2, x1 + 2, y1 + 2)


def doubtful_formulas(document: Document) -> Iterator[Problem]:
    """Yield a doubt for each formula of a scanned page: recognition reads no fractions and few indices."""
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    for formula in document.formulas:
        if formula.text and formula.boxes and formula.boxes[0].page in scanned:  # without text it is told
            yield _doubt(formula, incomplete(formula.text) or "signs may have been lost from it")
