"""The import directions of the design, and one importer for each outside thing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "appliance"

# Each layer may import itself and those to its left. Layers in one set never import one another.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"document", "errors", "paths"}),
    frozenset({"evidence", "settings"}),
    frozenset({"tabular"}),
    frozenset({"lookup"}),
    frozenset({"ingest", "store", "models", "contract"}),
    frozenset({"retrieval"}),
    frozenset({"answer"}),
    frozenset({"vector_cache"}),
    frozenset({"building", "library"}),
    frozenset({"doctor"}),
    frozenset({"evaluation"}),
    frozenset({"web"}),
    frozenset({"cli"}),
)
OUTSIDE: dict[str, frozenset[str]] = {
    "pymupdf": frozenset({"ingest/pdf.py", "ingest/render.py", "evaluation/bench.py"}),
    "apsw": frozenset({"store"}),
    "sqlite_vec": frozenset({"store"}),
    "onnxruntime": frozenset({"models"}),
    "tokenizers": frozenset({"models"}),
    "optimum": frozenset({"models"}),
    "torch": frozenset({"models"}),
    "llama_cpp": frozenset({"models"}),
    "flask": frozenset({"web"}),
    "waitress": frozenset({"web"}),
    "click": frozenset({"cli"}),
    "rich": frozenset({"cli", "evaluation"}),
}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)


def layer_of(name: str) -> int | None:
    return next((i for i, layer in enumerate(LAYERS) if name in layer), None)


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    own = relative.parts[0].removesuffix(".py")
    if own == "__init__":
        return
    mine = layer_of(own)
    assert mine is not None, f"{relative} belongs to no layer: name it in LAYERS"
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "appliance" or len(parts) < 2 or parts[1] in {own, "__version__"}:
            continue
        theirs = layer_of(parts[1])
        assert theirs is not None, f"{relative} imports unknown {name}"
        assert theirs < mine, f"{relative} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_each_outside_thing_has_its_importer(path: Path) -> None:
    relative = path.relative_to(PACKAGE).as_posix()
    for name in imported(path):
        allowed = OUTSIDE.get(name.split(".")[0])
        if allowed is not None:
            assert any(relative == place or relative.startswith(f"{place}/") for place in allowed), (
                f"{relative} imports {name}"
            )


def test_the_check_can_fail() -> None:
    store, web = layer_of("store"), layer_of("web")
    assert store is not None
    assert web is not None
    assert store < web
    assert layer_of("nowhere") is None
