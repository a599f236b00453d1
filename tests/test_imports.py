"""The import directions of the design, and one importer for each outside thing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "appliance"

# Each layer may import itself and those to its left. Layers in one set never import one another.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"processor"}),
    frozenset(
        {
            "document",
            "errors",
            "imported",
            "launch",
            "numbers",
            "paths",
            "toml_lines",
            "written",
        }
    ),
    frozenset({"shipped", "row_groups"}),
    frozenset({"evidence", "frames", "graph", "lookalikes", "model_errors", "settings", "word_files"}),
    frozenset({"items", "job", "printed", "tabular"}),
    frozenset({"bearings", "jobs", "quantity"}),
    frozenset({"ranges"}),
    frozenset({"rownames"}),
    frozenset({"lookup"}),
    frozenset({"ingest", "store", "models", "contract_reading", "reworded", "site"}),
    frozenset({"contract", "retrieval"}),
    frozenset({"answer"}),
    frozenset(
        {
            "contract_answer",
            "contract_graph",
            "cutting",
            "naming",
            "quality",
            "vector_cache",
            "views",
            "issued",
            "workplace",
        }
    ),
    frozenset({"typed"}),
    frozenset({"exploring", "review"}),
    frozenset({"building", "library"}),
    frozenset({"describing"}),
    frozenset({"citing", "update", "writing"}),
    frozenset({"keeping"}),
    frozenset({"operation"}),
    frozenset({"doctor"}),
    frozenset({"evaluation"}),
    frozenset({"training"}),
    frozenset({"web"}),
    frozenset({"cli"}),
)
OUTSIDE: dict[str, frozenset[str]] = {
    "pymupdf": frozenset(
        {"citing/child.py", "evaluation/table_peers.py", "ingest/pdf.py", "ingest/render.py"}
    ),
    "pymupdf4llm": frozenset({"evaluation/peer.py"}),
    "pdfplumber": frozenset({"evaluation/table_peers.py"}),
    "camelot": frozenset({"evaluation/table_peers.py"}),
    "apsw": frozenset({"site/backup.py", "site/database.py", "store"}),
    "structlog": frozenset({"operation/logs.py", "web/observed.py"}),
    "sqlite_vec": frozenset({"store"}),
    "onnxruntime": frozenset({"models"}),
    "tokenizers": frozenset({"models"}),
    "llama_cpp": frozenset(
        {f"models/llama/{name}.py" for name in ("backends", "engine", "grammar", "sight", "words")}
    ),
    "gguf": frozenset(),  # writes the models of the tests
    "optimum": frozenset({"models"}),
    "sentence_transformers": frozenset({"evaluation/sentence_peer.py"}),
    "torch": frozenset({"training"}),
    "transformers": frozenset({"training"}),
    "flask": frozenset({"web"}),
    "waitress": frozenset({"web"}),
    "click": frozenset({"cli"}),
    "rich": frozenset({"cli", "evaluation"}),
    "tuf": frozenset({"update"}),
    "securesystemslib": frozenset({"update"}),
    "cryptography": frozenset({"update"}),
    "backports": frozenset({"update/delta.py"}),
    "fpdf": frozenset({"keeping/pdf.py", "keeping/pdf_tables.py"}),
}


def modules(package: Path = PACKAGE) -> list[Path]:
    return sorted(path for path in package.rglob("*.py") if "_data" not in path.parts)


def layer_of(name: str) -> int | None:
    return next((i for i, layer in enumerate(LAYERS) if name in layer), None)


def imported(path: Path) -> set[str]:
    """The full names that a module imports; those of a relative import begin with a dot."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way_and_each_outside_thing_has_its_importer(path: Path) -> None:
    assert faults(path) == []


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("store/read.py", "from appliance.web.serve import serve"),
        ("store/read.py", "import appliance.web"),
        ("store/read.py", "from appliance import web"),
        ("store/read.py", "def late():\n    from appliance.ingest import batch"),
        ("ingest/read.py", "from appliance.store.read import Store"),
        ("ingest/read.py", "from . import batch"),
        ("ingest/read.py", "from ..store import read"),
        ("ingest/layout.py", "import pymupdf"),
        ("retrieval/search.py", "import apsw.ext"),
        ("building.py", "from flask import Flask"),
        ("building.py", "from appliance.nowhere import thing"),
        ("newcomer.py", ""),
    ],
)
def test_the_check_finds(place: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{line}\n", encoding="utf-8")
    assert len(faults(path, tmp_path)) == 1
    if line:
        path.write_text("import re\nfrom appliance.errors import BadInput\n", encoding="utf-8")
        assert faults(path, tmp_path) == []


def test_every_name_of_a_layer_is_there() -> None:
    there = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in modules()} - {"__init__"}
    assert set().union(*LAYERS) == there


@pytest.mark.parametrize(
    ("thing", "place"), [(thing, place) for thing, places in OUTSIDE.items() for place in sorted(places)]
)
def test_every_importer_of_an_outside_thing_imports_it(thing: str, place: str) -> None:
    found = [path for path in modules() if path.relative_to(PACKAGE).is_relative_to(place)]
    assert any(name.split(".")[0] == thing for path in found for name in imported(path))
