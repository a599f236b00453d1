"""The home of a new box set up, and what a box states of itself."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from appliance.core.errors import ApplianceError, BadInput, HomeUnusable
from appliance.update import audit, durable, home
from appliance.update.home import Home
from appliance.update.intake import trust
from appliance.update.keys import fingerprint, load_private, make_private
from appliance.update.values import LIBRARY, State

BOX_KEY = "box.pem"  # signs what goes back to the builder
BOX_PUBLIC = "box.pub"
KEY_LENGTH = 32  # bytes of a public key


def make_home(path: Path, root: bytes, box: str = "") -> Home:
    """Make the home of a box that trusts this root; raises HomeUnusable, UpdateRefused."""
    if home.is_home(path):
        raise HomeUnusable(
            path, "it is one already", f"See what it holds with: appliance update status --home {path}"
        )
    trusted = trust.first_trust(root)
    made = Home(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        durable.make_folder(made.generations)
        durable.make_folder(made.trusts)
        key = path / BOX_KEY
        try:
            load_private(key)
        except BadInput:  # there is none yet, or a power cut left half of one, which nobody knows
            durable.remove(key)
            make_private(key)
            durable.sync_all(path)
        public_key(made)
        name = home.save_trust(made, trusted)
        durable.sync_all(path)
        said = f"box {box or 'without a name'}, keys {trust.key_set(trusted)}"
        audit.note(made.audit_file, "made", said)
        home.save_state(made, State(box=box, trust=name))
    except OSError as error:
        raise HomeUnusable(path, error.strerror or str(error), "Name another place with --home") from error
    return made


def public_key(at: Home) -> bytes:
    """Return the public key of a box as its file holds it, made again from the private key where it is lost.

    Raises:
        HomeUnusable: neither can be read.
    """
    path = at.path / BOX_PUBLIC
    kept = b""
    with suppress(OSError, ValueError):  # it is lost, or cut short
        content = path.read_bytes()
        kept = content if len(bytes.fromhex(content.decode("ascii").strip())) == KEY_LENGTH else b""
    try:
        private = load_private(at.path / BOX_KEY)
    except BadInput as error:
        if kept:
            return kept
        mend = "Put back box.pem from a copy of the home, or make the home anew"
        raise HomeUnusable(at.path, f"the key of the box cannot be read: {error}", mend) from error
    public = f"{private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()}\n".encode()
    if kept != public:
        with suppress(OSError):  # whoever may not write it can still be told
            durable.replace(path, public)
    return public


def box_fingerprint(at: Home) -> str:
    """Return what two people can compare of the key of a box; raises HomeUnusable."""
    return fingerprint(bytes.fromhex(public_key(at).decode("ascii").strip()))


LAST = 5  # events shown


def status(at: Home) -> dict[str, Any]:
    """Return the state of a box; raises HomeUnusable."""
    state = home.load_state(at)
    log = audit.read_log(at.audit_file)
    try:
        key = box_fingerprint(at)
    except ApplianceError as error:
        key = str(error)
    lines = [msgspec.to_builtins(line) for line in log.lines[-LAST:]]
    return {
        "box": state.box,
        "key": key,
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
        "last": lines,
        "refused": next((line for line in lines[-1:] if line["event"] == "refused"), None),
    }


def _generation(at: Home, name: str) -> dict[str, Any] | None:
    if not name:
        return None
    try:
        release = home.installed(at, name).release
    except ApplianceError as error:
        return {"generation": name, "trouble": str(error)}
    documents = [msgspec.to_builtins(document) for document in release.documents]
    return {"generation": name, "version": release.version, "notes": release.notes, "documents": documents}
