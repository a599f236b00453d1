"""Layers that are switched off: left out, and said with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.settings import IngestSettings
from appliance.ingest.pdf.reader import read
from tests.ingest.made import MUPDF


@pytest.mark.parametrize(
    ("shown", "turned", "told"),
    [(False, 0, ["2 words"]), (True, 0, []), (False, 90, ["2 words"])],
)
def test_words_of_switched_off_layers(tmp_path: Path, shown: bool, turned: int, told: list[str]) -> None:
    document = MUPDF.open()
    page = document.new_page()
    layer = document.add_ocg("draft", on=shown)
    page.insert_text((60, 80), "1.1 The load is 2.0 kN.")
    page.insert_text((60, 200), "old load", oc=layer)
    page.set_rotation(turned)
    document.new_page().insert_text((60, 80), "1.2 Another page.")
    (tmp_path / "a.pdf").write_bytes(document.tobytes())
    source = read(tmp_path / "a.pdf", IngestSettings())
    problems = [problem for one in source.pages for problem in one.problems]
    assert [problem.message.rpartition("(")[2].rstrip(").") for problem in problems] == told
    assert all(problem.page == 1 and problem.box for problem in problems)
    assert ("old" in {word.text for word in source.pages[0].words}) is shown
