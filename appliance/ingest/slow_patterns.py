"""Regular expressions that a person wrote and that may take years on an ordinary line.

Rules of this module: Python's `re` cannot be stopped, so a pattern is tried before it is used, on texts made
from itself: what stands before a repetition, the repeated part ever more often, and a sign that ends the
match. Lengths grow step by step, so that a trial is over before it hurts. Time is that of this thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from re import _constants, _parser  # type: ignore[attr-defined]  # the tree of a pattern has no public name
from time import thread_time
from typing import Any

LONGEST = 0.05  # seconds of one trial; a good pattern takes microseconds
WHOLE = 1.0  # seconds of all trials of one pattern
TIMES = (*range(6, 40, 2), *range(40, 80, 4), 100, 130, 170, 220, 300, 400)  # repetitions: 2**n, then n**3
MOST = 40  # texts tried of one pattern
DEEPEST = 20  # brackets within brackets
UNBOUNDED = 12  # repetitions from which on a bounded one is as bad
_ENDS = ("\0", "\n!")
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
_CATEGORIES = {
    _constants.CATEGORY_DIGIT: "1",
    _constants.CATEGORY_SPACE: " ",
    _constants.CATEGORY_WORD: "a",
    _constants.CATEGORY_NOT_DIGIT: "a",
    _constants.CATEGORY_NOT_SPACE: "a",
    _constants.CATEGORY_NOT_WORD: "-",
}


def slow_text(pattern: str) -> str:
    """Return the beginning of a text on which a pattern takes too long, "" where none is found."""
    compiled, tree = re.compile(pattern), _parser.parse(pattern)
    tried = dict.fromkeys((before, unit) for before, unit in _repeated(tree, "", 0) if unit)
    first = thread_time()
    for before, unit in list(tried)[:MOST]:
        for times in TIMES:
            for end in _ENDS:
                start = thread_time()
                compiled.search(before + unit * times + end)
                if (now := thread_time()) - start > LONGEST or now - first > WHOLE:
                    return (before + unit * 3).strip() or unit * 3
    return ""


def _repeated(tree: Sequence[Any], before: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield what stands before each repetition without an end, and texts that it may repeat."""
    for operator, value in tree if depth < DEEPEST else ():
        if operator in _REPEATS and value[1] >= UNBOUNDED:
            for full in (True, False):
                yield from ((before, unit) for unit in _units(value[2], full=full))
        for inner in _inner(operator, value):
            yield from _repeated(inner, before, depth + 1)
        before += _sample(((operator, value),), full=False)


def _inner(operator: Any, value: Any) -> Sequence[Any]:
    """Return the trees within one part of a pattern."""
    if operator in _REPEATS:
        return (value[2],)
    if operator is _constants.SUBPATTERN:
        return (value[3],)
    if operator is _constants.BRANCH:
        return tuple(value[1])
    return (value[1],) if operator in (_constants.ASSERT, _constants.ASSERT_NOT) else ()


def _units(tree: Sequence[Any], *, full: bool) -> list[str]:
    """Return texts that a tree matches, one for each way that its first choice can go."""
    parts = list(tree)
    while len(parts) == 1 and parts[0][0] is _constants.SUBPATTERN:
        parts = list(parts[0][1][3])
    if len(parts) == 1 and parts[0][0] is _constants.BRANCH:
        return [_sample(branch, full=full) for branch in parts[0][1][1]]
    return [_sample(parts, full=full)]


def _sample(tree: Sequence[Any], *, full: bool) -> str:
    """Return a text that a tree matches, with or without what need not be there."""
    text = ""
    for operator, value in tree:
        if operator is _constants.LITERAL:
            text += chr(value)
        elif operator is _constants.ANY:
            text += "a"
        elif operator is _constants.NOT_LITERAL:
            text += "b" if value == ord("a") else "a"
        elif operator is _constants.IN:
            text += _one_of(value)
        elif operator in _REPEATS:
            text += _sample(value[2], full=full) * max(value[0], int(full))
        elif operator is _constants.SUBPATTERN:
            text += _sample(value[3], full=full)
        elif operator is _constants.BRANCH:
            text += _sample(value[1][0], full=full)
    return text


def _one_of(choices: Sequence[Any]) -> str:
    """Return a sign of a class."""
    signs = []
    for operator, value in choices:
        if operator is _constants.NEGATE:
            return next((sign for sign in "a1 -A." if not re.match(_class(choices[1:]), sign)), "a")
        if operator is _constants.LITERAL:
            signs.append(chr(value))
        elif operator is _constants.RANGE:
            signs.append(chr(value[0]))
        elif operator is _constants.CATEGORY:
            signs.append(_CATEGORIES.get(value, "a"))
    return signs[0] if signs else "a"


def _class(choices: Sequence[Any]) -> str:
    """Return the signs of a class that excludes them, as far as they are named one by one."""
    signs = [chr(value) for operator, value in choices if operator is _constants.LITERAL]
    return f"[{''.join(map(re.escape, signs))}]" if signs else r"(?!)"
