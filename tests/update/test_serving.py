"""A server on the home of a box moves to the version that is served, by itself, on the same socket."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from appliance.update import apply, home
from appliance.update.intake.stick import find_stick
from tests.update.conftest import SOAK
from tests.update.simulator import SETTINGS, TEXTS, Builder, update
from tests.update.test_program import NAME, PACKAGE, of_itself, renamed

SECONDS = 90.0  # that a busy machine may need


@contextmanager
def serving(at: Path, folder: Path) -> Iterator[int]:
    """Serve a home in a process of its own, as a person would; yield the port."""
    settings = folder / "settings.toml"
    settings.write_text('[models]\nembedder = ""\nreranker = ""\n[log]\nrequests = false\n')
    kept = {name: value for name, value in os.environ.items() if not name.startswith("APPLIANCE")}
    words = ["serve", "--home", str(at), "--host", "127.0.0.1", "--port", "0"]
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "appliance.launch", "--settings", str(settings), *words],
        env=kept | {"PYTHONPATH": str(PACKAGE.parent)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr is not None
    try:
        port = next(found for line in child.stderr if (found := re.search(r"http://127.0.0.1:(\d+)/", line)))
        reader = threading.Thread(target=child.stderr.read, daemon=True)
        reader.start()
        yield int(port.group(1))
        assert child.poll() is None, "it is the same process to the end"
    finally:
        child.terminate()
        ending = child.wait(30)
        reader.join(30)
        child.stderr.close()
        assert ending == 0


def asked(port: int, path: str) -> tuple[int, str, str]:
    """Return status, version of the library and text."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as client:
        client.request("GET", path)
        found = client.getresponse()
        return found.status, found.headers.get("X-Library", ""), found.read().decode()


def until(says: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not says():
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.parametrize(
    "with_program",
    [False, pytest.param(True, marks=pytest.mark.skipif(not SOAK, reason="the long forms: make soak"))],
    ids=["library", "library and program"],
)
def test_a_server_moves_to_the_new_version_and_nobody_is_refused_meanwhile(
    box: apply.Box, builder: Builder, two: Path, tmp_path: Path, with_program: bool
) -> None:
    stick = two
    if with_program:
        of_itself(tmp_path / "wheels" / NAME, renamed)
        texts = TEXTS | {"5.2": "Guarding stands 1200 millimetres above the balcony."}
        stick = builder.bundle(texts, program=tmp_path / "wheels")
    with serving(box.home.path, tmp_path) as port:
        question = "/d/DC-1-3/c/5.2"
        status, before, text = asked(port, question)
        assert (status, "1100 millimetres" in text) == (200, True)
        met: list[int] = []
        ended = threading.Event()

        def reads() -> None:
            while not ended.is_set():
                met.append(asked(port, question)[0])
                time.sleep(0.05)

        reader = threading.Thread(target=reads, daemon=True)
        reader.start()
        update(apply.Box(box.home, SETTINGS) if with_program else box, stick)
        until(lambda: asked(port, question)[1] != before)
        ended.set()
        reader.join(SECONDS)
        assert set(met) == {200}
        assert "1200 millimetres" in asked(port, question)[2]
        assert ("9.9.9" in asked(port, "/healthz")[2]) is with_program
        apply.go_back(box)
        until(lambda: asked(port, question)[1] == before)
        assert "9.9.9" not in asked(port, "/healthz")[2]


def test_a_prepared_version_moves_nothing(box: apply.Box, two: Path) -> None:
    from appliance.operation.update_health import moved

    library = home.serving(box.home)
    apply.prepare(box, find_stick(two))
    assert not moved(library)
    apply.switch(box)
    assert moved(library)
