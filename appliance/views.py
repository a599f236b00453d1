"""What a library shows of a place and of itself: values that the command line and the page read."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.core.errors import BadInput

if TYPE_CHECKING:
    from appliance.core.document import Clause, Figure, Formula, Reference, Table
    from appliance.store.values import DocumentInfo


@dataclass(frozen=True, slots=True)
class Overview:
    """What is loaded, for the first page and `doctor`; `issued` is its day, "" where unknown.

    `examples` are questions that it was seen to answer when it was built.
    """

    documents: tuple[DocumentInfo, ...]
    version: str
    embedder: str
    reranker: str
    issued: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageView:
    """One page: size in points, printed number, file names of its two images ("" for none there)."""

    number: int
    width: float
    height: float
    printed: str
    trust: str
    large: str
    phone: str


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause with what stands around it; `cited_by` pairs a document id with the reference in it."""

    clause: Clause
    path: tuple[Clause, ...]
    children: tuple[Clause, ...]
    references: tuple[Reference, ...]
    cited_by: tuple[tuple[str, Reference], ...]
    previous: Clause | None
    following: Clause | None
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    formulas: tuple[Formula, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of the clause and of what stands in it."""
        standing: tuple[Clause | Table | Figure, ...] = (
            self.clause,
            *self.children,
            *self.tables,
            *self.figures,
        )
        return tuple(dict.fromkeys(item.label.key for item in standing))


VARIABLE = "SOURCE_DATE_EPOCH"
LATEST = 253_402_300_799  # the last second of the year 9999


def issue_day(environment: Mapping[str, str] | None = None) -> str:
    """Return the day as ISO 8601 writes it; raises BadInput where the variable is no number of seconds."""
    given = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if given and not (given.isascii() and given.isdigit() and int(given) <= LATEST):
        message = f"{VARIABLE} must be a number of seconds since 1970, not {given[:40]!r}: mend or unset it."
        raise BadInput(message)
    return time.strftime("%Y-%m-%d", time.gmtime(int(given) if given else time.time()))
