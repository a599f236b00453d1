# ruff: noqa: INP001, T201 - a module of the scripts that fit, which print
"""Questions to fit from (as training/sources.py reads them), put to a library, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from appliance.core.errors import BadQuestion
from appliance.core.settings import Settings
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.retrieval.search import Outcome, explore, prepare
from appliance.store.read import open_library
from appliance.training.sources import Asked, read_asked

__all__ = ["Asked", "explored", "read_asked", "told"]
STEP = 100  # questions between two lines of progress


def told(asked: Sequence[Asked]) -> Iterator[Asked]:
    """Yield the questions, printing from time to time how many are done."""
    for number, one in enumerate(asked):
        if number % STEP == 0:
            print(f"{number} of {len(asked)}", flush=True)
        yield one


def explored(
    library: Path, asked: Sequence[Asked], *, by_words: bool = False
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
                ask = prepare(store, embedder, reranker, one.question, settings.search)
            except BadQuestion as error:
                print(f"left out: {error}")
                continue
            yield one, explore(ask)
