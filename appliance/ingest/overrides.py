"""What a person says of documents: `documents.toml` beside the PDFs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

from appliance.core.document import Document, DocumentStatus
from appliance.core.errors import BadInput, CannotWrite
from appliance.core.files import line_of, parse

FILE = "documents.toml"


@dataclass(frozen=True, slots=True)
class Override:
    """What is said of one document; "" and () where nothing is."""

    designation: str = ""
    edition: str = ""
    status: DocumentStatus | None = None
    supersedes: tuple[str, ...] = ()  # ids or designations
    national_annex_to: str = ""  # id or designation


KEYS = tuple(item.name for item in fields(Override))


def own_file(library: Path) -> Path:
    """Return the file beside a library for what commands say of documents ("codes.db.documents.toml")."""
    return library.with_name(f"{library.name}.{FILE}")


def keep_status(library: Path, document: str, status: DocumentStatus) -> Path:
    """Keep a status of a document for all builds to come; return the file.

    Raises:
        BadInput: the file is wrong. CannotWrite: it cannot be written.
    """
    path = own_file(library)
    said = read_overrides(path) if path.exists() else {}
    said[document] = Override(status=status)
    lines = [
        f"[{json.dumps(name)}]\nstatus = {json.dumps(one.status)}\n" for name, one in sorted(said.items())
    ]
    try:
        path.write_text("\n".join(lines), encoding="utf-8")
    except OSError as error:
        raise CannotWrite(path, error.strerror or "") from error
    return path


def load_overrides(folders: Iterable[Path], library: Path | None = None) -> dict[str, Override]:
    """Return what the files of these folders say, by document id; no file says nothing.

    The status that was kept beside the library goes before theirs.

    Raises:
        BadInput: a file is wrong, or two of them speak of one document; the message names the line.
    """
    said: dict[str, Override] = {}
    homes: dict[str, Path] = {}
    for folder in sorted(set(folders)):
        path = folder / FILE
        if not path.exists():
            continue
        for name, override in read_overrides(path).items():
            if name in said:
                raise BadInput(f"{path} speaks of {name}, and {homes[name]} does too. Leave one of the two.")
            said[name], homes[name] = override, path
    kept = own_file(library) if library else None
    for name, override in (read_overrides(kept) if kept and kept.exists() else {}).items():
        said[name] = replace(said.get(name, Override()), status=override.status)
    return said


def read_overrides(path: Path) -> dict[str, Override]:
    """Return what one file says, by document id; raises BadInput."""
    try:
        text, data = parse(path)
    except ValueError as error:
        raise BadInput(f"{path}: {error}.") from None
    return {name: _override(path, text, name, table) for name, table in data.items()}


def fingerprint(overrides: Mapping[str, Override]) -> str:
    """Return one text that changes with anything that is said."""
    return repr(sorted(overrides.items()))


def remarks(
    documents: Sequence[Document], overrides: Mapping[str, Override]
) -> tuple[tuple[str, int, str], ...]:
    """Return (document, page, message) of every problem: first what concerns a document as a whole.

    What is said of a document that is not there is among them.
    """
    built = {document.id for document in documents}
    absent = [
        (name, 0, f"{FILE} speaks of it, and no such PDF was given.")
        for name in overrides
        if name not in built
    ]
    found = [(d.id, problem.page, problem.message) for d in documents for problem in d.problems]
    return tuple(sorted(dict.fromkeys([*absent, *found]), key=lambda remark: remark[1] > 0))


def _override(path: Path, text: str, name: str, table: Any) -> Override:
    if not isinstance(table, dict):
        _refuse(path, line_of(text, "", name), f'{name} must be a table, written ["{name}"]')
    values: dict[str, Any] = {}
    for key, value in table.items():
        line = line_of(text, name, key)
        if key not in KEYS:
            _refuse(path, line, f"unknown key {key!r}. Known are: {', '.join(KEYS)}")
        values[key] = _checked(path, line, key, value)
    if name in (*values.get("supersedes", ()), values.get("national_annex_to")):
        _refuse(path, line_of(text, name), f"{name} cannot replace or belong to itself")
    return Override(**values)


def _checked(path: Path, line: int, key: str, value: Any) -> Any:
    if key == "supersedes":
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(item, str) and item.strip() for item in names):
            _refuse(path, line, f"supersedes must be a list of ids or designations, not {value!r}")
        return tuple(names)
    if not isinstance(value, str) or not value.strip():
        _refuse(path, line, f"{key} must be a text that is not empty, not {value!r}")
    if key == "status" and value not in get_args(DocumentStatus):
        allowed = ", ".join(f'"{item}"' for item in get_args(DocumentStatus))
        _refuse(path, line, f"status must be one of {allowed}, not {value!r}")
    return value.strip()


def _refuse(path: Path, line: int, what: str) -> None:
    raise BadInput(f"{path}, line {line}: {what}.")
