"""What the last update of a box changed: the version that is served held against the one before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import ApplianceError
from appliance.core.settings import Settings
from appliance.library import open_store
from appliance.update.changes.compare import DocumentChange, compare
from appliance.update.home import home_of, installed, load_state
from appliance.update.values import LIBRARY


@dataclass(frozen=True, slots=True)
class Updated:
    """The versions before and now, and the changes; `trouble` says why they cannot be told."""

    before: int
    now: int
    notes: str
    changes: tuple[DocumentChange, ...] = ()
    trouble: str = ""


def last_update(library: Path | None, settings: Settings) -> Updated | None:
    """Return what the last update changed, None where the library is not that of a box."""
    home = home_of(library)
    if home is None:
        return None
    try:
        state = load_state(home)
        release = installed(home, state.current).release
    except ApplianceError as error:
        return Updated(0, 0, "", trouble=str(error))
    if not state.previous or not home.generation(state.previous).is_dir():
        return Updated(
            0, release.version, release.notes, trouble="The version before is no longer kept here."
        )
    try:
        before = installed(home, state.previous).release.version
        with (
            open_store(home.generation(state.previous) / LIBRARY, settings) as old,
            open_store(home.generation(state.current) / LIBRARY, settings) as new,
        ):
            return Updated(before, release.version, release.notes, compare(old, new))
    except ApplianceError as error:
        return Updated(0, release.version, release.notes, trouble=str(error))
