"""Numbers that the text layer lost or prints twice: mended where one place alone fits, always said.

Rules of this module: a paragraph without its number is told by the sequence alone: (1) and (3) are
there, and between them exactly one more paragraph of the same type, flush with the numbers or
hanging under them. Two such places, or none, and nothing is mended. What is mended or doubtful is a
problem with its box, so that a person can look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from appliance.document import Clause, Problem
from appliance.ingest.markers import parsed
from appliance.ingest.nodes import Node
from appliance.ingest.page import Line
from appliance.ingest.typography import Typography

HANGING = 2.5  # ems by which text may hang under its lost number
TOLD = 60  # doubtful numbers that are told one by one
_NUMBERED = frozenset({"clause", "paragraph", "section", "annex"})  # of which no number stands twice
_GOES_ON = (",", ";", ":", "–", "—", "-")  # what ends a line that the next paragraph completes


@dataclass(frozen=True, slots=True)
class Mended:
    """The nodes with lost paragraphs put back, and which those are."""

    nodes: list[Node]
    put_back: frozenset[int]  # ids of nodes whose number is not in the text layer


def mend_paragraphs(nodes: Sequence[Node], order: Mapping[int, int], typography: Typography) -> Mended:
    """Return the nodes with every lost number between two paragraphs mended where that is sure.

    `order` gives the place of a line (by id) in the document.
    """
    inside: dict[int, list[Node]] = {}
    following: dict[int, Node] = {}
    last: dict[int, Node] = {}
    for node in nodes:
        inside.setdefault(id(node.parent), []).append(node)
        if node.kind == "paragraph" and node.parent is not None:
            before = last.get(id(node.parent))
            if before is not None and _value(node) == _value(before) + 2:
                following[id(before)] = node
            last[id(node.parent)] = node
    result: list[Node] = []
    put_back: list[Node] = []
    waiting: dict[int, Node] = {}  # what is put back, by the node before which it comes
    for node in nodes:
        after = following.get(id(node))
        if after is not None:
            new = _split(node, inside.get(id(node), ()), order, typography)
            if new is not None:
                put_back.append(new)
                waiting[id(after)] = new
        if id(node) in waiting:
            result.append(waiting[id(node)])
        result.append(node)
    return Mended(_in_order(result, put_back), frozenset(id(node) for node in put_back))


def _value(node: Node) -> int:
    number = parsed(node.number, "number")
    return number[0] if number and isinstance(number[0], int) else 0


def _split(
    node: Node, children: Sequence[Node], order: Mapping[int, int], typography: Typography
) -> Node | None:
    """Cut the one paragraph that begins anew out of the node; None where none or several do."""
    starts = [at for at in sorted(node.breaks) if _begins(node, at, typography)]
    if len(starts) != 1:
        return None
    at = starts[0]
    new = Node(
        kind=node.kind,
        rank=node.rank,
        parent=node.parent,
        level=node.level,
        number=str(_value(node) + 1),
        normative=node.normative,
        container=node.container,
        lines=node.lines[at:],
        breaks={b - at for b in node.breaks if b > at},
        indent=node.indent,
    )
    node.lines, node.breaks = node.lines[:at], {b for b in node.breaks if b < at}
    for child in children:
        if child.lines and order[id(child.lines[0])] > order[id(new.lines[0])]:
            child.parent = new
    return new


def _begins(node: Node, at: int, typography: Typography) -> bool:
    """Tell whether the line begins a paragraph of its own, not one that goes on or explains signs."""
    first, before, line = node.lines[0], node.lines[at - 1], node.lines[at]
    hangs = (line.x0 - first.x0) / max(line.size, 1.0)
    flush = line.page != first.page or line.column != first.column or -0.5 <= hangs <= HANGING
    return (
        flush
        and _opens(line)
        and not typography.small(line)
        and abs(line.size - first.size) <= 0.1 * first.size
        and not before.text.rstrip().endswith(_GOES_ON)
    )


def _opens(line: Line) -> bool:
    words = line.text.split()
    return len(words) >= 4 and words[0][:1].isupper() and words[0].isalpha() and not words[0].isupper()


def _in_order(nodes: list[Node], put_back: Sequence[Node]) -> list[Node]:
    """Return the nodes with those put back before the children they took over."""
    for new in put_back:
        first = next((node for node in nodes if node.parent is new), None)
        if first is not None:
            nodes.remove(new)
            nodes.insert(nodes.index(first), new)
    return nodes


def number_problems(clauses: Sequence[Clause], lost: frozenset[int]) -> tuple[Problem, ...]:
    """Return what a person should look at: numbers put back (by position), and numbers printed twice."""
    problems = []
    for at, clause in enumerate(clauses):
        if not clause.boxes:
            continue
        page, box = clause.boxes[0].page, clause.boxes[0]
        if at in lost:
            message = (
                f"The number of {clause.label} is not in the text of page {page}; "
                "the paragraph in its place is taken for it."
            )
            problems.append(Problem(message, page, box))
        elif clause.kind in _NUMBERED and any(part.startswith("no. ") for part in clause.label.parts[:-1]):
            message = f"{clause.label} stands more than once; page {page} has another one."
            problems.append(Problem(message, page, box))
    if len(problems) > TOLD:
        more = len(problems) - TOLD
        problems = [*problems[:TOLD], Problem(f"{more} more numbers stand more than once or were put back.")]
    return tuple(problems)
