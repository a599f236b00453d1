"""What was learned about matching: a few matrices on top of token vectors that stay as they are.

Rules of this module: numpy only. `turn` moves each token of the question before it is met
(q + q turn, of unit length), `gate` says how much each token counts (a softmax over the question),
`curve` bends the best cosine of each token by bumps at `LEVELS` (kernels as in Xiong et al., K-NRM,
SIGIR 2017, over the best match alone), `length` is the cost of long passages, `scale` and `shift`
bring the score to where plain MaxSim lies, so that what was tuned to it goes on meaning the same.
With nothing learned a head is plain MaxSim. It belongs to one embedder, whose fingerprint it carries.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from appliance.model_errors import ModelUnusable
from appliance.models.protocols import Floats
from appliance.models.vectors import unit

LEVELS = np.array([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], dtype=np.float32)
WIDTH = 0.07  # of a bump
SHARP = 5.0  # of the gate
FILE = "head.npz"


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A learned head over token vectors of `dimension` numbers; `embedder` is the fingerprint of theirs."""

    turn: Floats  # [d, d]
    gate: Floats  # [d]
    curve: Floats  # [len(LEVELS)]
    length: float
    scale: float
    shift: float
    embedder: str

    def moved(self, query: Floats) -> Floats:
        """Return the rows [n, d] of a question as they are met."""
        return unit(query + query @ self.turn)

    def joined(self, query: Floats, best: Floats, lengths: Floats) -> Floats:
        """Return one score a passage from the best cosines [passages, n] and the logs of its rows."""
        bumps = np.exp(-((best[:, :, None] - LEVELS) ** 2) / (2 * WIDTH**2))
        weights = np.exp(SHARP * (query @ self.gate))
        weights /= weights.sum()
        met: Floats = (best + bumps @ self.curve) @ weights - self.length * lengths
        return (self.scale * met + self.shift).astype(np.float32)


def save_head(head: Head, path: Path) -> None:
    """Write a head, its matrices in half precision."""
    half = {name: getattr(head, name).astype(np.float16) for name in ("turn", "gate", "curve")}
    numbers = np.array([head.length, head.scale, head.shift], dtype=np.float32)
    np.savez(path, numbers=numbers, embedder=np.array(head.embedder), **half)


def read_head(name: str, path: Path, embedder: str, dimension: int) -> Head:
    """Return the head of a file.

    Raises:
        ModelUnusable: it is no head, or was learned over the vectors of another embedder.
    """
    head = open_head(name, path)
    if head.embedder != embedder:
        why = f"it was trained over the vectors of {head.embedder}, and the embedder is {embedder}"
        raise ModelUnusable(name, f"{why}; set models.reranker = 'late-interaction', or train one for it")
    if len(head.gate) != dimension:
        raise ModelUnusable(name, f"{path.name} is over {len(head.gate)} numbers a token, not {dimension}")
    return head


def open_head(name: str, path: Path) -> Head:
    """Return the head of a file, whatever embedder it was learned over; raises ModelUnusable for none."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as held:
            turn, gate, curve = (held[key].astype(np.float32) for key in ("turn", "gate", "curve"))
            length, scale, shift = map(float, held["numbers"])
            made_for = str(held["embedder"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ModelUnusable(name, f"{path.name} is not a head: {error}") from None
    shapes = (turn.shape, gate.shape, curve.shape)
    if shapes != ((gate.size, gate.size), (gate.size,), LEVELS.shape):
        raise ModelUnusable(name, f"{path.name} holds arrays of shapes {shapes}")
    if not all(np.isfinite(values).all() for values in (turn, gate, curve, [length, scale, shift])):
        raise ModelUnusable(name, f"{path.name} has arrays that hold what is no number")
    return Head(turn, gate, curve, length, scale, shift, made_for)
