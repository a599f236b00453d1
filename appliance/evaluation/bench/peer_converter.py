"""The peer of the build, run in a process of its own: pymupdf4llm, a PDF to Markdown."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from importlib.util import find_spec

PACKAGE = "pymupdf4llm"


def available() -> bool:
    """Tell whether the peer is installed."""
    return find_spec(PACKAGE) is not None


def measure(path: str, pages: list[int]) -> dict[str, float]:
    """Return pages, seconds of processor time, and characters of Markdown."""
    import pymupdf4llm  # type: ignore[import-untyped] # noqa: PLC0415 - optional, only in this process

    started = time.process_time()
    text = pymupdf4llm.to_markdown(path, pages=pages, show_progress=False)
    seconds = time.process_time() - started
    return {"pages": len(pages), "cpu_seconds": seconds, "characters": len(text)}


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        result = measure(sys.argv[1], [int(page) for page in sys.argv[2:]])
    sys.stdout.write(json.dumps(result))
