"""A part named in a text, and what the grammar may look at while reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from appliance.core.document import ReferenceKind
from appliance.ingest.references.hosts import Host
from appliance.ingest.references.index import is_misread, shorter
from appliance.ingest.references.words import Words

NATIONAL = "national annex"  # the number of a mention of the national annex without its designation
Known = Callable[[ReferenceKind, str, str], bool]
"""Tells whether the document has a part of this kind with this label word and number."""
Between = Callable[[ReferenceKind, str, tuple[str, str]], tuple[str, ...]]
"""Returns the numbers that the document has between two of this kind."""


def nowhere(_kind: ReferenceKind, _label: str, _number: str) -> bool:
    """Tell of no part that the document has it."""
    return False


def nothing(_kind: ReferenceKind, _label: str, _ends: tuple[str, str]) -> tuple[str, ...]:
    """Return that nothing is known to stand between two numbers."""
    return ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A part named at [start, end) of a text; `designation` is the other document's, "" for its own.

    `part` is the Part, lacking here, that the words put it in: "Part 2" of "clause 1.2 of Part 2".
    """

    start: int
    end: int
    kind: ReferenceKind
    label: str
    number: str
    designation: str = ""
    part: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A text while its references are read; `clause` is the number of the clause it stands in.

    `loose` tells that the text is a list of clause numbers (a table column headed "Clause"), `comma`
    that the document writes its decimals with a comma, `paragraph` is the number that holds list items;
    `alike` tells whether it has a part that a poor text layer reads so, `between` what stands between two.
    """

    text: str
    words: Words
    known: Known
    clause: str = ""
    loose: bool = False
    hosts: Mapping[int, Host] = field(default_factory=dict)
    comma: bool = False
    paragraph: str = ""
    alike: Known = nowhere
    between: Between = nothing

    def reads(self, number: str) -> bool:
        """Tell whether the document has such a clause, one that a poor text layer reads so at least."""
        return self.has("clause", "", number) or (is_misread(number) and self.alike("clause", "", number))

    def has(self, kind: ReferenceKind, label: str, number: str) -> bool:
        """Tell whether the document has such a part, or the one it would be in ("5.2" for "5.2(3)(a)")."""
        while number and not self.known(kind, label, number):
            number = shorter(number)
        return bool(number)
