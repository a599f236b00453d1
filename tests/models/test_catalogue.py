"""Models missing, damaged, unfit, misnamed; what ships; what is added by hand."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from appliance.core.errors import BadInput, BadSettings, ModelDamaged, ModelMissing, ModelUnusable
from appliance.core.settings import LlmSettings, ModelSettings
from appliance.models.add import add, remove
from appliance.models.catalogue import (
    ADDED,
    Entry,
    File,
    check,
    entry_named,
    fingerprint,
    list_models,
    load_embedder,
    load_figure_reader,
    load_generator,
    load_reranker,
    name_of,
    read_catalogue,
    refuse_name,
    shipped_folder,
    verify,
)
from appliance.models.protocols import Embedder, Finished, Generation, Message
from tests.gguf_maker import write_projector, write_seeing

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
        assert entry.shipped or ((entry.repository or entry.package) and entry.files), (
            f"{entry.name} cannot be fetched"
        )
        assert not entry.shipped or all(file.sha256 and file.size for file in entry.files)
        assert not verify(ModelSettings(), entry) or not entry.shipped
        if entry.role in {"generator", "vision"}:
            assert all((entry.sources, entry.context, entry.ram_mib, entry.template))
            assert entry.cores or entry.package
            assert all(len(file.sha256) == 64 for file in entry.files)
            assert re.fullmatch(r"[0-9a-f]{40}|[a-z0-9-]+==[0-9.]+", entry.package or entry.revision), (
                "one state"
            )
            filled = sum(file.size for file in entry.files) >> 20
            assert filled + 512 < entry.ram_mib < 2 * filled + 1024, "the file, its context and the program"


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
    assert embedder.fingerprint == fingerprint(entry)
    assert embedder.fingerprint.startswith(f"{NAME}:")
    same = [msgspec.structs.replace(entry, summary="other words", licence="MIT")]
    other = [
        msgspec.structs.replace(entry, **change)
        for change in (
            {"max_tokens": 128}, {"pooling": "cls"}, {"query_prefix": "q: "}, {"token_dimension": 96},
            {"files": (File(path="model.onnx", sha256="0" * 64, size=1), *entry.files[1:])},
        )
    ]  # fmt: skip
    assert {fingerprint(item) for item in same} == {embedder.fingerprint}
    assert len({fingerprint(item) for item in other} | {embedder.fingerprint}) == len(other) + 1


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


def test_a_language_model_is_added_by_its_file_alone_and_removed_again(tmp_path: Path, tiny: Path) -> None:
    settings = ModelSettings(folder=tmp_path / "models")
    entry = Entry(name="own", role="generator", adapter="gguf", summary="", licence="")
    added = add(settings, tiny, entry)
    assert (added.licence, added.context, added.template) == ("none", 2048, "own")
    assert added.summary == "0.0B parameters, qwen3, added by hand"
    assert added.ram_mib >= 512
    assert check(settings, entry_named(settings, "own")) == tmp_path / "models" / "own"
    assert remove(settings, "own") == tmp_path / "models" / "own"
    with pytest.raises(BadInput, match="no model own"):
        entry_named(settings, "own")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (NAME, "ships with the program; there is nothing to remove"),
        ("qwen3-4b", "not installed in"),
        ("nothing", "no model nothing"),
    ],
)
def test_what_cannot_be_removed(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        remove(ModelSettings(folder=tmp_path), name)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"GGUF", "cut off or damaged"), (b"PK\x03\x04", "not in GGUF format"), (None, "no GGUF file")],
)
def test_what_is_no_language_model_is_not_added(tmp_path: Path, content: bytes | None, words: str) -> None:
    (tmp_path / "given").mkdir()
    if content is not None:
        (tmp_path / "given" / "some.gguf").write_bytes(content)
    entry = Entry(name="own", role="generator", adapter="gguf", summary="", licence="")
    with pytest.raises(ModelUnusable, match=words):
        add(ModelSettings(folder=tmp_path / "models"), tmp_path / "given", entry)
    assert not (tmp_path / "models").exists()


def test_a_language_model_that_nobody_vouches_for_is_not_started(tmp_path: Path, tiny: Path) -> None:
    own = {
        "own": {
            "role": "generator",
            "adapter": "gguf",
            "summary": "s",
            "licence": "MIT",
            "files": [{"path": "model.gguf"}],
        }
    }
    (tmp_path / ADDED).write_bytes(msgspec.json.encode(own))
    settings = ModelSettings(folder=tmp_path)
    for name, error, words in (
        ("own", ModelUnusable, "nobody vouches for it"),
        ("qwen3-0.6b", ModelDamaged, "does not match the recorded sha256"),
    ):
        llm = LlmSettings(model=name, context_tokens=512)
        with pytest.raises(ModelMissing, match="is not installed"):
            load_generator(settings, llm)
        (tmp_path / name).mkdir()
        shutil.copyfile(tiny, tmp_path / name / "model.gguf")
        with pytest.raises(error, match=words):
            load_generator(settings, llm)
        assert re.search(words, verify(settings, entry_named(settings, name)))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"model": "late-interaction"}, ModelUnusable, "its role is reranker, not generator"),
        ({"model": "nothing"}, BadInput, "no model nothing"),
        (
            {"context_tokens": 4096},
            ModelUnusable,
            "is 4096, and it was trained for 2048, the most",
        ),
    ],
)
def test_a_language_model_that_does_not_suit(
    tmp_path: Path, tiny: Path, change: dict[str, Any], error: type[Exception], words: str
) -> None:
    settings = ModelSettings(folder=tmp_path)
    add(settings, tiny, Entry(name="own", role="generator", adapter="gguf", summary="", licence=""))
    with pytest.raises(error, match=words):
        load_generator(settings, replace(LlmSettings(model="own"), **change))


def test_a_language_model_that_was_added_writes(tmp_path: Path, tiny: Path) -> None:
    pytest.importorskip("llama_cpp", reason="llama.cpp is not installed (extra llm)")
    settings = ModelSettings(folder=tmp_path)
    add(settings, tiny, Entry(name="own", role="generator", adapter="gguf", summary="", licence=""))
    generator = load_generator(
        settings, LlmSettings(model="own", context_tokens=512, states=tmp_path / "states")
    )
    assert generator is not None
    try:
        events = list(generator.begin(Generation((Message("user", "wind"),), grammar='root ::= "S1"')))
        assert isinstance(events[-1], Finished)
        assert (generator.name, events[-1].text) == ("own", "S1")
    finally:
        generator.close()
    assert load_generator(settings, LlmSettings()) is None
    (tmp_path / "own" / "tiny.gguf").write_bytes(tiny.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelDamaged, match="models add FILE --name own"):
        load_generator(settings, LlmSettings(model="own", context_tokens=512))


def test_a_vision_model_is_added_as_a_pair_and_opened(tmp_path: Path, tiny: Path) -> None:
    settings = ModelSettings(folder=tmp_path / "models")
    model, projector = write_seeing(tmp_path / "vl.gguf"), write_projector(tmp_path / "mm.gguf")
    entry = Entry(name="own", role="generator", adapter="gguf", summary="", licence="")
    llm = LlmSettings(vision="own", context_tokens=1024)
    with pytest.raises(BadInput, match="no model own"):
        load_figure_reader(settings, llm)
    for wrong, words in (
        (tiny, "no vision projector"),
        (write_projector(tmp_path / "b", 128), "another model"),
    ):
        with pytest.raises(ModelUnusable, match=words):
            add(settings, model, entry, projector=wrong)
    added = add(settings, model, entry, projector=projector)
    assert (added.role, [file.path for file in added.files]) == ("vision", ["model.gguf", "mmproj.gguf"])
    reader = load_figure_reader(settings, llm)
    assert reader is not None
    assert reader.name == "own"
    with pytest.raises(ModelUnusable, match="its role is vision"):
        load_generator(settings, LlmSettings(model="own"))
    assert load_figure_reader(settings, LlmSettings()) is None
    before = reader.fingerprint
    add(settings, model, entry, projector=write_projector(tmp_path / "mm.gguf", layers=1))
    other = load_figure_reader(settings, llm)
    assert other is not None
    assert other.fingerprint != before
    (settings.folder / "own" / "mmproj.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelDamaged):
        load_figure_reader(settings, llm)


def test_every_language_model_says_what_it_needs_and_where_that_was_read() -> None:
    for entry in read_catalogue(ModelSettings()).values():
        if entry.role == "generator":
            assert min(entry.ram_mib, entry.context) > 0
            assert bool(entry.cores) is not bool(entry.package), (
                "what comes as a package is for a first try alone"
            )
            assert entry.template
            assert entry.sources
            assert all("https://" in source for source in entry.sources)
        if entry.adapter == "gguf":
            assert entry.sources or entry.unconfirmed


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (None, "folder of an exported model"),
        (Entry(name="x", role="embedder", adapter="encoder", summary="", licence=""), "no model at"),
        *(
            (Entry(name=name, role="generator", adapter="gguf", summary="", licence=""), words)
            for name, words in (
                (NAME, "the name of a model of the catalogue"),
                ("qwen3-0.6b", "the name of a model of the catalogue"),
                ("../../esc", "no name for a model"),
                ("a (1)", "no name for a model"),
                ("", "no name for a model"),
            )
        ),
    ],
)
def test_what_cannot_be_added(tmp_path: Path, entry: Entry | None, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        add(ModelSettings(folder=tmp_path / "models"), tmp_path / "absent", entry)
    assert not list(tmp_path.iterdir()), "nothing is written"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("tiny (1).gguf", "tiny-1"),
        ("a b.gguf", "a-b"),
        ("-..gguf", "model"),
        ("Über.gguf", "ber"),
        ("x" * 200, "x" * 100),
    ],
)
def test_a_file_without_a_usable_name_is_given_one(file: str, name: str) -> None:
    assert name_of(Path(file)) == name
    refuse_name(name)


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
