"""What the catalogue says of a model, and where its files lie.

Rules of this module: an entry is frozen and refuses unknown keys. The catalogue that ships
(`data/models/catalogue.toml`) is joined with what the user added (`added.json` in the models
folder). A file's sha256 is the catalogue's, or, where that was not yet known, the one recorded at
the first fetch (`models.lock.json`); either way it is checked ever after.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from appliance.errors import BadInput
from appliance.paths import data_folder
from appliance.settings import ModelSettings

Role = Literal["embedder", "reranker", "generator", "vision"]
Adapter = Literal["encoder", "cross-encoder", "late-interaction", "gguf"]
State = Literal["installed", "to fetch", "to fetch and export", "built in"]


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One file of a model. `remote` is its path at the origin where that differs; size in bytes."""

    path: str
    sha256: str = ""
    size: int = 0
    remote: str = ""

    def __post_init__(self) -> None:
        parts = PurePosixPath(self.path)
        if parts.is_absolute() or ".." in parts.parts or "\\" in self.path or self.path in {"", "."}:
            message = f"the path {self.path!r} leaves the model's folder"
            raise ValueError(message)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One model. Files that are `weights` are fetched as the input of an export, not to be run."""

    name: str = ""
    role: Role
    adapter: Adapter
    summary: str
    licence: str
    repository: str = ""
    revision: str = "main"
    shipped: bool = False
    export: bool = False  # its files are weights to export, not a model to run
    files: tuple[File, ...] = ()
    dimension: int = 0
    token_dimension: int = 0  # 0: as `dimension`; a multiple of four
    max_tokens: int = 256
    ram_mib: int = 0
    pooling: Literal["mean", "cls"] = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    model: str = "model.onnx"
    tokenizer: str = "tokenizer.json"
    score: Literal["logit", "tokens"] = "logit"  # of a cross-encoder: its output, or from token vectors
    beside: float = 0.0  # what the logit of a cross-encoder counts beside the scores of `base`; 0: alone
    base: str = ""  # the reranker over token vectors that it stands beside
    reads: int = 40  # best places that it reads
    projection: str = ""
    context: int = 0  # tokens that a generator was trained for
    cores: int = 0  # physical ones from which a generator writes fast enough to wait for
    template: str = ""  # how its prompts are written; that of the file is used, this says what to expect
    sources: tuple[str, ...] = ()  # of what is said here: "claim: address"
    unconfirmed: str = ""  # what is said here without a source


class Recorded(msgspec.Struct, frozen=True):
    """What the first fetch of a file found."""

    sha256: str
    size: int
    url: str


Lock = dict[str, dict[str, Recorded]]  # model name -> file path -> what was found
GGUF = "model.gguf"  # the language model among the files of an entry
PROJECTOR = "mmproj.gguf"  # what turns pictures into tokens for it
LOCK = "models.lock.json"
ADDED = "added.json"
LONGEST_NAME = 100
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")  # a folder's name too
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


def shipped_folder() -> Path:
    """Return the folder of the models that ship with the program."""
    return data_folder() / "models"


def models_folder(settings: ModelSettings) -> Path:
    """Return the folder that models are fetched into: the one of the settings, or the shipped one."""
    return shipped_folder() if settings.folder == Path() else settings.folder


def read_catalogue(settings: ModelSettings) -> dict[str, Entry]:
    """Return all entries by name, those of the user last."""
    return read_shipped() | read_added(models_folder(settings))


def read_shipped() -> dict[str, Entry]:
    """Return the entries of the catalogue that ships, by name."""
    path = shipped_folder() / "catalogue.toml"
    return _decode(path, tomllib.loads(path.read_text(encoding="utf-8")).get("models", {}))


def read_added(folder: Path) -> dict[str, Entry]:
    """Return the entries that the user added in this folder, by name."""
    path = folder / ADDED
    return _decode(path, _json(path)) if path.is_file() else {}


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there whole."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(content)
    beside.replace(path)


def entry_named(settings: ModelSettings, name: str) -> Entry:
    """Return the entry of this name.

    Raises:
        BadInput: the catalogue has none.
    """
    entries = read_catalogue(settings)
    if name not in entries:
        message = f"There is no model {name} in the catalogue. Known are: {', '.join(sorted(entries))}."
        raise BadInput(message)
    return entries[name]


def folder_of(settings: ModelSettings, entry: Entry) -> Path:
    """Return the folder of a model's files; the user's copy goes before the one that ships."""
    own = models_folder(settings) / entry.name
    return own if own.is_dir() or not entry.shipped else shipped_folder() / entry.name


def read_lock(folder: Path) -> Lock:
    """Return what was recorded at first fetches into this folder."""
    path = folder / LOCK
    if not path.is_file():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lock)
    except msgspec.DecodeError as error:
        message = f"{path} is damaged ({error}). Remove it and fetch the models again."
        raise BadInput(message) from None


def expected(file: File, lock: dict[str, Recorded]) -> Recorded | None:
    """Return the sha256 and size that the file must have; None where nobody has seen it yet."""
    if file.sha256:
        return Recorded(file.sha256, file.size, "")
    return lock.get(file.path)


def name_of(path: Path) -> str:
    """Return a name for the model in a file: that of the file, with dashes ("a (1)" gives "a-1")."""
    name = _NOT_IN_NAMES.sub("-", path.stem).strip("-._")
    return name[:LONGEST_NAME] or "model"


def refuse_name(name: str) -> None:
    """Raise BadInput where a name could not be that of a model, and of its folder."""
    if not _NAME.fullmatch(name):
        message = (
            f"{name!r} is no name for a model (letters, digits, dots, dashes). Choose another with --name."
        )
        raise BadInput(message)


def _json(path: Path) -> object:
    try:
        return msgspec.json.decode(path.read_bytes())
    except msgspec.DecodeError as error:
        message = f"{path} is not valid JSON: {error}."
        raise BadInput(message) from None


def _decode(path: Path, data: object) -> dict[str, Entry]:
    try:
        entries = msgspec.convert(data, dict[str, Entry])
    except msgspec.ValidationError as error:
        message = f"{path}: {error}."
        raise BadInput(message) from None
    for name in entries:
        if not _NAME.fullmatch(name):
            message = f"{path}: {name!r} is no name for a model (letters, digits, dots, dashes)."
            raise BadInput(message)
    return {name: msgspec.structs.replace(entry, name=name) for name, entry in entries.items()}
