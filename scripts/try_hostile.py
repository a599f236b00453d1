#!/usr/bin/env python3
"""Read every PDF of a folder as a build would, and count how each ended.

    python scripts/try_hostile.py FOLDER [--workers 2] [--ocr]

No file may end the run, go unnamed, or pass its limits; exits with 1 where the reader failed on one. Small
files are those of at most 100 kB: how many are read in a second of processor, and by the clock.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import psutil

from appliance.core.settings import IngestSettings, Settings
from appliance.ingest.batch import Broken, Job, Result, read_many

SMALL = 100_000  # bytes
OUTCOMES = (
    ("it took more than", "over its time"),
    ("of memory", "over its memory"),
    ("ended by the system", "reader ended by the system"),
    ("without a result", "reader ended by the system"),
    ("reader failed", "reader failed"),
    ("encrypted", "needs a password"),
    ("password", "needs a password"),
    ("0 bytes", "empty file"),
)


def processor_seconds() -> float:
    """Return the processor time of this process and of all that it has started, those that ended too."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(t.user + t.system + t.children_user + t.children_system for t in times)


def outcome(result: Result) -> str:
    """Return the row of the table that a result belongs to."""
    if isinstance(result, Broken):
        return next(
            (name for sign, name in OUTCOMES if sign in result.reason), "no PDF, or damaged beyond use"
        )
    return "a document with problems" if result.document.problems else "a document"


def main() -> int:
    """Read the files, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ocr", action="store_true")
    given = parser.parse_args()
    files = sorted(
        path for path in given.folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file()
    )
    settings = replace(Settings(), ingest=IngestSettings(workers=given.workers, ocr=given.ocr))
    small = {path for path in files if path.stat().st_size <= SMALL}
    found: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        work, images = Path(folder, "work"), Path(folder, "images")
        images.mkdir()
        for name, group in (("small", small), ("large", set(files) - small)):
            jobs = [Job(path, f"{files.index(path)}") for path in sorted(group)]
            started, before = time.monotonic(), processor_seconds()
            for result in read_many(jobs, settings, work, images):
                kind = outcome(result)
                found[result.job.source.relative_to(given.folder).parts[0], kind] += 1
                if isinstance(result, Broken):
                    sys.stdout.write(f"{kind}: {result.reason}\n")
            seconds = time.monotonic() - started
            spent = processor_seconds() - before
            sys.stdout.write(
                f"\n{len(jobs)} {name} files in {seconds:.0f} s ({len(jobs) / max(seconds, 1e-9):.1f}/s), "
                f"{spent:.0f} s of processor ({len(jobs) / max(spent, 1e-9):.1f}/s of one core)\n"
            )
    groups = sorted({group for group, _ in found})
    sys.stdout.write(f"\n| outcome | {' | '.join(groups)} | all |\n|---|{'---|' * (len(groups) + 1)}\n")
    for kind in sorted({kind for _, kind in found}):
        counts = [found[group, kind] for group in groups]
        sys.stdout.write(f"| {kind} | {' | '.join(map(str, counts))} | {sum(counts)} |\n")
    sys.stdout.write(f"{sum(found.values())} of {len(files)} files accounted for\n")
    return int(any(kind == "reader failed" for _, kind in found) or sum(found.values()) != len(files))


if __name__ == "__main__":
    sys.exit(main())
