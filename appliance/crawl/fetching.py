"""One address over HTTP(S) into a file: bounded in unpacked bytes and in time, and never redirected."""

from __future__ import annotations

import hashlib
import http.client
import ssl
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from socket import SHUT_RDWR
from urllib.parse import urlsplit

from appliance import __version__

AGENT = "appliance-crawl"
NAMED = f"{AGENT}/{__version__}"
PART = 1 << 16  # bytes read at once
SLOWEST = 64 << 10  # bytes a second, on average, that an answer brings once its first seconds are over
PDF = "application/pdf"
GZIP = 31  # zlib's word for it
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
LONGEST_WAIT_SECONDS = 60.0  # that an answer 429 may ask for


@dataclass(frozen=True, slots=True)
class Limits:
    """What one answer may take: seconds before it comes slowly, MiB of a PDF, MiB of anything else."""

    seconds: float = 60.0
    pdf_mib: int = 1024
    page_mib: int = 32


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: its status, its headers by lower-case name, and its body, unpacked, in a file.

    The body is read where the status says that it is what was asked for; else it is empty.
    """

    status: int
    headers: Mapping[str, str]
    body: Path
    sha256: str = ""
    cookies: tuple[tuple[str, str], ...] = ()

    @property
    def ok(self) -> bool:
        """Tell whether it is what was asked for."""
        return self.status // 100 == 2

    @property
    def kind(self) -> str:
        """Return the media type, without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Unanswered(Exception):
    """An address gave no answer that can be used.

    `passing` tells that it may be otherwise when asked again, `after` the seconds that the site asks for.
    """

    def __init__(self, why: str, *, passing: bool = False, after: float | None = None) -> None:
        super().__init__(why)
        self.passing, self.after = passing, after


def fetch(address: str, headers: Mapping[str, str], body: Path, limits: Limits) -> Answered:
    """Ask an address once and write what it answers into `body`; raises Unanswered."""
    began, host = time.monotonic(), urlsplit(address).netloc
    if urlsplit(address).scheme == "http":
        connection = http.client.HTTPConnection(host, timeout=limits.seconds)
    else:
        secure = ssl.create_default_context()
        connection = http.client.HTTPSConnection(host, timeout=limits.seconds, context=secure)
    with closing(connection):
        with _network(began, limits):
            answer = _asked(connection, address, headers, limits)
        told = {name.lower(): value for name, value in answer.getheaders()}
        if answer.status in AGAIN:
            wait = told.get("retry-after", "")
            after = min(float(wait), LONGEST_WAIT_SECONDS) if wait.isdecimal() else None
            raise Unanswered(f"the site answers {answer.status}", passing=True, after=after)
        cookies: list[tuple[str, str]] = []
        for line in answer.headers.get_all("set-cookie", ()):
            with suppress(CookieError):
                cookies += [(name, one.value) for name, one in SimpleCookie(line).items()]
        answered = Answered(answer.status, told, body, cookies=tuple(cookies))
        digest = hashlib.sha256()
        with body.open("wb") as file:
            for part in _parts(answer, answered, began, limits) if answered.ok else ():
                digest.update(part)
                file.write(part)
    return replace(answered, sha256=digest.hexdigest())


def _asked(
    connection: http.client.HTTPConnection, address: str, headers: Mapping[str, str], limits: Limits
) -> http.client.HTTPResponse:
    connection.connect()
    late = threading.Timer(limits.seconds, connection.sock.shutdown, (SHUT_RDWR,))  # of a head that trickles
    late.start()
    try:
        parts = urlsplit(address)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        own = {"User-Agent": NAMED, "Accept-Encoding": "gzip", "Accept": "*/*"}
        connection.request("GET", path, headers={**own, **headers})
        return connection.getresponse()
    finally:
        late.cancel()


@contextmanager
def _network(began: float, limits: Limits) -> Iterator[None]:
    """Turn what a network raises into Unanswered."""
    try:
        yield
    except (OSError, http.client.HTTPException, zlib.error) as error:
        slow = isinstance(error, TimeoutError) or time.monotonic() - began >= limits.seconds
        raise Unanswered(_slow(limits) if slow else "the site does not answer", passing=not slow) from None


def _parts(
    answer: http.client.HTTPResponse, answered: Answered, began: float, limits: Limits
) -> Iterator[bytes]:
    """Yield a body, unpacked; raises Unanswered where it is too large, too slow, or ends too early."""
    packing = answered.headers.get("content-encoding", "identity").strip().lower()
    if packing not in {"identity", "gzip"}:
        raise Unanswered(f"its answer is packed in a way that is not read ({packing[:20]})")
    unpack = zlib.decompressobj(GZIP) if packing == "gzip" else None
    most, held = (limits.pdf_mib if answered.kind == PDF else limits.page_mib) << 20, 0
    while True:
        with _network(began, limits):
            part = answer.read1(PART)
            unpacked = unpack.decompress(part, most + 1 - held) if unpack else part
        held += len(unpacked)
        if held > most:
            raise Unanswered(f"it is larger than {most >> 20} MiB")
        if time.monotonic() - began > limits.seconds + held / SLOWEST:
            raise Unanswered(_slow(limits))
        if not part:
            break
        yield unpacked
    if answer.length or (unpack and not unpack.eof):
        raise Unanswered("its answer stops in the middle", passing=True)


def _slow(limits: Limits) -> str:
    return f"it answers too slowly (more than {limits.seconds:.0f} s)"
