"""Three people at work, in a real browser, on the demo library: what each does and must see on the way.

The server and the browser stand each in a network namespace of their own with a cable between them, as two
machines; where none can be made (ip netns add, as root), on this machine. The cable leaves the interfaces of
this machine alone: a Chromium that sees one come drops what it is loading (ERR_NETWORK_CHANGED). The person
with the stick walks in tests/update.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from appliance.citing.docx import example
from appliance.core.settings import ServeSettings, Settings
from appliance.library import Library
from appliance.web.serve import make_server
from tests.conftest import installed_chromium
from tests.waiting import until
from tests.web.looking import swipe
from tests.web.serving import serving

pytestmark = pytest.mark.browser

HERE, THERE = "10.231.7.1", "10.231.7.2"  # the ends of the cable
PORT = 8080
PATIENCE = 90_000  # milliseconds: a busy machine is slow, and nothing here measures
Walker = tuple[Browser, str]  # who walks, and the address of the first page
STATEMENT = (
    "Actions are combined to DC 0, 6.4.3.2. The imposed loads of the offices are those of DC 1-1, Table 6.2. "
    "Snow follows DC 1-3, 5.2 with Table 5.2. Snow guards follow DC 1-3:2011. DC 9 is not used."
)


@contextmanager
def here(demo_library: Path, browser: Browser) -> Iterator[Walker]:
    """Serve the demo library on this machine."""
    library = Library.open(demo_library)
    server = make_server(library, Settings(serve=ServeSettings(port=0)), path=demo_library)
    with serving(server) as port:
        yield browser, f"http://127.0.0.1:{port}/"
    library.close()


def cable(phone: str, box: str) -> bool:
    """Lay a cable between two new network namespaces; tell whether that is permitted."""
    commands = (
        f"ip netns add {phone}",
        f"ip netns add {box}",
        f"ip -n {phone} link add cable type veth peer name cable netns {box}",
        f"ip -n {phone} addr add {HERE}/30 dev cable",
        f"ip -n {phone} link set cable up",
        f"ip -n {box} addr add {THERE}/30 dev cable",
        f"ip -n {box} link set cable up",
    )
    return all(
        not subprocess.run(line.split(), check=False, capture_output=True).returncode for line in commands
    )


def answers(page: Page, address: str) -> bool:
    with suppress(Error):
        return page.goto(address) is not None
    return False


@contextmanager
def there(demo_library: Path, browser: Browser, phone: str, box: str, folder: Path) -> Iterator[Walker]:
    """Serve a copy of the demo library in one network namespace, walk in a browser of the other."""
    shutil.copytree(demo_library.parent, folder / "library")
    library = folder / "library" / demo_library.name
    serve = [sys.executable, "-m", "appliance.launch", "serve", "--library", str(library)]
    command = ["ip", "netns", "exec", box, *serve, "--host", THERE, "--port", str(PORT)]
    chromium = folder / "chromium"
    chromium.write_text(f'#!/bin/sh\nexec ip netns exec {phone} {installed_chromium()} "$@"\n')
    chromium.chmod(0o755)
    address = f"http://{THERE}:{PORT}/"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            with closing(browser.browser_type.launch(executable_path=chromium)) as far:
                page = far.new_page()
                until(lambda: answers(page, address))
                yield far, address
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def walker(
    demo_library: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walker]:
    """Return a browser and the first page of the demo library on a server as far away from it as can be."""
    phone, box = f"phone{os.getpid()}", f"box{os.getpid()}"
    folder = tmp_path_factory.mktemp("there")
    expect.set_options(timeout=PATIENCE)
    try:
        far = bool(shutil.which("ip")) and os.geteuid() == 0 and cable(phone, box)
        with (
            there(demo_library, browser, phone, box, folder) if far else here(demo_library, browser) as found
        ):
            yield found
    finally:
        for name in (phone, box) if shutil.which("ip") else ():
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
        expect.set_options(timeout=5_000)


@contextmanager
def opened(walker: Walker, width: int, height: int, *, touch: bool = False) -> Iterator[Page]:
    """Give a page of a device of its own; whatever it asked of another host than the box is an error."""
    browser, base = walker
    context = browser.new_context(
        base_url=base,
        viewport={"width": width, "height": height},
        has_touch=touch,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("")
    try:
        yield page
    finally:
        context.close()
    assert [url for url in asked if not url.startswith(base)] == []


def is_in_sight(page: Page, selector: str) -> bool:
    box, size = page.locator(selector).first.bounding_box(), page.viewport_size
    assert box
    assert size
    return box["y"] >= 0 and box["y"] + min(box["height"], 60) <= size["height"] and box["x"] >= 0


def test_the_foreman_reads_one_number_and_sees_its_page(walker: Walker) -> None:
    """A phone in sunlight, gloves on: one question, one number, the page it stands on with the box."""
    with opened(walker, 360, 740, touch=True) as page:
        page.locator(".look > summary").tap()
        page.get_by_role("button", name="Sunlight").tap()
        expect(page.locator("html")).to_have_attribute("data-theme", "sunlight")
        page.locator("#q").fill("imposed load floors with fixed seats")
        page.keyboard.press("Enter")
        expect(page.locator(".card .claim").first).to_contain_text("4.0")
        page.locator(".card .from a", has_text="Table 6.2").first.tap()
        expect(page.locator("[data-label]")).to_contain_text("Table 6.2")
        expect(page.locator(".viewer [data-page]")).to_contain_text("page 9")
        assert is_in_sight(page, ".viewer .sheet.crop .strong")
        swipe(page, ".viewer .stage", -140)  # the first source has none before it
        expect(page.locator("[data-count]")).to_contain_text("2 of")
        page.get_by_role("button", name="Right", exact=True).click()  # a tap may only stop a late swipe
        expect(page.locator("main")).to_contain_text("Kept on this box")


def test_the_site_engineer_checks_a_method_statement(walker: Walker) -> None:
    """A tablet: the references of a text against three codes, to the clause, to its words, both ways."""
    with opened(walker, 768, 1024) as page:
        page.get_by_role("link", name="Check a specification").click()
        for way in ("uploaded", "pasted"):
            if way == "pasted":
                page.get_by_role("link", name="Check another").click()
                page.locator("#text").fill(STATEMENT)
            else:
                page.locator("#file").set_input_files(
                    {"name": "method.docx", "mimeType": "application/zip", "buffer": example(STATEMENT)}
                )
            page.get_by_role("button", name="Check the references").click()
            withdrawn = page.locator("tr", has=page.locator("b", has_text="DC 1-3:2011"))
            expect(withdrawn).to_contain_text("withdrawn")
            for cited in ("DC 0, 6.4.3.2", "DC 1-1, Table 6.2", "DC 1-3, 5.2"):
                expect(page.locator("tr", has=page.get_by_text(cited, exact=True))).to_contain_text("found")
        page.locator("a[href='d/DC-1-3/c/5.2']").click()
        expect(page.locator("h1")).to_contain_text("5.2")
        page.locator(".viewer [data-close]").click()  # a tablet opens the page on demand
        expect(page.locator(".viewer .strong").first).to_be_visible()
        page.wait_for_load_state()  # before it, a term leads to its definition further down
        page.locator("a.term").first.click()
        expect(page.locator(".term-card")).to_be_visible()
        page.keyboard.press("Escape")
        page.locator("section", has_text="It refers to").get_by_role("link", name="Table 5.1").first.click()
        expect(page.locator("h1")).to_contain_text("Table 5.1")
        page.locator("main a[href*='/DC-1-3/c/5.2(4)']").first.click()
        expect(page.locator("h1")).to_contain_text("(4)")


def test_the_office_engineer_files_the_proof(walker: Walker) -> None:
    """A laptop: ask, take away as PDF and Markdown, save with a note, compare, print with its code."""
    with opened(walker, 1440, 900) as page:
        page.locator("#q").fill("shape coefficient of a duopitch roof of 40 degrees")
        page.keyboard.press("Enter")
        expect(page.locator(".card .claim").first).to_be_visible()
        asked = page.url
        page.locator("details.more > summary").click()
        for name, head in (("PDF", "%PDF"), ("Markdown", "# ")):
            link = page.locator(".keep").get_by_role("link", name=name)
            taken = link.evaluate("async (item) => (await (await fetch(item.href)).text()).slice(0, 4)")
            assert taken.startswith(head)
        page.get_by_role("button", name="Save on this box").click()
        page.locator("#note").fill("For the file of house 7.")
        with page.expect_navigation():
            page.get_by_role("button", name="Keep the note").click()
        expect(page.locator("#note")).to_have_value("For the file of house 7.")
        page.goto("d/DC-1-1/t/Table A.1")
        page.locator("[data-table-filter]").fill("cement mortar")
        expect(page.locator("tbody tr:visible")).to_contain_text(["Mortar", "cement", "lime-cement"])
        page.get_by_role("button", name="Copy these 2 rows").click()
        expect(page.locator("[data-table-count]")).to_have_text("Copied")
        page.goto("compare")
        page.locator(".kept a", has_text="DC 1-3:2011 → DC 1-3:2024").click()
        expect(page.locator(".pair.changed del").first).to_be_visible()
        page.goto(asked)
        page.locator("details.more > summary").click()
        page.locator(".keep").get_by_role("link", name="Print").click()
        expect(page.locator("figure.code svg")).to_be_visible()
        expect(page.locator("footer")).to_contain_text("/ask?q=shape")
        expect(page.locator(".crop .strong").first).to_be_visible()
