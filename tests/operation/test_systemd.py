"""The service manager: the socket handed over, what it is told, and the units as they are written."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from appliance.operation import systemd

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "packaging" / "systemd"
SERVICES = (
    "codes.service",
    "codes-resume.service",
    "codes-update.service",
    "codes-scrub.service",
)
WRITERS = SERVICES[1:]
STARTED = ("state.json", "state.bak", "gen")  # any of these makes it a box
EXPOSURE = 1.5  # of 10, at most, as systemd-analyze counts
MORE = {  # what has to do more, and may be exposed so much
    "codes-console@.service": 2.0,  # a screen of its own
    "codes-notes.service": 2.0,  # begins as root, with the right to mount
    "codes-first-boot.service": 2.5,  # root once, for what belongs to two users
    "codes-stick@.service": 4.0,  # mounts in the name space of the box, so it can have none of its own
}

# Serves the page on a socket that is handed over, and says first what its own connections come to.
CHILD = """
import errno, json, os, socket, sys, tempfile
from pathlib import Path
from appliance.operation import logs
from appliance.core.settings import LogSettings, Settings
from appliance.web.serve import serve
from tests.web.fake_library import FakeLibrary
os.dup2(int(sys.argv[1]), systemd_first := 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
found = []
for address in (("127.0.0.1", int(sys.argv[2])), ("192.168.1.1", 80), ("198.51.100.7", 443)):
    with socket.socket() as client:
        client.settimeout(5)
        found.append(errno.errorcode.get(client.connect_ex(address), "connected"))
print(json.dumps(found), flush=True)
logs.configure(LogSettings())
with tempfile.TemporaryDirectory() as folder:
    serve(FakeLibrary(Path(folder)), Settings())
"""


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(str(tmp_path / "notify"))
        channel.settimeout(60)
        yield channel


def in_empty_network() -> list[str]:
    """Return the command that runs another without any network; skips where that is not permitted."""
    command = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    if (
        not shutil.which("unshare")
        or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no network namespace can be made here (unshare --net)")
    return command


def test_without_any_network_the_socket_handed_over_is_served_and_nothing_gets_out(
    manager: socket.socket,
) -> None:
    command = in_empty_network()
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
        child = subprocess.Popen(
            [*command, sys.executable, "-c", CHILD, str(listener.fileno()), str(port)],
            cwd=ROOT,
            env=os.environ | {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "3000000"},
            pass_fds=(listener.fileno(),),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert child.stdout
            assert set(json.loads(child.stdout.readline())) == {"ENETUNREACH"}
            assert manager.recv(100) == b"READY=1\nWATCHDOG=1"
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ask?q=snow", timeout=60) as page:
                assert "Not confirmed" in page.read().decode()
            assert manager.recv(100) == b"WATCHDOG=1", "it is fed again"
        finally:
            child.send_signal(signal.SIGTERM)
            _, said = child.communicate(timeout=60)
    assert child.returncode == 0
    lines = [json.loads(line) for line in said.splitlines()]
    (asked,) = [line for line in lines if line.get("page") == "pages.ask"]
    assert asked["request"]
    assert "snow" not in said, "no question in the log"


def test_a_socket_meant_for_another_process_is_left_alone() -> None:
    environment = {"LISTEN_PID": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "codes.socket"}
    assert systemd.listener(environment) is None
    assert environment == {}, "nor is it left for a child"
    assert systemd.listener({}) is None
    assert systemd.listener({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "x"}) is None


@pytest.mark.parametrize("address", ["", "no/path", "/not/there"])
def test_nobody_to_tell_is_no_trouble(address: str) -> None:
    assert not systemd.notify("READY=1", {"NOTIFY_SOCKET": address})
    assert not systemd.notify("READY=1", {})


def test_an_abstract_address_is_told_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(f"\0codes-test-{os.getpid()}")
        assert systemd.notify("WATCHDOG=1", {"NOTIFY_SOCKET": f"@codes-test-{os.getpid()}"})
        assert channel.recv(100) == b"WATCHDOG=1"


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "90000000"}, 90.0),
        ({"WATCHDOG_USEC": "90000000", "WATCHDOG_PID": "1"}, 0.0),
        ({"WATCHDOG_USEC": "soon"}, 0.0),
        ({}, 0.0),
    ],
)
def test_the_limit_of_the_watchdog_is_read(environment: dict[str, str], seconds: float) -> None:
    assert systemd.watchdog_seconds(environment) == seconds


class Threads:
    """The threads of a server: they do what they are handed, or hang."""

    def __init__(self, *, hang: bool = False) -> None:
        self.hang = hang

    def hand(self, work: object) -> None:
        if not self.hang and callable(work):
            threading.Thread(target=work, daemon=True).start()


def watch(told: list[str], *, hang: bool = False, fails: bool = False, alive: bool = True) -> systemd.Watch:
    def search() -> None:
        if fails:
            raise RuntimeError

    return systemd.Watch(
        hand=Threads(hang=hang).hand,
        search=search,
        alive=lambda: alive,
        moved=lambda: False,
        stop=lambda: None,
        every=0.1,
        tell=told.append,
    )


def test_the_watchdog_is_fed_by_a_search_that_ends_well() -> None:
    told: list[str] = []
    looking = watch(told)
    assert looking.look()
    assert looking.look()
    assert told == ["READY=1\nWATCHDOG=1", "WATCHDOG=1"]


@pytest.mark.parametrize("trouble", ["hang", "fails", "alive"])
def test_the_watchdog_is_not_fed_by_a_server_that_does_not_serve(trouble: str) -> None:
    told: list[str] = []
    assert not watch(told, **{trouble: trouble != "alive"}).look()
    assert told == []


def test_when_another_version_is_to_be_served_the_server_ends() -> None:
    told: list[str] = []
    ended = threading.Event()
    looking = watch(told)
    looking.moved, looking.stop = (lambda: True), ended.set
    looking.start()
    assert ended.wait(30)
    assert told == ["STOPPING=1"]


def analyzed(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze on a copy of the units, whose program is there."""
    program = shutil.which("systemd-analyze")
    if not program:
        pytest.skip("systemd-analyze is not installed")
    for source in UNITS.rglob("*.*"):
        if source.is_file():
            target = tmp_path / source.relative_to(UNITS)
            target.parent.mkdir(exist_ok=True)
            text = source.read_text(encoding="utf-8")
            text = re.sub(r"/opt/codes/bin/appliance|/usr/libexec/codes/[\w-]+", "/bin/true", text)
            target.write_text(text, encoding="utf-8")
    return subprocess.run(
        [program, *arguments],
        cwd=tmp_path,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:/lib/systemd/system", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_units_are_understood(tmp_path: Path) -> None:
    names = sorted(path.name.replace("@.", "@sda1.") for path in UNITS.glob("*.*") if path.is_file())
    done = analyzed(tmp_path, "verify", "--man=no", *names)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", [*SERVICES, *MORE])
def test_little_is_exposed(tmp_path: Path, name: str) -> None:
    done = analyzed(tmp_path, "security", "--offline=true", str(tmp_path / name))
    figure = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert figure, done.stderr
    if os.environ.get("SOAK"):
        sys.stderr.write(f"\n{figure.group(0)}\n")
    assert float(figure.group(1)) <= MORE.get(name, EXPOSURE)


@pytest.mark.parametrize("name", [*SERVICES, *MORE])
def test_what_a_unit_takes_of_the_memory_is_bounded_and_the_reason_stands_there(name: str) -> None:
    more = UNITS / f"{name}.d" / "hardening.conf"
    said = (more if more.is_file() else UNITS / name).read_text(encoding="utf-8")
    assert re.search(r"^# .+\nMemoryMax=\d+[%M]$", said, re.MULTILINE)
    if name not in {
        "codes-notes.service",
        "codes-stick@.service",
    }:  # they start nothing
        assert re.search(r"^OOMPolicy=continue$", said, re.MULTILINE)


@pytest.mark.parametrize("name", [*SERVICES, *MORE])
def test_whoever_starts_the_program_may_run_the_one_that_an_update_brought(name: str) -> None:
    files = [UNITS / name, UNITS / f"{name}.d" / "hardening.conf"]
    said = "\n".join(path.read_text(encoding="utf-8") for path in files if path.is_file())
    starts = re.search(
        r"^ExecStart=/(opt/codes/bin/appliance|usr/libexec/codes/notes-to-stick)", said, re.MULTILINE
    )
    forbids = re.search(r"^NoExecPaths=/var( |$)", said, re.MULTILINE)
    allows = re.search(r"^ExecPaths=-/var/lib/codes/gen$", said, re.MULTILINE)
    assert bool(allows) == bool(starts and forbids)
    assert starts or name in {"codes-first-boot.service", "codes-stick@.service"}


def test_every_service_is_judged() -> None:
    assert {path.name for path in UNITS.glob("*.service")} == {*SERVICES, *MORE}


def test_what_may_write_the_home_has_no_network_and_what_serves_may_not_write_it() -> None:
    serving = (UNITS / "codes.service").read_text(encoding="utf-8")
    assert "PrivateNetwork=yes" in serving
    assert re.search(r"^ReadOnlyPaths=.*/var/lib/codes/gen", serving, re.MULTILINE)
    shared = {hardening(name) for name in WRITERS}
    assert len(shared) == 1, "one hardening for all of them"
    assert "PrivateNetwork=yes" in shared.pop()


def hardening(name: str) -> str:
    """Return what hardens a unit that writes the home."""
    lines = (UNITS / f"{name}.d" / "hardening.conf").read_text(encoding="utf-8").split("\n")
    kept = [line for line in lines if not line.startswith("#")]
    return "\n".join(kept)


@pytest.mark.parametrize("name", [*SERVICES, "codes-notes.service"])
def test_a_box_that_lost_a_pointer_starts(name: str) -> None:
    said = (UNITS / name).read_text(encoding="utf-8")
    named = re.findall(r"^Condition\w+=(\|?)/var/lib/codes/([\w.]+)$", said, re.MULTILINE)
    assert named == [("|", each) for each in STARTED]


# What Windows lacks is taken away; then the page is made and its health looked at.
ON_WINDOWS = """
import sys, tempfile
from pathlib import Path
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "fcntl":
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
import appliance.cli, appliance.cli.box, appliance.library, appliance.web.serve, appliance.site.backup
from tests.web.fake_library import FakeLibrary
with tempfile.TemporaryDirectory() as folder:
    app = appliance.web.app.create_app(FakeLibrary(Path(folder)))
    app.extensions["library path"] = Path(folder) / "codes.db"
    assert app.test_client().get("/health").status_code == 200
    assert not appliance.operation.update_health.moved(Path(folder) / "codes.db")
print("served")
"""


def test_the_page_needs_nothing_that_windows_lacks() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ON_WINDOWS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("served\n", 0), done.stderr
