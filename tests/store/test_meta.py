"""A library that says something else of its vectors than it holds is refused when it is opened."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import numpy as np
import pytest

from appliance.core.errors import LibraryUnreadable
from appliance.store.channels import search_vectors
from appliance.store.read import Store
from tests.store.libraries import opened, snow_code

SAID = "update meta set value = ? where key = ?"


def changed(source: Path, target: Path, statement: str, *values: object) -> Path:
    shutil.copyfile(source, target)
    connection = apsw.Connection(str(target))
    connection.execute(statement, values)
    connection.close()
    return target


@pytest.mark.parametrize(
    ("statement", "values", "why"),
    [
        (SAID, ("512", "dimension"), "a byte of it has changed"),
        (SAID, ("nan", "scale"), "a byte of it has changed"),
        ("update vectors set pooled = substr(pooled, 1, ?)", (6,), "a byte of it has changed"),
        ("delete from meta where key in (?, ?)", ("scale", "seal"), "does not say its scale"),
    ],
)
def test_a_library_that_was_changed_is_refused(
    library_path: Path, tmp_path: Path, statement: str, values: tuple[object, ...], why: str
) -> None:
    path = changed(library_path, tmp_path / "codes.db", statement, *values)
    with pytest.raises(LibraryUnreadable, match=why) as refused:
        Store(path)
    assert f"appliance build FOLDER --library {path}" in str(refused.value)


def test_a_library_without_vectors_says_none(tmp_path: Path) -> None:
    with opened(tmp_path / "codes.db", snow_code(), vectors=False) as store:
        assert store.dimension == 0


def test_a_question_of_another_width_names_the_mending_command(library: Store) -> None:
    with pytest.raises(LibraryUnreadable, match=r"that of the question 3.*appliance build FOLDER"):
        search_vectors(library, np.ones(3, dtype=np.float32), 5)
