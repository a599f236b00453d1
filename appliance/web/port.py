"""What the page asks of the library: a Protocol, so that tests pass a small one in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from appliance.core.document import Box, Clause, Document, Figure, Formula, Label, Problem, Table
from appliance.core.evidence import Answer, Decided, Evidence, Listing
from appliance.core.graph import EdgeKind
from appliance.quality.values import Report
from appliance.site.notes import Site
from appliance.store.values import DocumentInfo
from appliance.tables.lookup import LookedUp

if TYPE_CHECKING:  # the library brings models and store; the page needs neither to be imported
    from appliance.retrieval.ask import Filter, Reading
    from appliance.views import ClauseView, Overview, PageView

__all__ = ["DocumentInfo", "Port"]


class Port(Protocol):
    """The library as the page sees it. Every method may raise an ApplianceError."""

    @property
    def site(self) -> Site: ...

    def overview(self) -> Overview: ...

    def search(
        self,
        question: str,
        limit: int = 20,
        documents: Sequence[str] = (),
        kinds: Sequence[str] = (),
        *,
        wanted: Filter = ...,
        after: str = "",
        reading: Reading | None = None,
    ) -> Evidence: ...

    def with_words(
        self,
        question: str,
        first: int = 0,
        count: int = 0,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = ...,
        after: str = "",
        reading: Reading | None = None,
    ) -> Listing: ...

    def ask(
        self,
        question: str,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = ...,
        after: str = "",
        reading: Reading | None = None,
    ) -> Answer: ...

    def tags(self) -> Sequence[tuple[str, str]]: ...

    def suggest(self, prefix: str, limit: int = 8) -> Sequence[tuple[str, Label, str]]: ...

    def document(self, document: str) -> Document: ...

    def tree(self, document: str) -> tuple[Clause, ...]: ...

    def clause(self, document: str, key: str) -> ClauseView: ...

    def national_choices(self, document: str, *keys: str) -> Decided: ...

    def table(self, document: str, key: str) -> Table: ...

    def table_lookup(self, document: str, label: str, row: str, column: str) -> LookedUp: ...

    def graph(
        self, name: str, kinds: Sequence[EdgeKind] = ..., direction: str = ..., depth: int = ...
    ) -> list[dict[str, Any]]: ...

    def figure(self, document: str, key: str) -> Figure: ...

    def tables_in(self, document: str, key: str) -> Sequence[Table]: ...

    def drawn(self, document: str, key: str) -> Figure | Formula: ...

    def doubts(self, document: str, boxes: Sequence[Box]) -> Sequence[Problem]: ...

    def picture(self, document: str, key: str) -> bytes | None: ...

    def page(self, document: str, number: int) -> PageView: ...

    def image(self, name: str) -> Path: ...

    def quality(self, document: str) -> Report: ...
