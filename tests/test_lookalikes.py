"""The words of the language come from one file, whatever else is installed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from appliance.core.files import data_folder
from appliance.ingest import batch
from appliance.text import lookalikes


def vocabulary(folder: Path, *words: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    held = {"model": {"vocab": {word: at for at, word in enumerate(words)}}}
    (folder / "tokenizer.json").write_text(json.dumps(held), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(data_folder() / "noise.toml", tmp_path / "noise.toml")
    monkeypatch.setattr(lookalikes, "data_folder", lambda: tmp_path)
    return tmp_path


def test_another_installed_model_adds_no_word(data: Path) -> None:
    shipped = lookalikes.language_file().parent
    assert shipped.parent == data / "models"
    vocabulary(shipped, "stair", "##ing")
    vocabulary(data / "models" / "another", "escalier")
    assert lookalikes.language_words.__wrapped__() == {"stair"}


def test_without_the_file_no_word_is_known(data: Path) -> None:
    assert not (data / "models").exists()
    assert lookalikes.language_words.__wrapped__() == frozenset()


@pytest.mark.usefixtures("data")
def test_the_words_decide_how_scans_are_read() -> None:
    vocabulary(lookalikes.language_file().parent, "stair")
    before = batch.reader_version.__wrapped__()
    vocabulary(lookalikes.language_file().parent, "stair", "landing")
    assert batch.reader_version.__wrapped__() != before
