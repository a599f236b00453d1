"""A head that was trained here, as a model of the catalogue.

Rules of this module: `train reranker` leaves a folder with a head and its record, which says of its data,
licences, recipe and figures; both are taken, so that the record stays with the model as its card. The rest
of the folder (vectors that were made on the way) is left. A head without its record is refused.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from appliance.errors import BadInput
from appliance.models.entries import Entry, name_of
from appliance.models.head import FILE, open_head

RECORD, PLOT = "training.json", "curve.svg"


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


def is_head(source: Path) -> bool:
    """Tell whether a folder holds a trained head."""
    return (source / FILE).is_file()


def head_files(source: Path) -> list[Path]:
    """Return what is taken of the folder of a trained head."""
    return [source / name for name in (FILE, PLOT, RECORD) if (source / name).is_file()]


def head_entry(source: Path, name: str, licence: str) -> Entry:
    """Return the entry of a trained head, named as its folder where nothing is said.

    Raises:
        BadInput: no licence is said, or its record is not there or is none.
        ModelUnusable: its file is no head.
    """
    name = name or name_of(source.resolve())
    if not licence:
        message = f"Say under which licence the head in {source} may be used: --licence."
        raise BadInput(message)
    head = open_head(name, source / FILE)
    learned = read_record(source / RECORD).learned
    return Entry(
        name=name,
        role="reranker",
        adapter="late-interaction",
        summary=f"late-interaction with a head trained on {learned}; over {head.embedder} alone; "
        f"{RECORD} beside it has recipe and figures",
        licence=licence,
    )


def read_record(path: Path) -> Record:
    """Return the record of a training; raises BadInput where it is not there or is none."""
    try:
        record = msgspec.json.decode(path.read_bytes(), type=Record)
    except OSError:
        message = f"There is no {path}: a model goes with the record of its training, written beside it."
        raise BadInput(message) from None
    except msgspec.DecodeError as error:
        message = f"{path} is not the record of a training: {error}."
        raise BadInput(message) from None
    if not record.data:
        message = f"{path} names no data that it was trained on."
        raise BadInput(message)
    return record
