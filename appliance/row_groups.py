"""Which rows of a table stand under the heading of a group: up to where a row is printed as headings are.

Rules of this module: pure. A row that is only a heading is the heading of those below, until the next. Before
it, a group ends with a row that begins as far left as its heading does where the rows of the group begin
further right or are items of a list, and with one that ends in a reference as its heading does where they do
not: "Snow (see EN 1)", "on high ground", "Wind (see EN 2)". The box of a label begins where its words do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from appliance.document import Cell

SET_IN = 0.004  # of the width of a page: a label that begins so much further right is set in
_ITEM = re.compile(r"[-–—•]\s")
_REFERENCE = re.compile(r"\((?P<lead>[^\W\d_]{2,})\s[^()]*\d[^()]*\)\W{0,3}$")  # "(see EN 1991-1-3)"


@dataclass(frozen=True, slots=True)
class _Group:
    """The heading of a group, where it begins, and how the rows under it so far differ from it."""

    heading: Cell
    depth: float
    deeper: bool | None = None  # whether they begin further right; None before the first
    plain: bool = False  # one does not end in a reference as the heading does


def headings(
    labels: Sequence[Cell | None], titles: Sequence[bool], sides: Mapping[int, float]
) -> list[Cell | None]:
    """Return the heading of each row, None for one under none; a title stands under no other.

    `labels` are the cells of the first column row by row, `titles` tells which are only headings, and
    `sides` is where the first column begins on each page.
    """
    found: list[Cell | None] = []
    groups: list[_Group] = []
    for label, title in zip(labels, titles, strict=True):
        if label is not None:
            depth = label.box.x0 - sides[label.box.page]
            while groups and (
                not _set_in(groups[-1], label, depth) if title else _ends(groups[-1], label, depth)
            ):
                groups.pop()
            groups = [_with(group, label, depth) for group in groups]
            groups += [_Group(label, depth)] if title else []
        found.append(groups[-1].heading if groups and not title else None)
    return found


def _ends(group: _Group, label: Cell, depth: float) -> bool:
    """Tell whether a row is printed as the heading of the group is, and no row of the group so far."""
    as_set = bool(group.deeper) and not _set_in(group, label, depth)
    return as_set or (group.plain and _refers_alike(group.heading, label))


def _with(group: _Group, label: Cell, depth: float) -> _Group:
    """Return the group with one more row in it."""
    deeper = _set_in(group, label, depth) if group.deeper is None else group.deeper
    return replace(group, deeper=deeper, plain=group.plain or not _refers_alike(group.heading, label))


def _set_in(group: _Group, label: Cell, depth: float) -> bool:
    listed = bool(_ITEM.match(label.text)) and not _ITEM.match(group.heading.text)
    return listed or depth > group.depth + SET_IN


def _refers_alike(heading: Cell, label: Cell) -> bool:
    own, other = (_REFERENCE.search(" ".join(cell.text.split())) for cell in (heading, label))
    return own is not None and other is not None and own["lead"].casefold() == other["lead"].casefold()
