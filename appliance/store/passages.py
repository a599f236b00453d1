"""Which chunks are searched, and the text of each that the models see.

Rules of this module: pure. A child is searched; so is a parent that has no children, else it could
never be found. The heading path goes before the text here and is never part of what is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.document import Chunk, Document


def searchable(document: Document) -> tuple[int, ...]:
    """Return the positions, in the document's chunks, of those that are searched, ascending."""
    with_children = {chunk.parent for chunk in document.chunks if chunk.parent is not None}
    return tuple(
        position
        for position, chunk in enumerate(document.chunks)
        if chunk.parent is not None or position not in with_children
    )


def embedded_text(chunk: Chunk) -> str:
    """Return what the embedder and the reranker read of a chunk: its heading path, title and text."""
    return joined_text(chunk.context, chunk.title, chunk.passage.text, chunk.extra)


def joined_text(context: Sequence[str], title: str, text: str, extra: str) -> str:
    """Return the parts of a chunk as the models read them, no heading twice."""
    heading = " > ".join(dict.fromkeys(part for part in (*context, title) if part))
    return "\n".join(part for part in (heading, text, extra) if part)


def passages(document: Document) -> list[str]:
    """Return the text of every searched chunk of the document, in the order that vectors are given in."""
    return [embedded_text(document.chunks[position]) for position in searchable(document)]
