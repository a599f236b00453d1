"""Text goes out packed to whoever takes it, and only text."""

from __future__ import annotations

import gzip

import pytest
from flask.testing import FlaskClient

from tests.web.fake_library import FakeLibrary

TAKES = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize(
    "path", ["/", "/ask?q=snow", "/api/v1/ask?q=snow", "STATIC/page.css", "STATIC/viewer.js"]
)
def test_text_is_packed_and_says_the_same(client: FlaskClient, path: str) -> None:
    path = path.replace("STATIC", str(client.application.static_url_path))
    plain, packed = client.get(path), client.get(path, headers=TAKES)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
    unpacked = gzip.decompress(packed.data)
    assert len(unpacked) == len(plain.data)
    if "ask" not in path:  # an answer tells how long it took
        assert unpacked == plain.data


@pytest.mark.parametrize("encodings", ["", "identity", "gzip;q=0", "br"])
def test_whoever_does_not_take_it_gets_it_plain(client: FlaskClient, encodings: str) -> None:
    response = client.get("/", headers={"Accept-Encoding": encodings})
    assert "Content-Encoding" not in response.headers
    assert response.text.startswith("<!doctype html>")


def test_images_small_answers_and_nothing_are_sent_as_they_are(
    client: FlaskClient, library: FakeLibrary
) -> None:
    for path in (f"/i/{library.images['SNOW', 1]}", "/healthz"):
        assert "Content-Encoding" not in client.get(path, headers=TAKES).headers
    assert "Content-Encoding" not in client.head("/", headers=TAKES).headers


def test_a_file_that_has_not_changed_is_not_sent_again(client: FlaskClient) -> None:
    path = f"{client.application.static_url_path}/base.css"
    first = client.get(path, headers=TAKES)
    assert first.headers["ETag"].startswith("W/")
    again = client.get(path, headers={**TAKES, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
