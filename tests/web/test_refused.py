"""What the server refuses before the page sees it is said in words, in every language of the page."""

from __future__ import annotations

import http.client
import json
import socket

import pytest

from appliance.web.connection_limits import TOO_MUCH


def sent(port: int, request: bytes) -> tuple[int, str, str]:
    """Return status, kind and text of what comes back for bytes as they are."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(request)
        answer = http.client.HTTPResponse(line)
        answer.begin()
        return answer.status, answer.getheader("Content-Type", ""), answer.read().decode()


@pytest.mark.parametrize(
    ("request_line", "status", "words"),
    [
        (b"GET /ask?q=" + b"snow+" * 20_000 + b" HTTP/1.1", 431, ("too long to be sent", "zu lang")),
        (
            b"POST /review HTTP/1.1\r\nContent-Length: 999999999",
            413,
            ("The form says how large a document may be", "Das Formular sagt"),
        ),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: what", 501, ("cannot be read", "nicht lesbar")),
        (b"POST /review HTTP/1.1\r\nContent-Length: x", 400, ("cannot be read", "nicht lesbar")),
    ],
    ids=["a question of 100 kB", "a document of 1 GB", "an unknown coding", "a length that is none"],
)
def test_a_refusal_of_the_server_is_a_page(
    port: int, request_line: bytes, status: int, words: tuple[str, str]
) -> None:
    found, kind, text = sent(port, request_line + b"\r\nHost: 127.0.0.1\r\n\r\n")
    assert found == status
    assert kind == "text/html; charset=utf-8"
    assert all(word in text for word in words)
    assert "snow" not in text


def test_a_program_that_sends_too_much_is_told_so_in_json(port: int) -> None:
    head = b"POST /api/v1/saved HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999999\r\n\r\n"
    found, kind, text = sent(port, head)
    assert (found, kind) == (413, "application/json")
    assert json.loads(text)["error"] == {"status": 413, "message": ". ".join(TOO_MUCH)}
