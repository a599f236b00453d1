"""A teacher for a head: what a reader of pairs says of each question's list, kept beside the data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from appliance.core.errors import BadInput
from appliance.core.settings import ModelSettings
from appliance.models.catalogue import Entry, check, entry_named, sha256_of
from appliance.models.cross import CrossEncoder
from appliance.models.export import RECORD as EXPORTED
from appliance.models.protocols import Floats
from appliance.training.batches import Prior
from appliance.training.examples import Example, Parts
from appliance.training.sources import Progress

FOLDER = "teacher"
BESIDE = 0.2  # what the cosines of an encoder that was not trained to read pairs count beside a head's score
WINDOW = 128  # tokens of a pair that such an encoder reads
SHARP = 20.0  # how far scores that are cosines are drawn apart for the softmax; logits are as they are
Listed = Callable[[Example], Sequence[Parts]]  # the places of an example that a head may be shown


@dataclass(frozen=True, slots=True)
class Teacher:
    """A reader of pairs: name, hash of what it computes, logits, what one counts beside a base (0: alone)."""

    name: str
    digest: str
    logits: Callable[[str, Sequence[str]], Floats]
    beside: float
    sharpness: float


@dataclass(frozen=True, slots=True)
class Lessons:
    """What a teacher says of places, by question and parts, drawn apart for a softmax."""

    scores: Mapping[tuple[str, Parts], float]


class _Read(msgspec.Struct, frozen=True):
    """A line of the file: the logits of passages for one question."""

    question: str
    logits: dict[str, float]


def open_teacher(named: str, settings: ModelSettings, threads: int) -> Teacher:
    """Return the teacher of that name in the catalogue, or of the folder of an exported model.

    Raises:
        BadInput: there is none, or it cannot read pairs. ModelMissing, ModelDamaged: with what mends it.
    """
    if (Path(named) / EXPORTED).is_file():
        entry, folder = exported(Path(named)), Path(named)
    else:
        entry = entry_named(settings, named)
        folder = check(settings, entry)
    if entry.adapter == "encoder":
        entry = msgspec.structs.replace(
            entry,
            role="reranker",
            adapter="cross-encoder",
            score="tokens",
            max_tokens=WINDOW,
            beside=BESIDE,
        )
    if entry.adapter != "cross-encoder":
        message = f"{entry.name} cannot teach: it is no reader of pairs and no encoder but {entry.adapter}."
        raise BadInput(message)
    told = f"{sha256_of(folder / entry.model)} {entry.score} {entry.max_tokens}"
    cosines = entry.beside or entry.score == "tokens"
    return Teacher(
        entry.name,
        hashlib.sha256(told.encode()).hexdigest()[:16],
        CrossEncoder(entry, folder, threads).logits,
        entry.beside,
        SHARP if cosines else 1.0,
    )


def exported(folder: Path) -> Entry:
    """Return the entry of the model that was exported into a folder; raises BadInput where none was."""
    try:
        return msgspec.convert(msgspec.json.decode((folder / EXPORTED).read_bytes())["entry"], Entry)
    except (OSError, msgspec.MsgspecError, KeyError, TypeError) as error:
        message = f"{folder} is no exported model ({error}). Make it with: appliance models export"
        raise BadInput(message) from None


def lessons(
    teacher: Teacher,
    examples: Sequence[Example],
    texts: Mapping[str, str],
    *,
    base: Prior,
    listed: Listed,
    folder: Path,
    progress: Progress,
) -> Lessons:
    """Return what the teacher says of the listed places of the examples, reading what the folder lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{teacher.digest}.jsonl"
    kept = _kept(path)
    scores: dict[tuple[str, Parts], float] = {}
    for number, one in enumerate(examples, 1):
        chosen = {parts: _best(base(one.question, parts), parts) for parts in listed(one)}
        known = kept.setdefault(one.question, {})
        if missing := list(dict.fromkeys(part for _, part in chosen.values() if part not in known)):
            said = teacher.logits(one.question, [texts[part] for part in missing])
            known |= (new := dict(zip(missing, map(float, said), strict=True)))
            with path.open("ab") as file:
                file.write(msgspec.json.encode(_Read(one.question, new)) + b"\n")
        for parts, (score, part) in chosen.items():
            told = score + teacher.beside * known[part] if teacher.beside else known[part]
            scores[one.question, parts] = teacher.sharpness * told
        progress(number, len(examples))
    return Lessons(scores)


def _best(scores: Sequence[float], parts: Parts) -> tuple[float, str]:
    """Return the score and the name of the best part of a place, the first of equals."""
    best = max(range(len(parts)), key=lambda number: scores[number])
    return scores[best], parts[best]


def _kept(path: Path) -> dict[str, dict[str, float]]:
    """Return what was read before; a last line that was cut off is taken away, so that the next stands whole.

    Raises:
        BadInput: another line is broken.
    """
    content = path.read_bytes() if path.exists() else b""
    if content and not content.endswith(b"\n"):
        content = content[: content.rfind(b"\n") + 1]
        path.write_bytes(content)
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(content.splitlines(), 1):
        try:
            one = msgspec.json.decode(line, type=_Read)
        except msgspec.DecodeError as error:
            message = f"{path}, line {number}: {error}. Remove the file, and the teacher reads again."
            raise BadInput(message) from None
        found.setdefault(one.question, {}).update(one.logits)
    return found
