# ruff: noqa: INP001, T201 - a script beside its pictures, not a package
"""Take the screenshots of this folder from a served demo library: `make screens`.

Usage: python docs/screens/take.py http://127.0.0.1:8080/ [FOLDER] [--all]

Each screen is taken in each theme at 360, 768 and 1440 px, some in German too. The repository keeps a
selection: each screen once, the themes and widths in turn, those that matter most in all of them. With
--all every picture is written; name another folder for that. Of a long page the first two screens are shown.
"""

from __future__ import annotations

import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from urllib.parse import quote, urlsplit

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

QUESTION = "shape coefficient of a duopitch roof of 40 degrees"
ASK = f"ask?q={quote(QUESTION)}"
VALUE = f"ask?q={quote('imposed load school corridor')}"
SIZES = {360: (360, 740), 768: (768, 1024), 1440: (1440, 900)}
THEMES = ("light", "dark", "sunlight")
SCREENS = 2  # of a page that is longer
QUALITY = 68
STATEMENT = (
    "Actions are combined to DC 0, 6.4.3.2. The imposed loads of the offices are those of DC 1-1, Table 6.2. "
    "Snow follows DC 1-3, 5.2 with Table 5.2. Snow guards follow DC 1-3:2011. DC 9 is not used."
)
PATIENCE = 60_000  # milliseconds


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: which page, how wide, in which theme and language."""

    name: str
    width: int
    theme: str
    language: str = "en"

    @property
    def file(self) -> str:
        """Return the name of its file."""
        return "-".join(
            (self.name, str(self.width), self.theme, *((self.language,) * (self.language != "en")))
        )


def checked(page: Page) -> None:
    """Have a method statement checked."""
    page.locator("#text").fill(STATEMENT)
    page.locator("main form button").click()


def told(page: Page) -> None:
    """Say that an answer helped."""
    page.locator("[name=verdict][value=helpful]").click()


def kept(page: Page) -> None:
    """Save an answer."""
    page.locator(".keep form button").click()


def asked(page: Page) -> None:
    """Ask two questions on this device, then look at its history."""
    for path in (VALUE, ASK, "history"):
        page.goto(path)


PAGES: dict[str, tuple[str, Callable[[Page], None] | None]] = {
    "home": ("", None),
    "answer": (ASK, None),
    "number": (VALUE, None),
    "not-found": ("ask?q=wheel+torque+of+a+mars+rover", None),
    "partial": (f"ask?q={quote('snow load shape coefficient and wheel torque of a mars rover')}", None),
    "conflict": (f"ask?q={quote('exposure coefficient of a windswept site in Northland')}", None),
    "search": ("search?q=snow+drift", None),
    "document": ("d/DC-1-3", None),
    "clause": ("d/DC-1-3/c/5.2", None),
    "table": ("d/DC-1-1/t/Table%206.2", None),
    "figure": ("d/DC-1-3/f/Figure%205.2", None),
    "formula": ("d/DC-1-3/e/(5.1)", None),
    "page": ("d/DC-1-3/p/10?at=5.3.1", None),
    "compare": ("compare?a=DC-1-3-2011&b=DC-1-3", None),
    "changes": ("changes", None),
    "symbols": ("d/DC-1-3/symbols", None),
    "definitions": ("d/DC-1-3/definitions", None),
    "saved-answer": (ASK, kept),
    "saved": ("saved", None),
    "history": ("history", asked),
    "print": (f"print?q={quote(QUESTION)}", None),
    "box": ("box", None),
    "figures": ("figures", None),
    "health": ("health", None),
    "keeper": ("keeper", None),
    "quality": ("quality", None),
    "document-quality": ("d/DC-1-3/quality", None),
    "review": ("review", None),
    "report": ("review", checked),
    "feedback": (VALUE, told),
    "error": ("nothing", None),
}
GERMAN = frozenset(
    {"home", "number", "clause", "review", "health", "box", "saved-answer", "feedback", "error"}
)
# Each screen once, the widths and themes in turn; the screens that matter most in all of them.
MOST = ("home", "answer", "number", "clause")


def every() -> Iterator[Shot]:
    """Yield all pictures: each screen, width and theme; German in light and sunlight on a phone."""
    for name in PAGES:
        for width in SIZES:
            for theme in THEMES:
                yield Shot(name, width, theme)
        if name in GERMAN:
            yield from (Shot(name, 360, "sunlight", "de"), Shot(name, 1440, "light", "de"))


def selection() -> Iterator[Shot]:
    """Yield the pictures that the repository keeps."""
    turns = [(width, theme) for theme in THEMES for width in SIZES]
    for number, name in enumerate(PAGES):
        mine = turns if name in MOST else (turns[number % len(turns)],)
        yield from (Shot(name, width, theme) for width, theme in mine)
    yield from (Shot(name, 360, "sunlight", "de") for name in PAGES if name in GERMAN)


def wait_for(base: str, seconds: float = 60) -> None:
    """Wait until the page listens; its models take a moment to load."""
    at = urlsplit(base)
    until = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((at.hostname or "", at.port or 80), timeout=5).close()
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return


def take(browser: Browser, base: str, shot: Shot, target: Path) -> int:
    """Write one picture; return its bytes."""
    width, height = SIZES[shot.width]
    cookies = {"codes_theme": shot.theme, "codes_language": shot.language}
    with browser.new_context(viewport={"width": width, "height": height}, base_url=base) as context:
        context.set_default_timeout(PATIENCE)
        context.add_cookies([{"name": name, "value": value, "url": base} for name, value in cookies.items()])
        page = context.new_page()
        path, prepare = PAGES[shot.name]
        page.goto(path)
        if prepare:
            prepare(page)
        page.wait_for_load_state("networkidle")
        return saved(page, target, 1 if shot.name == "number" else SCREENS)  # there: what is in sight at once


def saved(page: Page, target: Path, screens: int = SCREENS) -> int:
    """Write a picture of a page, at most so many screens of it; return its bytes."""
    size = page.viewport_size or {"width": 0, "height": 0}
    long = int(page.evaluate("document.documentElement.scrollHeight")) if screens > 1 else 0
    page.set_viewport_size({**size, "height": min(max(long, size["height"]), screens * size["height"])})
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    page.set_viewport_size(size)
    picture.save(target, "WEBP", quality=QUALITY, method=6)
    return target.stat().st_size


def main(base: str, folder: Path, *, whole: bool) -> None:
    """Write the pictures into the folder, and say how large they are together."""
    wait_for(base)
    folder.mkdir(parents=True, exist_ok=True)
    size, shots = 0, tuple(every() if whole else selection())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for shot in shots:
            size += take(browser, base, shot, folder / f"{shot.file}.webp")
        browser.close()
    print(f"{len(shots)} pictures, {size / 2**20:.1f} MiB, in {folder}")


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--all"]
    main(given[0], Path(given[1]) if len(given) > 1 else Path(__file__).parent, whole="--all" in sys.argv)
