"""Asking on in the same thread, and what the address tells beside the question."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from appliance.retrieval.search_context import Reading
from tests.web.fake_library import FakeLibrary


def test_an_answer_asks_on_without_script(client: FlaskClient) -> None:
    page = client.get("/ask?q=snow+load&d=SNOW").text
    form = page[page.index('class="go-on"') : page.index("</form>", page.index('class="go-on"'))]
    assert 'name="after" value="snow load"' in form
    assert 'name="d" value="SNOW"' in form
    assert 'method="get"' in form


def test_a_question_that_goes_on_shows_how_it_was_understood_and_the_way_back(client: FlaskClient) -> None:
    page = client.get("/ask?q=and+timber&after=snow+load").text
    assert '<b dir="auto">and timber as meant</b>' in page
    assert 'ask?q=snow+load">snow load</a>' in page
    assert "ask?q=and+timber&#34;" in page or 'ask?q=and+timber"' in page
    assert 'name="after" value="and timber as meant"' in page


def test_a_first_question_whose_signs_were_read_has_no_question_before(client: FlaskClient) -> None:
    page = client.get("/ask?q=psi+2+of+snow").text
    assert '<b dir="auto">ψ2 of snow</b>' in page
    assert "Asked before" not in page
    assert "Ask it as typed" not in page


def test_what_was_not_found_can_be_asked_on(client: FlaskClient) -> None:
    assert 'class="go-on"' in client.get("/ask?q=mars").text


def test_a_hostile_question_before_is_only_text(client: FlaskClient) -> None:
    page = client.get("/ask", query_string={"q": "timber", "after": "<script>alert(1)</script>"}).text
    assert "<script>alert(1)" not in page


def test_the_address_narrows_and_raises(client: FlaskClient, library: FakeLibrary) -> None:
    address = (
        "/api/v1/search?q=snow&family=eurocode&status=normative&reading=SNOW:5.2&selected=roof&after=load"
    )
    assert client.get(address).status_code == 200
    wanted, after, reading = library.given[-1]
    assert (wanted.families, wanted.normative, after) == (("eurocode",), True, "load")
    assert reading == Reading("SNOW", "5.2", "roof")


def test_a_wrong_status_is_refused(client: FlaskClient) -> None:
    assert client.get("/api/v1/search?q=snow&status=maybe").status_code == 400


def test_a_conversation_carries_what_was_asked_before(client: FlaskClient) -> None:
    questions = [("earlier", f"question {number}") for number in range(9)]
    page = client.get("/ask", query_string=[("q", "and timber"), ("after", "snow <load>"), *questions]).text
    form = page.split('class="go-on"')[1].split("</form>")[0]
    assert 'name="after" value="and timber as meant"' in form
    earlier = re.findall(r'name="earlier" value="([^"]*)"', form)
    assert earlier == [*(f"question {number}" for number in range(4, 9)), "snow &lt;load&gt;"]
