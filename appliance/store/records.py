"""What the store tells besides the values of document.py."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from appliance.core.document import Chunk, ClauseKind, DocumentStatus, Label, Page


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document without its items: what a list of documents shows."""

    id: str
    designation: str
    title: str
    edition: str
    status: DocumentStatus
    language: str
    sha256: str
    family: str
    aliases: tuple[str, ...]
    pages: int
    clauses: int
    tables: int
    figures: int
    references: int
    problems: int


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page with the file names of its images, "" where there is none."""

    page: Page
    large: str
    phone: str


@dataclass(frozen=True, slots=True)
class ClauseEntry:
    """One line of the document tree: a clause without its text, and the page on which it starts."""

    label: Label
    kind: ClauseKind
    title: str
    parent: Label | None
    level: int
    page: int


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with its id; `parent` is the id of the chunk that is shown for it, None for a shown one."""

    id: int
    document: str
    parent: int | None
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Labelled:
    """A chunk that shows a label; rank 0 is the item itself, 1 contains it, 2 by its bare number."""

    folded: str
    rank: int
    document: str
    chunk: int


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The vectors of a searched chunk as written: pooled [dimension], tokens [n, token_dimension]."""

    pooled: NDArray[np.float32]
    tokens: NDArray[np.int8]
