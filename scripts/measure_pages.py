# ruff: noqa: INP001, T201 - a script that prints
"""Measure pages of a served library in headless Chromium, with the browser's own performance entries.

Usage: python scripts/measure_pages.py http://127.0.0.1:8080/ PATH... [--json] [--processor]

For each path, width and theme: first contentful paint with a processor four times slower (CDP) and when the
box had answered (both since the tap), layout shift up to the end of loading, bytes sent without images, those
of the first and of the largest image, and what is too small to tap. Every page is opened in a fresh context,
so that nothing is cached. The limits are those of `LIMITS`; what breaks one is named at the end of its line,
and the exit status is 1.

With --processor the clock counts for nothing, so that a busy machine measures as an idle one: the processor
time that the page's own thread took up to its first paint, four times (what the slower processor would take),
in light alone. The time of the box and of the network come on top; `answered_ms` names them.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

SLOWER = 4
PATIENCE = 180_000  # milliseconds: a busy machine measures badly, and should still end
SIZES = ((360, 740), (768, 1024), (1440, 900))
THEMES = ("light", "dark", "sunlight")
LIMITS = {"paint_ms": 1000, "shift": 0.05, "page_kib": 120, "first_image_kib": 200}
LEAST_TAP = 48  # CSS pixels of what stands alone; what is in running text has the height of its line

OBSERVE = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
READ = """() => {
  const kinds = ["navigation", "resource"];
  const entries = kinds.flatMap((kind) => performance.getEntriesByType(kind));
  const image = (entry) => /\\/i\\/[0-9a-f]{64}/.test(entry.name) || entry.name.endsWith(".svg");
  const size = (entry) => entry.encodedBodySize;
  const images = entries.filter(image).sort((a, b) => a.startTime - b.startTime);
  return {
    paint_ms: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1,
    answered_ms: performance.getEntriesByType("navigation")[0].responseStart,
    shift: window.shifted,
    page_kib: entries.filter((entry) => !image(entry)).reduce((sum, entry) => sum + size(entry), 0) / 1024,
    first_image_kib: images.length ? size(images[0]) / 1024 : 0,
    largest_image_kib: Math.max(0, ...images.map(size)) / 1024,
  };
}"""
ALONE = (
    "button, summary, .button, .chip, .turn, .tick, .examples a, .finding a, .along a, .filters a, select, "
    "input:not([type=hidden]):not([type=checkbox]), figcaption a, .where a, .walk a, .chain li > a, "
    ".source .meta a, .document-links a, .documents a, .kept > li > a, .tree .line a, .crumbs a, .foot p > a"
)
# A number of a source, small among words, is tapped around itself as well: no other may lie there.
COVERED = """(least) => [...document.querySelectorAll("a.cite")].filter((link) => {
  if (!link.checkVisibility()) return false;
  link.scrollIntoView({ block: "center" });
  const box = link.getBoundingClientRect();
  const reach = least / 2 - 1;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([a, b]) => [x + a * reach, y + b * reach]);
  const own = ([a, b]) => document.elementFromPoint(a, b)?.closest("a.cite") ?? link;
  return corners.some((corner) => own(corner) !== link);
}).map((link) => `a.cite ${link.textContent}`)"""
# So is a link to which nothing is said in its own block but other links and what parts them.
SMALL = """([alone, least]) => [...document.querySelectorAll(`${alone}, main a[href], .foot a[href]`)]
  .filter((item) => item.checkVisibility({ visibilityProperty: true }) && item.getClientRects().length)
  .filter((item) => {
    if (item.matches(alone)) return true;
    if (item.matches("a.cite, svg a")) return false;
    let block = item;
    while (/^(inline|contents)/.test(getComputedStyle(block).display)) block = block.parentElement;
    const words = block.cloneNode(true);
    if (block !== item) words.querySelectorAll("a, svg, .badge").forEach((link) => link.remove());
    return block === item || !/[\\p{L}\\p{N}]/u.test(words.textContent);
  })
  .map((item) => [item, item.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && Math.min(box.width, box.height) < least - 0.5)
  .map(([item, box]) => `${item.tagName}.${item.className} ${box.width | 0}x${box.height | 0}`)
"""


RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
STRICT = ("color-contrast-enhanced",)  # 7:1 (WCAG 1.4.6), what the theme for sunlight must hold
COLOURS = ("color-contrast", "link-in-text-block")  # the rules that a theme can break
FAULTS: dict[str, Any] = {
    "resultTypes": ["violations"]
}  # what keeps a rule is not written out, element by element

# What the sheet covers until the reader scrolls is no small target: it is looked at again in sight.
AXE = """async ([within, only]) => {
  const found = (await axe.run(document.querySelector(within) ?? document, only)).violations;
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
# Changes of colour are at their end at once; to wait for one that goes on for ever would be to wait for ever.
ENDED = """() => document.getAnimations()
  .filter((change) => Number.isFinite(change.effect.getComputedTiming().endTime))
  .forEach((change) => change.finish())"""

TASK = "ThreadControllerImpl::RunTask"  # what a thread of Chromium runs, outermost
TRACED = ["toplevel", "loading", "blink.user_timing"]


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one page; sizes as sent, before the browser unpacks them."""

    path: str
    width: int
    theme: str
    paint_ms: float
    answered_ms: float
    shift: float
    page_kib: float
    first_image_kib: float
    largest_image_kib: float
    small: tuple[str, ...]

    @property
    def broken(self) -> tuple[str, ...]:
        """Return the limits that the page breaks."""
        values = asdict(self)
        over = tuple(name for name, most in LIMITS.items() if values[name] > most)
        return (*over, *(("tap",) if self.small else ()))


def measure(browser: Browser, base: str, path: str, size: tuple[int, int], theme: str) -> Measured:
    """Return what is measured of one page in a fresh context."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, base_url=base)
    context.add_cookies([{"name": "codes_theme", "value": theme, "url": base}])
    context.add_init_script(OBSERVE)
    page = context.new_page()
    slow(page)
    page.goto(path, timeout=PATIENCE)
    page.wait_for_load_state("networkidle", timeout=PATIENCE)
    found = page.evaluate(READ)
    small = page.evaluate(SMALL, [ALONE, LEAST_TAP]) + page.evaluate(COVERED, LEAST_TAP)
    context.close()
    return Measured(path=path, width=size[0], theme=theme, small=tuple(sorted(set(small))), **found)


def worn(page: Page, theme: str) -> None:
    """Let the page change its theme in place, by the button that does it."""
    if page.locator("html").get_attribute("data-theme") == theme:
        return
    with page.expect_response("**/choose"):
        page.locator(f"[data-look] [name=theme][value={theme}]").evaluate("button => button.click()")
    assert page.locator("html").get_attribute("data-theme") == theme
    page.evaluate(ENDED)


def barriers(
    page: Page, *, strict: bool = False, colours: bool = False, within: str = "html"
) -> list[tuple[str, list[str]]]:
    """Return what axe-core finds on the page as it is: each rule with the elements that break it.

    `colours`: only the rules that another theme can break; `within`: the part that is looked at.
    """
    if not page.evaluate("'axe' in window"):
        found_at = find_spec("axe_playwright_python")
        assert found_at
        assert found_at.origin
        page.evaluate((Path(found_at.origin).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(AXE, [within, _only(strict=strict, colours=colours)])
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in found]


def _only(*, strict: bool, colours: bool = False) -> dict[str, Any]:
    if colours:
        return FAULTS | {"runOnly": {"type": "rule", "values": [*COLOURS, *(STRICT if strict else ())]}}
    wanted: dict[str, Any] = FAULTS | {"runOnly": {"type": "tag", "values": list(RULES)}}
    if strict:
        wanted["rules"] = {name: {"enabled": True} for name in STRICT}
    return wanted


def processor(browser: Browser, base: str, path: str, size: tuple[int, int]) -> float:
    """Return the processor time in ms of the page's thread up to its first paint, of a slower processor."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, base_url=base)
    page = context.new_page()
    browser.start_tracing(page=page, categories=TRACED)
    page.goto(path, timeout=PATIENCE)
    page.wait_for_load_state("networkidle", timeout=PATIENCE)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    context.close()
    painted = next(event for event in events if event["name"] == "firstContentfulPaint")
    own = [event for event in events if event["pid"] == painted["pid"]]
    starts = (event["ts"] for event in own if event["name"] == "navigationStart")
    begun = max(start for start in starts if start < painted["ts"])
    mine = (event for event in own if event["name"] == TASK and event["tid"] == painted["tid"])
    spent: float = sum(event.get("tdur", 0) for event in mine if begun <= event["ts"] <= painted["ts"])
    return SLOWER * spent / 1000


def by_processor(base: str, paths: list[str]) -> int:
    """Print the processor time of each path and width, the middle one of five."""
    worst = 0.0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for path, size in product(paths, SIZES):
            spent = sorted(processor(browser, base, path, size) for _ in range(5))[2]
            worst = max(worst, spent)
            print(
                f"{spent:6.0f} ms of a processor {SLOWER} times slower  {size[0]:4} {path[:60]}", flush=True
            )
        browser.close()
    return 1 if worst > LIMITS["paint_ms"] else 0


def slow(page: Page, rate: int = SLOWER) -> None:
    """Make the processor of a page slower, as a phone of some years ago is."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})


def main(base: str, paths: list[str], *, as_json: bool) -> int:
    """Measure all paths and print a line for each page as soon as it is measured."""
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for path, size, theme in product(paths, SIZES, THEMES):
            item = measure(browser, base, path, size, theme)
            found.append(item)
            print(json.dumps(asdict(item)) if as_json else line(item), flush=True)
        browser.close()
    return 1 if any(item.broken for item in found) else 0


def line(item: Measured) -> str:
    """Return what was measured, for a person."""
    return (
        f"{item.paint_ms:6.0f} ms, answered after {item.answered_ms:5.0f}  shift {item.shift:.3f}  "
        f"{item.page_kib:5.0f} KiB  "
        f"images {item.first_image_kib:4.0f} first {item.largest_image_kib:4.0f} largest  "
        f"{item.width:4} {item.theme:8} {item.path[:60]}  {' '.join((*item.broken, *item.small[:6]))}"
    )


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if "--processor" in sys.argv:
        sys.exit(by_processor(given[0], given[1:] or [""]))
    sys.exit(main(given[0], given[1:] or [""], as_json="--json" in sys.argv))
