"""How fast a library is built: read, draw, embed, write, in pages a second of one core."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

from appliance.core.document import Document
from appliance.core.settings import Settings
from appliance.evaluation.bench import peer
from appliance.evaluation.bench.measures import Measure
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
Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass
class _Clock:
    """Processor seconds of each step."""

    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_STEPS, 0.0))

    def run(
        self, step: str, work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        started = time.process_time()
        result = work(*given, **named)
        self.seconds[step] += time.process_time() - started
        return result


@dataclass
class _Peer:
    """What the peer did."""

    pages: float = 0.0
    seconds: float = 0.0
    problem: str = ""


def bench_build(
    files: Sequence[Path], settings: Settings, *, seconds: float
) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """Return the measures of building from the files, and remarks; `seconds` bounds the whole."""
    clock, other = _Clock(), _Peer()
    if not peer.available():
        other.problem = f"the peer {peer.PACKAGE} is not installed"
    documents: list[Document] = []
    notes: list[str] = []
    deadline = time.perf_counter() + seconds
    embedder = load_embedder(settings.models)
    schemes = load_schemes(None)
    vectors: dict[str, list[EncodedPassage]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            if time.perf_counter() > deadline:
                notes.append(f"build: stopped after {len(documents)} of {len(files)} files ({seconds:.0f} s)")
                break
            try:
                document = clock.run("read", read_document, path, path.stem, settings.ingest, schemes)
            except UnreadablePdf as error:
                notes.append(f"build: {path.name} was left out: {error}")
                continue
            clock.run("draw", render, path, settings.images, Path(folder))
            vectors[document.id] = clock.run("embed", embedder.encode_passages, passages(document))
            documents.append(document)
            _run_peer(path, len(document.pages), other)
        meta = LibraryMeta(embedder.fingerprint)
        clock.run(
            "write", lambda: write_library(Path(folder) / "l.db", documents, vectors=vectors, meta=meta)
        )
    pages = sum(len(document.pages) for document in documents)
    encoded = sum(map(len, vectors.values()))
    notes.append(
        f"build: {pages} pages of {len(documents)} files, {encoded} passages embedded; "
        f"the peer read {other.pages:.0f} of the pages"
    )
    return _measures(pages, clock.seconds, other), tuple(notes)


def _run_peer(path: Path, pages: int, other: _Peer) -> None:
    """Let the peer read a sample of the pages, spread evenly over the file."""
    if other.problem:
        return
    count = min(PEER_PAGES, pages)
    sample = sorted({round(n * (pages - 1) / max(count - 1, 1)) for n in range(count)})
    command = [sys.executable, "-m", "appliance.evaluation.bench.peer", str(path), *map(str, sample)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=PEER_SECONDS)  # noqa: S603 - our own module
        result = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        other.problem = f"the peer failed on {path.name} ({type(error).__name__})"
        return
    other.pages += result["pages"]
    other.seconds += result["cpu_seconds"]


def _measures(pages: int, seconds: dict[str, float], other: _Peer) -> tuple[Measure, ...]:
    def rate(spent: float) -> float:
        return pages / spent if spent else 0.0

    peer_rate = other.pages / other.seconds if other.seconds else None
    name = "pymupdf4llm to_markdown" if peer_rate else ""
    whole = Measure(
        *("build", "whole build", rate(sum(seconds.values())), "pages/s per core", "higher"),
        target=PAGES_A_SECOND,
        note="processor time",
    )
    steps = [Measure("build", step, rate(seconds[step]), "pages/s per core", "higher") for step in _STEPS]
    read = Measure(
        *("build", "read (structure from PDF)", rate(seconds["read"]), "pages/s per core", "higher"),
        peer=peer_rate,
        peer_name=name,
        note=other.problem,
    )
    return (whole, read, *steps[1:])
