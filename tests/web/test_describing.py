"""The page of a figure with a vision model: offered, begun, shown with its mark, failed, given up."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from flask import Flask

from appliance.core.errors import GenerationFailed
from appliance.core.jobs import Gone
from appliance.core.settings import JobSettings, ServeSettings, Settings
from appliance.figure_descriptions import Described
from appliance.web.app import create_app
from tests.waiting import until
from tests.web.conftest import Reader
from tests.web.fake_library import FakeLibrary

PAGE = "/d/SNOW/f/Figure 5.1"
START = "/api/v1/figures/SNOW/Figure 5.1/describe"
SAME = {"Origin": "http://localhost", "Accept": "application/json"}
MARK = "Described by a model, not printed in the document"


class FakeDescriber:
    """Describes when it is let; `fault` makes it fail."""

    model = "small-vl"

    def __init__(self) -> None:
        self.let = threading.Event()
        self.fault = ""
        self.made: dict[tuple[str, str], Described] = {}

    def kept(self, document: str, key: str) -> Described | None:
        return self.made.get((document, key))

    def describe(self, document: str, key: str, watch: Any = None) -> Described:
        watch.stage("figure")
        while not self.let.wait(0.01):
            if watch.stopped:
                raise Gone
        if self.fault:
            raise GenerationFailed(self.model, self.fault)
        self.made[document, key] = made = Described(document, key, self.model, ("A <b>roof</b>.",), 2)
        return made


class VisionAlone:
    """A writer without a language model, which has a describer."""

    mode = "deterministic"
    version = "1"

    def __init__(self, describer: FakeDescriber) -> None:
        self.describer = describer

    def needs(self, *_: Any) -> bool:
        return False

    def answer(self, *_: Any) -> Any:
        raise AssertionError


@pytest.fixture
def describer() -> FakeDescriber:
    return FakeDescriber()


@pytest.fixture
def app(library: FakeLibrary, describer: FakeDescriber) -> Flask:
    settings = Settings(serve=ServeSettings(), jobs=JobSettings(waiting=1))
    app = create_app(library, settings=settings, writer=VisionAlone(describer))  # type: ignore[arg-type]  # a fake
    app.test_client_class = Reader
    return app


def state(app: Flask, ticket: str) -> dict[str, Any]:
    answer = app.test_client().get(f"/api/v1/figures/jobs/{ticket}").json
    assert isinstance(answer, dict)
    return answer


def begun(app: Flask, address: str = "127.0.0.1") -> str:
    made = app.test_client().post(START, headers=SAME, environ_base={"REMOTE_ADDR": address})
    assert made.status_code == 202
    assert made.json
    return str(made.json["job"])


def test_without_a_vision_model_nothing_is_offered(library: FakeLibrary) -> None:
    app = create_app(library)
    assert "data-writing" not in app.test_client().get(PAGE).text
    assert app.test_client().post(START, headers=SAME).status_code == 404


def test_a_figure_is_described_on_request_and_marked(app: Flask, describer: FakeDescriber) -> None:
    client = app.test_client()
    before = client.get(PAGE).text
    assert "Describe it" in before
    assert MARK not in before
    assert "Write it as an answer" not in client.get("/ask?q=snow").text
    ticket = begun(app)
    until(lambda: state(app, ticket)["stage"] == "Looking at the figure")
    describer.let.set()
    until(lambda: state(app, ticket)["state"] == "done")
    after = client.get(PAGE).text
    assert MARK in after
    assert "A &lt;b&gt;roof&lt;/b&gt;." in after
    assert "2 sentences were left out" in after
    assert "small-vl" in after


def test_a_failure_is_told_and_can_be_tried_again(app: Flask, describer: FakeDescriber) -> None:
    describer.fault = "memory ran out"
    describer.let.set()
    ticket = begun(app)
    until(lambda: state(app, ticket)["ended"])
    assert "memory ran out" in state(app, ticket)["message"]
    assert "Describe it" in app.test_client().get(PAGE).text


def test_the_queue_is_bounded_and_a_stranger_cannot_begin(app: Flask) -> None:
    client = app.test_client()
    assert client.post(START, headers={"Origin": "http://evil.example"}).status_code == 403
    begun(app, "10.0.0.1")
    tables = "/api/v1/figures/BASIS/Figure 1/describe"
    second = client.post(tables, headers=SAME, environ_base={"REMOTE_ADDR": "10.0.0.1"})
    assert (second.status_code, second.headers["Retry-After"]) == (429, "6")
