"""Pictures through the model's process: a random model of the kind of Qwen3-VL with its projector."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance.core.errors import ApplianceError, GenerationFailed, ModelUnusable, PromptTooLong
from appliance.models.llama.gguf import NotModel, read_head, read_projector
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.protocols import Finished, Generation, Limits, Message, Picture, Reading
from tests.gguf_maker import TINY, write_projector, write_seeing

Generators = Callable[..., LlamaGenerator]
SYSTEM = Message("system", "the snow load shall be given. " * 8)
ASKED = Generation((SYSTEM, Message("user", "roof")), 1, limits=Limits(tokens=12))
SLOW = 40  # layers of a projector that takes long enough to be interrupted


def picture(width: int, height: int, seed: int = 0) -> Picture:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Picture(width, height, pixels.tobytes())


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    folder = tmp_path_factory.mktemp("pair")
    return {"path": write_seeing(folder / "model.gguf"), "projector": write_projector(folder / "mmproj.gguf")}


@pytest.fixture
def seeing(generators: Generators, pair: dict[str, Path]) -> LlamaGenerator:
    return generators(context=1024, **pair)


def run(generator: LlamaGenerator, generation: Generation) -> Finished:
    events = list(generator.begin(generation))
    assert isinstance(events[-1], Finished)
    read = [event for event in events if isinstance(event, Reading)]
    assert [event.done for event in read] == sorted(event.done for event in read)
    assert read[-1].done == read[-1].total == events[-1].prompt_tokens
    return events[-1]


def test_what_is_written_depends_on_the_picture_alone(seeing: LlamaGenerator) -> None:
    drawings = [
        replace(ASKED, picture=Picture(300, 200, shade * 180_000)) for shade in (b"\x00", b"\xff", b"\x00")
    ]
    first, second, again = (run(seeing, drawing) for drawing in drawings)
    assert first.text == again.text != second.text
    plain = run(seeing, ASKED)
    assert plain.text == run(seeing, ASKED).text, "a text after a picture is read as one before it"
    assert first.prompt_tokens > plain.prompt_tokens + 20
    assert again.restored_tokens == second.restored_tokens > 32, "the instructions are evaluated once"
    assert run(seeing, drawings[1]).text == second.text


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 900), (900, 3), (64, 64), (2000, 1500)], ids=str)
def test_pictures_of_any_shape_are_read(seeing: LlamaGenerator, width: int, height: int) -> None:
    finished = run(seeing, replace(ASKED, picture=picture(width, height)))
    assert finished.prompt_tokens < 512 + 120, "what a picture takes is bounded"
    assert finished.tokens > 0


def test_a_picture_in_tiles_is_read_with_the_words_between_them(
    generators: Generators, tiny: Path, tmp_path: Path
) -> None:
    tiles = write_projector(tmp_path / "tiles.gguf", tiles=True)
    generator = generators(context=2048, path=tiny, projector=tiles)
    wide, square = (replace(ASKED, picture=picture(*size)) for size in ((300, 200), (40, 40)))
    seen = run(generator, wide)
    assert run(generator, square).prompt_tokens != seen.prompt_tokens > run(generator, ASKED).prompt_tokens
    assert run(generator, wide).text == seen.text
    assert run(generator, ASKED).text == run(generators(path=tiny), ASKED).text


def test_it_goes_on_after_every_mishap(generators: Generators, pair: dict[str, Path]) -> None:
    drawn = replace(ASKED, picture=picture(300, 200))
    blind = generators()
    with pytest.raises(GenerationFailed, match="sees no pictures"):
        run(blind, drawn)
    assert run(blind, ASKED).tokens
    small = generators(context=128, **pair)
    with pytest.raises(PromptTooLong):
        run(small, replace(ASKED, picture=picture(900, 900)))
    killed = generators(context=1024, **pair)
    told = run(killed, drawn).text
    process = killed._service.process
    assert process is not None
    os.kill(process.number, signal.SIGKILL)
    assert run(killed, drawn).text == told


def test_looking_at_a_picture_can_be_stopped(
    generators: Generators, pair: dict[str, Path], tmp_path: Path
) -> None:
    slow = write_projector(tmp_path / "slow.gguf", size=512, layers=SLOW)
    generator = generators(context=1024, path=pair["path"], projector=slow)
    writing = generator.begin(replace(ASKED, picture=picture(1000, 700)))
    events: list[Any] = []
    for event in writing:
        events.append(event)
        before = generator._service.process
        writing.cancel()
    assert events[-1].reason == "cancelled"
    assert generator._service.process is before, "it heard the word and need not be ended"
    assert run(generator, ASKED).tokens


def _cut(projector: Path, folder: Path) -> Path:
    (folder / "cut.gguf").write_bytes(projector.read_bytes()[:-100])
    return folder / "cut.gguf"


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("cut", "cut off"),
        ("language model", "no vision projector"),
        ("for another", "made for another model"),
    ],
)
def test_a_projector_that_does_not_fit_is_a_sentence(
    generators: Generators, pair: dict[str, Path], tmp_path: Path, case: str, said: str
) -> None:
    wrong = {
        "cut": lambda: _cut(pair["projector"], tmp_path),
        "language model": lambda: pair["path"],
        "for another": lambda: write_projector(tmp_path / "other.gguf", width=2 * TINY.width),
    }[case]()
    with pytest.raises(NotModel, match=said):
        read_projector(wrong, read_head(pair["path"]))
    with pytest.raises(ModelUnusable, match=said):
        run(generators(path=pair["path"], projector=wrong), ASKED)


def test_a_projector_that_llama_cpp_refuses_is_a_sentence(
    generators: Generators, pair: dict[str, Path], tmp_path: Path
) -> None:
    content = pair["projector"].read_bytes().replace(b"qwen3vl_merger", b"qwen9vl_merger")
    (tmp_path / "unknown.gguf").write_bytes(content)
    with pytest.raises(ApplianceError, match=r"unknown\.gguf"):
        run(generators(path=pair["path"], projector=tmp_path / "unknown.gguf"), ASKED)


def test_without_the_library_for_pictures_it_is_said_and_texts_are_written(
    generators: Generators, pair: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MTMD_CPP_LIB", str(tmp_path / "nowhere"))
    with pytest.raises(ModelUnusable, match="reads no pictures"):
        run(generators(**pair), ASKED)
    assert run(generators(path=pair["path"]), ASKED).tokens
