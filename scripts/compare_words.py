# ruff: noqa: INP001, T201 - a script that prints
"""Compare what is searched of a question: what the program searches, all it could, every word typed.

    python scripts/compare_words.py LIBRARY QUESTIONS.jsonl...

The search by words alone, each passage brought to the place that holds it. Printed are the share of questions
with every wanted place among the first 5, 10, 20, and with any among the first 5; before that in how many the
first ten passages are those that the program finds (equal scores in any order).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from appliance.core.errors import BadQuestion
from appliance.core.settings import SearchSettings
from appliance.evaluation.places import first_rank
from appliance.evaluation.questions import Question, load_questions
from appliance.retrieval.ask import index_of, place
from appliance.retrieval.channels.lexical import WORDS, lexical, wanted_of
from appliance.retrieval.search import read
from appliance.store.bm25 import Wanted
from appliance.store.channels import Hits, index_terms
from appliance.store.read import Store, open_library

FIRST = (5, 10, 20)
SAME = 10
TIE = 1e-4  # of a score: what BM25 gives all the words together that half of the passages hold
SETTINGS = SearchSettings()


def wordings(store: Store, question: str) -> dict[str, tuple[Wanted, ...]]:
    """Return what each way searches of a question; raises BadQuestion."""
    vocabulary, asked = index_of(store).vocabulary, read(store, question, SETTINGS)
    searched = wanted_of(asked, vocabulary, replace(SETTINGS, common_term_share=1.0))
    held = [term for term in index_terms(store, question) if term in vocabulary.chunks]
    typed = dict.fromkeys((*searched, *(Wanted((term,), WORDS) for term in held)))
    ours = wanted_of(asked, vocabulary, SETTINGS)
    return {"the program": ours, "all words searched": searched, "every word typed": tuple(typed)}


def same(ours: Hits, theirs: Hits) -> bool:
    """Tell whether the first ten are those of the other way, or as good."""
    right = [hit for hit in theirs if hit[1] > TIE]
    scores, least = dict(right), right[:SAME][-1][1] if right else 0.0
    first = [chunk for chunk, _ in ours[:SAME]]
    return len(first) == min(SAME, len(right)) and all(
        scores.get(chunk, 0.0) >= least - TIE for chunk in first
    )


def judged(store: Store, question: Question, hits: Hits) -> list[bool]:
    """Tell whether every wanted place is among the first 5, 10, 20, and any among the first 5."""
    owners = store.parents(chunk for chunk, _ in hits)
    shown = list(dict.fromkeys(owners[chunk] for chunk, _ in hits))[: max(FIRST)]
    places = [place(item, 0.0, ()) for item in store.chunks(shown)]
    ranks = [first_rank(places, gold) or sys.maxsize for gold in question.gold]
    return [*(max(ranks) <= first for first in FIRST), min(ranks) <= FIRST[0]]


def found(store: Store, question: str) -> Mapping[str, Hits]:
    """Return what each way finds; nothing for a question without anything to search for."""
    try:
        ways = wordings(store, question)
    except BadQuestion:
        return {}
    return {name: lexical(store, "child", wanted, SETTINGS, None) for name, wanted in ways.items()}


def main(library: Path, files: Sequence[Path]) -> None:
    """Print the figures of every way."""
    questions = [question for question in load_questions(files) if question.answerable]
    with open_library(library) as store:
        every = [(question, hits) for question in questions if (hits := found(store, question.question))]
        for name in every[0][1] if every else ():
            alike = sum(same(hits["the program"], hits[name]) for _, hits in every)
            rows = np.array([judged(store, question, hits[name]) for question, hits in every])
            print(f"{name}: {alike} of {len(every)} alike;", rows.mean(axis=0).round(3))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
