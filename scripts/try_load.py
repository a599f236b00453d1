#!/usr/bin/env python3
"""Let many people use a library at once, beside 300 half-open connections; the same with Datasette.

    python scripts/try_load.py LIBRARY [--people 50] [--pause 20] [--seconds 1800] [--model FOLDER NAME]
        [--questions FILE] [--datasette PROGRAM]

Both serve the same library, one after the other in this run: Datasette its passages in the usual full-text
table. Each person pauses between two requests, for `--pause` seconds in the mean.
With `--model`, a folder of models and the name of one in it, one request in nine has an answer written, else
one in nine tells what was thought of one. Prints the times of searches of one person alone, then of all, who
also ask; exits with 1 where a reply was of the kind 5xx or p95 is more than 2.5 times that of one person.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

QUESTIONS = Path(__file__).parents[1] / "data" / "demo" / "questions.jsonl"
SQL = (
    "select title, text, bm25(passages) as rank from passages where passages match :q order by rank limit 10"
)
INDEX = (
    "create virtual table passages using fts5(title, text, tokenize='porter');"
    "insert into passages (rowid, title, text) select id, title, text from codes.chunks where searchable"
)
HALF_OPEN, ALONE, SLOWER = 300, 200, 2.5
PEER = 300.0  # seconds at most for which the people use the other server
Wish = Callable[[random.Random], tuple[str, str, bool]]  # method, path, whether it is a search


def ours(questions: Sequence[str], *, writes: bool) -> Wish:
    """Return the wish of a person who searches, asks, types, and has answers written where that `writes`."""
    post = ("POST", "/api/v1/jobs?q={}" if writes else "/feedback", False)
    search = ("GET", "/api/v1/search?q={}", True)
    ways = [search] * 5 + [("GET", "/ask?q={}", False)] * 2 + [("GET", "/api/v1/suggest?q={}", False), post]

    def wish(chance: random.Random) -> tuple[str, str, bool]:
        method, path, searched = chance.choice(ways)
        question = chance.choice(questions)
        return method, path.format(quote(question[:3] if "suggest" in path else question)), searched

    return wish


def searches(path: str, questions: Sequence[str]) -> Wish:
    """Return the wish of a person who only searches; `path` goes before the question."""
    return lambda chance: ("GET", path + quote(chance.choice(questions)), True)


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
                client.close()  # a server ends connections that are idle for longer than many a pause
                time.sleep(self.chance.uniform(0, 2 * self.pause))
                method, path, search = self.wish(self.chance)
                body = "q=snow&verdict=helpful" if path == "/feedback" else None
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
                if (code := process.poll()) is not None:
                    message = f"It ended with {code} before it served; run it to see why: {' '.join(command)}"
                    raise SystemExit(message)
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.2)
            yield
        finally:
            process.terminate()


def hold(port: int, ended: threading.Event) -> None:
    """Keep connections half open from addresses of their own; each that the server ends is opened again."""
    held: dict[int, socket.socket] = {}
    while not ended.wait(0.5):
        for number in range(HALF_OPEN):
            with suppress(OSError):
                if number not in held:
                    held[number] = half_open(port, f"127.0.3.{number % 250 + 1}")
                elif is_ended(held[number]):
                    held.pop(number).close()
    for one in held.values():
        one.close()


def half_open(port: int, address: str) -> socket.socket:
    """Return a connection whose request never ends."""
    one = socket.create_connection(("127.0.0.1", port), 1, (address, 0))
    one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
    return one


def is_ended(one: socket.socket) -> bool:
    """Tell whether the server has ended a connection, with or without a word."""
    try:
        return one.recv(4096, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def p95(times: list[float]) -> float:
    """Return the time below which 95 of 100 are."""
    return sorted(times)[int(0.95 * len(times))] if times else float("nan")


def measure(name: str, port: int, alone_wish: Wish, wish: Wish, told: argparse.Namespace) -> bool:
    """Measure one server, print its figures; tell whether they are as they must be."""
    first = Person(200, port, alone_wish, 0.0)
    first.visit(30, 20)  # it has read what it needs
    alone = Person(0, port, alone_wish, 0.1)
    alone.visit(120, ALONE)
    if not alone.times:
        message = f"{name} answered no search of one person ({dict(alone.met)}; 0: no reply)."
        raise SystemExit(message)
    ended = threading.Event()
    threading.Thread(target=hold, args=(port, ended), daemon=True).start()
    crowd = [Person(number, port, wish, told.pause) for number in range(told.people)]
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
        f" {told.people} people who pause {told.pause:g} s, for {told.seconds:.0f} s,"
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
    parser.add_argument("--pause", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--model", nargs=2)
    parser.add_argument("--datasette", default=shutil.which("datasette"))
    told = parser.parse_args()
    questions = [json.loads(line)["question"] for line in told.questions.read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        library, peer, settings = (Path(folder, name) for name in ("codes.db", "peer.db", "settings.toml"))
        shutil.copy(told.library, library)
        Path(folder, "codes.db.images").symlink_to(Path(f"{told.library.absolute()}.images"))
        models, model = told.model or ("", "")
        settings.write_text(f'[models]\nfolder = "{models}"\n[llm]\nmodel = "{model}"\n')
        command = [sys.executable, "-m", "appliance.cli", "--settings", str(settings), "serve"]
        with serving([*command, "--library", str(library), "--host", "127.0.0.1", "--port", "8971"], 8971):
            alone = searches("/api/v1/search?q=", questions)
            good = measure("appliance", 8971, alone, ours(questions, writes=bool(model)), told)
        if told.datasette:
            with closing(sqlite3.connect(peer)) as database:
                database.execute("attach ? as codes", [str(told.library)])
                database.executescript(INDEX)
            words = [" OR ".join(re.findall(r"\w+", one)) for one in questions]
            search = searches(f"/peer.json?sql={quote(SQL)}&q=", words)
            with serving([told.datasette, "serve", str(peer), "--port", "8972"], 8972):
                told.seconds = min(told.seconds, PEER)
                measure("Datasette", 8972, search, search, told)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
