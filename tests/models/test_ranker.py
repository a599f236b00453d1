"""The learned order as it ships: it loads with the features of the search, and is the one of its card."""

from __future__ import annotations

import hashlib
import re

import numpy as np

from appliance.core.files import data_folder
from appliance.models.session import Trees
from appliance.retrieval.rank import model

RANKER = data_folder() / "retrieval" / "ranker.onnx"


def test_the_shipped_order_takes_the_features_of_the_search() -> None:
    names = model.NAMES
    scores = Trees(RANKER, names).scores(np.zeros((3, len(names)), np.float32))
    assert scores.shape == (3,)
    assert np.isfinite(scores).all()
    best = np.eye(len(names), dtype=np.float32) * 100
    assert len(set(Trees(RANKER, names).scores(best).tolist())) > 1  # it tells candidates apart


def test_the_shipped_order_is_that_of_its_card() -> None:
    card = (RANKER.parent / "README.md").read_text(encoding="utf-8")
    written = re.findall(r"\| sha256 \| ([0-9a-f]{64}) \|", card)
    assert written == [hashlib.sha256(RANKER.read_bytes()).hexdigest()]
