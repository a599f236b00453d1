"""What is prepared and waits is looked at again before anything is done with it."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec.structs import replace

from appliance.core.errors import HomeUnusable, UpdateRefused
from appliance.update import home
from appliance.update.home import Home
from appliance.update.intake import trust
from appliance.update.values import State, Trust

UNREAD = "what was kept of it cannot be read"
REVOKED = "the keys that signed it are no longer trusted"
UNLIKE = "it is not what its signed list of files describes"


def trouble(at: Home, state: State, name: str) -> str:
    """Return why a generation that waits or is being tried is not to be served, "" for nothing or none."""
    if not name:
        return ""
    try:
        found = home.installed(at, name)
        kept, newest = home.load_trust(at, state.trust_of_staged), home.load_trust(at, state.trust)
        if not trust.is_signed(kept, newest):
            return REVOKED
        described = found.digest == digest(kept) and found.release.version == trust.version_of(kept)
    except (HomeUnusable, UpdateRefused):
        return UNREAD
    return "" if described else UNLIKE


def marked(at: Home, state: State) -> State:
    """Return a state that says whether the keys that signed what is served are no longer trusted."""
    return replace(state, untrusted=state.current if revoked(at, state, signed(at, state)) else "")


def revoked(at: Home, state: State, name: str) -> bool:
    """Tell whether the newest keys have not signed metadata; False where it is not known which they were."""
    if not name:
        return False
    try:
        return not trust.is_signed(home.load_trust(at, name), home.load_trust(at, state.trust))
    except HomeUnusable:
        return False


def signed(at: Home, state: State) -> str:
    """Return the name of the metadata that describe the present generation, "" where none do."""
    if state.signed or not state.current:
        return state.signed
    try:
        same = home.installed(at, state.current).digest == digest(home.load_trust(at, state.trust))
    except (HomeUnusable, UpdateRefused):
        return ""
    return state.trust if same else ""


def back(state: State) -> State:
    """Return the state in which the generation before is served, and the present one is that before."""
    return replace(
        state,
        current=state.previous,
        previous=state.current,
        signed=state.signed_before,
        signed_before=state.signed,
    )


def changed(at: Home, name: str) -> str:
    """Return in words which file of a generation is not what was copied, "" for none; reads every byte."""
    found = next(home.damaged_files(at.generation(name), home.installed(at, name)), "")
    return f"{found} is not what was copied" if found else ""


def digest(trusted: Trust) -> str:
    """Return the digest of the signed list of files; raises UpdateRefused."""
    return hashlib.sha256(msgspec.json.encode(trust.wanted(trusted))).hexdigest()
