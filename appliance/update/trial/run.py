"""A generation is tried before it serves: opened as the server opens it, in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from appliance.core import child
from appliance.core.decoding import convert
from appliance.core.errors import ApplianceError
from appliance.core.settings import Settings
from appliance.launch import environment
from appliance.library import Library
from appliance.update.intake.program import trouble
from appliance.update.trial.server_health import silent
from appliance.update.values import LIBRARY, Golden

SHARE = 0.9  # of the golden questions: processors differ in the last digits of a vector
PAGES = 3  # of each document whose images are looked at


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a try went; `why` is "" where it went well."""

    why: str
    asked: int = 0
    found: int = 0


def try_generation(folder: Path, golden: Sequence[Golden], settings: Settings) -> Verdict:
    """Return how a generation does in a process of its own, its server included, within the time it has."""
    seconds = settings.update.trial_seconds
    end = time.monotonic() + seconds
    if why := trouble(folder, folder.parents[1], seconds):
        return Verdict(why)
    given = {"folder": str(folder), "golden": list(golden), "settings": asdict(settings)}
    try:
        done = child.run(
            [sys.executable, "-m", "appliance.update.trial.run"],
            given=msgspec.json.encode(given, enc_hook=str),
            env=environment(folder, os.environ),
            seconds=end - time.monotonic(),
        )
    except subprocess.TimeoutExpired:
        return Verdict(f"it did not answer within {seconds:.0f} seconds (setting update.trial_seconds)")
    try:
        verdict = Verdict(**json.loads(done.out.splitlines()[-1]))
    except (ValueError, TypeError, IndexError):
        return Verdict(f"its process ended with {done.code} and no answer")
    if verdict.why:
        return verdict
    left = max(0.0, min(settings.update.server_seconds, end - time.monotonic()))
    return replace(verdict, why=silent(folder, settings, child.MEMORY, left))


def examine(folder: Path, golden: Sequence[Golden], settings: Settings) -> Verdict:
    """Open the generation, look at its pages and put the golden questions."""
    try:
        library = Library.open(folder / LIBRARY, settings)
        if not library.documents():
            return Verdict("its library holds no document")
        for info in library.documents():
            for page in library.store.pages(info.id)[:PAGES]:
                try:
                    for name in filter(None, (page.large, page.phone)):
                        library.image(name)
                except ApplianceError:
                    return Verdict(f"the image of {info.id}, page {page.page.number} is missing")
        found = sum(finds(library, item) for item in golden)
    except ApplianceError as error:
        return Verdict(str(error))
    if found < SHARE * len(golden):
        return Verdict(f"only {found} of {len(golden)} golden questions are answered", len(golden), found)
    return Verdict("", len(golden), found)


def finds(library: Library, item: Golden) -> bool:
    """Tell whether the place of a golden question is among the first ones."""
    places = library.search(item.question, limit=item.within).hits[: item.within]
    return any((place.document, place.label.key) == (item.document, item.label) for place in places)


def received() -> tuple[dict[str, Any], Settings]:
    """Bound this process, and return the facts on its stdin and the settings among them."""
    resource.setrlimit(resource.RLIMIT_AS, (child.MEMORY, child.MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    given = json.loads(sys.stdin.buffer.read())
    return given, convert(given["settings"], Settings, hook=lambda kind, value: kind(value))


def main() -> None:
    """Be the process of a try: facts on stdin, the verdict on stdout."""
    given, settings = received()
    verdict = examine(Path(given["folder"]), convert(given["golden"], list[Golden]), settings)
    sys.stdout.write(json.dumps(asdict(verdict)) + "\n")


if __name__ == "__main__":
    main()
