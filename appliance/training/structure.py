"""Examples from the structure of the documents of a library.

Rules of this module: questions come from pseudo.py, wrong places from mining.py; a place that the
question speaks of beside its answer (the clause that a reference stands in) is neither.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np

from appliance.models.protocols import Embedder
from appliance.store.read import Store
from appliance.training.asked import Progress
from appliance.training.examples import PARTS, Example, Writer
from appliance.training.mining import Pool, hardest
from appliance.training.pseudo import Pseudo, pseudo

WRONG = 20
FAMILY = 4  # parts of a wrong place that are kept


def add_structure(
    writer: Writer,
    store: Store,
    embedder: Embedder,
    documents: Sequence[str],
    *,
    licence: str,
    most: int,
    progress: Progress,
) -> None:
    """Write the examples that the structure of these documents gives, at most `most` of each source."""
    ids = _shown(store, documents)
    families = store.chunk_children(ids)
    children = [child for family in families.values() for child in family]
    vectors = store.vectors(children)
    owners = {child: place for place, family in families.items() for child in family}
    known = [child for child in children if child in vectors]
    pool = Pool(np.stack([vectors[child].pooled for child in known]), [owners[child] for child in known])
    keys = {item.id: (item.document, item.chunk.label.key) for item in store.chunks(ids)}
    made = list(_chosen(store, documents, most))
    for number, (document, one) in enumerate(made, 1):
        if not writer.has(one.source, document, one.question):
            own = {place for place, (name, key) in keys.items() if name == document and key in one.keys}
            wrong = hardest(embedder, pool, one.question, own, WRONG)
            texts = store.texts([child for place in wrong for child in families[place][:FAMILY]])
            right = (tuple(writer.passage(text, document) for text in one.right[:PARTS]),)
            others = tuple(
                tuple(writer.passage(texts[child], keys[place][0]) for child in families[place][:FAMILY])
                for place in wrong
            )
            writer.add(Example(one.question, right, others, one.source, document, licence))
        progress(number, len(made))


def _shown(store: Store, documents: Sequence[str]) -> list[int]:
    """Return the ids of the shown chunks of these documents."""
    rows = store.connections.rows("shown_in", documents=None, kinds=None)
    wanted = set(documents)
    return [item.id for item in store.chunks(row[0] for row in rows) if item.document in wanted]


def _chosen(store: Store, documents: Sequence[str], most: int) -> Iterator[tuple[str, Pseudo]]:
    """Yield up to `most` made questions of each source of each document, drawn evenly."""
    for document in documents:
        sources: dict[str, list[Pseudo]] = {}
        for one in pseudo(store.document(document)):
            sources.setdefault(one.source, []).append(one)
        for name, found in sorted(sources.items()):
            dice = random.Random(f"{document} {name}")  # noqa: S311 - no secret
            yield from ((document, one) for one in dice.sample(found, min(most, len(found))))
