# ruff: noqa: INP001 - a script that prints
"""Keep whole searches with all that is known of each candidate, for scripts/compare_orders.py.

    python scripts/gather_orders.py collection PRA_FOLDER INTO [--every 4]
    python scripts/gather_orders.py questions COLLECTION [--every 3] --into QUESTIONS.jsonl
    python scripts/gather_orders.py gather LIBRARY QUESTIONS.jsonl... [--flat] --into FILE.npz

`collection` writes the PRA set in BEIR layout; `appliance eval beir INTO` makes its library in build/beir.
`questions` writes those of a collection as `appliance train data --questions` reads them, for fixed lists.
`gather` searches each question as it ships and keeps what is known of each candidate, of those that other
searches would add too: RM3 (Lavrenko & Croft, SIGIR 2001; Abdul-Jaleel et al., TREC 2004) over the search by
words, and the neighbours by vectors of the first places (GAR: MacAvaney, Tonellotto & Macdonald, CIKM 2022).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from asked import Asked, explored, read_asked
from numpy.typing import NDArray

from appliance.core.settings import Settings
from appliance.evaluation import beir
from appliance.evaluation.beir import load_collection
from appliance.evaluation.places import covers
from appliance.retrieval.ask import Ask, place
from appliance.retrieval.channels.lexical import WEIGHTS, wanted_of
from appliance.retrieval.channels.lexical import WORDS as LEXICAL
from appliance.retrieval.rank import model
from appliance.retrieval.rank.rerank import rerank
from appliance.retrieval.search import Outcome
from appliance.store.bm25 import postings_of
from appliance.store.channels import index_terms, search_vectors

DEEP = 100  # places of a ranking that are kept
FED_BACK, TERMS = 10, 20  # passages and words of RM3
FIRST_PLACES, NEIGHBOURS = 10, 8  # of GAR
WORDS = ("pairs", "run", "share", "bm25")  # features that the forest lacks
RM3 = (0.25, 0.5, 1.0)  # what the expansion counts beside the question


@dataclass(frozen=True)
class Case:
    """One question: of each candidate what it covers, its features, scores and vector, and rankings by place.

    `wanted` counts what could be covered, found or not; pieces of one `passage` have one number. `known` are
    the candidates of the search as it ships, which alone have features; `wide` is the forest's score where
    neighbours compete too.
    """

    document: str
    wanted: int
    covered: NDArray[np.bool_]
    passage: NDArray[np.int32]
    known: NDArray[np.bool_]
    named: NDArray[np.bool_]
    rows: NDArray[np.float32]
    words: NDArray[np.float32]
    score: NDArray[np.float32]
    wide: NDArray[np.float32]
    vectors: NDArray[np.float16]
    asked: NDArray[np.float32]
    ranked: NDArray[np.int32]  # [ways, DEEP], places in the candidates, -1 for none


WAYS = (
    "child_words",
    "parent_words",
    "aliases",
    "dense",
    "concepts",
    "fused",
    *(f"rm3 {one}" for one in RM3),
)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    steps = parser.add_subparsers(dest="step", required=True)
    one = steps.add_parser("collection")
    one.add_argument("source", type=Path)
    one.add_argument("into", type=Path)
    one.add_argument("--every", type=int, default=4)
    two = steps.add_parser("questions")
    two.add_argument("source", type=Path)
    two.add_argument("--every", type=int, default=1)
    two.add_argument("--into", type=Path, required=True)
    three = steps.add_parser("gather")
    three.add_argument("library", type=Path)
    three.add_argument("questions", type=Path, nargs="+")
    three.add_argument("--flat", action="store_true", help="a collection: deeper, as eval beir searches")
    three.add_argument("--into", type=Path, required=True)
    given = parser.parse_args()
    if given.step == "collection":
        write_collection(given.source, given.into, given.every)
    elif given.step == "questions":
        write_questions(given.source, given.into, given.every)
    else:
        save(given.into, list(gather(given.library, given.questions, flat=given.flat)))


def write_collection(source: Path, into: Path, every: int) -> None:
    """Write every so many questions of the PRA set, and all of its passages, in BEIR layout."""
    passages, questions = (
        [json.loads(line) for line in (source / f"pra-xref-{name}.jsonl").read_text().splitlines()]
        for name in ("passages", "questions")
    )
    (into / "qrels").mkdir(parents=True, exist_ok=True)
    chosen = list(enumerate(questions))[::every]
    files = {
        "corpus.jsonl": [json.dumps({"_id": one["id"], "text": one["text"]}) for one in passages],
        "queries.jsonl": [json.dumps({"_id": f"q{n}", "text": one["question"]}) for n, one in chosen],
        "qrels/test.tsv": [
            "query-id\tcorpus-id\tscore",
            *(f"q{n}\t{name}\t1" for n, one in chosen for name in one["passages"]),
        ],
    }
    for name, lines in files.items():
        (into / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_questions(collection: Path, into: Path, every: int) -> None:
    """Write questions of a collection with the labels that the passages have in its library."""
    held = load_collection(collection, "test")
    labels = {passage: str(beir.label_of(number)) for number, passage in enumerate(held.passages)}
    lines = [
        json.dumps(
            {
                "question": text,
                "document": "collection",
                "places": [[labels[name], 1] for name, score in held.judged[query].items() if score > 0],
            }
        )
        for query, text in list(held.queries.items())[::every]
    ]
    into.write_text("\n".join(lines) + "\n", encoding="utf-8")


def gather(library: Path, files: Sequence[Path], *, flat: bool) -> Iterator[Case]:
    """Yield the case of every answerable question that can be searched."""
    settings = Settings().search
    asked = [one for one in read_asked(files) if one.gold]
    for one, outcome in explored(library, asked, beir.deep(settings) if flat else settings):
        yield case_of(outcome, one)


def case_of(outcome: Outcome, asked: Asked) -> Case:
    """Return what is known of the candidates of one question, those that other searches add behind them."""
    ask, store, gold = outcome.ask, outcome.ask.store, asked.gold
    contest, rankings = outcome.contest, outcome.found.rankings
    wide = with_neighbours(ask, outcome)
    ranked = [
        *(rankings[name] for name in WAYS[:5]),
        outcome.orders.fused,
        *expanded(ask, rankings["parent_words"]),
    ]
    ids = list(dict.fromkeys([*contest.chunks, *wide, *(chunk for way in ranked for chunk in way[:DEEP])]))
    at = {chunk: number for number, chunk in enumerate(ids)}
    shown = {item.id: item for item in store.chunks(ids)}
    places = [place(shown[chunk], 0.0, ()) for chunk in ids]
    rows = model.rows(ask, outcome.found, contest)
    known = len(contest.chunks)
    filled = np.full((len(WAYS), DEEP), -1, dtype=np.int32)
    for line, way in zip(filled, ranked, strict=True):
        line[: len(way[:DEEP])] = [at[chunk] for chunk in way[:DEEP]]
    return Case(
        asked.document,
        len(gold),
        np.array([[covers(item, one) for one in gold] for item in places], dtype=bool).reshape(len(ids), -1),
        np.unique([str(item.label) for item in places], return_inverse=True)[1].astype(np.int32),
        np.arange(len(ids)) < known,
        np.array([chunk in outcome.named.first for chunk in ids]),
        rows,
        words_of(ask, ids[:known]),
        np.array([outcome.scores[chunk] for chunk in ids[:known]], dtype=np.float32),
        np.array([wide.get(chunk, -np.inf) for chunk in ids], dtype=np.float32),
        nearest_part(ask, ids),
        np.asarray(ask.encoded.pooled if ask.encoded else np.zeros(1), dtype=np.float32),
        filled,
    )


def with_neighbours(ask: Ask, outcome: Outcome) -> dict[int, float]:
    """Return the forest's score of all candidates where the nearest of the first places compete too."""
    store, contest = ask.store, outcome.contest
    leading = outcome.orders.final[:FIRST_PLACES]
    children = {parent: kids or (parent,) for parent, kids in store.chunk_children(leading).items()}
    vectors = store.vectors([kid for kids in children.values() for kid in kids])
    near = [
        chunk
        for kids in children.values()
        for kid in kids[:1]
        if kid in vectors
        for chunk, _ in search_vectors(store, vectors[kid].pooled, NEIGHBOURS, scan_from=1)
    ]
    owners = store.parents(near)
    new = {
        item.id: item
        for item in store.chunks(dict.fromkeys(owners.values()))
        if item.id not in contest.chunks
    }
    more = replace(
        contest,
        chunks={**contest.chunks, **new},
        judged={**contest.judged, **rerank(ask, new, outcome.found.children)},
    )
    return dict(model.scores(ask, outcome.found, more))


def expanded(ask: Ask, first: Sequence[int]) -> list[list[int]]:
    """Return the rankings of RM3 over shown chunks, one for each weight of the expansion."""
    store, vocabulary = ask.store, ask.index.vocabulary
    postings, weights = postings_of(store, "parent"), asdict(WEIGHTS["parent"])
    plain = postings.scores(wanted_of(ask.question, vocabulary, ask.settings), weights)
    counted: defaultdict[str, float] = defaultdict(float)
    for item in store.chunks(first[:FED_BACK]):
        terms = index_terms(store, item.chunk.passage.text)
        for term, often in Counter(terms).items():
            counted[term] += float(plain[item.id]) * often / len(terms)
    rare = {t: n for t, n in counted.items() if vocabulary.share(t) <= ask.settings.common_term_share}
    best = sorted(rare, key=lambda term: (-rare[term], term))[:TERMS]
    more, total = np.zeros_like(plain), sum(rare[term] for term in best) or 1.0
    for term in best:
        posting = postings.of(term, {name: weights[name] for name in LEXICAL})
        more[posting.rows] += rare[term] / total * posting.adds * len(ask.question.groups)
    found = []
    for share in RM3:
        scores = plain + share * more
        order = np.argsort(-scores, kind="stable")[:DEEP]
        found.append([int(chunk) for chunk in order if scores[chunk] > 0])
    return found


def nearest_part(ask: Ask, ids: Sequence[int]) -> NDArray[np.float16]:
    """Return of each candidate the vector of its part that is nearest to the question."""
    families = {parent: kids or (parent,) for parent, kids in ask.store.chunk_children(ids).items()}
    vectors = ask.store.vectors([kid for kids in families.values() for kid in kids])
    found = np.zeros((len(ids), ask.store.dimension), dtype=np.float16)
    for number, chunk in enumerate(ids):
        held = [vectors[kid].pooled for kid in families[chunk] if kid in vectors]
        if held and ask.encoded is not None:
            found[number] = held[int((np.stack(held) @ ask.encoded.pooled).argmax())]
    return found


def words_of(ask: Ask, ids: Sequence[int]) -> NDArray[np.float32]:
    """Return the features of words, one row for each candidate."""
    vocabulary, store = ask.index.vocabulary, ask.store
    bm25 = postings_of(store, "parent").scores(
        wanted_of(ask.question, vocabulary, ask.settings), asdict(WEIGHTS["parent"])
    )
    asked = index_terms(store, ask.question.spelt)
    texts = {item.id: index_terms(store, item.chunk.passage.text) for item in store.chunks(ids)}
    terms = {*asked, *(term for text in texts.values() for term in text)}
    worth = {
        term: float(np.log(1 + vocabulary.total / (1 + vocabulary.chunks.get(term, 0)))) for term in terms
    }
    return np.array(
        [[*met(asked, texts[chunk], worth), bm25[chunk]] for chunk in ids],
        dtype=np.float32,
    ).reshape(len(ids), len(WORDS))


def met(asked: Sequence[str], text: Sequence[str], worth: Mapping[str, float]) -> tuple[float, float, float]:
    """Return what share of a question's pairs and of a run, and of a text's terms, stands in both."""
    pairs, there = set(pairwise(asked)), set(pairwise(text))
    weighed = {pair: worth[pair[0]] + worth[pair[1]] for pair in pairs}
    shared = sum(weight for pair, weight in weighed.items() if pair in there)
    best, before = 0.0, dict[int, float]()
    for term in asked:
        before = {n: before.get(n - 1, 0.0) + worth[term] for n, other in enumerate(text) if other == term}
        best = max([best, *before.values()])
    whole, held = sum(worth[term] for term in asked), sum(worth[term] for term in set(text))
    common = sum(worth[term] for term in set(text) & set(asked))
    return shared / (sum(weighed.values()) or 1.0), best / (whole or 1.0), common / (held or 1.0)


def save(path: Path, cases: Sequence[Case]) -> None:
    """Write cases."""
    names = [item.name for item in fields(Case)]
    arrays = {
        f"{n}.{name}": np.asarray(getattr(case, name)) for n, case in enumerate(cases) for name in names
    }
    np.savez_compressed(path, allow_pickle=False, **arrays)


def load(path: Path) -> list[Case]:
    """Return the cases of a file."""
    names = [item.name for item in fields(Case)]
    with np.load(path) as held:
        return [
            Case(**{name: _plain(held[f"{n}.{name}"]) for name in names})
            for n in range(len(held.files) // len(names))
        ]


def _plain(value: NDArray[Any]) -> Any:
    return value.item() if value.ndim == 0 else value


if __name__ == "__main__":
    main()
