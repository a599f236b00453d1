"""What a prepared generation changes by clause, and the notes of the site that it touches."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from appliance.core import child
from appliance.core.errors import ApplianceError, SchemaMismatch
from appliance.core.settings import Settings
from appliance.library import open_store
from appliance.site import saved
from appliance.site.gaps_and_feedback import KINDS, Row, Site
from appliance.update import apply, home
from appliance.update.changes.compare import DocumentChange, compare
from appliance.update.changes.touched import Touched, touched
from appliance.update.home import Home
from appliance.update.trial.run import received
from appliance.update.values import LIBRARY, State
from appliance.update.words import refusal

NO_NOTES = "The notes of this site cannot be held against it: {why}"

Report = Callable[[Home, Settings], dict[str, Any]]
MOST = 64 << 20  # bytes of a report; the words of a longer one are not all read by anybody
TROUBLE = "trouble"  # why the library cannot be read, in what the process says
PROGRAM = "What it changes cannot be said by clause: its library is for the program that it brings."
PRESENT = (
    "What it changes cannot be said by clause: the library that is served now cannot be read. It may be "
    "damaged; what is prepared takes its place."
)
TIME = "What it changes cannot be said by clause: comparing it took longer than the time that it has."
ENDED = "What it changes cannot be said by clause: the program that compares it ended without an answer."
NOT_HELD = (
    "The saved answers and notes of this site were not held against it: after the switch, look at each again "
    "before it is used."
)


def in_process_of_its_own(at: Home, settings: Settings) -> dict[str, Any]:
    """Return what `report_staged` does, made in a process of its own."""
    given = msgspec.json.encode({"home": str(at.path), "settings": asdict(settings)}, enc_hook=str)
    state = home.load_state(at)
    try:
        done = child.run(
            [sys.executable, "-m", "appliance.update.changes.report"],
            given=given,
            seconds=settings.update.trial_seconds,
            most=MOST,
        )
        return dict(json.loads(done.out.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        return _unread(at, state, TIME)
    except (ValueError, IndexError):
        return _unread(at, state, ENDED)


def compared(box: apply.Box, report: Report = in_process_of_its_own) -> dict[str, Any]:
    """Return the report of what waits.

    Raises:
        UpdateRefused: its library cannot be read: it is held for one that did not work. Nothing waits.
    """
    if not home.load_state(box.home).staged:
        raise refusal("another")
    found = report(box.home, box.settings)
    if TROUBLE in found:
        apply.give_up(box, str(found["generation"]), str(found[TROUBLE]))
    return found


def report_staged(at: Home, settings: Settings) -> dict[str, Any]:
    """Return what the prepared generation changes, in this process, as plain values.

    `unread` is the sentence of why the libraries cannot be compared, `site` why the notes cannot be read,
    each "" where they can; a library that cannot be read gives `trouble`.
    """
    state = home.load_state(at)
    rows: list[Row] = []
    answers: dict[str, saved.Saved] = {}  # by their keys
    site = ""
    try:
        notes_of_site = Site(at.site_file, settings.site)
        kept = [row for kind in KINDS for row in notes_of_site.rows(kind)]
        answers = {item.key: item for item in saved.listed(notes_of_site, most=-1)}
        rows = kept
    except ApplianceError as error:
        site = str(error)
    try:
        changes, notes = _changes(at, state, settings, rows, answers)
    except SchemaMismatch:
        return _unread(at, state, PROGRAM) | {"site": site}
    except ApplianceError as error:
        return {TROUBLE: str(error), "generation": state.staged}
    return _unread(at, state, PRESENT if changes is None else "") | {
        "site": site,
        "changes": [asdict(change) for change in changes or ()],
        "touched": [asdict(note) for note in notes],
    }


def _unread(at: Home, state: State, why: str) -> dict[str, Any]:
    """Return a report without changes, for a reason that is a sentence, "" for none."""
    release = home.installed(at, state.staged).release
    said = {"generation": state.staged, "version": release.version, "closes": list(release.closes)}
    return said | {"unread": why, "site": "", "changes": [], "touched": []}


def _changes(
    at: Home, state: State, settings: Settings, rows: list[Row], answers: dict[str, saved.Saved]
) -> tuple[tuple[DocumentChange, ...] | None, tuple[Touched, ...]]:
    """Return the changes, None where there is nothing to compare with, and the notes that they touch.

    Raises:
        ApplianceError: the new library cannot be read. SchemaMismatch: it is for another program.
    """
    with open_store(at.generation(state.staged) / LIBRARY, settings) as new:
        if not state.current:
            return compare(None, new), ()
        try:
            with open_store(at.generation(state.current) / LIBRARY, settings) as old:
                changes = compare(old, new)
                return changes, touched(old, new, changes, rows, answers)
        except ApplianceError:
            compare(None, new)  # raises where it is the new one that cannot be read
            return None, ()


def main() -> None:
    """Be the process: home and settings on stdin, the report on stdout."""
    given, settings = received()
    found = report_staged(Home(Path(given["home"])), settings)
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")


if __name__ == "__main__":
    main()
