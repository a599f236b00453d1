"""What leads into a printed web page and out of it: the anchors of its items, the links in its text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from urllib.parse import unquote

from appliance.core.document import (
    Box,
    Clause,
    Document,
    Figure,
    Formula,
    Passage,
    Reference,
    Table,
    boxes_between,
)
from appliance.core.page_boxes import in_box
from appliance.core.runs import grouped
from appliance.ingest.references.find import passages

TOP = 18 / 297  # of the height of a page: the margin of print.css, which Chromium leaves out of destinations
LINE = 0.015  # of the height of a page: an anchor stands at the top of its line, or a little below
EDGE = 0.004  # of a page: by which the place of a link may reach beyond its line


def with_anchors(document: Document, places: Mapping[str, tuple[int, float]]) -> Document:
    """Return the document with the anchors of its items; `places` are page and depth (0-1) by anchor."""
    known = sorted((page, depth + TOP, unquote(name)) for name, (page, depth) in places.items())
    starts = [(page, depth) for page, depth, _ in known]
    items: list[Clause | Table | Figure | Formula] = [*document.clauses, *document.tables, *document.figures]
    items += document.formulas
    begun = sorted((box.page, box.y0, box.y1, item.label.key) for item in items for box in item.boxes)
    anchors, anchored = [], []
    for item in items:
        if item.boxes:
            at = bisect_right(starts, (item.boxes[0].page, item.boxes[0].y0 + LINE))
            anchors += [(item.label.key, known[at - 1][2])] if at else []
    for page, depth, name in known:
        at = bisect_right(begun, (page, depth + LINE, 1.0, ""))
        if not at or begun[at - 1][0] != page or begun[at - 1][2] < depth:  # in white space: of what comes
            at = min(at + 1, len(begun))
        anchored += [(name, begun[at - 1][3])] if at else []
    return replace(document, anchors=tuple(anchors), anchored=tuple(anchored))


def with_links(document: Document, links: Iterable[tuple[Box, str, str]]) -> Document:
    """Return the document with its links; `links` are place, address and text of each stretch of a line."""
    by_page = grouped((link[0].page, link) for link in links)
    found = [
        (
            Reference(
                label, start, end, passage.text[start:end], "clause", boxes_between(passage, start, end)
            ),
            to,
        )
        for label, passage in passages(document)
        for start, end, to in _links_in(passage, by_page)
    ]
    for clause in document.clauses:  # those of titles, which stand in no text
        bodies = {line.box for line in clause.passage.lines}
        for title in clause.boxes if clause.title else ():
            found += [
                (Reference(clause.label, 0, 0, text, "clause", (box,)), to)
                for box, to, text in by_page.get(title.page, ())
                if in_box(box, title) and not any(in_box(box, body) for body in bodies)
            ]
    return replace(document, links=tuple(found))


def _links_in(
    passage: Passage, by_page: Mapping[int, list[tuple[Box, str, str]]]
) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and address of the links of a text, one that runs over several lines once."""
    last: tuple[int, int, str] | None = None
    for line in passage.lines:
        at = line.start
        for box, address, text in by_page.get(line.box.page, ()):
            start = passage.text.find(text, at, line.end)
            beside = line.box.x0 - EDGE <= box.x0 and box.x1 <= line.box.x1 + EDGE
            if start < 0 or not beside or not line.box.y0 <= (box.y0 + box.y1) / 2 <= line.box.y1:
                continue
            at = start + len(text)
            goes_on = last and last[2] == address and not passage.text[last[1] : start].strip()
            if last and not goes_on:
                yield last
            last = (last[0] if last and goes_on else start, at, address)
    if last:
        yield last
