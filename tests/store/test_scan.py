"""The scan of large libraries: the very hits of vec0, with ties and filters, and what stops it."""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from appliance.core.document import Chunk, Label, Passage
from appliance.core.errors import BadInput, LibraryUnreadable
from appliance.doctor import _scan
from appliance.store import channels
from appliance.store.channels import search_vectors
from appliance.store.read import Store
from appliance.store.rows import passages
from appliance.store.write import LibraryMeta, write_library
from tests.factories import box, document
from tests.store.libraries import Vectors, chunked

ROWS, WIDTH = 2_300, 40  # more than two parts of vec0, a width that fills no register
NEVER = 10**9
UNSEAL = "delete from meta where key = 'seal'"


def spread(kind: str) -> NDArray[np.float32]:
    """Unit vectors: anywhere, in tight clusters, or of few values so that most distances tie."""
    chance = np.random.default_rng(ROWS)
    rows = chance.normal(size=(ROWS, WIDTH))
    if kind == "clusters":
        rows = chance.normal(size=(12, WIDTH))[chance.integers(0, 12, ROWS)] + 0.05 * rows
    if kind == "ties":
        rows = np.eye(WIDTH)[chance.integers(0, WIDTH, ROWS)]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows, dtype=np.float32)


def library_of(path: Path, rows: NDArray[np.float32]) -> Path:
    label = Label(("1",))
    chunks = [Chunk(label, (label,), "clause", "", (), Passage(f"n{n}"), (box(),)) for n in range(len(rows))]
    source = chunked(document(), chunks)
    made = [Vectors(row, np.zeros((1, 4), dtype=np.int8)) for row in rows]
    assert len(passages(source)) == len(made)
    write_library(path, [source], vectors={source.id: made}, meta=LibraryMeta("fake"))
    return path


@dataclass(frozen=True)
class Stored:
    store: Store
    rows: NDArray[np.float32]


@pytest.fixture(scope="module", params=["anywhere", "clusters", "ties"])
def stored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stored]:
    rows = spread(request.param)
    with Store(library_of(tmp_path_factory.mktemp("scan") / "l", rows)) as store:
        yield Stored(store, rows)


@st.composite
def filters(draw: st.DrawFn) -> frozenset[int] | None:
    """None, few ids anywhere (some that there are not), a range, or most of a range."""
    kind = draw(st.sampled_from(["none", "few", "range", "most"]))
    if kind == "none":
        return None
    if kind == "few":
        return draw(st.frozensets(st.integers(0, ROWS + 50), max_size=30))
    first, last = sorted(draw(st.tuples(st.integers(0, ROWS), st.integers(0, ROWS))))
    return frozenset(n for n in range(first, last) if kind == "range" or n % 7)


@given(near=st.integers(0, ROWS - 1), limit=st.integers(1, 60), within=filters(), block=st.integers(1, 3000))
def test_it_finds_what_vec0_finds(
    stored: Stored, near: int, limit: int, within: frozenset[int] | None, block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(channels, "BLOCK", block)
        asked = stored.rows[near]
        ours = search_vectors(stored.store, asked, limit, within=within, scan_from=1)
        theirs = search_vectors(stored.store, asked, limit, within=within, scan_from=NEVER)
    assert isinstance(channels.array_of(stored.store, 1), channels.Array)
    assert isinstance(channels.array_of(stored.store, NEVER), str)
    assert ours == theirs


@pytest.mark.parametrize("scan_from", [1, NEVER])
def test_what_int8_takes_for_equal_half_precision_tells_apart(tmp_path: Path, scan_from: int) -> None:
    chance = np.random.default_rng(5)
    near = np.repeat(spread("anywhere")[:1], 90, axis=0) + chance.normal(scale=2e-3, size=(90, WIDTH))
    rows = np.asarray(near / np.linalg.norm(near, axis=1, keepdims=True), dtype=np.float32)
    asked = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
    right = np.argsort(-(rows.astype(np.float16).astype(np.float32) @ asked), kind="stable")
    with Store(library_of(tmp_path / "l", rows)) as store:
        ids = [chunk for chunk, _ in search_vectors(store, asked, 50, scan_from=NEVER)]
        first = min(chunk for chunk, *_ in store.connections.rows("vectors", ids=json.dumps(list(range(99)))))
        hits = search_vectors(store, asked, 50, scan_from=scan_from)
    assert [chunk - first for chunk, _ in hits] == right[:50].tolist()
    assert ids == [chunk for chunk, _ in hits]


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("update vectors set pooled = x'0001' where chunk = 3", "it is damaged"),
        ("update vectors set pooled = x'00' where chunk = 3", "it is damaged"),
        (f"update vectors set pooled = x'{'ff7f' * WIDTH}' where chunk = 3", "not made of numbers"),
    ],
)
def test_a_damaged_vector_is_told(tmp_path: Path, damage: str, why: str) -> None:
    path = library_of(tmp_path / "l", spread("anywhere")[:9])
    connection = apsw.Connection(str(path))
    connection.execute(damage)
    connection.execute(UNSEAL)
    connection.close()
    with Store(path) as store, pytest.raises(LibraryUnreadable, match=why):
        search_vectors(store, spread("anywhere")[0], 5)


@pytest.mark.parametrize("width", [1, 7, 31, 32, 33, 63, 64, 65, 384, 768, 1024])
def test_the_kernel_is_exact_for_every_width_and_value(width: int) -> None:
    chance = np.random.default_rng(width)
    kernel = channels.load_kernel()
    for low, high in ((-128, 128), (-127, -126), (126, 128)):
        rows = chance.integers(low, high, size=(60, width)).astype(np.int8)
        query = chance.integers(-128, -126, size=width).astype(np.int8)
        assert kernel(query, rows).tolist() == ((rows.astype(int) - query) ** 2).sum(axis=1).tolist()


def test_without_the_kernel_vec0_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = spread("anywhere")[:50]
    real = builtins.__import__

    def without(name: str, *given: Any, **named: Any) -> Any:
        if name == "simsimd":
            raise ImportError(name)
        return real(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with Store(library_of(tmp_path / "l", rows)) as store:
        assert search_vectors(store, rows[3], 1, scan_from=1)[0][1] == pytest.approx(1.0, abs=0.02)
        assert channels.array_of(store, 1) == "simsimd is not installed"


@pytest.mark.parametrize(
    ("asked", "why", "mend"),
    [
        (np.full(WIDTH, np.nan), "not made of numbers", "models verify"),
        (np.full(WIDTH, np.inf), "not made of numbers", "models verify"),
        (np.ones(WIDTH + 1), "40 numbers, that of the question 41", "build FOLDER"),
        (np.ones(0), "40 numbers, that of the question 0", "build FOLDER"),
    ],
)
@pytest.mark.parametrize("scan_from", [1, NEVER])
def test_what_is_no_vector_of_the_library_is_refused(
    stored: Stored, asked: NDArray[np.float32], why: str, mend: str, scan_from: int
) -> None:
    with pytest.raises((BadInput, LibraryUnreadable), match=f"{why}.*appliance {mend}"):
        search_vectors(stored.store, asked.astype(np.float32), 5, scan_from=scan_from)


def test_vectors_that_are_no_numbers_are_not_written(tmp_path: Path) -> None:
    rows = spread("anywhere")[:9]
    rows[4, 2] = np.nan
    with pytest.raises(BadInput, match=r"passage 5 .* is not made of numbers"):
        library_of(tmp_path / "l", rows)
    assert not (tmp_path / "l").exists()


@pytest.mark.parametrize(
    ("least", "expected"), [(NEVER, []), (1, [("well", "50 vectors are kept in memory, 0 MB")])]
)
def test_the_doctor_says_how_a_large_library_is_searched(
    tmp_path: Path, least: int, expected: list[tuple[str, str]]
) -> None:
    with Store(library_of(tmp_path / "l", spread("anywhere")[:50])) as store:
        found = list(_scan(store, least))
    assert [check.state for check in found] == [state for state, _ in expected]
    assert all(words in check.words for check, (_, words) in zip(found, expected, strict=True))
