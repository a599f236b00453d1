"""PDFs in, one library out: the builder's work, step by step.

Rules of this module: it joins ingest, models and store and does none of their work. Every step keeps
its results beside the library (`NAME.cache/`), so that an interrupted build goes on where it stopped
and an unchanged file costs nothing. The library is written beside its place and moved there whole;
until that moment the old one serves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from appliance.document import Document
from appliance.errors import NothingToBuild


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A PDF to build from; `document` is its id, the stem of its name."""

    path: Path
    document: str
    sha256: str


@dataclass(frozen=True, slots=True)
class BrokenFile:
    """A file that is not in the library, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """What was found in one document."""

    id: str
    title: str
    pages: int
    clauses: int
    tables: int
    figures: int
    terms: int
    references: int
    unresolved: int
    problems: int
    change: str  # "added", "changed", "unchanged"


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The outcome of a build."""

    library: Path
    documents: tuple[DocumentSummary, ...]
    broken: tuple[BrokenFile, ...]
    removed: tuple[str, ...]
    problems: tuple[tuple[str, int, str], ...]
    seconds: float
    pages_read: int
    up_to_date: bool


class Progress(Protocol):
    """Where a long build says how far it is; `step` names what is being done."""

    def start(self, step: str, total: int) -> None: ...

    def advance(self, step: str, amount: int = 1) -> None: ...


class Silent:
    """Progress that nobody watches."""

    def start(self, step: str, total: int) -> None:
        """Do nothing."""

    def advance(self, step: str, amount: int = 1) -> None:
        """Do nothing."""


def find_sources(paths: Sequence[Path]) -> tuple[tuple[SourceFile, ...], tuple[BrokenFile, ...]]:
    """Return the PDFs of files and folders, by document id, and those that cannot be taken.

    Raises:
        NothingToBuild: there is no PDF among the paths.
    """
    sources: dict[str, SourceFile] = {}
    broken = [BrokenFile(path, "there is no such file or folder") for path in paths if not path.exists()]
    for path in sorted({found.resolve() for given in paths for found in _pdfs(given)}):
        try:
            source = SourceFile(path, path.stem, _sha256(path))
        except OSError as error:
            broken.append(BrokenFile(path, f"it cannot be read ({error.strerror})"))
            continue
        if source.document in sources:
            other = sources[source.document].path
            broken.append(BrokenFile(path, f"another file has the same name ({other}); rename one of them"))
            continue
        sources[source.document] = source
    if not sources and not broken:
        raise NothingToBuild(tuple(paths))
    return tuple(sources.values()), tuple(broken)


def _pdfs(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (found for found in path.rglob("*") if found.suffix.lower() == ".pdf")
    elif path.exists():
        yield path


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def summary(document: Document, change: str) -> DocumentSummary:
    """Return what was found in a document, counted."""
    return DocumentSummary(
        id=document.id,
        title=document.title,
        pages=len(document.pages),
        clauses=len(document.clauses),
        tables=len(document.tables),
        figures=len(document.figures),
        terms=len(document.terms),
        references=len(document.references),
        unresolved=sum(reference.status == "unresolved" for reference in document.references),
        problems=len(document.problems),
        change=change,
    )
