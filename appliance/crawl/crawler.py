"""Breadth-first through a site with a real browser: polite, resumable, fetching again only what changed."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from string import punctuation
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit, urlunsplit
from urllib.robotparser import RobotFileParser

from appliance.core.errors import BadInput, CannotWrite, CrawlFailed
from appliance.crawl.fetching import AGENT, NAMED, PDF, Answered, Limits, Unanswered, fetch
from appliance.crawl.journal import KEPT, Change, Journal, Visit, sha256, source
from appliance.crawl.rendering import Tab, is_there
from appliance.ingest.html.printing import NoBrowser, browser_error, chromium

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

Got = TypeVar("Got")
FILE_NAME = 100  # characters of a file's name
USUAL_PORT = {"http": 80, "https": 443}
LOOP = 3  # pages in a row that say the same: their links lead on for ever
TRIES = 4  # of one address
WAIT_SECONDS = 1.0  # before the second try; twice as long before each further one
PDF_HEAD = 1024  # bytes in which a PDF says that it is one (ISO 32000-1, annex H, 3.4.1)
HOPS = 5  # redirects of robots.txt that are followed (RFC 9309)
MISSING = frozenset({404, 410})
BROUGHT = ".crawl.new"  # what is being brought
Progress = Callable[[int, int, str], object]


@dataclass(frozen=True, slots=True)
class Manners:
    """How a site is asked: seconds between two addresses, addresses at most, what one of them may take."""

    pause: float = 1.0
    pages: int = 10_000
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Crawled:
    """The end of a crawl: every visit, the addresses that are gone, and how many were left for the limit."""

    start: str
    visits: tuple[Visit, ...]
    gone: tuple[str, ...]
    left: int

    @property
    def outside(self) -> tuple[Visit, ...]:
        """Return the visits that lead out of the site: they were not followed."""
        return tuple(v for v in self.visits if v.outcome == "moved" and not is_inside(v.links[0], self.start))

    @property
    def failed(self) -> tuple[Visit, ...]:
        """Return the visits without an answer; of some a file is kept from the crawl before."""
        return tuple(v for v in self.visits if v.outcome == "failed" or (v.outcome in KEPT and v.why))


class _BrowserEnded(Exception):
    """The browser has ended by itself; what ended it is in the journal."""


def crawl(start: str, folder: Path, manners: Manners, progress: Progress = lambda *_: None) -> Crawled:
    """Bring the pages and PDFs below an address into a folder; go on where an earlier crawl was stopped.

    Raises:
        BadInput: it is no address, or the folder holds another crawl. CannotWrite: the folder cannot be used.
        CrawlFailed: there is no browser, or the first address gives nothing.
    """
    start = plain(start)
    journal = Journal(folder, start)
    while True:
        try:
            with chromium() as browser:
                context = browser.new_context(
                    user_agent=NAMED, accept_downloads=False, service_workers="block"
                )
                return _Crawl(start, journal, manners, context, Tab(context)).run(progress)
        except _BrowserEnded:
            continue
        except NoBrowser as error:
            raise CrawlFailed(start, str(error)) from None
        except OSError as error:
            raise CannotWrite(folder, error.strerror or "", "Run it again: it goes on.") from error


@dataclass(slots=True)
class _Crawl:
    start: str
    journal: Journal
    manners: Manners
    context: BrowserContext
    tab: Tab
    robots: RobotFileParser = field(default_factory=RobotFileParser)
    asked: float = 0.0  # when the site was last asked, by the monotonic clock
    pause: float = 0.0

    def run(self, progress: Progress) -> Crawled:
        self._read_robots()
        waiting, came_from = [self.start], {self.start: ""}
        alike: dict[str, int] = {"": 0}  # pages in a row, up to this one, that say the same
        same: dict[str, str] = {}
        left = 0
        for address in waiting:  # which grows: breadth first
            visit = self.journal.visits.get(address)
            if visit is None:
                if len(self.journal.visits) >= self.manners.pages:
                    left += 1
                    continue
                visit = self._visit(address)
                if visit.outcome == "page" and (first := same.get(visit.words)):  # one of them is kept
                    (self.journal.folder / visit.file).unlink(missing_ok=True)
                    visit = replace(visit, outcome="copy", file="", why=f"it says what {first} says")
                self.journal.add(visit)
                progress(len(self.journal.visits), len(waiting), address)
                if not is_there(self.context):
                    raise _BrowserEnded
            out = visit.outcome == "moved" and not is_inside(visit.links[0], self.start)
            if address == self.start and (out or visit.outcome in {"failed", "missing", "refused", "other"}):
                self.journal.forget()
                raise CrawlFailed(address, visit.why or "it is no web page")
            same.setdefault(visit.words, address)
            before = self.journal.visits.get(came_from[address])
            again = before is not None and visit.words and visit.words == before.words
            alike[address] = alike[came_from[address]] + 1 if again else 0
            for link in visit.links if alike[address] < LOOP else ():
                if link not in came_from and is_inside(link, self.start):
                    came_from[link] = address
                    waiting.append(link)
        (self.journal.folder / BROUGHT).unlink(missing_ok=True)
        gone = self.journal.end(whole=not left)
        return Crawled(self.start, tuple(self.journal.visits.values()), gone, left)

    def _read_robots(self) -> None:
        """Read what the site forbids (RFC 9309); raises CrawlFailed where it does not say."""
        address = plain(urljoin(self.start, "/robots.txt"))
        try:
            for _ in range(HOPS):
                answer = self._get(address)
                to = _leads_to(address, answer)
                if not to or urlsplit(to)[:2] != urlsplit(address)[:2]:
                    break
                address = to
        except Unanswered as error:
            raise CrawlFailed(self.start, str(error)) from None
        text = answer.body.read_text("utf-8", "replace") if answer.ok else ""
        self.robots.parse(text.splitlines())
        self.pause = max(self.manners.pause, float(self.robots.crawl_delay(AGENT) or 0))

    def _visit(self, address: str) -> Visit:
        day = time.strftime("%Y-%m-%d", time.gmtime())
        if not self.robots.can_fetch(AGENT, address):
            return Visit(address, "refused", day, why="the site's robots.txt forbids it")
        before = self.journal.before.get(address)
        try:
            if before is not None and self._is_unchanged(before):
                return replace(before, change="unchanged", why="")
            return self._fetched(address, day, before)
        except (Unanswered, browser_error()) as error:
            why = str(error) if isinstance(error, Unanswered) else "the browser has ended"
            kept = before if before is not None and before.outcome in KEPT else Visit(address, "failed", day)
            return replace(kept, why=why, change="")

    def _fetched(self, address: str, day: str, before: Visit | None) -> Visit:
        answer = self._get(address)
        if answer.status in MISSING:
            return Visit(address, "missing", day, why=f"the site answers {answer.status}")
        to = _leads_to(address, answer)
        if to:
            return Visit(address, "moved", day, links=(to,), why=f"it leads to {to}")
        if not answer.ok:
            raise Unanswered(f"the site answers {answer.status}")
        if answer.kind == PDF:
            with answer.body.open("rb") as body:
                if b"%PDF-" not in body.read(PDF_HEAD):
                    raise Unanswered("it is said to be a PDF and is none")
            sources = (source(address, answer.headers, answer.sha256),)
            visit = Visit(address, "pdf", day, sha256=answer.sha256, sources=sources)
            return self._kept(visit, answer.body, before)
        if answer.kind not in {"text/html", "application/xhtml+xml", ""}:
            return Visit(address, "other", day, why=f"it is {answer.kind}")
        rendered = _tried(lambda: self.tab.render(address, answer, self.manners.limits))
        if to := "".join(_pages((rendered.to,))):
            return Visit(address, "moved", day, links=(to,), why=f"it leads to {to}")
        head = f"<!-- saved from url=({len(address):04d}){address} -->\n<!doctype html>"
        answer.body.write_text(head + rendered.html, "utf-8")
        visit = Visit(
            address,
            "page",
            day,
            sha256=sha256(rendered.html.encode()),  # without the head, which names its own address
            words=sha256(rendered.text.encode()),
            title=rendered.title,
            links=tuple(dict.fromkeys(_pages(rendered.links))),
            sources=rendered.sources,
        )
        return self._kept(visit, answer.body, before)

    def _kept(self, visit: Visit, content: Path, before: Visit | None) -> Visit:
        """Give a page or PDF its name in the folder, unless the same is there already."""
        visits = [*self.journal.before.values(), *self.journal.visits.values()]
        taken = {other.file for other in visits if other.address != visit.address}
        suffix = ".pdf" if visit.outcome == "pdf" else ".html"
        name = before.file if before and before.file else file_name(visit.address, suffix, taken)
        same = before is not None and before.sha256 == visit.sha256 and (self.journal.folder / name).exists()
        if not same:
            content.replace(self.journal.folder / name)
        change: Change = "unchanged" if same else "changed" if before else "new"
        day = before.day if same and before else visit.day
        return replace(visit, file=name, change=change, day=day)

    def _is_unchanged(self, before: Visit) -> bool:
        """Tell whether all that a page was made of is as it was; asks only what has changed."""
        if not before.file or not before.sources or not (self.journal.folder / before.file).exists():
            return False
        for part in before.sources:
            asked = {"If-None-Match": part.etag, "If-Modified-Since": part.modified}
            answer = self._get(part.address, {name: value for name, value in asked.items() if value})
            if answer.status != 304 and not (answer.ok and answer.sha256 == part.sha256):
                return False
        return True

    def _get(self, address: str, headers: Mapping[str, str] | None = None) -> Answered:
        """Return the answer to an address; raises Unanswered."""
        at = address.partition("#")[0]

        def get() -> Answered:
            time.sleep(max(0.0, self.asked + self.pause - time.monotonic()))
            self.asked = time.monotonic()
            cookies = "; ".join(f"{one.get('name')}={one.get('value')}" for one in self.context.cookies(at))
            sent = {**(headers or {}), **({"Cookie": cookies} if cookies else {})}
            answer = fetch(at, sent, self.journal.folder / BROUGHT, self.manners.limits)
            site = urljoin(at, "/")
            for name, value in answer.cookies:
                with suppress(browser_error()):  # it may be none that a browser keeps
                    self.context.add_cookies([{"name": name, "value": value, "url": site}])
            if _leads_to(address, answer) == address:
                raise Unanswered("it leads to itself", passing=True)  # with the cookie that it has set now
            return answer

        return _tried(get)


def _tried(ask: Callable[[], Got]) -> Got:
    """Return what is asked for, asking again where that may help; raises Unanswered."""
    for tried in count(1):
        try:
            return ask()
        except Unanswered as error:
            if not error.passing or tried == TRIES:
                raise
            time.sleep(WAIT_SECONDS * 2 ** (tried - 1) if error.after is None else error.after)
    raise AssertionError


def _leads_to(address: str, answer: Answered) -> str:
    """Return where an answer redirects to, in the one form of addresses; "" where it does not."""
    to = answer.headers.get("location", "") if answer.status // 100 == 3 else ""
    kept = "" if "#" in to else address.partition("#")[2]
    return "".join(_pages((f"{urljoin(address, to)}#{kept}",))) if to else ""


def _pages(links: Iterable[str]) -> Iterator[str]:
    for link in links:
        with suppress(BadInput):  # mailto: and the like
            yield plain(link)


def plain(address: str) -> str:
    """Return the one form of an address; a fragment stays only where a script reads it as a path ("#/").

    Raises:
        BadInput: it is no address of a web page.
    """
    whole, fragment = urldefrag(address.strip())
    try:
        parts = urlsplit(whole)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    if parts.scheme not in USUAL_PORT or not host:
        message = f"{address[:200]} is no address of a web page. Write it whole, as https://site/codes/."
        raise BadInput(message)
    host = f"[{host}]" if ":" in host else host
    host = host if port in {None, USUAL_PORT[parts.scheme]} else f"{host}:{port}"
    routed = fragment if fragment.startswith(("/", "!")) else ""
    path, query = (quote(part, safe=punctuation) for part in (parts.path or "/", parts.query))
    return urlunsplit((parts.scheme, host, path, query, routed))


def is_inside(address: str, start: str) -> bool:
    """Tell whether an address lies on the site of the first one, in its folder or below."""
    here, first = urlsplit(address), urlsplit(start)
    folder = first.path[: first.path.rindex("/") + 1]
    return here[:2] == first[:2] and (here.path.startswith(folder) or f"{here.path}/" == folder)


def file_name(address: str, suffix: str, taken: Container[str]) -> str:
    """Return the name of the file for an address: its path in words; with a hash where that is taken."""
    parts = urlsplit(address)
    words = unquote("/".join(filter(None, (parts.path, parts.query, parts.fragment))))
    stem = re.sub(r"\.(?:html?|pdf|aspx?|php)$", "", words.strip("/"), flags=re.IGNORECASE)
    stem = re.sub(r"[^\w.-]+", "-", stem).strip("-.")[:FILE_NAME] or "index"
    name = f"{stem}{suffix}"
    if name in taken:
        name = f"{stem}-{hashlib.sha256(address.encode()).hexdigest()[:8]}{suffix}"
    return name
