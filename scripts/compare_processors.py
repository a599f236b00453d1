# ruff: noqa: INP001, T201 - a script that prints
"""Show that the encoder and the scan say the same on every processor that is imitated here.

    python scripts/compare_processors.py --cpu Nehalem --cpu Haswell

The same texts are encoded and the same rows scanned on this processor and under qemu-user (`apt-get install
qemu-user`), which knows Nehalem (no AVX), Haswell (AVX2) and others, but no AVX-512: onnxruntime and simsimd
choose their instructions by what the processor says of itself. Exits with 1 where a text is farther from this
processor's than int8 may be from float32 (models/export.py), or the scan finds others.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from appliance.models.export import GATE

ENVELOPE = "qemu-x86_64"
ASK = """
import sys
import numpy as np
from appliance.models.catalogue import load_embedder
from appliance.models.export import sample_texts
from appliance.core.settings import Settings
from appliance.store.scan import Array, load_kernel
embedder = load_embedder(Settings().models)
made = [embedder.encode_query(text) for text in sample_texts()[:12]]
rows = np.random.default_rng(1).integers(-127, 128, (5000, 384)).astype(np.int8)
array = Array(np.arange(len(rows)), rows, load_kernel())
np.savez(
    sys.argv[1],
    pooled=np.stack([one.pooled for one in made]),
    tokens=np.concatenate([one.tokens for one in made]),
    nearest=np.array([array.nearest(rows[n], 50) for n in (0, 7, 4999)]),
)
"""


def asked(into: Path, cpu: str = "") -> dict[str, np.ndarray]:
    """Return what a processor says, this one without a name."""
    before = [ENVELOPE, "-cpu", cpu] if cpu else []
    subprocess.run([*before, sys.executable, "-c", ASK, str(into)], check=True, stderr=subprocess.DEVNULL)  # noqa: S603 - our own program
    with np.load(into) as held:
        return dict(held)


def main() -> None:
    """Read the command line and print a line for each processor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cpu", action="append", required=True, help="a processor that qemu-user knows")
    same = True
    with tempfile.TemporaryDirectory() as folder:
        here = asked(Path(folder) / "here.npz")
        for cpu in parser.parse_args().cpu:
            there = asked(Path(folder) / f"{cpu}.npz", cpu)
            pooled, tokens = (float((here[k] * there[k]).sum(axis=1).min()) for k in ("pooled", "tokens"))
            found = np.array_equal(here["nearest"], there["nearest"])
            far = max(float(np.abs(here[k] - there[k]).max()) for k in ("pooled", "tokens"))
            print(
                f"{cpu}: least cosine {pooled:.7f} of {len(here['pooled'])} texts, {tokens:.7f} of "
                f"{len(here['tokens'])} tokens, numbers differ by at most {far:.1e}, scan "
                f"{'the same' if found else 'DIFFERS'}"
            )
            same &= found and pooled >= GATE
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
