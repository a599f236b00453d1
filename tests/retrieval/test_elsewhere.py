"""Documents that a question names and that are not loaded, as cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from appliance.retrieval.query.documents import not_loaded
from appliance.store.read import Store
from tests.store.libraries import densities_code, opened, snow_code


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A library of a part of a series and of a code of another name."""
    part = replace(densities_code(), id="EN-1991-1-3", designation="BS EN 1991-1-3:2003", aliases=())
    with opened(tmp_path_factory.mktemp("elsewhere") / "a", part, snow_code()) as store:
        yield store


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("what cover does EN 1992-1-1 require", "EN 1992-1-1 is not loaded."),
        ("BS 5950 and ISO 10211-2", "BS 5950 and ISO 10211-2 are not loaded."),
        ("EN 1992-1-1, then EN 1992-1-1 again", "EN 1992-1-1 is not loaded."),
        ("snow in EN 1991-1-3", ""),
        ("snow in BS EN 1991-1-3:2003", ""),
        ("what does EN 1991 cover", ""),  # a part of the series is loaded
        ("does EN 1991-1-31 say it", "EN 1991-1-31 is not loaded."),
        ("load of 2500 kg, 150 mm, C30 concrete", ""),
        ("a room of 1991 with a width of 1200", ""),
        ("can an HEB 300 or a UB 305 be used", ""),  # sections, not documents
        ("IS 1000 MM ENOUGH", ""),
        ("scope of EC2", "EC2 is not loaded."),
        ("cover in Eurocode 2 Part 1-1", "Eurocode 2 Part 1-1 is not loaded."),
        ("cover in EC2 1-1 and EC7", "EC2 1-1 and EC7 are not loaded."),
        ("snow in EC1, EC1-3 or EC1 1-3", ""),
        ("the national annex to EN 1991-1-3", "national annex to EN 1991-1-3 is not loaded."),
        ("wind in EC1-4", "EC1-4 is not loaded."),
        ("load 1500 part 2 of it", ""),
        ("what does Approved Document E cover", "Approved Document E is not loaded."),
        ("a Approved Document", ""),
        ("", ""),
    ],
)
def test_what_is_named_and_not_loaded_is_said(library: Store, asked: str, said: str) -> None:
    assert not_loaded(asked, library.documents()) == said
