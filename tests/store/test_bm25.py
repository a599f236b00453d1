"""BM25 from kept postings: the very hits and scores of FTS5, for any terms, columns and filters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.document import Chunk, Label, Passage
from appliance.core.errors import LibraryUnreadable
from appliance.evaluation.bench.search import expression
from appliance.store.channels import (
    COLUMN_WEIGHTS,
    Postings,
    Unit,
    Wanted,
    _sums,
    best,
    postings_of,
    search_terms,
)
from appliance.store.read import Store
from tests.factories import box, document
from tests.store.libraries import chunked, opened

LETTERS = "abcdefgh"  # the first is in nearly every chunk, the last in few


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Seven hundred chunks of few words, so that terms are common, scores tie, and lengths need two bytes."""
    chance = np.random.default_rng(6)
    chunks = []
    for number in range(700):
        length = int(chance.integers(1, 6)) if number % 50 else 300
        words = [f"{LETTERS[min(int(chance.exponential(2.0)), 7)]}aa" for _ in range(length)]
        title = f"{LETTERS[number % 8]}aa" if number % 3 else ""
        label = Label((str(number % 40),))
        chunks.append(Chunk(label, (label,), "clause", title, (), Passage(" ".join(words)), (box(),)))
    with opened(tmp_path_factory.mktemp("many") / "l", chunked(document(), chunks), vectors=False) as store:
        yield store


def fts5(
    store: Store, unit: Unit, wanted: list[Wanted], limit: int, within: frozenset[int] | None
) -> list[tuple[int, float]]:
    """What FTS5 itself finds, best first."""
    weights = ", ".join(map(str, COLUMN_WEIGHTS.values()))
    inside = "" if within is None else f"and rowid in ({','.join(map(str, within))})"
    statement = (
        f"select rowid, -bm25({unit}_words, {weights}) as score from {unit}_words "
        f"where {unit}_words match ? {inside} order by score desc, rowid limit ?"
    )
    asked = (expression(wanted), limit)
    return list(store.connections._open().connection.execute(statement, asked)) if wanted else []


ALL = tuple(COLUMN_WEIGHTS)
COLUMNS = st.sampled_from([ALL, ("title", "text"), ("label", "exact"), ("text",)])
TERM = st.sampled_from([*(f"{letter}aa" for letter in LETTERS), "7", "nowhere", 'a"b'])
WANTED = st.lists(
    st.builds(Wanted, st.lists(TERM, min_size=1, max_size=3, unique=True).map(tuple), COLUMNS), max_size=6
)
WITHIN = st.one_of(st.none(), st.frozensets(st.integers(0, 900), max_size=80))


@given(wanted=WANTED, unit=st.sampled_from(["child", "parent"]), limit=st.integers(0, 800), within=WITHIN)
def test_it_finds_what_fts5_finds_with_the_same_scores(
    many: Store, wanted: list[Wanted], unit: Unit, limit: int, within: frozenset[int] | None
) -> None:
    ours = search_terms(many, unit, wanted, limit, within=within)
    theirs = fts5(many, unit, wanted, limit, within)
    assert [chunk for chunk, _ in ours] == [chunk for chunk, _ in theirs]
    assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], rel=1e-12)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=1500), st.integers(1, 9))
def test_the_best_are_those_of_a_full_sort(scores: list[float], limit: int) -> None:
    wanted = sorted((-score, row) for row, score in enumerate(scores) if score)[:limit]
    assert best(np.array(scores, dtype=np.float64), limit) == [(row, -score) for score, row in wanted]


@given(st.lists(st.lists(st.integers(0, 2**35), min_size=1, max_size=4), min_size=1, max_size=8))
def test_packed_numbers_are_read(rows: list[list[int]]) -> None:
    def packed(number: int) -> bytes:
        parts = [number & 127]
        while number := number >> 7:
            parts.append(number & 127 | 128)
        return bytes(reversed(parts))

    assert _sums([b"".join(map(packed, row)) for row in rows]).tolist() == [float(sum(row)) for row in rows]


def test_little_memory_keeps_few_postings_and_the_same_scores(many: Store) -> None:
    small = Postings(many.connections, "child", most=1)
    asked = [Wanted((f"{letter}aa",), ("text",)) for letter in LETTERS]
    assert np.array_equal(small.scores(asked), postings_of(many, "child").scores(asked))
    assert len(small._kept) == 1


def test_a_library_without_chunks_has_no_hits(tmp_path: Path) -> None:
    with opened(tmp_path / "l", document(), vectors=False) as store:
        assert search_terms(store, "child", [Wanted(("aaa",)), Wanted(("a", "b"))], 5) == []


def test_rows_that_are_not_there_are_told_as_damage(tmp_path: Path, many: Store) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(many.path.read_bytes())
    connection = apsw.Connection(str(path))
    connection.execute("delete from child_words_docsize where id > 100")
    connection.execute("delete from meta where key = 'seal'")
    connection.close()
    with Store(path) as store, pytest.raises(LibraryUnreadable, match="a row that is not there"):
        search_terms(store, "child", [Wanted(("aaa",))], 5)
