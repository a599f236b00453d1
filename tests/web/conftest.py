"""The page around the library in memory, as a test client and as a server for a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Response
from werkzeug.test import TestResponse

from appliance.core.settings import ServeSettings, Settings
from appliance.web.app import create_app
from appliance.web.serve import make_server
from tests.web.fake_library import FakeLibrary
from tests.web.serving import serving


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> FakeLibrary:
    return FakeLibrary(tmp_path_factory.mktemp("images"))


@pytest.fixture
def app(library: FakeLibrary) -> Flask:
    vars(library).pop("_last_answers", None)  # of the application before
    return create_app(library, settings=Settings(serve=ServeSettings(names=("box.site",))))


class Reader(FlaskClient):
    """A test client that reads every response to its end, so that no file stays open."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        return super().open(*args, **kwargs | {"buffered": True})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    app.test_client_class = Reader
    return app.test_client()


@pytest.fixture(scope="session")
def port(library: FakeLibrary) -> Iterator[int]:
    """Serve the page as it is served on site, on every address of this machine."""
    server = make_server(library, Settings(serve=ServeSettings(port=0)))
    with serving(server) as port:
        yield port


@dataclass(frozen=True)
class Visit:
    """An open page with all that it asked for and all that it complained of."""

    page: Page
    requests: list[str]
    complaints: list[str]


Kind = tuple[str, bool]  # the address that paths are relative to, and whether scripts run


@dataclass(frozen=True)
class Tab:
    """A page that one test after another uses, as a new one is: a page of its own costs each a second."""

    page: Page
    listeners: list[tuple[Any, Any]] = field(default_factory=list)

    def listen(self, event: Any, hear: Callable[[Any], None]) -> None:
        self.page.on(event, hear)
        self.listeners.append((event, hear))

    def tidied(self) -> bool:
        """Forget what was done in it; tell whether it can be used again."""
        page, context = self.page, self.page.context
        if page.is_closed() or len(context.pages) > 1:
            context.close()
            return False
        for event, hear in self.listeners:
            page.remove_listener(event, hear)
        self.listeners.clear()
        page.unroute_all()
        context.set_offline(offline=False)
        context.clear_permissions()
        page.emulate_media(media="null")
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.goto("about:blank")
        context.clear_cookies()
        return True


@dataclass(frozen=True)
class Visitor:
    """Opens pages of an own size, with or without script; what one keeps, no other one knows."""

    browser: Browser
    port: int
    idle: dict[Kind, Tab]
    used: list[tuple[Kind, Tab]] = field(default_factory=list)

    def visit(
        self,
        path: str,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        width: int = 1440,
        height: int = 900,
        script: bool = True,
    ) -> Visit:
        kind = (f"http://{host}:{port or self.port}/", script)
        tab = self.idle.pop(kind, None) or self._opened(*kind)
        self.used.append((kind, tab))
        page = tab.page
        page.set_viewport_size({"width": width, "height": height})
        visit = Visit(page, [], [])
        tab.listen("request", lambda request: visit.requests.append(request.url))
        tab.listen("console", lambda message: visit.complaints.append(message.text))
        tab.listen("pageerror", lambda error: visit.complaints.append(str(error)))
        response = page.goto(path)
        assert isinstance(response, Response)
        return visit

    def _opened(self, base: str, script: bool) -> Tab:
        context = self.browser.new_context(java_script_enabled=script, reduced_motion="reduce", base_url=base)
        context.set_default_timeout(60_000)  # waits end with a state; this is for a machine that is busy
        return Tab(context.new_page())

    def leave(self) -> None:
        """Tidy up what was used; of each kind one is kept."""
        for kind, tab in self.used:
            if tab.tidied() and self.idle.setdefault(kind, tab) is not tab:
                tab.page.context.close()


@pytest.fixture(scope="session")
def tabs() -> dict[Kind, Tab]:
    """Return the pages that no test uses now."""
    return {}


@pytest.fixture
def visitor(browser: Browser, port: int, tabs: dict[Kind, Tab]) -> Iterator[Visitor]:
    made = Visitor(browser, port, tabs)
    yield made
    made.leave()
