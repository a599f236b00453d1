"""The keys of a builder: three roots of which two must agree, and those that sign bundles."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp
from tuf.api.serialization.json import JSONSerializer

from appliance.core.errors import BadInput
from appliance.core.files import files_in
from appliance.update import durable

ROOTS, THRESHOLD = 3, 2
NEVER = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
RELEASING = ("timestamp", "snapshot", "targets")
JSON = JSONSerializer(compact=False)


@dataclass(frozen=True, slots=True)
class Keys:
    """A folder of keys: its newest root, and the private keys at hand by their id."""

    folder: Path
    root: Metadata[Root]
    signers: Mapping[str, CryptoSigner]

    def of(self, role: str) -> list[CryptoSigner]:
        """Return the keys at hand that sign for a role."""
        wanted = self.root.signed.roles[role].keyids
        return [signer for keyid, signer in self.signers.items() if keyid in wanted]


def new_keys(folder: Path, passphrase: bytes = b"") -> Keys:
    """Make the keys of a builder; raises BadInput where there are some already."""
    if folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} is not empty. Name a new folder, so that no key is lost.")
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    root = Root(version=1, expires=NEVER, consistent_snapshot=True)
    for number in range(1, ROOTS + 1):
        root.add_key(_make(folder / f"root-{number}.pem", passphrase).public_key, Root.type)
    root.roles[Root.type].threshold = THRESHOLD
    release = _make(folder / "release-1.pem", passphrase)
    for role in RELEASING:
        root.add_key(release.public_key, role)
    durable.make_folder(folder / "metadata")
    _sign_root(folder, root, _private_keys([folder], passphrase).values())
    return load_keys(folder, passphrase=passphrase)


def load_keys(folder: Path, also: Sequence[Path] = (), passphrase: bytes = b"") -> Keys:
    """Return the newest root with the private keys in the folder and in others; raises BadInput."""
    roots = root_files(folder)
    if not roots:
        raise BadInput(f"{folder} holds no keys. Make some with: appliance keys new --to {folder}")
    root = Metadata[Root].from_bytes(roots[-1].read_bytes())
    return Keys(folder, root, _private_keys([folder, *also], passphrase))


def root_files(folder: Path) -> list[Path]:
    """Return the roots, oldest first."""
    found = {path: re.fullmatch(r"(\d+)\.root\.json", path.name) for path in (folder / "metadata").glob("*")}
    numbered = sorted((int(match[1]), path) for path, match in found.items() if match)
    return [path for _, path in numbered]


def rotate(keys: Keys, name: str, passphrase: bytes = b"") -> Path:
    """Replace a key by a new one in a new root, which revokes it; return the new key's file.

    `name` is that of the key's file, "release-1" or "root-2". Signed with two of the old and of the new.

    Raises:
        BadInput: no such key, or fewer than two root keys are at hand.
    """
    root = keys.root.signed
    public = keys.folder / f"{name}.pub"
    old = public.read_text(encoding="ascii").strip() if public.is_file() else ""
    if not re.fullmatch(r"(root|release)-\d+", name) or old not in root.keys:
        said = f"There is no key {name} in {keys.folder}."
        raise BadInput(f"{said} Those that count are listed by: appliance keys list")
    kind, number = name.rsplit("-", 1)
    while (path := keys.folder / f"{kind}-{number}.pem").exists() or f"{kind}-{number}" == name:
        number = str(int(number) + 1)
    new = _make(path, passphrase)
    for role in (Root.type,) if kind == "root" else RELEASING:
        root.revoke_key(old, role)
        root.add_key(new.public_key, role)
    root.version += 1
    signers = [*keys.of(Root.type), *([new, keys.signers[old]] if old in keys.signers else [new])]
    try:
        _sign_root(keys.folder, root, signers, keys.root.signed if kind == "root" else None)
    except BadInput:
        path.unlink()
        raise
    retired = keys.folder / f"{name}.pem"
    if retired.exists():
        retired.rename(retired.with_suffix(".revoked"))
    return path


def names(keys: Keys) -> dict[str, str]:
    """Return the names of the keys that count, by their id."""
    files = ((path.stem, path.read_text(encoding="ascii").strip()) for path in keys.folder.glob("*.pub"))
    return {keyid: name for name, keyid in sorted(files) if keyid in keys.root.signed.keys}


def signed(content: Root | Targets | Snapshot | Timestamp, signers: Iterable[CryptoSigner]) -> bytes:
    """Return metadata as JSON, signed by all of the keys."""
    metadata: Metadata[Any] = Metadata(content)
    for signer in {signer.public_key.keyid: signer for signer in signers}.values():
        metadata.sign(signer, append=True)
    return metadata.to_bytes(JSON)


def fingerprint(public: bytes) -> str:
    """Return what two people can compare of a public key."""
    found = hashlib.sha256(public).hexdigest()
    return "-".join(found[start : start + 4] for start in range(0, 24, 4))


def make_private(path: Path, passphrase: bytes = b"") -> Ed25519PrivateKey:
    """Make an Ed25519 key and keep it in a file that only its owner reads."""
    private = Ed25519PrivateKey.generate()
    how = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how
    durable.write_new(path, (private.private_bytes(*form),), durable.PRIVATE)
    return private


def load_private(path: Path, passphrase: bytes = b"") -> Ed25519PrivateKey:
    """Return a private key; raises BadInput."""
    try:
        private = serialization.load_pem_private_key(path.read_bytes(), passphrase or None)
    except (OSError, ValueError, TypeError) as error:
        message = f"The key {path} cannot be opened ({error}). Name the right file and passphrase."
        raise BadInput(message) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise BadInput(f"The key {path} is of another kind than Ed25519. Make one with: appliance keys new")
    return private


def _make(path: Path, passphrase: bytes) -> CryptoSigner:
    signer = CryptoSigner(make_private(path, passphrase))
    path.with_suffix(".pub").write_text(f"{signer.public_key.keyid}\n", encoding="ascii")
    return signer


def _private_keys(places: Iterable[Path], passphrase: bytes) -> dict[str, CryptoSigner]:
    signers = (CryptoSigner(load_private(file, passphrase)) for file in files_in(places, "*.pem"))
    return {signer.public_key.keyid: signer for signer in signers}


def _sign_root(folder: Path, root: Root, signers: Iterable[CryptoSigner], before: Root | None = None) -> None:
    """Write the next root, signed by enough of the keys of itself and of the root before."""
    at_hand = {signer.public_key.keyid: signer for signer in signers}
    for needed in filter(None, (root, before)):
        role = needed.roles[Root.type]
        if len(at_hand.keys() & set(role.keyids)) < role.threshold:
            raise BadInput(
                f"A new root needs {role.threshold} root keys, and fewer are at hand. "
                "Name the places of the others with: --with PLACE"
            )
    count = set(root.roles[Root.type].keyids) | set(before.roles[Root.type].keyids if before else ())
    content = signed(root, [signer for keyid, signer in at_hand.items() if keyid in count])
    durable.replace(folder / "metadata" / f"{root.version}.root.json", content)
