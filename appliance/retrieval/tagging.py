"""Which places are about a material, a structure, a load or a discipline, for filters.

Rules of this module: tags are those of the vocabularies, and what a place is about is what the graph of the
library says: its headings name the tag, or its text does. A tag that nobody knows is refused, with
those that are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args

from appliance.errors import BadInput
from appliance.graph import NodeKind
from appliance.retrieval.lexicon import Tag, load_tags
from appliance.store.read import Store
from appliance.store.words import words


def tagged(store: Store, asked: Sequence[str], folders: Iterable[Path] = ()) -> frozenset[int]:
    """Return the ids of the searched chunks that are about all of these tags.

    Raises:
        BadInput: a tag is none of the vocabularies.
    """
    held = [places_about(store, tag_named(name, load_tags(*folders))) for name in asked]
    return frozenset.intersection(*held) if held else frozenset()


def tag_named(name: str, tags: Sequence[Tag]) -> Tag:
    """Return the tag of this name, or with this word among its own; raises BadInput."""
    wanted = words(name)
    by_name = [tag for tag in tags if words(tag.name) == wanted]
    by_word = [tag for tag in tags if wanted in [words(item) for item in tag.names]]
    if found := by_name or by_word:
        return found[0]
    known = ", ".join(sorted(tag.name for tag in tags))
    message = f"There is no tag {name!r}. Known are: {known}."
    raise BadInput(message)


def places_about(store: Store, tag: Tag) -> frozenset[int]:
    """Return the ids of the searched chunks that are about a tag."""
    kind = tag.kind if tag.kind in get_args(NodeKind) else "concept"
    nodes = [node for node in store.entities([tag.name])[tag.name] if node.kind == kind]
    return frozenset(chunk for node in nodes for chunk, _ in store.chunks_of(node))
