"""The lines that a mechanism costs: those of the functions that nothing else reaches.

A static call graph by names: a name in a function may call the function or class of that name in its own
module or the one it imports; an attribute may call any method of that name in the package. What runs when
a module is imported, what a decorator registers and what Python itself calls is always reached.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PASSIVE = frozenset(
    {"mechanism", "cache", "lru_cache", "contextmanager", "property", "dataclass", "classmethod"}
)
Node = tuple[str, str]  # module, qualified name; "" is what runs at import


@dataclass(frozen=True, slots=True)
class CallGraph:
    """Which function may call which, the lines of each, and where the program enters."""

    calls: Mapping[Node, frozenset[Node]]
    lines: Mapping[Node, int]
    roots: frozenset[Node]

    def lines_of(self, entries: Collection[Node]) -> int:
        """Return the lines of the functions that are reached through these alone, their own among them."""
        lost = self._reached() - self._reached(entries)
        return sum(self.lines[node] for node in lost)

    def _reached(self, without: Collection[Node] = ()) -> set[Node]:
        found: set[Node] = set()
        waiting = [node for node in self.roots if node not in without]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting += [
                    other for other in self.calls[node] if other not in without and other not in found
                ]
        return found


@cache
def call_graph(package: Path) -> CallGraph:
    """Return the call graph of a package, with what nothing calls at all among its roots."""
    trees: dict[str, ast.Module] = {}
    for path in package.rglob("*.py"):
        parts = (package.name, *path.relative_to(package).with_suffix("").parts)
        trees[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    bodies = {(module, name): node for module, tree in trees.items() for name, node in _functions(tree, "")}
    methods: dict[str, set[Node]] = {}
    for module, name in bodies:
        methods.setdefault(name.rpartition(".")[2], set()).add((module, name))
    calls: dict[Node, frozenset[Node]] = {}
    for module, tree in trees.items():
        names = _names_of(module, tree, bodies)
        for name, body in [("", tree), *_functions(tree, "")]:
            calls[module, name] = frozenset(_called(body, names, methods)) - {(module, name)}
    called = frozenset().union(*calls.values())
    roots, lines = set(), {}
    for node in calls:
        if not node[1]:
            roots.add(node)
            lines[node] = 0
            continue
        body, name = bodies[node], node[1].rpartition(".")[2]
        decorators = {ast.unparse(one).partition("(")[0].rpartition(".")[2] for one in body.decorator_list}
        if node not in called or decorators - PASSIVE or name.startswith("__"):
            roots.add(node)  # others than its callers in the package may enter it
        first = min((one.lineno for one in body.decorator_list), default=body.lineno)
        lines[node] = (body.end_lineno or body.lineno) - first + 1
    return CallGraph(calls, lines, frozenset(roots))


def _functions(tree: ast.AST, outer: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of modules and classes; one inside another function belongs to that."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{outer}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{outer}{node.name}.")
        elif not isinstance(node, ast.expr):
            yield from _functions(node, outer)


def _names_of(module: str, tree: ast.AST, bodies: Collection[Node]) -> dict[str, list[Node]]:
    """Return what each name of a module may call; a class is called through its own module."""
    names = {name: [(owner, name)] for owner, name in bodies if owner == module and "." not in name}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                there = (node.module, alias.name)
                names[alias.asname or alias.name] = [there] if there in bodies else []
    return names


def _called(
    node: ast.AST, names: Mapping[str, list[Node]], methods: Mapping[str, set[Node]]
) -> Iterator[Node]:
    """Yield what a piece of code may call; a module does not run its functions."""
    waiting = [node]
    while waiting:
        piece = waiting.pop()
        inside = list(ast.iter_child_nodes(piece))
        if isinstance(node, ast.Module):
            inside = [part for part in inside if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
        waiting += inside
        if isinstance(piece, ast.Name):
            yield from names.get(piece.id, ())
        elif isinstance(piece, ast.Attribute):
            yield from methods.get(piece.attr, ())
