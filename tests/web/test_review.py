"""The page that checks what a specification cites: pasted, uploaded, refused in words."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from appliance.citing.docx import example
from appliance.core.settings import CitingSettings, ServeSettings, Settings
from appliance.web.app import create_app
from appliance.web.guard import ROOM
from tests.web.fake_library import FakeLibrary

ORIGIN = {"Origin": "http://localhost"}


def send(
    client: FlaskClient, text: str = "", file: bytes | None = None, name: str = "spec.txt"
) -> tuple[int, str]:
    data: dict[str, object] = {"text": text}
    if file is not None:
        data["file"] = (io.BytesIO(file), name)
    response = client.post("/review", data=data, headers=ORIGIN, content_type="multipart/form-data")
    return response.status_code, unescape(response.text)


def designation(library: FakeLibrary) -> str:
    return library.loaded["SNOW"].designation


def test_each_citation_leads_to_its_place(client: FlaskClient, library: FakeLibrary) -> None:
    status, page = send(
        client, f"Roofs: {designation(library)}, 5.2 and Table 5.3; not Table 9.9 of it, nor BS 9999:2017."
    )
    assert status == 200
    assert re.search(r"page \d+ \(printed \d+\)", page), (
        "the number that its page prints beside that of the file"
    )
    assert "nothing to show in the library" in page
    assert f'name="text" value="Roofs: {designation(library)}' in page, "the same report as PDF"
    links = re.findall(r'href="(d/SNOW/[^"]*)"', page)
    assert [client.get(f"/{link}").status_code for link in links] == [200] * len(links)
    assert any(link.startswith("d/SNOW/c/5.2") for link in links)
    assert any(link.startswith("d/SNOW/t/") for link in links)


def test_a_file_comes_before_the_text_and_its_name_is_no_path(
    client: FlaskClient, library: FakeLibrary
) -> None:
    cited = example(f"See {designation(library)}, Table 5.3.")
    status, page = send(client, "nothing", cited, "/home/me/jobs/roof.docx")
    assert status == 200
    assert "References of roof.docx" in page
    assert "Report as PDF" not in page, "the file is forgotten"
    assert "jobs" not in page
    assert "Table 5.3" in page


def test_markup_of_a_text_is_shown_as_text(client: FlaskClient, library: FakeLibrary) -> None:
    data = {"text": f"<script>alert(1)</script> {designation(library)} <img src=x>"}
    page = client.post("/review", data=data, headers=ORIGIN).text
    assert "<script>alert" not in page
    assert "<img" not in page


@pytest.mark.parametrize(
    ("file", "status", "words"),
    [
        (b"", 422, "empty"),
        (b"PK\x03\x04 no folder", 422, "no DOCX"),
        (bytes(range(256)) * 50, 422, "neither PDF, DOCX nor text"),
        (b"x" * (40 * 1024 + 1), 413, "the limit is 40 KiB"),
    ],
)
def test_a_file_that_cannot_be_read_is_said_on_the_form(
    library: FakeLibrary, file: bytes, status: int, words: str
) -> None:
    settings = Settings(serve=ServeSettings(), citing=CitingSettings(upload_kib=40))
    client = create_app(library, settings=settings).test_client()
    found, page = send(client, "what I typed", file)
    assert found == status
    assert words in page
    assert "what I typed" in page


def test_a_body_over_the_limit_of_a_document_is_refused_before_it_is_read(library: FakeLibrary) -> None:
    settings = Settings(citing=CitingSettings(upload_kib=1))
    client = create_app(library, settings=settings).test_client()
    status, _ = send(client, "", b"x" * (2 * ROOM))
    assert status == 413


def test_a_long_text_is_taken_though_questions_are_short(client: FlaskClient, library: FakeLibrary) -> None:
    status, page = send(client, f"{'Words of no interest. ' * 4_000} {designation(library)}")
    assert status == 200
    assert "1 citation:" in page


def test_no_other_page_may_send_a_document(client: FlaskClient) -> None:
    assert client.post("/review", data={"text": "x"}).status_code == 403
    assert client.put("/review", headers=ORIGIN).status_code == 405
