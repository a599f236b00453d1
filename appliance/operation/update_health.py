"""What the home of a box says of the library that it serves: version, prepared update, last scrub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from appliance.core.errors import ApplianceError
from appliance.operation.values import Point
from appliance.update import audit, home
from appliance.update.home import Home, home_of

EVENTS = {"scrubbed": "every byte read again and found right", "damaged": "a file was found changed"}


def moved(library: Path) -> bool:
    """Tell whether the home of this library serves another one now."""
    at = home_of(library)
    try:
        return at is not None and home.serving(at).absolute() != library.absolute()
    except ApplianceError:
        return False


def updates(library: Path) -> Iterator[Point]:
    """Yield how the updates of the box are; nothing for a library that is in no home."""
    at = home_of(library)
    if at is None:
        return
    try:
        state = home.load_state(at)
        release = home.installed(at, state.current).release
    except ApplianceError:
        yield Point("updates", "wrong", "the state of the box cannot be read", "appliance update status")
        return
    if state.damaged:
        yield Point(
            "updates", "wrong", f"{state.damaged} is damaged", "appliance update apply with the stick"
        )
    else:
        yield Point("updates", "well", f"version {release.version} is served")
    if state.untrusted:
        words = "what is served was signed by keys that were revoked since"
        yield Point("signature", "wrong", words, "appliance update apply with the newest stick")
    try:
        home.load_trust(at, state.trust)
    except ApplianceError:  # by these keys the box knows its builder
        words = "a byte of the keys that it trusts has changed, or they are gone"
        yield Point("trusted keys", "wrong", words, "appliance update scrub")
    if left := home.left_over(at):
        names = ", ".join(path.name for path in left)
        yield Point(
            "updates", "note", f"no longer needed, and not removed yet: {names}", "appliance update resume"
        )
    if state.staged:
        mend = "appliance update apply"
        yield Point(
            "prepared update", "note", "one is copied and verified; nobody has agreed to it yet", mend
        )
    yield _scrubbed(at)


def _scrubbed(at: Home) -> Point:
    lines = audit.read_log(at.audit_file).lines
    last = next((line for line in reversed(lines) if line.event in EVENTS), None)
    if last is None:
        return Point("last scrub", "note", "the files were never read again", "appliance update scrub")
    said = f"{EVENTS[last.event]}, {last.at}" if last.clock else f"{EVENTS[last.event]}, at an unknown time"
    return Point("last scrub", "well" if last.event == "scrubbed" else "wrong", said)
