"""What a box can say of itself and of what is prepared on it, as plain values for people and programs.

Rules of this module: it only reads; whatever cannot be read is said in its place, because this is
what people look at when something is wrong.
"""

from __future__ import annotations

import shutil
from typing import Any

import msgspec

from appliance.errors import ApplianceError
from appliance.update import audit, home
from appliance.update.home import Home
from appliance.update.setup import box_fingerprint
from appliance.update.values import LIBRARY

LAST = 5  # events shown


def status(at: Home) -> dict[str, Any]:
    """Return the state of a box; raises HomeUnusable."""
    state = home.load_state(at)
    log = audit.read_log(at.audit_file)
    return {
        "box": state.box,
        "key": _key(at),
        "library": str(at.generation(state.current) / LIBRARY) if state.current else "",
        "current": _generation(at, state.current),
        "previous": _generation(at, state.previous),
        "staged": _generation(at, state.staged),
        "trying": state.trying,
        "damaged": state.damaged,
        "untrusted": bool(state.untrusted),
        "floor": state.floor,
        "free_mib": shutil.disk_usage(at.path).free >> 20,
        "log": {"lines": len(log.lines), "torn": len(log.torn), "broken": len(log.broken)},
        "last": [msgspec.to_builtins(line) for line in log.lines[-LAST:]],
        "refused": _refused(log),
    }


def _key(at: Home) -> str:
    """Return the fingerprint of the box, or why there is none."""
    try:
        return box_fingerprint(at)
    except ApplianceError as error:
        return str(error)


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
