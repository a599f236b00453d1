"""The program's own wheels in a bundle: checked, unpacked into a generation, put before the base program."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import re
import subprocess
import sys
import time
import zipfile
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from appliance.core import child
from appliance.core.errors import BadInput
from appliance.launch import PROGRAM, environment
from appliance.update import durable
from appliance.update.values import File
from appliance.update.words import refusal

WHEELS = "wheels"  # their folder in a bundle and in a generation
OWN = "appliance"  # the distribution that is the program
START_SECONDS = 60.0
CHUNK = 1 << 20
MOST_FILES = 20_000
RECORD_WRONG = "its RECORD does not describe what it holds"
_WHEEL = re.compile(r"wheels/[A-Za-z0-9_][A-Za-z0-9._+-]{0,149}\.whl")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+ -]{0,149}")
_IMPORTS = "import appliance.cli, appliance.web.serve, appliance.update.apply"


def is_wheel(name: str) -> bool:
    """Tell whether a name in a bundle is that of a wheel in its place."""
    return bool(_WHEEL.fullmatch(name))


def wheels_in(folder: Path) -> tuple[Path, ...]:
    """Return the wheels of a folder, each looked through; raises BadInput for what a box would refuse."""
    found = tuple(sorted(folder.glob("*.whl")))
    if not any(path.name.split("-")[0] == OWN for path in found):
        message = f"{folder} holds no wheel of the program. Make one with: pip wheel --no-deps -w {folder} ."
        raise BadInput(message)
    seen: dict[str, str] = {}
    for path in found:
        try:
            names = set()
            with zipfile.ZipFile(path) as archive:
                for name, sha256, size in _recorded(path):
                    deque(_checked(archive, name, sha256, size), maxlen=0)  # its bytes are what RECORD says
                    names.add(name)
        except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
            raise BadInput(f"{path} is no wheel that can be unpacked ({error}).") from error
        if twice := next((name for name in names if name.casefold() in seen), ""):
            message = f"{path} holds {twice}, and so does {seen[twice.casefold()]}. Leave one of them away."
            raise BadInput(message)
        seen |= {name.casefold(): path.name for name in names}
    return found


def unpacked_size(wheels: Iterable[Path]) -> int:
    """Return how many bytes wheels are when unpacked."""
    return sum(size for path in wheels for _, _, size in _recorded(path))


def unpack(wheel: Path, folder: Path, most: int) -> Iterator[File]:
    """Write the files of a wheel below `folder`, at most so many bytes of them, and yield what they are.

    Raises:
        UpdateRefused: it is no wheel of plain files that its RECORD describes.
    """
    durable.make_folder(folder)
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, sha256, size in _recorded(wheel):
                most -= size
                if most < 0:
                    raise refusal("strange", name="a program that is larger than it says")
                durable.make_folders_of(folder, name)
                durable.write_new(folder / name, _checked(archive, name, sha256, size))
                yield File(f"{folder.name}/{name}", size, sha256)
    except (ValueError, KeyError, NotImplementedError, RuntimeError, EOFError, FileExistsError) as error:
        raise refusal("strange", name=f"a wheel that is none ({type(error).__name__})") from error
    except zipfile.BadZipFile as error:
        raise refusal("strange", name="a wheel that is none") from error


def trouble(folder: Path, home: Path, seconds: float = START_SECONDS) -> str:
    """Return what keeps the program of a generation from starting, "" for nothing or where it has none.

    All its starts together have so many seconds, and no more than START_SECONDS.
    """
    seconds = min(seconds, START_SECONDS)
    end = time.monotonic() + seconds
    if not (folder / PROGRAM).is_dir():
        return ""
    for arguments in (["-c", _IMPORTS], ["-m", "appliance.cli", "update", "status", "--home", str(home)]):
        try:
            done = child.run(
                [sys.executable, "-P", *arguments],
                env=environment(folder, os.environ),
                seconds=end - time.monotonic(),
            )
        except subprocess.TimeoutExpired:
            return f"its program did not start within {seconds:.0f} seconds"
        if done.code:
            return f"its program does not start: {child.last_line(done.err)[:200]}"
    return ""


def _recorded(wheel: Path) -> list[tuple[str, str, int]]:
    """Return name, sha256 (hex) and size of each file of a wheel; raises ValueError, KeyError, BadZipFile.

    The RECORD itself, which cannot hold its own hash, is taken as it lies there: the wheel is signed whole.
    """
    with zipfile.ZipFile(wheel) as archive:
        infos = {info.filename: info for info in archive.infolist() if not info.is_dir()}
        records = [name for name in infos if re.fullmatch(r"[^/]+\.dist-info/RECORD", name)]
        if len(records) != 1 or len(infos) > MOST_FILES or len(infos) != len(set(map(str.casefold, infos))):
            raise ValueError(RECORD_WRONG)
        record = archive.read(records[0])
    rows = {row[0]: row for row in csv.reader(io.StringIO(record.decode())) if row}
    found = []
    for name, info in infos.items():
        parts = name.split("/")
        outside = len(parts) > 1 and parts[0].endswith(".data")  # scripts and the like: to be installed
        placed = len(parts) <= 16 and not outside and all(_PART.fullmatch(part) for part in parts)
        if not placed or info.external_attr >> 28 not in {0, 8}:  # a plain file, or not said
            raise ValueError(f"{name[:80]!a} has no place in a program")
        if name == records[0]:
            found.append((name, hashlib.sha256(record).hexdigest(), len(record)))
            continue
        _, stated, size = rows[name]
        method, _, digest = stated.partition("=")
        if method != "sha256" or int(size) != info.file_size:
            raise ValueError(RECORD_WRONG)
        found.append((name, base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex(), int(size)))
    return found


def _checked(archive: zipfile.ZipFile, name: str, sha256: str, size: int) -> Iterator[bytes]:
    """Yield a file of a wheel, no more of it than it says; raises ValueError."""
    found, left = hashlib.sha256(), size
    with archive.open(name) as file:
        while chunk := file.read(min(CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                break
            found.update(chunk)
            yield chunk
    if left or found.hexdigest() != sha256:
        raise ValueError(RECORD_WRONG)
