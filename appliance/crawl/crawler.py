"""Breadth-first through a site with a real browser: polite, resumable, fetching again only what changed."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser

from appliance import __version__
from appliance.core.errors import BadInput, CrawlFailed
from appliance.crawl.addresses import file_name, is_inside, plain
from appliance.crawl.journal import KEPT, Change, Journal, Source, Visit, save
from appliance.ingest.html.browser import NoBrowser, browser_error, chromium

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, BrowserContext, Page, Response, Route

AGENT = "appliance-crawl"
LOOP = 3  # pages in a row that say the same: their links lead on for ever
TRIES = 4  # of one address
WAIT_SECONDS = 1.0  # before the second try; twice as long before each further one
LONGEST_WAIT_SECONDS = 60.0  # that an answer 429 may ask for
PICTURE_MIB = 8
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
MISSING = frozenset({404, 410})
DATA = frozenset({"xhr", "fetch"})
Progress = Callable[[int, int, str], object]


@dataclass(frozen=True, slots=True)
class Manners:
    """How a site is asked: seconds between two addresses, seconds for one of them, addresses at most."""

    pause: float = 1.0
    seconds: float = 60.0
    pages: int = 10_000


@dataclass(frozen=True, slots=True)
class Crawled:
    """The end of a crawl: every visit, the addresses that are gone, and how many were left for the limit."""

    visits: tuple[Visit, ...]
    gone: tuple[str, ...]
    left: int

    @property
    def failed(self) -> tuple[Visit, ...]:
        """Return the visits without an answer; of some a file is kept from the crawl before."""
        return tuple(v for v in self.visits if v.outcome == "failed" or (v.outcome in KEPT and v.why))


class _Unanswered(Exception):
    """An address gave no answer that can be used: the status that it answers with, or what happened."""

    def __init__(self, what: int | str) -> None:
        super().__init__(f"the site answers {what}" if isinstance(what, int) else what)


def crawl(start: str, folder: Path, manners: Manners, progress: Progress = lambda *_: None) -> Crawled:
    """Bring the pages and PDFs below an address into a folder; go on where an earlier crawl was stopped.

    Raises:
        BadInput: it is no address, or the folder holds another crawl. CannotWrite: the folder cannot be used.
        CrawlFailed: there is no browser, or the first address gives nothing.
    """
    start = plain(start)
    journal = Journal(folder, start)
    try:
        with chromium() as browser:
            context = browser.new_context(user_agent=f"{AGENT}/{__version__}", accept_downloads=False)
            context.set_default_timeout(1000 * manners.seconds)
            return _Crawl(start, journal, manners, context).run(progress)
    except NoBrowser as error:
        raise CrawlFailed(start, str(error)) from None


@dataclass(slots=True)
class _Crawl:
    start: str
    journal: Journal
    manners: Manners
    context: BrowserContext
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
                visit = self._first_of(same, self._visit(address))
                self.journal.add(visit)
                progress(len(self.journal.visits), len(waiting), address)
            if address == self.start and visit.outcome in {"failed", "missing", "refused", "other"}:
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
        return Crawled(tuple(self.journal.visits.values()), self.journal.end(whole=not left), left)

    def _first_of(self, same: dict[str, str], visit: Visit) -> Visit:
        """Return a page that says what one before says as a copy of it: one of them is kept."""
        first = same.get(visit.words) if visit.outcome == "page" else None
        if first is None:
            return visit
        (self.journal.folder / visit.file).unlink(missing_ok=True)
        return replace(visit, outcome="copy", file="", why=f"it says what {first} says")

    def _read_robots(self) -> None:
        """Read what the site forbids (RFC 9309); raises CrawlFailed where it does not say."""
        try:
            answer = self._get(urljoin(self.start, "/robots.txt"))
        except _Unanswered as error:
            raise CrawlFailed(self.start, str(error)) from None
        self.robots.parse(answer.text().splitlines() if answer.ok else [])
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
        except _Unanswered as error:
            kept = before if before is not None and before.outcome in KEPT else Visit(address, "failed", day)
            return replace(kept, why=str(error), change="")

    def _fetched(self, address: str, day: str, before: Visit | None) -> Visit:
        answer = self._get(address.partition("#")[0])
        at = plain(answer.url) + (f"#{address.partition('#')[2]}" if "#" in address else "")
        if answer.status in MISSING:
            return Visit(address, "missing", day, why=f"the site answers {answer.status}")
        if not answer.ok:
            raise _Unanswered(answer.status)
        if at != address:
            return Visit(address, "moved", day, links=(at,), why=f"it leads to {at}")
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/pdf":
            visit = Visit(address, "pdf", day, sources=(_source(address, answer.headers, answer.body()),))
            return self._kept(visit, answer.body(), before)
        if kind not in {"text/html", "application/xhtml+xml", ""}:
            return Visit(address, "other", day, why=f"it is {kind}")
        rendered = self._rendered(address, answer)
        content = f"<!-- saved from url=({len(address):04d}){address} -->\n<!doctype html>{rendered.html}"
        links = tuple(dict.fromkeys(_pages(rendered.links)))
        words = _sha256(rendered.text.encode())
        visit = Visit(
            address, "page", day, words=words, title=rendered.title, links=links, sources=rendered.sources
        )
        return self._kept(visit, content.encode(), before, reads=rendered.html.encode())

    def _kept(self, visit: Visit, content: bytes, before: Visit | None, reads: bytes | None = None) -> Visit:
        """Write a page or PDF; `reads` is its content without what names its own address."""
        digest = hashlib.sha256(reads if reads is not None else content).hexdigest()
        visits = [*self.journal.before.values(), *self.journal.visits.values()]
        taken = {other.file for other in visits if other.address != visit.address}
        suffix = ".pdf" if visit.outcome == "pdf" else ".html"
        name = before.file if before and before.file else file_name(visit.address, suffix, taken)
        same = before is not None and before.sha256 == digest and (self.journal.folder / name).exists()
        if not same:
            save(self.journal.folder / name, content)
        change: Change = "unchanged" if same else "changed" if before else "new"
        day = before.day if same and before else visit.day
        return replace(visit, file=name, sha256=digest, change=change, day=day)

    def _is_unchanged(self, before: Visit) -> bool:
        """Tell whether all that a page was made of is as it was; asks only what has changed."""
        there = bool(before.file) and (self.journal.folder / before.file).exists()
        return there and bool(before.sources) and all(map(self._is_same, before.sources))

    def _is_same(self, source: Source) -> bool:
        asked = {"If-None-Match": source.etag, "If-Modified-Since": source.modified}
        answer = self._get(source.address, {name: value for name, value in asked.items() if value})
        return answer.status == 304 or (answer.ok and _sha256(answer.body()) == source.sha256)

    def _get(self, address: str, headers: dict[str, str] | None = None) -> APIResponse:
        """Return the answer to an address; raises _Unanswered."""
        why: int | str = ""
        for wait in _waits():
            self._be_polite()
            told = ""
            try:
                answer = self.context.request.get(address, headers=headers or {})
            except browser_error():
                why = "the site does not answer"
            else:
                if answer.status not in AGAIN:
                    return answer
                why, told = answer.status, answer.headers.get("retry-after", "")
            time.sleep(min(float(told), LONGEST_WAIT_SECONDS) if told.isdigit() else wait)
        raise _Unanswered(why)

    def _be_polite(self) -> None:
        time.sleep(max(0.0, self.asked + self.pause - time.monotonic()))
        self.asked = time.monotonic()

    def _rendered(self, address: str, answer: APIResponse) -> _Rendered:
        """Return a page as its scripts have made it; raises _Unanswered where what they ask for fails."""
        why = ""
        for wait in _waits():
            page = self.context.new_page()
            try:
                return _rendered(page, address, answer)
            except _Unanswered as error:
                why = str(error)
            except browser_error():
                why = "the browser could not show it"
            finally:
                page.close()
            time.sleep(wait)
        raise _Unanswered(why)


@dataclass(frozen=True, slots=True)
class _Rendered:
    html: str
    text: str
    title: str
    links: tuple[str, ...]
    sources: tuple[Source, ...]


def _rendered(page: Page, address: str, answer: APIResponse) -> _Rendered:
    heard: list[Response] = []

    def hear(answered: Response) -> None:
        heard.append(answered)

    page.on("response", hear)
    given = iter([answer])

    def give(route: Route) -> None:
        first = next(given, None)  # what is at the address is here already
        route.fulfill(response=first) if first is not None else route.continue_()

    page.route(lambda url: url.partition("#")[0] == address.partition("#")[0], give)
    page.goto(address, wait_until="load")
    page.wait_for_load_state("networkidle")
    data = [item for item in heard if item.request.resource_type in DATA]
    if bad := [item.status for item in data if item.status in AGAIN]:
        raise _Unanswered(bad[0])
    pictures = {
        item.url: _inline(item) for item in heard if item.request.resource_type == "image" and item.ok
    }
    kept: dict[str, Any] = page.evaluate((Path(__file__).parent / "keep.js").read_text("utf-8"), pictures)
    sources = [_source(address.partition("#")[0], answer.headers, answer.body())]
    sources += [_source(item.url, item.headers, item.body()) for item in data if item.ok]
    if any(item.request.method != "GET" for item in data):
        sources = []  # what was sent cannot be asked again
    return _Rendered(kept["html"], kept["text"], kept["title"], tuple(kept["links"]), tuple(sources))


def _inline(picture: Response) -> str:
    """Return a picture as an address that holds it, "" for one that is too big."""
    body = picture.body()
    if len(body) > PICTURE_MIB << 20:
        return ""
    return f"data:{picture.headers.get('content-type', '')};base64,{base64.b64encode(body).decode()}"


def _source(address: str, headers: dict[str, str], body: bytes) -> Source:
    return Source(address, _sha256(body), headers.get("etag", ""), headers.get("last-modified", ""))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _pages(links: tuple[str, ...]) -> Iterator[str]:
    for link in links:
        try:
            yield plain(link)
        except BadInput:
            continue  # mailto: and the like


def _waits() -> Iterator[float]:
    for done in range(TRIES):
        yield WAIT_SECONDS * 2**done if done < TRIES - 1 else 0.0
