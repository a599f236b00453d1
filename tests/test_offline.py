"""Nothing connects: what the packages below the locked ones could do is never set going."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
READ = """
import sys
from pathlib import Path
from appliance.ingest.pipeline import read_document
from appliance.ingest.pdf.rendering import render
from appliance.ingest.structure.schemes import load_schemes
from appliance.core.settings import Settings
pdf, folder = Path(sys.argv[1]), Path(sys.argv[2])
assert read_document(pdf, "DC", Settings().ingest, load_schemes(None)).clauses
assert render(pdf, Settings().images, folder).images
"""
ASK = """
import sys
from pathlib import Path
import appliance.web.serve
from appliance.library import Library
library = Library.open(Path(sys.argv[1]))
assert library.ask("What density should I use for reinforced concrete?").citations
library.close()
"""
WATCHED = """
import sys
def heard(event, _):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}:
        raise SystemExit(f"a connection was tried: {event}")
sys.addaudithook(heard)
"""
LOADED = "print(*sorted({name.split('.')[0] for name in sys.modules}))"
NETWORKED = {"huggingface_hub", "hf_xet", "httpx2", "httpcore2", "anyio", "truststore", "requests", "urllib3"}


def loaded_by(program: str, *words: Path) -> set[str]:
    """The packages that a program loads; it fails where it tries to connect."""
    code = WATCHED + program + LOADED
    ran = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


def test_the_watch_hears_a_connection() -> None:
    code = f"{WATCHED}import socket\nsocket.create_connection(('127.0.0.1', 9))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "a connection was tried" in ran.stderr


def test_reading_a_pdf_connects_to_nothing(demo_pdfs: Path, tmp_path: Path) -> None:
    loaded = loaded_by(READ, demo_pdfs / "DC-1-3-2011.pdf", tmp_path)
    assert not loaded & NETWORKED
    assert "networkx" not in loaded


def test_asking_connects_to_nothing_and_loads_no_pdf_library(demo_library: Path) -> None:
    loaded = loaded_by(ASK, demo_library)
    assert not loaded & (NETWORKED | {"pymupdf", "pymupdf4llm", "networkx", "tqdm"})
    # Pint loads scipy and Dask, and that YAML, where they are installed; the box has neither.
    locked = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    assert not {"scipy", "dask"} & set(re.findall(r"^([\w-]+)==", locked, re.MULTILINE))
