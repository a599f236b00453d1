"""Where the columns and rows of a table part: ruled lines first, then white space."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import median

from appliance.core.files import shipped
from appliance.ingest.page import Area, Rule, Ruling, covered
from appliance.ingest.tables.cells import Row, text_of
from appliance.text.numbers import CODED

TIGHT = 1.45  # type sizes from baseline to baseline: lines of one paragraph
LOOSE = 1.75  # more than this is white space on purpose
FAR = 2.4  # more than this and no sentence goes on
ENTRY = 4  # words: a line of no more may be an entry of a list
BARE = 2  # words of a value by itself: "15 net"
LISTED = 3  # letters of a word with which two entries of a list begin
SAME = 0.45  # type sizes between baselines of one printed row
OVERLAP = 0.6  # of the lower of two lines: what a slanting scan may leave them
INSIDE = 0.3  # of its height: what signs beside a line share with it, and lines of a paragraph do not
SEVERAL = 2  # titles of groups, from which a table has them
ENTRIES = 2  # rows with values for each title, at least, on the average
TITLE_GAP = 1.0  # type sizes of white over a line that stands alone: the title of a group
_OPEN_START = re.compile(r"^[a-z(,;/)]")
_ITEM = re.compile(r"^[-–—•]\s?[^\W\d_]")
_VALUE = re.compile(r"^(?:[<>≤≥±~–-]?\s?\d|[-–—]$)")  # a lone dash says that there is none
_BOUND = re.compile(r"^[<>≤≥]\s?\d")
_NAMED = re.compile(r"[^\W\d_]{3,}\)?$")  # a line that ends with a word, whose bound may follow


def breaks(
    columns: Mapping[int, Sequence[Row]], rights: Mapping[int, float], *, head: bool, grouped: bool
) -> list[float]:
    """Return the y positions between printed rows.

    `columns` holds the lines of each column, downwards; `rights` how far right its words reach; in the
    head of a table lines are taken as wrapped unless they stand well apart. `grouped` tells that rules
    part the rows into groups: there one column alone makes no row, and close lines without a value
    belong to those below.
    """
    lines = _baselines(columns)
    first = min(columns, default=0)
    if grouped and not head and _is_one_row(columns, first):
        return []
    if not grouped and not head and _last_lines_valued(lines, first):
        return [_middle(upper, lower) for upper, lower in pairwise(lines) if len(upper) > 1]
    found: list[float] = []
    titles, starts = set[int](), set[int]()
    if not head and not first:
        titles, starts = _close_titles(lines, first, rights.get(first, 0.0))
    one_valued = grouped and sum(_holds_value(line, first) for line in lines) == 1
    valued = False  # whether the row so far has more than its label
    begun: set[int] = set()  # the columns of the row so far
    for at, (upper, lower) in enumerate(pairwise(lines)):
        begun |= set(upper)
        valued = valued or any(column != first for column in upper)
        apart = min(row.y0 for row in lower.values()) - max(row.base for row in upper.values())
        close = apart < (LOOSE - 1) * max(row.size for row in lower.values())
        titled = bool({at, at + 1} & titles) or (grouped and _titles(upper, lower, first, apart))
        titled = titled or (not head and set(lower) == {first} and _bolder(upper.get(first), lower[first]))
        if grouped and not titled and at + 1 not in starts and (len(lower) == 1 or (close and not valued)):
            continue
        # words of one column alone stand over the line that has the row's label and the rest
        behind = first not in begun and first in lower and len(lower) > len(begun) + 1
        words = not any(_VALUE.match(text_of(row.words)) for row in upper.values())
        if grouped and close and words and behind and len(begun) == 1:
            continue
        joined = close and one_valued and _holds_value(upper, first)  # what is said of the values goes on
        if titled or at + 1 in starts or (not joined and _parts(columns, rights, lower, first, head=head)):
            found.append(_middle(upper, lower))
            valued, begun = False, set()
    return found


def _middle(upper: Mapping[int, Row], lower: Mapping[int, Row]) -> float:
    """Return the y position between two lines."""
    return (max(row.base for row in upper.values()) + min(row.y0 for row in lower.values())) / 2


def _last_lines_valued(lines: Sequence[Mapping[int, Row]], first: int) -> bool:
    """Tell whether labels of several lines have their values beside the last one, not beside the first."""
    last, begun = 0, 0
    for upper, lower in pairwise(lines):
        if first not in upper or first not in lower or (len(upper) > 1) == (len(lower) > 1):
            continue
        goes_on = lower[first].x0 > upper[first].x0 + INSIDE * lower[first].size
        goes_on = goes_on or _OPEN_START.match(text_of(lower[first].words)) is not None
        last += goes_on and len(lower) > 1
        begun += goes_on and len(upper) > 1
    return last >= SEVERAL and last > SEVERAL * begun


def is_valued(row: Row) -> bool:
    """Tell whether a line has a label and values beside it, and nothing else."""
    texts = [text_of(fragment.words) for fragment in row.fragments]
    return len(texts) > 1 and not _VALUE.match(texts[0]) and all(map(_VALUE.match, texts[1:]))


def _is_one_row(columns: Mapping[int, Sequence[Row]], first: int) -> bool:
    """Tell whether what stands between two rules is one row: a label of close lines beside a longer list.

    Printed rows have a label each, or values; here lines of words go on where the label has ended.
    """
    label = columns.get(first, ())
    others = [rows for column, rows in columns.items() if column != first]
    if not label or not others or not _close(label):
        return False
    for rows in others:
        for row in rows:
            # signs in the height of the next line of their column: the powers of its units
            raised = any(
                row.base < other.base
                and row.base - other.y0 > INSIDE * (row.base - row.y0)
                and len(row.words) < len(other.words)
                for other in rows
            )
            # the bound of what the line over it names: "sulphur content / ≤ 50 mg/m3"
            text = text_of(row.words)
            over = [other for other in rows if other.base < row.y0 + INSIDE * row.size]
            bound = over and _BOUND.match(text) and _NAMED.search(text_of(over[-1].words))
            if not raised and not bound and _VALUE.match(text) and len(row.words) <= ENTRY:
                return False
    longest = max(others, key=len)
    beneath = [row for row in longest if row.y0 > label[-1].base]
    return len(longest) > len(label) and len(beneath) >= 2 and all(map(_close, others))


def _close(rows: Sequence[Row]) -> bool:
    """Tell whether lines stand as close as those of one paragraph."""
    return all(lower.base - upper.base <= LOOSE * lower.size for upper, lower in pairwise(rows))


@cache
def open_end() -> re.Pattern[str]:
    """Return what matches a line that goes on: its last word, or its last sign, wants another."""
    listed = shipped("tables")["rows"]["open_end"]
    words = "|".join(re.escape(word) for word in listed)
    return re.compile(rf"(?:[,(/–+×=-]|\b(?:{words}))$", re.IGNORECASE)


def _titles(upper: Mapping[int, Row], lower: Mapping[int, Row], first: int, apart: float) -> bool:
    """Tell whether a line alone in the first column begins a group, or ended as the title of one.

    It begins one where white stands over it; it is one where it is bold and a row with values is not, and
    where the first item of a list with values stands under it ("Category A", "- Floors").
    """
    if set(lower) == {first}:
        ended = first not in upper or not open_end().search(text_of(upper[first].words))
        return ended and apart > TITLE_GAP * lower[first].size
    if set(upper) != {first} or first not in lower:
        return False
    over, under = text_of(upper[first].words), text_of(lower[first].words)
    listed = len(lower) > 1 and bool(_ITEM.match(under)) and not _ITEM.match(over)
    if listed and not open_end().search(over):
        return True
    return all(w.bold for w in upper[first].words) and not any(w.bold for w in lower[first].words)


def _bolder(before: Row | None, title: Row) -> bool:
    """Tell whether a line is bold and that over it is not: it begins a group."""
    return before is not None and all(w.bold for w in title.words) and not any(w.bold for w in before.words)


def _close_titles(lines: Sequence[Mapping[int, Row]], first: int, right: float) -> tuple[set[int], set[int]]:
    """Return the lines that title a group between rows as close as lines of one text, and those that begin.

    A title stands alone in the first column of the table over a row with values. It goes on with nothing over
    it, and nothing goes on with it: in both places the next word would have fitted on the line before, and
    is a capital. Where several are so, one between lines that are too long for that is a title, too; where
    none is, it may be the beginning of the label under it, but not the end of that over it. Lines over most
    rows are no titles: they are labels that share the values.
    """
    titles, begun, likely = set(), set(), set()
    for at, (line, under) in enumerate(pairwise(lines)):
        if set(line) != {first} or first not in under or len(under) < 2:
            continue
        over, title, label = lines[at - 1].get(first) if at else None, line[first], under[first]
        if _ends(title, label) and (over is None or _ends(over, title)):
            likely.add(at)
            begun |= {at} if over is None or _fits(over, title, right) else set()
            titles |= begun & {at} if _fits(title, label, right) else set()
    valued = sum(first in line and len(line) > 1 for line in lines)
    if valued < ENTRIES * len(likely):
        return set(), set()
    return (likely if len(titles) >= SEVERAL else titles), begun


def _ends(upper: Row, lower: Row) -> bool:
    """Tell whether nothing says that a text goes on in the next line, which begins with a capital."""
    return text_of(lower.words)[:1].isupper() and not open_end().search(text_of(upper.words))


def _fits(before: Row, after: Row, right: float) -> bool:
    """Tell whether the first word of a line would have fitted on the line before."""
    first = after.words[0]
    return before.words[-1].x1 + 0.3 * before.size + (first.x1 - first.x0) <= right - 0.3 * before.size


def _baselines(columns: Mapping[int, Sequence[Row]]) -> list[dict[int, Row]]:
    """Return the lines grouped by baseline, downwards, each group as column -> line."""
    every = sorted(((row, c) for c, rows in columns.items() for row in rows), key=lambda item: item[0].base)
    groups: list[dict[int, Row]] = []
    for row, column in every:
        others = list(groups[-1].values()) if groups else []
        level = bool(others) and (
            row.base - min(other.base for other in others) <= SAME * row.size
            or all(  # beside the others for the most part of its height
                min(row.base, other.base) - max(row.y0, other.y0)
                > OVERLAP * min(row.base - row.y0, other.base - other.y0)
                for other in others
            )
        )
        if level and column not in groups[-1]:
            groups[-1][column] = row
        else:
            groups.append({column: row})
    return groups


def _parts(
    columns: Mapping[int, Sequence[Row]],
    rights: Mapping[int, float],
    lower: Mapping[int, Row],
    first: int,
    *,
    head: bool,
) -> bool:
    """Tell whether a new row begins with these lines."""
    base = min(row.base for row in lower.values())
    votes, widest = 0.0, 0.0
    for column, rows in columns.items():
        before = [row for row in rows if row.base < base - SAME * row.size]
        after = [row for row in rows if row.base >= base - SAME * row.size]
        if not before or not after:
            continue
        gap = (after[0].base - before[-1].base) / max(after[0].size, 1.0)
        if gap <= TIGHT and (head or column not in lower):
            return False
        if column not in lower:
            continue
        widest = max(widest, gap)
        if gap <= TIGHT:
            votes += _vote(before[-1], after[0], rights[column])
        else:  # lines that stand apart are two entries, unless the first plainly goes on
            upper = text_of(before[-1].words)
            votes += -1.0 if gap < FAR and len(upper) > 1 and open_end().search(upper) else 1.0
    if len(lower) >= 2:
        return votes > 0
    alone = next(iter(lower))
    return votes > 0 and widest > (TIGHT if alone == first else LOOSE)


def _holds_value(lines: Mapping[int, Row], first: int) -> bool:
    """Tell whether one of these lines beside the first column is a value."""
    return any(column != first and _VALUE.match(text_of(row.words)) for column, row in lines.items())


def _vote(before: Row, after: Row, right: float) -> float:
    """Return what one column says of two lines that stand close: above 0 for two entries."""
    upper, lower = text_of(before.words), text_of(after.words)
    if all(w.bold for w in before.words) and not any(w.bold for w in after.words):
        return 2.0
    coded = CODED.fullmatch(lower) and CODED.fullmatch(upper)
    if open_end().search(upper) and len(upper) > 1 and not coded:
        return -2.5
    if _VALUE.match(lower) and _VALUE.match(upper):
        return 2.0 if max(len(before.words), len(after.words)) <= BARE else 1.5
    first = after.words[0]
    listed = bool(_ITEM.match(lower) and _ITEM.match(upper))
    if listed or coded or (len(first.text) > LISTED and first.text == before.words[0].text):
        return 2.0 if listed else 1.0  # "black, dried, firmly packed", "black, dried, loosely tipped"
    fits = _fits(before, after, right)
    if _OPEN_START.match(lower):
        return 0.0 if fits else -2.5
    short = max(len(before.words), len(after.words)) <= ENTRY
    return 1.0 if fits else -0.5 if short else -1.5


EDGE = 4.0  # points from the table's edge within which a rule is its frame
NEAR = 4.0  # points between an end of a vertical rule and the horizontal one that it meets
GAP = 0.8  # ems of white space that part columns
GAP_IN_RULED = 1.8  # ems, where vertical rules part other columns already and no heads stand apart there
SIDE_GAP = (4.0, 40.0)  # points between the pieces of a rule that are drawn column by column
HEADINGS = 0.25  # of the rows may be one wide run over all partings (group headings)
FULL = 0.9  # of the longest rule across: one that parts rows, not the columns under a head
HEAD_MOST = 0.65  # of the height of the table
HEAD_ROWS = 3  # printed rows of a head that no rule ends, at the most
CROSSED = 0.12  # of the rows may run across one parting (a value for two columns)


@dataclass(frozen=True, slots=True, order=True)
class Parting:
    """A boundary between two columns; `ruled` tells that a drawn rule makes it."""

    x: float
    ruled: bool


def partings(rules: Ruling, area: Area, rows: Sequence[Row], levels: Sequence[float]) -> list[Parting]:
    """Return the column boundaries inside the area, from left to right."""
    inner = Area(area.x0 + EDGE, area.y0, area.x1 - EDGE, area.y1)
    meets = [area.y0, *levels, area.y1]
    ruled: list[float] = []  # of two that stand together the longer
    for rule in sorted(rules.vertical, key=lambda rule: -rule.length):
        hangs = all(min(abs(end - y) for y in meets) <= NEAR for end in (rule.start, rule.end))
        apart = inner.x0 < rule.at < inner.x1 and all(abs(rule.at - x) > EDGE for x in ruled)
        if apart and (hangs or rule.length >= 0.5 * area.height):
            ruled.append(rule.at)
    pieces = [x for x in _between_pieces(rules.horizontal, inner) if all(abs(x - r) > EDGE for r in ruled)]
    found = [Parting(x, ruled=True) for x in ruled] + [Parting(x, ruled=False) for x in pieces]
    # The head of the table ends at its first rule of full width under words, if not far down; a shorter one
    # stands under a head of several columns, inside the head.
    lengths = [covered(rules.horizontal, y, area.x0, area.x1, NEAR) for y in levels]
    whole = [y for y, length in zip(levels, lengths, strict=True) if length >= FULL * max(lengths)]
    first = min((row.base for row in rows), default=area.y0)
    upper = (y for y in (*whole, *levels) if first < y < area.y0 + HEAD_MOST * area.height)
    head = next(upper, area.y0)
    edges = sorted([area.x0, area.x1, *(p.x for p in found)])
    for left, right in pairwise(edges):
        found += [Parting(x, ruled=False) for x in _white(rows, left, right, head, inside_ruled=bool(ruled))]
    return sorted(found)


def _between_pieces(horizontal: Sequence[Rule], inner: Area) -> list[float]:
    """Return where at least two rules are interrupted at the same place."""
    gaps: list[tuple[float, float]] = []
    for before, after in pairwise(sorted(horizontal, key=lambda rule: (round(rule.at), rule.start))):
        level = round(before.at) == round(after.at) and SIDE_GAP[0] <= after.start - before.end <= SIDE_GAP[1]
        if level and before.end > inner.x0 and after.start < inner.x1:
            gaps.append((before.end, after.start))
    found: list[float] = []
    for start, end in gaps:
        middle = (start + end) / 2
        twins = sum(a < middle < b for a, b in gaps)
        if twins >= 2 and all(abs(middle - x) > EDGE for x in found):
            found.append(middle)
    return found


def _white(rows: Sequence[Row], left: float, right: float, head: float, *, inside_ruled: bool) -> list[float]:
    """Return the middles of the white gaps between left and right that no body row's words cross."""
    held = [(row.base > head, spans) for row in rows if (spans := _spans(row, left, right))]
    heads = [spans for in_body, spans in held if not in_body]
    body = [spans for in_body, spans in held if in_body] or heads
    if not body:
        return []
    size = median(row.size for row in rows)
    start, end = min(s[0][0] for s in body), max(s[-1][1] for s in body)
    found = []
    for a, b in _uncrossed(body, start, end, 0.5 * (right - left)):
        middle = _clearest(rows, head, a, b)
        headed = any(_parts_at(middle, head_spans) for head_spans in heads)
        if b - a < (GAP_IN_RULED if inside_ruled and not headed else GAP) * size:
            continue
        both = sum(_parts_at(middle, spans) for spans in body)
        if both == 1 and not inside_ruled:  # one row alone, on lines of its own: the head shows it, too
            both += headed
        if both >= min(3 if inside_ruled else 2, len(body)):
            found.append(middle)
    return found


def _parts_at(x: float, spans: Sequence[tuple[float, float]]) -> bool:
    """Tell whether a row has words on both sides of x and none over it."""
    return spans[0][1] <= x <= spans[-1][0] and not any(a < x < b for a, b in spans)


def _clearest(rows: Sequence[Row], head: float, a: float, b: float) -> float:
    """Return the middle of the widest stretch of [a, b] that the fewest words of any row cross.

    A head that stands over the runs on both sides crosses it wherever it is: its words say nothing.
    """
    middle = (a + b) / 2
    over: set[int] = set()
    for upper, lower in pairwise(rows):
        for run in upper.fragments if lower.base < head else ():
            under = [m for f in lower.fragments if run.x0 < (m := (f.x0 + f.x1) / 2) < run.x1]
            if under and min(under) < middle < max(under):
                over.update(map(id, run.words))
    words = [w for row in rows for w in row.words if w.x1 > a and w.x0 < b and id(w) not in over]
    marks = sorted({a, b, *(x for w in words for x in (w.x0, w.x1) if a < x < b)})
    stretches = [
        (sum(w.x0 < right and w.x1 > left for w in words), left - right, (left + right) / 2)
        for left, right in pairwise(marks)
        if right - left > 1
    ]
    return min(stretches)[2] if stretches else middle


def _spans(row: Row, left: float, right: float) -> list[tuple[float, float]]:
    """Return the stretches of a row that hold words, merged over ordinary spaces."""
    spans: list[tuple[float, float]] = []
    for word in row.words:
        if not left <= (word.x0 + word.x1) / 2 <= right:
            continue
        if spans and word.x0 - spans[-1][1] < 0.6 * row.size:
            spans[-1] = (spans[-1][0], max(spans[-1][1], word.x1))
        else:
            spans.append((word.x0, word.x1))
    return spans


def _uncrossed(
    body: Sequence[list[tuple[float, float]]], start: float, end: float, wide: float
) -> list[tuple[float, float]]:
    """Return the stretches [a, b] that no row covers, but for a few that run across (group headings)."""
    headings = [i for i, spans in enumerate(body) if len(spans) == 1 and spans[0][1] - spans[0][0] > wide]
    passed = set(headings) if len(body) >= 4 and len(headings) <= HEADINGS * len(body) else set()
    heads = 0  # rows from the first on in which a run stands over several runs of the row under it
    for upper, lower in pairwise(body[: HEAD_ROWS + 1]):
        middles = [(a + b) / 2 for a, b in lower]
        if len(body) <= heads + 2 or not any(sum(a <= x <= b for x in middles) > 1 for a, b in upper):
            break
        heads += 1
    passed |= set(range(heads))
    allowed = int(CROSSED * len(body))
    kept = [span for i, spans in enumerate(body) if i not in passed for span in spans]
    marks = [mark for a, b in kept for mark in ((a, 1), (b, -1))]
    free: list[tuple[float, float]] = []
    depth, since = 0, start
    for x, step in sorted(marks, key=lambda mark: (mark[0], -mark[1])):
        if depth <= allowed < depth + step:
            free.append((since, x))
        depth += step
        if depth <= allowed < depth - step:
            since = x
    return [(a, b) for a, b in free if a > start and b < end]
