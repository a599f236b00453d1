"""The JSON of the page: the shapes of the contract, failures as JSON with the same statuses."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.fake_library import FakeLibrary


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("search?q=snow", {"query", "intent", "hits", "must_read", "unresolved", "timings_ms"}),
        (
            "ask?q=snow",
            {"outcome", "text", "statements", "citations", "evidence", "tables", "chain", "confidence"},
        ),
        (
            "document/SNOW",
            {"document", "clauses", "tables", "figures", "references", "definitions", "problems"},
        ),
        ("table/SNOW/Table 5.2", {"label", "header_rows", "rows", "notes", "boxes"}),
        ("documents", {"version", "documents"}),
        ("document/SNOW/page/1", {"page", "image", "width", "height"}),
    ],
)
def test_shapes_are_those_of_the_contract(client: FlaskClient, path: str, keys: set[str]) -> None:
    response = client.get(f"/api/v1/{path}")
    assert response.status_code == 200
    assert response.mimetype == "application/json"
    assert keys <= set(response.get_json())


@pytest.mark.parametrize(
    ("question", "outcome", "status"),
    [("snow", "answer", 200), ("mars", "not_found", 200), ("break", "failed", 503)],
)
def test_the_three_outcomes(client: FlaskClient, question: str, outcome: str, status: int) -> None:
    response = client.get(f"/api/v1/ask?q={question}")
    assert (response.get_json()["outcome"], response.status_code) == (outcome, status)


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("search?q=snow&limit=0", 400, "limit must be a number from 1 to 100"),
        ("search?q=snow&limit=101", 400, "limit must be"),
        ("search?q=snow&limit=-1", 400, "limit must be"),
        ("search?q=snow&limit=9999999999999999999999", 400, "limit must be"),
        ("search?q=snow&limit=%D9%A3", 400, "limit must be"),
        ("search?q=snow&from=-1", 400, "from must be a number from 0 to 999999"),
        ("search?q=snow&from=9999999", 400, "from must be"),
        ("search?q=---&from=0", 400, "no word to search for"),
        ("ask?q=", 400, "no word to search for"),
        ("ask?q=crash", 500, "Something went wrong"),
        ("ask?q=snow&mood=good", 400, "takes no parameter 'mood'. Known are: q, d,"),
        ("documents?q=snow", 400, "Known are: none."),
        ("ask?q=snow&mode=silly", 400, "mode must be one of deterministic, needed, always, not 'silly'."),
        ("ask?q=snow&written=banana", 400, "written must be yes, not 'banana'."),
        ("ask?q=snow&earlier=x", 400, "earlier is read only with after"),
        ("ask?q=snow&q=ice", 400, "q is given more than once."),
        ("search?q=snow&kind=clause&kind=x", 400, "kind must be one of annex, clause,"),
        ("search?q=snow&status=binding", 400, "status must be one of normative, informative"),
        ("compare?a=SNOW&b=BASIS", 400, "SNOW and BASIS are no editions of one code. Add anyway=yes"),
        ("compare?a=SNOW&b=SNOW&anyway=yes", 400, "SNOW is named twice"),
        ("document/SNOW/page/0", 404, "SNOW has no page 0; it has"),
        ("tools/nothing", 404, "Known right below /api/v1/tools/ are: figure, graph, must_read,"),
        ("tools/review_references", 405, "Send it by POST"),
        ("document/NONE", 404, "There is no document NONE"),
        ("table/SNOW/Table 9", 404, "SNOW has no"),
        ("nothing", 404, "nothing at this address"),
    ],
)
def test_failures_are_json_in_words(client: FlaskClient, path: str, status: int, words: str) -> None:
    response = client.get(f"/api/v1/{path}")
    assert response.status_code == status
    assert response.get_json()["error"]["status"] == status
    assert words in response.get_json()["error"]["message"]


def test_a_tool_that_takes_a_form_says_so(client: FlaskClient) -> None:
    own = {"Origin": "http://localhost"}
    response = client.post("/api/v1/tools/review_references", json={"text": "See 5.2."}, headers=own)
    assert response.status_code == 400
    assert "takes a form and no JSON" in response.get_json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("ask?q=snow&mode=silly", "mode must be one of deterministic, needed, always"),
        ("ask?q=snow&q=ice", "q is given more than once"),
        ("search?q=snow&kind=x", "kind must be one of annex"),
        ("search?q=snow&from=-1", "from must be a number from 0"),
        ("compare?a=SNOW&b=BASIS&show=x", "show must be one of changed"),
    ],
)
def test_a_page_says_calmly_what_it_does_not_take(client: FlaskClient, path: str, words: str) -> None:
    response = client.get(f"/{path}")
    assert response.status_code == 400
    assert words in response.text
    assert client.get("/ask?q=snow&from_elsewhere=1&mode=").status_code == 200


def test_search_is_narrowed_by_limit_document_and_kind(client: FlaskClient, library: FakeLibrary) -> None:
    everything = client.get("/api/v1/search?q=snow").get_json()["hits"]
    assert {hit["document"] for hit in everything} == set(library.loaded)
    assert len(client.get("/api/v1/search?q=snow&limit=2").get_json()["hits"]) == 2
    assert "2 places, best first" in client.get("/search?q=snow&limit=2").text
    tables = client.get("/api/v1/search?q=snow&kind=table").get_json()["hits"]
    assert {hit["kind"] for hit in tables} == {"table"}
    assert {hit["document"] for hit in client.get("/api/v1/search?q=x&d=BASIS").get_json()["hits"]} == {
        "BASIS"
    }


def test_suggestions_carry_addresses_below_the_first_page(client: FlaskClient) -> None:
    found = client.get("/api/v1/suggest?q=table 5.2").get_json()
    assert found == [
        {
            "document": "SNOW",
            "label": "Table 5.2",
            "title": "Shape coefficients of pitched roofs",
            "address": "d/SNOW/l/Table%205.2",
        }
    ]
    assert client.get("/api/v1/suggest?q=").get_json() == []
    assert client.get("/api/v1/suggest?q=" + "x" * 5000).get_json() == []


def test_a_page_image_named_in_json_can_be_fetched(client: FlaskClient) -> None:
    view = client.get("/api/v1/document/SNOW/page/2").get_json()
    assert client.get(f"/{view['image']}").status_code == 200
    assert client.get(f"/{view['address']}").status_code == 200


def test_a_search_is_gone_through_to_its_last_place(client: FlaskClient) -> None:
    """Each place once, ranked on from part to part; the count is that of the best as well."""
    address = "/api/v1/search?q=snow+often"
    total = client.get(f"{address}&limit=1").get_json()["total"]
    parts = [client.get(f"{address}&from={first}&limit=3").get_json() for first in range(0, total + 3, 3)]
    hits = [hit for part in parts for hit in part["hits"]]
    assert {part["total"] for part in parts} == {total}
    assert [part["from"] for part in parts[:2]] == [0, 3]
    assert [hit["rank"] for hit in hits] == list(range(1, total + 1))
    assert parts[-1]["hits"] == []
