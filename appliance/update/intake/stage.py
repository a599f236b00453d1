"""A bundle becomes a generation beside the one served: each byte hashed on its way, then read again."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from appliance.core.errors import HomeUnusable
from appliance.launch import PROGRAM
from appliance.update import durable, home
from appliance.update.home import INSTALLED, Home, hash_of
from appliance.update.intake import delta
from appliance.update.intake.program import is_wheel, unpack
from appliance.update.intake.stick import CHUNK, NotThere, Stick
from appliance.update.intake.verify import MIB, Plan, Source
from appliance.update.trial import attempt
from appliance.update.values import IMAGE_FOLDER, LIBRARY, File, Installed, Pack, Progress, State, Wanted
from appliance.update.words import refusal


def read_text(stick: Stick, file: Wanted) -> bytes:
    """Return a small signed file; raises UpdateRefused."""
    content = b"".join(_signed(_from_stick(stick, file), file.sha256, file.name))
    if len(content) != file.length:
        raise refusal("damaged", name=file.name)
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
    done, total = 0, sum(file.size for file in found.files)
    for file in found.files:
        if hash_of(folder / file.name) != file.sha256:
            raise refusal("disk", why=f"{file.name} was not read back as it was written")
        done += file.size
        progress("reading again", done, total)
    return found


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
            "unpack": lambda source: self._pack(source.file, self.plan.packs[source.file.name]),
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
        with path.open("rb") as file:
            return self._write(source.file, iter(partial(file.read, CHUNK), b""))

    def _copied(self, source: Source) -> Iterable[File]:
        return self._write(source.file, _from_stick(self.stick, source.file))

    def _patched(self, source: Source) -> Iterable[File]:
        assert source.patch is not None
        base = source.patch.name.split("-")[1][:16]
        path = next(path for sha, path in self.here.items() if sha.startswith(base))
        if not hash_of(path).startswith(base):
            raise refusal("half", name=LIBRARY)
        made = delta.apply_patch(path.read_bytes(), read_text(self.stick, source.patch), source.file.length)
        return self._write(source.file, made)

    def _write(self, file: Wanted, chunks: Iterator[bytes]) -> Iterable[File]:
        durable.make_folders_of(self.folder, file.name)
        durable.write_new(self.folder / file.name, self._counted(_signed(chunks, file.sha256, file.name)))
        if (self.folder / file.name).stat().st_size != file.length:
            raise refusal("damaged", name=file.name)
        return (File(file.name, file.length, file.sha256),)

    def _pack(self, file: Wanted, pack: Pack) -> Iterator[File]:
        """Write the images of a pack: a link to each that is here unchanged, the others from the stick."""
        bytes_of = _Pack(self.stick, file)
        for name, length in pack.images:
            sha, path = name[:64], self.folder / IMAGE_FOLDER / name
            if sha in self.here and hash_of(self.here[sha]) == sha:
                bytes_of.skip(length)
                durable.link(self.here[sha], path)
            else:
                content = bytes_of.read(length)
                if hashlib.sha256(content).hexdigest() != sha:
                    raise refusal("damaged", name=file.name)
                durable.write_new(path, self._counted(iter((content,))))
            yield File(f"{IMAGE_FOLDER}/{name}", length, sha)

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
                raise refusal("damaged", name=self._name)
            self._have += chunk
        found, self._have = self._have[:length], self._have[length:]
        return found


def _from_stick(stick: Stick, file: Wanted) -> Iterator[bytes]:
    """Yield a signed file, never more than its signed length; raises UpdateRefused."""
    try:
        yield from stick.chunks(file.place, file.length)
    except NotThere:
        raise refusal("half", name=file.name) from None


def _signed(chunks: Iterable[bytes], sha256: str, name: str) -> Iterator[bytes]:
    """Yield the pieces and refuse at their end what is not the signed content."""
    found = hashlib.sha256()
    for chunk in chunks:
        found.update(chunk)
        yield chunk
    if found.hexdigest() != sha256:
        raise refusal("damaged", name=name)


def spare(at: Home, state: State) -> int:
    """Return the bytes that would be free if all that is not needed to serve were removed."""
    return sum(_bytes(at, getattr(state, field)) for field in _spare(at, state))


def make(at: Home, state: State, wanted: int, version: int, given_up: str = "") -> State:
    """Remove of what is not needed to serve as much as it takes for so many bytes; return the state.

    `version` is what the room is for, `given_up` the generation before, where a person agreed to give it up.

    Raises:
        UpdateRefused: that is not enough, or takes the version before, which nobody gave up; nothing is
        removed then.
    """
    fields = tuple(_spare(at, state))
    kept = sum(_bytes(at, getattr(state, field)) for field in fields if field != "previous")
    agreed = state.previous == given_up
    if "previous" in fields and not agreed and free(at) + kept < wanted:
        if home.whole(at, state.current) is None:
            raise refusal("no room", free=free(at) // MIB, need=wanted // MIB)
        before = _version(at, state.previous)
        raise refusal("gives up", version=version, before=before, generation=state.previous)
    for field in fields:
        if free(at) >= wanted:
            break
        if field == "previous" and (not agreed or home.whole(at, state.current) is None):
            break
        name = getattr(state, field)
        said = f"version {_version(at, name)} was removed"
        state = replace(state, **{field: "", "trust_of_staged" if field == "staged" else "signed_before": ""})
        home.save_state(at, state)
        attempt.note(at, "made room", said, name)
        home.tidy(at)
    if (left := free(at)) < wanted:
        raise refusal("no room", free=left // MIB, need=wanted // MIB)
    return state


def free(at: Home) -> int:
    """Return the bytes of the disk that are free."""
    return shutil.disk_usage(at.path).free


def _spare(at: Home, state: State) -> Iterator[str]:
    """Yield the fields of the state whose generations may be removed, in this order."""
    good = state.current and state.damaged != state.current and not state.untrusted
    for field, may in (("staged", True), ("previous", good)):
        name = getattr(state, field)
        if may and name and home.is_free(at.generation(name)):
            yield field


def _bytes(at: Home, name: str) -> int:
    """Return the bytes that removing a generation frees: files with a second name take none."""
    found = (path.lstat() for path in at.generation(name).rglob("*") if path.is_file())
    return sum(512 * entry.st_blocks for entry in found if entry.st_nlink == 1)


def _version(at: Home, name: str) -> str:
    with suppress(HomeUnusable):
        return str(home.installed(at, name).release.version)
    return "?"
