"""Where files lie, and the TOML files of words and numbers, read so that a complaint names its line."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from appliance.core.errors import BadInput, BadSettings

Value = TypeVar("Value")
CHUNK = 1 << 20  # bytes of a file that are hashed at once


def data_folder() -> Path:
    """Return the folder of schemes, vocabularies, models and the demo library."""
    packaged = Path(__file__).parents[1] / "_data"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "data"


def images_folder(library: Path) -> Path:
    """Return the folder of the page images of a library file ("codes.db" -> "codes.db.images")."""
    return library.with_name(f"{library.name}.images")


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_whole(file: Path, sha256: str) -> bool:
    """Tell whether a file can be read and its content is the one of that hash."""
    try:
        return sha256_of(file) == sha256
    except OSError:
        return False


def write_whole(path: Path, content: bytes, *, lasting: bool = False) -> None:
    """Write a file beside its place and move it there whole; `lasting`: it is on the disk before that."""
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            if lasting:
                stream.flush()
                os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def hash_around(file: Path, mark: str) -> tuple[int, str]:
    """Return where a text first stands in a file, -1 for nowhere, and the sha256 of the rest."""
    wanted, digest, at, content = mark.encode(), hashlib.sha256(), 0, b""
    with file.open("rb") as stream:
        while piece := stream.read(CHUNK):
            content += piece
            head, found, rest = content.partition(wanted)
            if found:
                digest.update(head + rest)
                while piece := stream.read(CHUNK):
                    digest.update(piece)
                return at + len(head), digest.hexdigest()
            sure = max(0, len(content) - len(wanted) + 1)  # the mark may begin behind it
            digest.update(content[:sure])
            at, content = at + sure, content[sure:]
    return -1, digest.hexdigest()


def cache_folder(library: Path) -> Path:
    """Return the folder in which the builder keeps its results ("codes.db" -> "codes.db.cache")."""
    return library.with_name(f"{library.name}.cache")


def content_hash(paths: Iterable[Path], *also: str) -> str:
    """Return one sha256 over names and contents of files and over words that decide as much."""
    digest = hashlib.sha256("\0".join(also).encode())
    for path in paths:
        digest.update(b"\0" + path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def files_in(paths: Iterable[Path], pattern: str) -> list[Path]:
    """Return the files named, and in order those of the pattern in the folders named."""
    return [file for path in paths for file in (sorted(path.glob(pattern)) if path.is_dir() else [path])]


def read_lines(path: Path, read: Callable[[str], Value], what: str) -> Iterator[tuple[int, Value]]:
    """Yield the number of each line of a file with what is read of it; empty lines are passed over.

    Raises:
        BadInput: the file is missing or no text, or a line is not `what` it should be ("a judged question").
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # JSON may hold other line ends
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read as text: {error}.") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                value = read(line)
            except Exception as error:  # noqa: BLE001 - each decoder raises its own
                message = f"{path}, line {number} is not {what} ({type(error).__name__}: {error})."
                raise BadInput(message) from None
            yield number, value


MOST = 8  # MiB: more was not written by a person, and would be read for half a minute
FORMS = ('"{0}"', "'{0}'", "{0}")


def parse(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a file and what it says.

    Raises:
        ValueError: it cannot be read, is too big, no UTF-8 text or no TOML; the message names the line.
    """
    try:
        if (size := path.stat().st_size) > MOST << 20:
            raise ValueError(f"it has {size >> 20} MiB, more than the {MOST} that are read")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"it cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ValueError(f"line {line} is no UTF-8 text") from None
    try:
        return text, tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        reason = re.sub(r"\s*\(at [^)]*\)$", "", str(error))
        raise ValueError(f"line {line} is no TOML: {reason}") from None
    except RecursionError:
        raise ValueError("lists in it are nested too deeply") from None
    except ValueError:  # of Python's limit on the digits of a whole number
        raise ValueError("a number in it has too many digits") from None


def line_of(text: str, table: str, key: str = "") -> int:
    """Return the line, from 1, on which a table begins or a key of it stands; 1 where it is not found."""
    lines = text.splitlines()
    heads = {opened.format(form.format(table)) for form in FORMS for opened in ("[{0}]", "[[{0}]]")}
    start = next((at for at, line in enumerate(lines) if line.split("#")[0].strip() in heads), None)
    if not key:
        return 1 + (start or 0)
    first = 0 if start is None else start + 1
    for at in range(first, len(lines)):
        if lines[at].lstrip().startswith("[") and start is not None:
            break
        if any(re.match(rf"\s*{re.escape(form.format(key))}\s*=", lines[at]) for form in FORMS):
            return at + 1
    return 1 + (start or 0)


def shipped(name: str) -> dict[str, Any]:
    """Return what `data/<name>.toml` says ("answer/sought"); raises BadSettings."""
    return _of(name, data_folder)


@cache
def _of(name: str, folder: Callable[[], Path]) -> dict[str, Any]:
    return _read(folder() / f"{name}.toml")  # found once: it is asked for many times in each answer


@cache
def _read(path: Path) -> dict[str, Any]:
    try:
        return parse(path)[1]
    except ValueError as error:
        message = f"{path} came with the program and is damaged: {error}. Install the program again."
        raise BadSettings(message) from None
