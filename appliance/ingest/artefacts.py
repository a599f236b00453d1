"""What was read from a PDF, kept on disk, so that an unchanged file is never read twice."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from appliance.core.document import Document, PageImage
from appliance.core.files import content_hash, data_folder, write_whole
from appliance.core.own_modules import behind
from appliance.text.folding import language_file

_PACKAGE = Path(__file__).parent
LIBRARIES = ("pymupdf", "rapidocr", "onnxruntime")  # of which another version may read otherwise


class Artefact(msgspec.Struct, frozen=True):
    """One document as read, and its page images."""

    document: Document
    images: tuple[PageImage, ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Artefact)


@cache
def reader_version() -> str:
    """Return a hash of the code, libraries, schemes and vocabularies that decide how a PDF is read."""
    code = behind(_PACKAGE.rglob("*.py"))
    names = ("schemes", "schemes/languages", "references", "references/languages", "sentences", "structure")
    folders = [data_folder(), *(data_folder() / name for name in names)]
    data = [path for folder in folders for path in folder.glob("*.toml")]
    libraries = " ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    files = [path for path in (*code, *data, language_file()) if path.is_file()]
    return content_hash(sorted(files), libraries)


def _version(package: str) -> str:
    """Return the version of a package; what is read without it is read again once it is there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def key_of(pdf_sha256: str, document_id: str, *decided_by: object) -> str:
    """Return the name of the artefact; `decided_by` are values whose repr decides the content."""
    parts = (pdf_sha256, document_id, reader_version(), *map(repr, decided_by))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def save(folder: Path, key: str, artefact: Artefact) -> None:
    """Write the artefact."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{key}.msgpack", _ENCODER.encode(artefact))


def load(folder: Path, key: str, images: Path) -> Artefact | None:
    """Return the artefact, or None where it is absent, damaged, or one of its images is gone."""
    path = folder / f"{key}.msgpack"
    try:
        artefact = _DECODER.decode(path.read_bytes())
        os.utime(path)
    except (OSError, msgspec.DecodeError):
        return None
    names = (name for image in artefact.images for name in (image.large, image.phone))
    return artefact if all((images / name).exists() for name in names) else None
