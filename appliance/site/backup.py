"""A copy of site.db that is whole, and the way back from it."""

from __future__ import annotations

import hashlib
import os
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw

from appliance.core.errors import SiteUnusable
from appliance.core.files import sync
from appliance.core.settings import SiteSettings
from appliance.site import database

BEFORE = ".before-restore"  # end of the name of the notes that were replaced
DAMAGED = ".damaged"  # end of the name of notes that could not be read
OTHER = "Nothing was changed; use another backup."
_PAGES = 256  # copied at once
_CHUNK = 1 << 20  # bytes read at once
_SEAL = b"\nappliance backup, sha256 of all before this line: %s\n"
_SEALED = len(_SEAL % (b"0" * 64))
_TABLES = frozenset({"gaps", "feedback", "corrections", "answers"})


def backup(source: Path, to: Path, limits: SiteSettings) -> dict[str, int]:
    """Copy the notes of a site into a file and return how many rows of each kind it has.

    Where nothing was noted yet the copy is empty; it never replaces another one.

    Raises:
        SiteUnusable: the file cannot be written, or the notes are damaged, or are not there and the file is.
    """
    with database.understood(source):
        noted = source.is_file()
        if to.exists() and not noted:
            raise SiteUnusable(source, "there are no notes yet", f"{to} stays as it is.")
        if to.exists() and to.samefile(source):
            raise SiteUnusable(to, "it is the file that is to be copied")
    beside = to.with_name(f".{to.name}.new")  # where the copy is written; it takes its place if all is well
    with database.understood(to):
        beside.unlink(missing_ok=True)
        try:
            with database.writing(beside, limits):
                pass
            with closing(apsw.Connection(str(beside))) as copy:
                if noted:
                    with closing(database.opened(source, limits, apsw.SQLITE_OPEN_READONLY)) as notes:
                        _copy(notes, copy)
                copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            seal(beside)
            rows = check(beside, limits)
            sync(beside)
            beside.replace(to)
            if os.name == "posix":  # Windows opens no folders
                sync(to.parent)
        finally:
            for end in ("", "-journal", "-wal", "-shm"):
                with suppress(OSError):
                    Path(f"{beside}{end}").unlink()
    return rows


def seal(path: Path) -> None:
    """Let the last line of a file be the sha256 of all that it held."""
    line = _SEAL % _digest(path, path.stat().st_size)
    with path.open("ab") as file:
        file.write(line)


def _digest(path: Path, length: int) -> bytes:
    """Return the sha256, in hexadecimal, of the first bytes of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while length > 0 and (chunk := file.read(min(_CHUNK, length))):
            found.update(chunk)
            length -= len(chunk)
    return found.hexdigest().encode()


def check(path: Path, limits: SiteSettings) -> dict[str, int]:
    """Return how many rows of each kind a copy has; raises SiteUnusable where it is not whole."""
    with database.understood(path):
        if not path.is_file():
            raise SiteUnusable(path, "there is no such file", OTHER)
        length = path.stat().st_size - _SEALED
        with path.open("rb") as file:
            file.seek(max(0, length))
            line = file.read()
        if length <= 0 or line != _SEAL % _digest(path, length):
            raise SiteUnusable(
                path, "it is no whole backup: a byte has changed, or its end is missing", OTHER
            )
        with closing(database.opened(path, limits, apsw.SQLITE_OPEN_READONLY)) as copy:
            if not database.version(path, copy):
                raise SiteUnusable(path, "it holds no notes", OTHER)
            faults = [row[0] for row in copy.execute("PRAGMA integrity_check(3)")]
            tables = {row[0] for row in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if faults != ["ok"] or not tables >= _TABLES:
                raise SiteUnusable(path, "it is damaged, or no database", OTHER)
            rows: Any = copy.execute(database.sql("counts"))
            return dict(rows)


def restore(source: Path, to: Path, limits: SiteSettings) -> dict[str, int]:
    """Let the notes of a site be those of a copy; return how many rows of each kind there are now.

    Raises:
        SiteUnusable: the copy is not whole, or the notes cannot be written; they are then as before.
    """
    rows = check(source, limits)
    with database.understood(to):
        if to.exists() and to.samefile(source):
            raise SiteUnusable(source, "it is the file that is in use")
        if to.is_file() and to.stat().st_size:  # it is kept under another name
            if _is_damaged(to, limits):
                for end in ("", "-wal", "-shm"):
                    with suppress(FileNotFoundError):
                        to.with_name(to.name + end).replace(to.with_name(to.name + DAMAGED + end))
            else:
                before = to.with_name(to.name + BEFORE)
                backup(to, before, limits)
                _give(before)
        if not to.exists():
            os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # for its owner alone
            _give(to)
        with (
            closing(database.opened(source, limits, apsw.SQLITE_OPEN_READONLY)) as copy,
            closing(database.opened(to, limits, apsw.SQLITE_OPEN_READWRITE)) as notes,
        ):
            _copy(copy, notes)
        sync(to)
    with database.writing(to, limits):  # brings a copy of an older program up to date
        pass
    return rows


def _give(path: Path) -> None:
    """Let a file belong to whom its folder belongs to: the server, also where root has made it."""
    if os.name == "posix" and os.geteuid() == 0:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def _is_damaged(path: Path, limits: SiteSettings) -> bool:
    try:
        with closing(database.opened(path, limits, apsw.SQLITE_OPEN_READONLY)) as notes:
            return notes.execute("PRAGMA integrity_check(1)").fetchall() != [("ok",)]
    except (apsw.NotADBError, apsw.CorruptError):
        return True


def _copy(source: apsw.Connection, target: apsw.Connection) -> None:
    with target.backup("main", source, "main") as copying:
        while not copying.done:
            copying.step(_PAGES)
