"""Examples from judged questions, from collections of other fields, and mined negatives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Collection as Names
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from appliance.core.errors import BadQuestion
from appliance.core.files import read_lines
from appliance.core.mechanisms import without
from appliance.core.settings import SearchSettings
from appliance.evaluation.collection import Collection
from appliance.evaluation.places import Gold, covers
from appliance.models.protocols import Embedder, Floats, Reranker
from appliance.retrieval.ask import Filter, place
from appliance.retrieval.rank import model
from appliance.retrieval.search import Outcome, explore, prepare
from appliance.store.read import Store
from appliance.store.values import StoredChunk
from appliance.training.examples import PARTS, Example, Parts, Writer

WRONG = 30  # places kept of what the search met, best first
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its documents, the first leading, and the places that answer it all, if any.

    `judged` tells a judged question from one that was written for training.
    """

    question: str
    documents: tuple[str, ...]
    gold: tuple[Gold, ...]
    judged: bool = True

    @property
    def document(self) -> str:
        """Return the document that leads."""
        return self.documents[0]


def read_asked(files: Iterable[Path]) -> Iterator[Asked]:
    """Yield the questions of files, judged ones or {"question", "document", "places"}.

    Raises:
        BadInput: a line is neither.
    """
    for path in files:
        read = partial(_asked, path.stem)
        yield from (asked for _, asked in read_lines(path, read, "a question with places"))


def _asked(stem: str, line: str) -> Asked:
    entry: dict[str, Any] = msgspec.json.decode(line)
    if "places" in entry:
        gold = tuple(Gold(entry["document"], label, "", page) for label, page in entry["places"])
        return Asked(entry["question"], (entry["document"],), gold, judged=False)
    gold = tuple(
        Gold(
            item.get("document", stem),
            *(item[key] for key in ("label", "kind", "page")),
            *(item.get(key, "") for key in ("parent", "alt")),
        )
        for item in entry["gold"]
    )
    named = dict.fromkeys((*entry.get("documents", ()), *(one.document for one in gold)))
    return Asked(entry["question"], tuple(named) or (stem,), gold)


def usable(
    asked: Iterable[Asked], there: Names[str], held_out: Names[str]
) -> tuple[list[Asked], Counter[str]]:
    """Return the questions that examples can be made of, and how many cannot be used by why not."""
    kept: list[Asked] = []
    lost: Counter[str] = Counter()
    for one in asked:
        lacking = sorted({place.document for place in one.gold} - set(there))
        if not one.gold:
            lost["no document answers them"] += 1
        elif out := [name for name in one.documents if name in held_out]:
            lost[f"of {out[0]}, which is held out"] += 1
        elif lacking:
            lost[f"answered in {lacking[0]}, which the library lacks"] += 1
        else:
            kept.append(one)
    return kept, lost


def add_asked(
    writer: Writer,
    store: Store,
    models: tuple[Embedder, Reranker],
    questions: Sequence[Asked],
    settings: SearchSettings,
    *,
    source: str,
    licence: str,
    progress: Progress,
    documents: Sequence[str] = (),
) -> Mapping[str, int]:
    """Write an example for every question that the search can place; return how many not, by why not.

    What stands in the folder already is left as it is. Only `documents` are searched (all without any).
    """
    lost: Counter[str] = Counter()
    for number, asked in enumerate(questions, 1):
        progress(number, len(questions))
        if writer.has(source, asked.document, asked.question):
            lost["in the folder already"] += 1
            continue
        try:
            with without({"rank.forest"}):
                wanted = Filter(documents=tuple(documents))
                outcome = explore(prepare(store, *models, asked.question, settings, wanted=wanted))
        except BadQuestion:
            lost["not to be searched"] += 1
            continue
        right, wrong = sides(outcome, asked.gold)
        if not right or not wrong:
            lost[
                "nothing beside what answers them was found"
                if right
                else "no place that answers them was found"
            ] += 1
            continue
        read, (first, *others) = _parts(writer, outcome), asked.documents
        writer.add(Example(asked.question, read(right), read(wrong), source, first, licence, tuple(others)))
    return lost


def sides(outcome: Outcome, gold: Sequence[Gold]) -> tuple[list[int], list[int]]:
    """Return the candidates that cover a wanted place, and those that speak for none, best first."""
    chunks = outcome.contest.chunks
    standing = model.ranking_scores(outcome.contest, model.load_weights())
    ordered = sorted(chunks, key=lambda chunk: -standing[chunk])
    right = [chunk for chunk in ordered if any(covers(place(chunks[chunk], 0.0, ()), one) for one in gold)]
    wrong = [
        chunk
        for chunk in ordered
        if chunk not in right and not any(_kin(chunks[chunk], chunks[other]) for other in right)
    ]
    return right, wrong[:WRONG]


def _kin(one: StoredChunk, other: StoredChunk) -> bool:
    """Tell whether one of two places holds the other in the outline of a document."""
    if one.document != other.document:
        return False
    first, second = one.chunk.label.parts, other.chunk.label.parts
    shared = min(len(first), len(second))
    return first[:shared] == second[:shared]


def _parts(writer: Writer, outcome: Outcome) -> Callable[[Iterable[int]], tuple[Parts, ...]]:
    """Return what turns places into the ids of the parts that a reranker reads of them."""
    store, found, chunks = outcome.ask.store, outcome.found.children, outcome.contest.chunks

    def read(chosen: Iterable[int]) -> tuple[Parts, ...]:
        families = {
            parent: tuple(dict.fromkeys((*found.get(parent, ()), *children)))[:PARTS]
            for parent, children in store.chunk_children(chosen).items()
        }
        texts = store.texts([child for family in families.values() for child in family])
        return tuple(
            tuple(writer.passage(texts[child], chunks[place].document) for child in family if child in texts)
            for place, family in families.items()
        )

    return read


CEILING = 0.95  # of the right passage's cosine
LOOKED_AT = 200
FOREIGN_WRONG = 20  # places kept of a collection


@dataclass(frozen=True, slots=True)
class Pool:
    """The passages that wrong ones are taken from: unit vectors [n, dimension], the place of each."""

    vectors: Floats
    places: Sequence[int]


def hardest(embedder: Embedder, pool: Pool, question: str, right: Names[int], count: int) -> list[int]:
    """Return up to `count` places, nearest to the question first, none of `right`."""
    cosines: NDArray[np.float32] = pool.vectors @ embedder.encode_query(question).pooled
    best = max((float(cosines[row]) for row, place in enumerate(pool.places) if place in right), default=1.0)
    nearest = np.argsort(-cosines, kind="stable")[:LOOKED_AT]
    chosen = dict.fromkeys(
        pool.places[row]
        for row in nearest
        if cosines[row] <= CEILING * best and pool.places[row] not in right
    )
    return list(chosen)[:count]


def add_collection(
    writer: Writer, embedder: Embedder, found: Collection, licence: str, progress: Progress
) -> None:
    """Write an example for every judged query of a BEIR collection, wrong passages mined by meaning."""
    texts = {name: f"{title}\n{text}".strip() for name, (title, text) in found.passages.items()}
    names = list(texts)
    vectors = np.stack([one.pooled for one in embedder.encode_passages(list(texts.values()))])
    pool, place = Pool(vectors, range(len(names))), {name: number for number, name in enumerate(names)}

    def read(chosen: Iterable[int]) -> tuple[Parts, ...]:
        return tuple((writer.passage(texts[names[number]], ""),) for number in chosen)

    for done, (query, question) in enumerate(found.queries.items(), 1):
        right = {place[name] for name, score in found.judged[query].items() if score > 0 and name in place}
        if right and not writer.has(found.name, "", question):
            wrong = hardest(embedder, pool, question, right, FOREIGN_WRONG)
            writer.add(Example(question, read(sorted(right)), read(wrong), found.name, "", licence))
        progress(done, len(found.queries))
