"""The JSON shapes of what the box states of itself, of what is kept on it, and of answers being written."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from appliance.core.document import Box
from appliance.core.jobs import State
from appliance.keeping.compare import Fate, Stretch
from appliance.keeping.recheck import State as QuoteState
from appliance.keeping.updated import Updated
from appliance.operation.history import Stage
from appliance.operation.values import Point
from appliance.quality.values import Level, ReasonKind, Trust
from appliance.site.saved import Kept

Health = Literal["well", "note", "wrong"]


class Told(TypedDict):
    """A failure: its status and a sentence for whoever asked."""

    status: int
    message: str


class Failure(TypedDict):
    """What is answered where a request cannot be served."""

    error: Told


class Busy(Failure):
    """What is answered where there is a queue, or where one device asks too often; when to ask again.

    `seconds` is missing where it is the pace of the device that was too high: Retry-After says them.
    """

    seconds: NotRequired[int]


class Healthy(TypedDict):
    """How the box is."""

    state: Health
    checks: list[Point]


class Release(TypedDict):
    """The bundle that is served."""

    version: int
    notes: str
    closes: list[str]


class About(Healthy):
    """What the box is."""

    program: str
    library: str
    issued: str
    built: str
    release: Release | None
    documents: int
    embedder: str
    reranker: str
    notes: dict[str, int]
    addresses: list[str]


class Figures(TypedDict):
    """The figures of the service; stages in milliseconds."""

    hours: int
    totals: dict[str, int]
    not_found_share: float
    stages: list[Stage]


class Expected(TypedDict):
    """What was found of a kind against what was expected."""

    found: int
    expected: int
    missing: list[str]
    spoken_of: list[str]


class References(TypedDict):
    """How the references of a document ended."""

    found: int
    resolved: int
    not_loaded: int
    unresolved: int
    a_page: float
    usual_a_page: float | None
    low: bool


class Summary(TypedDict):
    """How well a document was read."""

    document: str
    designation: str
    title: str
    family: str
    level: Level
    why: str
    clauses: Expected
    tables: Expected
    figures: Expected
    references: References
    trust: dict[Trust, int]
    pages_to_look_at: list[int]


class Reason(TypedDict):
    """Why somebody should look."""

    kind: ReasonKind
    words: str
    weight: float
    box: Box | None


class Page(TypedDict):
    """How well a page was read."""

    page: int
    trust: Trust
    checked: str
    weight: float
    reasons: list[Reason]


class Quality(Summary):
    """How well a document was read, page by page."""

    reasons: dict[str, int]
    whole: list[Reason]
    look_at: list[Page]
    pages: list[Page]


class Word(TypedDict):
    """A word that a document defines."""

    name: str
    kind: str
    text: str
    unit: str
    key: str
    page: int | None


class Words(TypedDict):
    """What a document defines."""

    document: str
    terms: list[Word]


class Side(TypedDict):
    """One of two things that are compared."""

    label: str
    key: str
    title: str
    page: int | None


class Pair(TypedDict):
    """What became of one thing between two documents."""

    fate: Fate
    kind: str
    old: Side | None
    new: Side | None
    words: list[Stretch]


Comparison = TypedDict(
    "Comparison",
    {"a": str, "b": str, "counts": dict[Fate, int], "total": int, "from": int, "pairs": list[Pair]},
)


class Changes(TypedDict):
    """What the last update changed, null where none is known."""

    update: Updated | None


class Short(TypedDict):
    """A saved answer in a list."""

    key: str
    saved: str
    question: str
    outcome: str
    library: str
    note: str
    state: QuoteState
    states: dict[str, int]


class Checked(TypedDict):
    """How a saved quotation stands in the library that is open."""

    n: int
    state: QuoteState
    key: str
    page: int | None
    edition: str
    words: list[Stretch]


class Saved(Short):
    """A saved answer whole."""

    answer: Kept
    citations: list[Checked]


Saveds = TypedDict("Saveds", {"total": int, "from": int, "saved": list[Short]})


class Key(TypedDict):
    """The key of what was saved."""

    key: str


class Removed(TypedDict):
    """The key of what was removed."""

    removed: str


class Begun(TypedDict):
    """A job that was begun, and the address that looks at it."""

    job: str
    address: str


class Writing(Begun):
    """A job that writes an answer, with the address of the answer once it is written."""

    answer: str


class Looked(TypedDict):
    """How a job is, with its text since the offset that was asked for."""

    state: State
    ended: bool
    stage: str
    share: float
    position: int
    seconds: int
    text: str
    told: int
    message: str


class Cancelled(TypedDict):
    """Whether there was a job to give up."""

    cancelled: bool


Description = dict[str, Any]  # of this interface: an OpenAPI 3.1 document


class Tool(TypedDict):
    """A tool that a program may use, with the JSON schema of its parameters."""

    name: str
    about: str
    parameters: dict[str, Any]
