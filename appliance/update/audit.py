"""The log of updates: a line for each event, each holding the sha256 of the line before."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from appliance.core.decoding import decode
from appliance.core.errors import UpdateRefused
from appliance.update import durable

Event = Literal[
    "made", "refused", "new keys", "staged", "tried", "committed", "rolled back", "went back", "scrubbed",
    "damaged", "exported", "rebuilt", "made room",
]  # fmt: skip
_FIRST = "0" * 64
_EARLIEST = 1_767_225_600  # 2026-01-01: before it, or far after, the clock of the box is wrong
_YEARS = 20 * 365 * 86_400
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event; of a refusal also its kind."""

    number: int
    before: str  # sha256 of the line before
    event: str  # one of Event; a program of later may write others, and its lines are whole all the same
    said: str
    generation: str
    boot: str
    uptime: float
    at: str
    clock: bool
    code: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """The lines that can be read, and where the chain is broken (line numbers in the file, from 1)."""

    lines: tuple[Line, ...]
    torn: tuple[int, ...]
    broken: tuple[int, ...]


def refused(path: Path, error: UpdateRefused) -> None:
    """Add a refusal to the log."""
    note(path, "refused", str(error), code=str(error.code))


def note(path: Path, event: Event, said: str, generation: str = "", *, code: str = "") -> None:
    """Add an event to the log."""
    content = path.read_bytes() if path.is_file() else b""
    whole = ((line, raw) for raw in reversed(content.split(b"\n")) if (line := _line(raw)))
    last, raw = next(whole, (None, b""))
    now = time.time()
    line = Line(
        last.number + 1 if last else 1,
        hashlib.sha256(raw).hexdigest() if last else _FIRST,
        event,
        said,
        generation,
        _BOOT.read_text(encoding="ascii").strip() if _BOOT.is_file() else "",
        round(time.monotonic(), 3),
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)),
        _EARLIEST <= now <= _EARLIEST + _YEARS,
        code,
    )
    start = b"" if not content or content.endswith(b"\n") else b"\n"
    durable.append(path, start + msgspec.json.encode(line) + b"\n")


def _line(raw: bytes) -> Line | None:
    try:
        return decode(raw, Line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def read_log(path: Path) -> Log:
    """Return the log, its chain checked."""
    lines: list[Line] = []
    torn: list[int] = []
    broken: list[int] = []
    number, before = 0, _FIRST
    for place, raw in enumerate(path.read_bytes().split(b"\n") if path.is_file() else [], 1):
        if not raw:
            continue
        line = _line(raw)
        if line is None:
            torn.append(place)
            continue
        if (line.number, line.before) != (number + 1, before):
            broken.append(place)
        number, before = line.number, hashlib.sha256(raw).hexdigest()
        lines.append(line)
    return Log(tuple(lines), tuple(torn), tuple(broken))
