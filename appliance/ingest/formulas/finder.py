"""Numbered formulas: the number at the right edge, the rows that belong to it, what explains its symbols."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from appliance.core.document import Box, Document, Formula, Label, Problem
from appliance.core.mechanisms import mechanism
from appliance.ingest.figures.line_roles import LineKind, kinds_of
from appliance.ingest.formulas.numbers import Numbered, number_of
from appliance.ingest.formulas.text import formula_text, incomplete, linear
from appliance.ingest.geometry import Rule, ruling
from appliance.ingest.page import Found, Line, PageLayout, box_on
from appliance.ingest.references.words import load_words
from appliance.ingest.structure.captions import Style, body_style
from appliance.ingest.structure.markers import CJK
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.view import View, views

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


@mechanism(
    "formulas.finder",
    "Numbered formulas are set apart from the text.",
    without=lambda *_: Found((), frozenset()),
)
def find_formulas(
    layouts: Sequence[PageLayout], scheme: Scheme, taken: Collection[tuple[int, int]]
) -> Found[Formula]:
    """Return the numbered formulas in document order; their lines are left to the clauses."""
    rows = _rows(layouts, scheme, taken)
    groups = [(at, _group(rows, at)) for at, row in enumerate(rows) if row.number]
    groups = [(at, group) for at, group in groups if _is_formula(rows[at], group)]
    labels = _labels([rows[at] for at, _ in groups])
    notes = [level.pattern for level in scheme.levels if level.kind == "note"]
    found = []
    for place, (at, group) in enumerate(groups):
        following = [other for other, _ in groups[place + 1 :]]
        where = _where(rows, at, {at, *following}, {id(r) for _, g in groups for r in g}, notes)
        found.append(_formula(labels[place], rows[at], group, where))
    unread = [f for f in found if not f.text]
    problems = [
        Problem(f"The signs of formula {f.label} have no text.", f.boxes[0].page, f.boxes[0], doubt=True)
        for f in unread
    ]
    scanned = {layout.content.number for layout in layouts if layout.content.trust == "ocr"}
    sure = [f for f in found if f.text and f.boxes[0].page not in scanned]  # of scans none is: `sign_doubts`
    return Found(tuple(found), problems=(*problems, *_unsure(sure)))


def _unsure(found: Sequence[Formula]) -> Iterator[Problem]:
    """Yield a problem for each formula whose signs do not follow each other as those of one can."""
    for formula in found:
        why = incomplete(formula.text) or (OPEN_ROOT if _ROOT.search(formula.text) else "")
        if why:
            box = formula.boxes[0]
            message = (
                f"Formula {formula.label} on page {box.page} was read with doubt ({why}): "
                "its picture counts, not its text."
            )
            yield Problem(message, box.page, box, doubt=True)


def _rows(layouts: Sequence[PageLayout], scheme: Scheme, taken: Collection[tuple[int, int]]) -> list[_Row]:
    """Return the upright lines of the document that no table or figure has taken."""
    seen = [next(iter(views(layout))) for layout in layouts]
    usual = body_style(seen)
    rows: list[_Row] = []
    for layout, view in zip(layouts, seen, strict=True):
        rows += _page_rows(layout, view, scheme, usual, taken)
    return rows


def _page_rows(
    layout: PageLayout, view: View, scheme: Scheme, usual: Style, taken: Collection[tuple[int, int]]
) -> list[_Row]:
    kinds: Mapping[int, LineKind] | None = None
    words = load_words(scheme.name)
    rows = []
    page = layout.content.number
    for index, line in enumerate(layout.lines):
        if not line.upright or (page, index) in taken:
            continue
        kinds = kinds_of(view, scheme, usual) if kinds is None else kinds
        number = number_of(line, words=scheme.captions.get("formula", ()))
        if number is not None and not _at_edge(line, layout):
            number = None
        kind = kinds.get(index, "lettering")
        legend = bool(words.legend.match(line.text))
        rows.append(_Row(layout, index, line, kind, number, legend, _explains(line, kind, words.means)))
    return rows


def _at_edge(line: Line, layout: PageLayout) -> bool:
    """Tell whether the line ends at the right edge of its column."""
    same = [other for other in layout.lines if other.column == line.column and other.upright]
    x0, x1 = min(o.x0 for o in same), max(o.x1 for o in same)
    return line.x1 > x0 + RIGHT * (x1 - x0) and line.x1 > 0.4 * layout.content.width


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
    """Tell whether the row next to the group is part of the same formula."""
    first = group[0]
    if row.number or row.page is not first.page:
        return False
    inside = step > 0 and _is_inside(row, group)
    if not _is_math(row, inside=inside):
        return False
    top, low = min(r.line.y0 for r in group), max(r.line.y1 for r in group)
    gap = top - row.line.y1 if step < 0 else row.line.y0 - low
    return gap < (OVER if step < 0 or inside else -0.1) * row.line.size


def _is_inside(row: _Row, group: Sequence[_Row]) -> bool:
    """Tell whether a row under a formula stands under its fraction bar, or is small type: an index."""
    left, right = min(r.line.x0 for r in group), max(r.line.x1 for r in group)
    home = next((r for r in group if r.number), group[0])
    small = row.line.size < SMALL * home.line.size and len(row.line.words) <= 2
    reach = max(r.line.y1 for r in group) - DENOMINATOR * home.line.size
    bars = [
        s
        for s in row.page.content.strokes
        if s.y1 - s.y0 < 2 and reach < s.y0 < row.line.y0 + 2 and s.x0 >= left - 2 and s.x1 <= right + 2
    ]
    under = any(s.x0 - 2 <= (w.x0 + w.x1) / 2 <= s.x1 + 2 for s in bars for w in row.line.words[:1])
    return left - 2 <= row.line.x0 and row.line.x1 <= right + 2 and (small or under)


def _is_math(row: _Row, *, inside: bool = False) -> bool:
    """Tell whether the row can be a part of a formula: signs and few words; a part of its fraction any."""
    text = row.line.text
    if (
        row.kind not in ({"lettering", "prose"} if inside else {"lettering"})
        or row.legend
        or text.rstrip().endswith(":")
    ):
        return False
    words = len(_WORD.findall(text))
    return words <= 3 and 2 * words <= len(row.line.words) and not text[:1].isspace()


def _is_formula(row: _Row, group: Sequence[_Row]) -> bool:
    """Tell whether a numbered row is a formula; a whole number in brackets needs an equation."""
    number = row.number
    if number is None:
        return False
    before = " ".join(word.text for word in number.before)
    text = " ".join([before, *(r.line.text for r in group if r is not row)])
    structured = "." in number.number or not number.number[-1].isdecimal()
    return structured or bool(_SIGNS.search(text))


def _labels(rows: Sequence[_Row]) -> list[str]:
    """Return the numbers as labels, "" where a row has none."""
    printed = [row.number.number if row.number else "" for row in rows]
    return [number if "(" in number else f"({number})" for number in printed]


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
    while place < len(rows) and not _begins_list(rows, place):
        own = place in numbered or id(rows[place]) in parts
        skipped += not own
        if not own and (skipped > BETWEEN or not _passable(rows[place])):
            return []
        place += 1
    if place >= len(rows):
        return []
    head = rows[place]
    if rows[place].page.content.number - rows[at].page.content.number > 1:
        return []
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


def _begins_list(rows: Sequence[_Row], place: int) -> bool:
    """Tell whether the list of signs begins here: its word alone, or with the first sign below."""
    row = rows[place]
    if not row.legend:
        return False
    following = rows[place + 1] if place + 1 < len(rows) else None
    return len(row.line.words) <= 2 or bool(following and following.explains)


def _passable(row: _Row) -> bool:
    """Tell whether the row may stand between a formula and its list: a bound, a piece of a fraction."""
    short = len(row.line.words) <= SHORT and not row.line.text.rstrip().endswith(".")
    return short and row.kind != "provision"


def _explains(line: Line, kind: LineKind, means: frozenset[str]) -> bool:
    """Tell whether the line begins with a sign and says what it is."""
    words = line.words
    plain = [word.text for at, word in enumerate(words) if not word.rise or at == 0][:4]
    if len(words) < 3 or len(words[0].text) > 8:
        return False
    apart = any(b.x0 - a.x1 > 1.2 * line.size for a, b in pairwise(words[:4]))
    return bool((means | SIGNS_THAT_MEAN) & set(plain[1:3])) or (apart and kind != "provision")


def _formula(label: str, home: _Row, group: Sequence[_Row], where: Sequence[_Row]) -> Formula:
    number = home.number
    words = [word for row in group for word in (number.before if row is home and number else row.line.words)]
    text = formula_text(words, _bars(home.page, group)) if words else ""
    explained = "\n".join(linear(row.line.words) for row in where)
    return Formula(Label((label,)), text, explained, (_box(home, group),))


def _bars(page: PageLayout, group: Sequence[_Row]) -> list[Rule]:
    """Return the bars of fractions among the rows."""
    top, low = min(row.line.y0 for row in group), max(row.line.y1 for row in group)
    x0, x1 = min(row.line.x0 for row in group), max(row.line.x1 for row in group)
    near = [
        s for s in page.content.strokes if top <= s.y0 and s.y1 <= low and s.x0 >= x0 - 2 and s.x1 <= x1 + 2
    ]
    return list(ruling(near).horizontal)


def _box(home: _Row, group: Sequence[_Row]) -> Box:
    """Return the box of the rows, wider where more is drawn than the text layer has.

    A formula that is a picture reaches from the left edge of the text; in a poor text layer numerators
    and denominators are missing. Neither reaches over the lines above and below.
    """
    lines = [row.line for row in group]
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    y0, y1 = min(line.y0 for line in lines), max(line.y1 for line in lines)
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
            box = formula.boxes[0]
            why = incomplete(formula.text) or "signs may have been lost from it"
            message = f"Formula {formula.label} on page {box.page} was read with doubt ({why}): "
            yield Problem(message + "its picture counts, not its text.", box.page, box, doubt=True)
