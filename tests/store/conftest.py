"""The library that the tests of the store read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.store.read import Store
from tests.store.libraries import densities_code, opened, snow_code


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two codes whose clause numbers clash."""
    with opened(tmp_path_factory.mktemp("library") / "codes.library", snow_code(), densities_code()) as store:
        yield store


@pytest.fixture(scope="session")
def library_path(library: Store) -> Path:
    """Return the file of the library."""
    return library.path
