# ruff: noqa: INP001, T201 - a module of the scripts that fit, which print
"""Questions to fit from (training/sources.py), put to a library, and the two steps of a fit as commands."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from appliance.core.errors import BadQuestion
from appliance.core.settings import Settings
from appliance.evaluation.questions import Question
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.retrieval.search import Outcome, explore, prepare
from appliance.store.read import Store

STEP = 100  # questions between two lines of progress


def told(asked: Sequence[Question]) -> Iterator[Question]:
    """Yield the questions, printing from time to time how many are done."""
    for number, one in enumerate(asked):
        if number % STEP == 0:
            print(f"{number} of {len(asked)}", flush=True)
        yield one


def explored(
    library: Path, asked: Sequence[Question], *, by_words: bool = False
) -> Iterator[tuple[Question, Outcome]]:
    """Yield every question that can be searched with what the search came to.

    The models are the default ones; there are none, so that meaning is not searched, with `by_words`.
    """
    settings = Settings()
    embedder = None if by_words else load_embedder(settings.models)
    reranker = load_reranker(settings.models, embedder) if embedder else None
    with Store(library) as store:
        for one in told(asked):
            try:
                ask = prepare(store, embedder, reranker, one.question, settings.search)
            except BadQuestion as error:
                print(f"left out: {error}")
                continue
            yield one, explore(ask)


Entry = dict[str, Any]


def run(
    about: str,
    gather: Callable[[Path, Sequence[Path]], Iterable[Entry]],
    report: Callable[[list[Entry]], None],
) -> None:
    """Read the command line: `gather LIBRARY QUESTIONS... --into FILE` or `fit FILE...`; do what it says."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    first = steps.add_parser("gather", help="search the questions and keep their signals")
    first.add_argument("library", type=Path)
    first.add_argument("questions", type=Path, nargs="+")
    first.add_argument("--into", type=Path, required=True)
    second = steps.add_parser("fit", help="print the figures on documents left out, then the weights")
    second.add_argument("cases", type=Path, nargs="+")
    given = parser.parse_args()
    if given.step == "gather":
        found = list(gather(given.library, given.questions))
        given.into.write_text(json.dumps(found, indent=1), encoding="utf-8")
    else:
        report([entry for path in given.cases for entry in json.loads(path.read_text("utf-8"))])
