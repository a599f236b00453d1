"""The server of a generation is started once before it is committed, and must say that it is well."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from appliance.core import child
from appliance.core.errors import UpdateRefused
from appliance.launch import PROGRAM
from appliance.update import apply, audit, home
from appliance.update.intake.stick import find_stick
from appliance.update.trial import attempt, server_health
from tests.update.simulator import SETTINGS, version
from tests.waiting import until

ROOT = Path(__file__).parents[2]
WELL = """
import http.server, json, os, socket, sys
listener = socket.socket(fileno=3)
body = b'{"ok": true}'
class Reply(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)
server = http.server.HTTPServer(listener.getsockname(), Reply, bind_and_activate=False)
server.socket = listener
"""
SERVERS = {
    "well": (WELL + "server.serve_forever()", ""),
    "not well": (WELL.replace("true", "false") + "server.serve_forever()", "it says that it is not well"),
    "other words": (WELL.replace('{"ok": true}', "<html>") + "server.serve_forever()", "did not say within"),
    "ends": ("raise SystemExit('no module named soup')", "ended by itself with 1: no module named soup"),
    "ends well": ("pass", "ended by itself with 0: it said nothing"),
    "prints": ("while True: print('here' * 9000)", "did not say within 3 seconds"),
    "hangs": ("import time; time.sleep(600)", "did not say within 3 seconds"),
    "will not end": (
        "import signal; signal.signal(15, signal.SIG_IGN)\n" + WELL + "server.serve_forever()",
        "",
    ),
    "eats the memory": ("x = bytearray(4 << 30)", "ended by itself with 1: MemoryError"),
}


def program(folder: Path, code: str) -> Path:
    """Write a generation whose program is this."""
    package = folder / PROGRAM / "appliance"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "cli.py").write_text(code)
    return folder


@pytest.mark.parametrize("kind", SERVERS)
def test_a_server_that_does_not_say_that_it_is_well_is_found_out(tmp_path: Path, kind: str) -> None:
    code, why = SERVERS[kind]
    seconds = 3.0 if kind in {"hangs", "prints", "not well", "other words"} else 60.0
    found = server_health.silent(program(tmp_path, code), SETTINGS, 2 << 30, seconds)
    assert why in found
    assert bool(why) == bool(found)


KILLED = """
import sys
from pathlib import Path
from appliance.update.trial import server_health
from tests.update.simulator import SETTINGS
server_health.silent(Path(sys.argv[1]), SETTINGS, 2 << 30, 600.0)
"""


def test_the_server_ends_when_what_started_it_is_killed(tmp_path: Path) -> None:
    said = tmp_path / "said"
    code = f"import os, time; open({str(said)!r}, 'w').write(f'{{os.getpid()}}.'); time.sleep(600)"
    folder = program(tmp_path, code)
    with subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], cwd=ROOT) as trying:
        try:
            until(lambda: said.exists() and said.read_text().endswith("."))
            server = psutil.Process(int(said.read_text()[:-1]))
        finally:
            trying.kill()
    try:
        until(lambda: not server.is_running())
    finally:
        with suppress(psutil.NoSuchProcess):
            server.kill()


def test_the_server_of_a_generation_answers_and_leaves_nothing_in_it(box: apply.Box) -> None:
    folder = home.serving(box.home).parent
    before = sorted(path.name for path in folder.rglob("*"))
    assert server_health.silent(folder, SETTINGS, child.MEMORY, 90.0) == ""
    assert sorted(path.name for path in folder.rglob("*")) == before
    assert not box.home.site_file.exists()


def test_what_does_not_serve_is_not_committed(
    box: apply.Box, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_health, "HAND_OVER", "raise SystemExit('the page has no templates')")
    real = apply.Box(box.home, box.settings)
    apply.prepare(real, find_stick(two))
    with pytest.raises(UpdateRefused, match="the page has no templates"):
        apply.switch(real)
    assert version(box) == 1
    said = [line.event for line in audit.read_log(box.home.audit_file).lines]
    assert said[-3:] == ["tried", "rolled back", "refused"]
    assert said.count("tried") == 1 + attempt.TRIES, "the first version, and each try of the second"


@pytest.mark.parametrize("fails", ["create_server", "create_connection"])
def test_where_loopback_cannot_be_reached_nothing_is_held_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise PermissionError

    monkeypatch.setattr(socket, fails, refuse)
    assert server_health.silent(program(tmp_path, "raise SystemExit(1)"), SETTINGS, 1 << 30, 60.0) == ""


def test_no_proxy_is_asked(box: apply.Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "http_proxy", "http://127.0.0.1:9")
    assert server_health.silent(home.serving(box.home).parent, SETTINGS, child.MEMORY, 90.0) == ""
