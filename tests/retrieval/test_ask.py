"""What is kept in memory of a library."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import pytest

from appliance.retrieval import search_context
from appliance.store.channels import Vocabulary
from appliance.store.read import Store
from tests.store.libraries import opened, snow_code


def test_first_questions_of_several_threads_build_the_index_once(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[Store] = []
    together = Barrier(4)

    def slow(store: Store) -> Vocabulary:
        built.append(store)
        sleep(0.05)  # long enough for the other threads to come
        return Vocabulary(store)

    def first(store: Store) -> search_context.Index:
        together.wait(timeout=10)
        return search_context.index_of(store)

    monkeypatch.setattr(search_context, "Vocabulary", slow)
    with opened(tmp_path_factory.mktemp("ask") / "a", snow_code()) as store, ThreadPoolExecutor(4) as threads:
        indexes = list(threads.map(first, [store] * 4))
    assert len(built) == 1
    assert all(index is indexes[0] for index in indexes)
