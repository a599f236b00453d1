"""Examples from questions that people wrote: the places that answer them against what a search met.

Rules of this module: the candidates are those of the product's own search, the places that the first
ones refer to among them (so that a place two steps away is a hard right one, and its neighbours are
hard wrong ones). A place above or below a right one in the outline is neither right nor wrong. A line names
the documents of its question; a file's name stands for them only where it does not. No question is left out
in silence: each is counted under the words that say why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from appliance.errors import BadInput, BadQuestion
from appliance.evaluation.places import Gold, covers
from appliance.models.protocols import Embedder, Reranker
from appliance.retrieval import ranking
from appliance.retrieval.ask import Filter
from appliance.retrieval.assemble import Outcome
from appliance.retrieval.places import place
from appliance.retrieval.search import explore, prepare
from appliance.settings import SearchSettings
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
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if not line.strip():
                continue
            try:
                yield _asked(path.stem, msgspec.json.decode(line))
            except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
                message = f"{path}, line {number}: no question with places ({type(error).__name__}: {error})."
                raise BadInput(message) from None


def _asked(stem: str, entry: dict[str, Any]) -> Asked:
    if "places" in entry:
        gold = tuple(Gold(entry["document"], label, "", page) for label, page in entry["places"])
        return Asked(entry["question"], (entry["document"],), gold, judged=False)
    gold = tuple(
        Gold(item.get("document", stem), *(item[key] for key in ("label", "kind", "page")))
        for item in entry["gold"]
    )
    named = dict.fromkeys((*entry.get("documents", ()), *(one.document for one in gold)))
    return Asked(entry["question"], tuple(named) or (stem,), gold)


def usable(
    asked: Iterable[Asked], there: Collection[str], held_out: Collection[str]
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
    plain = replace(settings, learned_order=False)
    lost: Counter[str] = Counter()
    for number, asked in enumerate(questions, 1):
        progress(number, len(questions))
        if writer.has(source, asked.document, asked.question):
            lost["in the folder already"] += 1
            continue
        try:
            outcome = explore(
                prepare(store, *models, asked.question, plain, wanted=Filter(documents=tuple(documents)))
            )
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
    standing = ranking.scores(outcome.contest, ranking.load_weights())
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
