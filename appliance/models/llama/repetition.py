"""Whether a text goes round in circles.

Rules of this module: tokens only. The same period, of one to some dozens of tokens, must fill the end
of the text as often as the limit says and for a good stretch, so that a row of a table ("0 0 0 0") or a
list of like items is not taken for it.
"""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_PERIOD = 64  # tokens: about three sentences
LEAST_STRETCH = 32  # tokens that the repetition must fill


def repeats(tokens: Sequence[int], times: int) -> bool:
    """Tell whether the end of the text is one period `times` times over; never where `times` is under 2."""
    if times < 2:
        return False
    return any(_fills(tokens, period, times) for period in range(1, LONGEST_PERIOD + 1))


def _fills(tokens: Sequence[int], period: int, times: int) -> bool:
    stretch = max(period * times, LEAST_STRETCH)
    if stretch > len(tokens):
        return False
    end = tokens[-stretch:]
    return end[period:] == end[:-period]
