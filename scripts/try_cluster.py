#!/usr/bin/env python3
"""Read the PDFs of a folder with one worker of a Dask cluster of this machine, and with two.

    python scripts/try_cluster.py FOLDER

Prints the seconds of each, their ratio, and the processor time, which tells what else kept the machine busy;
exits with 1 where the two results are not byte for byte those of a build without a cluster.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from try_hostile import processor_seconds

from appliance.core.settings import IngestSettings, Settings
from appliance.ingest.batch import Job, read_many
from appliance.ingest.dask_cluster import LOCAL, cluster


def kept(folder: Path) -> dict[str, bytes]:
    """Return the artefacts and images of a folder."""
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def main() -> int:
    """Read three times, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    files = sorted(parser.parse_args().folder.rglob("*.pdf"))
    jobs = [Job(path, f"{number}") for number, path in enumerate(files)]
    found: list[dict[str, bytes]] = []
    seconds: list[float] = []
    for workers in (0, 1, 2):
        settings = replace(Settings(), ingest=IngestSettings(workers=max(1, workers), ocr=False))
        with tempfile.TemporaryDirectory() as folder:
            work, images = Path(folder, "work"), Path(folder, "images")
            images.mkdir()
            if not workers:
                list(read_many(jobs, settings, work, images))
            else:
                with cluster(LOCAL, settings) as there:
                    # The workers load the program first, which a cluster does once.
                    list(
                        read_many(
                            jobs[:workers], settings, work, images, apart=there.read_apart, at_once=workers
                        )
                    )
                    started, before = time.monotonic(), processor_seconds()
                    list(read_many(jobs, settings, work, images, apart=there.read_apart, at_once=2 * workers))
                    seconds.append(time.monotonic() - started)
                    spent = processor_seconds() - before
                    words = f"{workers} workers: {seconds[-1]:.1f} s, {spent:.1f} s of processor"
                    sys.stdout.write(f"{len(jobs)} files, {words}\n")
            found.append(kept(Path(folder)))
    same = found[0] == found[1] == found[2]
    sys.stdout.write(f"{seconds[0] / seconds[1]:.2f} times as quick with two; {len(found[0])} results, ")
    sys.stdout.write("byte for byte the same\n" if same else "NOT the same\n")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
