"""How fast a library is built: read, draw, embed, write, in pages a second of one core."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from appliance.core.document import Document
from appliance.core.settings import Settings
from appliance.evaluation.bench import peer_converter
from appliance.evaluation.bench.rounds import Measure, Result
from appliance.ingest.pdf.reader import UnreadablePdf
from appliance.ingest.pdf.rendering import render
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from appliance.models.catalogue import load_embedder
from appliance.models.protocols import EncodedPassage
from appliance.store.rows import passages
from appliance.store.write import LibraryMeta, write_library

PAGES_A_SECOND = 5.0  # target of the whole build on one core
PEER_PAGES = 6  # of each file: the peer takes about half a second a page
PEER_SECONDS = 120
_STEPS = ("read", "draw", "embed", "write")
_RATE = "pages/s per core"


@dataclass
class Peer:
    """What the peer did."""

    pages: float = 0.0
    seconds: float = 0.0
    problem: str = ""

    def read(self, path: Path, pages: int) -> None:
        """Let it read a sample of the pages, spread evenly over the file; asked no more after a problem."""
        if self.problem:
            return
        count = min(PEER_PAGES, pages)
        sample = sorted({round(n * (pages - 1) / max(count - 1, 1)) for n in range(count)})
        command = [
            sys.executable,
            "-m",
            "appliance.evaluation.bench.peer_converter",
            str(path),
            *map(str, sample),
        ]
        try:
            done = subprocess.run(command, capture_output=True, check=True, timeout=PEER_SECONDS)  # noqa: S603 - our own module
            result = json.loads(done.stdout)
        except (subprocess.SubprocessError, ValueError) as error:
            self.problem = f"the peer failed on {path.name} ({type(error).__name__})"
            return
        self.pages += result["pages"]
        self.seconds += result["cpu_seconds"]


def bench_build(files: Sequence[Path], settings: Settings, *, seconds: float) -> Result:
    """Return the measures of building from the files, and remarks; `seconds` bounds the whole."""
    other = Peer(
        problem="" if peer_converter.available() else f"the peer {peer_converter.PACKAGE} is not installed"
    )
    spent = dict.fromkeys(_STEPS, 0.0)  # processor seconds

    @contextmanager
    def timed(step: str) -> Iterator[None]:
        started = time.process_time()
        yield
        spent[step] += time.process_time() - started

    documents: list[Document] = []
    notes: list[str] = []
    deadline = time.perf_counter() + seconds
    embedder, schemes = load_embedder(settings.models), load_schemes(None)
    vectors: dict[str, list[EncodedPassage]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            if time.perf_counter() > deadline:
                notes.append(f"build: stopped after {len(documents)} of {len(files)} files ({seconds:.0f} s)")
                break
            try:
                with timed("read"):
                    document = read_document(path, path.stem, settings.ingest, schemes)
            except UnreadablePdf as error:
                notes.append(f"build: {path.name} was left out: {error}")
                continue
            with timed("draw"):
                render(path, settings.images, Path(folder))
            with timed("embed"):
                vectors[document.id] = embedder.encode_passages(passages(document))
            documents.append(document)
            other.read(path, len(document.pages))
        with timed("write"):
            meta = LibraryMeta(embedder.fingerprint)
            write_library(Path(folder) / "l.db", documents, vectors=vectors, meta=meta)
    pages = sum(len(document.pages) for document in documents)
    notes.append(
        f"build: {pages} pages of {len(documents)} files, {sum(map(len, vectors.values()))} passages "
        f"embedded; the peer read {other.pages:.0f} of the pages"
    )
    spent["all"] = sum(spent.values())
    rates = {step: pages / taken if taken else 0.0 for step, taken in spent.items()}
    read = Measure(
        *("build", "read (structure from PDF)", rates["read"], _RATE, "higher"),
        peer=other.pages / other.seconds if other.seconds else None,
        peer_name="pymupdf4llm to_markdown" if other.seconds else "",
        note=other.problem,
    )
    whole = Measure(
        *("build", "whole build", rates["all"], _RATE, "higher"), target=PAGES_A_SECOND, note="processor time"
    )
    others = (Measure("build", step, rates[step], _RATE, "higher") for step in _STEPS[1:])
    return (whole, read, *others), tuple(notes)
