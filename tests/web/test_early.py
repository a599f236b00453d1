"""The head of an answer's page comes before the answer, to a browser; then comes the rest of the page."""

from __future__ import annotations

import gzip
import logging
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from appliance.web.observed import meter
from appliance.web.pages import MARK
from tests.web.fake_library import FakeLibrary

SHOWS = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def parts_of(app: Flask, path: str, **headers: str) -> Iterator[bytes]:
    """Yield the pieces of a page as they go to the network, nothing read ahead."""
    reply = app.test_client().get(path, headers={**SHOWS, **headers}, buffered=False)
    yield from reply.iter_encoded()


@pytest.mark.parametrize("packed", [False, True])
def test_the_question_stands_on_the_page_before_the_box_searches(
    app: Flask, library: FakeLibrary, packed: bool
) -> None:
    library.asked.clear()
    parts = parts_of(app, "/ask?q=snow+on+a+roof", **{"Accept-Encoding": "gzip" if packed else ""})
    unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress if packed else bytes
    head = unpack(next(parts)).decode()
    assert not library.asked
    assert '<p class="question" dir="auto">snow on a roof</p>' in head
    assert head.endswith("</article></div>\n")
    rest = b"".join(map(unpack, parts)).decode()
    assert library.asked == [("snow on a roof", ())]
    assert rest.count("</html>") == 1
    assert "<html" not in rest


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/ask?q=snow", 200),
        ("/ask?q=mars", 200),
        ("/ask?q=break", 503),
        ("/ask?q=crash", 500),
        ("/ask?q=---", 400),
        ("/ask?q=snow&d=NONE", 404),
        ("/search?q=snow", 200),
        ("/search?q=---", 400),
    ],
)
def test_what_follows_is_the_same_page_whole(client: FlaskClient, path: str, status: int) -> None:
    plain, shown = client.get(path), client.get(path, headers=SHOWS)
    assert (plain.status_code, shown.status_code) == (status, 200)
    assert plain.text.count(MARK) == 1
    rest = plain.text.partition(MARK)[2]
    shorter = zip(rest.splitlines(), shown.text[-len(rest) :].splitlines(), strict=True)
    others = [first for first, second in shorter if first != second]
    assert all('name="request"' in line for line in others)  # each request has an id of its own
    assert "Accept" in shown.vary
    with client.application.app_context():
        failed = [figure for figure in meter().take() if figure.name == "errors"]
    assert sum(figure.count for figure in failed) == 2 * (status >= 500)


@pytest.mark.parametrize("path", ["/ask?q=", "/"])
def test_what_cannot_come_in_two_pieces_comes_whole(client: FlaskClient, path: str) -> None:
    assert "columns waiting" not in client.get(path, headers=SHOWS).text


def test_one_who_goes_away_ends_the_answer(app: Flask, library: FakeLibrary) -> None:
    library.asked.clear()
    parts: Any = parts_of(app, "/ask?q=snow", **{"Accept-Encoding": "gzip"})
    next(parts)
    parts.close()
    assert not library.asked


def test_a_packed_page_ends_as_gzip_ends(client: FlaskClient) -> None:
    reply = client.get("/ask?q=snow", headers={**SHOWS, "Accept-Encoding": "gzip"})
    assert gzip.decompress(reply.data).decode().rstrip().endswith("</html>")


@pytest.mark.parametrize(("question", "status"), [("snow", 200), ("break", 503), ("crash", 500)])
def test_the_line_in_the_log_is_of_the_whole_request(
    app: Flask, caplog: pytest.LogCaptureFixture, question: str, status: int
) -> None:
    caplog.set_level(logging.INFO, "appliance.requests")
    reply = app.test_client().get(f"/ask?q={question}", headers=SHOWS, buffered=False)
    parts = reply.iter_encoded()
    next(parts)
    assert not [line for line in caplog.records if line.name == "appliance.requests"]
    assert b"".join(parts)
    reply.close()
    (line,) = [line for line in caplog.records if line.name == "appliance.requests"]
    assert vars(line)["status"] == status
    assert vars(line)["ms"] > 0
