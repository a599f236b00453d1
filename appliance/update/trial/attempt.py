"""What a person agreed to: every byte of it read again, tried, and then served or given up."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from appliance.core.errors import UpdateRefused
from appliance.core.settings import Settings
from appliance.update import audit, home
from appliance.update.home import Home
from appliance.update.intake import trust
from appliance.update.trial import recheck
from appliance.update.trial.run import Verdict
from appliance.update.values import LIBRARY, Golden, Installed, State
from appliance.update.words import refusal

_LOG = logging.getLogger(__name__)
TRIES = 2
LEAST = 0.25  # of the time for all tries: with less of it left, none is begun
Trial = Callable[[Path, Sequence[Golden], Settings], Verdict]


def tried(at: Home, state: State, trial: Trial, settings: Settings) -> Installed:
    """Try what the state says is being tried, and serve it; raises UpdateRefused where it is given up."""
    name, folder = state.trying, at.generation(state.trying)
    if why := recheck.trouble(at, state, name) or recheck.changed(at, name):
        drop(at, state, why)
        raise refusal("dropped", why=why)
    found = home.installed(at, name)
    why = "it was tried twice and the box stopped each time"
    whole = settings.update.trial_seconds
    end = time.monotonic() + whole
    while state.tries and (left := end - time.monotonic()) > LEAST * whole:
        state = replace(state, tries=state.tries - 1)
        home.save_state(at, state)
        limited = dataclasses.replace(settings.update, trial_seconds=left)
        within = dataclasses.replace(settings, update=limited)
        verdict = trial(folder, found.release.golden, home.settings_at(at, within, folder / LIBRARY))
        note(at, "tried", verdict.why or f"{verdict.found} of {verdict.asked} golden questions", name)
        if not verdict.why:
            return _commit(at, state, found)
        why = verdict.why
    raise given_up(at, state, found, why)


def _commit(at: Home, state: State, found: Installed) -> Installed:
    """Serve what was tried: one save of the state."""
    kept = state.current != state.damaged
    trusted = home.load_trust(at, state.trust_of_staged)
    newest = home.load_trust(at, state.trust)
    if trust.root_version(newest) > trust.root_version(trusted):
        trusted = replace(trusted, root=newest.root)
    whole = State(
        box=state.box,
        current=state.trying,
        previous=state.current if kept else "",
        floor=found.release.version,
        key_set=trust.key_set(trusted),
        trust=home.save_trust(at, trusted),
        signed=state.trust_of_staged,
        signed_before=recheck.signed(at, state) if kept else "",
    )
    home.save_state(at, whole)
    note(at, "committed", f"version {found.release.version}", whole.current)
    home.tidy(at)
    return found


def given_up(at: Home, state: State, found: Installed, why: str) -> UpdateRefused:
    """Remove what did not work, keep in mind that it did not, and return the refusal that says so."""
    drop(at, replace(state, failed=found.digest), why)
    return refusal("did not work", version=found.release.version, why=why.rstrip("."))


def drop(at: Home, state: State, why: str) -> State:
    """Remove what waits or is being tried, for a reason that is no fault of its release; return the state."""
    name = state.trying or state.staged
    state = replace(state, staged="", trying="", tries=0, trust_of_staged="")
    home.save_state(at, state)
    note(at, "rolled back", why, name)
    home.tidy(at)
    return state


def note(at: Home, event: audit.Event, said: str, generation: str = "") -> None:
    """Add what was done already to the log; a disk that takes no line undoes none of it."""
    try:
        audit.note(at.audit_file, event, said, generation)
    except OSError as error:
        _LOG.warning("the log of updates lacks a line (%s): %s, %s", error.strerror, event, said)
