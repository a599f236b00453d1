# ruff: noqa: INP001, T201 - a script beside its pictures, not a package
"""Take the screenshots of this folder from a served demo library: `make screens`.

Usage: python docs/screens/take.py http://127.0.0.1:8080/ [FOLDER] [--all] [NAME ...]

Of each screen one sheet is kept: its nine pictures, a row for each theme, 360, 768 and 1440 px wide, at half
their size; of some a sheet in German. So every screen is there in each theme and width, and the repository
stays small. With --all the pictures are written singly and full size instead; name another folder for that.
Names take those screens alone. Of a long page its beginning is shown.
"""

from __future__ import annotations

import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from urllib.parse import quote, urlsplit

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

QUESTION = "shape coefficient of a duopitch roof of 40 degrees"
ASK = f"ask?q={quote(QUESTION)}"
VALUE = f"ask?q={quote('imposed load school corridor')}"
THREAD = f"ask?q={quote('and for an office floor?')}&after={quote('imposed load school corridor')}"
HALF = "What is the imposed load of an office floor, and what is the shear strength of a bolt?"
SIZES = {360: (360, 740), 768: (768, 1024), 1440: (1440, 900)}
THEMES = ("light", "dark", "sunlight")
TALL = 1000  # CSS pixels of a page that is longer, on a sheet
SCREENS = 2  # of a page that is longer, singly
QUALITY, SMALL = 68, 50  # of WebP: of a picture, of a sheet
SHARE = 0.5  # of its size on a sheet
GAP, LINE = 8, 16  # pixels between the pictures of a sheet, and of the words over each
STATEMENT = (
    "Actions are combined to DC 0, 6.4.3.2. The imposed loads of the offices are those of DC 1-1, Table 6.2. "
    "Snow follows DC 1-3, 5.2 with Table 5.2. Snow guards follow DC 1-3:2011. DC 9 is not used."
)
PATIENCE = 60_000  # milliseconds


def checked(page: Page) -> None:
    """Have a method statement checked."""
    page.locator("#text").fill(STATEMENT)
    page.locator("main form button").click()


def told(page: Page) -> None:
    """Say that an answer helped."""
    with page.expect_navigation():
        page.locator("[name=verdict][value=helpful]").click()


def kept(page: Page) -> None:
    """Save an answer."""
    with page.expect_navigation():
        page.locator(".keep form button").click()


def asked(page: Page) -> None:
    """Ask three questions on this device, one in a thread, then look at its history."""
    for path in (VALUE, THREAD, ASK, "history"):
        page.goto(path)


PAGES: dict[str, tuple[str, Callable[[Page], None] | None]] = {
    "home": ("", None),
    "answer": (ASK, None),
    "number": (VALUE, None),
    "not-found": ("ask?q=wheel+torque+of+a+mars+rover", None),
    "partial": (f"ask?q={quote(HALF)}", None),
    "conflict": (f"ask?q={quote('exposure coefficient of a windswept site in Northland')}", None),
    "search": ("search?q=snow+drift", None),
    "document": ("d/DC-1-3", None),
    "clause": ("d/DC-1-3/c/5.2", None),
    "table": ("d/DC-1-1/t/Table%206.2", None),
    "figure": ("d/DC-1-3/f/Figure%205.2", None),
    "formula": ("d/DC-1-3/e/(5.1)", None),
    "page": ("d/DC-1-3/p/10?at=5.3.1", None),
    "compare": ("compare?a=DC-1-3-2011&b=DC-1-3", None),
    "saved-answer": (ASK, kept),
    "saved": ("saved", None),
    "history": ("history", asked),
    "print": (f"print?q={quote(QUESTION)}", None),
    "box": ("box", None),
    "figures": ("figures", None),
    "health": ("health", None),
    "review": ("review", None),
    "report": ("review", checked),
    "feedback": (VALUE, told),
    "error": ("nothing", None),
}
GERMAN = frozenset(
    {"home", "number", "clause", "review", "health", "box", "saved-answer", "feedback", "error"}
)
LANGUAGES = ("en", "de")


def wanted(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the screens with their languages."""
    for name in names or PAGES:
        yield from ((name, language) for language in LANGUAGES if language == "en" or name in GERMAN)


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


def pictures(
    browser: Browser, base: str, name: str, language: str, most: Callable[[int], int]
) -> Iterator[tuple[int, str, Image.Image]]:
    """Yield a screen in each width and theme; opened once for each width, it changes its theme there."""
    path, prepare = PAGES[name]
    for wide, (width, height) in SIZES.items():
        with browser.new_context(
            viewport={"width": width, "height": height}, base_url=base, reduced_motion="reduce"
        ) as context:
            context.set_default_timeout(PATIENCE)
            cookies = {"codes_theme": THEMES[0], "codes_language": language}
            context.add_cookies(
                [{"name": key, "value": value, "url": base} for key, value in cookies.items()]
            )
            page = context.new_page()
            page.goto(path)
            if prepare:
                prepare(page)
            page.wait_for_load_state("networkidle")
            long = int(page.evaluate("document.documentElement.scrollHeight"))
            if name != "number":  # what counts there is what is in sight at once
                page.set_viewport_size({"width": width, "height": min(max(long, height), most(height))})
            for theme in THEMES:
                wear(page, theme)
                yield wide, theme, Image.open(BytesIO(page.screenshot())).convert("RGB")


def wear(page: Page, theme: str) -> None:
    """Let a page change its theme by its own button; paper has none."""
    button = page.locator(f"[data-look] [name=theme][value={theme}]")
    if button.count() and page.locator("html").get_attribute("data-theme") != theme:
        button.evaluate("item => item.click()")
        page.wait_for_load_state("networkidle")


def sheet(found: Iterable[tuple[int, str, Image.Image]]) -> Image.Image:
    """Return pictures on one sheet: a row for each theme, the widths side by side."""
    made = {(theme, wide): small(picture) for wide, theme, picture in found}
    rows = {
        theme: max(item.height for (other, _), item in made.items() if other == theme) for theme in THEMES
    }
    columns = {wide: round(SHARE * wide) for wide in SIZES}
    size = (
        sum(columns.values()) + GAP * (len(columns) + 1),
        sum(rows.values()) + (GAP + LINE) * len(rows) + GAP,
    )
    whole = Image.new("RGB", size, "#8a8f94")
    pen, top = ImageDraw.Draw(whole), GAP
    for theme, high in rows.items():
        left = GAP
        for wide, across in columns.items():
            pen.text((left, top), f"{wide} px, {theme}", fill="#000000")
            whole.paste(made[theme, wide], (left, top + LINE))
            left += across + GAP
        top += high + LINE + GAP
    return whole


def small(picture: Image.Image) -> Image.Image:
    """Return a picture as large as it stands on a sheet."""
    size = (round(SHARE * picture.width), round(SHARE * picture.height))
    return picture.resize(size, Image.Resampling.LANCZOS)


def named(name: str, language: str, *more: object) -> str:
    """Return the name of a picture's file."""
    parts = (name, *map(str, more), *((language,) if language != "en" else ()))
    return f"{'-'.join(parts)}.webp"


def write(browser: Browser, base: str, folder: Path, screen: tuple[str, str], *, singly: bool) -> list[Path]:
    """Write a screen as one sheet or as single pictures; return the files."""
    if not singly:
        target = folder / named(*screen)
        whole = sheet(pictures(browser, base, *screen, lambda height: max(TALL, height)))
        whole.save(target, "WEBP", quality=SMALL, method=6)
        return [target]
    made = []
    for wide, theme, picture in pictures(browser, base, *screen, lambda height: SCREENS * height):
        made.append(folder / named(*screen, wide, theme))
        picture.save(made[-1], "WEBP", quality=QUALITY, method=6)
    return made


def main(base: str, folder: Path, names: Sequence[str], *, singly: bool) -> None:
    """Write the screens into the folder, and say how large they are together."""
    wait_for(base)
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for screen in wanted(names):
            made += write(browser, base, folder, screen, singly=singly)
        browser.close()
    size = sum(path.stat().st_size for path in made)
    print(f"{len(made)} files, {size / 2**20:.1f} MiB, in {folder}")


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    screens = [argument for argument in given[1:] if argument in PAGES]
    folders = [argument for argument in given[1:] if argument not in PAGES]
    target = Path(folders[0]) if folders else Path(__file__).parent
    main(given[0], target, screens, singly="--all" in sys.argv)
