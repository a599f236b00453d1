"""Every limit, weight and tolerance of the appliance: a named field with its unit."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from appliance.core.errors import BadSettings

OF_BOX = Path("/etc/codes/settings.toml")  # of the box that is installed here; its units name it too
LEAST = 0.01  # of a number that must not be zero; where the default is 0, zero has a meaning
RANGES: Mapping[str, tuple[float, float]] = {
    "images.quality": (1, 100),
    "search.common_term_share": (0, 1),
    "search.dense_candidates": (1, 100),  # its cost grows with their number (store/channels.py)
    "search.scan_from": (1, math.inf),
    "search.kept_from_each_channel": (0, 100),
    "search.closure_limit": (0, 1000),
    "answer.not_found_below": (0, 1),
    "serve.port": (0, 65_535),
    "llm.context_tokens": (256, math.inf),
    "llm.evidence_tokens": (64, math.inf),
    "llm.rounds": (0, 4),
    "jobs.waiting": (0, 1000),
}
GONE: Mapping[str, str] = {  # settings of mechanisms that were removed, and what does their work now
    "search.by_words": "every search answers; `appliance eval ablate` measures what each is worth.",
    "search.by_meaning": "every search answers; `appliance eval ablate` measures what each is worth.",
    "search.by_concepts": "every search answers; `appliance eval ablate` measures what each is worth.",
    "search.learned_order": "the fitted order is always used; `appliance eval ablate` measures its worth.",
    "answer.statements": "an answer is one claim, one more statement and lines behind them.",
    "answer.margin": "which candidates are stated is decided by their fitted order.",
    "llm.review_rounds": "a model no longer asks for more evidence: references are followed without it.",
    "llm.review_seconds": "a model no longer asks for more evidence: references are followed without it.",
    "llm.conversation_tokens": "a model reads the question as it was understood after those before.",
    "serve.range_kib": "files are sent whole.",
    "ingest.ocr_tables_seconds": "whole pages are recognised (ingest.ocr, ingest.ocr_seconds_per_page).",
}


@dataclass(frozen=True, slots=True)
class IngestSettings:
    """Limits of one PDF worker process."""

    seconds_per_page: float = 2.0
    seconds_per_document: float = 120.0
    memory_mib: int = 2048
    pages: int = 10_000
    file_mib: int = 1024
    workers: int = 0  # 0: one for each core
    ocr: bool = True  # characters of scanned pages are read from their pictures
    ocr_seconds_per_page: float = 90.0  # of one page, at most
    ocr_memory_mib: int = 4096  # of the process that reads characters; address space, not what it fills
    ocr_threads: int = 0  # 0: the cores shared among the workers, at most 4
    ocr_dots_per_inch: int = 200  # of the picture in which characters are read
    schemes: Path = field(default_factory=Path)  # folder of your own; "." for the shipped ones alone


@dataclass(frozen=True, slots=True)
class ImageSettings:
    """Page images, made at build time."""

    large_width_px: int = 1240
    phone_width_px: int = 720
    quality: int = 60


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How a question becomes evidence."""

    limit: int = 20
    question_characters: int = 2_000
    question_terms: int = 32
    common_term_share: float = 0.50  # of chunks; commoner terms weigh nothing in BM25 and are not searched
    lexical_candidates: int = 50
    dense_candidates: int = 50
    scan_from: int = 1_000  # passages; from here on their vectors are kept in memory, one byte a number
    rerank_candidates: int = 50
    rerank_children: int = 8  # parts of each candidate that the reranker reads
    rrf_k: int = 20
    kept_from_each_channel: int = 1
    closure_limit: int = 10
    query_seconds: float = 2.0
    vocabularies: Path = field(default_factory=Path)  # folder of your own; "." for the shipped ones alone


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How evidence becomes an answer."""

    places_read: int = 12  # first places that a language model reads
    not_found_below: float = 0.15  # relevance under which nothing bears on the question


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """The page on the LAN."""

    host: str = "0.0.0.0"  # noqa: S104 - the LAN is the point; there is nothing to administer on it
    port: int = 8080
    names: tuple[str, ...] = ()  # host names that the page answers to, besides IP addresses
    threads: int = 8
    body_kib: int = 64
    header_kib: int = 32  # a question of 2,000 characters in any script, percent-encoded
    connections: int = 400
    connections_per_address: int = 24  # a browser opens 6; several people may share an address
    idle_seconds: int = 30
    header_seconds: float = 8.0  # from the start of a request until its header is there
    body_seconds: float = 120.0  # until all of it is there
    reply_seconds: float = 120.0  # until a reply has been taken
    asked_per_second: float = 10.0  # questions and searches from one address; three seconds' worth at once
    access_code_file: Path = field(default_factory=Path)  # holds the code that people enter; "." for none


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models of the catalogue are used; "" for none."""

    folder: Path = field(default_factory=Path)  # "." means the models shipped with the program
    embedder: str = "minilm-l6-int8"
    reranker: str = "late-interaction-codes"
    threads: int = 0  # 0: physical cores less one, at least one
    origin: str = "https://huggingface.co"  # where `models fetch` asks; the box itself never does


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """The language model, in a process of its own."""

    model: str = ""  # by its name in the catalogue; "" for none
    vision: str = ""  # the model that describes figures, by its name in the catalogue; "" for none
    threads: int = 0  # at most; 0: all physical cores. Never more than cores that are free
    context_tokens: int = 4096  # of prompt and text together
    output_tokens: int = 400
    seconds: float = 120.0  # of one generation, from when its turn comes
    memory_mib: int = 0  # that its process may fill; 0: what the catalogue says of the model, and half more
    start_seconds: float = 120.0  # until the model is loaded
    silent_seconds: float = 30.0  # without a token read or written, after which its process is ended
    idle_seconds: float = 0.0  # without work, after which its process is ended; 0: never
    states: Path = field(default_factory=Path)  # folder of evaluated instructions; "." for the user's cache
    states_mib: int = 1024  # of that folder; the oldest make room
    mode: str = "needed"  # when it takes part: deterministic (never), needed, always
    evidence_tokens: int = 130  # of the numbered sentences that one question to it shows
    rounds: int = 0  # in which it may call a tool before it names what answers


@dataclass(frozen=True, slots=True)
class JobSettings:
    """The queue of answers that the language model writes, one at a time."""

    waiting: int = 8  # behind the one that is written
    waiting_seconds: float = 300.0  # after which one that still waits is given up
    seconds: float = 240.0  # of one job, from when its turn comes
    lease_seconds: float = 6.0  # without a sign of whoever asked, after which a job is given up
    kept: int = 64  # answers kept for the same question to the same library


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What people on site produce, in a file beside the library (site.db)."""

    file: Path = field(default_factory=Path)  # "." for the one beside the library
    gaps: bool = True  # questions without an answer are noted
    most_mib: int = 64  # of the file; the oldest rows make room
    free_mib: int = 256  # of the disk, below which nothing is noted
    busy_seconds: float = 1.0  # that a note of the box waits for another that is being written
    patient_seconds: float = 20.0  # that what a person writes by hand waits for it
    notes_per_minute: int = 10  # of each kind, kept from one address
    saved_answers: int = 500  # kept at most; a further one is refused, none is dropped
    saved_kib: int = 64  # of one saved answer


@dataclass(frozen=True, slots=True)
class CitingSettings:
    """Limits of a document that is uploaded to have its references checked."""

    upload_kib: int = 16_384
    unpacked_mib: int = 64  # of a document that is a packed folder
    characters: int = 1_000_000
    pages: int = 2_000
    citations: int = 5_000
    seconds: float = 30.0
    memory_mib: int = 1024  # address space of the process that reads it
    at_once: int = 1  # documents that the page reads side by side


@dataclass(frozen=True, slots=True)
class UpdateSettings:
    """How long a new version may take to show that it works; a slow processor needs more."""

    trial_seconds: float = 110.0  # for all tries of it together: library, golden places, server
    server_seconds: float = 90.0  # of these, for its server to say that it is well


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What the server writes down of its own work."""

    questions: bool = False  # whether lines of the log may hold what was asked
    requests: bool = True  # a line for each request but those of images and scripts
    figures_hours: int = 2_160  # hours of service whose figures are kept
    figures_seconds: float = 300.0  # between two writings of them


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the defaults are right for a two-core laptop."""

    ingest: IngestSettings = field(default_factory=IngestSettings)
    images: ImageSettings = field(default_factory=ImageSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    answer: AnswerSettings = field(default_factory=AnswerSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)
    models: ModelSettings = field(default_factory=ModelSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    jobs: JobSettings = field(default_factory=JobSettings)
    site: SiteSettings = field(default_factory=SiteSettings)
    citing: CitingSettings = field(default_factory=CitingSettings)
    update: UpdateSettings = field(default_factory=UpdateSettings)
    log: LogSettings = field(default_factory=LogSettings)


def of_box(path: Path = OF_BOX) -> Path | None:
    """Return the settings of the box that is installed here, None where there are none to be read."""
    return path if os.access(path, os.R_OK) else None


def load(path: Path | None) -> Settings:
    """Return the settings of a TOML file, defaults where it is silent.

    Raises:
        BadSettings: the file is missing, is not TOML, or has an unknown key or a wrong type.
    """
    if path is None:
        return Settings()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadSettings(f"There is no settings file at {path}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path} is not valid TOML: {error}.") from None
    defaults = Settings()
    known = {item.name: getattr(defaults, item.name) for item in fields(Settings)}
    for name in data:
        if name not in known:
            raise BadSettings(f"{path}: unknown table [{name}]. Known are: {', '.join(known)}.")
    return Settings(**{name: _section(path, name, known[name], data.get(name, {})) for name in known})


def _section(path: Path, name: str, default: Any, values: Any) -> Any:
    if not isinstance(values, dict):
        raise BadSettings(f"{path}: {name} must be a table, written [{name}].")
    known = {item.name: getattr(default, item.name) for item in fields(default)}
    for key, value in values.items():
        if key not in known:
            message = f"{path}: unknown key {name}.{key}. Known are: {', '.join(known)}."
            if gone := GONE.get(f"{name}.{key}"):
                message = f"{path}: {name}.{key} is no setting any more: {gone} Take the line out."
            raise BadSettings(message)
        default_value = known[key]  # a path is written as a string, several values as a list
        wanted = {tuple: list}.get(type(default_value), type(default_value))
        wanted = str if isinstance(default_value, Path) else wanted
        if not isinstance(value, (int, float) if wanted is float else wanted) or (
            isinstance(value, bool) and wanted is not bool
        ):
            raise BadSettings(f"{path}: {name}.{key} must be of type {wanted.__name__}, not {value!r}.")
        _check_range(path, f"{name}.{key}", known[key], value)
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise BadSettings(f"{path}: {name}.{key} must be a list of strings, not {value!r}.")
    convert = {k: type(v) if isinstance(v, (Path, tuple)) else None for k, v in known.items()}
    converted = {k: make(v) if (make := convert[k]) else v for k, v in values.items()}
    return type(default)(**{**known, **converted})


def _check_range(path: Path, name: str, default: Any, value: Any) -> None:
    """Raise BadSettings for a number that can do nothing but break what uses it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    smallest = 1 if isinstance(default, int) else LEAST
    least, most = RANGES.get(name, (0 if default == 0 else smallest, math.inf))
    if not least <= value <= most:
        bounds = f"at least {least:g}" if most == math.inf else f"between {least:g} and {most:g}"
        raise BadSettings(f"{path}: {name} must be {bounds}, not {value!r}.")
