"""Every byte of the generation that is served is read again; one that has changed moves the box back.

Rules of this module: a sha256 of every byte is the only proof of integrity: of 2,000 single changed
bits in a library, SQLite's own check let 63 % pass with other content. A damaged generation is never
served while a whole one that may be served is there; where none is, the box goes on with what it has and
says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from appliance.errors import HomeUnusable
from appliance.update import audit, home, waiting
from appliance.update.apply import Box, recover
from appliance.update.home import Home
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


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What was read again: files, those that have changed, and the version that is served now."""

    files: int
    damaged: tuple[str, ...]
    moved_to: int = 0  # the version moved to, 0 where the box stays


def scrub(box: Box) -> Scrubbed:
    """Read the present generation again and leave it where it is damaged and the one before is whole.

    Raises:
        HomeUnusable: there is none. UpdateRefused: an update is under way.
    """
    with home.alone(box.home):
        state = recover(box)
        if not state.current:
            raise HomeUnusable(
                box.home.path, "it has no library yet", "Apply a stick: appliance update apply"
            )
        files, damaged = _read(box, state.current)
        if lost := _lost_keys(box.home, state):
            audit.note(box.home.audit_file, "damaged", lost, state.current)
            if not damaged:
                return Scrubbed(files + 1, (lost,))
        if not damaged:
            if state.damaged == state.current:
                home.save_state(box.home, replace(state, damaged=""))
            audit.note(box.home.audit_file, "scrubbed", f"{files} files are whole", state.current)
            return Scrubbed(files, ())
        audit.note(box.home.audit_file, "damaged", ", ".join(damaged[:5]), state.current)
        return Scrubbed(files, damaged, _leave(box.home, state))


def _read(box: Box, generation: str) -> tuple[int, tuple[str, ...]]:
    folder = box.home.generation(generation)
    try:
        found = home.installed(box.home, generation)
    except HomeUnusable:
        return 1, (home.INSTALLED,)
    return len(found.files), tuple(home.damaged_files(folder, found))


def _lost_keys(at: Home, state: State) -> str:
    """Return the name of the trusted keys where neither they nor their copy are what they were."""
    try:
        home.load_trust(at, state.trust)
    except HomeUnusable:
        return f"trust/{state.trust}"
    return ""


def _leave(at: Home, state: State) -> int:
    """Serve the generation before if every byte of it is right; return its version, 0 for none."""
    may = state.previous and not waiting.revoked(at, state)
    before = home.whole(at, state.previous) if may else None
    if before is None:
        home.save_state(at, replace(state, damaged=state.current))
        return 0
    home.save_state(at, replace(waiting.back(state), damaged=state.current, untrusted=""))
    audit.note(at.audit_file, "went back", f"{state.current} is damaged", state.previous)
    return before.release.version


def scrub_words(done: Scrubbed) -> str:
    """Return what reading everything again has found."""
    sentence, facts = scrub_said(done)
    return sentence.format(**facts)


def scrub_said(done: Scrubbed) -> tuple[str, dict[str, object]]:
    """Return the same as a sentence and its facts."""
    if not done.damaged:
        return WHOLE, {"files": f"{done.files:,}"}
    names = ", ".join(done.damaged[:5]) + (", ..." if len(done.damaged) > 5 else "")
    facts = {"changed": len(done.damaged), "files": f"{done.files:,}", "names": names}
    return (MOVED, facts | {"version": done.moved_to}) if done.moved_to else (STAYS, facts)
