"""A text as the token windows that one encoder run takes.

Rules of this module: nothing of a text is dropped. A text longer than the encoder's window is read
in several, each of the later ones beginning again with the heading (the first line, where the
context of a chunk stands) and overlapping the one before, so that a long table keeps its tail.
`own` marks the tokens that a window adds; special tokens and repeats are not its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from appliance.models.session import Ids

OVERLAP = 32  # tokens of context shared by neighbouring windows
HEADING_SHARE = 4  # a heading longer than a quarter of the window is not repeated
WINDOWS = 32  # about 7,000 tokens; a chunk holds about 500, so this only bounds hostile text


@dataclass(frozen=True, slots=True)
class Window:
    """Token ids [n] with special tokens, and which of them [n] this window adds."""

    ids: Ids
    own: NDArray[np.bool_]


def windows(tokenizer: Tokenizer, text: str, size: int) -> list[Window]:
    """Return the windows of a text, each of at most `size` tokens; at least one, even for no text."""
    encoding = tokenizer.encode(text)
    ids = np.asarray(encoding.ids, dtype=np.int64)
    special = np.asarray(encoding.special_tokens_mask, dtype=bool)
    if len(ids) <= size:
        return [Window(ids, ~special)]
    before, after = _edges(special)
    body = ids[len(before) : len(ids) - len(after)]
    heading = body[: _heading_tokens(encoding, text, len(before))]
    room = size - len(ids[before]) - len(ids[after])
    if len(heading) * HEADING_SHARE > room:
        heading = heading[:0]
    return _cut(body, heading, ids[before], ids[after], room)


def _edges(special: NDArray[np.bool_]) -> tuple[Ids, Ids]:
    """Return the positions of the special tokens before and after the text."""
    plain = np.flatnonzero(~special)
    return np.arange(plain[0]), np.arange(plain[-1] + 1, len(special))


def _heading_tokens(encoding: Encoding, text: str, skipped: int) -> int:
    """Return how many tokens the first line has; 0 where there is but one line."""
    end = text.find("\n")
    if end < 0:
        return 0
    return sum(1 for start, stop in encoding.offsets[skipped:] if 0 < stop <= end and start < stop)


def _cut(body: Ids, heading: Ids, before: Ids, after: Ids, room: int) -> list[Window]:
    """Return the body cut into windows of at most `room` tokens, the heading included."""
    made: list[Window] = []
    start = 0
    while start < len(body) and len(made) < WINDOWS:
        repeated = heading if made else heading[:0]
        overlap = min(OVERLAP, start - len(repeated)) if made else 0
        fresh = body[start : start + room - len(repeated) - overlap]
        ids = np.concatenate([before, repeated, body[start - overlap : start], fresh, after])
        own = np.zeros(len(ids), dtype=bool)
        first = len(before) + len(repeated) + overlap
        own[first : first + len(fresh)] = True
        made.append(Window(ids, own))
        start += len(fresh)
    return made
