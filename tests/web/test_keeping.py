"""Saved answers, exports, comparisons, words explained, the box: over HTTP, on hostile input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from appliance.core.document import Box, Cell, Label, Passage, Table, Term
from appliance.core.settings import Settings, SiteSettings
from appliance.site.gaps_and_feedback import Site
from appliance.site.saved import KeptRow, KeptTable, listed, mark, save, saved
from appliance.web.app import create_app
from appliance.web.reading.outline import made, used_in
from appliance.web.reading.tables import tsv
from tests.web.fake_library import EVIL, FakeLibrary
from tests.web.rich_library import RichLibrary

ORIGIN = {"Origin": "http://localhost"}
LIMITS = SiteSettings(free_mib=1, saved_answers=3, notes_per_minute=1000)
PAGES = (
    "/saved", "/history", "/compare", "/compare?a=SNOW&b=BASIS&anyway=yes", "/box",
    "/print?q=snow", "/print?q=mars",
)  # fmt: skip
ANSWERS = (
    "/api/v1/saved", "/api/v1/gaps", "/api/v1/box", "/api/v1/health", "/api/v1/figures", "/api/v1/quality",
    "/api/v1/document/SNOW/quality", "/api/v1/compare?a=SNOW&b=BASIS&anyway=yes",
)  # fmt: skip


@pytest.fixture
def site(library: FakeLibrary, tmp_path: Path) -> Iterator[Site]:
    before, library.site = library.site, Site(tmp_path / "codes.db.site", LIMITS)
    yield library.site
    library.site = before


@pytest.fixture
def keeper(library: FakeLibrary, site: Site) -> FlaskClient:
    app: Flask = create_app(library, settings=Settings(site=site.limits))
    return app.test_client()


def keep(client: FlaskClient, query: str = "snow") -> str:
    """Save an answer as the button does; return the key that the page leads to."""
    sent = client.post(f"/save?q={query}", headers=ORIGIN)
    assert sent.status_code == 303, sent.text
    return sent.headers["Location"].rsplit("/", 1)[-1]


def test_what_was_saved_last_is_offered_on_the_first_page(
    keeper: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("appliance.web.kept.saved.LATELY", 1)
    older, younger = keep(keeper, "snow"), keep(keeper, "roof")
    text = keeper.get("/").text
    assert (f"saved/{older}" in text, f"saved/{younger}" in text) == (False, True)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_there_and_leads_nowhere_else(keeper: FlaskClient, path: str) -> None:
    page = keeper.get(path)
    assert page.status_code == 200
    assert 'style="' not in page.text
    assert "<script>window" not in page.text
    assert 'href="/' not in page.text


@pytest.mark.parametrize("path", ANSWERS)
def test_every_page_has_its_twin_for_programs(keeper: FlaskClient, path: str) -> None:
    answer = keeper.get(path)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert answer.get_json() is not None


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/saved/nothing", 404),
        ("/saved/nothing.pdf", 404),
        ("/saved/nothing/print", 404),
        ("/api/v1/saved/../../etc", 404),
        ("/compare?a=SNOW&b=NONE", 404),
        ("/api/v1/compare?a=SNOW", 400),
        ("/d/SNOW/t/Table 9.tsv", 404),
        ("/print", 400),
        ("/ask.pdf?q=", 400),
        ("/saved?from=99999999999", 200),
        ("/compare?a=SNOW&b=SNOW", 400),
    ],
)
def test_what_is_not_there_is_said(keeper: FlaskClient, path: str, status: int) -> None:
    assert keeper.get(path).status_code == status


def test_an_answer_is_saved_once_and_read_again(keeper: FlaskClient, site: Site) -> None:
    key = keep(keeper)
    assert keep(keeper) == key, "the same answer has one address"
    assert site.counts()["answers"] == 1
    page = keeper.get(f"/saved/{key}").text
    assert "snow" in page
    assert "EN 1991-1-4, 7.2" in page
    assert "&lt;script&gt;" not in keeper.get("/saved").text
    (listed_one,) = keeper.get("/api/v1/saved").get_json()["saved"]
    assert (listed_one["key"], listed_one["state"]) == (key, "same")
    whole = keeper.get(f"/api/v1/saved/{key}").get_json()
    assert len(whole["citations"]) == len(whole["answer"]["citations"]) > 1
    assert b"127.0.0.1" not in site.path.read_bytes()


def test_a_saved_answer_tells_that_an_edition_no_longer_applies(keeper: FlaskClient, site: Site) -> None:
    found = saved(site, keep(keeper)).kept
    old = tuple(replace(item, status="withdrawn") for item in found.citations)
    key = save(site, replace(found, citations=old))
    for path in (f"/saved/{key}", f"/saved/{key}/print"):
        assert '<span class="badge bad">withdrawn</span>' in keeper.get(path).text


def test_filters_are_kept_with_the_question(keeper: FlaskClient, site: Site) -> None:
    key = keep(keeper, "snow&d=SNOW&kind=table&status=normative")
    found = saved(site, key).kept
    assert found.asked == (("d", "SNOW"), ("kind", "table"), ("status", "normative"))
    assert "d=SNOW&amp;kind=table&amp;status=normative" in keeper.get(f"/saved/{key}").text


def test_a_part_without_an_answer_is_said_before_the_answer(tmp_path: Path) -> None:
    client = create_app(RichLibrary(tmp_path)).test_client()
    for path in ("ask", "print"):
        before, _, after = client.get(f"/{path}?q=partial+half").text.partition(
            "Not answered: the load on mars"
        )
        assert "the coefficient mu 1 is 0.8" in after
        assert "the coefficient mu 1 is 0.8" not in before


def test_answers_to_one_question_stand_together(keeper: FlaskClient, site: Site) -> None:
    """Saved again from another library it is another answer; with a filter it is another question."""
    older = saved(site, keep(keeper)).kept
    save(site, replace(older, library="second"))
    keep(keeper, "snow&d=SNOW")
    text = keeper.get("/saved").text
    assert text.count("<b>snow</b>") == 2
    assert 'Filter: <span dir="auto">SNOW</span>' in text
    assert "1 older answer to the same question" in text
    assert text.count('href="saved/') == 3
    home = keeper.get("/").text
    assert home.count('href="saved/') == 2


@pytest.mark.parametrize("origin", [{}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
@pytest.mark.parametrize("path", ["/save?q=snow", "/saved/x/note", "/saved/x/remove", "/api/v1/saved?q=snow"])
def test_no_page_of_another_origin_saves_or_removes(
    keeper: FlaskClient, site: Site, path: str, origin: dict[str, str]
) -> None:
    assert keeper.post(path, headers=origin).status_code == 403
    assert not site.path.exists()


def test_a_box_that_is_full_says_so_and_drops_nothing(keeper: FlaskClient, site: Site) -> None:
    keys = [keep(keeper, f"snow {number}") for number in range(3)]
    refused = keeper.post("/save?q=snow+4", headers=ORIGIN)
    assert refused.status_code == 409
    assert "at most 3 saved answers" in refused.text
    assert [row.key for row in listed(site)] == keys[::-1]
    assert keeper.post(f"/saved/{keys[0]}/remove", headers=ORIGIN).status_code == 303
    keep(keeper, "snow+4")
    assert keeper.get(f"/saved/{keys[0]}").status_code == 404
    assert keeper.post(f"/saved/{keys[0]}/remove", headers=ORIGIN).status_code == 404


def test_a_thousand_saved_answers_are_listed_in_pages(library: FakeLibrary, tmp_path: Path) -> None:
    before = library.site
    limits = replace(LIMITS, saved_answers=1000)
    library.site = Site(tmp_path / "many.site", limits)
    try:
        client = create_app(library, settings=Settings(site=limits)).test_client()
        one = saved(library.site, keep(client)).kept
        for number in range(60):
            save(library.site, replace(one, question=f"question {number}"))
        page = client.get("/saved").text
        assert page.count("<li>") - client.get("/saved?from=50").text.count("<li>") == 50 - 11
        assert "from=50" in page
    finally:
        library.site = before


@pytest.mark.parametrize(
    "note", ["Ask the fire officer.\nThen 2.", EVIL, "عومس " * 300, "x" * 9_000, "a\x00b\u202ec", ""]
)
def test_a_note_is_text_and_bounded(keeper: FlaskClient, site: Site, note: str) -> None:
    key = keep(keeper)
    sent = {"note": note.replace("\n", "\r\n"), "seen": mark("")}
    assert keeper.post(f"/saved/{key}/note", data=sent, headers=ORIGIN).status_code == 303
    kept = saved(site, key).note
    assert len(kept) <= 2_000
    assert "\r" not in kept
    for path in (f"/saved/{key}", "/saved", f"/saved/{key}/print"):
        assert "<script>window" not in keeper.get(path).text
    assert keeper.get(f"/saved/{key}.md").status_code == 200


def test_of_two_tabs_the_second_sees_what_the_first_wrote(keeper: FlaskClient, site: Site) -> None:
    key, seen = keep(keeper), mark("")
    assert (
        keeper.post(f"/saved/{key}/note", data={"note": "one", "seen": seen}, headers=ORIGIN).status_code
        == 303
    )
    late = keeper.post(f"/saved/{key}/note", data={"note": "two", "seen": seen}, headers=ORIGIN)
    assert late.status_code == 409
    assert "one" in late.text
    assert "two" in late.text
    assert saved(site, key).note == "one"
    again = keeper.post(f"/saved/{key}/note", data={"note": "one", "seen": seen}, headers=ORIGIN)
    assert again.status_code == 303, "what says the same is no conflict"


def test_an_update_tells_what_became_of_a_saved_answer(
    library: FakeLibrary, site: Site, keeper: FlaskClient
) -> None:
    key = keep(keeper)
    row = saved(site, key)
    first, *others = row.kept.citations
    older = replace(
        row.kept,
        library="another",
        citations=(replace(first, quote=first.quote.replace("shall", "should")), *others[:1],
                   replace(first, n=9, document="LOST"), replace(first, n=8, key="5.3")),
    )  # fmt: skip
    save(site, older)
    (new, _) = listed(site)
    states = {
        item["n"]: item["state"] for item in keeper.get(f"/api/v1/saved/{new.key}").get_json()["citations"]
    }
    assert states == {1: "changed", 2: "same", 8: "moved", 9: "gone"}
    page = keeper.get(f"/saved/{new.key}").text
    assert "<del>" in page
    assert "no longer there" in page
    printed = keeper.get(f"/saved/{new.key}/print").text
    assert "another than the one that was asked" in printed, "no picture of a page that may be another"
    assert library.overview().version != "another"


@pytest.mark.parametrize("ending", ["pdf", "md"])
def test_an_answer_is_taken_away(keeper: FlaskClient, ending: str) -> None:
    key = keep(keeper)
    for path in (f"/ask.{ending}?q=snow", f"/saved/{key}.{ending}", f"/ask.{ending}?q=mars"):
        sent = keeper.get(path)
        assert sent.status_code == 200
        assert sent.headers["Content-Disposition"].endswith(f'.{ending}"')
        assert sent.data.startswith(b"%PDF" if ending == "pdf" else b"# ")


def test_a_printed_answer_leads_back_by_its_code(keeper: FlaskClient) -> None:
    page = unquote(keeper.get("/print?q=snow&d=SNOW", headers={"Host": "192.168.1.7:8080"}).text)
    assert "http://192.168.1.7:8080/ask?q=snow&amp;d=SNOW" in page
    assert "<svg" in page
    assert 'class="strong"' in page


def test_questions_asked_in_vain_are_listed_for_programs(keeper: FlaskClient) -> None:
    for question in ("mars", "mars", "mars in spring"):
        keeper.get("/api/v1/ask", query_string={"q": question})
    found = keeper.get("/api/v1/gaps").get_json()
    assert [(gap["question"], gap["asked"]) for gap in found["gaps"]] == [("mars in spring", 1), ("mars", 2)]
    assert found["gaps"][0]["reasons"] == ["No document speaks of mars."]
    passed = keeper.get("/api/v1/gaps?from=1").get_json()
    assert (passed["total"], len(passed["gaps"])) == (2, 1)


def test_two_documents_are_compared_both_ways(keeper: FlaskClient) -> None:
    forth = keeper.get("/api/v1/compare?a=SNOW&b=BASIS&anyway=yes").get_json()["counts"]
    back = keeper.get("/api/v1/compare?a=BASIS&b=SNOW&anyway=yes").get_json()["counts"]
    assert (forth["added"], forth["withdrawn"]) == (back["withdrawn"], back["added"])


def test_two_codes_are_compared_on_the_page_once_a_person_says_so(keeper: FlaskClient) -> None:
    asks = keeper.get("/compare?a=SNOW&b=BASIS").text
    assert "no editions of one code" in asks
    assert 'class="pair' not in asks
    (way,) = re.findall(r'href="(compare[^"]*anyway=yes)"', asks)
    assert 'class="pair' in keeper.get(f"/{way.replace('&amp;', '&')}").text


def test_a_table_goes_into_a_spreadsheet_as_it_stands(keeper: FlaskClient) -> None:
    sent = keeper.get("/d/SNOW/t/Table 5.2.tsv")
    assert sent.mimetype == "text/tab-separated-values"
    lines = sent.text.split("\r\n")
    assert lines[0] == "Angle of pitch\tShape coefficient\t"
    assert lines[3] == "30 to 60 degrees\t0.8 (60 - alpha)/30\t1.6"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("=1+1", "'=1+1"),
        ("@x", "'@x"),
        ("-5", "-5"),
        ("+0.5", "+0.5"),
        ("-x", "'-x"),
        ("a\tb\nc", "a b c"),
        ("≥ 5", "≥ 5"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(text: str, field: str) -> None:
    table = Table(Label(("T",)), "", (Cell(0, 0, text, Box(1, 0, 0, 1, 1)),), (), ())
    assert tsv(table) == f"{field}\r\n"


def term(name: str, text: str, kind: str = "term") -> Term:
    return Term(name, Passage(text), Label((name,)), (), kind)  # type: ignore[arg-type]  # one of the kinds


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two flights of a stair.", ["flight"]),
        ("FLIGHT", ["flight"]),
        ("a flight-path, preflight", []),
        ("the pitch\nline of a flight", ["flight", "pitch line"]),
        ("pitch lines", ["pitch line"]),
        ("s and sk are symbols", []),
        ("", []),
    ],
)
def test_terms_are_found_as_whole_words(text: str, found: list[str]) -> None:
    glossary = made(
        [term("flight", "a"), term("pitch line", "b"), term("line", "c"), term("s", "load [kN]", "symbol")]
    )
    assert [entry.name for entry in used_in(glossary, [text])] == found


def test_a_note_that_was_emptied_meanwhile_is_refused_in_words(keeper: FlaskClient, site: Site) -> None:
    key = keep(keeper)
    before = mark(saved(site, key).note)
    assert (
        keeper.post(f"/saved/{key}/note", data={"note": "first", "seen": before}, headers=ORIGIN).status_code
        == 303
    )
    refused = keeper.post(f"/saved/{key}/note", data={"note": "", "seen": before}, headers=ORIGIN)
    assert refused.status_code == 409
    assert "Meanwhile somebody wrote another note" in refused.text
    assert saved(site, key).note == "first"


def test_a_saved_answer_keeps_its_tables_and_its_note_is_near_the_top(
    keeper: FlaskClient, site: Site
) -> None:
    key = keep(keeper)
    row = saved(site, key)
    columns, rows = ("Category", "Load › qk"), (KeptRow(("B", "3.0"), (1,), 4),)
    table = KeptTable("DC 1", "Table 6.2", "<b>Loads</b>", columns, rows, (row.kept.citations[0].n,), 2)
    other = save(site, replace(row.kept, tables=(table,), question="with a table"))
    for path in (f"/saved/{other}", f"/saved/{other}/print"):
        page = keeper.get(path).text
        assert "Load › qk" in page
        assert "<mark>3.0</mark>" in page
        assert "4 more rows" in page
        assert "&lt;b&gt;Loads" in page
    page = keeper.get(f"/saved/{other}").text
    assert page.index('id="note-heading"') < page.index('id="sources-heading"')
