"""How the browser tests look at a page: its theme, its barriers, what is too small to tap."""

from __future__ import annotations

import importlib
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Page

Theme = Literal["light", "dark", "sunlight"]
MEASURE: Any = importlib.import_module("scripts.measure_pages")  # a script outside the package
THEMES: tuple[Theme, ...] = MEASURE.THEMES
worn = MEASURE.worn


def barriers(page: Page, *, strict: bool = False, colours: bool = False) -> list[tuple[str, list[str]]]:
    """Return what axe-core finds on the page as it is: each rule with the elements that break it."""
    pytest.importorskip("axe_playwright_python", reason="axe-core comes with the extra dev")
    found: list[tuple[str, list[str]]] = MEASURE.barriers(page, strict=strict, colours=colours)
    return found


def wear(context: BrowserContext, base: str, theme: Theme) -> None:
    """Let the pages of an address be opened in a theme from now on."""
    context.add_cookies([{"name": "codes_theme", "value": theme, "url": base}])


def spoken(page: Page) -> list[tuple[str, str]]:
    """Return what a screen reader meets, in its order: role and name, from Chromium's accessibility tree."""
    found = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    known = {node["nodeId"]: node for node in found}
    heard, left = [], [found[0]["nodeId"]]
    while left:
        node = known[left.pop()]
        left += reversed(node.get("childIds", []))
        if not node.get("ignored"):
            heard.append((node["role"]["value"], node.get("name", {}).get("value", "").strip()))
    return heard


def swipe(page: Page, selector: str, across: int, down: int = 0) -> None:
    """Move one finger over the middle of an element by CSS pixels."""
    box = page.locator(selector).first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + min(box["height"], 200) / 2
    session = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + across / 2, "y": y + down / 2}]),
        ("touchMove", [{"x": x + across, "y": y + down}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def pinch(page: Page, apart: int, then: int) -> None:
    """Put two fingers on the window so many CSS pixels apart, and move them to another distance."""
    size = page.viewport_size or {"width": 360, "height": 740}
    x, y = size["width"] / 2, size["height"] / 2
    session = page.context.new_cdp_session(page)

    def fingers(distance: float) -> list[dict[str, float]]:
        return [{"x": x, "y": y - distance / 2, "id": 0}, {"x": x, "y": y + distance / 2, "id": 1}]

    for kind, points in (
        ("touchStart", fingers(apart)),
        ("touchMove", fingers((apart + then) / 2)),
        ("touchMove", fingers(then)),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
