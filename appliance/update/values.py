"""What a bundle says of itself, and what a box knows: frozen values, and their JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

FORMAT = 1  # of the release; raised when a program of before must not take a bundle on
LIBRARY = "codes.db"  # its name in every generation; the page images stand in codes.db.images
REVIEW = "codes.db.review.jsonl"
RELEASE = "release.json"
IMAGES = "images.json"
IMAGE_FOLDER = "codes.db.images"
MODELS = "models"
Progress = Callable[[str, int, int], None]  # what is being done, bytes done, bytes in all


class Golden(msgspec.Struct, frozen=True):
    """A question that the trial puts: the place must be among the first `within`."""

    question: str
    document: str
    label: str
    within: int


class Loaded(msgspec.Struct, frozen=True):
    """A document of the library, for people to read."""

    id: str
    designation: str
    title: str
    edition: str
    status: str


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """What a bundle is: its version describes the whole intended state of a box."""

    format: int
    version: int
    box: str = ""  # the name of the only box that it is for, "" for any
    program: str = ""
    schema: int = 0
    library: str = ""  # content version of the library
    documents: tuple[Loaded, ...] = ()
    golden: tuple[Golden, ...] = ()
    notes: str = ""
    closes: tuple[str, ...] = ()  # questions without an answer that it answers now
    unpacked: int = 0  # bytes that its wheels become
    base: int = 0  # the version before, where files that it has may have been left off


class Pack(msgspec.Struct, frozen=True):
    """A file of page images one after the other; an image is (name in the folder, length)."""

    name: str
    images: tuple[tuple[str, int], ...]


class Wanted(msgspec.Struct, frozen=True):
    """A file that the signed metadata name."""

    name: str
    length: int
    sha256: str

    @property
    def place(self) -> str:
        """Return where it lies on the stick."""
        return f"targets/{self.sha256}"


class File(msgspec.Struct, frozen=True):
    """A file of an installed generation."""

    name: str
    size: int
    sha256: str


class Installed(msgspec.Struct, frozen=True):
    """What a generation consists of (installed.json); `digest` is of the signed list of its files."""

    release: Release
    digest: str
    files: tuple[File, ...]

    @property
    def by_hash(self) -> Mapping[str, File]:
        """Return the files by their sha256."""
        return {file.sha256: file for file in self.files}


class Trust(msgspec.Struct, frozen=True):
    """The newest metadata that were found valid, as their JSON; "" for none yet."""

    root: str
    timestamp: str = ""
    snapshot: str = ""
    targets: str = ""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The one pointer of a box (state.json). Generations are named by their folders, "" for none."""

    box: str = ""
    current: str = ""
    previous: str = ""
    staged: str = ""  # complete and verified, waiting for a person
    trying: str = ""
    tries: int = 0  # left, lowered before each
    failed: str = ""  # digest of the release that did not work
    damaged: str = ""  # the generation in which the scrub found a changed byte
    floor: int = 0  # no version below it is taken on ...
    key_set: str = ""  # ... that these keys have signed
    trust: str = ""  # name of the file in trust/
    trust_of_staged: str = ""  # takes its place when the staged generation has worked
    signed: str = ""  # the trust under which the present generation was taken on, "" for not known ...
    signed_before: str = ""  # ... and the one before: its keys may have been revoked since
    untrusted: str = ""  # the present generation, where its keys were revoked: served, and that is said

    @property
    def trusts(self) -> tuple[str, ...]:
        """Return the names of all trusted metadata that it needs."""
        return self.trust, self.trust_of_staged, self.signed, self.signed_before
