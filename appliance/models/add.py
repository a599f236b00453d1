"""Make a model that is on this machine already one of the catalogue.

Rules of this module: the files are copied into the models folder and their sha256 recorded there,
so that the original may go; nothing is fetched, nothing is run.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from appliance.errors import BadInput
from appliance.models.catalogue import sha256_of
from appliance.models.entries import (
    ADDED,
    Entry,
    File,
    models_folder,
    read_added,
    read_catalogue,
    write_whole,
)
from appliance.settings import ModelSettings

RECORD = "export.json"


def add(settings: ModelSettings, source: Path, entry: Entry | None = None) -> Entry:
    """Copy a model's folder (or its one file) into the models folder and return its entry.

    An exported model brings its own entry; for any other `entry` says name, role, adapter and licence.

    Raises:
        BadInput: nothing there, no entry, or the name is already that of a shipped model.
    """
    entry = entry or _own_entry(source)
    known = read_catalogue(settings).get(entry.name)
    if known and known.shipped:
        message = f"{entry.name} is the name of a model that ships with the program: choose another."
        raise BadInput(message)
    paths = sorted(path for path in source.rglob("*") if path.is_file()) if source.is_dir() else [source]
    paths = [path for path in paths if path.name != RECORD]
    if not paths or not all(path.is_file() for path in paths):
        message = f"There is no model at {source}."
        raise BadInput(message)
    root = source if source.is_dir() else source.parent
    folder = models_folder(settings) / entry.name
    files = tuple(_copy(path, root, folder) for path in paths)
    entry = msgspec.structs.replace(entry, files=files, shipped=False, export=False)
    _register(models_folder(settings), entry)
    return entry


def _own_entry(source: Path) -> Entry:
    """Return the entry that the export wrote beside the model."""
    try:
        record = msgspec.json.decode((source / RECORD).read_bytes(), type=dict[str, msgspec.Raw])
        return msgspec.json.decode(record["entry"], type=Entry)
    except (OSError, KeyError, msgspec.DecodeError):
        message = f"{source} has no {RECORD} of an export: say its name, role and licence."
        raise BadInput(message) from None


def _copy(path: Path, root: Path, folder: Path) -> File:
    name = path.relative_to(root).as_posix()
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(target.name + ".new")
    shutil.copyfile(path, beside)
    beside.replace(target)
    return File(path=name, sha256=sha256_of(target), size=target.stat().st_size)


def _register(folder: Path, entry: Entry) -> None:
    added = read_added(folder) | {entry.name: entry}
    content = msgspec.json.encode(
        {name: msgspec.structs.replace(item, name="") for name, item in added.items()}
    )
    write_whole(folder / ADDED, msgspec.json.format(content, indent=2))
