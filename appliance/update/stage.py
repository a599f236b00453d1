"""A bundle becomes a generation beside the one served: each byte hashed on its way, then read again.

Rules of this module: only names that verify.py planned are written, only below the new folder; what
is kept from the present generation is hashed like what comes from the stick. Page images, which are
many and of which one may be missing without harm, are hard links; what a box cannot serve without
(library, models) is copied, so that one bad sector does not take both generations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from appliance.launch import PROGRAM
from appliance.update import delta, durable
from appliance.update.home import INSTALLED
from appliance.update.kept import hash_of
from appliance.update.program import is_wheel, unpack
from appliance.update.stick import CHUNK, NotThere, Stick
from appliance.update.values import IMAGE_FOLDER, LIBRARY, File, Installed, Pack, Progress, Wanted
from appliance.update.verify import Plan, Source, image_path
from appliance.update.words import Why, refusal


def read_text(stick: Stick, file: Wanted) -> bytes:
    """Return a small signed file; raises UpdateRefused."""
    content = b"".join(_signed(_from_stick(stick, file), file.sha256, file.name))
    if len(content) != file.length:
        raise refusal(Why.DAMAGED, name=file.name)
    return content


def stage(
    stick: Stick, plan: Plan, old: tuple[Path, Installed] | None, folder: Path, progress: Progress
) -> Installed:
    """Write the generation and return what it consists of, every byte of it on the disk and read again.

    Raises:
        UpdateRefused: the stick is not what was signed. OSError: the disk of the box failed.
    """
    durable.make_folder(folder)
    durable.make_folder(folder / IMAGE_FOLDER)
    staging = _Staging(stick, plan, old, folder, progress)
    files = tuple(sorted(staging.files(), key=lambda file: file.name))
    found = Installed(plan.release, plan.digest, files)
    durable.write_new(folder / INSTALLED, (msgspec.json.encode(found),))
    durable.sync_all(folder)
    _read_again(folder, found, progress)
    return found


def _read_again(folder: Path, found: Installed, progress: Progress) -> None:
    """Refuse what the disk does not give back as it was written."""
    done, total = 0, sum(file.size for file in found.files)
    for file in found.files:
        if hash_of(folder / file.name) != file.sha256:
            raise refusal(Why.DISK, why=f"{file.name} was not read back as it was written")
        done += file.size
        progress("reading again", done, total)


class _Staging:
    """The writing of one generation."""

    def __init__(
        self,
        stick: Stick,
        plan: Plan,
        old: tuple[Path, Installed] | None,
        folder: Path,
        progress: Progress,
    ) -> None:
        self.stick, self.plan, self.folder = stick, plan, folder
        self.here = {sha: old[0] / file.name for sha, file in old[1].by_hash.items()} if old else {}
        self._progress, self._done = progress, 0

    def files(self) -> Iterator[File]:
        """Write all files and yield what they are."""
        ways: dict[str, Callable[[Source], Iterable[File]]] = {
            "keep": self._kept,
            "copy": self._copied,
            "patch": self._patched,
            "unpack": self._unpacked,
        }
        for source in self.plan.sources:
            yield from ways[source.how](source)
        left = self.plan.release.unpacked
        for name in (source.file.name for source in self.plan.sources if is_wheel(source.file.name)):
            for file in unpack(self.folder / name, self.folder / PROGRAM, left):
                left -= file.size
                yield file

    def _kept(self, source: Source) -> Iterable[File]:
        """Take a file from here; where it has changed since it was installed, from the stick."""
        if pack := self.plan.packs.get(source.file.name):
            return self._pack(source.file, pack)
        path = self.here[source.file.sha256]
        if hash_of(path) != source.file.sha256:
            return self._copied(source)
        return self._write(source.file, _pieces(path))

    def _copied(self, source: Source) -> Iterable[File]:
        return self._write(source.file, _from_stick(self.stick, source.file))

    def _patched(self, source: Source) -> Iterable[File]:
        assert source.patch is not None
        base = source.patch.name.split("-")[1][:16]
        path = next(path for sha, path in self.here.items() if sha.startswith(base))
        if not hash_of(path).startswith(base):
            raise refusal(Why.HALF, name=LIBRARY)
        made = delta.apply_patch(path.read_bytes(), read_text(self.stick, source.patch), source.file.length)
        return self._write(source.file, made)

    def _unpacked(self, source: Source) -> Iterable[File]:
        return self._pack(source.file, self.plan.packs[source.file.name])

    def _write(self, file: Wanted, chunks: Iterator[bytes]) -> Iterable[File]:
        path = self.folder
        for part in file.name.split("/")[:-1]:
            path /= part
            durable.make_folder(path)
        durable.write_new(self.folder / file.name, self._counted(_signed(chunks, file.sha256, file.name)))
        if (self.folder / file.name).stat().st_size != file.length:
            raise refusal(Why.DAMAGED, name=file.name)
        return (File(file.name, file.length, file.sha256),)

    def _pack(self, file: Wanted, pack: Pack) -> Iterator[File]:
        """Write the images of a pack: a link to each that is here unchanged, the others from the stick."""
        bytes_of = _Pack(self.stick, file)
        for name, length in pack.images:
            sha = name[:64]
            content = None
            if sha not in self.here or hash_of(self.here[sha]) != sha:
                content = bytes_of.read(length)
                if hashlib.sha256(content).hexdigest() != sha:
                    raise refusal(Why.DAMAGED, name=file.name)
            else:
                bytes_of.skip(length)
            self._image(name, sha, content)
            yield File(image_path(name), length, sha)

    def _image(self, name: str, sha: str, content: bytes | None) -> None:
        path = self.folder / IMAGE_FOLDER / name
        if content is None:
            durable.link(self.here[sha], path)
        else:
            durable.write_new(path, self._counted(iter((content,))))

    def _counted(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self._done += len(chunk)
            self._progress("copying", self._done, self.plan.need)
            yield chunk


class _Pack:
    """The bytes of a pack on the stick, read in order as far as they are needed."""

    def __init__(self, stick: Stick, file: Wanted) -> None:
        self._chunks = _from_stick(stick, file)
        self._name = file.name
        self._have = b""
        self._to_skip = 0

    def skip(self, length: int) -> None:
        """Leave out bytes, which are read only if others after them are needed."""
        self._to_skip += length

    def read(self, length: int) -> bytes:
        """Return the next bytes; raises UpdateRefused where there are fewer."""
        skip, self._to_skip = self._to_skip, 0
        while skip:
            skip -= len(self._take(min(skip, CHUNK)))
        return self._take(length)

    def _take(self, length: int) -> bytes:
        while len(self._have) < length:
            chunk = next(self._chunks, b"")
            if not chunk:
                raise refusal(Why.DAMAGED, name=self._name)
            self._have += chunk
        found, self._have = self._have[:length], self._have[length:]
        return found


def _from_stick(stick: Stick, file: Wanted) -> Iterator[bytes]:
    """Yield a signed file, never more than its signed length; raises UpdateRefused."""
    try:
        yield from stick.chunks(file.place, file.length)
    except NotThere:
        raise refusal(Why.HALF, name=file.name) from None


def _signed(chunks: Iterable[bytes], sha256: str, name: str) -> Iterator[bytes]:
    """Yield the pieces and refuse at their end what is not the signed content."""
    found = hashlib.sha256()
    for chunk in chunks:
        found.update(chunk)
        yield chunk
    if found.hexdigest() != sha256:
        raise refusal(Why.DAMAGED, name=name)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
