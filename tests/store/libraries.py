"""A small library written and opened for a test, with vectors that need no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from appliance.core.document import Chunk, Document, Label, LineSpan, Passage, Reference
from appliance.store.read import Store
from appliance.store.rows import passages
from appliance.store.write import LibraryMeta, write_library
from tests.factories import box, clause, document, figure, table, term

DIMENSION = 32


@dataclass(frozen=True)
class Vectors:
    """The vectors of one text."""

    pooled: NDArray[np.float32]
    tokens: NDArray[np.int8]


def token_vectors(text: str) -> NDArray[np.float32]:
    """Unit vectors [n, DIMENSION], the same for the same word."""
    rows = [
        np.random.default_rng(crc32(word.encode())).normal(size=DIMENSION) for word in text.lower().split()
    ] or [np.ones(DIMENSION)]
    stacked: NDArray[np.float32] = np.stack(rows).astype(np.float32)
    stacked /= np.linalg.norm(stacked, axis=1, keepdims=True)
    return stacked


def encoded(text: str) -> Vectors:
    """Vectors in which texts that share words are near."""
    tokens = token_vectors(text)
    pooled = tokens.mean(axis=0)
    pooled /= np.linalg.norm(pooled)
    return Vectors(pooled, np.rint(tokens * 127).astype(np.int8))


def chunked(source: Document, extra: Sequence[Chunk] = ()) -> Document:
    """The document with a parent and its sentences as children for every item."""
    chunks: list[Chunk] = []
    for item in source.clauses:
        kind = "requirement" if item.kind == "requirement" else "clause"
        chunks += _family(item.label, kind, item.title, item.passage, len(chunks))
    for grid in source.tables:
        text = " ".join(cell.text for cell in grid.cells)
        chunks += _family(grid.label, "table", grid.title, Passage(text), len(chunks))
    for drawing in source.figures:
        chunks += _family(drawing.label, "figure", drawing.title, Passage(drawing.text), len(chunks))
    for word in source.terms:
        chunks += _family(word.label, "definition", word.term, word.passage, len(chunks))
    return replace(source, chunks=(*chunks, *extra))


def _family(label: Label, kind: str, title: str, passage: Passage, position: int) -> list[Chunk]:
    parent = Chunk(label, (label,), kind, title, ("Snow loads",), passage, (box(),))  # type: ignore[arg-type] # a table of names
    sentences = [part.strip() for part in passage.text.split(". ") if part.strip()]
    children = [
        replace(parent, passage=Passage(sentence), parent=position, row=number if kind == "table" else None)
        for number, sentence in enumerate(sentences)
    ]
    return [parent, *children]


def reference(source: str, text: str, target: str | None = None, designation: str = "") -> Reference:
    """A reference from a place, resolved where a target is given."""
    return Reference(
        Label.from_key(source), 0, len(text), text, "clause", (box(),), designation, text,
        Label.from_key(target) if target else None, None, "resolved" if target else "unresolved",
        "" if target else "There is no such clause.",
    )  # fmt: skip


def snow_code(name: str = "DC-1-3", designation: str = "DC 1-3:2024") -> Document:
    """A code of a few clauses that refer to each other, with a table, a figure and a term."""
    source = document(
        clauses=(
            clause(
                "5.2",
                "The snow load on a roof shall be found from the coefficients of Table 5.1.",
                title="Roofs",
            ),
            clause(
                "5.3", "Drifted snow is taken as in 5.2. Exposed sites follow Figure 5.3.", title="Drifts"
            ),
            clause("5.3.2(7)P", "For a pitch of 30° the coefficient μ1 is 0.8 and sk is 150 kg/m2."),
            clause("6.1", "Overhanging snow at the eaves is added to the load of 5.3.", title="Eaves"),
        ),
        tables=(
            table(
                "Table 5.1",
                [["Angle", "μ1"], ["0°", "0.8"], ["60°", "0.0"]],
                "Shape coefficients",
                clause="5.2",
            ),
        ),
        figures=(figure("Figure 5.3", "Drift at a parapet", "h b", clause="5.3"),),
        terms=(term("exposure coefficient", "The coefficient that reduces the snow load of an open site."),),
        name=name,
        designation=designation,
        aliases=("snow code",),
    )
    links = (
        reference("5.2", "Table 5.1", "Table 5.1"),
        reference("5.3", "5.2", "5.2"),
        reference("5.3", "Figure 5.3", "Figure 5.3"),
        reference("6.1", "5.3", "5.3"),
        reference("5.2", "6.1", "6.1"),  # a cycle
        reference("6.1", "EN 1999-9", designation="EN 1999-9"),
    )
    return chunked(replace(source, references=links))


def densities_code() -> Document:
    """A second code whose numbers clash with those of the first."""
    source = document(
        clauses=(
            clause("5.2", "The density of stored hay is 3 kN/m3.", title="Farm products"),
            clause("5.3", "Stacked paper weighs 11 kN/m3. A café terrace carries 4 kN/m2."),
        ),
        name="DC-1-1",
        designation="DC 1-1:2024",
        aliases=("densities code",),
    )
    return chunked(source)


def line_passage(text: str) -> Passage:
    """A passage of one printed line."""
    return Passage(text, (LineSpan(0, len(text), box()),))


def write(path: Path, *documents: Document, vectors: bool = True) -> Path:
    """Write a library of these documents."""
    made = {item.id: [encoded(text) for text in passages(item)] for item in documents} if vectors else None
    write_library(path, documents, vectors=made, meta=LibraryMeta("fake" if vectors else ""))
    return path


def opened(path: Path, *documents: Document, vectors: bool = True) -> Store:
    """Write and open a library."""
    return Store(write(path, *documents, vectors=vectors))
