"""The modules of this program that a piece of code rests on, for hashes that decide what is read again."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def behind(files: Iterable[Path]) -> tuple[Path, ...]:
    """Return these modules of the program and all that they import, however far, in a fixed order."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imports(path)
    return tuple(sorted(found))


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Return the files of the modules that one imports from this program."""
    # of what may be a module: "a.b" of `import a.b`, "a" and "a.b" of `from a import b`.
    names: list[str] = []
    statements: list[ast.AST] = [ast.parse(path.read_bytes())]
    for node in statements:  # an expression holds no import, and of these there are ten times as many
        for blocks in ("body", "handlers", "orelse", "finalbody", "cases"):
            statements += getattr(node, blocks, ())
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    inside = [name.split(".")[1:] for name in names if name.startswith(f"{_PACKAGE.name}.")]
    places = [_PACKAGE.joinpath(*parts) for parts in inside]
    files = (path for at in places for path in (at.with_suffix(".py"), at / "__init__.py"))
    return tuple(dict.fromkeys(path for path in files if path.is_file()))
