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

from appliance.core.errors import BadInput, BadQuestion
from appliance.core.files import files_in, read_lines
from appliance.core.mechanisms import without
from appliance.core.settings import Settings
from appliance.evaluation.collection import load_collection
from appliance.evaluation.places import Gold, covers
from appliance.evaluation.questions import Progress, Question
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.models.late_interaction import LateInteraction
from appliance.models.protocols import Floats
from appliance.retrieval.rank import model
from appliance.retrieval.search import Outcome, explore, prepare
from appliance.retrieval.search_context import Filter, place
from appliance.store.read import Store
from appliance.store.records import StoredChunk
from appliance.training.examples import PARTS, Example, Parts, Writer, refuse_unknown

WRONG = 30  # places kept of what the search met, best first


WRITTEN = "written"  # the type of a question that was written for training, not judged


def read_asked(files: Iterable[Path]) -> Iterator[Question]:
    """Yield the questions of files, judged ones or {"question", "document", "places"}; its document leads.

    Raises:
        BadInput: a line is neither.
    """
    for path in files:
        read = partial(_asked, path.stem)
        yield from (asked for _, asked in read_lines(path, read, "a question with places"))


def _asked(stem: str, line: str) -> Question:
    entry: dict[str, Any] = msgspec.json.decode(line)
    if "places" in entry:
        gold = tuple(Gold(entry["document"], label, "", page) for label, page in entry["places"])
        return Question("", entry["question"], "", WRITTEN, (entry["document"],), gold)
    gold = tuple(
        Gold(
            item.get("document", stem),
            *(item[key] for key in ("label", "kind", "page")),
            *(item.get(key, "") for key in ("parent", "alt")),
        )
        for item in entry["gold"]
    )
    named = dict.fromkeys((*entry.get("documents", ()), *(one.document for one in gold)))
    return Question("", entry["question"], documents=tuple(named) or (stem,), gold=gold)


def usable(
    asked: Iterable[Question], there: Names[str], held_out: Names[str]
) -> tuple[list[Question], Counter[str]]:
    """Return the questions that examples can be made of, and how many cannot be used by why not."""
    kept: list[Question] = []
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


@dataclass(frozen=True, slots=True)
class Plan:
    """Where examples go, which documents give none, and what is said of the library's own."""

    into: Path
    held_out: tuple[str, ...] = ()
    licence: str = ""
    source: str = "asked"

    def refuse_unlicensed(self) -> None:
        if not self.licence:
            raise BadInput("Name the licence under which these texts may be trained on, with --licence.")


def from_library(
    plan: Plan, library: Path, settings: Settings, questions: Sequence[Path], progress: Progress
) -> Mapping[str, int]:
    """Make an example of every question that the search can place; return how many were left out, by why.

    What stands in the folder already is left as it is. What is held out is not searched.

    Raises:
        BadInput: no licence is named, or a file holds no questions. ModelMissing: with the mending command.
    """
    plan.refuse_unlicensed()
    embedder = load_embedder(settings.models)
    reranker = load_reranker(settings.models, embedder) or LateInteraction(embedder)
    writer = Writer(plan.into)
    with Store(library) as store:
        there = [info.id for info in store.documents()]
        refuse_unknown(plan.held_out, there)
        writer.refuse(plan.held_out)
        searched = tuple(name for name in there if name not in plan.held_out) if plan.held_out else ()
        asked, lost = usable(read_asked(files_in(questions, "*.jsonl")), there, plan.held_out)
        for number, one in enumerate(asked, 1):
            progress(number, len(asked))
            if writer.has(plan.source, one.documents[0], one.question):
                lost["in the folder already"] += 1
                continue
            try:
                with without({"rank.forest"}):
                    wanted = Filter(documents=searched)
                    outcome = explore(
                        prepare(store, embedder, reranker, one.question, settings.search, wanted=wanted)
                    )
            except BadQuestion:
                lost["not to be searched"] += 1
                continue
            right, wrong = sides(outcome, one.gold)
            if right and wrong:
                read, (first, *others) = _parts(writer, outcome), one.documents
                sides_read = read(right), read(wrong)
                writer.add(
                    Example(one.question, *sides_read, plan.source, first, plan.licence, tuple(others))
                )
            elif right:
                lost["nothing beside what answers them was found"] += 1
            else:
                lost["no place that answers them was found"] += 1
    return lost


def sides(outcome: Outcome, gold: Sequence[Gold]) -> tuple[list[int], list[int]]:
    """Return the candidates that cover a wanted place, and those that speak for none, best first."""
    chunks = outcome.contest.chunks
    standing = model.ranking_scores(outcome.contest)
    ordered = sorted(chunks, key=lambda chunk: -standing[chunk])
    right = [chunk for chunk in ordered if any(covers(place(chunks[chunk], 0.0, ()), one) for one in gold)]

    def kin(one: StoredChunk, other: StoredChunk) -> bool:
        """Tell whether one of two places holds the other in the outline of a document."""
        pairs = zip(one.chunk.label.parts, other.chunk.label.parts, strict=False)
        return one.document == other.document and all(first == second for first, second in pairs)

    wrong = [
        chunk
        for chunk in ordered
        if chunk not in right and not any(kin(chunks[chunk], chunks[other]) for other in right)
    ]
    return right, wrong[:WRONG]


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


def hardest(cosines: Floats, right: Names[int], count: int) -> list[int]:
    """Return up to `count` passages, the nearest to a question by cosine, none as near as a right one."""
    best = max((float(cosines[number]) for number in right), default=1.0)
    nearest = np.argsort(-cosines, kind="stable")[:LOOKED_AT].tolist()
    return [row for row in nearest if cosines[row] <= CEILING * best and row not in right][:count]


def from_collection(plan: Plan, folder: Path, split: str, settings: Settings, progress: Progress) -> None:
    """Make an example of every judged query of a BEIR collection of another field, wrong passages mined.

    Raises BadInput as `from_library`.
    """
    plan.refuse_unlicensed()
    found = load_collection(folder, split)
    writer = Writer(plan.into)
    writer.refuse(plan.held_out)
    embedder = load_embedder(settings.models)
    place = {name: number for number, name in enumerate(found.passages)}
    texts = [f"{title}\n{text}".strip() for title, text in found.passages.values()]
    vectors = np.stack([one.pooled for one in embedder.encode_passages(texts)])

    def read(chosen: Iterable[int]) -> tuple[Parts, ...]:
        return tuple((writer.passage(texts[number], ""),) for number in chosen)

    for done, (query, question) in enumerate(found.queries.items(), 1):
        right = {place[name] for name, score in found.judged[query].items() if score > 0 and name in place}
        if right and not writer.has(found.name, "", question):
            wrong = hardest(vectors @ embedder.encode_query(question).pooled, right, FOREIGN_WRONG)
            example = Example(question, read(sorted(right)), read(wrong), found.name, "", plan.licence)
            writer.add(example)
        progress(done, len(found.queries))
