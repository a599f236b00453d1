"""What places say, judged against a question: the findings that an answer is chosen from.

Rules of this module: a table, a figure and a list that is asked for speak as a whole, all else part by
part. Every part is judged by the same signals; nothing is left out here but what has nothing to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.answer.cells import from_table
from appliance.answer.drawings import from_figure
from appliance.answer.findings import Finding, Part
from appliance.answer.joined import begins_inside, is_open
from appliance.answer.nearness import named_met
from appliance.answer.passages import from_passage, is_list
from appliance.core.document import Passage, Table
from appliance.core.evidence import Place, Query
from appliance.ingest.clause_chunks import stacked
from appliance.models.protocols import Candidate, EncodedQuery, Reranker
from appliance.retrieval.follow.terms import classes_of
from appliance.store.read import Store
from appliance.store.rows import embedded_text
from appliance.store.values import StoredChunk

LISTED = frozenset({"procedure", "coverage"})  # intents whose answer is a list: it is quoted whole
LEADING = 3  # first places whose lists are quoted whole, whatever is asked
UNQUOTED = frozenset({"heading"})  # shown with the answer, stated only with text of its own
TITLES = 12  # words that titles under a heading may have


@dataclass(frozen=True, slots=True)
class Judges:
    """What a part is judged with: the question as encoded and the reranker, None where there is none.

    `read` reads and encodes another question, one inside the question; None where none can be.
    """

    encoded: EncodedQuery | None
    reranker: Reranker | None
    read: Callable[[str], tuple[Query, EncodedQuery | None]] | None = None


def findings(store: Store, query: Query, places: Sequence[Place], judges: Judges) -> Iterator[Finding]:
    """Yield what each part of these places says, the first place first."""
    shown = _shown(store, places)
    parts = _parts(store, [chunk for chunks in shown for chunk in chunks])
    judged = _judged(store, query, [part for group in parts.values() for part in group], judges)
    tables = _tables(store, places)
    classes = [one for (document, _), table in tables.items() for one in classes_of(document, table)]
    for rank, (place, chunks) in enumerate(zip(places, shown, strict=True)):
        group = [
            Part(place, stored.chunk, score, rank, met)
            for chunk in chunks
            for stored in parts[chunk]
            for score, met in [judged.get(stored.id, (0.0, 0.0))]
        ]
        if place.kind == "table":
            table = tables.get((place.document, place.label.key))
            own = [one for one in classes if one.document == place.document]
            found = from_table(query, group, table, own) if table else None
            yield from [found] if found else []
        else:
            yield from _of_place(store, query, place, group)


def _shown(store: Store, places: Sequence[Place]) -> list[tuple[int, ...]]:
    """Return the shown chunks whose parts speak for each place.

    A table that was cut over several chunks speaks once, with all of its rows: the row that answers may
    stand in another chunk than the one that was found.
    """
    spoken: set[tuple[str, str]] = set()
    found: list[tuple[int, ...]] = []
    for place in places:
        table = (place.document, place.label.key)
        if place.kind != "table":
            found.append((place.chunk,))
        elif table in spoken:
            found.append(())
        else:
            spoken.add(table)
            cut = store.chunks(store.chunks_for(place.document, place.label))
            others = (
                item.id for item in cut if item.chunk.label == place.label and item.chunk.kind == "table"
            )
            found.append(tuple(dict.fromkeys((place.chunk, *others))))
    return found


def _tables(store: Store, places: Sequence[Place]) -> dict[tuple[str, str], Table]:
    """Return the tables among these places by document and key."""
    keys = dict.fromkeys((item.document, item.label.key) for item in places if item.kind == "table")
    found = ((key, store.table(*key)) for key in keys)
    return {key: table for key, table in found if table is not None}


def _of_place(store: Store, query: Query, place: Place, parts: Sequence[Part]) -> Iterator[Finding]:
    """Yield what a place that is no table says: one finding for a figure or a list, else each part."""
    if place.kind == "figure":
        figure = store.figure(place.document, place.label.key)
        found = [from_figure(query, parts, figure)] if figure else []
    elif place.kind in UNQUOTED and not _says_more(place):
        found = []
    elif whole := _whole_list(store, query, place, parts):
        found = [from_passage(query, whole, whole=True)]
    else:
        around = _around(store, place)
        found = [from_passage(query, part, around=around) for part in parts]
    yield from (finding for finding in found if finding is not None)


def _around(store: Store, place: Place) -> Passage | None:
    """Return the text that the parts of a place were cut from, on over what belongs to the same clause."""
    shown = store.chunks([place.chunk])
    if not shown:
        return None
    chunk = shown[0].chunk
    before, after = store.chunk_neighbours(place.chunk) if _is_cut(chunk.passage.text) else ((), ())
    beside = {item.id: item.chunk for item in store.chunks([*before, *after])}
    own = {
        at: other.passage
        for at, other in beside.items()
        if other.kind == chunk.kind and not set(other.labels).isdisjoint(chunk.labels)
    }
    passages = [*(own.get(at) for at in before), chunk.passage, *(own.get(at) for at in after)]
    return stacked(passage for passage in passages if passage is not None)


def _is_cut(text: str) -> bool:
    """Tell whether a text begins or ends inside a list."""
    return begins_inside(text) or is_open(text)


def _says_more(place: Place) -> bool:
    """Tell whether a heading is shown with text of its own, not only with titles."""
    return len(place.text.split()) > TITLES + len(place.title.split())


def _whole_list(store: Store, query: Query, place: Place, parts: Sequence[Part]) -> Part | None:
    """Return a list as one part, None where the place is none, or it is neither asked for nor leading.

    An item quoted without the others of its list may leave out the condition that decides.
    """
    if not parts or (query.intent not in LISTED and parts[0].rank >= LEADING):
        return None
    shown = store.chunks([place.chunk])
    if not shown or not is_list(shown[0].chunk.passage.text):
        return None
    return replace(max(parts, key=lambda part: part.similarity), chunk=shown[0].chunk)


def _parts(store: Store, shown: Sequence[int]) -> dict[int, list[StoredChunk]]:
    """Return, for each shown chunk, its children, or itself where it has none."""
    children = store.chunk_children(shown)
    stored = {part.id: part for part in store.chunks(child for ids in children.values() for child in ids)}
    return {chunk: [stored[child] for child in ids if child in stored] for chunk, ids in children.items()}


def _judged(
    store: Store, query: Query, parts: Sequence[StoredChunk], judges: Judges
) -> dict[int, tuple[float, float]]:
    """Return what the reranker thinks of each part and how near it comes to what a question names, by id.

    Nothing where there is no reranker.
    """
    encoded = judges.encoded
    if encoded is None or judges.reranker is None or not parts:
        return {}
    vectors = store.vectors([part.id for part in parts])
    rows = [vectors[part.id].tokens if part.id in vectors else None for part in parts]
    candidates = [Candidate(embedded_text(part.chunk), own) for part, own in zip(parts, rows, strict=True)]
    scores = map(float, judges.reranker.scores(encoded, candidates))
    near = named_met(store, query, encoded, rows)
    return {part.id: (score, met) for part, score, met in zip(parts, scores, near, strict=True)}
