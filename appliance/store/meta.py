"""What a library says of its own vectors, held against those that it has.

Rules of this module: a library that says something else than it holds is refused as damaged when it is
opened, with the command that mends it, and not when a question first meets it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from appliance.errors import LibraryUnreadable
from appliance.store.connection import Connections

REQUIRED = frozenset({"version", "embedder", "scale", "dimension", "token_dimension"})
HALF = 2  # bytes of a number of a pooled vector


def read_meta(path: Path, connections: Connections) -> Mapping[str, str]:
    """Return what a library says of itself.

    Raises:
        LibraryUnreadable: something is missing, is no number, or differs from the first vectors held.
    """
    meta: dict[str, str] = dict(connections.rows("meta"))
    if lost := REQUIRED - meta.keys():
        raise LibraryUnreadable(path, f"it does not say its {min(lost)}")
    dimension, width = (_count(path, meta, name) for name in ("dimension", "token_dimension"))
    for pooled, tokens in connections.rows("first_vectors"):
        if pooled != HALF * dimension:
            why = f"its vectors have {pooled // HALF} numbers where it says {dimension}"
            raise LibraryUnreadable(path, why)
        if not _is_size(meta["scale"]):
            raise LibraryUnreadable(path, f"the scale of its vectors is {meta['scale']!r}")
        if tokens % max(width, 1):
            raise LibraryUnreadable(path, f"its rows of tokens are not of {width} bytes, as it says")
    return meta


def _count(path: Path, meta: Mapping[str, str], name: str) -> int:
    """Return a number that is counted; raises LibraryUnreadable."""
    if not meta[name].isdecimal():
        raise LibraryUnreadable(path, f"its {name} is {meta[name]!r}")
    return int(meta[name])


def _is_size(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and float(text) > 0
    except ValueError:
        return False
