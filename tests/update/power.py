"""Ways in which a box is stopped: killed, cut from its power, refused by its disk."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from appliance.update import durable
from appliance.update.durable import Act, Watcher


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    durable.watchers.append(watcher)
    try:
        yield
    finally:
        durable.watchers.remove(watcher)


def acts_of(work: Callable[[], object]) -> list[Act]:
    """Return the durable acts of some work."""
    found: list[Act] = []
    with watched(lambda act, _path, done: None if done else found.append(act)):
        work()
    return found


def at_act(number: int, do: Callable[[], None]) -> Watcher:
    """Return a watcher that does something before the act of this number, from 0."""
    left = [number]

    def watch(_act: Act, _path: Path, done: bool) -> None:
        if not done:
            if left[0] == 0:
                do()
            left[0] -= 1

    return watch


def no_space() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def broken_disk() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def in_child(work: Callable[[], object], watcher: Watcher | None = None, delay: float | None = None) -> int:
    """Do some work in a process of its own and return how it ended; with `delay` it is killed then."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads, of which none is used
        child = os.fork()
    if not child:
        code = 1
        try:
            if watcher:
                durable.watchers.append(watcher)
            work()
            code = 0
        finally:
            os._exit(code)
    if delay is not None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _kill_after(child, delay)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _kill_after(child: int, delay: float) -> None:
    import time

    time.sleep(delay)
    try:
        os.kill(child, signal.SIGKILL)
    except ProcessLookupError:
        return


@dataclass(slots=True)
class Disk:
    """What of a folder is on the disk: what no fsync or syncfs has reached is lost with the power.

    The worst case that a file system may make of it: names, contents and removals that were not waited
    for are as if they had not been; a name that was waited for before its content stands for nothing.
    """

    folder: Path
    files: dict[Path, bytes] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)  # of inodes, as last waited for
    folders: set[Path] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._all()

    def watch(self, act: Act, path: Path, done: bool) -> None:
        if not done:
            return
        if act == "sync all":
            self._all()
        elif act in {"sync", "append"}:
            self.contents[path.stat().st_ino] = path.read_bytes()
            if path in self.files:
                self.files[path] = path.read_bytes()
        elif act == "sync folder":
            self._names(path)

    def _all(self) -> None:
        found = list(self.folder.rglob("*"))
        self.folders = {path for path in found if path.is_dir()}
        self.files = {path: path.read_bytes() for path in found if path.is_file()}

    def _names(self, folder: Path) -> None:
        for path in [path for path in self.files if path.parent == folder and not path.exists()]:
            del self.files[path]
        for path in folder.iterdir():
            if path.is_file():
                self.files[path] = self.contents.get(path.stat().st_ino, self.files.get(path, b""))

    def after_the_cut(self, to: Path) -> Path:
        """Write what is left of the folder."""
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir(parents=True)
        for path in sorted(self.folders):
            (to / path.relative_to(self.folder)).mkdir(parents=True, exist_ok=True)
        for path, content in self.files.items():
            place = to / path.relative_to(self.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return to
