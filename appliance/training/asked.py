"""Examples from questions that people wrote: the places that answer them against what a search met.

Rules of this module: the candidates are those of the product's own search, the places that the first
ones refer to among them (so that a place two steps away is a hard right one, and its neighbours are
hard wrong ones). A place above or below a right one in the outline is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    """A question with the places that answer it all."""

    question: str
    document: str
    gold: tuple[Gold, ...]


def read_asked(files: Iterable[Path]) -> Iterator[Asked]:
    """Yield the answerable questions of files, judged ones or {"question", "document", "places"}.

    Raises:
        BadInput: a line is neither.
    """
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield from _asked(path.stem, msgspec.json.decode(line))
            except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
                message = f"{path}, line {number}: no question with places ({type(error).__name__}: {error})."
                raise BadInput(message) from None


def _asked(stem: str, entry: dict[str, Any]) -> Iterator[Asked]:
    if "places" in entry:
        gold = tuple(Gold(entry["document"], label, "", page) for label, page in entry["places"])
        yield Asked(entry["question"], entry["document"], gold)
    elif entry["gold"]:
        gold = tuple(
            Gold(*(item[key] for key in ("document", "label", "kind", "page"))) for item in entry["gold"]
        )
        yield Asked(entry["question"], stem, gold)


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
) -> int:
    """Write an example for every question that the search can place; return how many it could not.

    What stands in the folder already is left as it is. Only `documents` are searched (all without any).
    """
    plain = replace(settings, learned_order=False)
    lost = 0
    for number, asked in enumerate(questions, 1):
        if writer.has(source, asked.document, asked.question):
            continue
        try:
            outcome = explore(
                prepare(store, *models, asked.question, plain, wanted=Filter(documents=tuple(documents)))
            )
        except BadQuestion:
            lost += 1
            continue
        right, wrong = sides(outcome, asked.gold)
        if not right or not wrong:
            lost += 1
            continue
        read = _parts(writer, outcome)
        writer.add(Example(asked.question, read(right), read(wrong), source, asked.document, licence))
        progress(number, len(questions))
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
