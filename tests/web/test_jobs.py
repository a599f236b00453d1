"""Written answers on the page: begun, looked at, given up, with script and without."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from appliance.core.evidence import Answer, Grounded, ModelStep, Own, Statement, Written
from appliance.core.jobs import Gone
from appliance.core.settings import JobSettings, ServeSettings, Settings
from appliance.web.answers.model_queues import Desk, costs, wanted
from appliance.web.app import create_app
from appliance.web.serve import make_server
from appliance.written_answers import Asked, Mode
from tests.waiting import until
from tests.web.conftest import Reader, Visitor
from tests.web.fake_library import FakeLibrary
from tests.web.serving import serving

QUESTION = "How steep may a roof be?"
WHY = "the quotation does not hold 7.17: compare it with the page"
SAME = {"Origin": "http://localhost", "Accept": "application/json"}
SETTINGS = Settings(serve=ServeSettings(port=0), jobs=JobSettings(waiting=1))


class FakeWriter:
    """Writes what it is told to, when it is let."""

    mode: Mode = "always"
    version = "1"
    describer = None

    def __init__(self, library: FakeLibrary) -> None:
        self.library = library
        self.let = threading.Event()
        self.notice = ""

    def needs(self, answer: Answer, mode: Mode | None = None) -> bool:
        return isinstance(answer, Grounded) and (mode or self.mode) == "always"

    def answer(self, asked: Asked, watch: Any = None) -> Answer:
        watch.stage("answer")
        watch.say("It may be <b>steep</b>.\n")
        while not self.let.wait(0.01):
            if watch.stopped:
                raise Gone
        answer = self.library.ask(asked.question)
        assert isinstance(answer, Grounded)
        doubtful = Statement("It may be 7.17.", (2,), confirmed=False, why=WHY)
        said = (Statement("It may be 45° steep.", (1,), confirmed=True), *answer.statements, doubtful)
        own = tuple(Own(item.text, item.confirmed) for item in (said[0], doubtful))
        written = Written("small-1b", self.notice, own=own)
        return replace(answer, statements=said, mode="model", written=written)


@pytest.fixture
def writer(library: FakeLibrary) -> FakeWriter:
    return FakeWriter(library)


@pytest.fixture
def app(library: FakeLibrary, writer: FakeWriter) -> Iterator[Flask]:
    made = create_app(library, settings=SETTINGS, writer=cast("Any", writer))
    made.test_client_class = Reader
    yield made
    desk: Desk = made.extensions["writing"]
    desk.jobs.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def begin(client: FlaskClient, question: str = QUESTION, **more: Any) -> Any:
    return client.post("/api/v1/jobs", query_string={"q": question}, headers=SAME, **more)


def state(client: FlaskClient, ticket: str, after: int = 0) -> Any:
    return client.get(f"/api/v1/jobs/{ticket}?after={after}").get_json()


def test_a_job_is_begun_looked_at_and_its_answer_shown(client: FlaskClient, writer: FakeWriter) -> None:
    begun = begin(client)
    assert begun.status_code == 202
    ticket = begun.get_json()["job"]
    assert begun.headers["Location"].endswith(f"api/v1/jobs/{ticket}")
    until(lambda: state(client, ticket)["text"] == "It may be <b>steep</b>.\n")
    now = state(client, ticket, 5)
    assert now["stage"] == "Choosing the sentences that answer"
    assert (now["state"], now["position"], now["told"]) == ("running", 0, 24)
    assert now["text"] == "y be <b>steep</b>.\n"
    plain = client.get("/ask", query_string={"q": QUESTION, "written": "yes"}).text
    assert "small-1b" not in plain  # not yet: the page never waits
    writer.let.set()
    until(lambda: state(client, ticket)["ended"])
    shown = client.get("/ask", query_string={"q": QUESTION, "written": "yes"}).text
    assert "The language model small-1b chose sentences" in shown
    assert "It may be 45° steep." in shown
    assert "small-1b" not in client.get("/ask", query_string={"q": QUESTION}).text
    assert "small-1b" not in client.get("/ask", query_string={"q": "another?", "written": "yes"}).text
    told = client.get(f"/{begun.get_json()['answer']}").get_json()  # a program reads it too
    assert told["written"]["model"] == "small-1b"
    assert "It may be 45° steep." in [item["text"] for item in told["statements"]]
    assert client.get("/api/v1/ask", query_string={"q": QUESTION}).get_json()["written"] is None
    own = [(item["text"], item["citations"], item["why"]) for item in told["written"]["own"]]
    assert own == [("It may be 45° steep.", [1], ""), ("It may be 7.17.", [2], WHY)]
    assert client.get("/written", query_string={"q": "another?", "written": "yes"}).status_code == 404
    part = client.get("/written", query_string={"q": QUESTION, "written": "yes"}).text
    bare = re.compile(r' id="[^"]*-here"')  # where the same source stands above
    for item in re.findall(r'<li class="statement.*?</li>', part, re.DOTALL):  # one way to show a statement
        assert bare.sub("", item) in bare.sub("", shown)
        assert "written=yes" in item, "its numbers are those of what was written"
    assert part.count('class="statement unconfirmed"') == 1
    ended = client.post(f"/api/v1/jobs/{ticket}/cancel", headers=SAME).get_json()
    assert ended == {"cancelled": False}, "what has ended is not given up"


def test_a_full_queue_and_a_second_question_are_refused_with_a_time(client: FlaskClient) -> None:
    begin(client)
    second = begin(client, "another?")
    assert second.status_code == 429
    assert int(second.headers["Retry-After"]) >= 1
    assert "another question" in second.get_json()["error"]["message"]
    elsewhere = {"environ_base": {"REMOTE_ADDR": "10.0.0.2"}}
    assert begin(client, "another?", **elsewhere).status_code == 202
    full = begin(client, "a third?", environ_base={"REMOTE_ADDR": "10.0.0.3"})
    assert full.status_code == 429
    assert "many questions" in full.get_json()["error"]["message"]


def test_what_is_given_up_is_gone(client: FlaskClient) -> None:
    ticket = begin(client).get_json()["job"]
    assert client.post(f"/api/v1/jobs/{ticket}/cancel", headers=SAME).get_json() == {"cancelled": True}
    assert client.get(f"/api/v1/jobs/{ticket}").status_code == 404
    assert client.get("/api/v1/jobs/" + "0" * 32).status_code == 404


@pytest.mark.parametrize("path", ["/api/v1/jobs", "/api/v1/jobs/1/cancel"])
@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://localhost:81"])
def test_only_our_own_page_may_begin_or_end(client: FlaskClient, path: str, origin: str | None) -> None:
    headers = {"Origin": origin} if origin else {}
    assert client.post(path, query_string={"q": QUESTION}, headers=headers).status_code == 403
    assert client.put(path, headers=SAME).status_code == 405


def test_there_is_nothing_without_a_model(library: FakeLibrary) -> None:
    client = create_app(library, settings=SETTINGS).test_client()
    assert "Write it as an answer" not in client.get("/ask", query_string={"q": QUESTION}).text
    for path in ("/api/v1/jobs?q=snow", "/api/v1/jobs/1/cancel"):
        failed = client.post(path, headers=SAME)
        assert failed.status_code == 404
        assert "No model for this is installed" in failed.get_json()["error"]["message"]


def test_an_answer_that_lacks_what_failed_is_shown_with_its_notice_and_made_again(
    client: FlaskClient, writer: FakeWriter
) -> None:
    writer.notice = "The language model took too long; what stands here is quoted without it."
    writer.let.set()
    tickets = []
    for _ in range(2):
        tickets.append(begin(client).get_json()["job"])
        until(lambda: state(client, tickets[-1])["ended"])
        assert "took too long" in client.get("/ask", query_string={"q": QUESTION, "written": "yes"}).text
    assert tickets[0] != tickets[1]


def test_a_mode_that_there_is_not_is_said(client: FlaskClient) -> None:
    assert client.get("/ask", query_string={"q": QUESTION, "mode": "often"}).status_code == 400
    assert begin(client, "").status_code == 400


@pytest.fixture
def site(library: FakeLibrary, writer: FakeWriter) -> Iterator[int]:
    """Serve the page with its writer."""
    server = make_server(library, SETTINGS, cast("Any", writer))
    with serving(server) as port:
        yield port
        writer.let.set()


PLACES = """() => [...document.querySelectorAll(".outcome .claim"),
    document.querySelector(".writing")]
  .filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect())
  .map((box) => [box.top, box.bottom])"""


@pytest.mark.parametrize("width", [360, 1440])
def test_with_script_it_grows_beneath_the_quotations_and_moves_nothing(
    visitor: Visitor, site: int, writer: FakeWriter, width: int
) -> None:
    visit = visitor.visit(f"ask?q={QUESTION}", port=site, width=width)
    draft = visit.page.locator(".writing .draft")
    draft.wait_for()
    assert draft.inner_text().strip() == "It may be <b>steep</b>."  # text, never markup
    assert visit.page.locator(".writing [role=status]").inner_text() == "Choosing the sentences that answer"
    assert "about" in visit.page.locator(".writing").inner_text()
    before = visit.page.evaluate(PLACES)
    assert before[:-1], "the quotations are there at once"
    assert max(bottom for _, bottom in before[:-1]) <= before[-1][0], before
    writer.let.set()
    checked = visit.page.locator(".writing .checked .statement")
    checked.first.wait_for()
    lines = [item.split("\n")[0] for item in checked.all_inner_texts()]  # what is quoted stands above already
    assert lines == ["It may be 45° steep.\u00a01", f"Not confirmed: {WHY}"]
    assert "1 statement is not confirmed" in visit.page.locator(".writing [role=status]").inner_text()
    assert [item.get_attribute("class") for item in checked.all()] == ["statement", "statement unconfirmed"]
    styles = checked.evaluate_all("all => all.map((item) => getComputedStyle(item).borderTopStyle)")
    assert styles == ["none", "dashed"]
    assert not draft.is_visible()
    after = visit.page.evaluate(PLACES)
    assert [*after[:-1], after[-1][0]] == [*before[:-1], before[-1][0]]
    visit.page.locator(".writing .cite").nth(1).click()  # shown beside the answer, which stays
    assert visit.page.locator(".writing .cite").nth(1).get_attribute("aria-current") == "true"
    assert visit.page.evaluate("location.search.includes('s=w-')") is False
    ids = visit.page.evaluate("[...document.querySelectorAll('[id]')].map((item) => item.id)")
    assert len(ids) == len(set(ids))
    visit.page.locator(".writing").get_by_role("link", name="Show it").click()
    visit.page.wait_for_url("**written=yes**")
    assert "small-1b" in visit.page.locator(".writing").inner_text()
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.complaints == []


def test_with_script_it_is_stopped_and_a_page_that_is_left_gives_up(
    visitor: Visitor, site: int, writer: FakeWriter
) -> None:
    visit = visitor.visit(f"ask?q={QUESTION}", port=site)
    visit.page.locator(".writing .draft").wait_for()
    visit.page.get_by_role("button", name="Stop").click()
    visit.page.get_by_text("Stopped. The quotations above are complete.").wait_for()
    visit.page.get_by_role("button", name="Write it as an answer").click()
    visit.page.locator(".writing .draft").wait_for()
    visit.page.goto(f"http://127.0.0.1:{site}/")  # gives up on leaving, so that the next may begin at once
    again = visit.page.goto(f"http://127.0.0.1:{site}/ask?q={QUESTION} again")
    assert again is not None
    visit.page.locator(".writing .draft").wait_for()
    assert not writer.let.is_set()
    assert visit.complaints == []


def test_the_work_of_the_model_is_among_the_figures(client: FlaskClient, writer: FakeWriter) -> None:
    assert "written by the language model" not in client.get("/figures").text
    assert "writes answers; none now, nobody waiting" in client.get("/health").text
    begun = client.post("/api/v1/jobs", query_string={"q": QUESTION}, headers=SAME).get_json()
    until(lambda: client.get(f"/api/v1/jobs/{begun['job']}").get_json()["text"] != "")
    assert "writes answers; one now, nobody waiting" in client.get("/health").text
    writer.let.set()
    until(lambda: client.get(f"/api/v1/jobs/{begun['job']}").get_json()["ended"])
    shown = client.get("/figures").text
    assert "<dt>answers written by the language model</dt><dd>1</dd>" in shown
    assert "Longest queue of the model" in shown


def test_tokens_a_second_are_those_of_all_steps_together(library: FakeLibrary) -> None:
    answer = library.ask(QUESTION)
    assert isinstance(answer, Grounded)
    steps = tuple(
        ModelStep("answer", "p", "stop", tokens=tokens, first_seconds=0.5, writing_seconds=seconds)
        for tokens, seconds in ((30, 1.0), (10, 1.0), (0, 0.0))
    )
    found = dict(costs(replace(answer, written=Written("small-1b", steps=steps))))
    assert found == {"time model answer": 500.0, "tokens per second": 20.0}
    assert list(costs(answer)) == []


def test_the_question_before_reaches_the_model(library: FakeLibrary) -> None:
    app = create_app(library, settings=SETTINGS, writer=cast("Any", FakeWriter(library)))
    asked = [("q", "and timber"), ("earlier", "roof"), ("after", "snow")]
    with app.test_request_context("/ask", query_string=asked):
        assert wanted("always").after == "snow"
