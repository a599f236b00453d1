"""What lies on a stick, read as untrusted input: the bytes of named plain files, no more."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

from tuf.api.exceptions import DownloadHTTPError
from tuf.ngclient.fetcher import FetcherInterface

from appliance.update.words import refusal

BUNDLE = "CODES-UPDATE"  # the folder on the stick
ADDRESS = "stick:///"  # what the addresses begin with that python-tuf asks for
# where sticks are mounted: by our own unit, and by desktops
PLACES = ("/run/codes-stick/*", "/media/*/*", "/run/media/*/*", "/mnt/*", "/media/*")
CHUNK = 1 << 20
_ABSENT = frozenset(
    {
        errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.ENAMETOOLONG, errno.EINVAL,
        errno.ENODEV, errno.EILSEQ,
    }
)  # fmt: skip
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class NotThere(Exception):
    """There is no plain file of this name."""


class Stick(FetcherInterface):
    """The folder of a bundle; python-tuf fetches its metadata from it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str, length: int) -> bytes:
        """Return a whole file of at most this length; raises NotThere, UpdateRefused."""
        return b"".join(self.chunks(name, length))

    def chunks(self, name: str, length: int) -> Iterator[bytes]:
        """Yield a file in pieces, and refuse it as soon as it is longer than `length`.

        Raises:
            NotThere: it is no plain file. UpdateRefused: it is longer, or the stick cannot be read.
        """
        with self._opened(name) as handle:
            left = length
            while chunk := os.read(handle, min(CHUNK, left + 1)):
                left -= len(chunk)
                if left < 0:
                    raise refusal("damaged", name=name)
                yield chunk

    def size(self, name: str) -> int:
        """Return the length of a plain file, -1 where there is none."""
        try:
            with self._opened(name) as handle:
                return os.fstat(handle).st_size
        except NotThere:
            return -1

    @contextmanager
    def _opened(self, name: str) -> Iterator[int]:
        parts = name.split("/")
        if any(part in {"", ".", ".."} or "\\" in part or "\0" in part for part in parts):
            raise NotThere(name)
        handle = -1
        try:
            handle = os.open(self.folder, _FLAGS | os.O_DIRECTORY)
            for part in parts:
                inner = os.open(part, _FLAGS, dir_fd=handle)
                os.close(handle)
                handle = inner
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise NotThere(name)
            yield handle
        except OSError as error:
            if error.errno in _ABSENT:
                raise NotThere(name) from None
            raise refusal("unreadable", why=error.strerror or str(error)) from error
        finally:
            if handle >= 0:
                os.close(handle)

    def _fetch(self, url: str) -> Iterator[bytes]:
        """Give python-tuf the file of an address; what is not there ends its walk along the roots."""
        name = unquote(url.removeprefix(ADDRESS))
        size = self.size(name)
        if size < 0:
            raise DownloadHTTPError(name, 404)
        return self.chunks(name, size)


def find_stick(given: Path | None, places: tuple[str, ...] = PLACES) -> Stick:
    """Return the bundle on the stick that is named, or on the only one that has one.

    Raises:
        UpdateRefused: there is no bundle, or there are several.
    """
    looked = [given] if given else globbed(places)
    found = list(dict.fromkeys(folder for path in looked if (folder := _bundle(path))))
    if not found:
        if given is None:
            raise refusal("no stick")
        try:
            others = sum(1 for _ in given.iterdir())
        except FileNotFoundError:
            raise refusal("nothing", stick=given) from None
        except OSError as error:
            raise refusal("unreadable", why=error.strerror or str(error)) from None
        raise refusal("no bundle", stick=given, others=others)
    if len(found) > 1:
        raise refusal("several", sticks=", ".join(str(folder.parent) for folder in found))
    return Stick(found[0])


def globbed(places: Iterable[str] = PLACES) -> list[Path]:
    """Return what there is at the places of sticks."""
    return [path for place in places for path in sorted(Path("/").glob(place[1:]))]


def without_bundle(places: tuple[str, ...] = PLACES[:1]) -> bool:
    """Tell whether sticks are plugged in, as our own unit mounts them, and none of them has a bundle."""
    looked = globbed(places)
    return bool(looked) and not any(map(_bundle, looked))


def _bundle(path: Path) -> Path | None:
    """Return the bundle at a path: the folder itself, or the one in it; links are not followed."""
    for folder in (path / BUNDLE, path):
        inner = folder / "metadata"
        try:
            if all(stat.S_ISDIR(os.lstat(place).st_mode) for place in (folder, inner)):
                return folder
        except OSError:
            continue
    return None
