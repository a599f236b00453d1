"""Room for a new version on a disk that does not hold it beside what is there.

Rules of this module: nothing is removed where there is room. Else first what waits, for the new one takes
its place; then the version before, and that only where a person agreed to give it up, where every byte of
what is served was read again just now and is right, and its keys are trusted: the only good version is never
the one that goes. What a server still reads stays. The pointer changes first, then the files go; each is a
line of the log.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from appliance.errors import HomeUnusable
from appliance.update import attempt, home
from appliance.update.home import Home
from appliance.update.values import State
from appliance.update.verify import MIB
from appliance.update.words import Why, refusal


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
            raise refusal(Why.NO_ROOM, free=free(at) // MIB, need=wanted // MIB)
        before = _version(at, state.previous)
        raise refusal(Why.GIVES_UP, version=version, before=before, generation=state.previous)
    for field in fields:
        if free(at) >= wanted:
            break
        if field == "previous" and (not agreed or home.whole(at, state.current) is None):
            break
        state = _without(at, state, field)
    if (left := free(at)) < wanted:
        raise refusal(Why.NO_ROOM, free=left // MIB, need=wanted // MIB)
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


def _without(at: Home, state: State, field: str) -> State:
    name = getattr(state, field)
    version = _version(at, name)
    signed = "trust_of_staged" if field == "staged" else "signed_before"
    state = replace(state, **{field: "", signed: ""})
    home.save_state(at, state)
    attempt.note(at, "made room", f"version {version} was removed", name)
    home.tidy(at)
    return state


def _version(at: Home, name: str) -> str:
    with suppress(HomeUnusable):
        return str(home.installed(at, name).release.version)
    return "?"
