# ruff: noqa: INP001, T201 - a module of the scripts that fit, which print
"""Questions to fit from: read from files of both kinds, put to a library, one after another.

A line is a judged question as `appliance eval questions` reads it, of the document that its file is named
after, or {"question", "document", "places": [[label, page], ...]}, written for training.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import BadQuestion
from appliance.evaluation.places import Gold
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.retrieval.assemble import Outcome
from appliance.retrieval.search import explore, prepare
from appliance.settings import SearchSettings, Settings
from appliance.store.read import open_library

STEP = 100  # questions between two lines of progress


@dataclass(frozen=True)
class Asked:
    """A question with its document, the places that answer it, and whether it was judged."""

    document: str
    question: str
    gold: tuple[Gold, ...]
    judged: bool


def read_asked(paths: Iterable[Path]) -> Iterator[Asked]:
    """Yield the questions of the files in order."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if "places" in entry:
                gold = tuple(Gold(entry["document"], label, "", page) for label, page in entry["places"])
                yield Asked(entry["document"], entry["question"], gold, judged=False)
            else:
                keys = ("document", "label", "kind", "page")
                gold = tuple(Gold(*(item[key] for key in keys)) for item in entry["gold"])
                yield Asked(path.stem, entry["question"], gold, judged=True)


def told(asked: Sequence[Asked]) -> Iterator[Asked]:
    """Yield the questions, printing from time to time how many are done."""
    for number, one in enumerate(asked):
        if number % STEP == 0:
            print(f"{number} of {len(asked)}", flush=True)
        yield one


def explored(
    library: Path, asked: Sequence[Asked], search: SearchSettings | None = None, *, by_words: bool = False
) -> Iterator[tuple[Asked, Outcome]]:
    """Yield every question that can be searched with what the search came to.

    The models are the default ones; there are none, so that meaning is not searched, with `by_words`.
    """
    settings = Settings()
    embedder = None if by_words else load_embedder(settings.models)
    reranker = load_reranker(settings.models, embedder) if embedder else None
    with open_library(library) as store:
        for one in told(asked):
            try:
                ask = prepare(store, embedder, reranker, one.question, search or settings.search)
            except BadQuestion as error:
                print(f"left out: {error}")
                continue
            yield one, explore(ask)
