"""The values of the knowledge graph: what a library speaks of, and how those things hang together.

Rules of this module: standard library only; every value is frozen. A node is named by what it is, the
document that it stands in ("" for what several documents share, such as a concept) and a key that is
unique among its kind there. An edge is never without the rule that found it, and points at the words
that prove it wherever a text says it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from appliance.document import Label

NodeKind = Literal[
    "document", "clause", "table", "figure", "formula", "term", "parameter", "value", "concept",
    "material", "structure", "load",
]  # fmt: skip
EdgeKind = Literal[
    "REFERENCES",  # item -> item or document that it cites
    "PART_OF",  # item -> what holds it
    "DEFINED_IN",  # term, symbol or parameter -> clause that says what it is
    "HAS_VALUE",  # parameter -> value
    "VALID_WHEN",  # value -> condition that it holds under, a concept or a value
    "APPLIES_TO",  # clause or table -> material, structure, load or concept that it is about
    "REQUIRES",  # item -> item that it says must be met or used with it
    "SUPERSEDES",  # edition -> the edition that it replaces
    "MODIFIES",  # clause of an annex or amendment -> clause, table or figure that it changes
    "EQUIVALENT_TO",  # concept -> concept, symbol -> term
]
EdgeState = Literal["accepted", "to review", "rejected"]


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """A thing that is spoken of; `name` is what people read."""

    kind: NodeKind
    document: str
    key: str
    name: str = ""

    @property
    def id(self) -> str:
        """Return the one form in store, decisions and links, "table:AD-K:1.1"."""
        return f"{self.kind}:{self.document}:{self.key}"


@dataclass(frozen=True, slots=True, order=True)
class Proof:
    """Characters [start, end) of the text of an item, quoted; start = end = 0 where layout proves it."""

    document: str
    label: Label
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Edge:
    """How one node stands to another. `source` and `target` are `Node.id`; `confidence` is 0 to 1.

    `rule` names the rule that found it. `state` is what a person or the rule's certainty decided; what
    is to review is shown as proposed and never decides an answer.
    """

    source: str
    kind: EdgeKind
    target: str
    confidence: float
    rule: str
    proof: Proof | None = None
    state: EdgeState = "accepted"
