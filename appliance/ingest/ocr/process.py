"""The parent's side of character recognition: started when needed, limited, ended by its id."""

from __future__ import annotations

import importlib.util
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from appliance.core.child import death
from appliance.core.errors import ExtraMissing
from appliance.core.settings import IngestSettings

PACKAGE, EXTRA = "rapidocr", "ocr"
CHILD = "appliance.ingest.ocr.child"  # the module that reads
START_SECONDS = 120.0  # to load the libraries and models on a busy machine
MICRO = "\u00b5"  # drawn like the Greek letter, and given for it
MOST_THREADS = 4  # more do not read one page faster
Pixels = npt.NDArray[np.uint8]  # grey, rows and columns
Ink = npt.NDArray[np.bool_]  # idem
Corners = tuple[tuple[float, float], ...]


class Failed(Exception):
    """Characters could not be read; the message says why. `passing`: another time they may be."""

    def __init__(self, message: str, *, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


class ReadFailed(Failed):
    """One page could not be read; passing where the process was too slow or was ended by the machine."""


class Unavailable(Failed):
    """No page can be read; the message says what mends it. Passing where it only does not start."""


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word as read: its text, how sure of its least sure letter (0-1), where it is in pixels.

    `middles` are the places across the picture of its letters, to within half a letter.
    """

    text: str
    score: float
    corners: Corners
    middles: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line as read, in pixels."""

    corners: Corners
    words: tuple[ReadWord, ...]


def installed() -> bool:
    """Tell whether the recogniser's package is there."""
    return importlib.util.find_spec(PACKAGE) is not None


def threads_of(cores: int, workers: int) -> int:
    """Return how many threads a recogniser gets where so many documents are read at once (0: one)."""
    return max(1, min(MOST_THREADS, cores // max(1, workers)))


@dataclass(slots=True)
class Recogniser:
    """The process that reads characters; use it as a context manager."""

    limits: IngestSettings
    command: tuple[str, ...] = ()
    _process: subprocess.Popen[bytes] | None = None
    _buffer: bytearray = field(default_factory=bytearray)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def read(self, pixels: Pixels) -> tuple[ReadLine, ...]:
        """Return the lines of a grey picture.

        Raises:
            ReadFailed: this picture was too much for it.
            Unavailable: it cannot be started.
        """
        process = self.start()
        with tempfile.TemporaryDirectory(prefix="appliance-ocr-") as folder:
            file = Path(folder) / "page.npy"
            np.save(file, np.ascontiguousarray(pixels))
            try:
                assert process.stdin is not None
                process.stdin.write(json.dumps({"file": str(file)}).encode() + b"\n")
                process.stdin.flush()
            except OSError:
                self.end()
                raise ReadFailed("the process that reads characters ended", passing=True) from None
            reply = self._reply(process, self.limits.ocr_seconds_per_page)
        if "lines" not in reply:
            raise ReadFailed(str(reply.get("failed", "it gave no lines")))
        return tuple(
            ReadLine(
                _corners(line["box"]),
                tuple(
                    ReadWord(text.replace(MICRO, "μ"), score, _corners(quad), tuple(middles))
                    for text, score, quad, middles in line["words"]
                ),
            )
            for line in reply["lines"]
        )

    def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        self._buffer.clear()
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not taken is lost with the process
                    pipe.close()

    def start(self) -> subprocess.Popen[bytes]:
        """Return the process, started where there is none; raises Unavailable."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.end()
        if not self.command and not self.limits.ocr:
            message = "Character recognition is switched off (--no-ocr, or ingest.ocr in the settings file)."
            raise Unavailable(message)
        if not self.command and not installed():
            raise Unavailable(str(ExtraMissing(EXTRA, PACKAGE)))
        threads = self.limits.ocr_threads or threads_of(len(os.sched_getaffinity(0)), self.limits.workers)
        own = (sys.executable, "-m", CHILD, str(self.limits.ocr_memory_mib), str(threads))
        process = self._process = subprocess.Popen(  # noqa: S603 - our own module, by this interpreter
            self.command or own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            reply = self._reply(process, START_SECONDS)
        except ReadFailed as failure:
            raise Unavailable(f"The character recognition did not start: {failure}.", passing=True) from None
        if not reply.get("ready"):
            self.end()
            message = f"The character recognition did not start ({reply.get('failed', 'no reason given')})."
            raise Unavailable(message, passing=True)
        return process

    def _reply(self, process: subprocess.Popen[bytes], seconds: float) -> dict[str, Any]:
        """Return the next line that the process writes; end it where none comes in time."""
        assert process.stdout is not None
        until = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                self.end()
                raise ReadFailed(f"it took more than {seconds:g} seconds", passing=True)
            read = os.read(process.stdout.fileno(), 1 << 16)
            if not read:
                code = process.wait()
                self.end()
                raise ReadFailed(death("the process that reads characters", code), passing=True)
            self._buffer += read
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer[:] = rest
        reply = json.loads(line)
        return reply if isinstance(reply, dict) else {}


def _corners(quad: list[list[float]]) -> Corners:
    return tuple((x, y) for x, y in quad)
