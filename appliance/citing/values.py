"""Texts as read, citations as checked, and the report of them as JSON."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import Literal, get_args

from appliance.contract.shape import Json, picked
from appliance.core.document import Label, ReferenceKind

Status = Literal[
    "not in the library", "ambiguous", "wrong edition", "no such place", "withdrawn", "superseded",
    "wrong title", "found",
]  # fmt: skip
STATUSES: tuple[Status, ...] = get_args(Status)  # the gravest first, but for what is not there to check
Unit = Literal["page", "line", "paragraph"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of the document that is reviewed, with the page, line or paragraph on which it starts.

    `lines` are the places of the text where the next lines begin.
    """

    text: str
    number: int
    lines: tuple[int, ...] = ()

    def at(self, place: int) -> int:
        """Return the page, line or paragraph of a place of the text."""
        return self.number + bisect_right(self.lines, place)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A document as read; `problems` are what of it could not be read."""

    name: str
    unit: Unit
    paragraphs: tuple[Paragraph, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as printed at [start, end) of a paragraph; `title` is the title printed beside it.

    `assumed` tells that its document is one that the text named before, not one named with it; `behind`,
    that it is the one that its sentence names behind it. `amended` are the years of the amendments that are
    named with it.
    """

    paragraph: int
    start: int
    end: int
    text: str
    kind: ReferenceKind
    number: str
    designation: str
    title: str = ""
    assumed: bool = False
    behind: bool = False
    amended: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Proof:
    """The place of the library that a citation was held against; `label` None for a whole document."""

    document: str
    designation: str
    title: str
    page: int
    label: Label | None = None
    kind: str = "document"


@dataclass(frozen=True, slots=True)
class Checked:
    """A citation with its status, why, and the place that shows it."""

    cited: Cited
    where: int
    context: tuple[str, str, str]
    status: Status
    reasons: tuple[str, ...]
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All citations of one document in their order."""

    name: str
    unit: Unit
    library: str
    checked: tuple[Checked, ...]
    problems: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[Status, int]:
        """Return how many citations have each status, in the order of the parts."""
        return dict(Counter(one.status for _, checked in self.parts for one in checked))

    @property
    def parts(self) -> tuple[tuple[str, tuple[Checked, ...]], ...]:
        """Return the citations as they are reported: wrong, to look at, found, and not there to check."""
        of = {"ambiguous": "look", "found": "found", "not in the library": "away"}
        named = ((name, [one for one in self.checked if of.get(one.status, "wrong") == name])
                 for name in ("wrong", "look", "found", "away"))  # fmt: skip
        return tuple((name, tuple(checked)) for name, checked in named if checked)

    @property
    def wrong(self) -> bool:
        """Tell whether a citation is wrong: withdrawn, of another edition, not there, or of another title."""
        return "wrong" in dict(self.parts)


def report_json(report: Report) -> Json:
    """Return the report: how many citations have each status, and every citation with its proof."""
    names = (
        "text", "status", "reasons", report.unit, "kind", "document", "number", "title", "assumed",
        "context", "proof",
    )  # fmt: skip
    citations = [
        picked(
            names,
            one.cited,
            status=one.status,
            reasons=list(one.reasons),
            document=one.cited.designation,
            context="".join(one.context),
            proof=_proof(one.proof) if one.proof else None,
            **{report.unit: one.where},
        )
        for one in report.checked
    ]
    return picked(("name", "library", "counts", "citations", "problems"), report, citations=citations)


def _proof(proof: Proof) -> Json:
    label, key = (str(proof.label), proof.label.key) if proof.label else ("", "")
    names = "document", "designation", "label", "key", "kind", "title", "page"
    return picked(names, proof, label=label, key=key)
