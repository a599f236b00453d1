"""The address that a page tells others: the same every time, and one that they reach."""

from __future__ import annotations

import socket
from io import StringIO
from types import SimpleNamespace

import psutil
import pytest
from flask import Flask

from appliance.core.settings import ServeSettings, Settings
from appliance.web import lan
from appliance.web.app import create_app
from appliance.web.serve import announce
from tests.web.fake_library import FakeLibrary

CARDS = {
    "tun9": ["10.99.0.1"],
    "eth0": ["192.168.1.10", "192.168.1.9"],
    "docker0": ["172.17.0.1"],
    "wlan0": ["169.254.1.1"],
}


@pytest.fixture(autouse=True)
def cards(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {
        name: [SimpleNamespace(family=socket.AF_INET, address=one) for one in each]
        for name, each in CARDS.items()
    }
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: entries)


@pytest.mark.parametrize(
    ("way_out", "expected"),
    [
        ("192.168.1.10", ("192.168.1.10", "10.99.0.1", "192.168.1.9")),
        ("192.168.1.9", ("192.168.1.9", "10.99.0.1", "192.168.1.10")),
        ("", ("10.99.0.1", "192.168.1.9", "192.168.1.10")),  # by number: .9 before .10
        ("8.8.8.8", ("10.99.0.1", "192.168.1.9", "192.168.1.10")),  # not one of ours
    ],
)
def test_the_way_out_is_told_first(
    monkeypatch: pytest.MonkeyPatch, way_out: str, expected: tuple[str, ...]
) -> None:
    monkeypatch.setattr(lan, "_of_default_route", lambda: way_out)
    assert lan.own_addresses() == lan.own_addresses() == expected


@pytest.mark.parametrize(
    ("bound", "host", "expected"),
    [
        ("0.0.0.0", "192.168.1.10:8080", "http://192.168.1.10:8080/"),
        ("0.0.0.0", "codes.local", "http://codes.local/"),
        ("0.0.0.0", "localhost:8080", "http://192.168.1.9:8080/"),
        ("192.168.1.10", "127.0.0.1:8080", "http://192.168.1.10:8080/"),
        ("127.0.0.1", "127.0.0.1:8080", "http://127.0.0.1:8080/"),  # nobody else reaches it, and none is told
        ("::1", "[::1]:8080", "http://[::1]:8080/"),
    ],
)
def test_a_page_tells_the_address_that_it_was_opened_under(
    monkeypatch: pytest.MonkeyPatch, bound: str, host: str, expected: str
) -> None:
    monkeypatch.setattr(lan, "_of_default_route", lambda: "192.168.1.9")
    app = Flask("box")
    app.config["SETTINGS"] = SimpleNamespace(serve=SimpleNamespace(host=bound))
    with app.test_request_context("/", headers={"Host": host}):
        assert lan.addresses_of_request()[0] == expected


@pytest.mark.parametrize(
    ("host", "told"), [("127.0.0.1", "only on this machine"), ("192.0.2.7", "any machine of this network")]
)
def test_a_code_to_scan_is_shown_only_where_others_can_open_the_page(host: str, told: str) -> None:
    out = StringIO()
    announce(host, 8000, out)
    assert told in out.getvalue()
    assert len(out.getvalue().splitlines()) == 2 or host != "127.0.0.1"


@pytest.mark.parametrize("path", ["/", "/box"])
@pytest.mark.parametrize(("bound", "said"), [("127.0.0.1", True), ("192.0.2.7", False)])
def test_no_page_offers_another_device_an_address_of_this_machine_alone(
    library: FakeLibrary, path: str, bound: str, said: bool
) -> None:
    client = create_app(library, settings=Settings(serve=ServeSettings(host=bound))).test_client()
    text = client.get(path).text
    assert ("Only on this machine" in text) is said
    assert ("<figure" in text or 'class="qr"' in text or 'class="code"' in text) is not said
