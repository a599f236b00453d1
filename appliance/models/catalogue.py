"""The catalogue of models: what is installed, what could be, and the models of the settings opened."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from appliance.core.decoding import convert
from appliance.core.errors import BadInput, BadSettings, ModelDamaged, ModelMissing, ModelUnusable
from appliance.core.files import data_folder, sha256_of, write_whole
from appliance.core.settings import LlmSettings, ModelSettings
from appliance.models.llama.service import Turns
from appliance.models.prompts import FigureReader
from appliance.models.protocols import Embedder, Generator, Reranker

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
            raise ValueError(f"the path {self.path!r} leaves the model's folder")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One model. Files that are `weights` are fetched as the input of an export, not to be run."""

    name: str = ""
    role: Role
    adapter: Adapter
    summary: str
    licence: str
    repository: str = ""
    package: str = ""  # the Python package, "name==version", whose file it is
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
    projection: str = ""
    context: int = 0  # tokens that a generator was trained for
    cores: int = 0  # physical ones from which a generator writes fast enough to wait for
    template: str = ""  # how its prompts are written; that of the file is used, this says what to expect
    sources: tuple[str, ...] = ()  # of what is said here: "claim: address"
    unconfirmed: str = ""  # what is said here without a source


GGUF = "model.gguf"  # the language model among the files of an entry
PROJECTOR = "mmproj.gguf"  # what turns pictures into tokens for it
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
    """Return the entries that were added in this folder, or whose files were fetched into it, by name."""
    path = folder / ADDED
    try:
        return _decode(path, msgspec.json.decode(path.read_bytes()) if path.is_file() else {})
    except msgspec.DecodeError as error:
        raise BadInput(f"{path} is not valid JSON: {error}.") from None


def register(folder: Path, entry: Entry) -> None:
    """Let an entry, with the sha256 of its files, be one of those of this folder."""
    write_added(folder, read_added(folder) | {entry.name: entry})


def write_added(folder: Path, added: Mapping[str, Entry]) -> None:
    """Let these be the entries of a folder."""
    named = {name: msgspec.structs.replace(entry, name="") for name, entry in added.items()}
    write_whole(folder / ADDED, msgspec.json.format(msgspec.json.encode(named), indent=2))


def entry_named(settings: ModelSettings, name: str, role: str = "") -> Entry:
    """Return the entry of this name.

    Raises:
        BadInput: the catalogue has none; known are those of the role.
    """
    entries = read_catalogue(settings)
    if name not in entries:
        known = ", ".join(sorted(one.name for one in entries.values() if role in {"", one.role}))
        raise BadInput(f"There is no model {name[:40]} in the catalogue. Known are: {known}.")
    return entries[name]


def folder_of(settings: ModelSettings, entry: Entry) -> Path:
    """Return the folder of a model's files; the user's copy goes before the one that ships."""
    own = models_folder(settings) / entry.name
    return own if own.is_dir() or not entry.shipped else shipped_folder() / entry.name


def file_of(name: str, path: Path, remote: str = "") -> File:
    """Return what is recorded of a file that is there, named so among those of its model."""
    return File(path=name, sha256=sha256_of(path), size=path.stat().st_size, remote=remote)


def package_name(entry: Entry) -> str:
    """Return the name of the package of an entry, without its version."""
    return entry.package.partition("==")[0]


def name_of(path: Path) -> str:
    """Return a name for the model in a file: that of the file, with dashes ("a (1)" gives "a-1")."""
    name = _NOT_IN_NAMES.sub("-", path.stem).strip("-._")
    return name[:LONGEST_NAME] or "model"


def refuse_name(name: str) -> None:
    """Raise BadInput where a name could not be that of a model, and of its folder."""
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"{name!r} is no name for a model (letters, digits, dots, dashes). Choose another with --name."
        )


def _decode(path: Path, data: object) -> dict[str, Entry]:
    try:
        entries = convert(data, dict[str, Entry])
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: {error}.") from None
    if bad := next((name for name in entries if not _NAME.fullmatch(name)), None):
        raise BadInput(f"{path}: {bad!r} is no name for a model (letters, digits, dots, dashes).")
    return {name: msgspec.structs.replace(entry, name=name) for name, entry in entries.items()}


RECIPE = "1"  # raised whenever the code that makes vectors changes them


@dataclass(frozen=True, slots=True)
class Listed:
    """A model of the catalogue with its state on this machine; size in bytes, 0 where unknown."""

    entry: Entry
    state: State
    size: int


def load_embedder(settings: ModelSettings) -> Embedder:
    """Return the embedder of the settings, its files checked.

    Raises:
        ModelMissing, ModelDamaged, ModelUnusable: with the command that mends it.
    """
    from appliance.models.encoder import OnnxEmbedder  # noqa: PLC0415 - listing needs no onnxruntime
    from appliance.models.session import thread_count  # noqa: PLC0415 - idem

    entry, folder = embedder_files(settings)
    return OnnxEmbedder(entry, folder, fingerprint(entry), thread_count(settings.threads))


def embedder_files(settings: ModelSettings) -> tuple[Entry, Path]:
    """Return the embedder of the settings and its folder, its files checked; raises as `load_embedder`."""
    return _checked(settings, settings.embedder, "embedder")


def load_reranker(settings: ModelSettings, embedder: Embedder) -> Reranker | None:
    """Return the reranker of the settings, None where its name is empty; raises as `load_embedder`."""
    if not settings.reranker:
        return None
    entry, folder = _checked(settings, settings.reranker, "reranker")
    if entry.adapter == "cross-encoder":
        from appliance.models.encoder import CrossEncoder  # noqa: PLC0415 - as above
        from appliance.models.session import thread_count  # noqa: PLC0415 - as above

        return CrossEncoder(entry, folder, thread_count(settings.threads))
    from appliance.models.late_interaction import FILE, LateInteraction, read_head  # noqa: PLC0415 - as above

    if not entry.files:
        return LateInteraction(embedder)
    head = read_head(entry.name, folder / FILE, embedder.fingerprint, embedder.token_dimension)
    return LateInteraction(embedder, head, entry.name)


def load_generator(settings: ModelSettings, llm: LlmSettings, turns: Turns | None = None) -> Generator | None:
    """Return the language model of the settings, None where its name is empty; its process starts later.

    Those that share `turns` write one at a time. Raises as `load_embedder`.
    """
    if not llm.model:
        return None
    from appliance.models.llama.handle import open_generator  # noqa: PLC0415 - as above

    entry, folder = _checked(settings, llm.model, "generator")
    (file,) = (file for file in entry.files if file.path == GGUF) if len(entry.files) > 1 else entry.files
    return open_generator(entry, folder / file.path, file.sha256, llm, turns=turns)


def load_figure_reader(
    settings: ModelSettings, llm: LlmSettings, turns: Turns | None = None
) -> FigureReader | None:
    """Return the vision model of the settings, None where its name is empty; its process starts later.

    Raises as `load_embedder`.
    """
    if not llm.vision:
        return None
    from appliance.models.llama.handle import open_generator  # noqa: PLC0415 - as above

    entry, folder = _checked(settings, llm.vision, "vision")
    files = {file.path: file.sha256 for file in entry.files}
    if not {GGUF, PROJECTOR} <= set(files):
        why = f"a vision model is two files, {GGUF} and {PROJECTOR}: add both with --projector"
        raise ModelUnusable(entry.name, why)
    generator = open_generator(
        entry, folder / GGUF, files[GGUF], llm, projector=folder / PROJECTOR, turns=turns
    )
    return FigureReader(generator, (files[GGUF], files[PROJECTOR]))


def check(settings: ModelSettings, entry: Entry) -> Path:
    """Return the folder of a model whose every file is there and is the one recorded.

    Raises:
        ModelMissing: a file is absent.
        ModelUnusable: a file is there, but was never recorded.
        ModelDamaged: a file is another one.
    """
    folder = folder_of(settings, entry)
    for file in entry.files:
        path = folder / file.path
        if not path.is_file():
            raise ModelMissing(entry.name, path, _mend(entry))
        if not file.sha256:
            why = f"{path} was neither fetched nor added by this program, so nobody vouches for it"
            raise ModelUnusable(entry.name, why)
        if path.stat().st_size != file.size or sha256_of(path) != file.sha256:
            raise ModelDamaged(entry.name, path, _mend(entry))
    return folder


def verify(settings: ModelSettings, entry: Entry) -> str:
    """Return "" for a model that is whole, else the sentence that says what is wrong."""
    try:
        check(settings, entry)
    except (ModelMissing, ModelDamaged, ModelUnusable) as error:
        return str(error)
    return ""


def list_models(settings: ModelSettings) -> list[Listed]:
    """Return all models of the catalogue with their state, by role and name; no file is read."""
    listed = []
    for entry in read_catalogue(settings).values():
        folder = folder_of(settings, entry)
        state: State = "to fetch and export" if entry.export else "to fetch"
        if all((folder / file.path).is_file() for file in entry.files):
            state = "installed" if entry.files else "built in"
        listed.append(Listed(entry, state, sum(file.size for file in entry.files)))
    return sorted(listed, key=lambda item: (item.entry.role, item.entry.name))


def fingerprint(entry: Entry) -> str:
    """Return the model's name and a digest of all that decides its vectors: files, fields and recipe."""
    parts = [RECIPE, entry.pooling, entry.query_prefix, entry.passage_prefix]
    parts += [str(entry.max_tokens), str(entry.token_dimension)]
    parts += [f"{file.path}={file.sha256}" for file in entry.files]
    return f"{entry.name}:{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:16]}"


def _checked(settings: ModelSettings, name: str, role: str) -> tuple[Entry, Path]:
    """Return the entry that the settings name and its folder, refusing one of another role or to be exported.

    Its files are checked; one that is built in has none.
    """
    if not name:
        default = getattr(ModelSettings(), role)
        raise BadSettings(f"The settings name no {role} (models.{role}); the default is {default}.")
    entry = entry_named(settings, name, role)
    if entry.role != role:
        raise ModelUnusable(name, f"its role is {entry.role}, not {role}")
    if entry.export:
        raise ModelUnusable(name, "it is only the weights of a model, to be exported first")
    return entry, check(settings, entry)


def _mend(entry: Entry) -> str:
    """Return what mends a model, "" where it is to be fetched."""
    if entry.shipped:
        return "It ships with the program: install it again (in a checkout: git checkout data/models)."
    if entry.package:
        return f"Add it again with: appliance models add --package {package_name(entry)}"
    return "" if entry.repository else f"Add it again with: appliance models add FILE --name {entry.name}"
