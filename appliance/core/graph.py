"""The values of the knowledge graph, and the circles that its edges may not form."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from appliance.core.document import Box, Label, Problem, Reference

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
Bound = Literal["=", ">=", "<=", ">", "<", "range", "recommended"]  # ">": the number itself is outside
NAME_WORD = re.compile(r"[^\W_]+(?:[.][^\W_]+)*|[<>≤≥]")  # "> 80 mm" is another than "< 80 mm"
ID_BYTES = 8  # of an edge's number: as many as SQLite holds, so that two edges hardly ever share one


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
    """Characters [start, end) of the text of a clause, quoted; start = end = 0 where layout proves it."""

    document: str
    label: Label
    start: int
    end: int
    quote: str
    boxes: tuple[Box, ...] = ()  # where layout proves it; characters have their own


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

    @property
    def number(self) -> int:
        """Return what the edge is known by: a number made of what it says and of the words that prove it.

        It is the same in every build that finds the same, and another as soon as the words change.
        """
        return _number(self.source, self.kind, self.target, self.rule, self.proof.quote if self.proof else "")


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a value node says: numbers as read, `unit` as printed, `factor` to the base units of `dimension`.

    Of a range, both numbers are given; else they are equal. `factor` is 0 where the unit has no known size.
    """

    bound: Bound
    low: float
    high: float
    unit: str = ""
    dimension: str = ""
    factor: float = 0.0


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A searched chunk (its position in its document) that speaks of a node.

    `rank` 0: the node is made of this very text (a value stands here, a term is defined here), 1: its
    title or headings name it, 2: its text does.
    """

    document: str
    chunk: int
    node: str
    rank: int


@dataclass(frozen=True, slots=True)
class Graph:
    """All that was found over the documents of a library, in a fixed order.

    `nodes` are those that no document holds as an item: parameters, values, concepts, materials,
    structures, loads, and documents that are named but not loaded. `names` are (node id, what it is also
    called), `quantities` (id of a value, what it says), `homes` (id of a value, id of the item that
    holds it), `problems` (document id, what was left out).
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    quantities: tuple[tuple[str, Quantity], ...] = ()
    homes: tuple[tuple[str, str], ...] = ()
    mentions: tuple[Mention, ...] = ()
    problems: tuple[tuple[str, Problem], ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about the edge, reference or problem of this number, and why."""

    edge: int
    state: Literal["accepted", "rejected"]
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """Something to look at; `kind` is that of the edge, or "PROBLEM". `why` says what is doubtful."""

    id: str
    kind: str
    document: str
    page: int
    source: str
    target: str
    quote: str
    why: str
    confidence: float
    boxes: tuple[Box, ...] = ()
    belongs: tuple[int, ...] = ()  # what is decided with it: the conditions of a value, others of its place
    place: str = ""  # label of the clause, table or figure that it was read in


@dataclass(frozen=True, slots=True)
class Kept:
    """A decision as it stands in the file, with what it was about in words."""

    decision: Decision
    about: Mapping[str, object]


def reference_number(document: str, reference: Reference) -> int:
    """Return what a reference of a document is known by, as `Edge.number`."""
    target = f"{reference.designation} {reference.kind} {reference.number}"
    if reference.target:
        target = f"{reference.document or document}/{reference.target.key}"
    return _number(f"{document}/{reference.source.key}", "REFERENCES", target, "reference", reference.text)


def problem_number(document: str, problem: Problem) -> int:
    """Return what a problem of a document is known by, as `Edge.number`."""
    return _number(document, "PROBLEM", str(problem.page), "problem", problem.message)


def _number(*said: str) -> int:
    plain = "\0".join(" ".join(text.split()) for text in said)
    return int.from_bytes(hashlib.blake2s(plain.encode(), digest_size=ID_BYTES).digest(), signed=True)


@lru_cache(maxsize=50_000)
def fold_word(word: str) -> str:
    """Return the form in which a word of a name is compared: no case, no accents, no plural s."""
    plain = word.casefold()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    ends = len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is"))
    return plain[:-1] if ends else plain


def name_key(name: str) -> str:
    """Return the form in which a name is the key of a node and is looked up."""
    return " ".join(fold_word(match.group()) for match in NAME_WORD.finditer(name))


def edge_id(number: int) -> str:
    """Return the form of an edge's number that people read and type ("k3x7qzamd2f4u")."""
    return base64.b32encode(number.to_bytes(ID_BYTES, signed=True)).decode().rstrip("=").lower()


def edge_number(written: str) -> int | None:
    """Return the number that `edge_id` wrote, None where it is none."""
    letters = written.strip().upper()
    try:
        raw = base64.b32decode(letters + "=" * (-len(letters) % 8))
    except ValueError:
        return None
    return int.from_bytes(raw, signed=True) if len(raw) == ID_BYTES else None


def loop_through(first: str, then: str, said: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the members of the shortest circle that begins with this step, () where it is in none."""
    came: dict[str, str] = {then: first}
    waiting = deque([then])
    while waiting:
        at = waiting.popleft()
        if at == first:
            break
        for after in sorted(said.get(at, ())):
            if after not in came:
                came[after] = at
                waiting.append(after)
    if first not in came:
        return ()
    back = [came[first]]
    while back[-1] != first:
        back.append(came[back[-1]])
    return tuple(reversed(back))
