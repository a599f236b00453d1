"""The pages on how well the codes were read, with and without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from flask.testing import FlaskClient

from appliance.core.document import Box
from appliance.quality.values import PageQuality, Reason
from appliance.web.kept.quality import thumbnail
from tests.web.conftest import Visitor
from tests.web.fake_library import FakeLibrary
from tests.web.test_app import follow, links

PATHS = ["/quality", "/d/SNOW/quality", "/d/SNOW/quality?all=1", "/d/BASIS/quality"]


@pytest.fixture
def checked(library: FakeLibrary) -> Iterator[dict[int, str]]:
    """The checks of the library, taken back afterwards."""
    yield library.checked
    library.checked.clear()


@pytest.mark.parametrize("path", PATHS)
def test_pages_carry_the_policy_and_all_their_links_open(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert re.findall(r"\s(?:style|on\w+)=[\"']", re.sub(r">[^<]*<", "><", response.text)) == []
    for link in set(links(response)):
        assert follow(client, path, link).status_code == 200, link


def test_both_are_linked_from_where_people_are(client: FlaskClient) -> None:
    assert any(link.endswith("d/SNOW/quality") for link in links(client.get("/d/SNOW")))
    assert any(link.endswith("quality") for link in links(client.get("/")))
    assert client.get("/documents/SNOW/quality").headers["Location"] == "../../d/SNOW/quality"
    assert client.get("/d/NOWHERE/quality").status_code == 404


def test_what_was_reported_is_shown_on_its_page(client: FlaskClient) -> None:
    text = client.get("/d/SNOW/quality").text
    assert "A table without a caption was read as text." in text
    assert 'aria-label="Open page 2"' in text


@pytest.mark.parametrize(
    ("box", "boxes"),
    [
        (Box(2, 0.1, 0.1, 0.5, 0.2), 1),
        (Box(2, 0.0, 0.0, 1.0, 1.0), 0),
        (Box(1, 0.1, 0.1, 0.5, 0.2), 0),
        (None, 0),
    ],
)
def test_doubts_are_boxed_on_their_page_unless_it_is_all_of_it(
    library: FakeLibrary, box: Box | None, boxes: int
) -> None:
    page = PageQuality(2, "digital", (Reason("problem", 2, "Lost.", 3.0, box),))
    assert len(thumbnail(library, "SNOW", page).view.strong) == boxes


def test_a_checked_page_leaves_the_list(client: FlaskClient, checked: dict[int, str]) -> None:
    checked |= dict.fromkeys(range(1, 9), "2025-01-31")
    text = client.get("/d/SNOW/quality").text
    assert "Open page" not in text
    assert "has been checked by a person" in text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("script", [True, False])
def test_no_page_scrolls_sideways_on_a_phone(visitor: Visitor, path: str, script: object) -> None:
    visit = visitor.visit(path, width=360, height=740, script=bool(script))
    root = visit.page.locator("html")
    assert root.evaluate("e => e.scrollWidth") <= 360
    assert visit.complaints == []


@pytest.mark.parametrize("path", PATHS[:2])
def test_no_barrier_that_axe_can_find(visitor: Visitor, path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core comes with the extra dev")
    page = visitor.visit(path).page
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text())
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
        found = page.evaluate("tags => axe.run({runOnly: tags}).then(result => result.violations)", tags)
        assert [(item["id"], [node["html"] for node in item["nodes"]]) for item in found] == []


def test_both_pages_count_as_the_list_of_documents_does(client: FlaskClient) -> None:
    loaded = client.get("/api/v1/documents").get_json()
    found = loaded["documents"] if isinstance(loaded, dict) else loaded
    info = next(one for one in found if one["id"] == "SNOW")
    page = client.get("/d/SNOW/quality").text
    shown = [int(number) for number in re.findall(r"<dd><b>(\d+)", page)[:3]]
    assert shown == [info["clauses"], info["tables"], info["figures"]]
