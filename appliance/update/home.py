"""The home of a box: where everything lies, which generation is served, what may be removed."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from appliance.core.decoding import decode
from appliance.core.errors import HomeUnusable
from appliance.core.settings import Settings
from appliance.launch import SEAL, seal
from appliance.update import durable
from appliance.update.values import LIBRARY, MODELS, Installed, State, Trust
from appliance.update.words import refusal


def read(path: Path) -> State | None:
    """Return what a pointer says, None where it cannot be read or a byte of it is another."""
    try:
        content = path.read_bytes()
        state, said = decode(content, State), json.loads(content)
    except (OSError, ValueError, msgspec.DecodeError, RecursionError):
        return None
    return state if said.get(SEAL) == seal(said) else None


def sealed(state: State) -> bytes:
    """Return the content of a pointer."""
    said = msgspec.to_builtins(state)
    return msgspec.json.format(msgspec.json.encode(said | {SEAL: seal(said)}), indent=1)


_LOG = logging.getLogger(__name__)
INSTALLED = "installed.json"


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of a box."""

    path: Path

    @property
    def state_file(self) -> Path:
        """Return the pointer."""
        return self.path / "state.json"

    @property
    def state_copy(self) -> Path:
        """Return the copy of the pointer."""
        return self.path / "state.bak"

    @property
    def generations(self) -> Path:
        """Return the folder of the generations."""
        return self.path / "gen"

    @property
    def trusts(self) -> Path:
        """Return the folder of the trusted metadata."""
        return self.path / "trust"

    @property
    def audit_file(self) -> Path:
        """Return the log of updates."""
        return self.path / "audit.jsonl"

    @property
    def site_file(self) -> Path:
        """Return the notes of the site, which no update touches."""
        return self.path / f"{LIBRARY}.site"

    def generation(self, name: str) -> Path:
        """Return the folder of a generation."""
        return self.generations / name


def is_home(path: Path) -> bool:
    """Tell whether a folder is the home of a box; one that lost its pointers still has its generations."""
    box = Home(path)
    pointers = (box.state_file, box.state_copy)
    return any(pointer.is_file() for pointer in pointers) or (
        box.generations.is_dir() and any(box.generations.iterdir())
    )


def home_of(library: Path | None) -> Home | None:
    """Return the home of the box that a library is a generation of, None for a library by itself."""
    if library is None:
        return None
    folder = library.absolute().parent
    at = folder.parent.parent
    ours = library.name == LIBRARY and folder.parent.name == "gen" and is_home(at)
    return Home(at) if ours else None


def serving(home: Home) -> Path:
    """Return the library that the box serves; raises HomeUnusable."""
    state = load_state(home)
    if not state.current:
        raise HomeUnusable(home.path, "it has no library yet", "Apply a stick with: appliance update apply")
    return home.generation(state.current) / LIBRARY


def settings_at(home: Home, settings: Settings, library: Path) -> Settings:
    """Return the settings under which a library of this home is served: its models, the site's notes."""
    models = library.parent / MODELS
    if models.is_dir():
        settings = replace(settings, models=replace(settings.models, folder=models))
    if settings.site.file == Path():
        settings = replace(settings, site=replace(settings.site, file=home.site_file))
    return settings


def load_state(home: Home) -> State:
    """Return what the pointer says, else its copy, without the names of generations that somebody removed.

    Raises:
        HomeUnusable: there is neither.
    """
    found = _best(home)
    if found is None:
        raise HomeUnusable(home.path, "there is no state.json")
    gone = {
        field: ""
        for field in ("previous", "staged", "trying")
        if (name := getattr(found, field)) and not home.generation(name).is_dir()
    }
    return msgspec.structs.replace(found, **gone)


def is_sound(home: Home) -> bool:
    """Tell whether the pointer can be read, and is what the state of the box is taken from."""
    said = read(home.state_file)
    return said is not None and said == _best(home)


def _pointers(home: Home) -> list[State]:
    return [said for path in (home.state_file, home.state_copy) if (said := read(path))]


def _best(home: Home) -> State | None:
    """Return of pointer and copy the one that names what is there, the pointer first."""
    usable = [said for said in _pointers(home) if not said.current or home.generation(said.current).is_dir()]
    return min(usable, key=lambda said: _sound_trust(home, said.trust) is None, default=None)


def _is_there(home: Home, state: State) -> bool:
    """Tell whether what a state cannot do without is found where it says."""
    there = not state.current or home.generation(state.current).is_dir()
    return there and _sound_trust(home, state.trust) is not None


def whole(home: Home, name: str) -> Installed | None:
    """Return what a generation consists of, None where it cannot be read or a byte of it is another."""
    try:
        found = installed(home, name)
    except HomeUnusable:
        return None
    return None if next(damaged_files(home.generation(name), found), None) else found


def damaged_files(folder: Path, found: Installed) -> Iterator[str]:
    """Yield the names of the files of a generation that are not, byte for byte, what was installed."""
    for file in found.files:
        if hash_of(folder / file.name) != file.sha256:
            yield file.name


def save_state(home: Home, state: State) -> None:
    """Let the box be in this state: the one switch, and after it the copy."""
    durable.replace(home.state_file, sealed(state))
    copy_state(home)


def copy_state(home: Home) -> None:
    """Let the copy be what a proved pointer says whose keys are there; it may fail, the pointer holds."""
    said = read(home.state_file)
    if said is None or not _is_there(home, said):
        return
    with suppress(OSError):
        content = home.state_file.read_bytes()
        if not home.state_copy.is_file() or home.state_copy.read_bytes() != content:
            durable.replace(home.state_copy, content)


def installed(home: Home, generation: str) -> Installed:
    """Return what a generation consists of; raises HomeUnusable."""
    path = home.generation(generation) / INSTALLED
    try:
        return decode(path.read_bytes(), Installed)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HomeUnusable(home.path, f"{path.name} of {generation} cannot be read: {error}") from error


def load_trust(home: Home, name: str) -> Trust:
    """Return trusted metadata; raises HomeUnusable where a byte of them has changed."""
    content = _sound_trust(home, name)
    if content is None:
        mend = "Have its disk looked at, and put back the file of that name from a copy of the home"
        why = f"a byte of its trusted keys has changed, or they are gone: {home.trusts / name}"
        raise HomeUnusable(home.path, why, mend)
    try:
        return decode(content, Trust)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HomeUnusable(home.path, f"the trusted keys cannot be read: {error}") from error


def save_trust(home: Home, trust: Trust) -> str:
    """Keep trusted metadata of a box under a name made of their content; return it."""
    content = msgspec.json.encode(trust)
    name = f"{hashlib.sha256(content).hexdigest()}.json"
    if _sound_trust(home, name) is None:  # not there, or a byte of it has changed
        durable.replace(home.trusts / name, content)
    return name


def _sound_trust(home: Home, name: str) -> bytes | None:
    """Return the file of trusted metadata where it is what its name says, else None."""
    with suppress(OSError):
        content = (home.trusts / name).read_bytes()
        if name == f"{hashlib.sha256(content).hexdigest()}.json":
            return content
    return None


def hash_of(path: Path) -> str:
    """Return the sha256 of a file as the disk has it, not as it was cached; "" where it cannot be read."""
    try:
        with path.open("rb") as file:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def tidy(home: Home) -> None:
    """Remove what neither the pointer nor its copy names, but no generation that is being served.

    Nothing is removed where the keys that the box trusts are not there: the pointer may not be what it was.
    """
    state = load_state(home)
    pointers = _pointers(home)
    trusted = {name for each in (state, *pointers) for name in each.trusts if name}
    if not _is_there(home, state):
        _LOG.warning("%s: the keys that the box trusts cannot be read, so nothing is removed", home.path)
        return
    old_trusts = (home.trusts / name for name in _names(home.trusts) if name not in trusted)
    for path in (*left_over(home), *old_trusts):
        try:
            durable.remove(path)
        except OSError as error:  # it is tried again at the next start
            _LOG.warning("%s cannot be removed: %s", path, error.strerror or error)


def left_over(home: Home) -> tuple[Path, ...]:
    """Return the generations that neither the pointer nor its copy names and nothing serves any more."""
    named = {
        name
        for state in (load_state(home), *_pointers(home))
        for name in (state.current, state.previous, state.staged, state.trying)
    }
    return tuple(
        home.generation(name)
        for name in _names(home.generations)
        if name not in named and is_free(home.generation(name))
    )


def hold(folder: Path) -> int:
    """Keep a generation from being removed while it is served; released when the process ends."""
    import fcntl  # noqa: PLC0415 - not on Windows, where a home is only read

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(handle, fcntl.LOCK_SH)
    return handle


def is_free(folder: Path) -> bool:
    """Tell whether nobody serves a generation."""
    import fcntl  # noqa: PLC0415 - as above

    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # whoever removes it says why it cannot
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True


@contextmanager
def alone(home: Home) -> Iterator[None]:
    """Be the only one who changes this home; raises UpdateRefused, HomeUnusable."""
    import fcntl  # noqa: PLC0415 - as above

    try:
        lock = (home.path / "lock").open("ab")
    except OSError as error:
        raise HomeUnusable(home.path, error.strerror or str(error)) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise refusal("busy") from None
        yield


def _names(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError:
        return []
