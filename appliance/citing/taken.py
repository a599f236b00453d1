"""What a document may have, and what is taken of it: shared by the readers of the locked process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Refused(Exception):
    """The document cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may have."""

    seconds: float
    memory_mib: int
    characters: int
    pages: int
    unpacked_mib: int


def cut(found: list[tuple[str, int]], limits: Limits, problems: list[str]) -> dict[str, Any]:
    """Return the paragraphs as far as the limit of characters goes, and say where it ended."""
    left, kept = limits.characters, []
    for text, number in found:
        if len(text) > left:
            problems = [*problems, f"Only the first {limits.characters} characters were read."]
            break
        left -= len(text)
        kept.append((text, number))
    return {"paragraphs": kept, "problems": problems}
