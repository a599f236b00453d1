"""The import directions of the design, and one importer for each outside thing."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "appliance"

# Each layer may import itself and those to its left. Layers in one set never import one another.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"core", "launch"}),
    frozenset({"text", "site"}),
    frozenset({"tables"}),
    frozenset({"ingest", "store", "models", "contract"}),
    frozenset({"retrieval", "quality", "citing", "crawl"}),
    frozenset({"answer", "library_building"}),
    frozenset({"library"}),
    frozenset({"figure_descriptions", "tools", "keeping", "evaluation"}),
    frozenset({"update", "written_answers", "training"}),
    frozenset({"operation"}),
    frozenset({"doctor", "web"}),
    frozenset({"cli"}),
)
MODULES = 14  # of one folder
LOOSE = 12  # modules of the package itself
OUTSIDE: dict[str, frozenset[str]] = {
    "pymupdf": frozenset({"core/mupdf.py"}),
    "pymupdf4llm": frozenset({"evaluation/bench/peer_converter.py"}),
    "apsw": frozenset({"site/backup.py", "site/database.py", "store"}),
    "structlog": frozenset({"operation/logs.py", "web/observed.py"}),
    "sqlite_vec": frozenset({"store"}),
    "onnxruntime": frozenset({"models"}),
    "tokenizers": frozenset({"models"}),
    "llama_cpp": frozenset({f"models/llama/{name}.py" for name in ("engine", "grammar_sampling", "sight")}),
    "gguf": frozenset(),  # writes the models of the tests
    "optimum": frozenset({"models"}),
    "torch": frozenset({"training"}),
    "transformers": frozenset({"training"}),
    "dask": frozenset({"ingest/dask_cluster.py"}),
    "distributed": frozenset({"ingest/dask_cluster.py"}),
    "flask": frozenset({"web"}),
    "waitress": frozenset({"web"}),
    "click": frozenset({"cli"}),
    "markdown_it": frozenset({"ingest/html/printing.py"}),
    "playwright": frozenset({"crawl/crawler.py", "crawl/rendering.py", "ingest/html"}),
    "rich": frozenset({"cli", "evaluation"}),
    "tuf": frozenset({"update"}),
    "securesystemslib": frozenset({"update"}),
    "cryptography": frozenset({"update"}),
    "backports": frozenset({"update/intake/delta.py"}),
    "fpdf": frozenset({"keeping/pdf.py"}),
    "mcp": frozenset({"web/mcp.py"}),
    "uvicorn": frozenset({"web/mcp.py"}),
}


def modules(package: Path = PACKAGE) -> list[Path]:
    return sorted(path for path in package.rglob("*.py") if "_data" not in path.parts)


def layer_of(name: str) -> int | None:
    return next((i for i, layer in enumerate(LAYERS) if name in layer), None)


def imported(path: Path) -> set[str]:
    """The full names that a module imports; those of a relative import begin with a dot."""
    return _imported(path.read_text(encoding="utf-8"))


@cache
def _imported(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names}
    return names


def faults(path: Path, package: Path = PACKAGE) -> list[str]:
    """What the imports of a module break."""
    relative = path.relative_to(package)
    own = relative.parts[0].removesuffix(".py")
    mine = layer_of(own)
    if own != "__init__" and mine is None:
        return [f"{relative} belongs to no layer: name it in LAYERS"]
    return [
        f"{relative}: {name}"
        for name in sorted(imported(path))
        if name.startswith(".") or not (_runs_down(name, own, mine) and _has_importer(name, relative))
    ]


def _runs_down(name: str, own: str, mine: int | None) -> bool:
    parts = name.split(".")
    if parts[0] != "appliance" or len(parts) < 2 or parts[1] in {own, "__version__"}:
        return True
    theirs = layer_of(parts[1])
    return theirs is not None and mine is not None and theirs < mine


def _has_importer(name: str, relative: Path) -> bool:
    places = OUTSIDE.get(name.split(".", maxsplit=1)[0])
    return places is None or any(relative.is_relative_to(place) for place in places)


def test_imports_run_one_way_and_each_outside_thing_has_its_importer() -> None:
    assert [fault for path in modules() for fault in faults(path)] == []


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("store/read.py", "from appliance.web.serve import serve"),
        ("store/read.py", "import appliance.web"),
        ("store/read.py", "from appliance import web"),
        ("store/read.py", "def late():\n    from appliance.ingest import batch"),
        ("ingest/pipeline.py", "from appliance.store.read import Store"),
        ("ingest/pipeline.py", "from . import batch"),
        ("ingest/pipeline.py", "from ..store import read"),
        ("ingest/layout/reading_order.py", "import pymupdf"),
        ("retrieval/search.py", "import apsw.ext"),
        ("library_building.py", "from flask import Flask"),
        ("library_building.py", "from appliance.nowhere import thing"),
        ("newcomer.py", ""),
    ],
)
def test_the_check_finds(place: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{line}\n", encoding="utf-8")
    assert len(faults(path, tmp_path)) == 1
    if line:
        path.write_text("import re\nfrom appliance.core.errors import BadInput\n", encoding="utf-8")
        assert faults(path, tmp_path) == []


def test_a_folder_is_a_step_that_can_be_surveyed() -> None:
    held = Counter(path.parent for path in modules() if path.name != "__init__.py")
    loose = held.pop(PACKAGE)
    assert loose <= LOOSE
    assert [folder for folder, number in held.items() if number > MODULES] == []


def test_every_name_of_a_layer_is_there() -> None:
    there = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in modules()} - {"__init__"}
    assert set().union(*LAYERS) == there


def test_every_importer_of_an_outside_thing_imports_it() -> None:
    importers: dict[str, list[str]] = {}
    for path in modules():
        for thing in {name.split(".")[0] for name in imported(path)} & OUTSIDE.keys():
            importers.setdefault(thing, []).append(path.relative_to(PACKAGE).as_posix())
    for thing, places in OUTSIDE.items():
        for place in places:
            assert any(f"{path}/".startswith(f"{place}/") for path in importers[thing]), (thing, place)
