# ruff: noqa: E501, INP001, T201 - a script that prints
"""Measure what a reader on a phone sees of an answer before scrolling, in headless Chromium at 360 x 800.

Usage: python scripts/measure_reach.py [LIBRARY.db ...] [QUESTIONS.jsonl ...] [--style STYLE] [--each]
           [--pictures FOLDER] [--barriers]

Without arguments: `build/demo/library.db` and `data/demo/questions.jsonl`; of the judged questions those of the
style "site", or of `--style` ("" for all), each asked of the library that holds its documents. The page is served
from this process, so that nothing else has to run. A row for each family of documents, and one for all:

  asked      questions, each opened in a fresh browser context
  seen       share of those with an answer in the documents of which a judged word or figure is visible without
             scrolling, as text or on the crop of its page; where only places are judged, the crop or the source
             line of one of them
  as text    the same, without what is seen on the crop alone
  refused    share of those without an answer to which no claim was made
  wrong      share of all with a figure in large type that holds no judged value
  words      visible words of the card above "Also says something", buttons left out, median
  taps       taps until the proof stands boxed and large on the page, median (3: never)
  paint ms   first contentful paint on a processor four times slower, median
  KiB        what is sent without images, largest
  shift      layout shift up to the end of loading, largest (CLS)
  wide       states of a page that are wider than its screen: as opened, all unfolded, and with the filter, the
             display or the page open, at 360 and at 1440 px
  axe        with --barriers: what axe-core finds in these states at 360 px in light, dark and sunlight, with its
             contrast of 4.5:1, in sunlight of 7:1
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from measure_pages import OBSERVE, PATIENCE, READ, THEMES, slow, worn
from measure_pages import barriers as axe_violations
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from appliance.core.document import Box, Document
from appliance.core.files import data_folder
from appliance.core.settings import ServeSettings, Settings
from appliance.evaluation.places import any_found, normal_label
from appliance.evaluation.questions import Question, load_questions
from appliance.library import Library
from appliance.web.serve import make_server, port_of

PHONE, LAPTOP = ViewportSize(width=360, height=800), ViewportSize(width=1440, height=900)  # CSS pixels
LARGE = 0.5  # share of the window's height from which a page is shown large
NEVER = 3  # taps

# What stands in the window before any scrolling: words of the card, its large figure, crops in page points.
SEEN = r"""() => {
  const inside = (box) => box.width > 1 && box.height > 1 && box.top >= 0 && box.bottom <= innerHeight + 1 && box.left < innerWidth;
  const card = document.querySelector(".outcome");
  const words = [], all = [];
  const also = card?.querySelector(".also")?.previousElementSibling;
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.closest("script, .viewer, form, .question, .understood, details:not([open]) > :not(summary)") || !owner.checkVisibility()) continue;
    const before = card?.contains(node) && (!also || also.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING);
    const clip = owner.closest(".claim *")?.getBoundingClientRect();
    const range = document.createRange();
    for (const word of node.data.matchAll(/\S+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      if (!box.width || (clip && box.top >= clip.bottom)) continue; // a word that is cut off is not seen
      if (inside(box)) words.push(word[0]);
      if (before) all.push(word[0]);
    }
  }
  const crops = [...document.querySelectorAll(".claim .proof")].map((link) => {
    const sheet = link.querySelector("svg"), box = sheet.getBoundingClientRect();
    const [x, y, width, height] = sheet.getAttribute("viewBox").split(" ").map(Number);
    const scale = Math.min(box.width / width, box.height / height);
    const top = box.top + (box.height - height * scale) / 2;
    const shown = Math.max(0, Math.min(height, (innerHeight - top) / scale));
    const paper = sheet.querySelector(".paper");
    const size = [Number(paper.getAttribute("width")), Number(paper.getAttribute("height"))];
    return { stop: link.dataset.stop, x0: x / size[0], x1: (x + width) / size[0], y0: y / size[1], y1: (y + shown) / size[1], seen: top < innerHeight };
  }).filter((crop) => crop.seen);
  return {
    words: words.join(" "),
    before: all.join(" "),
    large: document.querySelector(".card .figure")?.innerText ?? "",
    claim: Boolean(document.querySelector(".card.found")),
    crops,
    stops: JSON.parse(document.querySelector("[data-stops]")?.textContent ?? "{}"),
  };
}"""
OPENED = """(large) => [...document.querySelectorAll("dialog[open] .strong, dialog[open] .faint, .viewer.open .strong")].some((mark) => {
  const box = mark.getBoundingClientRect();
  const frame = mark.closest("dialog, .stage").getBoundingClientRect();
  return box.height > 0 && box.top < innerHeight && box.bottom > 0 && frame.height >= large * innerHeight;
})"""


# What may be open over or in a page: nothing, all that folds, each panel by itself.
STATES = {
    "closed": "() => {}",
    "unfolded": "() => document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })",
    "filter": "() => { document.querySelector('.filter').open = true; }",
    "display": "() => { document.querySelector('.look').open = true; }",
    "page": "() => document.querySelector('.proof')?.click()",
}
PANELS = {"filter": ".filter", "display": ".look", "page": "dialog[open]"}  # looked at by themselves
CLOSED = """() => {
  document.querySelectorAll("details").forEach((fold) => { fold.open = false; });
  document.querySelector("[data-close]")?.click();
}"""


@dataclass(frozen=True, slots=True)
class Reached:
    """What a reader saw of one answer; `seen` and `text` are None where the documents hold no answer."""

    question: Question
    family: str
    seen: bool | None
    text: bool | None
    refused: bool | None
    wrong: bool
    words: int
    taps: int
    paint: float
    kib: float
    shift: float
    wide: tuple[str, ...]
    axe: tuple[str, ...]
    large: str = ""


def main() -> None:
    """Measure what the arguments name and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="libraries (.db) and judged questions (.jsonl)")
    parser.add_argument("--style", default="site")
    parser.add_argument("--each", action="store_true", help="a line for each question")
    parser.add_argument("--pictures", type=Path, help="a folder for the first screen of each")
    parser.add_argument("--barriers", action="store_true", help="every state of every page through axe-core")
    given = parser.parse_args()
    libraries = [path for path in given.files if path.suffix == ".db"] or [Path("build/demo/library.db")]
    files = [path for path in given.files if path.suffix != ".db"]
    asked = [
        item
        for item in load_questions(files or [data_folder() / "demo" / "questions.jsonl"])
        if given.style in {"", item.style}
    ]
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for path in libraries:
            library = Library.open(path)
            for item in reached(browser, library, asked, given.pictures, barriers=given.barriers):
                found.append(item)
                if given.each:
                    print(line(item), flush=True)
            library.close()
        browser.close()
    print("\n".join(table(found)))


def reached(
    browser: Browser, library: Library, asked: Iterable[Question], pictures: Path | None, *, barriers: bool
) -> Iterator[Reached]:
    """Yield what is seen of the answer to each question whose documents are loaded."""
    server = make_server(library, replace(Settings(), serve=ServeSettings(port=0)))
    threading.Thread(target=server.run, daemon=True).start()
    known = {info.id: library.document(info.id) for info in library.overview().documents}
    for question in asked:
        if set(question.documents) - known.keys():
            continue
        context = browser.new_context(
            viewport=PHONE, base_url=f"http://127.0.0.1:{port_of(server)}/", reduced_motion="reduce"
        )
        context.add_init_script(OBSERVE)
        page = context.new_page()
        slow(page)
        page.goto("ask?" + urlencode({"q": question.question}), timeout=PATIENCE)
        page.wait_for_load_state("networkidle", timeout=PATIENCE)
        slow(page, 1)
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=pictures / f"{question.id}.png")
        yield _reached(page, question, known, barriers=barriers)
        context.close()


def _reached(page: Page, question: Question, known: dict[str, Document], *, barriers: bool) -> Reached:
    sent, saw = page.evaluate(READ), page.evaluate(SEEN)
    places = [saw["stops"].get(crop["stop"]) for crop in saw["crops"]]
    printed = " ".join(
        _printed(known[stop["document"]], stop["views"][0]["page"], crop)
        for crop, stop in zip(saw["crops"], places, strict=True)
        if stop and stop["views"]
    )
    text = seen = refused = None
    if not question.answerable:
        refused = not saw["claim"]
    elif question.values:
        text = any_found(question.values, saw["words"])
        seen = text or any_found(question.values, printed)
    else:
        wanted = {(gold.document, normal_label(gold.label)) for gold in question.gold}
        cited = {(stop["document"], normal_label(stop["label"].split()[-1])) for stop in places if stop}
        cited |= {(stop["document"], normal_label(stop["label"])) for stop in places if stop}
        pages = {(gold.document, gold.page) for gold in question.gold}
        shown = {(s["document"], v["page"]) for s in places if s for v in s["views"][:1]}
        text, seen = bool(wanted & cited), bool(wanted & cited or pages & shown)
    family = known[question.documents[0]].family if question.documents else ""
    wrong = bool(saw["large"]) and not (question.values and any_found(question.values, saw["large"]))
    if wrong and question.values:  # a number judged with its unit ("1 500 mm"), printed large without
        wrong = not any(any_found((saw["large"].split("\n")[0].strip(),), value) for value in question.values)
    taps = _taps(page)
    page.keyboard.press("Escape")
    wide, axe = _states(page, barriers=barriers)
    return Reached(
        question=question,
        family=family or "other",
        seen=seen,
        text=text,
        refused=refused,
        wrong=wrong,
        words=len(re.findall(r"\w+", saw["before"])),
        taps=taps,
        paint=sent["paint_ms"],
        kib=sent["page_kib"],
        shift=sent["shift"],
        wide=wide,
        axe=axe,
        large=saw["large"],
    )


def _states(page: Page, *, barriers: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the states of a page that are wider than their screen, and what axe-core finds in each theme."""
    wide, broken = [], []
    for name, opening in STATES.items():
        page.set_viewport_size(PHONE)
        page.evaluate(CLOSED)
        page.evaluate(opening)
        for theme in THEMES if barriers else ():
            worn(page, theme)
            rules = axe_violations(
                page, strict=theme == "sunlight", colours=theme != "light", within=PANELS.get(name, "html")
            )
            broken += [f"{name} {theme} {rule} {nodes[0]}" for rule, nodes in rules]
        for size in (PHONE, LAPTOP):
            page.set_viewport_size(size)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append(f"{name} {size['width']}")
    return tuple(wide), tuple(broken)


def _taps(page: Page) -> int:
    """Return the taps until the first proof stands boxed and large, `NEVER` where it does not."""
    if not page.locator(".proof").count():
        return NEVER
    page.locator(".proof").first.click()
    for tap in (1, 2):
        page.wait_for_timeout(150)
        if page.evaluate(OPENED, LARGE):
            return tap
        if tap == 1 and page.locator("[data-zoom]").is_visible():
            page.locator("[data-zoom]").click()
    return NEVER


def _printed(document: Document, number: int, crop: dict[str, Any]) -> str:
    """Return the words that a crop (fractions of the page) shows of a page, as far as they were read."""

    def inside(box: Box) -> bool:
        across, down = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        return box.page == number and crop["x0"] <= across <= crop["x1"] and crop["y0"] <= down <= crop["y1"]

    passages = [*(item.passage for item in document.clauses), *(item.passage for item in document.terms)]
    lines = [p.text[s.start : s.end] for p in passages for s in p.lines if inside(s.box)]
    cells = [cell.text for item in document.tables for cell in item.cells if inside(cell.box)]
    notes = [note.text for item in document.tables for note in item.notes if inside(note.box)]
    return " ".join((*lines, *cells, *notes))


def line(item: Reached) -> str:
    """Return what was seen of one answer."""
    marks = {True: "seen", False: "MISS", None: "refused" if item.refused else "CLAIM"}
    large = f"  large {item.large!r}{' WRONG' if item.wrong else ''}" if item.large else ""
    return (
        f"{item.question.id:12} {marks[item.seen]:8}{'text' if item.text else 'crop' if item.seen else '':5} "
        f"words {item.words:3}  taps {item.taps}  {item.paint:4.0f} ms  {item.kib:3.0f} KiB  shift {item.shift:.3f}"
        f"{large}  {item.question.question[:70]}"
        + "".join(f"\n    wide: {name}" for name in item.wide)
        + "".join(f"\n    axe: {name}" for name in item.axe)
    )


def table(found: list[Reached]) -> Iterator[str]:
    """Yield the table: a row for each family, one for all."""
    names = [
        "asked",
        "seen",
        "as text",
        "refused",
        "wrong",
        "words",
        "taps",
        "paint ms",
        "KiB",
        "shift",
        "wide",
        "axe",
    ]
    yield f"{'family':24}" + "".join(f"{name:>9}" for name in names)
    families: dict[str, list[Reached]] = defaultdict(list)
    for item in found:
        families[item.family].append(item)
    for name, items in (*sorted(families.items()), ("all", found)):
        if not items:
            continue
        values = (
            str(len(items)),
            _share(item.seen for item in items),
            _share(item.text for item in items),
            _share(item.refused for item in items),
            _share(item.wrong for item in items),
            str(round(statistics.median(item.words for item in items))),
            str(round(statistics.median(item.taps for item in items))),
            str(round(statistics.median(item.paint for item in items))),
            str(round(max(item.kib for item in items))),
            f"{max(item.shift for item in items):.3f}",
            str(sum(len(item.wide) for item in items)),
            str(sum(len(item.axe) for item in items)),
        )
        yield f"{name[:23]:24}" + "".join(f"{value:>9}" for value in values)


def _share(values: Iterable[bool | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.2f}" if known else "-"


if __name__ == "__main__":
    main()
