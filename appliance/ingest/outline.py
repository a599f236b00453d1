"""The clause tree of a document: its numbering, with type, contents list and bookmarks as witnesses.

Rules of this module: pure; it joins the steps (contents, rows, skeleton, headings, tree, labels).
Lines taken by tables, figures and formulas never become clause text. What the contents list
announces and the text does not show is a problem, said by name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from rapidfuzz import fuzz, process

from appliance.document import Box, Clause, Problem
from appliance.ingest.contents import Entry, find_contents
from appliance.ingest.headings import find_headings
from appliance.ingest.labels import label_nodes
from appliance.ingest.page import Line, OutlineEntry, PageContent, PageLayout, box_on
from appliance.ingest.passage import join_lines, vocabulary
from appliance.ingest.place import place
from appliance.ingest.rows import make_rows
from appliance.ingest.schemes import Scheme
from appliance.ingest.skeleton import find_skeleton
from appliance.ingest.tree import Node, Tree
from appliance.ingest.typography import measure

__all__ = ["build_clauses", "place"]

MISSING = 0.1  # of the entries of a contents list: more not found is a problem
FEW = 5  # entries below which the list proves nothing
LIKE = 78.0  # per cent of equal characters that make a misread entry
NAMED = 8  # missing entries that the problem names


def build_clauses(
    layouts: Sequence[PageLayout],
    taken: Collection[tuple[int, int]],
    scheme: Scheme,
    outline_entries: Sequence[OutlineEntry] = (),
) -> tuple[tuple[Clause, ...], tuple[Problem, ...]]:
    """Return the clauses in document order, and what could not be read as the contents announce it."""
    contents = find_contents(layouts, scheme)
    typography = measure(layouts)
    rows = make_rows(layouts, contents.lines | frozenset(taken), typography)
    witnesses = [*contents.entries, *(Entry(entry.title, str(entry.page)) for entry in outline_entries)]
    skeleton = find_skeleton(rows, scheme, typography, witnesses)
    headings = find_headings(rows, skeleton.openings, scheme, typography)
    nodes = Tree(rows, skeleton, headings, scheme, typography).grow()
    nodes = [node for node in nodes if node.lines or node.titles]
    clauses = _clauses(nodes, layouts)
    return clauses, _missing(contents.entries, clauses)


def _clauses(nodes: Sequence[Node], layouts: Sequence[PageLayout]) -> tuple[Clause, ...]:
    pages = {page.content.number: page.content for page in layouts}
    words = vocabulary(layouts)
    labels = label_nodes(nodes)
    of = {id(node): label for node, label in zip(nodes, labels, strict=True)}
    depth: dict[int, int] = {}
    clauses = []
    for node, label in zip(nodes, labels, strict=True):
        parent = next((above for above in node.ancestors() if id(above) in of), None)
        depth[id(node)] = depth[id(parent)] + 1 if parent else 1
        clauses.append(
            Clause(
                label=label,
                kind=node.kind,
                title=node.title,
                passage=join_lines(node.lines, pages, words, skip=node.skip, breaks=node.breaks),
                parent=of[id(parent)] if parent else None,
                level=depth[id(node)],
                boxes=_boxes([*node.titles, *node.lines], pages),
                marker=node.marker,
                normative=node.normative,
                principle=node.principle,
            )
        )
    return tuple(clauses)


def _boxes(lines: Sequence[Line], pages: Mapping[int, PageContent]) -> tuple[Box, ...]:
    """Return one box for each page and column that the lines stand on, in reading order."""
    groups: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.page, line.column), []).append(line)
    return tuple(
        box_on(
            pages[page],
            min(line.x0 for line in group),
            min(line.y0 for line in group),
            max(line.x1 for line in group),
            max(line.y1 for line in group),
        )
        for (page, _), group in groups.items()
    )


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _missing(entries: Sequence[Entry], clauses: Sequence[Clause]) -> tuple[Problem, ...]:
    """Return a problem where many entries of the contents list were not found in the text."""
    names = {_plain(clause.title) for clause in clauses if clause.title}
    names |= {_plain(str(clause.label)) for clause in clauses}
    names |= {_plain(f"{clause.label}{clause.title}") for clause in clauses}
    names |= {_plain(f"{clause.marker}{clause.title}") for clause in clauses}
    text = " ".join(sorted(name for name in names if len(name) > 3))
    wanted = [entry for entry in entries if len(_plain(entry.text)) > 3]
    lost = [entry for entry in wanted if not _found(_plain(entry.text), names, text)]
    if len(wanted) < FEW or len(lost) <= MISSING * len(wanted):
        return ()
    some = "; ".join(entry.text for entry in lost[:NAMED])
    more = f" and {len(lost) - NAMED} more" if len(lost) > NAMED else ""
    message = f"{len(lost)} of {len(wanted)} entries of the contents list were not found: {some}{more}."
    return (Problem(message),)


def _found(entry: str, names: Collection[str], text: str) -> bool:
    bare = re.sub(r"^[a-z]{0,2}\d+", "", entry)
    if entry in names or bare in names or (len(bare) > 12 and bare in text):
        return True
    if len(bare) > 8 and process.extractOne(entry, names, scorer=fuzz.ratio, score_cutoff=LIKE):
        return True
    return len(bare) > 4 and any(name.endswith(bare) for name in names)  # a wrapped entry's last line
