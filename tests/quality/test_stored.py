"""Reports of stored documents: the user's numbering schemes say what tables are called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.quality import report as stored
from appliance.quality.expected import Words
from appliance.quality.report import report, stored_report
from tests.factories import clause, document
from tests.store.libraries import chunked, opened

OWN = """
name = "factory rules"
[captions]
table = ["Blatt"]
figure = []
[[levels]]
name = "clause"
kind = "clause"
pattern = '(?P<number>[0-9.]+)'
label = "{number}"
rank = 1
"""


def code() -> Document:
    return chunked(replace(document([clause("1.1", "Widths.")]), family="factory rules"))


def test_the_words_of_the_users_own_schemes_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Words] = []
    made = report

    def spy(document: Document, words: Words, *rest: object) -> object:
        asked.append(words)
        return made(document, words, *rest)  # type: ignore[arg-type]  # handed on as they come

    monkeypatch.setattr(stored, "report", spy)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "factory.toml").write_text(OWN, encoding="utf-8")
    with opened(tmp_path / "a", code(), vectors=False) as store:
        (name,) = (info.id for info in store.documents())
        stored_report(store, name, tmp_path / "own")
        stored_report(store, name)
    assert asked[0]["table"] == ("Blatt",)
    assert "Blatt" not in asked[1]["table"]
    assert len(asked[1]["table"]) >= 1


def test_a_wrong_scheme_is_told_and_the_rest_stands(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "factory.toml").write_text("name = 3", encoding="utf-8")
    with opened(tmp_path / "a", code(), vectors=False) as store:
        (name,) = (info.id for info in store.documents())
        good, bad = stored_report(store, name), stored_report(store, name, tmp_path / "own")
        gone = stored_report(store, name, tmp_path / "gone")
    assert "not a numbering scheme" in bad.whole[0].words
    assert "no folder of numbering schemes" in gone.whole[0].words
    assert bad.whole[1:] == good.whole
