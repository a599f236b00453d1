"""What a bundle may be trusted with: python-tuf walks its metadata, from those trusted before."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

from securesystemslib.exceptions import Error as KeyTrouble
from tuf.api import exceptions as tuf_errors
from tuf.api.metadata import Metadata, Root, Targets, Timestamp
from tuf.ngclient import Updater, UpdaterConfig

from appliance.core.errors import UpdateRefused
from appliance.update.intake.stick import ADDRESS, Stick
from appliance.update.values import Trust, Wanted
from appliance.update.words import refusal

ROLES = ("timestamp", "snapshot", "targets")
LISTED = "its signed list of files"
_LIMITS = UpdaterConfig(root_max_length=64_000, snapshot_max_length=64_000)


_UNREADABLE = (KeyTrouble, ValueError, RecursionError)  # what parsers raise on hostile metadata
_REASONS = (
    (tuf_errors.BadVersionNumberError, "older"),
    (tuf_errors.ExpiredMetadataError, "expired"),
    (tuf_errors.UnsignedMetadataError, "foreign"),
)


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk along the metadata of a stick came to: the new trust, and why it went no further."""

    trust: Trust
    refused: UpdateRefused | None = None


def first_trust(root: bytes) -> Trust:
    """Return the trust that a box begins with; raises UpdateRefused for what is no valid root."""
    try:
        metadata = Metadata[Root].from_bytes(root)
        metadata.verify_delegate(Root.type, metadata)
    except (tuf_errors.RepositoryError, *_UNREADABLE) as error:
        raise refusal("damaged", name="the file of the keys") from error
    return Trust(root.decode())


def walk(trust: Trust, stick: Stick) -> Walked:
    """Return what the stick may be trusted with.

    A newer root counts even where the rest is refused: a key that was revoked stays revoked.
    """
    with tempfile.TemporaryDirectory(prefix="bundle-") as name:
        scratch = Path(name)
        for role in ROLES:
            if content := getattr(trust, role):
                (scratch / f"{role}.json").write_text(content, encoding="utf-8")
        refused = _refresh(scratch, trust, stick)
        root = _text(scratch / "root.json") or trust.root
        if refused:
            return Walked(Trust(root, trust.timestamp, trust.snapshot, trust.targets), refused)
        return Walked(Trust(root, *(_text(scratch / f"{role}.json") for role in ROLES)))


def _refresh(scratch: Path, trust: Trust, stick: Stick) -> UpdateRefused | None:
    try:
        Updater(
            str(scratch),
            f"{ADDRESS}metadata/",
            fetcher=stick,
            config=_LIMITS,
            bootstrap=trust.root.encode(),
        ).refresh()
        return _twin(_text(scratch / f"{Timestamp.type}.json"), stick)
    except UpdateRefused as error:
        return error
    except tuf_errors.DownloadHTTPError as error:
        return refusal("half", name=str(error))
    except (tuf_errors.DownloadError, tuf_errors.RepositoryError, *_UNREADABLE) as error:
        code = next((code for kind, code in _REASONS if isinstance(error, kind)), None)
        return refusal(code, versions="") if code else refusal("damaged", name=LISTED)


def _twin(trusted: str, stick: Stick) -> UpdateRefused | None:
    """Refuse a bundle that has the version of the one that is trusted, and other content.

    python-tuf passes over it without a word, as a client asks a repository again and again for what it has.
    """
    ours = Metadata[Timestamp].from_bytes(trusted.encode()).signed
    content = stick.read(f"metadata/{Timestamp.type}.json", _LIMITS.timestamp_max_length)
    theirs = Metadata[Timestamp].from_bytes(content).signed
    if ours.version == theirs.version and ours.snapshot_meta != theirs.snapshot_meta:
        return refusal("twin", version=ours.version)
    return None


def is_signed(kept: Trust, newest: Trust) -> bool:
    """Tell whether the keys of the newest root have signed every part of metadata that were kept."""
    try:
        root = Metadata[Root].from_bytes(newest.root.encode())
        for role in ROLES:
            root.verify_delegate(role, Metadata.from_bytes(getattr(kept, role).encode()))
    except (tuf_errors.RepositoryError, *_UNREADABLE):
        return False
    return True


def wanted(trust: Trust) -> tuple[Wanted, ...]:
    """Return the files that trusted metadata name, by name; raises UpdateRefused."""
    try:
        signed = Metadata[Targets].from_bytes(trust.targets.encode()).signed
        named = sorted(signed.targets.items())
        return tuple(Wanted(name, target.length, target.hashes["sha256"]) for name, target in named)
    except (tuf_errors.RepositoryError, KeyError) as error:
        raise refusal("damaged", name=LISTED) from error


def version_of(trust: Trust) -> int:
    """Return the version of the bundle whose metadata these are, 0 for none."""
    return Metadata[Targets].from_bytes(trust.targets.encode()).signed.version if trust.targets else 0


def key_set(trust: Trust) -> str:
    """Return a digest of the keys that sign bundles; a floor holds for the versions that they signed."""
    role = Metadata[Root].from_bytes(trust.root.encode()).signed.roles[Targets.type]
    return hashlib.sha256(" ".join([str(role.threshold), *sorted(role.keyids)]).encode()).hexdigest()[:16]


def root_version(trust: Trust) -> int:
    """Return the version of the root."""
    return Metadata[Root].from_bytes(trust.root.encode()).signed.version


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
