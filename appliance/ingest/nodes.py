"""A place of a document while it is read: what the tree gathers and what labels are given to.

Rules of this module: values only; a node changes while the tree grows, and never after.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from appliance.document import ClauseKind
from appliance.ingest.headings import number_of_title
from appliance.ingest.page import Line
from appliance.ingest.schemes import Level


@dataclass(slots=True, eq=False)
class Node:
    """A place of the document while its text is gathered."""

    kind: ClauseKind
    rank: float
    parent: Node | None
    level: Level | None = None
    number: str = ""
    head: str = ""
    marker: str = ""
    title: str = ""
    principle: bool = False
    normative: bool = True
    container: Node | None = None  # the Part in which its numbers count
    titles: list[Line] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    skip: int = 0  # characters of the first line that are its marker
    breaks: set[int] = field(default_factory=set)
    indent: float = 0.0
    lists: dict[str, tuple[int, float]] = field(default_factory=dict)  # last number and its indent

    @property
    def unread(self) -> bool:
        """Whether its title has a number that is none of the sequence: its paragraphs are not another's."""
        return self.level is None and bool(number_of_title(self.title))

    def ancestors(self) -> list[Node]:
        """Return the nodes above it, nearest first."""
        found, node = [], self.parent
        while node is not None:
            found.append(node)
            node = node.parent
        return found
