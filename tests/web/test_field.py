"""The page in the field: gloves, sunlight, a lost connection, a library that changes under an open page."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, Route, expect

from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.looking import pinch, swipe

pytestmark = pytest.mark.browser

ASK = "ask?q=snow+load+on+a+roof"
IMPATIENT = """{
  const own = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => own.call(AbortSignal, ms / 4);
}"""
PAPER = "getComputedStyle(document.body).backgroundColor"
BEGIN = """async (address) => {
  const panel = document.createElement("section");
  panel.id = "pen";
  panel.dataset.starts = "yes";
  panel.dataset.begin = "api/v1/jobs?q=snow";
  panel.dataset.done = address;
  document.querySelector(".outcome").prepend(panel);
  const main = document.querySelector("script[type=module]").src;
  const { setupAnswering } = await import(main.replace("main.js", "answering.js"));
  setupAnswering(panel);
}"""


def where(page: Page) -> str:
    return page.locator("[data-label]").inner_text()


def test_a_theme_is_chosen_in_place_and_stays(visitor: Visitor) -> None:
    visit = visitor.visit(ASK)
    page, asked = visit.page, len(visit.requests)
    page.locator(".look > summary").click()
    with page.expect_response("**/choose"):
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate(PAPER) == "rgb(18, 22, 26)"
    assert not [url for url in visit.requests[asked:] if "/ask" in url]
    page.reload()
    assert page.evaluate(PAPER) == "rgb(18, 22, 26)"
    expect(page.locator(".look [aria-pressed=true]").first).to_have_text("Dark")
    assert visit.complaints == []


def test_theme_and_language_are_chosen_without_script(visitor: Visitor) -> None:
    page = visitor.visit(ASK, script=False).page
    for name in ("Sunlight", "Deutsch"):
        page.locator(".look > summary").click()
        page.get_by_role("button", name=name).click()
        assert "/ask?q=snow" in page.url
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("html")).to_have_attribute("data-theme", "sunlight")
    expect(page.locator("#searched-heading")).to_have_text("Was durchsucht wurde")


def test_the_deciding_row_alone_is_boxed_strongly(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.locator(".card .also a", has_text="Table 5.2").click()
    assert where(page) == "SNOW Table 5.2"
    strong = page.locator(".viewer .sheet.whole .strong")
    expect(strong).to_have_count(1)
    assert page.locator(".viewer .sheet.whole .faint").count() >= 1
    inner = strong.bounding_box()
    outer = page.locator(".viewer .sheet.whole .faint").first.bounding_box()
    assert inner
    assert outer
    assert inner["height"] < outer["height"]


def test_a_swipe_goes_to_the_next_source_and_a_scroll_does_not(visitor: Visitor) -> None:
    page = visitor.visit(ASK, width=360, height=740).page
    page.locator(".card .from a").first.click()
    for across, down, shown in (
        (-20, 0, "SNOW 5.2(1)"),
        (-120, 90, "SNOW 5.2(1)"),
        (120, 0, "SNOW 5.2(1)"),  # the first has none before it
        (-120, 0, "SNOW Table 5.2"),
    ):
        swipe(page, ".viewer .stage", across, down)
        assert where(page) == shown


def test_filters_are_ticked_and_dropped(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.locator(".filter > summary").click()
    page.get_by_role("checkbox", name="roof").check()
    page.get_by_role("button", name="Ask with these").click()
    page.wait_for_url("**tag=roof**")
    expect(page.locator(".card .claim").first).to_be_visible()
    page.go_back()
    page.wait_for_url("**/ask?q=snow+load+on+a+roof")
    expect(page.get_by_role("checkbox", name="roof", include_hidden=True)).not_to_be_checked()
    page.go_forward()
    page.locator("a.chip", has_text="roof").click()
    until(lambda: page.evaluate("!location.search.includes('tag')"))
    assert "q=snow" in page.url


def test_another_library_under_an_open_page_is_told_and_the_question_kept(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.route("**/api/v1/suggest?q=", lambda route: route.fulfill(headers={"X-Library": "another"}))
    page.evaluate("dispatchEvent(new Event('focus'))")
    line = page.locator("[data-moved]")
    expect(line).to_contain_text("The library of this box was changed")
    line.get_by_role("link").click()
    page.wait_for_load_state()
    assert "q=snow+load+on+a+roof" in page.url
    expect(page.locator("#q")).to_have_value("snow load on a roof")


def test_what_is_half_typed_goes_along_into_the_new_library(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.route("**/api/v1/suggest?q=", lambda route: route.fulfill(headers={"X-Library": "another"}))
    page.locator("#q").fill("wind on a")
    page.evaluate("dispatchEvent(new Event('online'))")
    with page.expect_navigation():
        page.locator("[data-moved] a").click()
    expect(page.locator("#q")).to_have_value("wind on a")
    assert "snow" in page.url, "the answer that was open is asked again"
    page.reload()
    expect(page.locator("#q")).to_have_value("snow load on a roof")


def test_questions_of_this_device_are_offered_where_nothing_is_typed(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.goto(page.url.partition("ask?")[0])
    page.locator("#q").click()
    expect(page.get_by_role("option")).to_have_text(["snow load on a roof"])
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask?q=snow*")


def test_a_page_that_cannot_be_fetched_is_said(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.context.set_offline(offline=True)
    page.locator(".viewer [data-leaf='1']").click()
    expect(page.locator("[data-trust]")).to_have_text("The box cannot be reached: the page shown stays.")


def test_a_finger_going_sideways_over_the_page_is_never_the_way_back(visitor: Visitor) -> None:
    page = visitor.visit(ASK, width=360, height=740).page
    for part in (".viewer", ".viewer .stage"):
        assert (
            page.locator(part).evaluate("(part) => getComputedStyle(part).touchAction") == "pan-y pinch-zoom"
        )


def test_each_document_of_the_box_is_read_whole_on_a_phone(visitor: Visitor) -> None:
    page = visitor.visit("box", width=360, height=740).page
    row = page.locator(".shelf [role=row]").nth(1)
    expect(row).to_contain_text("in force")
    right = row.locator("th, td").evaluate_all("all => all.map((item) => item.getBoundingClientRect().right)")
    assert max(right) <= 360, "nothing of it is scrolled for"


def hanging(_: Route) -> None:
    """Take a request and never answer it."""


@pytest.mark.parametrize(
    ("hinder", "said"),
    [
        (lambda route: route.abort(), ["cannot be reached"]),
        (hanging, ["Waiting for the box", "does not answer"]),
    ],
    ids=["out of reach", "hanging"],
)
def test_a_question_to_a_box_out_of_reach_stays_and_it_is_said(
    visitor: Visitor, hinder: Callable[[Route], None], said: list[str]
) -> None:
    page = visitor.visit(ASK).page
    page.evaluate(IMPATIENT)
    page.route("**/api/v1/suggest?q=", hinder)
    page.locator("#q").fill("wind load on a wall")
    page.locator("#q").press("Enter")
    line = page.locator("[data-moved]")
    for words in said:
        expect(line).to_contain_text(words)
    expect(page.locator("#q")).to_have_value("wind load on a wall")
    assert "snow" in page.url
    page.unroute("**/api/v1/suggest?q=")
    page.locator("#q").press("Enter")
    page.wait_for_url("**wind**")


@pytest.mark.parametrize("button", ["Right", "Wrong", "Save"])
def test_a_button_under_an_answer_leaves_it_in_sight_where_the_box_is_out_of_reach(
    visitor: Visitor, button: str
) -> None:
    page = visitor.visit(ASK).page
    page.route("**/api/v1/suggest?q=", lambda route: route.abort())
    page.locator("form.actions").get_by_role("button", name=button).click()
    expect(page.locator("[data-moved]")).to_contain_text("cannot be reached")
    expect(page.locator("form.actions")).to_be_visible()


@pytest.mark.parametrize("path", ["review", ASK], ids=["a specification", "what is said of an answer"])
def test_what_was_written_to_a_box_out_of_reach_stays_and_it_is_said(visitor: Visitor, path: str) -> None:
    page = visitor.visit(path).page
    if path != "review":
        page.locator("details.more > summary").click()
    text = page.locator("#text" if path == "review" else "#comment")
    text.evaluate("(field) => { field.value = 'see TC 1-3:2024, 5.2'; }")
    button = page.get_by_role("button", name="Check the references" if path == "review" else "Wrong").last
    page.route("**/api/v1/suggest?q=", lambda route: route.abort())
    button.click()
    expect(page.locator("[data-moved]")).to_contain_text("Nothing is lost")
    expect(text).to_have_value("see TC 1-3:2024, 5.2")
    page.unroute("**/api/v1/suggest?q=")
    with page.expect_navigation(), page.expect_request(lambda request: request.method == "POST") as sent:
        button.click()
    assert "5.2" in (sent.value.post_data or "")
    assert path == "review" or "verdict=wrong" in (sent.value.post_data or ""), "with the button pressed"


def test_the_same_library_says_nothing(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    with page.expect_response("**/api/v1/suggest?q="):
        page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("[data-moved]")).to_be_empty()


class Box:
    """A language model behind a bad connection: what it answers to each look, in turn."""

    def __init__(self, *looks: str) -> None:
        self.looks, self.begun = list(looks), 0

    def begin(self, route: Route) -> None:
        self.begun += 1
        route.fulfill(status=202, body=json.dumps({"job": f"j{self.begun}", "address": ""}))

    def look(self, route: Route) -> None:
        now = self.looks.pop(0) if self.looks else "end"
        if now == "away":
            route.abort()
        elif now == "gone":
            route.fulfill(status=404, body="{}")
        else:
            ended = now == "end"
            route.fulfill(
                body=json.dumps(
                    {
                        "state": "done" if ended else "running",
                        "ended": ended,
                        "stage": "Writing",
                        "share": 0.5,
                        "position": 0,
                        "seconds": 2,
                        "text": "" if ended else now,
                        "told": 1,
                        "message": "",
                    }
                )
            )


@pytest.mark.parametrize(
    ("looks", "begun"),
    [
        (("The load", "away", "away", " is 0.8."), 1),
        (("The load", "away", "away", "gone", "The load is 0.8."), 2),
    ],
)
def test_an_answer_goes_on_after_a_lost_connection(
    visitor: Visitor, looks: tuple[str, ...], begun: int
) -> None:
    box, page = Box(*looks), visitor.visit(ASK).page
    page.route("**/api/v1/jobs?q=snow", box.begin)
    page.route("**/api/v1/jobs/j*", box.look)
    page.evaluate(BEGIN, "ask?q=written")
    expect(page.locator("#pen .draft")).to_have_text("The load")
    expect(page.locator("#pen [role=status]")).to_contain_text("trying again")
    page.wait_for_url("**/ask?q=written", timeout=15_000)
    assert box.begun == begun


def test_the_way_back_shows_the_answer_with_the_source_that_was_open(visitor: Visitor) -> None:
    page = visitor.visit(ASK).page
    page.keyboard.press("j")
    page.locator("[data-read]").click()
    page.wait_for_url("**/d/SNOW/t/**")
    page.go_back()
    expect(page.locator("#q")).to_have_value("snow load on a roof")
    assert where(page) == "SNOW Table 5.2"


@pytest.mark.parametrize(
    "question",
    [
        "كم حمل الثلج على السطح؟ snow",
        "מה עומס השלג על הגג? snow",
        "snow" * 90,
        "Donaudampfschiff" * 20,
        "snow \N{RIGHT-TO-LEFT OVERRIDE} daol",
    ],
)
def test_other_scripts_and_endless_words_stay_inside_the_page(visitor: Visitor, question: str) -> None:
    page = visitor.visit("ask?" + urlencode({"q": question, "d": "SNOW"}), width=360, height=740).page
    expect(page.locator("#question")).to_have_text(" ".join(question.split()))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    right = page.locator("#question").evaluate("item => getComputedStyle(item).direction") == "rtl"
    assert right == (question[0] in "كמ")


def test_two_fingers_bring_the_page_nearer_and_away_again(visitor: Visitor) -> None:
    page = visitor.visit("ask?q=snow", width=360, height=740).page
    page.locator(".card .proof").first.click()
    sheet = page.locator(".zoom-stage .sheet")
    before = sheet.bounding_box()
    pinch(page, apart=60, then=180)
    nearer = sheet.bounding_box()
    pinch(page, apart=300, then=40)
    farther = sheet.bounding_box()
    assert before
    assert nearer
    assert farther
    assert nearer["width"] > before["width"] * 1.5
    assert farther["width"] < nearer["width"] / 2
