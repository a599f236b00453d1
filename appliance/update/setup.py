"""The home of a new box: its name, the keys that it trusts, a key of its own.

Rules of this module: a home is made once, and one that is there is never overwritten.
"""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from appliance.errors import HomeUnusable
from appliance.update import audit, durable, home, trust
from appliance.update.home import Home
from appliance.update.keys import fingerprint, make_private
from appliance.update.values import State

BOX_KEY = "box.pem"  # signs what goes back to the builder
BOX_PUBLIC = "box.pub"


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
        if not (path / BOX_KEY).exists():
            public = make_private(path / BOX_KEY).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
            durable.replace(path / BOX_PUBLIC, f"{public.hex()}\n".encode())
        name = home.save_trust(made, trusted)
        durable.sync_all(path)
        audit.note(made.audit_file, "made", f"box {box or 'without a name'}, keys {trust.key_set(trusted)}")
        home.save_state(made, State(box=box, trust=name))
    except OSError as error:
        raise HomeUnusable(path, error.strerror or str(error), "Name another place with --home") from error
    return made


def box_fingerprint(at: Home) -> str:
    """Return what two people can compare of the key of a box."""
    return fingerprint(bytes.fromhex((at.path / BOX_PUBLIC).read_text(encoding="ascii").strip()))
