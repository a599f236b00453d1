"""Vocabularies: the shipped ones are whole, a user's are added, wrong ones are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.retrieval.query.lexicon import load_lexicon, with_terms


def test_a_users_aliases_are_added(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('groups = [["widget", "left-handed screwdriver"]]\n')
    added = set(load_lexicon(tmp_path).aliases) - set(load_lexicon().aliases)
    assert added == {(("widget",), ("left", "handed", "screwdriver"))}


@pytest.mark.parametrize(
    "content",
    [
        "groups = [",
        "groups = 3",
        "groups = [[3]]",
        '[[intent]]\nname = "value"',
        '[[intent]]\nname = "x"\npatterns = []',
        "stop = 3",
        '[[intent]]\nname = "value"\npatterns = ["("]',
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "wrong.toml").write_text(content)
    with pytest.raises(BadSettings, match=r"wrong\.toml"):
        load_lexicon(tmp_path)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("table", "table"), ("tabie", "table"), ("fig", "figure"), ("snow", None), ("1", None), ("", None)],
)
def test_words_before_labels(word: str, kind: str | None) -> None:
    assert load_lexicon().label_kind(word) == kind


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("definition of going", True),
        ("what is meant by going", True),
        ("what is going", True),
        ("what is the load going to the roof", False),
        ("definition of ramp", False),
    ],
)
def test_a_common_word_that_is_a_term_counts_where_its_meaning_is_asked(question: str, meant: bool) -> None:
    read = with_terms(load_lexicon(), question, frozenset({"going", "ramp"}))
    assert ("going" not in read.stop) == meant
    assert load_lexicon().stop - read.stop <= {"going"}
