"""The file of site.db: made on first need, brought up to date, bounded, opened for each task anew."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import quote

import apsw

from appliance.core.errors import SiteUnusable
from appliance.core.settings import SiteSettings

APPLICATION_ID = 0x41435353  # "ACSS"
MIB = 1024 * 1024
HEADROOM = 0.9  # of the limit, to which dropping brings the rows
BATCH = 64  # rows dropped at once
LASTING = "answers"  # what a person saved is never dropped for room
_FOLDER = Path(__file__).parent
_TURNS: dict[Path, threading.Lock] = {}  # of the files that were written, held from opening one to closing it
_SWITCHES = {
    apsw.SQLITE_DBCONFIG_DEFENSIVE: 1,
    apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_VIEW: 0,
    apsw.SQLITE_DBCONFIG_DQS_DML: 0,
    apsw.SQLITE_DBCONFIG_DQS_DDL: 0,
}


@cache
def sql(name: str) -> str:
    """Return the statement of that name from queries.sql."""
    text = (_FOLDER / "queries.sql").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in text.split("-- name: ")[1:])
    return {title.strip(): statement.strip() for title, _, statement in parts}[name]


@cache
def steps() -> tuple[tuple[str, str], ...]:
    """Return the migrations as (name, SQL), in their order; the first has number 1."""
    files = sorted((_FOLDER / "migrations").glob("*.sql"))
    return tuple((path.stem, path.read_text(encoding="utf-8")) for path in files)


def patient(limits: SiteSettings) -> SiteSettings:
    """Return the limits for what a person writes by hand: it waits longer than what can be left out."""
    return replace(limits, busy_seconds=max(limits.busy_seconds, limits.patient_seconds))


@contextmanager
def writing(path: Path, limits: SiteSettings) -> Iterator[apsw.Connection]:
    """Give a connection inside one transaction, the file made and brought up to date first.

    Raises:
        SiteUnusable: the file cannot be written, is damaged, or the disk is nearly full.
    """
    turn = _TURNS.setdefault(path.absolute(), threading.Lock())
    if not turn.acquire(timeout=limits.busy_seconds):
        raise SiteUnusable(path, "others are writing it")
    try:
        with understood(path):
            _check_room(path, limits)
            with suppress(FileExistsError):  # readable by its owner alone: it holds what people asked
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            with closing(opened(path, limits, apsw.SQLITE_OPEN_READWRITE)) as connection:
                _migrate(path, connection)
                with connection:
                    yield connection
                    _make_room(connection, limits.most_mib * MIB)
    finally:
        turn.release()


@contextmanager
def reading(path: Path, limits: SiteSettings) -> Iterator[apsw.Connection | None]:
    """Give a connection that only reads; None where nothing was written yet.

    Raises:
        SiteUnusable: the file cannot be read, is damaged, or was written by a newer program.
    """
    with understood(path):
        if not path.is_file() or not path.stat().st_size:
            yield None
            return
        with closing(opened(path, limits, apsw.SQLITE_OPEN_READONLY)) as connection:
            if version(path, connection) == len(steps()):
                yield connection
                return
        # a file of an older program takes the steps that it has not had, if it can be written
        migrated = False
        with (
            suppress(apsw.Error, OSError),
            closing(opened(path, limits, apsw.SQLITE_OPEN_READWRITE)) as connection,
        ):
            _migrate(path, connection)
            migrated = True
        if not migrated:
            yield None
            return
        with closing(opened(path, limits, apsw.SQLITE_OPEN_READONLY)) as connection:
            yield connection


def probe(path: Path, limits: SiteSettings) -> None:
    """Raise SiteUnusable where `writing` would; changes nothing, and makes no file."""
    with understood(path):
        _check_room(path, limits)
        if not path.exists():
            if not os.access(path.parent, os.W_OK):
                raise SiteUnusable(path, f"{path.parent} cannot be written to")
            return
        with closing(opened(path, limits, apsw.SQLITE_OPEN_READWRITE)) as connection:
            version(path, connection)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one error with its sentence."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError):
        raise SiteUnusable(path, "it is damaged, or no database") from None
    except apsw.BusyError:
        raise SiteUnusable(path, "another process is writing it") from None
    except apsw.Error as error:
        raise SiteUnusable(path, str(error) or type(error).__name__) from None
    except OSError as error:
        raise SiteUnusable(path, error.strerror or str(error)) from None


def _check_room(path: Path, limits: SiteSettings) -> None:
    free = shutil.disk_usage(path.parent).free // MIB
    if free < limits.free_mib:
        raise SiteUnusable(path, f"the disk has {free} MiB left, {limits.free_mib} MiB are kept free")


def opened(path: Path, limits: SiteSettings, flags: int) -> apsw.Connection:
    """Return a hardened connection; one that only reads also opens where nothing may be written."""
    name = f"file:{quote(str(path.absolute()))}"
    connection = apsw.Connection(name, flags=flags | apsw.SQLITE_OPEN_URI)
    try:
        _prepare(connection, limits)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
        if flags & apsw.SQLITE_OPEN_READWRITE:
            raise
        connection = apsw.Connection(f"{name}?immutable=1", flags=flags | apsw.SQLITE_OPEN_URI)
        _prepare(connection, limits)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: apsw.Connection, limits: SiteSettings) -> None:
    connection.set_busy_timeout(int(1000 * limits.busy_seconds))
    connection.transaction_mode = "IMMEDIATE"
    for switch, value in _SWITCHES.items():
        connection.config(switch, value)
    connection.execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 1048576")


def version(path: Path, connection: apsw.Connection) -> int:
    """Return how many steps the file has had; raises SiteUnusable for a file of another kind."""
    written_by = connection.pragma("application_id")
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
    if written_by != APPLICATION_ID and not (written_by == 0 and empty):
        raise SiteUnusable(path, "it is another kind of database")
    had = int(connection.pragma("user_version"))
    if had > len(steps()):
        raise SiteUnusable(path, f"a newer program wrote it (step {had}, known are {len(steps())})")
    return had


def _migrate(path: Path, connection: apsw.Connection) -> None:
    """Take the steps that the file has not had, each recorded; two processes take each step once."""
    if version(path, connection) == len(steps()):
        return
    for _ in range(20):  # a write-ahead log where the file system can; the switch waits for no other process
        with suppress(apsw.BusyError):
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            break
        time.sleep(0.05)
    with connection:
        done = version(path, connection)
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (step INTEGER PRIMARY KEY, name TEXT NOT NULL, "
            "at REAL NOT NULL) STRICT"
        )
        for number, (name, text) in enumerate(steps()[done:], done + 1):
            connection.execute(text)
            connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (number, name, time.time()))
        connection.execute(f"PRAGMA user_version = {len(steps())}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _make_room(connection: apsw.Connection, most: int) -> None:
    """Drop the oldest rows of the largest kind until the rest fits, and count what was dropped."""
    size = int(connection.pragma("page_size"))

    def used() -> int:
        return size * (int(connection.pragma("page_count")) - int(connection.pragma("freelist_count")))

    if used() <= most:
        return
    while used() > HEADROOM * most:
        counts = [(rows, kind) for kind, rows in connection.execute(sql("counts")) if kind != LASTING]
        rows, kind = max(counts)
        if not rows:
            return
        gone = min(BATCH, max(1, rows // 2))
        connection.execute(sql(f"drop {kind}"), {"rows": gone})
        connection.execute(sql("note dropped"), {"kind": kind, "rows": gone, "at": time.time()})
