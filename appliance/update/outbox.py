"""Notes of the site onto a stick, which is writable for this one act alone.

Rules of this module: where the stick may be written (a desktop mounted it, a person named it), the notes are
written at once. A box mounts sticks for reading, and none of its programs may mount; there a word is left
in the home, codes-notes.path sees it, and its unit lets the only stick be written while `answer` runs in it
as the user of the box. The word is a number by which its answer is known, and nothing else: whoever could
leave one gets the notes written to the stick, signed, and nothing more. A stick without a bundle will do.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from appliance.errors import ApplianceError, UpdateRefused
from appliance.update import durable
from appliance.update.home import Home
from appliance.update.stick import PLACES, globbed, unmounted
from appliance.update.wayback import export
from appliance.update.words import Why, refusal

ASKED, ANSWERED = "notes-asked", "notes-answered"  # in the home; the units name the first
OURS = PLACES[0]  # where the unit of a box mounts sticks
SECONDS = 90.0  # that an answer is waited for
LOOKS = 0.2
T = TypeVar("T")


class Asked(msgspec.Struct, frozen=True):
    """A word left for the unit."""

    number: str


class Answered(msgspec.Struct, frozen=True):
    """What came of it: how many notes were written, or the sentences of why not."""

    number: str
    notes: int = 0
    words: str = ""
    at_page: str = ""


def send(
    at: Home, stick: Path | None = None, *, places: Sequence[str] = PLACES, seconds: float = SECONDS
) -> int:
    """Write the notes to the stick that is named, else to the only one; return how many there are.

    Raises:
        UpdateRefused: there is no stick, or several, or it cannot be written. HomeUnusable, SiteUnusable.
    """
    target = stick or only_stick(places)
    if os.access(target, os.W_OK):
        return export(at, target)
    if not target.match(OURS):
        raise refusal(Why.NO_WRITING, why="it is mounted for reading alone")
    return _ask(at, seconds)


def only_stick(places: Sequence[str] = PLACES) -> Path:
    """Return where the only stick is mounted, with a bundle on it or without; raises UpdateRefused."""
    found = [path for path in globbed(places) if path.is_mount()]
    if not found:
        raise unmounted() or refusal(Why.NO_TARGET)
    if len(found) > 1:
        raise refusal(Why.SEVERAL_TARGETS, sticks=", ".join(map(str, found)))
    return found[0]


def answer(at: Home) -> None:
    """Do what a word asks for and leave what came of it; nothing where there is none."""
    asked = _read(at.path / ASKED, Asked)
    durable.remove(at.path / ASKED)
    if asked is None:
        return
    try:
        told = Answered(asked.number, export(at, only_stick((OURS,))))
    except UpdateRefused as error:
        told = Answered(asked.number, words=str(error), at_page=error.at_page)
    except ApplianceError as error:
        told = Answered(asked.number, words=str(error), at_page=str(error))
    durable.replace(at.path / ANSWERED, msgspec.json.encode(told))


def _ask(at: Home, seconds: float) -> int:
    """Leave a word, wait for its answer, and leave nothing behind."""
    number, end = secrets.token_hex(8), time.monotonic() + seconds
    try:
        durable.replace(at.path / ASKED, msgspec.json.encode(Asked(number)))
        while time.monotonic() < end:
            told = _read(at.path / ANSWERED, Answered)
            if told and told.number == number:
                break
            time.sleep(LOOKS)
        else:
            raise refusal(Why.NO_WRITER)
    except OSError as error:
        raise refusal(Why.DISK, why=error.strerror or str(error)) from error
    finally:
        for name in (ASKED, ANSWERED):
            durable.remove(at.path / name)
    if told.words:
        raise UpdateRefused(Why.NO_WRITING, told.words, told.at_page)
    return told.notes


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
