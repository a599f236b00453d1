"""The words and numbers that ship with the program, `data/**/*.toml`: the one place that reads them.

Rules of this module: each file is read once and is never changed by who reads it; a file that is missing
or damaged is a `BadSettings` that names it with its line. What users write in their own folders is read by
`toml_lines` (schemes, vocabularies, decisions), because their mistakes are theirs to mend.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from appliance.errors import BadSettings
from appliance.paths import data_folder
from appliance.toml_lines import parse


def shipped(name: str) -> dict[str, Any]:
    """Return what `data/<name>.toml` says ("answer/sought"); raises BadSettings."""
    return _of(name, data_folder)


@cache
def _of(name: str, folder: Callable[[], Path]) -> dict[str, Any]:
    return _read(folder() / f"{name}.toml")  # found once: it is asked for many times in each answer


@cache
def _read(path: Path) -> dict[str, Any]:
    try:
        return parse(path)[1]
    except ValueError as error:
        message = f"{path} came with the program and is damaged: {error}. Install the program again."
        raise BadSettings(message) from None
