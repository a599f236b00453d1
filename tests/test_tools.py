"""The tools for programs: what each finds on the demo codes, what is refused, and the protocol of agents."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.core.errors import ApplianceError, BadInput
from appliance.core.settings import ServeSettings, Settings
from appliance.library import Library
from appliance.tools import TOOLS, Results, Tools, described, from_pairs

CALLS = 1_000 if os.environ.get("SOAK") else 100
TABLE = {"document": "DC-1-3", "label": "Table 4.1"}
# tool, its arguments, document and label of a result, words of its quote, words of its note or value
FOUND: list[tuple[str, dict[str, Any], str, str, str, str]] = [
    ("search", {"question": "least snow load on the ground"}, "DC-1-3", "4.1", "0.40 kN/m²", ""),
    ("open_place", {"document": "DC-1-3", "label": "4.1(2)"}, "DC-1-3", "4.1(2)", "0.40 kN/m²", ""),
    ("open_place", TABLE, "DC-1-3", "Table 4.1", "0.70", "row 2"),
    ("neighbours", {"document": "DC-1-3", "label": "4.1"}, "DC-1-3", "4.1(2)", "0.40", "stands below it"),
    ("neighbours", {"document": "DC-1-3", "label": "4.1(2)"}, "DC-1-3", "4.1", "", "stands above it"),
    ("must_read", {"document": "DC-1-3", "label": "4.1"}, "DC-1-3-NA", "NA.2.4", "", "decides about it"),
    ("must_read", {"document": "DC-1-3", "label": "4.1"}, "DC-1-3", "2.2(2)", "", "referred to"),
    ("table_lookup", TABLE | {"row": "A > 1 000 m", "column": "ψ0"}, "DC-1-3", "Table 4.1", "0.70", "ψ0"),
    ("figure", {"document": "DC-1-3", "label": "(4.1)"}, "DC-1-3", "(4.1)", "", ""),
    ("graph", {"node": "timber", "direction": "in"}, "DC-1-1", "Table A.1", "", "VALID_WHEN ←"),
    ("review_references", {"text": "See DC 1-3:2024, 4.1(2)."}, "DC-1-3", "4.1(2)", "0.40", "found"),
    ("review_references", {"text": "See DC 1-3, 99.9."}, "DC-1-3", "", "", "no such place"),
]
OPEN = [  # a question, and a note about what of it is open
    ("imposed load for an office floor", "Nothing of it is open."),
    ("How high and how heavy must a door be?", "Not answered: how heavy must a door be?"),
    ("thermal expansion of glass", "Places to read, no sure answer."),
]
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("bananas", {}, "Known are: search, open_place"),
    ("search", {}, "search needs question: text of 1 to 2000 characters."),
    ("search", {"question": "snow", "colour": "red"}, "Known are: question, documents, limit."),
    ("search", {"question": "x" * 1_000_000}, "text of 1 to 2000 characters"),
    ("search", {"question": "\ud800"}, "text of 1 to 2000 characters"),
    ("search", {"question": ["snow"]}, "text of 1 to 2000 characters"),
    ("search", {"question": "snow", "limit": "many"}, "a number from 1 to 50"),
    ("search", {"question": "snow", "limit": 51}, "a number from 1 to 50"),
    ("search", {"question": "snow", "documents": "DC-0"}, "a list, each text"),
    ("search", {"question": "snow", "documents": ["DC-77"]}, "There is no document DC-77"),
    ("graph", {"node": "timber", "direction": "up"}, "one of both, in, out"),
    ("graph", {"node": "moonshine"}, "called moonshine"),
    ("open_place", {"document": "DC-1-3", "label": "99.9"}, "has no clause, table or figure 99.9"),
    ("open_place", {"document": "DC-77", "label": "1"}, "There is no document DC-77"),
    ("figure", TABLE, "is a table"),
    ("review_references", {"text": "x" * 1_000_001}, "text of 1 to 1000000 characters"),
]


@pytest.fixture(scope="module")
def tools(demo: Library) -> Tools:
    return Tools(demo, Settings())


@pytest.mark.parametrize(("question", "note"), OPEN)
def test_what_of_a_question_is_open_is_told(tools: Tools, question: str, note: str) -> None:
    found = tools.call("not_found_so_far", {"question": question})
    assert any(told.startswith(note) for told in found["notes"])
    assert bool(found["results"]) == (note != OPEN[0][1]), "the places that were looked at"


@pytest.mark.parametrize(("name", "arguments", "document", "label", "quote", "note"), FOUND)
def test_a_tool_finds(
    tools: Tools, name: str, arguments: dict[str, Any], document: str, label: str, quote: str, note: str
) -> None:
    found = tools.call(name, arguments)
    assert any(
        (one["document"], one["label"]) == (document, label)
        and quote in one["quote"]
        and note in f"{one['note']} {one['value']}"
        for one in found["results"]
    ), found


@pytest.mark.parametrize(("name", "arguments"), [(case[0], case[1]) for case in FOUND])
def test_whatever_is_found_is_proven_by_its_page(
    tools: Tools, name: str, arguments: dict[str, Any], demo: Library
) -> None:
    found = tools.call(name, arguments)
    assert set(found) == set(Results.__annotations__)
    for one in (one for one in found["results"] if one["key"] and one["kind"] not in {"unknown", "concept"}):
        assert one["document"] in {info.id for info in demo.documents()}
        assert one["page"] is not None
        assert one["box"] is None or dict(cast("Any", one["box"]))["page"] == one["page"]
        assert one["quote"]


def test_every_tool_is_tried_and_described() -> None:
    assert (
        {*(case[0] for case in FOUND), "not_found_so_far"}
        == set(TOOLS)
        == {one["name"] for one in described()}
    )
    for one in described():
        assert one["about"].endswith(".")
        assert all(shape["description"] for shape in one["parameters"]["properties"].values() if shape)


@pytest.mark.parametrize(("name", "arguments", "words"), REFUSED)
def test_bad_input_is_refused_in_words(
    tools: Tools, name: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(ApplianceError) as refused:
        tools.call(name, arguments)
    assert words in str(refused.value)


def test_a_look_up_says_that_no_cell_answers(tools: Tools) -> None:
    assert tools.call("table_lookup", TABLE | {"row": "bananas"})["notes"]


def test_what_is_longer_than_a_call_shows_is_counted(tools: Tools) -> None:
    found = tools.call("open_place", {"document": "DC-1-1", "label": "Table A.1"})
    assert len(found["results"]) == 60
    assert found["left_out"] > 0


def test_a_list_is_given_once_for_each_item_and_nothing_else_twice() -> None:
    pairs = [("question", "snow"), ("documents", "DC-0"), ("documents", "DC-1-3")]
    assert from_pairs("search", pairs) == {"question": "snow", "documents": ["DC-0", "DC-1-3"]}
    with pytest.raises(BadInput, match="limit is given twice"):
        from_pairs("search", [("limit", "1"), ("limit", "2")])


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def test_the_command_line_calls_a_tool(demo_library: Path) -> None:
    told = run("tool", "open_place", "document=DC-1-3", "label=4.1(2)", "--library", demo_library, "--json")
    assert json.loads(told.stdout)["results"][0]["box"]["page"] == 8
    assert "0.40 kN/m²" in run("tool", "open_place", "document=DC-1-3", "label=4.1(2)", "--library",
                               demo_library).stdout  # fmt: skip
    assert "table_lookup(document, label, row, column)" in run("tool", "--library", demo_library).stdout
    wrong = run("tool", "search", "snow", "--library", demo_library)
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "PARAMETER=VALUE" in wrong.stderr


def test_an_agent_walks_all_tools_over_stdin_and_stdout(demo_library: Path) -> None:
    """A process of its own, as an agent starts it; then many calls and what a careless one sends."""
    mcp = pytest.importorskip("mcp", reason="mcp comes with the extra mcp")
    command = ["-m", "appliance.cli", "mcp", "--library", str(demo_library)]
    started = mcp.StdioServerParameters(command=sys.executable, args=command, cwd=str(Path.cwd()))

    async def walk() -> None:
        async with mcp.Client(started, read_timeout_seconds=60) as agent:
            listed = (await agent.list_tools()).tools
            assert [one.name for one in listed] == list(TOOLS)
            assert all(one.input_schema["type"] == "object" for one in listed)
            for name, arguments, document, *_ in FOUND:
                found = await agent.call_tool(name, arguments)
                assert not found.is_error, found
                assert document in {one["document"] for one in found.structured_content["results"]}
            for name, given, words in REFUSED:
                if given.get("question") == "\ud800":
                    continue  # which JSON lines cannot carry
                refused = await agent.call_tool(name, given)
                assert refused.is_error
                assert words in refused.content[0].text
            began = time.monotonic()
            for _ in range(CALLS):
                assert not (
                    await agent.call_tool("figure", {"document": "DC-1-3", "label": "(4.1)"})
                ).is_error
            print(f"\n{CALLS} calls in {time.monotonic() - began:.1f} s")  # noqa: T201 - with -s

    asyncio.run(walk())


def test_a_request_over_the_network_is_let_in_by_name_origin_code_and_pace() -> None:
    served = pytest.importorskip("appliance.web.mcp", reason="mcp comes with the extra mcp")
    told: list[int] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(event: Any) -> None:
        told.extend([event["status"]] if "status" in event else [])

    def ask(guard: Any, **headers: str) -> int:
        sent = {"host": "10.0.0.5:8100"} | headers
        pairs = [(name.encode(), value.encode()) for name, value in sent.items()]
        scope = {"type": "http", "headers": pairs, "client": ("10.0.0.9", 1)}
        asyncio.run(guard(scope, None, send))
        return told.pop()

    guard = served.Guard(app, "let-me-in", ServeSettings(asked_per_second=1_000))
    assert ask(guard, authorization="Bearer let-me-in") == 200
    assert ask(guard) == 401
    assert ask(guard, host="evil.example", authorization="Bearer let-me-in") == 421
    assert ask(guard, origin="http://evil.example", authorization="Bearer let-me-in") == 403
    assert [ask(guard, authorization="Bearer guess") for _ in range(6)] == [401] * 5 + [429]
    open_to_all = served.Guard(app, "", ServeSettings(asked_per_second=1))
    assert [ask(open_to_all) for _ in range(4)] == [200, 200, 200, 429]
