"""A library that says something else of its vectors than it holds is refused when it is opened."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import numpy as np
import pytest

from appliance.core.errors import LibraryUnreadable
from appliance.store.channels import search_vectors
from appliance.store.read import Store, open_library
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
        (SAID, ("512", "dimension"), "numbers where it says 512"),
        (SAID, ("0", "dimension"), "numbers where it says 0"),
        (SAID, ("many", "dimension"), "its dimension is 'many'"),
        (SAID, ("-4", "dimension"), "its dimension is '-4'"),
        (SAID, ("7", "token_dimension"), "are not of 7 bytes"),
        (SAID, ("", "token_dimension"), "its token_dimension is ''"),
        (SAID, ("nan", "scale"), "the scale of its vectors is 'nan'"),
        (SAID, ("0.0", "scale"), "the scale of its vectors is '0.0'"),
        (SAID, ("wide", "scale"), "the scale of its vectors is 'wide'"),
        ("delete from meta where key = ?", ("scale",), "does not say its scale"),
        ("update vectors set pooled = substr(pooled, 1, ?)", (6,), "its vectors have 3 numbers"),
    ],
)
def test_what_it_says_of_its_vectors_is_held_against_them(
    library_path: Path, tmp_path: Path, statement: str, values: tuple[object, ...], why: str
) -> None:
    path = changed(library_path, tmp_path / "codes.db", statement, *values)
    with pytest.raises(LibraryUnreadable, match=why) as refused:
        open_library(path)
    assert f"appliance build FOLDER --library {path}" in str(refused.value)


def test_a_library_without_vectors_says_none(tmp_path: Path) -> None:
    with opened(tmp_path / "codes.db", snow_code(), vectors=False) as store:
        assert store.dimension == 0


def test_a_question_of_another_width_names_the_mending_command(library: Store) -> None:
    with pytest.raises(LibraryUnreadable, match=r"that of the question 3.*appliance build FOLDER"):
        search_vectors(library, np.ones(3, dtype=np.float32), 5)
