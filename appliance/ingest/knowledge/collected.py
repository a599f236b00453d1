"""What the steps of one document find, gathered without doubles and in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from appliance.core.document import Clause, Document, Figure, Formula, Label, Problem, Table, boxes_between
from appliance.core.graph import Edge, EdgeKind, EdgeState, Node, NodeKind, Proof, Quantity, name_key

ACCEPTED = 0.8  # confidence from which an edge needs nobody to look at it
POOR = 0.6  # what a text layer from a scan leaves of the confidence in a number


class Items:
    """The items of a document: which node each label is, and how far its page can be trusted."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.clauses: Mapping[Label, Clause] = {clause.label: clause for clause in document.clauses}
        self._kinds: dict[Label, NodeKind] = dict.fromkeys(self.clauses, "clause")
        groups: dict[NodeKind, Iterable[Table | Figure | Formula]] = {
            "table": document.tables,
            "figure": document.figures,
            "formula": document.formulas,
        }
        for kind, items in groups.items():
            for item in items:
                self._kinds.setdefault(item.label, kind)
        # The searched chunks of each row of a table; those that show a label, with their text in one line.
        self.rows: dict[tuple[Label, int], list[int]] = defaultdict(list)
        self.parts: dict[Label, list[tuple[int, str]]] = defaultdict(list)
        for position in searched(document):
            chunk = document.chunks[position]
            if chunk.row is not None:
                self.rows[chunk.label, chunk.row].append(position)
            text = " ".join(chunk.passage.text.split())
            for label in dict.fromkeys((chunk.label, *chunk.labels)):
                self.parts[label].append((position, text))
        self._poor = {page.number for page in document.pages if page.trust != "digital"}

    @property
    def whole(self) -> str:
        """Return the node of the document."""
        return Node("document", self.document.id, "").id

    def node(self, label: Label) -> str | None:
        """Return the node of an item, None where the document holds none of this label."""
        kind = self._kinds.get(label)
        return Node(kind, self.document.id, label.key).id if kind else None

    def term(self, word: str) -> str:
        """Return the node of a defined term."""
        return Node("term", self.document.id, word).id

    def trusted(self, page: int) -> bool:
        """Tell whether the numbers on a page are those that are printed."""
        return page not in self._poor

    def proof(self, clause: Clause, start: int, end: int) -> Proof:
        """Return the words of a clause as proof."""
        return Proof(self.document.id, clause.label, start, end, clause.passage.text[start:end])


@dataclass(slots=True)
class Collected:
    """A graph in the making."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[int, Edge] = field(default_factory=dict)
    names: dict[tuple[str, str], None] = field(default_factory=dict)
    quantities: dict[str, Quantity] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    mentions: dict[tuple[str, int, str], int] = field(default_factory=dict)
    problems: list[tuple[str, Problem]] = field(default_factory=list)

    def node(self, kind: NodeKind, document: str, name: str) -> str:
        """Return the id of the node of this name, made where there is none."""
        node = Node(kind, document, name_key(name), name)
        self.nodes.setdefault(node.id, node)
        return node.id

    def edge(  # noqa: PLR0917 - an edge has these parts, in this order everywhere
        self,
        source: str,
        kind: EdgeKind,
        target: str,
        confidence: float,
        rule: str,
        proof: Proof | None = None,
    ) -> None:
        """Keep an edge; what is not certain is to review."""
        if source == target:
            return
        state: EdgeState = "accepted" if confidence >= ACCEPTED else "to review"
        self.keep(Edge(source, kind, target, round(confidence, 3), rule, proof, state))

    def keep(self, edge: Edge) -> None:
        """Keep an edge that is made already, once."""
        self.edges.setdefault(edge.number, edge)

    def mention(self, document: str, chunk: int, node: str, rank: int) -> None:
        """Keep that a chunk speaks of a node, by its best rank."""
        place = (document, chunk, node)
        self.mentions[place] = min(rank, self.mentions.get(place, rank))


def searched(document: Document) -> list[int]:
    """Return the positions of the chunks that are searched: the children, and parents that have none."""
    parents = {chunk.parent for chunk in document.chunks if chunk.parent is not None}
    return [at for at in range(len(document.chunks)) if at not in parents]


def page_of(clause: Clause, start: int, end: int) -> int:
    """Return the page on which characters of a clause stand, 0 where nothing tells."""
    boxes = boxes_between(clause.passage, start, end) or clause.boxes
    return boxes[0].page if boxes else 0
