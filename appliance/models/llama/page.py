"""One page of memory that both processes see: the word to stop, and the sign of life.

Rules of this module: no lock and no system call on either side. The parent writes byte 0, which the
C code of the model's process reads before each node of its graph; that process counts in bytes 8 to 15
with each batch read and each token written. Byte 1 stays zero, so that `strlen` of the page is 1 or 0.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
from typing import Literal

Stop = Literal["", "cancelled", "seconds"]
_STOPS: tuple[Stop, ...] = ("", "cancelled", "seconds")
_COUNT = struct.Struct("<Q")
_COUNT_AT = 8


class Page:
    """The page, made by the parent and opened by the child from its descriptor."""

    def __init__(self, descriptor: int | None = None) -> None:
        self.descriptor = os.memfd_create("llama") if descriptor is None else descriptor
        if descriptor is None:
            os.ftruncate(self.descriptor, mmap.PAGESIZE)
        self._memory = mmap.mmap(self.descriptor, mmap.PAGESIZE)

    @property
    def stop(self) -> Stop:
        """Why the generation under way should end; "" for go on."""
        return _STOPS[min(self._memory[0], len(_STOPS) - 1)]

    @stop.setter
    def stop(self, why: Stop) -> None:
        self._memory[0] = _STOPS.index(why)

    @property
    def beats(self) -> int:
        """Signs of life so far."""
        return int(_COUNT.unpack_from(self._memory, _COUNT_AT)[0])

    def beat(self) -> None:
        """Give a sign of life (child only)."""
        _COUNT.pack_into(self._memory, _COUNT_AT, self.beats + 1)

    def address(self) -> int:
        """Return where byte 0 lies in this process; the page must outlive its use, and is not closed then."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

    def close(self) -> None:
        """Give the memory back (parent only)."""
        self._memory.close()
        os.close(self.descriptor)
