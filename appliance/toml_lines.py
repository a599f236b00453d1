"""TOML files that people write, read so that every complaint can name the line.

Rules of this module: standard library only. A place in a file is a path of keys; where the same line is
written in another way than usual (a dotted key, an inline table), the line of its table is named.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

FORMS = ('"{0}"', "'{0}'", "{0}")


def parse(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a file and what it says.

    Raises:
        ValueError: it cannot be read, is no UTF-8 text or no TOML; the message names the line.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        message = f"it cannot be read ({error.strerror})"
        raise ValueError(message) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        message = f"line {line} is no UTF-8 text"
        raise ValueError(message) from None
    try:
        return text, tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        reason = re.sub(r"\s*\(at [^)]*\)$", "", str(error))
        message = f"line {line} is no TOML: {reason}"
        raise ValueError(message) from None


def line_of(text: str, table: str, key: str = "") -> int:
    """Return the line, from 1, on which a table begins or a key of it stands; 1 where it is not found."""
    lines = text.splitlines()
    heads = {f"[{form.format(table)}]" for form in FORMS}
    start = next((at for at, line in enumerate(lines) if line.split("#")[0].strip() in heads), None)
    if not key:
        return 1 + (start or 0)
    first = 0 if start is None else start + 1
    for at in range(first, len(lines)):
        if lines[at].lstrip().startswith("[") and start is not None:
            break
        if any(re.match(rf"\s*{re.escape(form.format(key))}\s*=", lines[at]) for form in FORMS):
            return at + 1
    return 1 + (start or 0)


def line_holding(text: str, words: str, occurrence: int = 1) -> int:
    """Return the line, from 1, with this text in quotes for the nth time; 1 where it is not found."""
    left = occurrence
    for at, line in enumerate(text.splitlines(), 1):
        left -= line.count(f'"{words}"') + line.count(f"'{words}'")
        if left <= 0:
            return at
    return 1
