"""Models missing, damaged, unfit, misnamed; what ships; what is added by hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest

from appliance.errors import BadInput, BadSettings, ModelDamaged, ModelMissing, ModelUnusable
from appliance.models.add import add
from appliance.models.catalogue import (
    check,
    fingerprint,
    list_models,
    load_embedder,
    load_reranker,
    verify,
)
from appliance.models.entries import ADDED, Entry, File, entry_named, read_catalogue, shipped_folder
from appliance.models.protocols import Embedder
from appliance.settings import ModelSettings

NAME = "minilm-l6-int8"


@pytest.fixture
def copied(tmp_path: Path) -> ModelSettings:
    """Return settings whose folder holds an own copy of the default model, which goes first."""
    shutil.copytree(shipped_folder() / NAME, tmp_path / NAME)
    return ModelSettings(folder=tmp_path)


def test_the_catalogue_that_ships_is_whole() -> None:
    entries = read_catalogue(ModelSettings())
    assert {entry.role for entry in entries.values()} == {"embedder", "reranker", "generator", "vision"}
    for entry in entries.values():
        assert entry.licence
        assert entry.summary
        assert entry.shipped or (entry.repository and entry.files), f"{entry.name} cannot be fetched"
        assert not entry.shipped or all(file.sha256 and file.size for file in entry.files)
        assert not verify(ModelSettings(), entry) or not entry.shipped


def test_what_ships_is_small() -> None:
    listed = {item.entry.name: item for item in list_models(ModelSettings())}
    assert listed[NAME].state == "installed"
    assert listed[NAME].size < 25_000_000
    assert listed["late-interaction"].state == "built in"
    assert listed["qwen3-1.7b"].state == "to fetch"
    assert listed["granite-embedding-small-r2"].state == "to fetch and export"


def test_no_reranker_is_a_choice_and_no_embedder_is_not(embedder: Embedder) -> None:
    assert load_reranker(ModelSettings(reranker=""), embedder) is None
    with pytest.raises(BadSettings, match="name no embedder"):
        load_embedder(ModelSettings(embedder=""))


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("bge-small-en-v1.5", ModelMissing, "appliance models fetch bge-small-en-v1.5"),
        ("late-interaction", ModelUnusable, "its role is reranker, not embedder"),
        ("granite-embedding-small-r2", ModelUnusable, "exported first"),
        ("nothing-of-the-kind", BadInput, "Known are: "),
    ],
)
def test_an_embedder_that_is_not_there(name: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        load_embedder(ModelSettings(embedder=name))


def test_a_reranker_that_is_not_there(embedder: Embedder) -> None:
    with pytest.raises(ModelMissing, match="models fetch ms-marco-minilm-l6"):
        load_reranker(ModelSettings(reranker="ms-marco-minilm-l6"), embedder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "projection.npy"])
def test_each_file_is_checked(copied: ModelSettings, name: str) -> None:
    path = copied.folder / NAME / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelDamaged, match="ships with the program"):
        load_embedder(copied)
    path.write_bytes(content[:100])
    assert name in verify(copied, entry_named(copied, NAME))
    path.unlink()
    with pytest.raises(ModelMissing):
        load_embedder(copied)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"dimension": 768, "token_dimension": 0, "projection": ""},
            "384 numbers where the catalogue says 768",
        ),
        ({"token_dimension": 128}, "has shape .385, 192. instead of .385, 128."),
        ({"model": "tokenizer.json"}, "cannot load tokenizer.json"),
        ({"tokenizer": "model.onnx"}, "is not a tokenizer"),
        ({"projection": "tokenizer.json"}, "is not a matrix"),
    ],
)
def test_a_whole_model_that_is_not_what_its_entry_says(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    entry = entry_named(ModelSettings(), NAME)
    wrong = msgspec.structs.replace(entry, name="wrong", shipped=False, **change)
    settings = ModelSettings(folder=tmp_path, embedder="wrong")
    add(settings, shipped_folder() / NAME, wrong)
    with pytest.raises(ModelUnusable, match=words):
        load_embedder(settings)


def test_the_fingerprint_follows_what_decides_the_vectors(embedder: Embedder) -> None:
    settings = ModelSettings()
    entry = entry_named(settings, NAME)
    assert embedder.fingerprint == fingerprint(settings, entry)
    assert embedder.fingerprint.startswith(f"{NAME}:")
    same = [msgspec.structs.replace(entry, summary="other words", licence="MIT")]
    other = [
        msgspec.structs.replace(entry, **change)
        for change in (
            {"max_tokens": 128}, {"pooling": "cls"}, {"query_prefix": "q: "}, {"token_dimension": 96},
            {"files": (File(path="model.onnx", sha256="0" * 64, size=1), *entry.files[1:])},
        )
    ]  # fmt: skip
    assert {fingerprint(settings, item) for item in same} == {embedder.fingerprint}
    assert len({fingerprint(settings, item) for item in other} | {embedder.fingerprint}) == len(other) + 1


def test_a_model_added_by_hand_works_as_the_one_that_ships(tmp_path: Path, embedder: Embedder) -> None:
    settings = ModelSettings(folder=tmp_path / "models", embedder="mine")
    entry = msgspec.structs.replace(entry_named(settings, NAME), name="mine", shipped=False)
    add(settings, shipped_folder() / NAME, entry)
    mine = load_embedder(settings)
    assert np.array_equal(mine.encode_query("snow").pooled, embedder.encode_query("snow").pooled)
    assert mine.fingerprint != embedder.fingerprint
    (tmp_path / "models" / "mine" / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelDamaged, match="The model mine is damaged"):
        check(settings, entry_named(settings, "mine"))


def test_one_file_can_be_added(tmp_path: Path) -> None:
    (tmp_path / "some.gguf").write_bytes(b"GGUF")
    settings = ModelSettings(folder=tmp_path / "models")
    entry = Entry(name="own", role="generator", adapter="gguf", summary="mine", licence="MIT")
    assert [file.size for file in add(settings, tmp_path / "some.gguf", entry).files] == [4]
    assert check(settings, entry_named(settings, "own")) == tmp_path / "models" / "own"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (None, "no export.json"),
        (Entry(name="x", role="embedder", adapter="encoder", summary="", licence=""), "no model at"),
        (Entry(name=NAME, role="embedder", adapter="encoder", summary="", licence=""), "ships with"),
    ],
)
def test_what_cannot_be_added(tmp_path: Path, entry: Entry | None, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        add(ModelSettings(folder=tmp_path), tmp_path / "absent", entry)


@pytest.mark.parametrize(
    "content",
    [
        b"not json",
        b'{"a": 1}',
        b'{"a": {"role": "poet", "adapter": "gguf", "summary": "", "licence": ""}}',
        b'{"a": {"role": "vision", "adapter": "gguf", "summary": "", "licence": "", "colour": "red"}}',
        b'{"../a": {"role": "vision", "adapter": "gguf", "summary": "", "licence": ""}}',
    ],
)
def test_a_broken_catalogue_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ADDED).write_bytes(content)
    with pytest.raises(BadInput, match=ADDED):
        read_catalogue(ModelSettings(folder=tmp_path))
