"""Vectors of passages kept on the builder, so that an unchanged document is never embedded twice.

Rules of this module: a file is named by the model's fingerprint and the texts, so there is nothing to
invalidate; it is written beside and moved into place; one that cannot be read is as good as absent;
one that was read is marked as used by its time.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from appliance.models.protocols import EncodedPassage


def save(folder: Path, fingerprint: str, texts: Sequence[str], vectors: Sequence[EncodedPassage]) -> None:
    """Keep the vectors of these texts."""
    if not vectors:
        return
    path = _path(folder, fingerprint, texts)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new.npz")
    np.savez(
        beside,
        pooled=np.stack([vector.pooled for vector in vectors]),
        tokens=np.concatenate([vector.tokens for vector in vectors]),
        lengths=np.array([len(vector.tokens) for vector in vectors]),
    )
    beside.replace(path)


def load(folder: Path, fingerprint: str, texts: Sequence[str]) -> list[EncodedPassage] | None:
    """Return the vectors of these texts, None where they are not kept."""
    path = _path(folder, fingerprint, texts)
    try:
        with np.load(path, allow_pickle=False) as kept:
            tokens = np.split(kept["tokens"], np.cumsum(kept["lengths"])[:-1])
            found = [EncodedPassage(p, t) for p, t in zip(kept["pooled"], tokens, strict=True)]
        os.utime(path)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None
    return found if len(found) == len(texts) else None


def _path(folder: Path, fingerprint: str, texts: Sequence[str]) -> Path:
    digest = hashlib.sha256("\0".join([fingerprint, *texts]).encode()).hexdigest()
    return folder / f"{digest}.npz"
