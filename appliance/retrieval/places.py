"""Chunks as places: what is shown of the code for a hit.

Rules of this module: pure; the text shown is the parent's, its strong boxes are the best child's.
"""

from __future__ import annotations

from appliance.document import Box, pages_of
from appliance.evidence import Channel, Place
from appliance.store.values import StoredChunk


def place(
    item: StoredChunk,
    score: float,
    found_by: tuple[Channel, ...],
    *,
    focus: tuple[Box, ...] = (),
    path: tuple[str, ...] = (),
) -> Place:
    """Return a shown chunk as a place; without a focus all of it is drawn strong."""
    chunk = item.chunk
    return Place(
        document=item.document,
        label=chunk.label,
        labels=chunk.labels or (chunk.label,),
        kind=chunk.kind,
        title=chunk.title,
        heading_path=chunk.context,
        pages=pages_of(chunk.boxes),
        boxes=chunk.boxes,
        focus=focus or chunk.boxes,
        text=chunk.passage.text,
        score=score,
        found_by=found_by,
        path=path,
        chunk=item.id,
    )
