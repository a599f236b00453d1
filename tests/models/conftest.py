"""The default models, loaded once for all tests."""

from __future__ import annotations

import pytest

from appliance.models.catalogue import load_embedder
from appliance.models.protocols import Embedder
from appliance.settings import ModelSettings


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return load_embedder(ModelSettings(threads=2))
