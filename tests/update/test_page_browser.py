"""The page of updates in a real Chromium: there and back, script in texts, barriers, German, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Error, Page, expect

from appliance.site.notes import Site
from appliance.site.values import About, Shown
from appliance.update import apply, home, wayback
from appliance.update.changes.report import report_staged
from appliance.update.desk import Desk, Doing
from appliance.update.intake import stick as plugged
from appliance.update.intake.stick import find_stick
from appliance.update.status import status
from appliance.update.words import Why, at_page
from appliance.web.box import updates
from appliance.web.serve import listen
from tests.update.conftest import SOAK
from tests.update.simulator import SETTINGS
from tests.web.conftest import Visitor
from tests.web.looking import barriers, choose
from tests.web.serving import serving
from tests.web.test_injection import PAYLOADS, RUN, nothing_ran

pytestmark = pytest.mark.browser

PATIENCE = 120_000  # milliseconds: every wait is for a state, on a machine that does other work too
ROUNDS = 8 if SOAK else 1
KEPT = frozenset({"kind"})  # by which a word of ours is chosen


class Laden(Desk):
    """A desk that says what a test wants of it."""

    doing_now: Doing | None = None
    report_now: dict[str, Any] | None = None

    def look(self) -> Doing:
        return self.doing_now or super().look()

    def report(self) -> dict[str, Any] | None:
        return self.report_now or super().report()


@pytest.fixture
def desk(box: apply.Box, two: Path) -> Laden:
    """A box with a note, on which the second version is prepared."""
    site = Site(box.home.site_file, SETTINGS.site)
    site.add_feedback(About("", "how high is guarding", (Shown("DC-1-3", "5.2", 1),), ""), "helpful")
    apply.prepare(box, find_stick(two))
    return Laden(box, two)


@pytest.fixture
def page(desk: Laden, browser: Browser) -> Iterator[Page]:
    """The page of the desk on which the second version is prepared."""
    with opened(desk, browser) as found:
        settled(found)
        assert desk.report() is not None
        yield found


@contextmanager
def opened(desk: Desk, browser: Browser) -> Iterator[Page]:
    """Serve the page of a desk and open it; the browser may not complain of anything."""
    server = updates.make_server(desk, listen("127.0.0.1", 0))
    with serving(server) as port:
        visitor = Visitor(browser, port, [])
        visit = visitor.visit("")
        visit.page.set_default_timeout(PATIENCE)
        yield visit.page
        assert visit.complaints == [], "nothing for the policy to stop"
        for context in visitor.open_contexts:
            context.close()


def settled(page: Page) -> None:
    """Wait until nothing is under way: from then on the page loads itself no more."""
    expect(page.locator("main h1")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".doing")).to_have_count(0, timeout=PATIENCE)


def says(page: Page, words: str) -> None:
    """Wait until the page says something, and nothing is under way any more."""
    expect(page.locator("main")).to_contain_text(words, timeout=PATIENCE)
    settled(page)


def poisoned(value: Any, text: str, name: str = "") -> Any:
    """Return plain values with a text after each of their words."""
    if isinstance(value, dict):
        return {key: poisoned(inner, text, key) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [poisoned(inner, text, name) for inner in value]
    return value + text if isinstance(value, str) and name not in KEPT else value


def everything(desk: Desk) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the state of the box and the report, with something in each place that has a text."""
    found, report = status(desk.box.home), report_staged(desk.box.home, SETTINGS)
    found["current"]["notes"] = found["staged"]["notes"] = "a word of the builder"
    found["previous"] = found["current"]
    found["refused"] = {"code": "", "said": "what was refused", "facts": {}}
    report["closes"] = ["is snow considered"]
    report["changes"] *= 2
    assert report["touched"]
    return found, report


def test_from_the_stick_to_the_way_back_by_buttons(browser: Browser, box: apply.Box, two: Path) -> None:
    """At every step no barrier, by day and by night, and no complaint of the browser."""
    with opened(Desk(apply.Box(box.home, SETTINGS, box.trial), two), browser) as page:
        for task, then in (
            ("look", "version 2"),
            ("copy", "Version 2 is prepared"),
            ("switch", "Version 2 works and is served now."),
            ("back", "Version 1 is served again."),
        ):
            press(page, task)
            says(page, then)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert barriers(page) == [], task
            if task == "copy":
                expect(page.locator("ins").first).to_contain_text("1200")


def press(page: Page, task: str) -> None:
    """Open what is folded over a form, agree to all that it asks, press its button."""
    form = page.locator(f"form[action$='do/{task}']").first
    for fold in page.locator(f"details:not([open]):has(form[action$='do/{task}']) > summary").all():
        fold.click()
    for agreed in form.get_by_role("checkbox").all():
        agreed.check()
    form.get_by_role("button").click()


@pytest.mark.parametrize("number", range(ROUNDS))
def test_no_text_of_a_bundle_a_box_or_a_refusal_is_run(
    page: Page, desk: Laden, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    first = number * len(PAYLOADS) // ROUNDS
    text = " ".join((*PAYLOADS[first:], *PAYLOADS[:first]))
    found, report = (poisoned(value, text) for value in everything(desk))
    monkeypatch.setattr(updates, "status", lambda _home: found)
    monkeypatch.setattr(plugged, "strange", lambda: (plugged.Strange("sda1", text),))
    desk.report_now = report
    plan = apply.check(desk.box, find_stick(None if desk._stick is None else desk._stick))
    release = msgspec.convert(poisoned(msgspec.to_builtins(plan.release), text), type(plan.release))
    plan = type(plan)(
        **{name: getattr(plan, name) for name in plan.__dataclass_fields__} | {"release": release}
    )
    facts: dict[str, object] = dict.fromkeys(
        ("stick", "others", "sticks", "why", "name", "wanted", "box", "versions", "version", "before",
         "generation",
         "known", "need",
         "most", "free", "kind"), text
    )  # fmt: skip
    desk.doing_now = Doing(words=text, well=False, plan=plan)
    look(page)
    found["staged"] = None
    look(page)
    for code in Why:
        desk.doing_now = Doing(words=at_page(code), facts=facts, well=False, code=code)
        look(page)
    desk.doing_now = Doing(task="copy", stage=text, ended=False, number=1)
    look(page)
    monkeypatch.setattr(updates, "status", unreadable(text))
    look(page)


def unreadable(text: str) -> Callable[[object], dict[str, Any]]:
    def status_(_home: object) -> dict[str, Any]:
        raise OSError(text)

    return status_


def again(page: Page) -> None:
    """Load the page again, also where it does that by itself at the same time."""
    try:
        page.reload()
    except Error as error:
        if not any(words in str(error) for words in ("ERR_ABORTED", "Not attached to an active page")):
            raise
        page.wait_for_load_state()
        page.reload()


def look(page: Page) -> None:
    again(page)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    nothing_ran(page, page.url)
    assert page.locator("main [onfocus], main svg:not(.icon), main base, main meta").count() == 0
    assert RUN in page.locator("main").inner_text(), "it is shown as it stands there"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_that_axe_can_find(page: Page, desk: Laden, scheme: Any, language: str) -> None:
    page.emulate_media(color_scheme=scheme)
    choose(page, "codes_language", language)
    assert page.locator("html").get_attribute("lang") == language
    again(page)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.locator(".change").count()
    assert barriers(page) == []
    desk.doing_now = Doing(words=at_page(Why.NO_TARGET), facts={}, well=False, code=Why.NO_TARGET)
    again(page)
    assert barriers(page) == []
    desk.doing_now = Doing(
        task="copy", stage="Copying from the stick", ended=False, number=1, done=1, total=3
    )
    again(page)
    assert barriers(page) == []
    desk.doing_now = None


def test_in_german_a_person_takes_on_a_version_and_writes_the_notes(
    page: Page, desk: Laden, tmp_path: Path
) -> None:
    choose(page, "codes_language", "de")
    says(page, "Ich habe gelesen, was sich ändert")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Zu Fassung 2 wechseln").click()
    says(page, "Fassung 2 geht und wird jetzt gezeigt.")
    desk._stick = tmp_path / "stick"
    desk._stick.mkdir()
    page.get_by_role("button", name="Notizen auf den Stick schreiben").click()
    says(page, "die Notizen der Baustelle (1), unterschrieben")
    assert (desk._stick / wayback.FOLDER / wayback.SIGNATURE).is_file()
    assert home.load_state(desk.box.home).current.startswith("2-")
    for words in ("Switch", "Version", "The ", "stick", "served"):
        assert words not in page.locator("main").inner_text().replace("committed version", ""), words
