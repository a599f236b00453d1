# ruff: noqa: INP001 - beside the scripts that use it
"""The two steps of a fit as commands: keep what is known of each question, then fit on what was kept."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Entry = dict[str, Any]


def run(
    about: str,
    gather: Callable[[Path, Sequence[Path]], Iterable[Entry]],
    report: Callable[[list[Entry]], None],
) -> None:
    """Read the command line: `gather LIBRARY QUESTIONS... --into FILE` or `fit FILE...`; do what it says."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawTextHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    first = steps.add_parser("gather", help="search the questions and keep their signals")
    first.add_argument("library", type=Path)
    first.add_argument("questions", type=Path, nargs="+")
    first.add_argument("--into", type=Path, required=True)
    second = steps.add_parser("fit", help="print the figures on documents left out, then the weights")
    second.add_argument("cases", type=Path, nargs="+")
    given = parser.parse_args()
    if given.step == "gather":
        found = list(gather(given.library, given.questions))
        given.into.write_text(json.dumps(found, indent=1), encoding="utf-8")
    else:
        report([entry for path in given.cases for entry in json.loads(path.read_text("utf-8"))])
