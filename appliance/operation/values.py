"""What is said of the health of a box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Point:
    """One thing looked at: how it is, in words, and what mends it."""

    name: str
    state: Literal["well", "note", "wrong"]
    words: str
    mend: str = ""
