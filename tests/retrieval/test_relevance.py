"""The chance that the documents bear on a question, with and without a search by meaning."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from appliance.core.evidence import Grounded, NotFound
from appliance.core.settings import SearchSettings, Settings
from appliance.doctor import examine
from appliance.library import Library
from appliance.retrieval.rank.model import relevance

VECTORS = ("vectors", "dense_chunks", "dense_rowids", "dense_vector_chunks00", "dense_info")


@pytest.fixture(scope="module")
def damaged(demo_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the demo library that lost its vectors."""
    path = tmp_path_factory.mktemp("lost") / "library.db"
    shutil.copy(demo_library, path)
    connection = apsw.Connection(str(path))
    connection.execute("delete from meta where key = 'seal'")
    for name in VECTORS:
        connection.execute(f"delete from {name}")
    connection.close()
    return path


@pytest.fixture(scope="module")
def lost(damaged: Path) -> Iterator[Library]:
    """Return it opened; each of the places that are judged is encoded anew, so these are few."""
    library = Library.open(damaged, Settings(search=SearchSettings(rerank_candidates=8)))
    yield library
    library.close()


@pytest.mark.parametrize(
    ("signals", "bears"),
    [
        ({"cosine": 0.7, "rerank": 0.5, "covered": 0.9}, True),
        ({"cosine": 0.3, "rerank": 0.1, "covered": 0.2}, False),
        ({"covered": 0.9}, True),  # a search that did not run is no cosine of 0
        ({"covered": 0.0}, False),
    ],
)
def test_relevance_weighs_what_was_searched(signals: dict[str, float], *, bears: bool) -> None:
    bound = Settings().answer.not_found_below
    assert (relevance(signals) >= bound) is bears


@pytest.mark.parametrize("question", ["snow load shape coefficient of a roof", "density of stored hay"])
def test_what_words_find_is_answered_and_the_loss_told(lost: Library, question: str) -> None:
    answer = lost.ask(question)
    assert isinstance(answer, Grounded)
    assert answer.evidence.not_run == ("meaning was not searched: the library holds no vectors",)
    assert set(answer.evidence.not_run) <= set(answer.confidence.reasons)


def test_what_bears_on_nothing_stays_unfound(lost: Library) -> None:
    answer = lost.ask("recipe of an apple cake with cinnamon")
    assert isinstance(answer, NotFound)
    assert any(reason.startswith("meaning was not searched") for reason in answer.reasons)


def test_the_doctor_tells_lost_vectors(damaged: Path, demo_library: Path) -> None:
    said = {check.name: check for check in examine(damaged, Settings())}
    assert said["vectors"].state == "wrong"
    assert "searched by words alone" in said["vectors"].words
    assert "vectors" not in {check.name for check in examine(demo_library, Settings())}
