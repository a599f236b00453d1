"""Everything that must outlive a power cut: the one module that writes below the home of a box."""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from appliance.core.files import sync

Act = Literal["make", "write", "link", "sync", "rename", "sync folder", "sync all", "append", "remove"]
Watcher = Callable[[Act, Path, bool], None]  # act, what it is done to, whether it is done already
READ_ONLY, PRIVATE = 0o444, 0o600
UNFINISHED = ".new"  # end of the name of a file that is about to take its place

watchers: list[Watcher] = []


@contextmanager
def _act(act: Act, path: Path) -> Iterator[None]:
    for watcher in watchers:
        watcher(act, path, False)
    yield
    for watcher in watchers:
        watcher(act, path, True)


def make_folder(path: Path) -> None:
    """Make a folder where there is none yet."""
    if not path.is_dir():
        with _act("make", path):
            path.mkdir()


def make_folders_of(folder: Path, name: str) -> None:
    """Make the folders that a name goes through below a folder ("a/b/file"), where there are none yet."""
    for part in name.split("/")[:-1]:
        folder /= part
        make_folder(folder)


@contextmanager
def opened(folder: Path) -> Iterator[Path]:
    """Give a folder by the handle that it was opened with, so that its name can stand for nothing else.

    Raises:
        NotADirectoryError: it is a link, or no folder.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield Path(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)


def write_new(path: Path, chunks: Iterable[bytes], mode: int = READ_ONLY) -> None:
    """Write a file that is not there yet; it lasts after the next `sync_all`."""
    with _act("write", path):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                file.write(chunk)


def link(source: Path, path: Path) -> None:
    """Give a file that never changes a second name; it lasts after the next `sync_all`."""
    with _act("link", path):
        path.hardlink_to(source)


def sync_all(folder: Path) -> None:
    """Wait until all that was written to the file system of this folder is on the disk."""
    with _act("sync all", folder):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
            if syncfs is None:  # not Linux: every file and folder by itself
                for path in (*folder.rglob("*"), folder):
                    sync(path)
            elif syncfs(handle) != 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number), str(folder))
        finally:
            os.close(handle)


def replace(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Let a name stand for new content: after a power cut at any point it is the old or the new."""
    beside = path.with_name(path.name + UNFINISHED)
    remove(beside)
    write_new(beside, (content,), mode)
    with _act("sync", beside):
        sync(beside)
    with _act("rename", path):
        beside.replace(path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    with _act("sync folder", path):
        sync(path)


def append(path: Path, line: bytes) -> None:
    """Add a line to a file and wait until it is on the disk."""
    with _act("append", path):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o644)
        try:
            written = os.write(handle, line)
            os.fsync(handle)
        finally:
            os.close(handle)
        if written != len(line):
            raise OSError(28, os.strerror(28), str(path))


def remove(path: Path) -> None:
    """Remove a file or a whole folder; nothing where there is none."""
    if path.is_dir() and not path.is_symlink():
        with _act("remove", path):
            shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        with _act("remove", path), suppress(FileNotFoundError):
            path.unlink()
