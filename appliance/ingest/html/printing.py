"""Web pages, Markdown and text files to PDF: what the PDF reader reads, and whose pages are the proof.

Nothing is fetched and no script runs. A page lies at an address that does not exist; what it asks for below
that address is read from its own folder, everything else is refused.
"""

from __future__ import annotations

import codecs
import html
import logging
import multiprocessing
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from appliance.core.files import content_hash

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from playwright.sync_api import Browser

# The first is the same Chromium without its windows: it takes half the processor time.
INSTALLED_AS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
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
        raise NoBrowser(f"it needs the package playwright: {MEND}") from None
    own = next(filter(None, map(shutil.which, INSTALLED_AS)), None)
    with sync_playwright() as playwright:
        if own is None and not Path(playwright.chromium.executable_path).exists():
            raise NoBrowser(f"it needs Chromium: {MEND}")
        try:
            # Chromium refuses its sandbox to root (as in a container); there it runs without.
            running = playwright.chromium.launch(
                executable_path=own,
                args=list(flags),
                chromium_sandbox=os.geteuid() != 0,
                handle_sigint=False,  # else an end asked for at the terminal may look like one of the browser
            )
        except Error:
            raise NoBrowser(f"Chromium does not start here: {MEND}") from None
        # An end that is asked for at the terminal ends the driver too, which complains of it for nobody.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        try:
            yield running
        finally:
            with suppress(Error):  # it has ended by itself
                running.close()


if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

WEB, MARKDOWN, TEXT = {".html", ".htm", ".xhtml"}, {".md", ".markdown"}, {".txt"}
SUFFIXES = frozenset(WEB | MARKDOWN | TEXT)
ORIGIN = "http://page.invalid/"  # RFC 6761: no such name can ever be found
NO_NETWORK = ("--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking")
CALL = re.compile(r"\[\^([^\]\s]+)\]")  # of a footnote of Markdown
FOOTNOTE = re.compile(rf"{CALL.pattern}:")
SET_IN = 4  # columns by which the further paragraphs of a footnote are set in
FILE_MIB = 32  # of one page or picture; the text of a whole code is a tenth of it
SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->")  # what browsers write into a saved page
HEAD = 2_000  # bytes in which that stands
MARKS = {  # the byte order marks, the longest first
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
SAMPLE = 4_096  # bytes of a file that show its coding
HALF_EMPTY = 0.4  # of each second byte
DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
LATIN = "cp1252"  # what a page without a word on it is written in, as browsers take it (HTML, 13.2.3.2)
CONTROLS = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd]"
)  # and what stands for bytes that are no sign
NO_TEXT = 0.02  # of the signs of a file: so many of these are in no text
_CONTEXT = multiprocessing.get_context("spawn")  # the server process of the workers is theirs alone
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
        found = SAVED_FROM.search(file.read(HEAD).replace(b"\0", b""))  # also in UTF-16
    return found[1].decode("utf-8", "replace") if found else path.name


def script(path: Path) -> str:
    """Return the function of a script file, which may call that of seen.js."""
    seen, own = ((_HERE / name).read_text(encoding="utf-8") for name in ("seen.js", path))
    return f"(given) => {{ {seen} return ({own})(given); }}"


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
            context = browser.new_context(java_script_enabled=False, accept_downloads=False, offline=True)
            page = context.new_page()  # for all: a new one costs the processor five times as much as a file
            for path, pdf in jobs:
                reason = _print(page, path, pdf)
                if reason:
                    page.close()
                    page = context.new_page()
                pipe.send(reason)
    except NoBrowser as error:
        for _ in jobs:
            pipe.send(str(error))


def _print(page: Page, path: Path, pdf: Path) -> str:
    try:
        content = _as_html(path)
        address = ORIGIN + quote(path.name)
        page.unroute_all()
        page.route("**/*", lambda route: _answer(route, path, address, content))  # nothing of it is cached
        page.emulate_media(media="null")
        page.goto(address, wait_until="load")
        slugs = path.suffix.lower() not in WEB
        css = (_HERE / "print.css").read_text(encoding="utf-8")
        given = {"css": css, "slugs": slugs, "address": own if "://" in (own := address_of(path)) else ""}
        page.evaluate(script(_HERE / "print.js"), given)
        page.emulate_media(media="print")
        beside = pdf.with_suffix(".new.pdf")
        page.pdf(path=beside, prefer_css_page_size=True, outline=True, tagged=True)
        beside.replace(pdf)
    except ValueError as error:
        return str(error)
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except browser_error():
        return "the browser cannot print it"
    return ""


def _answer(route: Route, path: Path, address: str, content: bytes) -> None:
    """Give the page itself, or a file of its folder that it asks for; refuse everything else."""
    url = route.request.url
    if url == address:
        route.fulfill(body=content, content_type="text/html; charset=utf-8")
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


def _as_html(path: Path) -> bytes:
    """Return a file as HTML in UTF-8; raises OSError, and ValueError for one that is too big or no text."""
    if (size := path.stat().st_size) > FILE_MIB << 20:
        raise ValueError(f"it has {size >> 20} MiB, the limit for a web page is {FILE_MIB}")
    text, suffix = text_of(path.read_bytes()).replace("\r\n", "\n"), path.suffix.lower()
    if suffix in WEB:
        return text.encode()
    if suffix in MARKDOWN:
        from markdown_it import MarkdownIt  # noqa: PLC0415 - of the extra "web"

        markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        markdown.block.ruler.before("reference", "footnote", _footnote, {"alt": ["paragraph", "reference"]})
        markdown.core.ruler.after("block", "footnotes", _behind_their_calls)
        body = str(markdown.render(text))
    else:  # paragraphs: what blank lines part, each line on its own as written
        blocks = (block.strip().splitlines() for block in re.split(r"\n\s*\n|\f", text))
        paragraphs = ("<br>".join(html.escape(line.strip()) for line in lines) for lines in blocks if lines)
        body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    title = html.escape(path.stem)
    return f"<!doctype html><meta charset=utf-8><title>{title}</title><body>{body}".encode()


def _footnote(state: StateBlock, line: int, _: int, silent: bool) -> bool:
    """Keep "[^1]: text", and what goes on with it set in by four, as a note; in other blocks it is text."""
    found = FOOTNOTE.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])
    if not found or silent or state.level:
        return bool(found) and silent
    at, note = len(state.tokens), state.push("footnote_open", "aside", 1)
    state.bMarks[line], state.tShift[line], state.sCount[line] = found.end(), 0, SET_IN
    state.blkIndent = SET_IN
    state.md.block.tokenize(state, line, state.lineMax)
    state.blkIndent = 0
    state.push("footnote_close", "aside", -1)
    text = next((token for token in state.tokens[at:] if token.type == "inline"), note)
    text.content = f"[{found[1]}] {text.content}"
    state.env.setdefault("notes", {}).setdefault(found[1], []).extend(state.tokens[at:])
    del state.tokens[at:]
    return True


def _behind_their_calls(state: StateCore) -> None:
    """Put each footnote behind the block that calls it first, its mark printed as "[1]"."""
    notes = state.env.get("notes", {})
    tokens, known, called = state.tokens, frozenset(notes), list[str]()
    state.tokens = []
    for token in tokens:
        state.tokens.append(token)
        for mark in CALL.findall(token.content) if token.type == "inline" else ():
            if mark in known:
                token.content = token.content.replace(f"[^{mark}]", f"[{mark}]")
                called.append(mark)
        while called and not token.level and token.nesting <= 0:
            state.tokens += notes.pop(called.pop(0), [])
    state.tokens += chain.from_iterable(notes.values())  # which nothing calls


def text_of(content: bytes) -> str:
    """Return the text of a file, in the coding that its first bytes tell or that it declares.

    Raises:
        ValueError: it is no text, or empty.
    """
    if not content.strip():
        raise ValueError("the file is empty")
    text = content.decode(_coding(content), "replace").removeprefix("\ufeff")
    if "\0" in text[:SAMPLE] or text.startswith("%PDF-") or len(CONTROLS.findall(text)) > NO_TEXT * len(text):
        raise ValueError("it is no text: its bytes are not those of words")
    return text


def _coding(content: bytes) -> str:
    """Return the name of the coding in which a file is written."""
    for mark, coding in MARKS.items():
        if content.startswith(mark):
            return coding
    even, odd = content[:SAMPLE:2].count(0), content[1:SAMPLE:2].count(0)
    if max(even, odd) > HALF_EMPTY * len(content[:SAMPLE]) / 2:  # each second byte of what Europe writes is 0
        return "utf-16-le" if odd > even else "utf-16-be"
    with suppress(UnicodeDecodeError):
        content.decode("utf-8")
        return "utf-8"
    said = DECLARED.search(content[:SAMPLE])
    name = said[1].decode("ascii") if said else LATIN
    try:
        name = codecs.lookup(name).name
    except LookupError:
        return LATIN
    return (
        LATIN if name in {"iso8859-1", "ascii", "utf-8", "utf-16"} else name
    )  # as browsers take these words
