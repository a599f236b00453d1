"""The register of mechanisms: parts of the program that can be switched off to see what they are worth.

A mechanism is declared at the function through which the rest of the program reaches it, together with what
happens instead when it is off. The function must stand in front of every cache, so that switching takes
effect at once.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, wraps
from importlib import import_module
from inspect import getdoc, unwrap
from pkgutil import walk_packages
from time import perf_counter
from typing import Any, ParamSpec, TypeVar, cast

from appliance.core.errors import BadInput

VARIABLE = "APPLIANCE_WITHOUT"  # names and groups that are off, with commas between them
ROOMS = ("appliance.ingest", "appliance.retrieval", "appliance.answer")  # where mechanisms are declared
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A part that can be switched off: "group.name", what it does, and the function that enters it."""

    name: str
    does: str
    module: str
    function: str
    line: int

    @property
    def group(self) -> str:
        """Return what stands before the point of the name."""
        return self.name.partition(".")[0]


@dataclass(slots=True)
class Calls:
    """The mechanisms that changed something, and the seconds spent in each (with all that it calls)."""

    changed: set[str] = field(default_factory=set)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))


_KNOWN: dict[str, Mechanism] = {}
_off = frozenset(filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))))
_calls: Calls | None = None


def mechanism(name: str, *, without: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare a function as the entry of a mechanism; `without` is called in its place when it is off.

    What the mechanism does is the first paragraph of the docstring of its function.
    """

    def declare(function: Callable[P, R]) -> Callable[P, R]:
        inner = unwrap(function)
        does = " ".join((getdoc(inner) or "").partition("\n\n")[0].split())
        line = inner.__code__.co_firstlineno
        _KNOWN[name] = own = Mechanism(name, does, inner.__module__, inner.__qualname__, line)
        names = frozenset({name, own.group})

        @wraps(function)
        def entered(*args: P.args, **kwargs: P.kwargs) -> R:
            is_on = _off.isdisjoint(names)
            if _calls is not None and is_on:
                ways = partial(function, *args, **kwargs), partial(without, *args, **kwargs)
                return cast("R", _watched(_calls, name, *ways))
            return cast("R", (function if is_on else without)(*args, **kwargs))

        return entered

    return declare


def _watched(
    calls: Calls, name: str, function: Callable[[], object], without: Callable[[], object]
) -> object:
    """Call a mechanism, and note whether it does anything else than what happens without it."""
    start = perf_counter()
    result = _read(function())
    calls.seconds[name] += perf_counter() - start
    if name not in calls.changed and result != _read(without()):
        calls.changed.add(name)
    return iter(result) if isinstance(result, _Yielded) else result


class _Yielded(list[Any]):
    """What a generator yielded, read to its end."""


def _read(result: object) -> object:
    return _Yielded(result) if isinstance(result, Iterator) else result


def mechanisms() -> tuple[Mechanism, ...]:
    """Return all mechanisms by name; every module that may declare one is imported."""
    for room in ROOMS:
        package = import_module(room)
        for module in walk_packages(package.__path__, f"{room}."):
            import_module(module.name)
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


@contextmanager
def without(names: Iterable[str]) -> Iterator[None]:
    """Switch mechanisms, or whole groups, off for a while, here and in processes started meanwhile.

    Raises:
        BadInput: a name is neither that of a mechanism nor of a group.
    """
    global _off  # noqa: PLW0603 - the one switch of the process
    asked, before, told = frozenset(names), _off, os.environ.get(VARIABLE)
    check(asked)
    _off = asked
    os.environ[VARIABLE] = ",".join(sorted(asked))
    try:
        yield
    finally:
        _off = before
        os.environ.pop(VARIABLE)
        if told is not None:
            os.environ[VARIABLE] = told


@contextmanager
def watched() -> Iterator[Calls]:
    """Note what mechanisms do meanwhile."""
    global _calls  # noqa: PLW0603 - the one watch of the process
    before, _calls = _calls, Calls()
    try:
        yield _calls
    finally:
        _calls = before


def check(names: Iterable[str] | None = None) -> None:
    """Raise BadInput where a name, by default one of the environment, is of no mechanism and no group."""
    asked = _off if names is None else frozenset(names)
    if not asked:
        return
    known = mechanisms()
    if unknown := sorted(asked - {one.name for one in known} - {one.group for one in known}):
        groups = ", ".join(sorted({one.group for one in known}))
        message = f"There is no mechanism {', '.join(unknown)}. Groups are: {groups}. "
        raise BadInput(message + "appliance eval ablate --list names all.")
