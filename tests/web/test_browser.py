"""The page in a real Chromium: what people see and press, with and without script, near and far."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.looking import barriers, spoken

pytestmark = pytest.mark.browser

ASK = "ask?q=snow+load+on+a+roof"
EVERY_PAGE = (
    "",
    ASK,
    "ask?q=mars",
    "search?q=snow",
    "d/SNOW",
    "d/SNOW/c/5.2",
    "d/SNOW/t/Table 5.2",
    "d/SNOW/f/Figure 5.1",
    "d/SNOW/c/5.1",
    "d/SNOW/e/(5.1)",
    "d/SNOW/p/1?at=5.2",
)
FOCUS = """() => {
  const item = document.activeElement, style = getComputedStyle(item);
  const inner = item.matches("label input") ? getComputedStyle(item.closest("label")) : style;
  const framed = [style, inner].some((one) => one.outlineStyle !== "none" || one.boxShadow !== "none");
  return { at: [...document.querySelectorAll("*")].indexOf(item), text: item.innerText ?? "", framed };
}"""


def where(page: Page) -> str:
    return page.locator("[data-label]").inner_text()


def test_a_question_from_the_first_page_leads_to_the_boxed_place(visitor: Visitor) -> None:
    page = visitor.visit("").page
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("snow load on a roof")
    page.keyboard.press("Enter")
    expect(page.locator("#outcome-heading")).to_be_visible()
    expect(page.locator(".card .claim")).to_have_count(3)
    assert where(page) == "SNOW 5.2(1)"
    page.wait_for_load_state()  # the page comes in two pieces; the script brings the place into the stage
    box = page.locator(".sheet.whole .strong").bounding_box()
    stage = page.locator(".stage").bounding_box()
    assert box
    assert stage
    assert stage["y"] < box["y"] < stage["y"] + stage["height"]


def test_keys_walk_along_the_sources_and_the_picture_follows(visitor: Visitor) -> None:
    visit = visitor.visit(ASK)
    page, before = visit.page, len([url for url in visit.requests if "/ask" in url])
    first = page.locator(".viewer .sheet.whole image").get_attribute("href")
    page.keyboard.press("j")
    assert where(page) == "SNOW Table 5.2"
    assert page.locator(".viewer .sheet.whole image").get_attribute("href") != first
    expect(page.locator("a.cite[aria-current]").first).to_have_text("2")
    page.keyboard.press("ArrowRight")
    assert where(page) == "SNOW 5.2(2)"
    page.keyboard.press("k")
    page.keyboard.press("k")
    page.keyboard.press("k")  # the first stays the first
    assert where(page) == "SNOW 5.2(1)"
    assert len([url for url in visit.requests if "/ask" in url]) == before, "no source reloads the page"


def test_letter_keys_can_be_switched_off_and_stay_off(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.locator("[data-keys-switch]").uncheck()
    page.locator("h1").click()
    page.keyboard.press("j")
    assert where(page) == "SNOW 5.2(1)"
    page.reload()
    page.keyboard.press("j")
    assert where(page) == "SNOW 5.2(1)"
    page.keyboard.press("ArrowRight")
    assert where(page) == "SNOW Table 5.2"


def test_typing_a_letter_key_in_the_search_box_is_typing(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("jk/")
    expect(page.locator("#q")).to_have_value("jk/")
    assert where(page) == "SNOW 5.2(1)"


def test_an_address_of_a_source_opens_on_that_source(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.locator("summary", has_text="Quotations, tables and why").click()
    page.locator("a.cite", has_text="3").click()
    again = visitor.visit(page.url.partition("/ask")[2].join(("ask", ""))).page
    assert where(again) == where(page) == "SNOW 5.2(2)"
    assert again.locator("a.cite", has_text="3").is_visible(), "it is unfolded"


@pytest.mark.parametrize("width", [360, 1440])
def test_without_script_sources_turn_by_links(visitor: Visitor, width: int) -> None:
    page = visitor.visit(ASK, script=False, width=width, height=740).page
    assert where(page) == "SNOW 5.2(1)"
    page.locator("summary", has_text="Quotations, tables and why").click()
    page.locator(".source a", has_text="Table 5.2").first.click()
    assert where(page) == "SNOW Table 5.2"
    page.locator("[data-turn='1']").click()
    assert where(page) == "SNOW 5.2(2)"
    page.locator("[data-zoom]").click()
    expect(page.locator(".full-page .strong")).to_have_count(2)  # the paragraph and its note


def test_without_script_everything_can_be_reached_from_the_first_page(visitor: Visitor) -> None:
    page = visitor.visit("", script=False).page
    page.locator(".documents a", has_text="TC 1-3:2024").click()
    page.locator(".tree a", has_text="Load arrangements").click()
    page.locator("a.ref", has_text="Table 5.2").click()
    expect(page.locator("h1")).to_contain_text("Shape coefficients of pitched roofs")
    expect(page.locator("td", has_text="1.6")).to_be_visible()


@pytest.mark.parametrize("path", EVERY_PAGE)
def test_a_second_host_gets_everything_from_itself_and_no_page_scrolls_sideways(
    visitor: Visitor, path: str
) -> None:
    visit = visitor.visit(path, host="127.0.0.2")
    for width in (1440, 900, 720, 360, 320):
        visit.page.set_viewport_size({"width": width, "height": 740})
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(visit.requests) > 4
    assert {url for url in visit.requests if not url.startswith(f"http://127.0.0.2:{visitor.port}/")} == set()
    assert visit.complaints == [], "neither the policy nor the script complains"


def test_on_a_phone_the_cited_place_stays_in_sight_while_the_text_scrolls(visitor: Visitor) -> None:
    page = visitor.visit(ASK, width=360, height=740).page
    expect(page.locator(".viewer")).to_be_hidden()  # it opens where a source is tapped
    page.locator(".card .from a").first.click()
    page.mouse.wheel(0, 900)
    until(lambda: page.evaluate("window.scrollY > 300"))
    box = page.locator(".viewer .sheet.crop .strong").bounding_box()
    assert box
    assert box["y"] > 370
    assert box["y"] + box["height"] < 741
    assert box["width"] > 300, "the cited part fills the width"


def test_the_source_under_the_mouse_is_shown_beside_the_answer(visitor: Visitor) -> None:
    page = visitor.visit(ASK, width=1440, height=900).page
    before = page.locator(".viewer").inner_text()
    other = page.locator(".also [data-stop]").first
    other.scroll_into_view_if_needed()
    box = other.bounding_box()
    assert box
    page.mouse.move(5, 5)
    page.mouse.move(box["x"] + 20, box["y"] + 8)
    expect(page.locator(".viewer")).not_to_have_text(before, use_inner_text=True)
    name = other.locator("small").inner_text()
    expect(page.locator(".viewer")).to_contain_text(name)


def test_labels_are_offered_while_typing_and_open_their_place(visitor: Visitor) -> None:
    page = visitor.visit("d/SNOW").page
    page.locator("#q").click()
    page.keyboard.type("Table")
    expect(page.locator("[role=option]")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    expect(page.locator("[role=option][aria-selected=true]")).to_contain_text("SNOW Table 5.2")
    assert page.locator("#q").get_attribute("aria-activedescendant") == "suggestion-0"
    page.keyboard.press("Enter")
    page.wait_for_url("**/d/SNOW/t/Table%205.2")


def test_labels_that_come_late_take_no_choice_away(visitor: Visitor) -> None:
    page, held = visitor.visit("d/SNOW").page, list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/suggest?q=Table", hold)
    page.locator("#q").click()
    page.keyboard.type("Tabl")
    expect(page.locator("[role=option]")).to_have_count(2)
    with page.expect_request("**/suggest?q=Table"):
        page.keyboard.type("e")
    page.keyboard.press("ArrowDown")
    for route in held:
        with suppress(Error):  # it is given up
            route.continue_()
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    page.wait_for_url("**/d/SNOW/t/Table%205.2")


def test_the_tree_is_filtered_by_words_and_restored(visitor: Visitor) -> None:
    page = visitor.visit("d/SNOW").page
    lines = page.locator("[data-node]:visible")
    everything = lines.count()
    page.locator("[data-tree-filter]").fill("SCOPE code")
    expect(page.locator("[data-tree-count]")).to_have_text("1 line matches")
    expect(page.locator(".tree a", has_text="Scope of this code")).to_be_visible()
    expect(page.locator(".tree a", has_text="Roof shape coefficients")).to_be_hidden()
    page.locator("[data-tree-filter]").fill("")
    assert lines.count() == everything


def test_pages_turn_beside_the_answer_and_open_large(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.locator(".viewer [data-leaf='1']").click()
    expect(page.locator("[data-page]")).to_contain_text("page 2 (printed 6)")
    expect(page.locator(".viewer .sheet.whole .strong")).to_have_count(0)
    page.locator(".viewer [data-leaf='-1']").click()
    page.locator("[data-zoom]").click()
    dialog = page.locator("dialog.zoom")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    until(lambda: page.evaluate("!history.state"))  # closed by hand, it leaves no step behind
    page.locator("[data-zoom]").click()
    page.keyboard.press("ArrowRight")
    page.go_back()
    expect(dialog).to_be_hidden()
    assert "/ask?q=snow" in page.url
    assert "s=" in page.url, "the source that was turned to in the large picture"


def test_no_barrier_in_what_unfolds(visitor: Visitor) -> None:
    page = visitor.visit(ASK, width=360, height=740).page
    for opens in (".filter > summary", ".look > summary"):
        page.locator(opens).click()
        assert barriers(page) == []
        page.keyboard.press("Escape")
        expect(page.locator(opens)).to_be_focused()


def test_tab_goes_through_a_page_in_the_order_of_reading_and_shows_where_it_is(visitor: Visitor) -> None:
    """The way past the head first, then all that can be pressed as it stands, each with a frame."""
    page = visitor.visit(ASK).page
    seen: list[dict[str, object]] = []
    for _ in range(24):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUS))
    assert str(seen[0]["text"]).startswith("Skip to the content")
    places = [int(str(item["at"])) for item in seen]
    assert places == sorted(places)
    assert len(set(places)) == len(places), "the keyboard is never held"
    assert [item for item in seen if not item["framed"]] == []
    page.locator("a", has_text="Skip to the content").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"


@pytest.mark.parametrize("width", [360, 1440])
def test_a_screen_reader_hears_the_answer_before_its_table_and_its_page(visitor: Visitor, width: int) -> None:
    heard = spoken(visitor.visit(ASK, width=width, height=740).page)
    order = [
        ("link", "Skip to the content"),
        ("banner", ""),
        ("search", ""),
        ("main", ""),
        ("heading", "snow load on a roof"),
        ("heading", "Read these places"),
        ("link", "Open SNOW 5.2(1) large"),
        ("button", "Right"),
        ("link", "Open SNOW Table 5.2 large"),
        ("DisclosureTriangle", "Quotations, tables and why"),
        ("heading", "Say more, keep, print"),
        ("heading", "What was searched"),
        # on a phone the page opens where a source is tapped
        *(
            [("complementary", "The page itself"), ("image", "SNOW 5.2(1) on page 1")]
            if width == 1440
            else []
        ),
        *([("contentinfo", "")] if width == 1440 else []),
    ]
    places = [heard.index(item) for item in order if item in heard]
    assert [item for item in order if item not in heard] == []
    assert places == sorted(places)


def test_two_tabs_ask_and_turn_sources_without_knowing_of_each_other(visitor: Visitor) -> None:
    one = visitor.visit(ASK).page
    two = one.context.new_page()
    two.goto("ask?q=snow+guard")
    one.keyboard.press("j")
    assert where(one) == "SNOW Table 5.2"
    assert where(two) == "SNOW 5.2(1)"
    one.reload()
    two.reload()
    assert where(one) == "SNOW Table 5.2"
    expect(two.locator("#q")).to_have_value("snow guard")
