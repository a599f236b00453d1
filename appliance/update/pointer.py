"""What `state.json` and its copy are on the disk: JSON that people can read, proved by a sha256 of itself.

Rules of this module: a pointer that holds a sha256 and says something else is none, whatever it says. One
without was written by a program of before: it is taken where it names nothing unknown, and written again with
one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec

from appliance.launch import SEAL, seal
from appliance.update.values import State


@dataclass(frozen=True, slots=True)
class Pointer:
    """What a pointer says, and whether a sha256 proves it."""

    state: State
    sealed: bool


def read(path: Path) -> Pointer | None:
    """Return what a pointer says, None where it cannot be read or a byte of it is another."""
    try:
        content = path.read_bytes()
        state, said = msgspec.json.decode(content, type=State), json.loads(content)
    except (OSError, ValueError, msgspec.DecodeError, RecursionError):
        return None
    if SEAL not in said:
        return Pointer(state, sealed=False) if said.keys() <= set(State.__struct_fields__) else None
    return Pointer(state, sealed=True) if said[SEAL] == seal(said) else None


def sealed(state: State) -> bytes:
    """Return the content of a pointer."""
    said = msgspec.to_builtins(state)
    return msgspec.json.format(msgspec.json.encode(said | {SEAL: seal(said)}), indent=1)
