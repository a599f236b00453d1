"""Keeping and comparing in a real Chromium: with script and without, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Visitor
from tests.web.looking import barriers

pytestmark = pytest.mark.browser

ASK = "ask?q=snow+load+on+a+roof"
MARKUP = "<img src=x onerror=alert(1)>"


def test_an_answer_is_saved_noted_and_removed_without_script_on_a_phone(visitor: Visitor) -> None:
    page = visitor.visit(f"{ASK}+360", script=False, width=360, height=800).page
    page.locator("details.more > summary").click()
    page.get_by_role("button", name="Save on this box").click()
    expect(page.locator("h1")).to_contain_text("snow load on a roof")
    expect(page.locator(".state-line")).to_contain_text("Every quotation still stands")
    page.locator("#note").fill("Ask the <b>fire officer</b>.")
    with page.expect_navigation():
        page.get_by_role("button", name="Keep the note").click()
    expect(page.locator("#note")).to_have_value("Ask the <b>fire officer</b>.")
    page.get_by_text("Quotations, tables and why").click()
    page.locator("a.cite").first.click()
    assert "#c" in page.url
    page.locator(".remove summary").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.locator("h1")).to_have_text("Saved answers")


def test_the_print_view_has_no_barrier_and_keeps_to_the_paper(visitor: Visitor) -> None:
    visit = visitor.visit("print?q=snow+load+on+a+roof", width=800)
    assert barriers(visit.page) == []
    expect(visit.page.locator(".crop .strong").first).to_be_visible()
    visit.page.emulate_media(media="print")
    expect(visit.page.locator(".tools")).to_be_hidden()
    assert visit.complaints == []


def test_the_history_stays_on_the_device(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.goto("ask?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")
    page.goto("history")
    expect(page.locator("[data-history-list] b")).to_have_text([MARKUP, "snow load on a roof"])
    page.locator("[data-history-list] a").last.click()
    expect(page.locator("h1")).to_have_text("snow load on a roof")
    page.wait_for_load_state()  # its script, which writes the history, has run by then
    for beside in ("&after=snow", "&after=wind", "&after=wind&d=SNOW", "&after=snow"):
        page.goto(f"ask?q=and+then{beside}")
    page.goto("history")
    lines = page.locator("[data-history-list] li")
    expect(lines.locator("b")).to_have_text(["and then"] * 3 + ["snow load on a roof", MARKUP])
    asked = [line.get_attribute("href") for line in lines.locator("a").all()[:3]]
    assert asked == [f"ask?q=and+then&after={beside}" for beside in ("snow", "wind&d=SNOW", "wind")]
    expect(lines.nth(1)).to_contain_text("Understood as: and then as meant")
    expect(lines.nth(1)).to_contain_text("Filter: SNOW")
    page.locator("[data-history-clear]").click()
    expect(page.locator("[data-history-empty]")).to_be_visible()
    assert page.evaluate("localStorage.getItem('codes.history')") is None
    other = visitor.visit("history").page
    expect(other.locator("[data-history-empty]")).to_be_visible()


def test_a_broken_history_is_an_empty_one(visitor: Visitor) -> None:
    visit = visitor.visit("history")
    for text in ("{", "7", '[{"q": 1}, null, {"q": "fine", "search": "?q=fine", "at": "never"}]'):
        visit.page.evaluate("text => localStorage.setItem('codes.history', text)", text)
        visit.page.reload()
        expect(visit.page.locator("[data-history]")).to_be_visible()
    expect(visit.page.locator("[data-history-list] b")).to_have_text(["fine"])
    assert visit.complaints == []


def test_a_table_filters_and_is_copied(visitor: Visitor) -> None:
    visit = visitor.visit("d/SNOW/t/Table 5.3", width=360, height=740)
    page = visit.page
    page.locator("[data-table-filter]").fill("zone 17")
    expect(page.locator("tbody tr:visible")).to_have_count(1)
    expect(page.locator("[data-table-count]")).to_have_text("1 line matches")
    expect(page.locator("[data-table-copy]")).to_have_text("Copy this row")
    page.locator("[data-table-filter]").fill("no such row")
    expect(page.locator("[data-table-copy]")).to_be_disabled()
    page.locator("[data-table-filter]").fill("")
    rows = page.locator("tbody tr:visible").count()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-table-copy]").click()
    expect(page.locator("[data-table-count]")).to_have_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Zone\tGround load kN/m2\r\n")
    assert text.count("\n") == rows + 1
    assert visit.complaints == []


def test_the_head_of_a_long_table_stays_in_sight(visitor: Visitor) -> None:
    page = visitor.visit("d/SNOW/t/Table 5.3", width=1440, height=700).page
    page.locator(".scroll").evaluate("box => box.scrollTop = 600")
    head, box = page.locator("thead").bounding_box(), page.locator(".scroll").bounding_box()
    assert head
    assert box
    assert abs(head["y"] - box["y"]) < 3


def test_a_figure_comes_nearer_in_its_frame(visitor: Visitor) -> None:
    page = visitor.visit("d/SNOW/f/Figure 5.1", width=360, height=740).page
    before = page.locator(".zoomed .sheet").bounding_box()
    page.get_by_role("button", name="Larger").click()
    after = page.locator(".zoomed .sheet").bounding_box()
    assert before
    assert after
    assert after["width"] > 1.9 * before["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == 360, "the frame scrolls, not the page"


@pytest.mark.parametrize("script", [True, False])
def test_a_defined_word_explains_itself_on_tap(visitor: Visitor, *, script: bool) -> None:
    page = visitor.visit("d/BASIS/c/1.5", script=script, width=360, height=740).page
    page.locator("a.term").first.click()
    shown = page.locator(".term-card" if script else ".used > div:target")
    expect(shown).to_be_visible()
    if script:
        page.keyboard.press("Escape")
        expect(shown).to_be_hidden()
