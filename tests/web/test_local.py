"""The comments of people are shown to a browser at the box itself: by its peer, its Host and no proxy."""

from __future__ import annotations

import pytest

from appliance.web import access

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


@pytest.mark.parametrize(("peer", "host", "more", "answered"), REACHED)
def test_only_the_box_itself_is_here(peer: str, host: str, more: dict[str, str], answered: bool) -> None:
    assert access.is_here(HERE | {"REMOTE_ADDR": peer, "HTTP_HOST": host} | more) is answered
