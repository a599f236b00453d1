"""The page of updates answers the box itself: by socket, peer and Host, and takes forms of its own alone."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from appliance.core.errors import PortTaken
from appliance.update.apply import Box
from appliance.update.desk import Desk
from appliance.update.home import Home
from appliance.web import access
from appliance.web.box.updates import create_app, make_server

HERE = {"REMOTE_ADDR": "127.0.0.1", "SERVER_PORT": "8090", "HTTP_HOST": "127.0.0.1:8090"}
REACHED = [
    # peer, Host, further headers, whether it is answered
    ("127.0.0.1", "127.0.0.1:8090", {}, True),
    ("127.0.0.1", "localhost:8090", {}, True),
    ("127.0.0.1", "LOCALHOST:8090", {}, True),
    ("127.8.9.10", "127.0.0.1:8090", {}, True),
    ("::1", "[::1]:8090", {}, True),
    ("::ffff:127.0.0.1", "[::1]:8090", {}, True),
    ("::ffff:127.0.0.1", "127.0.0.1:8090", {}, True),
    # somebody on the network, whatever they call the box
    ("192.168.4.31", "192.168.4.20:8090", {}, False),
    ("192.168.4.31", "127.0.0.1:8090", {}, False),
    ("192.168.4.31", "localhost:8090", {}, False),
    ("10.0.0.7", "127.0.0.1:8090", {}, False),
    ("172.16.0.9", "localhost:8090", {}, False),
    ("169.254.7.7", "localhost:8090", {}, False),
    ("::ffff:192.168.4.31", "127.0.0.1:8090", {}, False),
    ("::ffff:192.168.4.31", "[::1]:8090", {}, False),
    ("fe80::1", "[::1]:8090", {}, False),
    ("fe80::1%eth0", "[::1]:8090", {}, False),
    ("fd00::7", "localhost:8090", {}, False),
    ("2001:db8::7", "[::1]:8090", {}, False),
    ("::7f00:1", "localhost:8090", {}, False),
    ("64:ff9b::7f00:1", "localhost:8090", {}, False),
    ("2002:7f00:1::", "localhost:8090", {}, False),
    ("0.0.0.0", "localhost:8090", {}, False),
    ("", "localhost:8090", {}, False),
    ("localhost", "localhost:8090", {}, False),
    ("2130706433", "localhost:8090", {}, False),
    # a browser on the box that was led here by a foreign name
    ("127.0.0.1", "evil.example:8090", {}, False),
    ("127.0.0.1", "localhost.evil.example:8090", {}, False),
    ("127.0.0.1", "127.0.0.1.nip.example:8090", {}, False),
    ("127.0.0.1", "192.168.4.20:8090", {}, False),
    ("127.0.0.1", "[::ffff:127.0.0.1]:8090", {}, False),
    ("127.0.0.1", "127.0.0.2:8090", {}, False),
    ("127.0.0.1", "127.1:8090", {}, False),
    ("127.0.0.1", "localhost.:8090", {}, False),
    ("127.0.0.1", "localhost:80", {}, False),
    ("127.0.0.1", "localhost", {}, False),
    ("127.0.0.1", "localhost:8090:8090", {}, False),
    ("127.0.0.1", "localhost:8090@evil.example", {}, False),
    ("127.0.0.1", "", {}, False),
    ("127.0.0.1", "[::1", {}, False),
    # passed on by something on the box
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_X_FORWARDED_FOR": "192.168.4.31"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_X_FORWARDED_HOST": "box"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_X_FORWARDED_PROTO": ""}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_FORWARDED": "for=127.0.0.1"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_X_REAL_IP": "127.0.0.1"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_VIA": "1.1 proxy"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_TRUE_CLIENT_IP": "127.0.0.1"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_CF_CONNECTING_IP": "127.0.0.1"}, False),
    ("127.0.0.1", "127.0.0.1:8090", {"HTTP_X_ORIGINAL_URL": "/"}, False),
]
OURS = "http://127.0.0.1:8090"
FORMS = [
    # Origin, token ("right" for that of the page), further headers, whether it is taken
    (OURS, "right", {}, True),
    (OURS, "right", {"Sec-Fetch-Site": "same-origin"}, True),
    (OURS, "right", {"Sec-Fetch-Site": "cross-site"}, False),
    (OURS, "right", {"Sec-Fetch-Site": "same-site"}, False),
    (OURS, "right", {"Sec-Fetch-Site": "none"}, False),
    (OURS, "", {}, False),
    (OURS, "wrong", {}, False),
    (OURS, "rıght", {}, False),
    ("", "right", {}, False),
    ("null", "right", {}, False),
    ("http://localhost:8090", "right", {}, False),
    ("https://127.0.0.1:8090", "right", {}, False),
    ("http://127.0.0.1:8080", "right", {}, False),
    ("http://127.0.0.1", "right", {}, False),
    ("http://evil.example", "right", {}, False),
    (f"{OURS}.evil.example", "right", {}, False),
    (f"{OURS}/", "right", {}, False),
]


@pytest.fixture
def desk(box: Box) -> Desk:
    return Desk(box)


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    return create_app(desk).test_client()


@pytest.mark.parametrize(("peer", "host", "more", "answered"), REACHED)
def test_only_the_box_itself_is_answered(
    client: FlaskClient, peer: str, host: str, more: dict[str, str], answered: bool
) -> None:
    environ = HERE | {"REMOTE_ADDR": peer, "HTTP_HOST": host} | more
    for path in ("/", "/look", "/static/update.css", "/nothing"):
        found = client.get(path, environ_overrides=environ, buffered=True)
        refused = found.status_code == 403
        assert refused is not answered
        if refused:
            assert b"site-1" not in found.data, "nothing of the box is told"


@pytest.mark.parametrize(("origin", "token", "more", "taken"), FORMS)
def test_a_form_is_taken_from_the_page_alone(
    client: FlaskClient, desk: Desk, origin: str, token: str, more: dict[str, str], taken: bool
) -> None:
    right = client.application.extensions["token"]
    headers = {"Origin": origin} if origin else {}
    found = client.post(
        "/do/look",
        data={"token": right if token == "right" else token},
        headers=headers | more,
        environ_overrides=HERE,
    )
    assert found.status_code == (303 if taken else 403)
    assert desk.look().number == (1 if taken else 0)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "POST"])
def test_nothing_else_is_taken(client: FlaskClient, desk: Desk, method: str) -> None:
    found = client.open("/", method=method, environ_overrides=HERE)
    assert found.status_code in {403, 405}
    assert desk.look().number == 0


@pytest.mark.parametrize("task", ["nothing", "init", "../look", "look/../switch", "%00"])
def test_no_other_task_is_begun(client: FlaskClient, desk: Desk, task: str) -> None:
    data = {"token": client.application.extensions["token"]}
    found = client.post(f"/do/{task}", data=data, headers={"Origin": OURS}, environ_overrides=HERE)
    assert found.status_code in {404, 400, 405}
    assert desk.look().number == 0


def test_a_large_form_is_refused(client: FlaskClient) -> None:
    data = {"token": "x" * (access.BODY + 1)}
    found = client.post("/do/look", data=data, headers={"Origin": OURS}, environ_overrides=HERE)
    assert found.status_code in {403, 413}


def test_no_page_of_it_is_kept_or_framed(client: FlaskClient) -> None:
    found = client.get("/", environ_overrides=HERE)
    assert found.headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in found.headers["Content-Security-Policy"]
    assert "'unsafe" not in found.headers["Content-Security-Policy"]


@pytest.mark.parametrize("address", ["0.0.0.0", "::"])
def test_a_socket_of_the_network_is_refused(desk: Desk, address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as listener, pytest.raises(PortTaken):
        make_server(desk, listener)


def test_a_home_that_is_none_is_said(tmp_path: Path) -> None:
    client = create_app(Desk(Box(Home(tmp_path / "nothing")))).test_client()
    found = client.get("/", environ_overrides=HERE)
    assert found.status_code == 200
    assert "cannot be used as the home of a box" in found.text
