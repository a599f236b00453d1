"""Every page in every theme, on a phone and on a laptop: barriers, contrast, sizes, weight, complaints.

One browser and one server for all. A page is opened once in each language and looked at in both widths.
English pages with every rule, on the phone and on the laptop in turn, and in the three themes in turn; then
they put on the other themes by their own button, and what a theme can break is looked at again: sizes, what
is wider than the screen, and colours, in one theme on the phone, in the other on the laptop. The theme for
sunlight has larger type, so its sizes are looked at in both widths. German has other words in the same
places: what their length changes, sizes in both widths. With SOAK=1 every rule in each language, theme and
width.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page

from appliance.core.settings import ServeSettings, Settings, SiteSettings
from appliance.site.gaps_and_feedback import Site
from appliance.web.serve import make_server, port_of
from tests.web.looking import THEMES, Theme, barriers, worn
from tests.web.rich_library import QuickWriter, RichLibrary
from tests.web.serving import serving

pytestmark = pytest.mark.browser

MEASURE: Any = importlib.import_module("scripts.measure_pages")  # a script outside the package
ASK = "ask?q=snow+load+on+a+roof"
LIMITS = SiteSettings(free_mib=1, notes_per_minute=1000)
Sizes = tuple[tuple[int, int], ...]
BOTH: Sizes = ((360, 740), (1440, 900))
PHONE = BOTH[0]
CODE = "open-sesame"
WHOLE = bool(os.environ.get("SOAK"))
REFUSED = (
    """addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective));"""
)


def checked(page: Page) -> None:
    page.locator("#text").fill("Roofs: TC 1-3:2024, 5.2 and Table 9.9; TC 0:2010; TC 7:1999, 3.")
    with page.expect_navigation():
        page.locator("main form button").first.click()


def told(page: Page) -> None:
    with page.expect_navigation():
        page.locator(".card [name=verdict][value=wrong]").click()


def saved(page: Page) -> None:
    page.locator("details.more > summary").click()
    with page.expect_navigation():  # once the box was found to answer
        page.locator(".keep form button").click()


def unfolded(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })")


Wanted = tuple[str, str, Callable[[Page], None] | None]  # its name, its address, what is done there
PAGES: tuple[Wanted, ...] = (
    ("first page", "", None),
    ("answer", ASK, None),
    ("answer, all unfolded", f"{ASK}+conflict+partial+written&mode=always", unfolded),
    ("answer about places", f"{ASK}+where&tag=roof&reading=SNOW:5.2&after=snow", None),
    ("not found", "ask?q=mars", None),
    ("failed", "ask?q=break", None),
    ("a failure of the box", "ask?q=crash", None),
    ("no question", "ask?q=---", None),
    ("search", "search?q=snow", None),
    ("document", "d/SNOW", None),
    ("clause", "d/SNOW/c/5.2", None),
    ("clause with a doubt", "d/SNOW/c/5.1", None),
    ("table", "d/SNOW/t/Table 5.2", None),
    ("long table", "d/SNOW/t/Table 5.3", None),
    ("figure", "d/SNOW/f/Figure 5.1", None),
    ("formula", "d/SNOW/e/(5.1)", None),
    ("page", "d/SNOW/p/1?at=5.2", None),
    ("compare", "compare", None),
    ("compared", "compare?a=SNOW&b=BASIS&anyway=yes", None),
    ("a saved answer", f"{ASK}+conflict", saved),
    ("saved", "saved", None),
    ("history", "history", None),
    ("print", "print?q=snow", None),
    ("box", "box", None),
    ("figures", "figures", None),
    ("health", "health", None),
    ("review", "review", None),
    ("report", "review", checked),
    ("feedback", ASK, told),
    ("nothing there", "nothing", None),
)
LANGUAGES = ("en", "de")
LOUD = {"nothing there": 404, "access code": 401}  # a question's page begins before it is known how it ends


@contextmanager
def served(library: RichLibrary, limits: ServeSettings) -> Iterator[Any]:
    """Serve a library on a free port of this machine."""
    settings = Settings(serve=limits, site=LIMITS)
    server = make_server(library, settings, writer=cast("Any", QuickWriter(library)))
    with serving(server):
        yield server


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """Return the ports of a box and of one with an access code."""
    folder = tmp_path_factory.mktemp("rich")
    code = folder / "code"
    code.write_text(CODE, encoding="utf-8")
    library = RichLibrary(folder)
    library.site = Site(folder / "codes.db.site", LIMITS)
    with ExitStack() as stack:
        open_one = stack.enter_context(served(library, ServeSettings(port=0)))
        closed = stack.enter_context(served(library, ServeSettings(port=0, access_code_file=code)))
        yield port_of(open_one), port_of(closed)


@dataclass
class Found:
    """What is wrong with the pages, by the name of the page."""

    faults: list[str] = field(default_factory=list)

    def note(self, name: str, what: Any) -> None:
        if what:
            self.faults.append(f"{name}: {what}")


def look(
    page: Page,
    name: str,
    theme: Theme,
    found: Found,
    *,
    colours: bool = False,
    sizes: Sizes = BOTH,
    ruled: Sizes = BOTH,
) -> None:
    """Note what is wrong with an open page: its sizes in some widths, and what breaks a rule in some of them.

    It begins with the width that the page has: to change it costs as much as all that is looked at there.
    """
    now = page.viewport_size
    for width, height in sorted(sizes, key=lambda size: now is None or size[0] != now["width"]):
        page.set_viewport_size({"width": width, "height": height})
        at = f"{name} at {width} in {theme}"
        if (width, height) in ruled:
            found.note(at, barriers(page, strict=theme == "sunlight", colours=colours))
        found.note(f"{at}, too small", page.evaluate(MEASURE.SMALL, [MEASURE.ALONE, MEASURE.LEAST_TAP]))
        found.note(f"{at}, covered", page.evaluate(MEASURE.COVERED, MEASURE.LEAST_TAP))
        wide = page.evaluate("document.documentElement.scrollWidth")
        found.note(f"{at}, as wide as", wide if wide > width else 0)


def open_one(page: Page, wanted: Wanted, found: Found) -> None:
    """Open a page on a phone, do there what is to be done, and note what its opening cost."""
    name, path, prepare = wanted
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    response = page.goto(path)
    assert response
    assert response.status == LOUD.get(name, 200), name
    if prepare:
        prepare(page)
    page.wait_for_load_state()
    measured = page.evaluate(MEASURE.READ)
    if (
        measured["shift"] > 0.05 and not prepare
    ):  # the page's own shift comes again, a starved browser's does not
        page.reload()
        measured = page.evaluate(MEASURE.READ)
    found.note(f"{name}, shift", measured["shift"] if measured["shift"] > 0.05 else 0)
    found.note(f"{name}, KiB", measured["page_kib"] if measured["page_kib"] > 120 else 0)


def walk(browser: Browser, port: int, language: str, pages: tuple[Wanted, ...], found: Found) -> None:
    """Open each page once in a language, and note what is wrong with it in any theme."""
    base = f"http://127.0.0.1:{port}/"
    with closing(browser.new_context(base_url=base)) as context:
        context.set_default_timeout(15_000)
        for name, value in (("codes_theme", "sunlight"), ("codes_language", language)):
            context.add_cookies([{"name": name, "value": value, "url": base}])
        context.add_init_script(MEASURE.OBSERVE + REFUSED)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        theme: Theme = "sunlight"  # what the device wears; the next page opens in it
        for number, wanted in enumerate(pages):
            ruled: Sizes = BOTH if WHOLE else (BOTH[number % 2],) if language == "en" else ()
            complaints.clear()
            open_one(page, wanted, found)
            look(page, wanted[0], theme, found, ruled=ruled)
            changes = page.locator("[data-look]").count() and (WHOLE or language == "en")
            at = THEMES.index(theme)
            others = (*THEMES[at + 1 :], *THEMES[:at]) if changes else ()
            for other, size in zip(others, BOTH, strict=False):
                worn(page, other)
                one = (size,)
                sizes = BOTH if WHOLE or other == "sunlight" else one
                look(
                    page,
                    wanted[0],
                    other,
                    found,
                    colours=not WHOLE,
                    sizes=sizes,
                    ruled=BOTH if WHOLE else one,
                )
                theme = other
            found.note(wanted[0], [line for line in complaints if "status of" not in line])


@pytest.mark.parametrize(
    "pages", [PAGES[at : at + 10] for at in range(0, len(PAGES), 10)], ids=lambda some: some[0][0]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_without_barriers(
    browser: Browser, ports: tuple[int, int], language: str, pages: tuple[Wanted, ...]
) -> None:
    """WCAG 2.2 AA as far as axe-core can tell; contrast of 7:1 in sunlight; 48 px for a finger; 120 KiB."""
    found = Found()
    walk(browser, ports[0], language, pages, found)
    assert not found.faults, "\n".join(found.faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_that_asks_for_the_code_is_without_barriers(
    browser: Browser, ports: tuple[int, int], language: str
) -> None:
    found = Found()
    walk(browser, ports[1], language, (("access code", "", None),), found)
    assert not found.faults, "\n".join(found.faults)
