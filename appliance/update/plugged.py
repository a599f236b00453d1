"""Sticks that are plugged in and cannot be mounted: what udev found out about them, for a sentence to people.

Rules of this module: it reads what the kernel and udev say (`/sys/class/block`, `/run/udev/data`,
`/proc/self/mountinfo`) and opens no device. A box mounts FAT and exFAT alone: each other file system is a
part of the kernel that a stranger's stick would speak to. A disk of which a part is mounted is one of the
box itself, or a stick that can be read; so is one on which something else of the kernel stands
(`holders`: an encrypted disk, volumes). One that a box mounts has longer to be mounted in, and all the time
for which its unit is at it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOUNTED = ("vfat", "exfat")  # as packaging/udev and codes-stick@.service
SETTLE = 10.0  # seconds since udev has seen it ...
MOUNT = 30.0  # ... and where it is about to be mounted
PLACES = "run/codes-stick"  # folders of codes-stick@.service, which go where a mount fails


@dataclass(frozen=True, slots=True)
class Strange:
    """A stick that is not mounted: its file system, "" for none that is known; whether a box mounts such."""

    name: str
    kind: str

    @property
    def is_broken(self) -> bool:
        """Tell whether it says that it is of a kind that a box mounts, and was not."""
        return self.kind in MOUNTED


@dataclass(frozen=True, slots=True)
class _Block:
    name: str
    number: str  # major:minor
    disk: str
    said: dict[str, str]
    seen: float  # seconds since the start of the box
    held: bool


def strange(root: Path = Path("/"), now: float | None = None) -> tuple[Strange, ...]:
    """Return the sticks that cannot be read, by name; nothing where udev says nothing."""
    now = time.monotonic() if now is None else now
    mounted = _mounted(root)
    blocks = list(_blocks(root))
    used = {block.disk for block in blocks if block.number in mounted or block.held}
    divided = {block.disk for block in blocks if block.name != block.disk}
    return tuple(
        Strange(block.name, block.said.get("ID_FS_TYPE", ""))
        for block in blocks
        if block.said.get("ID_BUS") == "usb"
        and block.disk not in used
        and not (block.name == block.disk and block.disk in divided)
        and now - block.seen > (MOUNT if block.said.get("ID_FS_TYPE") in MOUNTED else SETTLE)
        and not (root / PLACES / block.name).exists()
    )


def _blocks(root: Path) -> Iterator[_Block]:
    for entry in sorted((root / "sys/class/block").glob("*")):
        number = _text(entry / "dev").strip()
        if not number or _text(entry / "size").strip() in {"", "0"}:  # a reader of cards without a card
            continue
        said = _text(root / f"run/udev/data/b{number}")
        parted = (entry / "partition").exists()
        disk = entry.resolve().parent.name if parted else entry.name
        since = re.search(r"^I:(\d+)$", said, re.MULTILINE)
        yield _Block(
            entry.name,
            number,
            disk,
            dict(re.findall(r"^E:(\w+)=(.*)$", said, re.MULTILINE)),
            int(since[1]) / 1e6 if since else 0.0,
            any((entry / "holders").glob("*")),
        )


def _mounted(root: Path) -> frozenset[str]:
    """Return the numbers of the devices that are mounted anywhere."""
    lines = (line.split(" ") for line in _text(root / "proc/self/mountinfo").split("\n"))
    return frozenset(line[2] for line in lines if len(line) > 2)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
