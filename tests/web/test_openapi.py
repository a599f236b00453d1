"""The description for programs against the app: every route is in it, every answer is as it says.

schemathesis makes the requests (few here, many with SOAK=1); each answer must have a status, a content type
and a shape of the description, and none may be a failure of the server. With -s it is told how many.
"""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings

from appliance.core.evidence import Answer, Grounded
from appliance.core.settings import JobSettings, ServeSettings, Settings, SiteSettings
from appliance.figure_descriptions import Described
from appliance.site.gaps_and_feedback import Site
from appliance.web.api import openapi
from appliance.web.app import create_app
from appliance.written_answers import Asked, Mode
from tests.web.fake_library import FakeLibrary

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis comes with the extra dev")
jsonschema = pytest.importorskip("jsonschema_rs", reason="it comes with schemathesis")

FILE = Path(__file__).parents[2] / "docs" / "openapi.json"
EXAMPLES = 400 if os.environ.get("SOAK") else 12
PATIENT = ServeSettings(asked_per_second=1_000_000)  # the pace is tried elsewhere
ORIGIN = {"Origin": "http://localhost"}
PLAIN = {**ORIGIN, "Accept-Encoding": "identity"}
BOUNDED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
# What the library has, by the part of an address.
THERE = {"clause": "5.2", "figures": "Figure 5.1", "picture": "Figure 5.1"}
LOOSE = [
    schemathesis.checks.negative_data_rejection,  # what is not known is passed over, as on the page
    schemathesis.checks.positive_data_acceptance,  # a question of signs alone is refused
]


class Quick:
    """A writer and describer that have nothing to wait for."""

    mode: Mode = "needed"
    version = "1"
    model = "small-vl"

    def __init__(self, library: FakeLibrary) -> None:
        self.library = library

    @property
    def describer(self) -> Quick:
        return self

    def needs(self, answer: Answer, mode: Mode | None = None) -> bool:
        return isinstance(answer, Grounded) and mode == "always"

    def answer(self, asked: Asked, watch: Any = None) -> Answer:
        watch.stage("answer")
        return self.library.ask(asked.question)

    def kept(self, document: str, key: str) -> None:
        self.library.figure(document, key)

    def describe(self, document: str, key: str, _watch: Any = None) -> Described:
        return Described(document, key, self.model, ("A roof.",))


@contextmanager
def application(library: FakeLibrary, folder: Path) -> Iterator[Flask]:
    """Give an application with notes of its own."""
    limits = SiteSettings(free_mib=1, saved_answers=5, notes_per_minute=100_000)
    before, library.site = library.site, Site(folder / "codes.db.site", limits)
    waiting = JobSettings(waiting=100)
    made = create_app(
        library,
        settings=Settings(site=limits, jobs=waiting, serve=PATIENT),
        writer=cast("Any", Quick(library)),
    )
    yield made
    library.site = before
    made.extensions["writing"].jobs.close()
    made.extensions["describing"].jobs.close()


@pytest.fixture
def app(library: FakeLibrary, tmp_path: Path) -> Iterator[Flask]:
    with application(library, tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def described(library: FakeLibrary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return the description as an application gives it, with that application: to read it costs much."""
    with application(library, tmp_path_factory.mktemp("described")) as made:
        yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", made)


@schemathesis.hook  # type: ignore[untyped-decorator]  # it is imported only where it is installed
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Let every other request name a document and a place that there are, else all would be refused."""
    path = str(context.operation.path) if context.operation else ""
    key = next((key for part, key in THERE.items() if f"/{part}/" in path), "Table 5.2")
    for name, there in (("document", "SNOW"), ("key", key), ("number", 1)):
        if path_parameters and len(str(path_parameters.get(name, "x"))) % 2 == 0:
            path_parameters[name] = there
    return path_parameters


@schemathesis.hook  # type: ignore[untyped-decorator]
def map_query(_context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Let every other comparison be one of two documents that there are."""
    for name, there in (("a", "SNOW"), ("b", "BASIS")):
        if query and name in query and len(str(query["a"])) % 2 == 0:
            query[name] = there
    return query


@pytest.mark.parametrize("name", sorted(openapi.ROUTES))
def test_no_request_makes_the_server_fail_or_answer_otherwise_than_described(
    described: Any, name: str
) -> None:
    operation = described.find_operation_by_id(name.replace(".", "_"))
    statuses: Counter[int] = Counter()

    @BOUNDED
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        statuses[case.call_and_validate(headers=PLAIN, excluded_checks=LOOSE).status_code] += 1

    ask()
    print(f"\n{name}: {statuses.total()} requests, {dict(sorted(statuses.items()))}")  # noqa: T201 - with -s
    assert max(statuses) < 500 or set(statuses) & {*range(500, 600)} == {503}


def test_the_file_is_the_description_of_this_program(app: Flask) -> None:
    """Write it anew with: python -m appliance.web.api.openapi > docs/openapi.json."""
    assert FILE.read_text(encoding="utf-8") == openapi.written(app)


def test_every_route_is_described_with_all_that_it_takes(app: Flask, client: FlaskClient) -> None:
    told = client.get("/api/v1/openapi.json").get_json()["paths"]
    operations = {
        entry["operationId"]: (path, entry) for path, entries in told.items() for entry in entries.values()
    }
    below = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")]
    assert (
        {rule.endpoint.replace(".", "_") for rule in below}
        == set(operations)
        == {name.replace(".", "_") for name in openapi.ROUTES}
    )
    for path, entry in operations.values():
        named = {item["name"] for item in entry.get("parameters", ()) if item["in"] == "path"}
        assert path.count("{") == len(named)
        assert entry["summary"].endswith((".", "`"))
        assert "404" in entry["responses"] or not named


def exact(whole: dict[str, Any]) -> dict[str, Any]:
    """Return a description in which no object may have a field that is not described."""
    closed = copy.deepcopy(whole)
    for shape in closed["components"]["schemas"].values():
        if "properties" in shape:
            shape.setdefault("additionalProperties", False)
    return closed


ANSWERS = (
    ("get", "search?q=snow", 200),
    ("get", "search?q=roof&after=snow&reading=SNOW:5.2", 200),
    ("get", "search?q=", 400),
    ("get", "ask?q=snow", 200),
    ("get", "ask?q=mars", 200),
    ("get", "ask?q=break", 503),
    ("get", "suggest?q=Table", 200),
    ("get", "documents", 200),
    ("get", "document/SNOW", 200),
    ("get", "document/BASIS", 200),
    ("get", "document/NONE", 404),
    ("get", "document/SNOW/page/1", 200),
    ("get", "document/SNOW/quality", 200),
    ("get", "quality", 200),
    ("get", "picture/SNOW/Figure 5.1", 200),
    ("get", "table/SNOW/Table 5.2", 200),
    ("get", "clause/SNOW/5.1", 200),
    ("get", "clause/SNOW/5.2(1)", 200),
    ("get", "clause/SNOW/5.2(2)", 200),
    ("get", "clause/BASIS/1.5", 200),
    ("get", "clause/SNOW/9.9", 404),
    ("get", "table/SNOW/Table 5.2?row=30&column=mu", 200),
    ("get", "table/SNOW/Table 5.2?colour=red", 400),
    ("get", "tools", 200),
    ("get", "tools/search?question=snow&limit=3", 200),
    ("get", "tools/search?question=snow&colour=red", 400),
    ("get", "tools/open_place?document=SNOW&label=Table 5.2", 200),
    ("get", "tools/neighbours?document=SNOW&label=5.2", 200),
    ("get", "tools/must_read?document=SNOW&label=5.2(1)", 200),
    ("get", "tools/table_lookup?document=SNOW&label=Table 5.2&row=30", 200),
    ("get", "tools/figure?document=SNOW&label=Figure 5.1", 200),
    ("get", "tools/graph?node=snow&kinds=APPLIES_TO&kinds=PART_OF", 200),
    ("get", "tools/not_found_so_far?question=snow", 200),
    ("post", "tools/review_references", 200),
    ("get", "box", 200),
    ("get", "health", 200),
    ("get", "figures", 200),
    ("get", "compare?a=SNOW&b=BASIS&anyway=yes", 200),
    ("get", "compare?a=SNOW", 400),
    ("get", "openapi.json", 200),
    ("post", "saved?q=snow", 201),
    ("get", "saved", 200),
    ("get", "gaps", 200),
    ("get", "saved/{key}", 200),
    ("post", "saved/{key}/remove", 200),
    ("post", "jobs?q=snow", 202),
    ("get", "jobs/{job}", 200),
    ("post", "jobs/{job}/cancel", 200),
    ("post", "figures/SNOW/Figure 5.1/describe", 202),
    ("get", "figures/jobs/{job}", 200),
    ("post", "figures/jobs/{job}/cancel", 200),
)


def test_an_answer_of_every_route_has_exactly_the_fields_described(app: Flask, client: FlaskClient) -> None:
    whole = exact(json.loads(FILE.read_text(encoding="utf-8")))
    seen, known = set(), {"key": "", "job": ""}
    for method, path, status in ANSWERS:
        response = client.open(
            f"/api/v1/{path.format(**known)}",
            method=method.upper(),
            headers=ORIGIN,
            data={"text": "See EN 1991-1-3, 5.2."}
            if path.startswith("tools/") and method == "post"
            else None,
        )
        assert response.status_code == status, path
        rule, _ = app.url_map.bind("localhost").match(
            response.request.path, method=method.upper(), return_rule=True
        )
        seen.add(rule.endpoint)
        if response.mimetype == "application/json":
            known |= {name: response.get_json()[name] for name in known if name in response.get_json()}
            fault(whole, method, rule.rule, response.status_code, response.get_json())
    assert seen == set(openapi.ROUTES)


def fault(whole: dict[str, Any], method: str, rule: str, status: int, answer: Any) -> None:
    """Raise where an answer is not as described."""
    path = rule.replace("<int:", "<").replace("<path:", "<").replace("<", "{").replace(">", "}")
    answers = whole["paths"][path][method]["responses"]
    wanted = answers[str(status)]["content"]["application/json"]["schema"]
    jsonschema.validate(wanted | {"components": whole["components"]}, answer)
