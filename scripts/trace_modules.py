#!/usr/bin/env python3
"""Which modules of the program one question, or one page of a PDF, runs through.

    python scripts/trace_modules.py question "how wide is a stair" --library codes.db
    python scripts/trace_modules.py page code.pdf

Printed are the modules in the order in which a function of theirs ran first, with the number of their
functions that ran, then the totals. Importing counts for nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from appliance.core.settings import IngestSettings
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from appliance.library import Library

PACKAGE = Path(__file__).resolve().parents[1] / "appliance"


def traced(work: Callable[[], object]) -> dict[str, set[str]]:
    """Return the functions that ran, by module, in the order of their first call."""
    ran: dict[str, set[str]] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)) and code.co_name != "<module>":
            module = Path(code.co_filename).relative_to(PACKAGE).as_posix()
            ran.setdefault(module, set()).add(code.co_qualname)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return ran


def question(text: str, library: Path) -> Callable[[], object]:
    """Return the work of one question on an opened library."""
    opened = Library.open(library)
    return lambda: opened.ask(text)


def page(path: Path) -> Callable[[], object]:
    """Return the work of reading a PDF."""
    settings = IngestSettings()
    schemes = load_schemes(settings.schemes)
    return lambda: read_document(path, path.stem, settings, schemes)


def main() -> None:
    """Trace what the command line names and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    asked = kinds.add_parser("question")
    asked.add_argument("text")
    asked.add_argument("--library", type=Path, required=True)
    kinds.add_parser("page").add_argument("pdf", type=Path)
    given = parser.parse_args()
    work = question(given.text, given.library) if given.kind == "question" else page(given.pdf)
    ran = traced(work)
    for module, functions in ran.items():
        sys.stdout.write(f"{len(functions):5}  {module}\n")
    sys.stdout.write(f"{len(ran)} modules, {sum(map(len, ran.values()))} functions\n")


if __name__ == "__main__":
    main()
