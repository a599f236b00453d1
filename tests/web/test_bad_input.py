"""What a page must bear: a thousand results with endless names in any script, and still fit a phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from appliance.core.document import Label, Table
from appliance.core.evidence import Answer, Evidence, Grounded, Headline
from appliance.core.settings import ServeSettings, Settings
from appliance.web.serve import make_server
from tests.web.fake_library import FakeLibrary
from tests.web.looking import wear
from tests.web.serving import serving

pytestmark = pytest.mark.browser

MANY = 1000
TITLES = (
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenständerbefestigung" * 3,
    "عرض الدرج لا يقل عن 850 مم في المباني العامة",
    "荷重は屋根の形状係数に地上積雪荷重を乗じて求めなければならない",
    "🏗️🧱 👷‍♀️ load on the roof 🧊",
    "word " * 200,
    "A\u0301\u0302\u0303" * 60,
    "\u202eturned around",
)


class Crowded(FakeLibrary):
    """Finds a thousand places for everything, and demands that as many are read."""

    def _crowd(self, evidence: Evidence) -> Evidence:
        pattern = evidence.hits
        hits = tuple(
            replace(
                pattern[at % len(pattern)],
                title=TITLES[at % len(TITLES)],
                label=Label((f"5.{at}", "x" * 90)),
                chunk=at,
            )
            for at in range(MANY)
        )
        return replace(evidence, hits=hits, shown=hits, must_read=hits[: MANY // 2])

    def search(self, question: str, limit: int = 20, *given: Any, **wanted: Any) -> Evidence:
        found = self._crowd(super().search(question, limit, *given, **wanted))
        return replace(found, hits=found.hits[:limit], shown=found.hits[:limit])

    def ask(self, question: str, *given: Any, **wanted: Any) -> Answer:
        answer = super().ask(question, *given, **wanted)
        if not isinstance(answer, Grounded):
            return answer
        long = Headline(
            "0.8", "kN/m²", "in words " * 45, ("where it snows " * 30,), answer.citations[0].n, "text"
        )
        return replace(answer, evidence=self._crowd(answer.evidence), state="found", headline=long)

    def table(self, document: str, key: str) -> Table:
        table = super().table(document, key)
        cell = table.cells[-1]
        rows = (
            replace(
                cell, row=row, column=column, text=TITLES[row % 3] if column else f"row {row}", header=False
            )
            for row in range(1, 301)
            for column in range(2)
        )
        heads = (replace(cell, row=0, column=at, text=f"head {at}", header=True) for at in range(2))
        return replace(table, cells=(*heads, *rows))


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = make_server(Crowded(tmp_path_factory.mktemp("crowd")), Settings(serve=ServeSettings(port=0)))
    with serving(server) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize("path", ["search?q=snow&limit=100", "ask?q=snow+load"])
def test_a_thousand_results_fit_a_phone(browser: Browser, crowded: str, path: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, base_url=crowded)
    context.set_default_timeout(20_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    wear(context, crowded, "sunlight")
    response = page.goto(path)
    assert response
    assert response.status == 200
    expect(page.locator("html")).to_have_attribute("data-theme", "sunlight")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator(".finding").count() >= 100
    assert page.locator(".finding:visible").count() <= 100
    page.evaluate(
        "document.querySelectorAll('main details:has(.finding)').forEach((fold) => { fold.open = true; })"
    )
    page.locator(".finding .show >> visible=true").nth(2).click()
    page.keyboard.press("j")
    assert not complaints
    context.close()


def test_a_headline_of_90_words_leaves_room_for_its_crop(browser: Browser, crowded: str) -> None:
    page = browser.new_page(base_url=crowded, viewport={"width": 360, "height": 800})
    wear(page.context, crowded, "sunlight")
    page.goto("ask?q=snow+load")
    expect(page.locator("html")).to_have_attribute("data-theme", "sunlight")
    crop = page.locator(".claim .proof").first.bounding_box()
    assert crop
    assert crop["y"] + crop["height"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.close()


def test_a_table_of_300_rows_is_filtered_on_a_phone(browser: Browser, crowded: str) -> None:
    page = browser.new_page(base_url=crowded, viewport={"width": 360, "height": 800})
    page.goto("d/SNOW/t/Table 5.3")
    page.locator("[data-table-filter]").fill("row 29")
    expect(page.locator("tbody tr:visible")).to_have_count(13)
    expect(page.locator("[data-table-copy]")).to_have_text("Copy these 13 rows")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.close()


def test_what_is_cut_from_a_list_is_told(browser: Browser, crowded: str) -> None:
    page = browser.new_page(base_url=crowded)
    page.goto("search?q=snow&limit=100")
    assert page.get_by_text("The 100 best of 1000 places").count() == 1
    page.get_by_role("link", name="Go through all 1000 places").click()
    page.get_by_role("heading", name="Places 1 to 50 of 1000").wait_for()
    page.goto("search?q=snow")
    assert page.get_by_role("link", name="Show more places").is_visible()
    page.close()
