"""The items of the store that candidates of one question are made from, each read once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from appliance.core.document import Clause, Table
from appliance.core.evidence import Place
from appliance.store.read import Store
from appliance.store.values import StoredChunk


class Sources:
    """Clauses, tables and searched parts of the places of one question."""

    def __init__(self, store: Store, places: Sequence[Place]) -> None:
        self.store = store
        self._clauses: dict[tuple[str, str], Clause | None] = {}
        self._tables: dict[tuple[str, str], Table | None] = {}
        self._parts = _parts(store, (place.chunk for place in places))

    def clause(self, document: str, key: str) -> Clause | None:
        """Return a clause by its key."""
        at = (document, key)
        if at not in self._clauses:
            self._clauses[at] = self.store.clause(document, key)
        return self._clauses[at]

    def table(self, document: str, key: str) -> Table | None:
        """Return a table by its key."""
        at = (document, key)
        if at not in self._tables:
            self._tables[at] = self.store.table(document, key)
        return self._tables[at]

    def parts(self, place: Place) -> Sequence[StoredChunk]:
        """Return the searched parts of a place; of a table those of all chunks that it was cut into."""
        if place.kind != "table":
            return self._parts.get(place.chunk, ())
        cut = self.store.chunks(self.store.chunks_for(place.document, place.label))
        own = [one.id for one in cut if one.chunk.label == place.label and one.chunk.kind == "table"]
        missing = [chunk for chunk in own if chunk not in self._parts]
        self._parts.update(_parts(self.store, missing))
        return [part for chunk in dict.fromkeys((place.chunk, *own)) for part in self._parts.get(chunk, ())]


def _parts(store: Store, shown: Iterable[int]) -> dict[int, Sequence[StoredChunk]]:
    """Return the searched parts of each shown chunk, itself where it has none."""
    families: Mapping[int, tuple[int, ...]] = store.chunk_children(list(shown))
    stored = {part.id: part for part in store.chunks(one for ids in families.values() for one in ids)}
    return {chunk: [stored[one] for one in ids if one in stored] for chunk, ids in families.items()}
