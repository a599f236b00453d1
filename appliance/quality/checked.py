"""Which pages a person has compared with the image, kept in a small file beside the library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from appliance.core.decoding import decode
from appliance.core.errors import BadInput, CannotWrite
from appliance.core.files import write_whole

_RANGE = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


class _Checked(msgspec.Struct):
    """The days on which the pages of one PDF were checked."""

    sha256: str
    pages: dict[int, str]


def checked_file(library: Path) -> Path:
    """Return where the checks of a library are kept ("codes.db" -> "codes.db.checked.json")."""
    return library.with_name(f"{library.name}.checked.json")


def read_checked(library: Path, document: str, sha256: str) -> Mapping[int, str]:
    """Return the day on which each page of this very PDF was checked, by page.

    Raises:
        BadInput: the file is there and is no list of checked pages.
    """
    kept = _load(checked_file(library)).get(document)
    return kept.pages if kept and kept.sha256 == sha256 else {}


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
    path = checked_file(library)
    whole = _load(path) | {document: _Checked(sha256, now)}
    content = json.dumps(msgspec.to_builtins(whole), indent=1, sort_keys=True).encode()
    try:
        write_whole(path, content, lasting=True)  # a cut power leaves the old or the new one
    except OSError as error:
        raise CannotWrite(path, error.strerror or str(error)) from error
    return now


def page_numbers(text: str, last: int) -> tuple[int, ...]:
    """Return the pages of "12, 14-16".

    Raises:
        BadInput: it reads otherwise, or the document has no such page.
    """
    pages = set[int]()
    for part in text.split(","):
        span = _RANGE.fullmatch(part.strip())
        first, until = (int(span[1]), int(span[2] or span[1])) if span else (0, 0)
        if not 1 <= first <= until <= last:
            raise BadInput(
                f"{part.strip() or text!r} names no pages of this document. Write 12 or 14-16, up to {last}."
            )
        pages |= set(range(first, until + 1))
    return tuple(sorted(pages))


def _load(path: Path) -> dict[str, _Checked]:
    try:
        return decode(path.read_bytes(), dict[str, _Checked])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError):
        message = f"{path} is no list of checked pages. Mend it, or move it away to begin a new one."
        raise BadInput(message) from None
