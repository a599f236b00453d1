"""One file of words says the same to the search and to the graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.ingest.knowledge.concept_names import load_vocabulary
from appliance.retrieval.query.lexicon import load_lexicon, load_tags

GOOD = """\ufeffgroups = [["zorb", "zorbing ball"], ["glimmer", "shimmer"]]
[tags.material]
unobtainium = ["wishalloy"]
"""


def test_both_read_a_file_with_a_mark_of_its_encoding_and_what_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b.toml").write_text('drop = ["Shimmer"]', encoding="utf-8")
    named = {name for _, name in load_vocabulary(tmp_path).names}
    searched = {word for group in load_lexicon(tmp_path).aliases for word in group}
    assert {"zorb", "zorbing ball", "unobtainium", "wishalloy"} <= named
    assert {("zorb",), ("zorbing", "ball")} <= searched
    assert not {"shimmer", "glimmer"} & named
    assert not {("shimmer",), ("glimmer",)} & searched
    assert any(tag.name == "unobtainium" for tag in load_tags(tmp_path))


@pytest.mark.parametrize(
    "content",
    ["groups = 3", "groups = [[3]]", "drop = 3", '[tags]\nmaterial = ["x"]', "[tags.load]\nsnow = 3"],
)
def test_both_refuse_the_same(tmp_path: Path, content: str) -> None:
    (tmp_path / "wrong.toml").write_text(content, encoding="utf-8")
    with pytest.raises(BadSettings, match=r"wrong\.toml"):
        load_vocabulary(tmp_path)
    with pytest.raises(BadSettings, match=r"wrong\.toml"):
        (load_lexicon(tmp_path), load_tags(tmp_path))


def test_both_refuse_a_folder_that_is_not_there(tmp_path: Path) -> None:
    for load in (load_vocabulary, load_lexicon):
        with pytest.raises(BadSettings, match="no folder"):
            load(tmp_path / "gone")
