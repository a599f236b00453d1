"""Circles in what is said of things: A before B, B before C, C before A.

Rules of this module: pure; the shortest circle is told, each of its members once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping


def loop_through(first: str, then: str, said: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the members of the shortest circle that begins with this step, () where it is in none."""
    came: dict[str, str] = {then: first}
    waiting = deque([then])
    while waiting:
        at = waiting.popleft()
        if at == first:
            break
        for after in sorted(said.get(at, ())):
            if after not in came:
                came[after] = at
                waiting.append(after)
    if first not in came:
        return ()
    back = [came[first]]
    while back[-1] != first:
        back.append(came[back[-1]])
    return tuple(reversed(back))
