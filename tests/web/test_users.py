"""Thirty people at once, each with a page of their own: nobody meets a failure of the box."""

from __future__ import annotations

import http.client
import os
import random
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from appliance.core.settings import ServeSettings, Settings, SiteSettings
from appliance.library import Library
from appliance.web.assets import version
from appliance.web.serve import make_server
from tests.web.fake_library import FakeLibrary
from tests.web.serving import serving

SOAK = bool(os.environ.get("SOAK"))
SECONDS = float(os.environ.get("SECONDS", "600" if SOAK else "2"))
LIBRARY = os.environ.get("LIBRARY", "")  # a real one, in place of that of the tests
USERS = 30
PAUSE = 1.0 if SOAK else 0.1  # seconds, on average, that a person reads
QUESTIONS = ("snow load on a roof", "mars", "5.2", "Table 5.2", "width of a stair", "'); --", "ψ", "x" * 400)


@pytest.fixture
def served(library: FakeLibrary, tmp_path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    settings = Settings(serve=ServeSettings(port=0), site=SiteSettings(file=tmp_path / "notes"))
    port: Library = Library.open(Path(LIBRARY), settings) if LIBRARY else library
    server = make_server(port, settings)
    with serving(server) as number:
        yield number, tuple(info.id for info in port.overview().documents)


class Person:
    """Asks, reads, looks something up, sends a form, and now and then goes away in the middle."""

    def __init__(self, number: int, port: int, documents: tuple[str, ...]) -> None:
        self.chance = random.Random(number)
        self.address = ("127.0.0.1", port, 60, (f"127.0.2.{number + 1}", 0))
        self.documents = documents
        self.met: Counter[int] = Counter()
        self.times: list[float] = []

    def visit(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        with closing(http.client.HTTPConnection(*self.address)) as client:
            while time.monotonic() < end:
                time.sleep(self.chance.uniform(0, 2 * PAUSE))
                self._one(client)

    def _one(self, client: http.client.HTTPConnection) -> None:
        began = time.perf_counter()
        method, path = self._wish()
        body = f"q=snow&verdict=helpful&shown=1+{self.documents[0]}+1" if method == "POST" else None
        origin = f"http://127.0.0.1:{self.address[1]}"
        headers = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
        client.request(method, path, body, headers if body else {})
        if self.chance.random() < 0.03:
            client.close()  # the phone left the network
            return
        response = client.getresponse()
        response.read()
        self.met[response.status] += 1
        self.times.append(1000 * (time.perf_counter() - began))

    def _wish(self) -> tuple[str, str]:
        question, document = quote(self.chance.choice(QUESTIONS)), self.chance.choice(self.documents)
        wishes = [
            *[("GET", f"/ask?q={question}")] * 3,
            ("GET", f"/search?q={question}"),
            ("GET", f"/api/v1/suggest?q={question[:3]}"),
            ("GET", f"/d/{document}"),
            ("GET", f"/d/{document}/p/1"),
            ("GET", f"/static/{version()}/main.js"),
            ("GET", "/health"),
            ("GET", "/figures"),
            ("POST", "/feedback"),
        ]
        return self.chance.choice(wishes)


def test_nobody_meets_a_failure_of_the_box(served: tuple[int, tuple[str, ...]]) -> None:
    people = [Person(number, *served) for number in range(USERS)]
    threads = [threading.Thread(target=person.visit, args=(SECONDS,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS + 120)
    met = sum((person.met for person in people), Counter[int]())
    times = sorted(one for person in people for one in person.times)
    assert all(person.met for person in people), "each was answered"
    assert {status for status in met if status >= 500} == set(), met
    if SOAK:
        p95 = times[int(0.95 * len(times))]
        said = (
            f"{len(times)} answers, median {statistics.median(times):.0f} ms, p95 {p95:.0f} ms, {dict(met)}"
        )
        sys.stderr.write(f"\n{USERS} people for {SECONDS:.0f} s: {said}\n")
