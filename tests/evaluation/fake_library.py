"""A library in memory that returns the places it is told to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.core.document import Box, Document, Label
from appliance.core.errors import BadQuestion, UnknownDocument
from appliance.core.evidence import (
    Answer,
    Channel,
    Citation,
    Confidence,
    Evidence,
    Grounded,
    NotFound,
    Place,
    Query,
    Stage,
    Statement,
)
from appliance.retrieval.search_context import EVERYTHING, Filter


def write_rows(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def place(document: str, keys: str, *pages: int, found_by: tuple[Channel, ...] = ("lexical",)) -> Place:
    labels = tuple(Label.from_key(key) for key in keys.split("|"))
    boxes = tuple(Box(page, 0, 0, 1, 1) for page in pages)
    return Place(document, labels[0], labels, "clause", "", (), pages, boxes, (), "text", 1.0, found_by)


def evidence(
    question: str, hits: Sequence[Place], stages: Mapping[Stage, tuple[Place, ...]] | None = None
) -> Evidence:
    return Evidence(
        Query(question, "general", ()), tuple(hits), (), (), (), 1.0, {}, stages or {}, shown=tuple(hits)
    )


def grounded(question: str, hits: Sequence[Place], text: str, quote: str = "") -> Grounded:
    quotes = (Citation(1, "K", Label(("1",)), 1, (), quote),) if quote else ()
    sure = Confidence("high", ())
    return Grounded(question, (Statement(text, (1,), True),), quotes, evidence(question, hits), (), (), sure)


@dataclass
class FakeLibrary:
    """Answers by question; "broken" in a question fails it."""

    hits: Mapping[str, Sequence[Place]] = field(default_factory=dict)
    stages: Mapping[str, Mapping[Stage, tuple[Place, ...]]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    loaded: Mapping[str, Document] = field(default_factory=dict)
    asked: int = 0
    filters: list[Filter] = field(default_factory=list)

    def search(
        self,
        question: str,
        limit: int = 20,
        documents: Sequence[str] = (),
        kinds: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        keep_stages: bool = False,
    ) -> Evidence:
        self.filters.append(wanted)
        assert not documents
        assert not kinds
        if "broken" in question:
            message = "it is broken"
            raise BadQuestion(message)
        stages = self.stages.get(question, {}) if keep_stages else {}
        return evidence(question, self.hits.get(question, ())[:limit], stages)

    def ask(self, question: str, *, wanted: Filter = EVERYTHING) -> Answer:
        self.asked += 1
        self.filters.append(wanted)
        if question not in self.texts:
            return NotFound(question, self.search(question), (), ())
        return grounded(question, self.hits.get(question, ()), self.texts[question])

    def document(self, document: str) -> Document:
        if document not in self.loaded:
            raise UnknownDocument(document, tuple(self.loaded))
        return self.loaded[document]
