"""What is said over the pipe to the model's process, and how: length (4 bytes), then MessagePack.

Rules of this module: both sides import it, so it knows neither. Every message is a tagged struct that
refuses unknown fields; a length over the limit, an unknown message or a broken one is `Garbled`, after
which the pipe is of no use. `VERSION` stands in the first message of both sides.
"""

from __future__ import annotations

import select
import socket
import struct
from typing import Literal, TypeVar

import msgspec

from appliance.models.protocols import Finished, Generation, Message

Heard = TypeVar("Heard")
VERSION = 2
LONGEST = 16 << 20  # bytes of a message
_LENGTH = struct.Struct(">I")


class Garbled(Exception):
    """The other side says what nobody says."""


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """Any message."""


class Open(Said, frozen=True, tag="open"):
    """Load a model file and go on as the settings say; paths as text, `sha256` of the file.

    `projector` is the file that turns pictures into tokens for it, "" for a model that only reads.
    """

    version: int
    path: str
    sha256: str
    context: int
    threads: int
    states: str
    states_mib: int
    projector: str = ""


class Opened(Said, frozen=True, tag="opened"):
    """The model is loaded. `keeps` says whether evaluated prompts can be cut and gone on from."""

    version: int
    library: str
    context: int
    keeps: bool


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


class Read(Said, frozen=True, tag="read"):
    """So many tokens of the prompt are evaluated."""

    number: int
    done: int
    total: int


class Wrote(Said, frozen=True, tag="wrote"):
    """New text of a generation."""

    number: int
    text: str


class Done(Said, frozen=True, tag="done"):
    """A generation, or warming, has ended."""

    number: int
    finished: Finished


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
Told = Opened | Read | Wrote | Done | Counted | Failed


def send(pipe: socket.socket, message: Said) -> None:
    """Say a message.

    Raises:
        OSError: nobody listens any more.
        Garbled: it is longer than a message may be.
    """
    body = _ENCODER.encode(message)
    if len(body) > LONGEST:
        text = f"a message of {len(body)} bytes"
        raise Garbled(text)
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
            text = f"a message of {length} bytes"
            raise Garbled(text)
        end = _LENGTH.size + length
        if len(self._heard) < end:
            return None
        body = bytes(self._heard[_LENGTH.size : end])
        del self._heard[:end]
        return body


_ENCODER = msgspec.msgpack.Encoder()
_ASKED: msgspec.msgpack.Decoder[Asked] = msgspec.msgpack.Decoder(Asked)
_TOLD: msgspec.msgpack.Decoder[Told] = msgspec.msgpack.Decoder(Told)


def _decoded(body: bytes, decoder: msgspec.msgpack.Decoder[Heard]) -> Heard:
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise Garbled(str(error)) from None
