"""Every byte of the generation that is served is read again; one that has changed moves the box back."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as replace_value

from msgspec.structs import replace

from appliance.core.errors import HomeUnusable
from appliance.update import home
from appliance.update.apply import Box, logged, recover
from appliance.update.home import Home
from appliance.update.trial import attempt, recheck
from appliance.update.values import State

WHOLE = "All {files} files are what was installed."
MOVED = (
    "{changed} of {files} files have changed: {names}. Version {version} is served instead. Apply the stick "
    "again to have it whole; a disk that does this is to be replaced."
)
STAYS = (
    "{changed} of {files} files have changed: {names}. There is none to go back to that may be served. Apply "
    "the stick again to have it whole; a disk that does this is to be replaced."
)


UNWRITTEN = (
    "{changed} of {files} files have changed: {names}. The disk of the box could not be written ({why}), so "
    "it goes on with them. Have the disk looked at or replaced; until then, check each number on paper."
)


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What was read again: files, those that have changed, and the version that is served now."""

    files: int
    damaged: tuple[str, ...]
    moved_to: int = 0  # the version moved to, 0 where the box stays
    unwritten: str = ""  # why the disk did not take even the move


def scrub(box: Box) -> Scrubbed:
    """Read the present generation again and leave it where it is damaged and the one before is whole.

    Raises:
        HomeUnusable: there is none. UpdateRefused: an update is under way.
    """
    with home.alone(box.home), logged(box.home):
        state = recover(box)
        if not state.current:
            raise HomeUnusable(
                box.home.path, "it has no library yet", "Apply a stick: appliance update apply"
            )
        at, lost = box.home, ""
        try:
            found = home.installed(at, state.current)
            done = Scrubbed(len(found.files), tuple(home.damaged_files(at.generation(state.current), found)))
        except HomeUnusable:
            done = Scrubbed(1, (home.INSTALLED,))
        try:
            home.load_trust(at, state.trust)
        except HomeUnusable:
            lost = f"trust/{state.trust}"
        if done.damaged:
            done = _left(at, state, done)
        elif lost:
            done = Scrubbed(done.files + 1, (lost,))
        else:
            if state.damaged == state.current:
                with suppress(OSError):  # it stays marked, until a scrub can say otherwise
                    home.save_state(at, replace(state, damaged=""))
            attempt.note(at, "scrubbed", f"{done.files} files are whole", state.current)
        if lost:
            attempt.note(at, "damaged", lost, state.current)
        return done


def _left(at: Home, state: State, done: Scrubbed) -> Scrubbed:
    """Serve the generation before if every byte of it is right, and say what came of it."""
    may = state.previous and not recheck.revoked(at, state, state.signed_before)
    before = home.whole(at, state.previous) if may else None
    back = replace(recheck.back(state), untrusted="") if before else state
    try:
        home.save_state(at, replace(back, damaged=state.current))
    except OSError as error:
        done, before = replace_value(done, unwritten=error.strerror or str(error)), None
    attempt.note(at, "damaged", ", ".join(done.damaged[:5]), state.current)
    if before is None:
        return done
    attempt.note(at, "went back", f"{state.current} is damaged", state.previous)
    return replace_value(done, moved_to=before.release.version)


def scrub_words(done: Scrubbed) -> str:
    """Return what reading everything again has found."""
    names = ", ".join(done.damaged[:5]) + (", ..." if len(done.damaged) > 5 else "")
    words = UNWRITTEN if done.unwritten else MOVED if done.moved_to else STAYS
    return (words if done.damaged else WHOLE).format(
        changed=len(done.damaged),
        files=f"{done.files:,}",
        names=names,
        why=done.unwritten,
        version=done.moved_to,
    )
