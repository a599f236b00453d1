"""Web pages, Markdown and text files to PDF: what the PDF reader reads, and whose pages are the proof.

Nothing is fetched and no script runs. A page lies at an address that does not exist; what it asks for below
that address is read from its own folder, everything else is refused.
"""

from __future__ import annotations

import html
import logging
import multiprocessing
import os
import re
import shutil
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from appliance.core.document import Clause
from appliance.core.files import content_hash

if TYPE_CHECKING:
    from playwright.sync_api import Browser

INSTALLED_AS = ("chromium", "chromium-browser", "google-chrome")
MEND = (
    "install it with: pip install -e '.[web]' and playwright install chromium (or the system's own Chromium)"
)


class NoBrowser(Exception):
    """Playwright or Chromium is not installed, or does not start; the message says what to install."""


def browser_error() -> type[Exception]:
    """Return what Playwright raises."""
    from playwright.sync_api import Error  # noqa: PLC0415 - of the extra "web"

    return Error


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Yield a running Chromium: the system's own where it has one, else that of Playwright.

    Raises:
        NoBrowser: there is none.
    """
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - of the extra "web"
    except ImportError:
        message = f"it needs the package playwright: {MEND}"
        raise NoBrowser(message) from None
    own = next(filter(None, map(shutil.which, INSTALLED_AS)), None)
    with sync_playwright() as playwright:
        if own is None and not Path(playwright.chromium.executable_path).exists():
            message = f"it needs Chromium: {MEND}"
            raise NoBrowser(message)
        try:
            # Chromium refuses its sandbox to root (as in a container); there it runs without.
            running = playwright.chromium.launch(
                executable_path=own,
                args=list(flags),
                chromium_sandbox=os.geteuid() != 0,
                handle_sigint=False,  # else an end asked for at the terminal may look like one of the browser
            )
        except Error:
            message = f"Chromium does not start here: {MEND}"
            raise NoBrowser(message) from None
        # An end that is asked for at the terminal ends the driver too, which complains of it for nobody.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        try:
            yield running
        finally:
            with suppress(Error):  # it has ended by itself
                running.close()


if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Route

WEB, MARKDOWN, TEXT = {".html", ".htm", ".xhtml"}, {".md", ".markdown"}, {".txt"}
SUFFIXES = frozenset(WEB | MARKDOWN | TEXT)
ORIGIN = "http://page.invalid/"  # RFC 6761: no such name can ever be found
NO_NETWORK = ("--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking")
FILE_MIB = 32  # of one page or picture; the text of a whole code is a tenth of it
SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->")  # what browsers write into a saved page
HEAD = 2_000  # bytes in which that stands
TOP = 18 / 297  # of the height of a page: the margin of print.css, which Chromium leaves out of destinations
LINE = 0.015  # of the height of a page: an anchor stands at the top of its line, or a little below
_CONTEXT = multiprocessing.get_context("forkserver")
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Printed:
    """A file and the PDF made of it; `reason` says why there is none."""

    path: Path
    pdf: Path
    reason: str = ""


def address_of(path: Path) -> str:
    """Return the address that a saved page came from, as its head says, else the name of its file."""
    with path.open("rb") as file:
        found = SAVED_FROM.search(file.read(HEAD))
    return found[1].decode("utf-8", "replace") if found else path.name


def pdf_of(sha256: str, folder: Path) -> Path:
    """Return where the PDF of a file with this content is kept; another way of printing has another name."""
    made_by = [path for path in sorted(_HERE.iterdir()) if path.suffix in {".py", ".css", ".js"}]
    return folder / f"{content_hash(made_by, sha256)}.pdf"


def printed(jobs: Sequence[tuple[Path, Path]], seconds: float) -> Iterator[Printed]:
    """Print each (file, PDF) in another process; one that takes more than `seconds` is given up alone."""
    waiting = list(jobs)
    while waiting:
        ours, theirs = _CONTEXT.Pipe(duplex=False)
        process = _CONTEXT.Process(target=_print_all, args=(theirs, tuple(waiting)), daemon=True)
        process.start()
        theirs.close()
        try:
            heard = True
            while waiting and heard:
                reason = f"it took the browser more than {seconds:g} seconds"
                try:
                    if heard := ours.poll(seconds):
                        reason = str(ours.recv())  # "" where it was printed
                except (EOFError, OSError):
                    heard, reason = False, "the browser was ended by the system"
                yield Printed(*waiting.pop(0), reason)
        finally:
            process.kill()  # the browser ends when nobody is left to talk to it
            process.join()
            ours.close()


def _print_all(pipe: Connection, jobs: Sequence[tuple[Path, Path]]) -> None:
    """Run in the other process: print the files with one browser; say "" or the reason after each."""
    try:
        with chromium(*NO_NETWORK) as browser:
            for path, pdf in jobs:
                context = browser.new_context(java_script_enabled=False, accept_downloads=False, offline=True)
                pipe.send(_print(context, path, pdf))
                context.close()
    except NoBrowser as error:
        for _ in jobs:
            pipe.send(str(error))


def _print(context: BrowserContext, path: Path, pdf: Path) -> str:
    try:
        content = _as_html(path)
        page = context.new_page()
        address = ORIGIN + quote(path.name)
        page.route("**/*", lambda route: _answer(route, path, address, content))
        page.goto(address, wait_until="load")
        slugs = path.suffix.lower() not in WEB
        css = (_HERE / "print.css").read_text(encoding="utf-8")
        page.evaluate((_HERE / "print.js").read_text(encoding="utf-8"), {"css": css, "slugs": slugs})
        page.emulate_media(media="print")
        beside = pdf.with_suffix(".new.pdf")
        page.pdf(path=beside, prefer_css_page_size=True, outline=True, tagged=True)
        beside.replace(pdf)
    except (OSError, ValueError) as error:
        return f"it cannot be read ({error.strerror if isinstance(error, OSError) else error})"
    except browser_error():
        return "the browser cannot print it"
    return ""


def _answer(route: Route, path: Path, address: str, content: bytes) -> None:
    """Give the page itself, or a file of its folder that it asks for; refuse everything else."""
    url = route.request.url
    if url == address:
        coded = "" if path.suffix.lower() in WEB and not _is_utf8(content) else "; charset=utf-8"
        route.fulfill(body=content, content_type=f"text/html{coded}")
        return
    wanted = (path.parent / unquote(urlsplit(url).path).lstrip("/")).resolve()
    if (
        url.startswith(ORIGIN)
        and route.request.resource_type in {"image", "stylesheet", "font"}
        and wanted.is_relative_to(path.parent)
        and wanted.is_file()
        and wanted.stat().st_size <= FILE_MIB << 20
    ):
        route.fulfill(path=wanted)
        return
    route.abort("aborted")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _as_html(path: Path) -> bytes:
    """Return a file as HTML; raises OSError, and ValueError for one that is too big."""
    if (size := path.stat().st_size) > FILE_MIB << 20:
        message = f"it has {size >> 20} MiB, the limit for a web page is {FILE_MIB}"
        raise ValueError(message)
    content, suffix = path.read_bytes(), path.suffix.lower()
    if suffix in WEB:
        return content
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if suffix in MARKDOWN:
        from markdown_it import MarkdownIt  # noqa: PLC0415 - of the extra "web"

        body = str(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))
    else:  # paragraphs: what blank lines part, each line on its own as written
        blocks = (block.strip().splitlines() for block in re.split(r"\n\s*\n|\f", text))
        paragraphs = ("<br>".join(html.escape(line.strip()) for line in lines) for lines in blocks if lines)
        body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    title = html.escape(path.stem)
    return f"<!doctype html><meta charset=utf-8><title>{title}</title><body>{body}".encode()


def anchored(
    clauses: Sequence[Clause], places: Mapping[str, tuple[int, float]]
) -> tuple[tuple[str, str], ...]:
    """Return (key, anchor) of each clause that stands at or below one; `places` are page and depth (0-1)."""
    known = sorted((page, depth + TOP, unquote(name)) for name, (page, depth) in places.items())
    starts = [(page, depth) for page, depth, _ in known]
    found = []
    for clause in clauses:
        if clause.boxes:
            at = bisect_right(starts, (clause.boxes[0].page, clause.boxes[0].y0 + LINE))
            found += [(clause.label.key, known[at - 1][2])] if at else []
    return tuple(found)
