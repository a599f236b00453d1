"""What one client can hold open, and that it keeps nobody else from being served."""

from __future__ import annotations

import http.client
import os
import select
import socket
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest
import waitress.channel

from appliance.core.settings import ServeSettings, Settings
from appliance.web.connection_limits import Server, guarded, origin_of
from appliance.web.serve import listen, options
from tests.web.serving import serving

ATTACKER, READER = "127.0.0.1", "127.0.0.2"
QUICK = ServeSettings(header_seconds=1.0, body_seconds=2.0, reply_seconds=3.0, idle_seconds=2, threads=4)
LARGE = 8 * 2**20
PART = 4 * 2**20  # the largest part of a file that the page sends
PATIENCE = 20.0  # seconds that a test waits for what must happen
SOAK = bool(os.environ.get("SOAK"))


def application(environ: Any, start_response: Any) -> Any:
    """Answer "ok"; at /large so much that no buffer of the system holds it, at /parts in pieces."""
    path = environ["PATH_INFO"]
    environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain")])
    if path == "/large":
        return [b"x" * LARGE]
    if path == "/parts":
        return (b"x" * 2**20 for _ in range(PART // 2**20))
    return [b"ok"]


@contextmanager
def running(limits: ServeSettings, app: Any = application) -> Iterator[tuple[Server, int]]:
    listener = listen("0.0.0.0", 0)
    server = guarded(app, listener, limits, options(Settings(serve=limits)))
    with serving(server) as port:
        yield server, port


@pytest.fixture
def served() -> Iterator[tuple[Server, int]]:
    with running(QUICK) as found:
        yield found


def connected(port: int, source: str = ATTACKER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0))


def closed(client: socket.socket) -> bool:
    """Tell whether the other side has closed this connection."""
    if not select.select([client], [], [], 0)[0]:
        return False
    try:
        return client.recv(65_536) == b""
    except OSError:
        return True


def until(what: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False


def get(port: int, path: str = "/", source: str = READER) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, PATIENCE, (source, 0))) as client:
        client.request("GET", path)
        response = client.getresponse()
        return response.status, response.read()


def answered(port: int, source: str) -> bool:
    try:
        return get(port, source=source) == (200, b"ok")
    except OSError:
        return False


def times_of(port: int, number: int, path: str = "/") -> list[float]:
    """Return how long another client waits for each of so many answers, in ms."""
    found = []
    for _ in range(number):
        began = time.perf_counter()
        assert get(port, path)[0] == 200
        found.append(1000 * (time.perf_counter() - began))
    return found


def told(name: str, found: list[float]) -> None:
    ordered = sorted(found)
    p95 = ordered[int(0.95 * len(ordered))]
    sys.stderr.write(f"\n{name}: median {statistics.median(ordered):.1f} ms, p95 {p95:.1f} ms\n")


def test_300_half_open_connections_of_one_address_leave_others_served(served: tuple[Server, int]) -> None:
    server, port = served
    with ExitStack() as stack:
        for _ in range(300):
            client = stack.enter_context(connected(port))
            try:
                client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
            except OSError:
                continue  # refused
        assert until(lambda: len(server.active_channels) <= QUICK.connections_per_address)
        found = times_of(port, 500 if SOAK else 20)
        if SOAK:
            told("beside 300 half-open connections", found)
    assert until(lambda: answered(port, ATTACKER))


def test_a_new_connection_is_not_ended_for_one_whose_number_it_has(served: tuple[Server, int]) -> None:
    """Those that are overdue end between two looks of the loop; the system gives their numbers away again."""
    _, port = served
    with ThreadPoolExecutor(4) as readers, ExitStack() as stack:
        for number in range(240):
            client = stack.enter_context(connected(port, f"127.0.3.{number // 20 + 1}"))
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
        end = time.monotonic() + 2 * QUICK.header_seconds

        def read(_: int) -> bool:
            return all(answered(port, READER) for _ in iter(lambda: time.monotonic() < end, False))

        assert all(readers.map(read, range(4)))


def test_a_request_that_trickles_is_ended(served: tuple[Server, int]) -> None:
    _, port = served
    body = b"POST / HTTP/1.1\r\nContent-Length: 99999\r\n\r\n"
    with ExitStack() as stack:
        trickling = []
        for start in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", body):
            client = stack.enter_context(connected(port))
            client.sendall(start)
            trickling.append(client)

        def dropped(client: socket.socket) -> bool:
            try:
                client.sendall(b"a")
            except OSError:
                return True
            return closed(client)

        for client in trickling:
            assert until(lambda client=client: dropped(client))  # type: ignore[misc]  # the default binds it


def test_40_readers_that_do_not_read_leave_others_served(served: tuple[Server, int]) -> None:
    server, port = served
    with ExitStack() as stack:
        for number in range(40):
            client = stack.enter_context(connected(port, f"127.0.1.{1 + number // 10}"))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            path = ("/large", "/parts")[number % 2]
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        found = times_of(port, 200 if SOAK else 10)
        if SOAK:
            told("beside 40 readers that do not read", found)
        assert until(lambda: not server.active_channels), "they are let go of"


@pytest.mark.parametrize(("stood", "stays"), [(1.5, False), (2.5, True), (60.0, True)])
def test_a_client_is_not_late_because_the_server_was(stood: float, stays: bool) -> None:
    limits = replace(QUICK, header_seconds=1.0)
    with closing(listen("127.0.0.1", 0)) as listener:
        server = guarded(application, listener, limits, options(Settings(serve=limits)))
        with connected(listener.getsockname()[1], "127.0.0.1") as client:
            client.sendall(b"GET / HT")
            server.handle_accept()
            (channel,) = server.active_channels.values()
            now = time.monotonic()
            channel.asking_since = now - stood
            server.beat = now - stood
            server.readable()
            assert bool(server.active_channels) is stays
            server.beat -= 1.5
            channel.asking_since = time.monotonic() - 1.5
            server.readable()
            assert not server.active_channels, "once it looks again, it is late"
        server.task_dispatcher.shutdown()
        server.close()


def test_a_reply_that_was_long_thought_about_is_not_cut() -> None:
    """Not even where its thread waits for a core before the first byte of it is sent."""
    limits = replace(QUICK, idle_seconds=30, reply_seconds=120.0)
    with closing(listen("127.0.0.1", 0)) as listener:
        server = guarded(application, listener, limits, options(Settings(serve=limits)))
        with connected(listener.getsockname()[1], "127.0.0.1") as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            server.handle_accept()
            (channel,) = server.active_channels.values()
            came, asked = time.monotonic(), "a request that a thread has taken"
            channel.last_activity, channel.requests, channel.asking_since = came, [asked], None
            assert not channel.overdue(came + 300, limits), "thinking"
            channel.total_outbufs_len = 13_000
            assert not channel.overdue(came + 301, limits), "just written"
            assert not channel.overdue(came + 330, limits)
            assert channel.overdue(came + 332, limits), "nobody takes it"
            channel.handle_close()
        server.task_dispatcher.shutdown()
        server.close()


def test_who_goes_away_before_its_turn_is_not_answered() -> None:
    """The queue is worked off for those who still wait: the sockets of the others are looked at meanwhile."""
    asked: list[str] = []
    go_on = threading.Event()

    def slow(environ: Any, start_response: Any) -> Any:
        asked.append(environ["PATH_INFO"])
        assert go_on.wait(PATIENCE)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"ok"]

    with running(replace(QUICK, threads=1), slow) as (server, port), ExitStack() as stack:
        first = stack.enter_context(connected(port))
        first.sendall(b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n")
        assert until(lambda: asked == ["/first"])
        for _ in range(20):
            with closing(connected(port)) as gone:
                gone.sendall(b"GET /gone HTTP/1.1\r\nHost: x\r\n\r\n")
        stays = stack.enter_context(connected(port, READER))
        stays.sendall(b"GET /stays HTTP/1.1\r\nHost: x\r\n\r\n")
        waiting = {client.getsockname()[1] for client in (first, stays)}
        assert until(
            lambda: {channel.addr[1] for channel in (*server.active_channels.values(),)} == waiting
        ), "those who went are noticed while they wait"
        go_on.set()
        assert until(lambda: bool(select.select([stays], [], [], 0)[0]))
        assert stays.recv(4096).startswith(b"HTTP/1.1 200")
    assert asked == ["/first", "/stays"]


def test_requests_sent_ahead_are_not_heaped_up(served: tuple[Server, int]) -> None:
    server, port = served
    with connected(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
        assert until(lambda: not server.active_channels)
    assert get(port)[0] == 200


def test_an_idle_connection_makes_room_for_a_new_one_of_its_address(served: tuple[Server, int]) -> None:
    _, port = served
    kept = [http.client.HTTPConnection("127.0.0.1", port, PATIENCE) for _ in range(24)]
    with ExitStack() as stack:
        for client in kept:
            stack.enter_context(closing(client))
            client.request("GET", "/")
            assert client.getresponse().read() == b"ok"
        assert get(port, source=ATTACKER) == (200, b"ok")


def test_what_is_idle_is_closed_and_what_is_asked_again_is_not(served: tuple[Server, int]) -> None:
    _, port = served
    with connected(port) as idle, closing(http.client.HTTPConnection("127.0.0.1", port, PATIENCE)) as busy:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(4096).startswith(b"HTTP/1.1 200")
        first = None
        while not closed(idle):
            busy.request("GET", "/")
            assert busy.getresponse().read() == b"ok"
            first = first or busy.sock
            assert busy.sock is first, "one connection for all of them"
            time.sleep(0.1)


def test_a_clock_that_is_set_back_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        """A clock of 1970 after the start."""

        time = staticmethod(lambda: 0.0)

    with running(QUICK) as (server, port), connected(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(waitress.channel, "time", Wrong)
        monkeypatch.setattr(waitress.server, "time", Wrong)
        assert until(lambda: not server.active_channels)


def test_the_page_itself_is_served_by_such_a_server(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(60):
            client = stack.enter_context(connected(port))
            client.sendall(b"GET")
        status, body = get(port, "/ask?q=snow")
    assert status == 200
    assert b"Not confirmed" in body


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.168.4.20", "192.168.4.20"),
        ("::ffff:192.168.4.20", "192.168.4.20"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("localhost", "localhost"),
    ],
)
def test_a_client_is_counted_by_what_it_cannot_change(address: str, counted: str) -> None:
    assert origin_of(address) == counted
