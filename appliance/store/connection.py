"""Connections to a library file: hardened, read-only, with a time limit; what the file states of itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw
import sqlite_vec

from appliance.core.errors import (
    LibraryMissing,
    LibraryReplaced,
    LibraryUnreadable,
    QueryTooSlow,
    SchemaMismatch,
)
from appliance.core.files import hash_around
from appliance.text.terms import MARK, words

NAME = "codewords"
Stem = Callable[[str], str]
"""From a folded word to its stem."""


def register(connection: apsw.Connection) -> Stem:
    """Make the tokenizer known to the connection and return its stemmer, which remembers."""
    porter = connection.fts5_tokenizer("porter", ["unicode61"])

    @lru_cache(maxsize=100_000)
    def stem(word: str) -> str:
        if not word.isascii() or not word.isalpha():
            return word
        found = porter(
            word.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
        )
        return str(next(iter(found), word))

    def tokenize(utf8: bytes, _reason: int, _locale: str | None) -> Iterable[str]:
        text = utf8.decode(errors="replace")
        pieces = text.split() if MARK in text else (text,)
        for piece in pieces:
            yield from (piece[1:],) if piece.startswith(MARK) else map(stem, words(piece))

    connection.register_fts5_tokenizer(NAME, lambda _connection, _arguments: tokenize)
    return stem


def marked(terms: Iterable[str]) -> str:
    """Return terms as text that the tokenizer takes as they are."""
    return " ".join(MARK + term for term in terms)


APPLICATION_ID = 0x41435342  # "ACSB"
SCHEMA_VERSION = 4
ANCHORED = "anchored"  # begins those with the item that each of its anchors leads to
ADDRESS = "address"  # begins the names of meta values with the address and anchors of a web page
HEADER_BYTES = 100

_FOLDER = Path(__file__).parent
_LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: 8_000_000,  # bytes; vec0 keeps 1024 vectors in one blob
    apsw.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    apsw.SQLITE_LIMIT_COLUMN: 100,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 20,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 3,
    apsw.SQLITE_LIMIT_VDBE_OP: 25_000,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 8,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    apsw.SQLITE_LIMIT_VARIABLE_NUMBER: 20,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_SWITCHES = {
    apsw.SQLITE_DBCONFIG_DEFENSIVE: 1,
    apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_VIEW: 0,
    apsw.SQLITE_DBCONFIG_DQS_DML: 0,
    apsw.SQLITE_DBCONFIG_DQS_DDL: 0,
}
_STEPS_BETWEEN_CHECKS = 5_000  # virtual machine steps, well under a millisecond
_WAITING = 5.0  # times its limit of work that a query may last where it waits for a core or the disk


def sql(name: str) -> str:
    """Return the statement of that name from queries/*.sql, or the whole schema."""
    return _statements()[name]


@cache
def _statements() -> dict[str, str]:
    found = {"schema": (_FOLDER / "schema.sql").read_text(encoding="utf-8")}
    for path in sorted((_FOLDER / "queries").glob("*.sql")):
        for part in path.read_text(encoding="utf-8").split("-- name: ")[1:]:
            name, _, text = part.partition("\n")
            found[name.strip()] = text.strip()
    return found


class Connections:
    """The connections of one library file, one for each thread that asks.

    `spare` are opened at once for threads to come, so that a server goes on with the library that it
    was started with while a new one takes its place; a thread beyond them is refused after that.
    """

    def __init__(self, path: Path, query_seconds: float, spare: int = 0) -> None:
        self.path = path
        self.query_seconds = query_seconds
        self._local = threading.local()
        self._all: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._spare: list[_Opened] = []
        check_file(path)
        self._identity = _identity(path)
        with self.reading():
            opened = self._open()
            self.stem: Stem = opened.stem
            if opened.connection.pragma("application_id") != APPLICATION_ID:
                raise LibraryUnreadable(path, "it is another kind of database")
            if (version := int(opened.connection.pragma("user_version"))) != SCHEMA_VERSION:
                raise SchemaMismatch(path, version, SCHEMA_VERSION)
            self._spare = [self._fresh() for _ in range(spare)]

    def rows(self, name: str, **values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a named statement.

        Raises:
            LibraryUnreadable: the file is damaged.
            QueryTooSlow: the time limit was reached.
        """
        with self.reading():
            opened = self._open()
            opened.allow(self.query_seconds)
            return list(opened.connection.execute(sql(name), values))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn what SQLite or a decoder says of a damaged file into one error."""
        try:
            yield
        except apsw.InterruptError:
            raise QueryTooSlow(self.query_seconds) from None
        except (apsw.Error, UnicodeDecodeError, ValueError) as error:
            raise LibraryUnreadable(self.path, "it is damaged") from error

    def close(self) -> None:
        """Close every connection; the object is not used afterwards."""
        with self._lock:
            for connection in self._all:
                connection.close(True)
            self._all.clear()

    def _open(self) -> _Opened:
        opened = getattr(self._local, "opened", None)
        if opened is None:
            with self._lock:
                opened = self._spare.pop() if self._spare else None
            opened = self._local.opened = opened or self._fresh()
        return opened

    def _fresh(self) -> _Opened:
        """Return a new connection to the very file that was opened first."""
        opened = _Opened(self.path)
        with self._lock:
            self._all.append(opened.connection)
        if _identity(self.path) != self._identity:
            raise LibraryReplaced(self.path)
        return opened


def _identity(path: Path) -> tuple[int, int]:
    """Return what tells a file from another that takes its name."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


class _Opened:
    """One connection with the work (s of this thread) and the time at which its running query must end."""

    def __init__(self, path: Path) -> None:
        self.allow(10.0)
        self.connection = harden(path)
        self.stem = register(self.connection)
        self.connection.set_progress_handler(self._late, _STEPS_BETWEEN_CHECKS)

    def allow(self, seconds: float) -> None:
        """Let the next query do so much work."""
        self.most = time.thread_time() + seconds
        self.deadline = time.monotonic() + seconds * _WAITING

    def _late(self) -> bool:
        return time.thread_time() > self.most or time.monotonic() > self.deadline


def check_file(path: Path) -> None:
    """Tell a missing, empty or foreign file from a library before SQLite sees it.

    Raises:
        LibraryMissing: there is no file.
        LibraryUnreadable: it is no SQLite database, or is shorter than its header says.
    """
    if not path.is_file():
        raise LibraryMissing(path)
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        raise LibraryUnreadable(path, "the file is empty" if not header else "the file is cut short")
    if not header.startswith(b"SQLite format 3\0"):
        raise LibraryUnreadable(path, "it is not a database")
    page_size = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    if path.stat().st_size < pages * (65536 if page_size == 1 else page_size):
        raise LibraryUnreadable(path, "the file is cut short")


def harden(path: Path) -> apsw.Connection:
    """Return a read-only connection with the hardened profile and sqlite-vec."""
    uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    for switch, value in _SWITCHES.items():
        connection.config(switch, value)
    connection.execute("pragma temp_store = memory")
    connection.execute(sql("instances"))
    connection.execute("pragma query_only = 1; pragma cell_size_check = 1; pragma mmap_size = 0")
    for limit, number in _LIMITS.items():
        connection.limit(limit, number)
    return connection


SEALED_AT_ONCE = 1 << 30  # bytes: a second or two; `doctor` looks at every byte of a larger library
REQUIRED = frozenset({"version", "embedder", "scale", "dimension", "token_dimension"})


def read_meta(path: Path, connections: Connections) -> Mapping[str, str]:
    """Return what a library says of itself; raises LibraryUnreadable where it was changed."""
    meta: dict[str, str] = dict(connections.rows("meta"))
    if lost := REQUIRED - meta.keys():
        raise LibraryUnreadable(path, f"it does not say its {min(lost)}")
    if path.stat().st_size <= SEALED_AT_ONCE:
        check_seal(path, meta)
    return meta


def check_seal(path: Path, meta: Mapping[str, str]) -> None:
    """Hold a library against the sha256 that its build wrote into it; raises LibraryUnreadable."""
    seal = meta.get("seal", "")
    if seal and hash_around(path, seal)[1] != seal:
        raise LibraryUnreadable(path, "a byte of it has changed since it was written")
