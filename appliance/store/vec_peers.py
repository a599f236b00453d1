"""The same vectors in sqlite-vec's own tables, in memory: what the scan is measured beside.

Rules of this module: only `bench` uses it. Each table is what one would write first with its type; the
bit table fetches four times what is wanted and ranks that again by the int8 vectors, as is advised.
"""

from __future__ import annotations

from typing import Literal, Self

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

Kind = Literal["float", "int8", "bit"]
KINDS: tuple[Kind, ...] = ("float", "int8", "bit")
OVERSAMPLED = 4
_AT_ONCE = 20_000


class VecTable:
    """One table of unit vectors [n, dimension] float32 with their int8 form [n, dimension]."""

    def __init__(self, kind: Kind, rows: NDArray[np.float32], small: NDArray[np.int8]) -> None:
        self.kind = kind
        self._small = small
        self._connection = apsw.Connection(":memory:")
        self._connection.enable_load_extension(True)
        self._connection.load_extension(sqlite_vec.loadable_path())
        self._connection.execute(f"create virtual table v using vec0 (e {kind}[{rows.shape[1]}])")
        self._cast = {"float": "?", "int8": "vec_int8(?)", "bit": "vec_bit(?)"}[kind]
        insert = f"insert into v (rowid, e) values (?, {self._cast})"  # noqa: S608 - one of three casts
        with self._connection:
            for start in range(0, len(rows), _AT_ONCE):
                part = self._bytes(rows[start : start + _AT_ONCE], small[start : start + _AT_ONCE])
                self._connection.executemany(
                    insert, [(start + n, row.tobytes()) for n, row in enumerate(part)]
                )

    def _bytes(self, rows: NDArray[np.float32], small: NDArray[np.int8]) -> NDArray[np.generic]:
        if self.kind == "float":
            return rows
        return small if self.kind == "int8" else np.packbits(rows > 0, axis=1, bitorder="little")

    def nearest(self, row: NDArray[np.float32], small: NDArray[np.int8], limit: int) -> list[int]:
        """Return the numbers of the nearest rows to a vector, given in both forms."""
        wanted = limit * OVERSAMPLED if self.kind == "bit" else limit
        asked = self._bytes(row[None], small[None])[0].tobytes()
        statement = f"select rowid from v where e match {self._cast} and k = ?"  # noqa: S608 - as above
        found = [number for (number,) in self._connection.execute(statement, (asked, wanted))]
        if self.kind != "bit":
            return found
        far = ((self._small[found].astype(np.int32) - small) ** 2).sum(axis=1)
        return [found[place] for place in np.argsort(far, kind="stable")[:limit]]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
