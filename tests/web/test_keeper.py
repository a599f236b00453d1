"""The page of the keeper: what the site asked in vain and said of answers, and who may see it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from appliance.core.settings import ServeSettings, Settings, SiteSettings
from appliance.site.notes import Site, judged
from appliance.site.values import About, Row, Shown
from appliance.web.app import create_app
from appliance.web.kept.notes import gathered
from tests.web.fake_library import EVIL, FakeLibrary

ABOUT = About("1", "load on mars", (Shown("SNOW", "5.2", 2), Shown("GONE", "1", 1)), "v")
HERE = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture
def box(tmp_path: Path) -> FakeLibrary:
    library = FakeLibrary(tmp_path)
    library.site = Site(tmp_path / "site.db", SiteSettings(free_mib=1))
    return library


def opened(library: FakeLibrary, limits: ServeSettings | None = None) -> FlaskClient:
    return create_app(library, settings=Settings(serve=limits or ServeSettings())).test_client()


def row(question: str, at: float) -> Row:
    return Row("gaps", 1, replace(ABOUT, question=question), at)


def test_the_same_question_is_one_line_and_the_most_frequent_comes_first() -> None:
    lines = gathered([row("Load on Mars", 3), row("wind", 2), row("load  on mars", 1)])
    assert [(line.question, line.times, line.at) for line in lines] == [
        ("Load on Mars", 2, 3),
        ("wind", 1, 2),
    ]


def test_it_shows_gaps_and_comments_as_text(box: FakeLibrary) -> None:
    client = opened(box)
    client.get("/ask?q=mars", environ_base=HERE)
    box.site.add_feedback(ABOUT, "wrong", f"it is 5 kN {EVIL}")
    text = client.get("/keeper", environ_base=HERE).text
    assert text.count("<b>mars</b>") == 1
    assert "Macro" not in text
    assert "it is 5 kN" in text
    assert EVIL not in text
    assert 'href="d/SNOW/l/5.2"' in text
    assert "d/GONE" not in text


def test_what_is_said_of_one_answer_stands_together(box: FakeLibrary) -> None:
    box.site.add_feedback(ABOUT, "missing")
    for comment in ("it is 5", "", "see the annex"):
        box.site.add_feedback(ABOUT, "wrong", comment)
    box.site.add_feedback(replace(ABOUT, beside="q=load+on+mars&d=SNOW"), "helpful")
    text = opened(box).get("/keeper", environ_base=HERE).text
    filtered, _, alone = text.partition("What people say")[2].partition("3 × wrong")
    assert "helpful" in filtered
    assert alone.index("missing") < alone.index("see the annex") < alone.index("it is 5")
    assert text.count("<b>load on mars</b>") == 2


def test_what_stood_beside_a_question_is_kept_and_linked(box: FakeLibrary) -> None:
    """A filter is no gap of the library; a question that goes on is told as understood, with its thread."""
    client = opened(box)
    for _ in range(2):
        client.get("/ask?q=mars&d=BASIS", environ_base=HERE)
    beside = "q=and+2%3F&after=wind&d=BASIS&evil=1"
    form = {"q": "wind 2", "verdict": "wrong", "beside": beside}
    thanks = client.post("/feedback", data=form, headers={"Origin": "http://localhost"}, environ_base=HERE)
    assert 'href="ask?q=and+2?&amp;d=BASIS&amp;after=wind"' in thanks.text.replace("%3F", "?")
    text = client.get("/keeper", environ_base=HERE).text
    unanswered, _, filtered = text.partition('id="narrowed-heading"')
    assert "mars" not in unanswered
    counted = client.get("/api/v1/box", environ_base=HERE).get_json()["notes"]
    assert (counted["gaps"], counted["narrowed"]) == (0, 1)
    assert "2 times" in filtered
    assert 'href="ask?q=mars&amp;d=BASIS"' in filtered
    assert filtered.count("BASIS") > 2
    assert "evil" not in text
    assert [(line["question"], line["beside"]) for line in map(judged, box.site.rows("feedback"))] == [
        ("wind 2", "q=and+2%3F&d=BASIS&after=wind")
    ]


def test_an_empty_one_says_so(box: FakeLibrary) -> None:
    assert opened(box).get("/keeper", environ_base=HERE).text.count("<p>None.</p>") == 2


@pytest.mark.parametrize(
    ("peer", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("192.168.1.9", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "192.168.1.9"}, 403),
    ],
    ids=["at the box", "on the network", "passed on"],
)
def test_colleagues_on_the_network_do_not_see_it(
    box: FakeLibrary, peer: str, headers: dict[str, str], status: int
) -> None:
    client = opened(box)
    found = client.get("/keeper", environ_base={"REMOTE_ADDR": peer}, headers=headers)
    assert found.status_code == status
    link = 'href="keeper"' in client.get("/box", environ_base={"REMOTE_ADDR": peer}, headers=headers).text
    assert link is (status == 200)
