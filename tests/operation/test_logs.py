"""Lines of log: whole JSON, with the id of their request, and without what was asked."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from appliance.core.settings import LogSettings, ServeSettings, Settings
from appliance.operation import logs
from appliance.web.app import create_app
from tests.web.fake_library import FakeLibrary

SECRET = "frog snow"


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> FakeLibrary:
    return FakeLibrary(tmp_path_factory.mktemp("images"))


def client(library: FakeLibrary, out: io.StringIO, settings: LogSettings) -> FlaskClient:
    logs.configure(settings, out)
    return create_app(library, settings=Settings(log=settings, serve=ServeSettings())).test_client()


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_request_is_one_line_with_its_id_and_without_its_question(
    library: FakeLibrary, out: io.StringIO
) -> None:
    asking = client(library, out, LogSettings())
    replies = [
        asking.get(path, buffered=True)
        for path in (
            f"/ask?q={SECRET}",
            "/d/SNOW",
            f"{asking.application.static_url_path}/main.js",
            "/healthz",
        )
    ]
    found = lines(out)
    assert [(line["page"], line["status"]) for line in found] == [("pages.ask", 200), ("pages.document", 200)]
    assert [line["request"] for line in found] == [reply.headers["X-Request-Id"] for reply in replies[:2]]
    assert "frog" not in out.getvalue()
    assert all(line["timestamp"].endswith("Z") for line in found)


def test_the_question_is_there_where_the_settings_say_so(library: FakeLibrary, out: io.StringIO) -> None:
    client(library, out, LogSettings(questions=True)).get(f"/ask?q={SECRET}", buffered=True)
    assert lines(out)[0]["question"] == SECRET


def test_requests_can_be_left_out(library: FakeLibrary, out: io.StringIO) -> None:
    client(library, out, LogSettings(requests=False)).get(f"/ask?q={SECRET}")
    assert out.getvalue() == ""


def test_an_unforeseen_error_is_its_kind_and_place_but_never_its_words(
    library: FakeLibrary, out: io.StringIO
) -> None:
    visitor = client(library, out, LogSettings())
    assert visitor.get(f"/ask?q=crash {SECRET}", buffered=True).status_code == 500
    error, request = lines(out)
    assert error["error"] == "RuntimeError"
    assert any("pages.py" in place for place in error["at"])
    assert error["request"] == request["request"]
    assert "frog" not in out.getvalue()


def test_lines_of_libraries_are_such_lines_too_and_stay_one_line(out: io.StringIO) -> None:
    logs.configure(LogSettings(), out)
    logging.getLogger("waitress").warning("two\nlines %s", "\u2028 and \x00")
    (line,) = lines(out)
    assert (line["logger"], line["level"]) == ("waitress", "warning")
    assert line["event"].startswith("two\nlines")


def test_a_person_at_a_terminal_reads_words(out: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "isatty", lambda: True)
    logs.configure(LogSettings(), out)
    logging.getLogger("appliance").warning("the disk is full")
    assert "the disk is full" in out.getvalue()
    assert not out.getvalue().startswith("{")
