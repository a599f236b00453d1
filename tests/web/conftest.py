"""The page around the library in memory, as a test client and as a server for a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, Response
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


@dataclass(frozen=True)
class Visitor:
    """Opens pages in a fresh context each: own size, own storage, with or without script."""

    browser: Browser
    port: int
    open_contexts: list[BrowserContext]

    def visit(
        self,
        path: str,
        *,
        host: str = "127.0.0.1",
        width: int = 1440,
        height: int = 900,
        script: bool = True,
    ) -> Visit:
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=script,
            reduced_motion="reduce",
            base_url=f"http://{host}:{self.port}/",
        )
        self.open_contexts.append(context)
        context.set_default_timeout(60_000)  # waits end with a state; this is for a machine that is busy
        page = context.new_page()
        visit = Visit(page, [], [])
        page.on("request", lambda request: visit.requests.append(request.url))
        page.on("console", lambda message: visit.complaints.append(message.text))
        page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        response = page.goto(path)
        assert isinstance(response, Response)
        return visit


@pytest.fixture
def visitor(browser: Browser, port: int) -> Iterator[Visitor]:
    made = Visitor(browser, port, [])
    yield made
    for context in made.open_contexts:
        context.close()
