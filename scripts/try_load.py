#!/usr/bin/env python3
"""Let many people use a library at once, beside 300 half-open connections; the same with Datasette.

    python scripts/try_load.py LIBRARY [--people 50] [--seconds 1800] [--datasette PROGRAM]

Both serve a copy of the library, one after the other in this run; that of Datasette has the usual full-text
table of the passages besides. Prints the times of searches of one person alone, then of all, who also ask and
write; exits with 1 where a reply was of the kind 5xx or p95 is more than 2.5 times that of one person.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

QUESTIONS = (
    "snow load",
    "roof",
    "density of concrete",
    "width of a stair",
    "wind",
    "imposed load",
    "fire",
    "beam",
)
SQL = (
    "select title, text, bm25(passages) as rank from passages where passages match :q order by rank limit 10"
)
INDEX = (
    "create virtual table passages using fts5(title, text, tokenize='porter'); insert into passages (rowid, "
)
INDEX += "title, text) select id, title, text from chunks where searchable"
HALF_OPEN, ALONE, SLOWER = 300, 200, 2.5
Wish = Callable[[random.Random], tuple[str, str, bool]]  # method, path, whether it is a search


def ours(chance: random.Random) -> tuple[str, str, bool]:
    """Return what a person wants next: half are searches, one in ten writes."""
    question = quote(chance.choice(QUESTIONS))
    search = ("GET", f"/api/v1/search?q={question}", True)
    others = [("GET", f"/ask?q={question}", False), ("GET", f"/api/v1/suggest?q={question[:3]}", False)]
    return chance.choice([search] * 5 + others * 2 + [("POST", "/feedback", False)])


def searches(path: str) -> Wish:
    """Return the wish of a person who only searches; `path` goes before the question."""
    return lambda chance: ("GET", path + quote(chance.choice(QUESTIONS)), True)


class Person:
    """Asks at a port from an address of its own; `met` counts the replies, `times` are ms of the searches."""

    def __init__(self, number: int, port: int, wish: Wish, pause: float) -> None:
        self.chance, self.wish, self.pause = random.Random(number), wish, pause  # noqa: S311 - repeatable
        self.address = ("127.0.0.1", port, 60, (f"127.0.2.{number + 1}", 0))
        self.met: Counter[int] = Counter()
        self.times: list[float] = []

    def visit(self, seconds: float, searches: int = sys.maxsize) -> None:
        """Go on for so long, or for so many searches."""
        end = time.monotonic() + seconds
        with closing(http.client.HTTPConnection(*self.address)) as client:
            while time.monotonic() < end and len(self.times) < searches:
                time.sleep(self.chance.uniform(0, 2 * self.pause))
                method, path, search = self.wish(self.chance)
                body = "q=snow&verdict=helpful" if method == "POST" else None
                kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
                began = time.perf_counter()
                try:
                    client.request(
                        method, path, body, {"Origin": f"http://127.0.0.1:{self.address[1]}", **kind}
                    )
                    response = client.getresponse()
                    response.read()
                except (OSError, http.client.HTTPException):
                    self.met[0] += 1
                    client.close()
                    continue
                self.met[response.status] += 1
                if search:
                    self.times.append(1000 * (time.perf_counter() - began))


@contextmanager
def serving(command: list[str], port: int) -> Iterator[None]:
    """Run a server until its port answers, and end it."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - the command is fixed
        try:
            for _ in range(1500):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.2)
            yield
        finally:
            process.terminate()


def hold(port: int, ended: threading.Event) -> None:
    """Keep connections half open from addresses of their own; what is closed is opened again."""
    held: list[socket.socket] = []
    while not ended.wait(5):
        for one in held:
            one.close()
        held = []
        for number in range(HALF_OPEN):
            with suppress(OSError):
                one = socket.create_connection(("127.0.0.1", port), 1, (f"127.0.3.{number % 250 + 1}", 0))
                one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
                held.append(one)


def p95(times: list[float]) -> float:
    """Return the time below which 95 of 100 are."""
    return sorted(times)[int(0.95 * len(times))] if times else float("nan")


def measure(name: str, port: int, search: str, wish: Wish, told: argparse.Namespace) -> bool:
    """Measure one server, print its figures; tell whether they are as they must be."""
    first = Person(200, port, searches(search), 0.0)
    first.visit(30, 20)  # it has read what it needs
    alone = Person(0, port, searches(search), 0.1)
    alone.visit(120, ALONE)
    ended = threading.Event()
    threading.Thread(target=hold, args=(port, ended), daemon=True).start()
    crowd = [Person(number, port, wish, 2.0) for number in range(told.people)]
    threads = [threading.Thread(target=person.visit, args=(told.seconds,)) for person in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ended.set()
    met = sum((person.met for person in crowd), Counter[int]())
    times = [one for person in crowd for one in person.times]
    failed = sum(count for status, count in met.items() if status >= 500)
    load = " ".join(f"{one:.0f}" for one in os.getloadavg())
    sys.stdout.write(
        f"{name}: alone p95 {p95(alone.times):.0f} ms of {len(alone.times)};"
        f" {told.people} people for {told.seconds:.0f} s"
        f" beside {HALF_OPEN} half-open connections: p95 {p95(times):.0f} ms of {len(times)} searches,"
        f" {p95(times) / p95(alone.times):.1f} times; {failed} of {met.total()} replies 5xx,"
        f" {dict(sorted(met.items()))} (0: none); load {load}\n"
    )
    sys.stdout.flush()
    return not failed and p95(times) <= SLOWER * p95(alone.times)


def main() -> int:
    """Measure both, return 1 where ours is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--datasette", default=shutil.which("datasette"))
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library, peer = Path(folder, "codes.db"), Path(folder, "peer.db")
        shutil.copy(told.library, library)
        Path(folder, "codes.db.images").symlink_to(Path(f"{told.library.absolute()}.images"))
        command = [sys.executable, "-m", "appliance.cli", "serve", "--library", str(library)]
        with serving([*command, "--host", "127.0.0.1", "--port", "8971"], 8971):
            good = measure("appliance", 8971, "/api/v1/search?q=", ours, told)
        if told.datasette:
            shutil.copy(told.library, peer)
            with closing(sqlite3.connect(peer)) as database:
                database.executescript(INDEX)
            search = f"/peer.json?sql={quote(SQL)}&q="
            with serving([told.datasette, "serve", str(peer), "--port", "8972"], 8972):
                measure("Datasette", 8972, search, searches(search), told)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
