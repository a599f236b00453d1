"""The values between a question and its answer: query, places, evidence, statements, citations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from appliance.core.document import Box, DocumentStatus, Label


@dataclass(frozen=True, slots=True)
class ModelStep:
    """One thing that a language model was asked for an answer, how it ended, and what it cost.

    `prompt` is the name and version of the prompt file, `ending` why it ended, `found` what came of it in
    words. Tokens: of the prompt, of it restored instead of evaluated, written. Seconds: waiting, from then
    to the first token, writing. `asked` are the messages as sent, each with its role, of which the first
    `fixed` are the same for every question; `grammar` is what it was held to, `wrote` all that it wrote.
    """

    what: Literal["answer", "tool"]
    prompt: str
    ending: str
    found: str = ""
    prompt_tokens: int = 0
    restored_tokens: int = 0
    tokens: int = 0
    waited_seconds: float = 0.0
    first_seconds: float = 0.0
    writing_seconds: float = 0.0
    asked: tuple[tuple[str, str], ...] = ()
    fixed: int = 0
    grammar: str = ""
    wrote: str = ""


@dataclass(frozen=True, slots=True)
class Own:
    """A sentence that a model named: whether it was read without doubt, and the chunks of its places."""

    text: str
    confirmed: bool
    chunks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The part that a language model took in an answer; `notice` is a sentence about it for the reader.

    `shown` are the numbered sentences as it read them; `own` are those that it named and that were not said
    without it, of which `confirmed` were read without doubt.
    """

    model: str
    notice: str = ""
    steps: tuple[ModelStep, ...] = ()
    shown: tuple[str, ...] = ()
    statements: int = 0
    confirmed: int = 0
    own: tuple[Own, ...] = ()


Intent = Literal[
    "value", "procedure", "applicability", "requirement", "definition", "location", "coverage",
    "reference", "figure", "general",
]  # fmt: skip
ConditionKind = Literal["material", "structure", "load", "location", "use", "age"]
ScopeKind = Literal["location", "page", "relation", "coverage"]
Verdict = Literal["", "yes", "partly", "limits", "no"]
Channel = Literal["exact", "lexical", "dense", "graph", "reference", "closure"]
Stage = Literal["lexical", "dense", "fused", "reranked", "closure"]
PlaceKind = Literal[
    "clause", "table", "figure", "formula", "definition", "requirement", "annex", "heading"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """What a question says of the case asked about: "timber" in the words of the question, by its name."""

    kind: ConditionKind
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A quantity that a question states: as typed, its number, its unit, and what that may measure.

    A ratio such as "1:12" has no number of its own; `number` is None then.
    """

    words: str
    number: float | None
    unit: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Concept:
    """An idea of the question and the other names under which it is searched."""

    words: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A question inside another one: as asked, and as searched with what it leaves unsaid."""

    asked: str
    searched: str
    intent: Intent = "general"


@dataclass(frozen=True, slots=True)
class Query:
    """A question as read: its terms for the lexical search and the labels and documents it names.

    `text` is the question as meant: where it goes on from the one before (`after`), `typed` keeps what
    was typed. `spelt` is its text with misspelt words put right, as it was searched. `kinds` are the
    kinds of quantity that it asks for, `pages` those that it names, as typed; `translated` is the code of
    the language that it was put from, "" for none.
    """

    text: str
    intent: Intent
    terms: tuple[str, ...]
    labels: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    unreadable: str = ""
    spelt: str = ""
    conditions: tuple[Condition, ...] = ()
    quantities: tuple[Stated, ...] = ()
    kinds: tuple[str, ...] = ()
    concepts: tuple[Concept, ...] = ()
    parts: tuple[SubQuestion, ...] = ()
    typed: str = ""
    after: str = ""
    pages: tuple[str, ...] = ()
    translated: str = ""

    @property
    def asked(self) -> str:
        """Return the question as typed."""
        return self.typed or self.text


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a code as shown.

    `focus` are the boxes of what matched best (drawn strong), `boxes` those of all the shown text
    (drawn faint). `path` are the labels that led here; `chunk` is its number in the library. `parts`
    are the places, best first, of which it is made where several are shown as one.
    """

    document: str
    label: Label
    labels: tuple[Label, ...]
    kind: PlaceKind
    title: str
    heading_path: tuple[str, ...]
    pages: tuple[int, ...]
    boxes: tuple[Box, ...]
    focus: tuple[Box, ...]
    text: str
    score: float
    found_by: tuple[Channel, ...]
    path: tuple[str, ...] = ()
    chunk: int = 0
    parts: tuple[Place, ...] = ()

    @property
    def best(self) -> Place:
        """Return the best of its parts, itself where it has none."""
        return self.parts[0] if self.parts else self


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reference that could not be followed: its words, where it stands, and why."""

    text: str
    document: str
    source: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Link:
    """One reference as followed, from place to place, with the words that make it."""

    from_document: str
    from_label: Label
    to_document: str
    to_label: Label
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What a national annex or an amendment says of a place of its parent, in its own words.

    `adopts` tells that it keeps what the parent recommends. One that is not `accepted` is proposed: it
    names the place, but does not surely decide, or belongs to another edition of the parent.
    """

    document: str
    label: Label
    kind: Literal["clause", "table"]
    parent: str
    target: Label
    target_kind: Literal["clause", "table", "figure", "formula"]
    what: Literal["national annex", "amendment"]
    words: str
    adopts: bool = False
    accepted: bool = True

    @property
    def rule(self) -> str:
        """Return the rule that decides between the two places."""
        if not self.accepted:
            return f"The {self.what} may change this: read it before you rely on the value."
        if self.what == "amendment":
            return "The amendment decides over the text that it changes."
        if self.adopts:
            return "The national annex adopts what is recommended."
        return "The national annex decides over the recommended value."


@dataclass(frozen=True, slots=True)
class Decided:
    """What stands between places and the annexes and amendments of a library.

    `governing` is what decides about the places, `made` is what they decide about others.
    """

    governing: tuple[Choice, ...] = ()
    made: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """One item of a scope: where it is, its page, and what it has to do with what was asked.

    Of a reference `how` are its words and `source` is where they stand, the item itself or another one.
    `above` are the labels of what an item named after a subject stands in, the highest first.
    """

    document: str
    label: Label
    title: str
    page: int
    how: str = ""
    source: tuple[str, Label] | None = None
    above: tuple[str, ...] = ()
    address: str = ""  # on the web


@dataclass(frozen=True, slots=True)
class Scoped:
    """What a question about places themselves comes to: a sentence, the items, and what was gone through.

    `searched` names documents with their pages ("DC-1-3, pages 1-22"). `verdict` tells, where a question asks
    what documents say of a subject, whether they speak of it, of a part of it, or of what they leave out.
    """

    kind: ScopeKind
    text: str
    items: tuple[Listed, ...] = ()
    searched: tuple[str, ...] = ()
    verdict: Verdict = ""


@dataclass(frozen=True, slots=True)
class Boost:
    """A place that was raised, never at the cost of hiding another, and why."""

    document: str
    label: Label
    why: str


@dataclass(frozen=True, slots=True)
class Round:
    """One review of the evidence: what the question still needed, and the places that were added for it."""

    why: str
    added: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Some of the places that hold words of a question, and how many there are in all."""

    places: tuple[Place, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the search found, best first; `must_read` is what the references of the hits demand.

    `hits` already holds the must-read places in their rank; `chain` is how they were reached. `shown` are the
    hits as people see them: what is printed side by side is one place (`appliance.retrieval.adjacent`).
    `relevance` is the calibrated chance (0..1) that the documents bear on the question at all.
    `stages` holds, where asked for, the ranked places of each stage for evaluation; `channels` the first
    places of each search; `choices` is what annexes and amendments decide about the hits; `rounds` are the
    reviews that added places to them. `not_run` says in words which search could not run, and why.
    """

    query: Query
    hits: tuple[Place, ...]
    must_read: tuple[Place, ...]
    chain: tuple[Link, ...]
    unresolved: tuple[Unresolved, ...]
    relevance: float
    timings_ms: Mapping[str, float]
    stages: Mapping[Stage, tuple[Place, ...]] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    scope: Scoped | None = None
    boosted: tuple[Boost, ...] = ()
    channels: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    not_run: tuple[str, ...] = ()
    shown: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quotation with its place; `n` is its number in the answer, from 1.

    `status` is that of the document: a quotation of a withdrawn edition says so wherever it is shown.
    """

    n: int
    document: str
    label: Label
    page: int
    boxes: tuple[Box, ...]
    quote: str
    status: DocumentStatus = "unknown"
    address: str = ""  # on the web, of a place in what was a web page


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of the answer; not confirmed means: shown as such, with the reason."""

    text: str
    citations: tuple[int, ...]
    confirmed: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two places that give different numbers of the same thing, and the rule that decides between them.

    `decides` is the side (0 or 1) that the rule prefers, None where no rule does.
    """

    sides: tuple[Citation, Citation]
    kind: Literal["national annex", "amendment", "edition", "undecided"]
    rule: str
    decides: int | None = None


@dataclass(frozen=True, slots=True)
class Subanswer:
    """A question inside the question with the statements that answer it, by their positions.

    None of them: nothing was found for it; `why` says in a sentence what is missing.
    """

    asked: str
    statements: tuple[int, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the answer is, from named signals; `chance` (0..1) is what they add up to."""

    level: Literal["high", "medium", "low"]
    reasons: tuple[str, ...]
    chance: float = 0.0
    signals: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedTable:
    """A table shown with the answer; `marked` are the deciding cells as (row, column) of its grid.

    `unsure` says why none of them is surely the value asked for: its rows are shown then, no value large.
    """

    document: str
    label: Label
    marked: tuple[tuple[int, int], ...]
    unsure: str = ""


@dataclass(frozen=True, slots=True)
class Headline:
    """The one value that answers: its unit, what it is the value of, its conditions, and its citation.

    A doubtful one was read with doubt: there the picture of the page is the value, it is never shown large.
    `box` is that of its cell, None where it stands in words.
    """

    value: str
    unit: str
    what: str
    conditions: tuple[str, ...]
    citation: int
    trust: Literal["text", "doubtful"] = "text"
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Grounded:
    """An answer: each statement carries citations; tables and figures that belong to it.

    `state` is "found" where the box stands behind the answer, "read" where it names places to read. `cases`
    are the values of cases that the question leaves open, each with what tells it from the others as its
    conditions; then no single value heads the answer. `also` are further statements, one line each.
    `searched` are the documents that were searched, whether anything is cited from them or not. `gap` says
    in a sentence what was asked for and found nowhere; `written` is what a language model did for it.
    """

    question: str
    statements: tuple[Statement, ...]
    citations: tuple[Citation, ...]
    evidence: Evidence
    tables: tuple[MarkedTable, ...]
    figures: tuple[Place, ...]
    confidence: Confidence
    searched: tuple[str, ...] = ()
    mode: Literal["deterministic", "model"] = "deterministic"
    conflicts: tuple[Conflict, ...] = ()
    parts: tuple[Subanswer, ...] = ()
    gap: str = ""
    written: Written | None = None
    state: Literal["found", "read"] = "read"
    headline: Headline | None = None
    cases: tuple[Headline, ...] = ()
    also: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class NotFound:
    """Nothing in the documents loaded bears on the question; the nearest places are shown as such."""

    question: str
    evidence: Evidence
    searched: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The question could not be answered for a reason that is not its own; the places found are kept."""

    question: str
    message: str
    evidence: Evidence | None = None


Answer = Grounded | NotFound | Failed
