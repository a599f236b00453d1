"""Small questions that the templates ask about words and figures.

Rules of this module: pure functions of plain values.
"""

from __future__ import annotations

from collections.abc import Mapping


def same(quote: str, text: str) -> bool:
    """Tell whether a statement already says its quotation in full, spaces apart."""
    return " ".join(quote.split()) in " ".join(text.split())


def milliseconds(timings: Mapping[str, float]) -> float:
    """Return the whole time of a search: its own total where it gives one, else the sum of the stages."""
    return timings["total"] if "total" in timings else sum(timings.values())
