"""What the process that reads characters replies to what its recogniser finds."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from appliance.ingest.ocr.child import _answer

QUAD = [[0, 0], [4, 0], [4, 8], [0, 8]]
ONE = SimpleNamespace(boxes=[QUAD], txts=["a"], word_results=[[("a", 0.9, QUAD)]])
READ = {"lines": [{"box": QUAD, "words": [["a", 0.9, QUAD, [2.0]]]}]}


@pytest.mark.parametrize(
    ("found", "reply"),
    [
        (ONE, READ),
        (SimpleNamespace(boxes=None, txts=None, word_results=None), {"lines": []}),
        (SimpleNamespace(boxes=None, txts=None, word_results=(((("", 1.0, None),)),)), {"lines": []}),
        (SimpleNamespace(boxes=np.array([QUAD]), txts=None, word_results=()), {"lines": []}),
        (SimpleNamespace(boxes=np.zeros((0, 4, 2)), txts=(), word_results=()), {"lines": []}),
    ],
    ids=["a word", "nothing", "a drawing without words", "boxes alone", "empty"],
)
def test_a_page_of_drawings_without_words_has_no_lines(tmp_path: Path, found: Any, reply: object) -> None:
    np.save(tmp_path / "page.npy", np.zeros((8, 8), np.uint8))
    assert _answer(lambda _: found, str(tmp_path / "page.npy")) == reply


def test_boxes_that_do_not_match_their_words_fail_the_page_alone(tmp_path: Path) -> None:
    np.save(tmp_path / "page.npy", np.zeros((8, 8), np.uint8))
    found = SimpleNamespace(boxes=[QUAD, QUAD], txts=["a"], word_results=[[("a", 0.9, QUAD)]])
    assert "ValueError" in _answer(lambda _: found, str(tmp_path / "page.npy"))["failed"]
