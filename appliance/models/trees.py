"""A forest of decision trees over named features, as it ships: one ONNX file with the names inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from appliance.core.errors import ModelUnusable
from appliance.models.protocols import Floats
from appliance.models.session import open_session

FEATURES = "features"  # key of the names, joined by blanks, among the file's own properties


class Trees:
    """A trained forest; more is better."""

    def __init__(self, path: Path, features: Sequence[str]) -> None:
        """Open a forest; raises ModelUnusable where it is damaged or was trained on other features."""
        self._session = open_session(path.name, path)
        known = self._session.get_modelmeta().custom_metadata_map.get(FEATURES, "").split()
        if known != list(features):
            different = sorted(set(known) ^ set(features)) or ["another order"]
            raise ModelUnusable(path.name, f"it was trained on other features ({', '.join(different)})")
        self._input = self._session.get_inputs()[0].name

    def scores(self, rows: Floats) -> Floats:
        """Return the score [n] of each row [n, features]."""
        if not len(rows):
            return np.zeros(0, dtype=np.float32)
        (scores,) = self._session.run(None, {self._input: rows.astype(np.float32)})
        return np.asarray(scores, dtype=np.float32).reshape(-1)
