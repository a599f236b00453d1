"""The JSON shapes of what the box states of itself and of its service, and of answers being written."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from appliance.core.jobs import State
from appliance.operation.history import Stage
from appliance.operation.values import Point
from appliance.store.records import DocumentInfo

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


class Loaded(TypedDict):
    """What is loaded."""

    version: str
    embedder: str
    reranker: str
    documents: list[DocumentInfo]


Rectangle = tuple[float, float, float, float]


class View(TypedDict):
    """A page with its picture; rectangles are x, y, width and height in points of the page."""

    document: str
    page: int
    last: int
    printed: str
    trust: str
    width: float
    height: float
    image: str
    small: str
    address: str
    crop: Rectangle
    strong: list[Rectangle]
    faint: list[Rectangle]


class Suggestion(TypedDict):
    """A label that begins as typed, with the address that reads it."""

    document: str
    label: str
    title: str
    address: str


class Key(TypedDict):
    """The key of what was saved."""

    key: str


class GapPlace(TypedDict):
    """A place that was shown with it; page 0 where that is not known."""

    document: str
    label: str
    page: int


class Gap(TypedDict):
    """A question that found nothing: when it came first and last, how often, and why; never who asked.

    `beside` is the address that it was asked by, "" where that says no more than the question.
    """

    question: str
    beside: str
    asked: int
    at: str
    last: str
    library: str
    reasons: list[str]
    shown: list[GapPlace]


Gaps = TypedDict("Gaps", {"total": int, "from": int, "gaps": list[Gap]})


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
