"""The folders beside a library, and the lock that lets one build at a time into it.

Rules of this module: the lock is the kernel's (flock), so that whatever kills a build leaves nothing
that blocks the next; what is removed has a name that a build gave it, and a removal that fails is
left for the next build, because the library is in its place already.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from appliance.errors import CannotWrite, LibraryBusy
from appliance.paths import cache_folder, images_folder

_LOCK = "lock"  # in the cache folder; holds the number of the process that builds
_OURS = re.compile(r"\.?[0-9a-f]{64}\..+")  # content-addressed files, and their unfinished forms


@contextmanager
def occupied(library: Path) -> Iterator[int]:
    """Hold the place of a library for one build; yield its start by the clock of the cache, in ns.

    Raises:
        CannotWrite: a folder cannot be made or written to, or the disk is full, now or later.
        LibraryBusy: another build holds it.
    """
    try:
        for folder in (library.parent, images_folder(library), cache_folder(library)):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass  # a folder may be there and yet be read-only, or its disk full
        with (cache_folder(library) / _LOCK).open("a+", encoding="ascii") as lock:
            _take(lock.fileno(), library)
            yield os.fstat(lock.fileno()).st_mtime_ns
    except OSError as error:
        raise CannotWrite(error.filename or library, error.strerror or str(error)) from error


def _take(lock: int, library: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LibraryBusy(library, os.pread(lock, 20, 0).decode("ascii", "replace").strip()) from None
    os.ftruncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())


def sweep(folder: Path, keep: Callable[[Path], bool]) -> None:
    """Remove the files of earlier builds that are not to be kept; all else in the folder stays."""
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if _OURS.fullmatch(path.name):
                with suppress(OSError):
                    if not keep(path):
                        path.unlink()
