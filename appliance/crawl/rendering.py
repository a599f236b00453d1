"""A page as its scripts have made it, in a real browser that is bounded in time and in what it brings."""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from appliance.crawl.fetching import AGAIN, Answered, Limits, Unanswered
from appliance.crawl.journal import Source, sha256, source
from appliance.ingest.html.printing import script

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request, Response, Route

SECONDS_PER_MIB = 5.0  # that the browser has for a page, above those of any
PICTURE_MIB = 8
BROUGHT_MIB = 128  # by all that a page asks for
QUIET_S = 0.5  # without a new request after which a page is taken as whole, as Playwright has it
DATA = frozenset({"xhr", "fetch"})
GIVEN_UP = "net::ERR_ABORTED"
ON_THE_WAY = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"}
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as it is shown, and what it was made of; `to` is where it leads by itself, "" where it stays."""

    html: str
    text: str
    title: str
    links: tuple[str, ...]
    sources: tuple[Source, ...]
    to: str


def is_there(context: BrowserContext) -> bool:
    """Tell whether the browser still runs."""
    return context.browser is not None and context.browser.is_connected()


class Tab:
    """A tab of the browser: shows one page after another, and where each would go by itself.

    A new one costs the processor five times as much as the next page in it.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self._page: Page | None = None

    def render(self, address: str, answer: Answered, limits: Limits) -> Rendered:
        """Show what an address has answered; raises Unanswered where it or what it asks for fails."""
        from playwright.sync_api import Error, TimeoutError  # noqa: A004, PLC0415 - of the extra "web"

        seconds = limits.seconds + SECONDS_PER_MIB * answer.body.stat().st_size / (1 << 20)
        self._address, self._answer = address, answer
        self._given, self._lost, self._to, self._brought = False, False, "", 0  # bytes, unpacked
        self._heard: list[Response] = []
        self._waiting: dict[Request, float] = {}  # what was asked for and has no answer yet, since when
        self._asked: set[tuple[str, str, str | None]] = set()
        shown = None
        try:
            page = self._page or self._opened()
            page.set_default_timeout(1000 * seconds)
            shown = self._rendered(page, seconds, limits)
            page.goto("about:blank")  # or it would go on asking until the next is shown
        except TimeoutError:
            raise Unanswered(f"the browser could not show it within {seconds:.0f} s") from None
        except Error:
            if self._brought > BROUGHT_MIB << 20:
                raise Unanswered(f"it brings more than {BROUGHT_MIB} MiB") from None
            raise Unanswered("the browser could not show it", passing=is_there(self.context)) from None
        finally:
            for page in self.context.pages if is_there(self.context) else ():  # with what this one has opened
                if not shown or page is not self._page:
                    page.close()
            self._page = self._page if shown else None
        return shown

    def _opened(self) -> Page:
        page = self._page = self.context.new_page()
        page.on("request", self._ask)
        page.on("response", self._hear)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._fail)
        page.route("**/*", self._give)
        network = self.context.new_cdp_session(page)
        network.on("Network.dataReceived", self._weigh)
        network.send("Network.enable")
        return page

    def _ask(self, request: Request) -> None:
        """Note what is asked for; who asks for the same again polls, and a stream of events never ends."""
        what = request.method, request.url, request.post_data
        if what not in self._asked and request.resource_type != "eventsource":
            self._asked.add(what)
            self._waiting[request] = self._news = time.monotonic()

    def _hear(self, response: Response) -> None:
        if response.request in self._waiting:
            self._heard.append(response)

    def _end(self, request: Request) -> None:
        if self._waiting.pop(request, None):
            self._news = time.monotonic()

    def _fail(self, request: Request) -> None:
        """Note data of the site that did not come; what the page gave up, or others refuse, is none."""
        own = urlsplit(request.url).netloc == urlsplit(self._address).netloc
        if own and request.resource_type in DATA and request.failure != GIVEN_UP:
            self._lost = True
        self._end(request)

    def _weigh(self, told: dict[str, Any]) -> None:
        self._brought += told["dataLength"]
        if self._brought > BROUGHT_MIB << 20 and self._page:
            self._page.close()

    def _give(self, route: Route) -> None:
        """Give the page what is at its address; let it ask for the rest, and go nowhere by itself."""
        request = route.request
        if not request.is_navigation_request() or request.frame.parent_frame:
            route.continue_()
        elif request.url.partition("#")[0] != self._address.partition("#")[0]:
            self._to = request.url
            route.abort()
        elif self._given:
            route.continue_()
        else:
            self._given = True
            headers = {name: value for name, value in self._answer.headers.items() if name not in ON_THE_WAY}
            kind = self._answer.headers.get("content-type") or "text/html"
            route.fulfill(headers=headers, content_type=kind, body=self._answer.body.read_bytes())

    def _settle(self, page: Page, seconds: float) -> None:
        """Wait until a page has asked for nothing new for a while, or asks without end.

        Raises:
            TimeoutError: what it asked for in the first half of the time has no answer at its end.
        """
        from playwright.sync_api import TimeoutError  # noqa: A004, PLC0415 - of the extra "web"

        began = self._news = time.monotonic()
        while (now := time.monotonic()) < began + seconds and (self._waiting or now < self._news + QUIET_S):
            page.wait_for_timeout(1000 * (QUIET_S / 10 if self._waiting else self._news + QUIET_S - now))
        if any(since < began + seconds / 2 for since in self._waiting.values()):
            raise TimeoutError("no answer")

    def _rendered(self, page: Page, seconds: float, limits: Limits) -> Rendered:
        page.goto(self._address, wait_until="load")
        self._settle(page, seconds)
        if self._lost:
            raise Unanswered("the site does not answer what it asks for", passing=True)
        data = [item for item in self._heard if item.request.resource_type in DATA]
        for item in data:
            if item.status in AGAIN:
                raise Unanswered(f"the site answers {item.status}", passing=True)
        pictures = {}  # as addresses that hold them, "" for one that is too big
        for item in self._heard:
            if item.request.resource_type == "image" and item.ok:
                body, kind = item.body(), item.headers.get("content-type", "")
                held = f"data:{kind};base64,{base64.b64encode(body).decode()}"
                pictures[item.url] = held if len(body) <= PICTURE_MIB << 20 else ""
        # Unlike evaluate, this ends even where a script of the page never does.
        keep = script(Path(__file__).parent / "keep.js")
        kept = page.wait_for_function(keep, arg=[pictures, limits.page_mib << 20]).json_value()
        if kept["large"]:
            raise Unanswered(f"it is larger than {limits.page_mib} MiB once its scripts have run")
        at = self._address.partition("#")[0]
        sources = [source(at, self._answer.headers, self._answer.sha256)]
        sources += [source(item.url, item.headers, sha256(item.body())) for item in data if item.ok]
        if any(item.request.method != "GET" for item in data):
            sources = []  # what was sent cannot be asked again
        return Rendered(
            kept["html"], kept["text"], kept["title"], tuple(kept["links"]), tuple(sources), self._to
        )
