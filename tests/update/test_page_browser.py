"""The person with the stick, in a real browser: look, copy, read what changes, switch, and the way back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from waitress.wasyncore import close_all  # type: ignore[import-untyped]  # waitress publishes no types

from appliance.update import apply
from appliance.update.desk import Desk
from appliance.web.serve import listen, port_of
from appliance.web.updates import make_server
from tests.update.simulator import SETTINGS
from tests.web.looking import barriers

pytestmark = pytest.mark.browser


@pytest.fixture
def address(box: apply.Box, two: Path) -> Iterator[str]:
    desk = Desk(apply.Box(box.home, SETTINGS, box.trial), two)
    server = make_server(desk, listen("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port_of(server)}/"
    server.trigger.pull_trigger(lambda: close_all(server._map))
    thread.join(10)
    server.task_dispatcher.shutdown()


def test_from_the_stick_to_the_way_back_by_buttons(browser: Browser, address: str) -> None:
    """At every step no barrier, by day and by night, and no complaint of the browser."""
    context = browser.new_context(base_url=address, viewport={"width": 1024, "height": 800})
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto("")
    for task, then in (
        ("look", "version 2"),
        ("copy", "Version 2 is prepared"),
        ("switch", "Version 2 works and is served now."),
        ("back", "Version 1 is served again."),
    ):
        form = page.locator(f"form[action$='do/{task}']").first
        for fold in page.locator(f"details:not([open]):has(form[action$='do/{task}']) > summary").all():
            fold.click()
        for agreed in form.get_by_role("checkbox").all():
            agreed.check()
        form.get_by_role("button").click()
        expect(page.locator("main")).to_contain_text(then, timeout=60_000)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == [], task
        if task == "copy":
            expect(page.locator("ins").first).to_contain_text("1200")
    assert complaints == []
    context.close()
