"""The clause tree of a document: its numbering, with type, contents list and bookmarks as witnesses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from appliance.core.document import Clause, Problem
from appliance.core.runs import grouped
from appliance.ingest.checks import missing_entries, restart_problems
from appliance.ingest.layout.footnotes import as_written, find_footnotes, with_footnotes
from appliance.ingest.layout.lines import join_lines, vocabulary, whole_words
from appliance.ingest.layout.typography import make_rows, measure
from appliance.ingest.page import OutlineEntry, PageLayout, Place, around, box_of
from appliance.ingest.structure.contents import (
    Entry,
    bookmark_problems,
    few_places,
    find_contents,
    lost_bookmarks,
    usable,
)
from appliance.ingest.structure.numbered_headings import Weighing, find_skeleton
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.structure.sequence import readings, stray_problems
from appliance.ingest.structure.series import with_numbers_of_margins, with_series
from appliance.ingest.structure.tree import Node, Tree, announced_once, label_nodes
from appliance.ingest.structure.unnumbered_headings import (
    bare,
    find_headings,
)

SHORT = 6  # signs of a title that may stand in running text by chance
BOOKMARKS = 5000  # that are heard as witnesses; no code has more


def build_clauses(
    layouts: Sequence[PageLayout],
    taken: Collection[Place],
    scheme: Scheme,
    outline_entries: Sequence[OutlineEntry] = (),
    *,
    spaced: bool = False,  # as for `measure`
) -> tuple[tuple[Clause, ...], tuple[Problem, ...]]:
    """Return the clauses in document order, and what could not be read as the contents announce it."""
    contents = find_contents(layouts, scheme)
    marks = usable(outline_entries, len(layouts))
    marked = {bare(mark.title) for mark in marks} - {""}
    lines = [((page.content.number, at), line) for page in layouts for at, line in enumerate(page.lines)]
    titled = {place for place, line in lines if bare(line.text) in marked}
    typography = measure(layouts, titled, spaced=spaced)
    left_out = contents.taken.union(taken)
    footnotes = find_footnotes(layouts, left_out, typography)
    left_out |= {(note.lines[0].page, index) for note in footnotes for index in note.indexes}
    rows = make_rows(as_written(layouts, footnotes), left_out, typography)
    bookmarks = [Entry(mark.title, str(mark.page), mark.page) for mark in marks[:BOOKMARKS]]
    witnesses = [*contents.items, *bookmarks]
    weighing = Weighing(rows, scheme, typography, frozenset(bare(entry.text) for entry in witnesses))
    scheme = with_series(weighing, layouts)
    weighing = with_numbers_of_margins(replace(weighing, scheme=scheme), layouts)
    skeleton = find_skeleton(weighing)
    # what numbers open is told by them
    titles = (entry.text for entry in witnesses if not any(True for _ in readings(entry.text, scheme.levels)))
    announced = frozenset(bare(title) for title in titles if len(bare(title)) > SHORT)
    headings = find_headings(weighing.rows, skeleton.openings, scheme, typography, announced)
    nodes = Tree(weighing.rows, skeleton, headings, scheme, typography).grow()
    nodes = announced_once([node for node in nodes if node.lines or node.titles])
    nodes = with_footnotes(nodes, footnotes, scheme)
    clauses = _clauses(nodes, layouts)
    return clauses, (
        *bookmark_problems(outline_entries, layouts),
        *lost_bookmarks(marks, clauses, layouts),
        *few_places(clauses, layouts),
        *missing_entries(contents.items, clauses, len(layouts)),
        *stray_problems(skeleton.strays, layouts),
        *restart_problems(skeleton, weighing.rows, layouts),
    )


def _clauses(nodes: Sequence[Node], layouts: Sequence[PageLayout]) -> tuple[Clause, ...]:
    pages = {page.content.number: page.content for page in layouts}
    words = vocabulary(layouts)
    for node in nodes:
        node.title = whole_words(node.title, words)
    labels = dict(zip(nodes, label_nodes(nodes), strict=True))
    clauses = []
    for node, label in labels.items():
        above = [labels[other] for other in node.ancestors() if other in labels]
        # by page and column: a box for each
        groups = grouped(((line.page, line.column), line) for line in (*node.titles, *node.lines))
        clauses.append(
            Clause(
                label=label,
                kind=node.kind,
                title=node.title,
                passage=join_lines(node.lines, pages, words, skip=node.skip, breaks=node.breaks),
                parent=above[0] if above else None,
                level=len(above) + 1,
                boxes=tuple(box_of(pages[page], around(group)) for (page, _), group in groups.items()),
                marker=node.marker,
                normative=node.normative,
                principle=node.principle,
            )
        )
    return tuple(clauses)
