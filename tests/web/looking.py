"""How the browser tests look at a page: its theme, its language, its barriers, what is too small to tap."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

Theme = Literal["light", "dark", "sunlight"]
THEMES: tuple[Theme, ...] = ("light", "dark", "sunlight")
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
STRICT = ("color-contrast-enhanced",)  # 7:1 (WCAG 1.4.6), what the theme for sunlight must hold
COLOURS = ("color-contrast", "link-in-text-block")  # the rules that a theme can break


def choose(page: Page, cookie: str, value: str) -> None:
    """Choose a theme or a language as the form does, and open the page again with it."""
    page.context.add_cookies([{"name": cookie, "value": value, "url": page.url}])
    page.reload()


def wear(page: Page, theme: Theme) -> None:
    """Open the page again in a theme."""
    choose(page, "codes_theme", theme)
    assert page.locator("html").get_attribute("data-theme") == theme


def worn(page: Page, theme: Theme) -> None:
    """Let the page change its theme in place, by the button that does it."""
    if page.locator("html").get_attribute("data-theme") == theme:
        return
    with page.expect_response("**/choose"):
        page.locator(f"[data-look] [name=theme][value={theme}]").evaluate("button => button.click()")
    assert page.locator("html").get_attribute("data-theme") == theme
    page.evaluate(ENDED)


# Changes of colour are at their end at once; to wait for one that goes on for ever would be to wait for ever.
ENDED = """() => document.getAnimations()
  .filter((change) => Number.isFinite(change.effect.getComputedTiming().endTime))
  .forEach((change) => change.finish())"""


def barriers(page: Page, *, strict: bool = False, colours: bool = False) -> list[tuple[str, list[str]]]:
    """Return what axe-core finds on the page as it is: each rule with the elements that break it.

    `colours`: only the rules that another theme can break.
    """
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core comes with the extra dev")
    if not page.evaluate("'axe' in window"):
        page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(AXE, _only(strict=strict, colours=colours))
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in found]


# What the sheet covers until the reader scrolls is no small target: it is looked at again in sight.
AXE = """async (only) => {
  const found = (await axe.run(document, only)).violations;
  for (const rule of found.filter((rule) => rule.id === "target-size")) {
    const small = [];
    for (const node of rule.nodes) {
      document.querySelector(node.target[0]).scrollIntoView({block: "center"});
      const again = await axe.run(node.target[0], {runOnly: {type: "rule", values: ["target-size"]}});
      small.push(...again.violations.flatMap((still) => still.nodes));
    }
    rule.nodes = small;
    scrollTo(0, 0);
  }
  return found.filter((rule) => rule.nodes.length);
}"""


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


def _only(*, strict: bool, colours: bool = False) -> dict[str, Any]:
    if colours:
        return {"runOnly": {"type": "rule", "values": [*COLOURS, *(STRICT if strict else ())]}}
    wanted: dict[str, Any] = {"runOnly": {"type": "tag", "values": list(RULES)}}
    if strict:
        wanted["rules"] = {name: {"enabled": True} for name in STRICT}
    return wanted


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
