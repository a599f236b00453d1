"""Which pages a person has compared with the image, kept in a small file beside the library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from appliance.core.errors import BadInput, CannotWrite
from appliance.core.files import write_whole

_RANGE = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


def checked_file(library: Path) -> Path:
    """Return where the checks of a library are kept ("codes.db" -> "codes.db.checked.json")."""
    return library.with_name(f"{library.name}.checked.json")


def read_checked(library: Path, document: str, sha256: str) -> Mapping[int, str]:
    """Return the day on which each page of this very PDF was checked, by page.

    Raises:
        BadInput: the file is there and is no list of checked pages.
    """
    kept = _load(checked_file(library)).get(document, {})
    return {int(page): day for page, day in kept["pages"].items()} if kept.get("sha256") == sha256 else {}


def write_checked(
    library: Path, document: str, sha256: str, pages: Iterable[int], day: str, *, undo: bool = False
) -> Mapping[int, str]:
    """Add pages to those checked on a day (take them away with `undo`); return all of the document.

    Raises:
        BadInput: the file is there and is no list of checked pages.
        CannotWrite: the file cannot be written.
    """
    before = dict(read_checked(library, document, sha256))
    now = dict.fromkeys(before.keys() | set(pages), day) | before
    if undo:
        now = {page: at for page, at in before.items() if page not in set(pages)}
    whole = _load(checked_file(library))
    kept = {"sha256": sha256, "pages": {str(page): now[page] for page in sorted(now)}}
    _save(checked_file(library), whole | {document: kept})
    return now


def page_numbers(text: str, last: int) -> tuple[int, ...]:
    """Return the pages of "12, 14-16".

    Raises:
        BadInput: it reads otherwise, or the document has no such page.
    """
    pages: set[int] = set()
    for part in text.split(","):
        span = _RANGE.fullmatch(part.strip())
        first, until = (int(span[1]), int(span[2] or span[1])) if span else (0, 0)
        if not 1 <= first <= until <= last:
            message = (
                f"{part.strip() or text!r} names no pages of this document. Write 12 or 14-16, up to {last}."
            )
            raise BadInput(message)
        pages |= set(range(first, until + 1))
    return tuple(sorted(pages))


def _load(path: Path) -> dict[str, Any]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        kept = None
    if not isinstance(kept, dict) or not all(map(_is_entry, kept.values())):
        message = f"{path} is no list of checked pages. Mend it, or move it away to begin a new one."
        raise BadInput(message)
    return kept


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("pages"), dict):
        return False
    days = entry["pages"].items()
    return isinstance(entry.get("sha256"), str) and all(p.isdecimal() and isinstance(d, str) for p, d in days)


def _save(path: Path, whole: Mapping[str, Any]) -> None:
    """Write the file: a cut power leaves the old or the new one."""
    try:
        write_whole(path, json.dumps(whole, indent=1, sort_keys=True).encode(), lasting=True)
    except OSError as error:
        raise CannotWrite(path, error.strerror or str(error)) from error
