"""What a box can say of itself and of what is prepared on it, as plain values for people and programs.

Rules of this module: it only reads; whatever cannot be read is said in its place, because this is
what people look at when something is wrong.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict
from typing import Any

import msgspec

from appliance.errors import ApplianceError, SchemaMismatch
from appliance.library import open_store
from appliance.settings import Settings
from appliance.site.notes import Site
from appliance.site.values import KINDS
from appliance.update import audit, home
from appliance.update.changes import DocumentChange, compare, touched
from appliance.update.home import Home
from appliance.update.setup import box_fingerprint
from appliance.update.values import LIBRARY, State

LAST = 5  # events shown


def status(at: Home) -> dict[str, Any]:
    """Return the state of a box; raises HomeUnusable."""
    state = home.load_state(at)
    log = audit.read_log(at.audit_file)
    return {
        "box": state.box,
        "key": box_fingerprint(at),
        "library": str(at.generation(state.current) / LIBRARY) if state.current else "",
        "current": _generation(at, state.current),
        "previous": _generation(at, state.previous),
        "staged": _generation(at, state.staged),
        "trying": state.trying,
        "damaged": state.damaged,
        "floor": state.floor,
        "free_mib": shutil.disk_usage(at.path).free >> 20,
        "log": {"lines": len(log.lines), "torn": len(log.torn), "broken": len(log.broken)},
        "last": [msgspec.to_builtins(line) for line in log.lines[-LAST:]],
        "refused": _refused(log),
    }


def _refused(log: audit.Log) -> dict[str, Any] | None:
    """Return the refusal that came last, None where something else happened since.

    `said` is its sentence for the command line; `code` and `facts` are what it can be said from in others.
    """
    last = log.lines[-1] if log.lines else None
    return None if last is None or last.event != "refused" else msgspec.to_builtins(last)


def _generation(at: Home, name: str) -> dict[str, Any] | None:
    if not name:
        return None
    try:
        release = home.installed(at, name).release
    except ApplianceError as error:
        return {"generation": name, "trouble": str(error)}
    documents = [msgspec.to_builtins(document) for document in release.documents]
    return {"generation": name, "version": release.version, "notes": release.notes, "documents": documents}


def report_staged(at: Home, settings: Settings) -> dict[str, Any]:
    """Return what the prepared generation changes by clause, and the notes of the site that it touches.

    `unread` says that its library is of another kind, for the program that the bundle brings.
    """
    state = home.load_state(at)
    changes, unread = _changes(at, state, settings)
    site = Site(at.site_file, settings.site)
    rows = [row for kind in KINDS for row in site.rows(kind)]
    notes = touched(changes, rows)
    found = home.installed(at, state.staged)
    return {
        "version": found.release.version,
        "unread": unread,
        "changes": [asdict(change) for change in changes],
        "touched": [asdict(note) for note in notes],
        "closes": list(found.release.closes),
    }


def _changes(at: Home, state: State, settings: Settings) -> tuple[tuple[DocumentChange, ...], bool]:
    try:
        with open_store(at.generation(state.staged) / LIBRARY, settings) as new:
            if not state.current:
                return compare(None, new), False
            with open_store(at.generation(state.current) / LIBRARY, settings) as old:
                return compare(old, new), False
    except SchemaMismatch:
        return (), True
