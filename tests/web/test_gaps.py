"""Feedback on an answer: kept, bounded, from pages of this box alone, and never with an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from appliance.core.document import Label
from appliance.core.settings import ServeSettings, Settings, SiteSettings
from appliance.site.gaps_and_feedback import Site
from appliance.web.app import create_app
from appliance.web.guard import Pace
from tests.web.fake_library import FakeLibrary

ORIGIN = {"Origin": "http://localhost"}
FORM = {
    "request": "r1",
    "q": "snow",
    "shown": ["1 SNOW 5.2", "0 BASIS 1.5"],
    "verdict": "missing",
    "comment": "the annex",
}


@pytest.fixture
def site(library: FakeLibrary, tmp_path: Path) -> Iterator[Site]:
    before, library.site = library.site, Site(tmp_path / "codes.db.site", SiteSettings(free_mib=1))
    yield library.site
    library.site = before


def fields(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)


def test_the_form_of_an_answer_is_what_is_kept(client: FlaskClient, site: Site) -> None:
    page = client.get("/ask?q=snow").text
    sent: dict[str, Any] = {"verdict": "wrong", "comment": "0.9, see\x00 the <b>annex</b>"}
    for name, value in fields(page):
        sent.setdefault(name, []).append(value)
    thanks = client.post("/feedback", data=sent, headers=ORIGIN)
    assert thanks.status_code == 200
    (row,) = site.rows("feedback")
    assert row.about.question == "snow"
    assert len(row.about.request) == 16
    assert row.about.shown
    assert row.about.shown[0].document == "SNOW"
    assert row.about.library == "4f2a" * 16
    assert row.said == {"verdict": "wrong", "comment": "0.9, see  the <b>annex</b>"}
    assert b"127.0.0.1" not in site.path.read_bytes()


def test_a_question_without_an_answer_is_noted_by_page_and_program(client: FlaskClient, site: Site) -> None:
    client.get("/ask?q=mars")
    client.get("/api/v1/ask?q=mars")
    client.get("/ask?q=snow")
    (row,) = site.rows("gaps")
    assert (row.about.question, row.said["asked"]) == ("mars", 2)


@pytest.mark.parametrize("path", ["/ask", "/api/v1/ask"])
def test_what_another_origin_or_one_address_asks_fills_no_disk(
    library: FakeLibrary, site: Site, path: str
) -> None:
    limits = Settings(site=SiteSettings(notes_per_minute=3))
    client = create_app(library, settings=limits).test_client()
    asked = client.get(f"{path}?q=mars", headers={"Sec-Fetch-Site": "cross-site"})
    assert asked.status_code == 200
    assert not site.path.exists()
    for number in range(5):
        client.get(f"{path}?q=snow")  # what is answered takes no room
        assert client.get(f"{path}?q=mars {number}", headers={"Sec-Fetch-Site": "none"}).status_code == 200
    assert len(site.rows("gaps")) == 3
    assert client.post("/feedback", data=FORM, headers=ORIGIN).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (ORIGIN, 200),
        ({"Origin": "http://LOCALHOST"}, 200),
        ({"Origin": "https://localhost"}, 200),
        ({}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "http://localhost:81"}, 403),
        ({"Origin": "file://localhost"}, 403),
    ],
)
def test_only_a_page_of_this_box_may_send_a_form(
    client: FlaskClient, site: Site, headers: dict[str, str], status: int
) -> None:
    response = client.post("/feedback", data=FORM, headers=headers)
    assert response.status_code == status
    assert len(site.rows("feedback")) == (status == 200)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"verdict": "splendid"}, 400),
        ({"verdict": ""}, 400),
        ({"q": "  "}, 400),
        ({"comment": "x" * 70_000}, 413),
        ({"shown": ["1 ELSEWHERE 5.2", "x SNOW 5", "1", "", "9" * 50 + " SNOW 1"]}, 200),
    ],
)
def test_what_cannot_be_kept_is_said(
    client: FlaskClient, site: Site, change: dict[str, Any], status: int
) -> None:
    response = client.post("/feedback", data=FORM | change, headers=ORIGIN)
    assert response.status_code == status
    rows = site.rows("feedback")
    assert len(rows) == (status == 200)
    assert [row.about.shown for row in rows] == [()] * len(rows)


def test_one_address_may_send_only_so_much(library: FakeLibrary, site: Site) -> None:
    limits = Settings(serve=ServeSettings(), site=SiteSettings(notes_per_minute=3))
    client = create_app(library, settings=limits).test_client()
    statuses = [client.post("/feedback", data=FORM, headers=ORIGIN).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert len(site.rows("feedback")) == 3


def test_the_pace_forgets_after_a_minute_and_never_remembers_all_the_world() -> None:
    pace = Pace(1)
    assert [pace.allows("a", now) for now in (0, 59, 61)] == [True, False, True]
    for number in range(5_000):
        pace.allows(str(number), 70)
    assert len(pace._sent) <= 4_096


def test_an_answer_is_given_where_nothing_can_be_noted(
    client: FlaskClient, library: FakeLibrary, tmp_path: Path
) -> None:
    before, library.site = library.site, Site(tmp_path / "no" / "folder.site", SiteSettings())
    try:
        assert client.get("/ask?q=mars").status_code == 200
        refused = client.post("/feedback", data=FORM, headers=ORIGIN)
        assert refused.status_code == 503
        assert "Questions are answered all the same" in refused.text
    finally:
        library.site = before


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"right": ["1 SNOW 5.2"]}, [{"document": "SNOW", "label": "5.2", "page": 1}]),
        ({"right": ["1 SNOW 5.2"], "verdict": "helpful"}, None),  # nothing is corrected that was right
        ({"right": ["1 NOWHERE 5.2", "x"]}, None),
        ({"place": "SNOW 99.9"}, None),
        ({"place": "NOWHERE 5.2"}, None),
        ({"place": " "}, None),
        ({"place": "<script>" * 100}, None),
    ],
)
def test_a_right_place_is_kept_where_the_documents_hold_it(
    client: FlaskClient, site: Site, sent: dict[str, Any], kept: list[dict[str, Any]] | None
) -> None:
    thanks = client.post("/feedback", data=FORM | sent, headers=ORIGIN)
    assert thanks.status_code == 200
    assert len(site.rows("feedback")) == 1
    assert len(site.rows("corrections")) == (kept is not None)
    if "place" in sent and sent["place"].strip():
        assert "is no place of the documents loaded" in thanks.text
        assert "<script><script>" not in thanks.text


def test_a_typed_place_is_found_by_document_and_number(client: FlaskClient, site: Site) -> None:
    thanks = client.post("/feedback", data=FORM | {"place": "snow 5.2"}, headers=ORIGIN)
    assert "SNOW 5.2" in thanks.text
    assert "5.2" in str(site.rows("corrections"))


def test_of_several_places_of_a_typed_number_none_is_chosen(
    client: FlaskClient, library: FakeLibrary, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = ("H1/1.17", "H2/1.17", "H2/1.170")
    found = tuple(("SNOW", Label.from_key(key), "") for key in keys)
    monkeypatch.setattr(library, "suggest", lambda _prefix, _limit=8: found)
    thanks = client.post("/feedback", data=FORM | {"place": "SNOW 1.17"}, headers=ORIGIN)
    assert "may be one of several places" in thanks.text
    assert "SNOW H1 1.17" in thanks.text
    assert "SNOW H2 1.17" in thanks.text
    assert not site.rows("corrections")
    client.post("/feedback", data=FORM | {"place": "SNOW H2 1.17"}, headers=ORIGIN)
    (row,) = site.rows("corrections")
    right = row.said["right"]
    assert isinstance(right, list)
    assert [place["label"] for place in right] == ["H2/1.17"]


def test_a_right_place_is_taken_from_pages_of_this_box_alone(client: FlaskClient, site: Site) -> None:
    sent = FORM | {"right": ["1 SNOW 5.2"]}
    assert client.post("/feedback", data=sent, headers={"Origin": "http://elsewhere"}).status_code == 403
    assert not site.rows("corrections")
