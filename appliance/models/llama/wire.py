"""The pipe and the shared page between the program and the model's process."""

from __future__ import annotations

import ctypes
import mmap
import os
import select
import socket
import struct
from typing import Literal, TypeVar

import msgspec

from appliance.models.llama.plan import Plan
from appliance.models.protocols import Event, Generation, Message

Heard = TypeVar("Heard")
VERSION = 3
LONGEST = 16 << 20  # bytes of a message
_LENGTH = struct.Struct(">I")


class Garbled(Exception):
    """The other side says what nobody says."""


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """Any message."""


class Open(Said, frozen=True, tag="open"):
    """Load a model and go on as its plan says."""

    version: int
    plan: Plan


class Opened(Said, frozen=True, tag="opened"):
    """The model is loaded, with so much context."""

    context: int


class Write(Said, frozen=True, tag="write"):
    """Write one thing; `number` returns with all that is said of it."""

    number: int
    generation: Generation


class Count(Said, frozen=True, tag="count"):
    """Count the tokens of texts."""

    number: int
    texts: tuple[str, ...]


class Warm(Said, frozen=True, tag="warm"):
    """Evaluate the fixed messages of a prompt and keep their state."""

    number: int
    messages: tuple[Message, ...]


class Happened(Said, frozen=True, tag="happened"):
    """A generation, or warming, has come further or ended."""

    number: int
    event: Event


class Counted(Said, frozen=True, tag="counted"):
    """The tokens of each text."""

    number: int
    tokens: tuple[int, ...]


class Failed(Said, frozen=True, tag="failed"):
    """It cannot be done: `needed` tokens do not fit, the file is of no use, the library is not installed."""

    number: int
    kind: Literal["too_long", "unusable", "absent", "failed"]
    why: str
    needed: int = 0


Asked = Open | Write | Count | Warm
Told = Opened | Happened | Counted | Failed


def send(pipe: socket.socket, message: Said) -> None:
    """Say a message.

    Raises:
        OSError: nobody listens any more.
        Garbled: it is longer than a message may be.
    """
    body = _ENCODER.encode(message)
    if len(body) > LONGEST:
        raise Garbled(f"a message of {len(body)} bytes")
    pipe.sendall(_LENGTH.pack(len(body)) + body)


class Ear:
    """Hears whole messages of one side, piece by piece."""

    def __init__(self, pipe: socket.socket) -> None:
        self._pipe = pipe
        self._heard = bytearray()

    def asked(self) -> Asked | None:
        """Return the next thing asked, waiting for it; None when the other side has gone."""
        while (body := self._body()) is None:
            if not self._more():
                return None
        return _decoded(body, _ASKED)

    def told(self, seconds: float) -> Told | None:
        """Return the next thing told, None where none came in time.

        Raises:
            EOFError: the other side has gone.
            Garbled: it said what nobody says.
        """
        if (body := self._body()) is None:
            if not select.select([self._pipe], [], [], seconds)[0]:
                return None
            if not self._more():
                raise EOFError
            body = self._body()
        return None if body is None else _decoded(body, _TOLD)

    def _more(self) -> bool:
        try:
            piece = self._pipe.recv(1 << 16)
        except ConnectionError:
            return False
        self._heard += piece
        return bool(piece)

    def _body(self) -> bytes | None:
        if len(self._heard) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._heard)
        if length > LONGEST:
            raise Garbled(f"a message of {length} bytes")
        end = _LENGTH.size + length
        if len(self._heard) < end:
            return None
        body = bytes(self._heard[_LENGTH.size : end])
        del self._heard[:end]
        return body


_ENCODER = msgspec.msgpack.Encoder(enc_hook=str)  # of paths
_ASKED: msgspec.msgpack.Decoder[Asked] = msgspec.msgpack.Decoder(
    Asked, dec_hook=lambda kind, value: kind(value)
)
_TOLD: msgspec.msgpack.Decoder[Told] = msgspec.msgpack.Decoder(Told)


def _decoded(body: bytes, decoder: msgspec.msgpack.Decoder[Heard]) -> Heard:
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise Garbled(str(error)) from None


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
