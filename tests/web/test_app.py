"""The page without a browser: statuses, headers, who may ask, addresses, failures in words."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import unquote, urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client, TestResponse

from appliance.core.errors import AmbiguousLabel
from appliance.core.settings import ServeSettings, Settings
from appliance.web.app import create_app
from tests.web.fake_library import FakeLibrary

PAGES = [
    "/",
    "/ask?q=snow",
    "/ask?q=snow&s=c2",
    "/ask?q=mars",
    "/search?q=snow&kind=table",
    "/d/SNOW",
    "/d/BASIS",
    "/d/SNOW/c/5.2",
    "/d/SNOW/c/5.2(1)/a",
    "/d/BASIS/c/1.5",
    "/d/SNOW/c/Annex B",
    "/d/SNOW/t/Table 5.3",
    "/d/SNOW/f/Figure 5.1",
    "/d/SNOW/p/1?at=5.2",
    "/d/SNOW/p/2?at=Table 5.2",
    "/d/SNOW/p/3",
]


def links(response: TestResponse) -> list[str]:
    """Return every address in a page that is opened by GET, as written."""
    shown = re.sub(r'<form [^>]*method="post"[^>]*>|\bformaction="[^"]*"', "", response.text)
    return [unescape(found) for found in re.findall(r'(?:href|src|action)="([^"]*)"', shown)]


def follow(client: FlaskClient, path: str, link: str) -> TestResponse:
    """Open a link as a browser does: relative to its page, redirects relative to theirs."""
    target = urljoin(f"http://localhost{path}", link).removeprefix("http://localhost").partition("#")[0]
    response = client.get(unquote(target))
    return follow(client, target, response.headers["Location"]) if response.status_code == 302 else response


@pytest.mark.parametrize("path", PAGES)
def test_every_page_carries_the_policy_and_no_inline_code(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    assert "unsafe" not in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert re.findall(r"\s(?:style|on\w+)=[\"']", re.sub(r">[^<]*<", "><", response.text)) == []
    assert re.findall(r"<script(?! type=\"(?:module|application/json)\")", response.text) == []


@pytest.mark.parametrize("path", PAGES)
def test_every_address_on_every_page_is_relative_and_leads_somewhere(client: FlaskClient, path: str) -> None:
    found = {link for link in links(client.get(path)) if not link.startswith("#")}
    assert len(found) > 5
    assert [link for link in found if link.startswith(("/", "http", "//"))] == []
    for link in found:
        assert follow(client, path, link).status_code == 200, f"{link} on {path}"


def test_a_clause_shows_the_national_choice_and_the_choice_shows_its_clause(client: FlaskClient) -> None:
    base = unescape(client.get("/d/SNOW/c/5.2").text)
    assert "National choice" in base
    assert "0.9 in place of 0.8" in base
    assert "The national annex decides over the recommended value." in base
    assert "It decides for" in client.get("/d/BASIS/c/1.5").text
    other = client.get("/d/SNOW/c/5.1").text
    assert "National choice" not in other
    assert "It decides for" not in other


def test_under_a_prefix_every_link_stays_under_it(app: Flask) -> None:
    """A proxy may mount the page below a path, telling the app (SCRIPT_NAME) or not."""
    plain = links(app.test_client().get("/d/SNOW/c/5.2"))
    joined = {urljoin("http://proxy/codes/d/SNOW/c/5.2", link) for link in plain}
    assert {target for target in joined if not target.startswith("http://proxy/codes/")} == set()
    mounted = Client(DispatcherMiddleware(Flask("outside"), {"/codes": app}))
    page = mounted.get("/codes/d/SNOW/c/5.2")
    targets = {urljoin("http://localhost/codes/d/SNOW/c/5.2", link) for link in links(page)}
    assert {target for target in targets if not target.startswith("http://localhost/codes/")} == set()
    redirect = mounted.get("/codes/d/SNOW/l/Table 5.2")
    landed = urljoin("http://localhost/codes/d/SNOW/l/x", redirect.headers["Location"])
    assert landed == "http://localhost/codes/d/SNOW/t/Table%205.2"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8080", 200),
        ("192.168.4.20", 200),
        ("10.0.0.1:80", 200),
        ("[fe80::1]:8080", 200),
        ("[::1]", 200),
        ("localhost", 200),
        ("LOCALHOST:9000", 200),
        ("box.site", 200),
        ("box.site.:8080", 200),
        ("evil.example", 421),
        ("box.site.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("127.0.0.1@evil.example", 421),
        ("127.0.0.1:8080:9", 421),
        ("127.0.0.1:x", 421),
        ("[::1]evil", 421),
        ("<script>", 421),
        ("", 421),
    ],
)
def test_only_addresses_and_our_names_are_answered(client: FlaskClient, host: str, status: int) -> None:
    """A foreign name made to point at the box (DNS rebinding) gets nothing."""
    response = client.get("/d/SNOW", headers={"Host": host}, environ_overrides={"HTTP_HOST": host})
    assert response.status_code == status
    assert ("Snow load" in response.text) == (status == 200)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/", "/ask?q=snow", "/api/v1/ask?q=snow"])
def test_the_page_only_reads(client: FlaskClient, method: str, path: str) -> None:
    assert client.open(path, method=method).status_code == 405


def test_a_body_over_the_limit_is_refused(library: FakeLibrary) -> None:
    client = create_app(library, settings=Settings(serve=ServeSettings(body_kib=1))).test_client()
    assert client.get("/", data=b"x" * 1024).status_code == 200
    assert client.get("/", data=b"x" * 1025).status_code == 413


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/d/NONE", 404, "There is no document NONE. Loaded are: SNOW, BASIS."),
        ("/d/SNOW/c/9.9", 404, "SNOW has no clause, table or figure 9.9."),
        ("/d/SNOW/l/9.9", 404, "SNOW has no clause, table or figure 9.9."),
        ("/d/SNOW/p/99", 404, "SNOW has no page 99; it has"),
        ("/d/SNOW/p/0", 404, "page 0"),
        ("/d/SNOW/p/-1", 404, "nothing at this address"),
        ("/d/SNOW/p/1?at=9.9", 404, "9.9"),
        ("/nothing", 404, "nothing at this address"),
        ("/i/../../etc/passwd", 404, "nothing at this address"),
        ("/i/" + "0" * 64 + ".webp", 404, "nothing at this address"),
        ("/i/x.webp", 404, "nothing at this address"),
        ("/ask?q=%3F%21%3F", 400, "There is no word to search for"),
        ("/ask?q=snow&d=NONE", 404, "There is no document NONE"),
        ("/ask?q=crash", 500, "Something went wrong in the box"),
        ("/ask?q=break", 503, "the model took too long"),
        ("/d/%3Cscript%3E", 404, "&lt;script&gt;"),
    ],
)
def test_failures_are_told_in_words_with_the_question_kept(
    client: FlaskClient, path: str, status: int, words: str
) -> None:
    response = client.get(path)
    assert response.status_code == status
    assert words in response.text
    assert "Traceback" not in response.text
    if "q=crash" in path:
        assert 'value="crash"' in response.text


def test_the_three_outcomes_are_three_pages(client: FlaskClient) -> None:
    headings = ("Read these places", "Not found in the documents loaded", "The box could not answer")
    for question, heading in zip(("snow", "mars", "break"), headings, strict=True):
        found = [
            name
            for name in headings
            if f"{name} <" in client.get(f"/ask?q={question}").text.replace("</h2>", " <")
        ]
        assert found == [heading]


def test_what_the_documents_lack_is_said_once(client: FlaskClient) -> None:
    page = client.get("/ask?q=Diagram+99.9").text
    assert page.count("The documents loaded have no Diagram 99.9.") == 1


def test_what_is_not_confirmed_says_so_with_the_reason(client: FlaskClient) -> None:
    text = client.get("/ask?q=snow").text
    assert text.count("<span>Not confirmed") == 2  # on the card, and with its quotations
    assert "Not confirmed: 0.8 stands in another cell" in text


def test_the_deciding_cell_is_marked_and_rows_left_out_are_counted(client: FlaskClient) -> None:
    text = re.sub(r"\s+", " ", client.get("/ask?q=snow").text)
    assert '<td class="decides"><mark>0.8</mark></td>' in text
    assert '<td class="decides"><mark>1.45</mark></td>' in text
    assert "19 rows left out" in text
    assert "17 rows left out" in text
    assert "alpha is the angle of pitch" in text, "notes stay with their table"


def test_an_answer_shows_everything_that_was_found_once(client: FlaskClient) -> None:
    text = client.get("/ask?q=snow").text
    for name in ("SNOW 5.1", "SNOW 1.2", "BASIS 1.5", "SNOW Table 5.3"):
        assert len(re.findall(rf'class="name"><b>{re.escape(name)}</b>', text)) == 1, name
    assert "EN 1991-1-4 is not loaded" in text


def test_a_question_is_kept_to_the_documents_ticked(client: FlaskClient, library: FakeLibrary) -> None:
    page = client.get("/ask?q=snow&d=SNOW")
    assert list(library.asked[-1][1]) == ["SNOW"]
    stop = next(link for link in links(page) if "s=c2" in link)
    assert "d=SNOW" in stop
    client.get("/ask?q=snow+anywhere")
    assert list(library.asked[-1][1]) == []


@pytest.mark.parametrize("question", ["", "   ", "%20%09"])
def test_no_question_leads_to_the_first_page(client: FlaskClient, question: str) -> None:
    for path in ("ask", "search"):
        response = client.get(f"/{path}?q={question}")
        assert (response.status_code, response.headers["Location"]) == (302, "./")


def test_page_images_may_be_kept_for_ever_and_pages_may_not(
    client: FlaskClient, library: FakeLibrary
) -> None:
    name = library.images["SNOW", 1]
    image = client.get(f"/i/{name}")
    assert image.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert image.mimetype == "image/webp"
    assert client.get("/").headers["Cache-Control"] == "no-cache"
    fixed = client.application.static_url_path or ""
    for name in ("main.js", "page.css"):
        assert client.get(f"{fixed}/{name}").headers["Cache-Control"] == image.headers["Cache-Control"]
    assert client.get(f"{fixed}/none.js").headers["Cache-Control"] == "no-cache"
    assert f"{fixed.removeprefix('/')}/page.css" in client.get("/").text


def test_the_first_page_tells_what_is_loaded_and_starts_from_it(client: FlaskClient) -> None:
    text = client.get("/").text
    for words in (
        "TC 1-3:2024",
        "superseded",
        "in force",
        "3 reading problems",
    ):
        assert words in text
    shown = text[text.index("<main") : text.index("</main>")]
    for words in ("minilm-l6-int8", "4f2a4f2a4f2a"):
        assert words not in shown, "for the keeper alone"
        assert words in client.get("/box").text
    assert "What is meant by characteristic value?" in text
    assert "autofocus" in text


def test_a_clause_is_read_with_what_stands_under_it_and_its_references(client: FlaskClient) -> None:
    text = client.get("/d/SNOW/c/5.2").text
    for words in ("undrifted snow over the whole roof;", "A snow guard or a parapet prevents sliding."):
        assert words in text
    assert '<a class="ref" href="../../../d/SNOW/t/Table%205.2">Table 5.2</a>' in text
    assert 'class="lost" title="EN 1991-1-4 is not loaded"' in text
    assert "5.1" in text.partition('rel="prev"')[2]
    assert "5.3" in text.partition('rel="next"')[2], "the next clause, not the first of its own paragraphs"


@pytest.mark.parametrize(
    ("key", "leads"),
    [
        ("SNOW/l/5.2", "/d/SNOW/c/5.2"),
        ("SNOW/l/Table 5.2", "/d/SNOW/t/Table%205.2"),
        ("SNOW/l/Figure 5.1", "/d/SNOW/f/Figure%205.1"),
        ("BASIS/l/characteristic value", "/d/BASIS/p/1?at=characteristic+value"),
    ],
)
def test_a_label_leads_to_its_reading_view_or_its_page(client: FlaskClient, key: str, leads: str) -> None:
    redirect = client.get(f"/d/{key}")
    landed = urljoin(f"http://localhost/d/{key}", redirect.headers["Location"]).removeprefix(
        "http://localhost"
    )
    assert unquote(landed.replace("+", " ")) == unquote(leads.replace("+", " "))
    assert client.get(unquote(landed)).status_code == 200


def test_an_edition_that_no_longer_applies_says_so_wherever_it_is_shown(client: FlaskClient) -> None:
    for path in ("/ask?q=snow", "/d/BASIS", "/d/BASIS/c/1.5", "/search?q=snow"):
        assert '<span class="badge bad">superseded</span>' in client.get(path).text, path
    assert "superseded" not in client.get("/d/SNOW/c/5.2").text


def test_the_qr_code_is_the_address_that_the_visitor_used(client: FlaskClient) -> None:
    here = client.get("/", headers={"Host": "192.168.4.20:8080"}).text
    assert "<code>http://192.168.4.20:8080/</code>" in here
    code = client.get("/qr.svg", headers={"Host": "192.168.4.20:8080"})
    assert code.mimetype == "image/svg+xml"
    assert code.data != client.get("/qr.svg", headers={"Host": "192.168.4.21:8080"}).data


def test_a_label_of_several_places_leads_to_each(
    client: FlaskClient, library: FakeLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clause(document: str, key: str) -> None:
        raise AmbiguousLabel(document, key, [("H1 1.17", 10, "Branches"), ("H2 1.17", 33, "<Siting>")])

    monkeypatch.setattr(library, "clause", clause)
    page = client.get("/d/SNOW/c/1.17")
    assert page.status_code == 400
    assert "SNOW has 2 places called 1.17." in page.text
    assert "l/H1%201.17" in page.text
    assert "&lt;Siting&gt;" in page.text
    told = client.get("/api/v1/clause/SNOW/1.17")
    assert told.status_code == 400
    assert "H1 1.17 (page 10, Branches); H2 1.17 (page 33" in told.get_json()["error"]["message"]


def test_an_answer_that_somebody_comes_back_to_is_not_made_again(app: Flask, library: FakeLibrary) -> None:
    client, before = app.test_client(), len(library.asked)
    ways = (
        "/ask?q=drifted snow",
        "/ask?q=drifted snow",
        "/api/v1/ask?q=drifted snow",
        "/ask.md?q=drifted snow",
    )
    for way in ways:
        assert client.get(way, headers={"Accept": "text/html"}).status_code == 200
    assert len(library.asked) == before + 1
    for _ in range(2):  # what failed, or is narrowed to other documents, is made anew
        assert client.get("/api/v1/ask?q=drifted snow break").status_code == 503
    client.get("/api/v1/ask?q=drifted snow&d=SNOW")
    assert len(library.asked) == before + 4
