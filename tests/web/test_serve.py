"""How the page is put on the LAN: limits, taken ports, addresses, the code to scan."""

from __future__ import annotations

import io
import socket
from collections import namedtuple

import psutil
import pytest

from appliance.core.errors import PortTaken
from appliance.core.settings import CitingSettings, ServeSettings, Settings
from appliance.web import lan, serve
from tests.web.fake_library import FakeLibrary

Address = namedtuple("Address", "family address")  # noqa: PYI024 - stands in for psutil's own namedtuple


def test_a_taken_port_is_said_with_the_option_that_mends_it(library: FakeLibrary) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = Settings(serve=ServeSettings(host="127.0.0.1", port=port))
        with pytest.raises(PortTaken, match=rf"port {port} .*appliance serve --port {port + 1}"):
            serve.make_server(library, settings)


def test_an_address_that_is_not_ours_is_said_in_the_same_way(library: FakeLibrary) -> None:
    with pytest.raises(PortTaken, match=r"198\.51\.100\.7"):
        serve.make_server(library, Settings(serve=ServeSettings(host="198.51.100.7", port=0)))


def test_every_limit_reaches_the_server() -> None:
    limits = ServeSettings(threads=3, body_kib=7, header_kib=5, connections=9)
    made = serve.options(Settings(serve=limits, citing=CitingSettings(upload_kib=100)))
    assert (made["threads"], made["connection_limit"]) == (3, 9)
    assert (made["max_request_body_size"], made["max_request_header_size"]) == (164 * 1024, 5 * 1024)
    assert made["ident"] is None
    assert made["expose_tracebacks"] is False


@pytest.mark.parametrize(
    ("entries", "host", "expected"),
    [
        ({"lo": ["127.0.0.1"]}, "0.0.0.0", ["http://127.0.0.1:8080/"]),
        ({"lo": ["127.0.0.1"], "wlan0": ["192.168.4.20"]}, "0.0.0.0", ["http://192.168.4.20:8080/"]),
        ({"eth0": ["10.0.0.2"], "docker0": ["172.17.0.1"]}, "0.0.0.0", ["http://10.0.0.2:8080/"]),
        ({"eth0": ["169.254.3.3", "10.0.0.2"]}, "0.0.0.0", ["http://10.0.0.2:8080/"]),
        ({"eth0": ["fe80::1%eth0", "2001:db8::7"]}, "0.0.0.0", ["http://127.0.0.1:8080/"]),
        (
            {"eth0": ["2001:db8::7", "10.0.0.2"]},
            "::",
            ["http://10.0.0.2:8080/", "http://[2001:db8::7]:8080/"],
        ),
        ({"eth0": ["10.0.0.2"]}, "127.0.0.1", ["http://127.0.0.1:8080/"]),
    ],
)
def test_addresses_are_those_that_others_can_reach(
    monkeypatch: pytest.MonkeyPatch, entries: dict[str, list[str]], host: str, expected: list[str]
) -> None:
    cards = {
        name: [Address(socket.AF_INET6 if ":" in item else socket.AF_INET, item) for item in items]
        for name, items in entries.items()
    }
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: cards)
    assert list(lan.addresses(8080, host)) == expected


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1:8080", True),
        ("127.0.0.2", True),
        ("localhost", True),
        ("[::1]:80", True),
        ("[::1]", True),
        ("192.168.4.20:8080", False),
        ("box.local:8080", False),
        ("[2001:db8::7]:80", False),
    ],
)
def test_a_visitor_at_the_box_itself_is_known(host: str, local: bool) -> None:
    assert lan.is_local(host) is local


def test_the_address_and_its_code_are_printed() -> None:
    out = io.StringIO()
    serve.announce("192.168.4.20", 8080, out)
    assert "http://192.168.4.20:8080/" in out.getvalue()
    assert "█" in out.getvalue()
