"""The models of the settings, checked and opened; what is installed and what could be.

Rules of this module: no network (fetch.py has it) and nothing heavy at import: the adapters load
when a model does. Every file is checked against its recorded sha256 each time a model is opened
(about 20 ms for the default one). A missing model is an error, never a silent skip; only the
empty name means none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import BadSettings
from appliance.model_errors import ModelDamaged, ModelMissing, ModelUnusable
from appliance.models.entries import (
    GGUF,
    PROJECTOR,
    Entry,
    State,
    entry_named,
    expected,
    folder_of,
    models_folder,
    read_catalogue,
    read_lock,
)
from appliance.models.llama.turns import Turns
from appliance.models.protocols import Embedder, FigureReader, Generator, Reranker
from appliance.settings import LlmSettings, ModelSettings

_SHIPPED = "It ships with the program: install it again (in a checkout: git checkout data/models)."
REST_MIB = 2048  # of the system, the search and its page (about 700 MB measured), and some to spare
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
    from appliance.models.onnx import OnnxEmbedder  # noqa: PLC0415 - listing needs no onnxruntime
    from appliance.models.session import thread_count  # noqa: PLC0415 - idem

    entry, folder = embedder_files(settings)
    return OnnxEmbedder(entry, folder, fingerprint(settings, entry), thread_count(settings.threads))


def embedder_files(settings: ModelSettings) -> tuple[Entry, Path]:
    """Return the embedder of the settings and its folder, its files checked; raises as `load_embedder`."""
    entry = _entry(settings, settings.embedder, "embedder")
    return entry, check(settings, entry)


def load_reranker(settings: ModelSettings, embedder: Embedder) -> Reranker | None:
    """Return the reranker of the settings, None where its name is empty.

    Raises:
        ModelMissing, ModelDamaged, ModelUnusable: with the command that mends it.
    """
    if not settings.reranker:
        return None
    entry = _entry(settings, settings.reranker, "reranker")
    if entry.adapter == "late-interaction":
        return _over_vectors(settings, entry, embedder)
    from appliance.models.cross import CrossEncoder, SecondReading  # noqa: PLC0415 - as above
    from appliance.models.session import thread_count  # noqa: PLC0415 - as above

    cross = CrossEncoder(entry, check(settings, entry), thread_count(settings.threads))
    if not entry.beside:
        return cross
    base = _entry(settings, entry.base, "reranker")
    if base.adapter != "late-interaction":
        raise ModelUnusable(entry.name, f"it stands beside {base.name}, which is not over token vectors")
    return SecondReading(_over_vectors(settings, base, embedder), cross, entry)


def _over_vectors(settings: ModelSettings, entry: Entry, embedder: Embedder) -> Reranker:
    """Return late interaction, with the head of the entry where it has one; raises as `load_reranker`."""
    from appliance.models.head import FILE, read_head  # noqa: PLC0415 - as above
    from appliance.models.late import LateInteraction  # noqa: PLC0415 - as above

    if not entry.files:
        return LateInteraction(embedder)
    path = check(settings, entry) / FILE
    head = read_head(entry.name, path, embedder.fingerprint, embedder.token_dimension)
    return LateInteraction(embedder, head, entry.name)


def load_generator(settings: ModelSettings, llm: LlmSettings, turns: Turns | None = None) -> Generator | None:
    """Return the language model of the settings, None where its name is empty; its process starts later.

    Those that share `turns` write one at a time.

    Raises:
        ModelMissing, ModelDamaged, ModelUnusable: with the command that mends it.
    """
    if not llm.model:
        return None
    from appliance.models.llama.handle import open_generator  # noqa: PLC0415 - as above

    entry = _entry(settings, llm.model, "generator")
    folder = check(settings, entry)
    (file,) = (file for file in entry.files if file.path == GGUF) if len(entry.files) > 1 else entry.files
    return open_generator(entry, folder / file.path, _recorded(settings, entry)[file.path], llm, turns=turns)


def load_figure_reader(
    settings: ModelSettings, llm: LlmSettings, turns: Turns | None = None
) -> FigureReader | None:
    """Return the vision model of the settings, None where its name is empty; its process starts later.

    Raises:
        ModelMissing, ModelDamaged, ModelUnusable: with the command that mends it.
    """
    if not llm.vision:
        return None
    from appliance.models.figures import PromptedReader  # noqa: PLC0415 - as above
    from appliance.models.llama.handle import open_generator  # noqa: PLC0415 - as above

    entry = _entry(settings, llm.vision, "vision")
    folder, files = check(settings, entry), _recorded(settings, entry)
    if not {GGUF, PROJECTOR} <= set(files):
        why = f"a vision model is two files, {GGUF} and {PROJECTOR}: add both with --projector"
        raise ModelUnusable(entry.name, why)
    generator = open_generator(
        entry, folder / GGUF, files[GGUF], llm, projector=folder / PROJECTOR, turns=turns
    )
    return PromptedReader(generator, (files[GGUF], files[PROJECTOR]))


def check(settings: ModelSettings, entry: Entry) -> Path:
    """Return the folder of a model whose every file is there and is the one recorded.

    Raises:
        ModelMissing: a file is absent.
        ModelUnusable: a file is there, but was never recorded.
        ModelDamaged: a file is another one.
    """
    folder = folder_of(settings, entry)
    lock = read_lock(models_folder(settings)).get(entry.name, {})
    for file in entry.files:
        path = folder / file.path
        recorded = expected(file, lock)
        if not path.is_file():
            raise ModelMissing(entry.name, path, _mend(entry))
        if recorded is None:
            why = f"{path} was neither fetched nor added by this program, so nobody vouches for it"
            raise ModelUnusable(entry.name, why)
        if path.stat().st_size != recorded.size or sha256_of(path) != recorded.sha256:
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
    lock = read_lock(models_folder(settings))
    listed = []
    for entry in read_catalogue(settings).values():
        known = [expected(file, lock.get(entry.name, {})) for file in entry.files]
        size = sum(item.size for item in known if item)
        listed.append(Listed(entry, _state(settings, entry), size))
    return sorted(listed, key=lambda item: (item.entry.role, item.entry.name))


def fingerprint(settings: ModelSettings, entry: Entry) -> str:
    """Return the model's name and a digest of all that decides its vectors: files, fields and recipe."""
    lock = read_lock(models_folder(settings)).get(entry.name, {})
    parts = [RECIPE, entry.pooling, entry.query_prefix, entry.passage_prefix]
    parts += [str(entry.max_tokens), str(entry.token_dimension)]
    for file in entry.files:
        recorded = expected(file, lock)
        parts.append(f"{file.path}={recorded.sha256 if recorded else ''}")
    return f"{entry.name}:{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:16]}"


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def recommended(entries: Iterable[Entry], memory_mib: int, cores: int) -> Entry | None:
    """Return the largest generator that a machine can hold beside the search and waits for gladly."""
    room = memory_mib - REST_MIB
    fitting = [
        entry
        for entry in entries
        if entry.role == "generator" and 0 < entry.ram_mib <= room and 0 < entry.cores <= cores
    ]
    return max(fitting, key=lambda entry: (entry.cores, entry.ram_mib), default=None)


def _entry(settings: ModelSettings, name: str, role: str) -> Entry:
    """Return the entry that the settings name, refusing one of another role or one to be exported."""
    if not name:
        message = (
            f"The settings name no {role} (models.{role}); the default is {getattr(ModelSettings(), role)}."
        )
        raise BadSettings(message)
    entry = entry_named(settings, name)
    if entry.role != role:
        raise ModelUnusable(name, f"its role is {entry.role}, not {role}")
    if entry.export:
        raise ModelUnusable(name, "it is only the weights of a model, to be exported first")
    return entry


def _recorded(settings: ModelSettings, entry: Entry) -> dict[str, str]:
    """Return the sha256 of each file of an entry that was checked, by its path."""
    lock = read_lock(models_folder(settings)).get(entry.name, {})
    found = ((file.path, expected(file, lock)) for file in entry.files)
    return {path: recorded.sha256 for path, recorded in found if recorded}


def _state(settings: ModelSettings, entry: Entry) -> State:
    folder = folder_of(settings, entry)
    if not entry.files:
        return "built in"
    if all((folder / file.path).is_file() for file in entry.files):
        return "installed"
    return "to fetch and export" if entry.export else "to fetch"


def _mend(entry: Entry) -> str:
    """Return what mends a model, "" where it is to be fetched."""
    if entry.shipped:
        return _SHIPPED
    return "" if entry.repository else f"Add it again with: appliance models add FILE --name {entry.name}"
