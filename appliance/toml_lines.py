"""TOML files that people write, read so that every complaint can name the line.

Rules of this module: standard library only. A place in a file is a path of keys; where the same line is
written in another way than usual (a dotted key, an inline table), the line of its table is named.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MOST = 8  # MiB: more was not written by a person, and would be read for half a minute
FORMS = ('"{0}"', "'{0}'", "{0}")


def parse(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a file and what it says.

    Raises:
        ValueError: it cannot be read, is too big, no UTF-8 text or no TOML; the message names the line.
    """
    try:
        if (size := path.stat().st_size) > MOST << 20:
            message = f"it has {size >> 20} MiB, more than the {MOST} that are read"
            raise ValueError(message)
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
    except RecursionError:
        message = "lists in it are nested too deeply"
        raise ValueError(message) from None
    except ValueError:  # of Python's limit on the digits of a whole number
        message = "a number in it has too many digits"
        raise ValueError(message) from None


def line_of(text: str, table: str, key: str = "") -> int:
    """Return the line, from 1, on which a table begins or a key of it stands; 1 where it is not found."""
    lines = text.splitlines()
    heads = {opened.format(form.format(table)) for form in FORMS for opened in ("[{0}]", "[[{0}]]")}
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


def lines_of_lists(text: str, key: str, lists: Sequence[Sequence[str]]) -> list[int]:
    """Return the line, from 1, on which each of these lists of texts begins, in their order after a key."""
    at = match.end() if (match := re.search(rf"(?m)^\s*{re.escape(key)}\s*=", text)) else 0
    lines: list[int] = []
    for words in lists:
        begin = -1
        for word in words:
            found = [place for mark in "\"'" if (place := text.find(f"{mark}{word}{mark}", at)) >= 0]
            if found:
                begin = min(found) if begin < 0 else begin
                at = min(found) + len(word) + 2
        lines.append(text.count("\n", 0, max(begin, 0)) + 1)
    return lines


def line_holding(text: str, words: str) -> int:
    """Return the first line, from 1, with this text in quotes; 1 where it is not found."""
    quoted = (f'"{words}"', f"'{words}'")
    lines = text.splitlines()
    return next((at for at, line in enumerate(lines, 1) if any(form in line for form in quoted)), 1)
