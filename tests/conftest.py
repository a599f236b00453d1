"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of real codes beside the checkout; skip where it is absent."""
    folder = Path(__file__).parents[2] / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip(f"the real codes are not at {folder}")
    return folder
