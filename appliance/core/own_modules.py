"""The modules of this program that a piece of code rests on, for hashes that decide what is read again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
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
    tree = ast.parse(path.read_bytes())
    return tuple(dict.fromkeys(file for name in _named(tree) for file in _files(name)))


def _named(tree: ast.AST) -> Iterator[str]:
    """Yield what may be a module: "a.b" of `import a.b`, "a" and "a.b" of `from a import b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _files(name: str) -> Iterator[Path]:
    """Yield the file of a module of this program, nothing for any other name."""
    top, *parts = name.split(".")
    if top != _PACKAGE.name:
        return
    at = _PACKAGE.joinpath(*parts)
    yield from (path for path in (at.with_suffix(".py"), at / "__init__.py") if parts and path.is_file())
