"""A process whose work is not trusted: its limits of time and memory, and what is kept of its words."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

MEMORY = 8 << 30  # address space of a process, bytes
WORDS = 4 << 10  # bytes kept of what it says, where that is for people
CHUNK = 1 << 16
GRACE = 5.0  # seconds to end by itself, and to read what is left in a pipe


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended, and the last of what it said."""

    code: int
    out: bytes
    err: bytes


class Tail:
    """The last bytes of a stream, read to its end in a thread of its own."""

    def __init__(self, stream: IO[bytes], most: int = WORDS) -> None:
        self._stream, self._most, self._kept = stream, most, bytearray()
        self._reader = threading.Thread(target=self._read, name="what a process says", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(OSError, ValueError), self._stream:
            while chunk := os.read(self._stream.fileno(), CHUNK):
                self._kept += chunk
                if len(self._kept) > 2 * self._most + CHUNK:  # not for each chunk: it moves what is kept
                    del self._kept[: -self._most]

    def last(self) -> bytes:
        """Return the last bytes; of a process that has ended, all that it said last."""
        self._reader.join(GRACE)
        return bytes(self._kept[-self._most :])


@contextmanager
def started(
    arguments: Sequence[str], memory: int = MEMORY, **more: object
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that may take so much memory, and end it and all that it started."""
    process = subprocess.Popen(arguments, start_new_session=True, **more)  # type: ignore[call-overload] # noqa: S603 - of our own program
    try:
        with suppress(OSError):  # it may have ended already
            import resource  # noqa: PLC0415 - not on Windows, where a home is only read

            if hasattr(resource, "prlimit"):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (memory, memory))
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
        _kill_group(process.pid)
        process.wait()


def run(
    arguments: Sequence[str],
    *,
    seconds: float,
    env: Mapping[str, str] | None = None,
    given: bytes = b"",
    most: int = WORDS,
) -> Ended:
    """Run a process to its end; of what it prints so many bytes are kept, the last ones.

    Raises:
        subprocess.TimeoutExpired: it took longer, and was ended.
    """
    pipe = subprocess.PIPE
    with started(arguments, env=env, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        out, err = Tail(process.stdout, most), Tail(process.stderr)
        threading.Thread(target=_give, args=(process.stdin, given), daemon=True).start()
        process.wait(max(seconds, 0.0))
        _kill_group(process.pid)  # or what it left behind would hold the pipes
        return Ended(process.returncode, out.last(), err.last())


def bound(kind: int, most: int) -> None:
    """Set a soft limit of this process, so that it can be raised; what the system refuses is left out."""
    import resource  # noqa: PLC0415 - not on Windows, where a home is only read

    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def death(who: str, code: int) -> str:
    """Return why a process that said nothing ended."""
    if code >= 0:
        return f"{who} ended without a result (exit code {code})"
    return f"{who} was ended by the system ({signal.Signals(-code).name})"


def last_line(said: bytes) -> str:
    """Return the last line with anything in it, "" for none."""
    lines = said.decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _give(stream: IO[bytes], content: bytes) -> None:
    with suppress(OSError), stream:  # it may not want it, or have ended
        stream.write(content)


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
