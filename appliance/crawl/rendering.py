"""A page as its scripts have made it, in a real browser that is bounded in time and in what it brings."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from appliance.crawl.fetching import AGAIN, Answered, Limits, Unanswered
from appliance.crawl.journal import Source, sha256, source

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Response, Route

SECONDS_PER_MIB = 5.0  # that the browser has for a page, above those of any
PICTURE_MIB = 8
BROUGHT_MIB = 128  # by all that a page asks for
DATA = frozenset({"xhr", "fetch"})
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


def render(context: BrowserContext, address: str, answer: Answered, limits: Limits) -> Rendered:
    """Show what an address has answered; raises Unanswered where it or what it asks for fails."""
    from playwright.sync_api import Error, TimeoutError  # noqa: A004, PLC0415 - of the extra "web"

    seconds = limits.seconds + SECONDS_PER_MIB * answer.body.stat().st_size / (1 << 20)
    shown = None
    try:
        shown = _Shown(context.new_page(), address, answer)
        shown.page.set_default_timeout(1000 * seconds)
        return shown.rendered(limits)
    except TimeoutError:
        message = f"the browser could not show it within {seconds:.0f} s"
        raise Unanswered(message) from None
    except Error:
        if shown and shown.brought > BROUGHT_MIB << 20:
            message = f"it brings more than {BROUGHT_MIB} MiB"
            raise Unanswered(message) from None
        message = "the browser could not show it"
        raise Unanswered(message, passing=is_there(context)) from None
    finally:
        for page in context.pages if is_there(context) else ():  # with what this one has opened
            page.close()


def is_there(context: BrowserContext) -> bool:
    """Tell whether the browser still runs."""
    return context.browser is not None and context.browser.is_connected()


class _Shown:
    """A page while it is shown: what it asks for, what that weighs, and where it would go by itself."""

    def __init__(self, page: Page, address: str, answer: Answered) -> None:
        self.page, self.address, self.answer = page, address, answer
        self.given = False
        self.heard: list[Response] = []
        self.brought = 0  # bytes, unpacked
        self.to = ""
        page.on("response", self._hear)
        page.route("**/*", self._give)
        network = page.context.new_cdp_session(page)
        network.on("Network.dataReceived", self._weigh)
        network.send("Network.enable")

    def _hear(self, response: Response) -> None:
        self.heard.append(response)

    def _weigh(self, told: dict[str, Any]) -> None:
        self.brought += told["dataLength"]
        if self.brought > BROUGHT_MIB << 20:
            self.page.close()

    def _give(self, route: Route) -> None:
        """Give the page what is at its address; let it ask for the rest, and go nowhere by itself."""
        request = route.request
        if not request.is_navigation_request() or request.frame != self.page.main_frame:
            route.continue_()
        elif request.url.partition("#")[0] != self.address.partition("#")[0]:
            self.to = request.url
            route.abort()
        elif self.given:
            route.continue_()
        else:
            self.given = True
            headers = {name: value for name, value in self.answer.headers.items() if name not in ON_THE_WAY}
            kind = self.answer.headers.get("content-type") or "text/html"
            route.fulfill(headers=headers, content_type=kind, body=self.answer.body.read_bytes())

    def rendered(self, limits: Limits) -> Rendered:
        page = self.page
        page.goto(self.address, wait_until="load")
        page.wait_for_load_state("networkidle")
        data = [item for item in self.heard if item.request.resource_type in DATA]
        for item in data:
            if item.status in AGAIN:
                message = f"the site answers {item.status}"
                raise Unanswered(message, passing=True)
        pictures = {
            item.url: _inline(item)
            for item in self.heard
            if item.request.resource_type == "image" and item.ok
        }
        keep = (Path(__file__).parent / "keep.js").read_text("utf-8")
        # Unlike evaluate, this ends even where a script of the page never does.
        kept = page.wait_for_function(keep, arg=[pictures, limits.page_mib << 20]).json_value()
        if kept["large"]:
            message = f"it is larger than {limits.page_mib} MiB once its scripts have run"
            raise Unanswered(message)
        at = self.address.partition("#")[0]
        sources = [source(at, self.answer.headers, self.answer.sha256)]
        sources += [source(item.url, item.headers, sha256(item.body())) for item in data if item.ok]
        if any(item.request.method != "GET" for item in data):
            sources = []  # what was sent cannot be asked again
        return Rendered(
            kept["html"], kept["text"], kept["title"], tuple(kept["links"]), tuple(sources), self.to
        )


def _inline(picture: Response) -> str:
    """Return a picture as an address that holds it, "" for one that is too big."""
    body = picture.body()
    if len(body) > PICTURE_MIB << 20:
        return ""
    return f"data:{picture.headers.get('content-type', '')};base64,{base64.b64encode(body).decode()}"
