"""What a person is shown to look at, and what becomes of the decisions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.core.document import Box, Document, Problem, Reference
from appliance.core.errors import BadInput, CannotWrite, UnknownDocument
from appliance.core.graph import edge_id, problem_number
from appliance.ingest.knowledge.build import build_graph
from appliance.library import open_store
from appliance.quality.review import (
    ORDER,
    Decisions,
    decide,
    items,
    load_decisions,
    review_file,
)
from appliance.retrieval.exploring import Walk, around, named
from appliance.store.read import Store
from appliance.store.write import write_library
from tests.factories import clause, document, label, table

SURE = "The rise of a private stair should not exceed 220 mm."
DOUBTFUL = "A width of 900 mm was found on site."


def code(*texts: str) -> Document:
    clauses = [clause(f"1.{number}", text) for number, text in enumerate(texts or (SURE, DOUBTFUL), 1)]
    lost = Reference(label("1.1"), 4, 8, "rise", "table", (), number="9", reason="no such table")
    kept = replace(lost, start=0, end=3, text="The", target=label("1.2"), status="resolved", reason="")
    grid = table("Table 1", [["Stair", "Width (mm)"], ["Utility", "800"]])
    return replace(
        document(clauses, [grid], name="K"), references=(lost, kept), problems=(Problem("no text", 3),)
    )


def built(path: Path, *documents: Document) -> Path:
    write_library(path, documents, graph=build_graph(documents))
    return path


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return built(tmp_path / "codes.db", code())


def shown(library: Path, **filters: object) -> list[tuple[str, str]]:
    """What is listed, without what depends on the words of the shipped vocabularies."""
    with open_store(library) as store:
        found = items(store, **filters)  # type: ignore[arg-type]  # filters
    return [(item.kind, item.quote) for item in found if item.kind != "EQUIVALENT_TO"]


def states(library: Path, kind: str = "HAS_VALUE") -> list[str]:
    with open_store(library) as store:
        return [edge.state for _, edge, _, _ in store.graph.edges() if edge.kind == kind]


def with_store(library: Path, work: Callable[[Store], object]) -> object:
    with open_store(library) as store:
        return work(store)


def first(library: Path, kind: str) -> str:
    with open_store(library) as store:
        return items(store, kinds=[kind])[0].id


def test_what_is_doubtful_is_listed_with_its_words_and_the_reason(library: Path) -> None:
    found = shown(library)
    assert sorted(found) == [("HAS_VALUE", DOUBTFUL), ("PROBLEM", ""), ("REFERENCES", "rise")]
    with open_store(library) as store:
        whys = {item.kind: (item.why, item.page) for item in items(store)}
    assert whys["REFERENCES"][0] == "no such table"
    assert whys["PROBLEM"] == ("no text", 3)
    assert whys["HAS_VALUE"][1] == 1


def test_what_decides_a_number_comes_first(tmp_path: Path) -> None:
    loose = code()
    sure = replace(loose.references[0], target=label("1.2"), status="resolved", start=9, end=13, text="of a")
    doubtful = replace(sure, reason="read as a look-alike number")
    other = replace(loose, id="J", references=(loose.references[0], doubtful))
    library = built(tmp_path / "codes.db", other, replace(loose, id="K"))
    with open_store(library) as store:
        found = items(store)
    kinds = [item.kind for item in found if item.kind != "EQUIVALENT_TO"]
    assert kinds == sorted(kinds, key=ORDER.index)
    assert kinds[:2] == ["HAS_VALUE", "HAS_VALUE"]
    leads = [bool(item.confidence) for item in found if item.kind == "REFERENCES"]
    assert leads == sorted(leads, reverse=True)


def test_filters(library: Path) -> None:
    assert shown(library, kinds=["PROBLEM"]) == [("PROBLEM", "")]
    assert len(shown(library, document="K")) == 3
    with pytest.raises(UnknownDocument):
        shown(library, document="nowhere")


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
def test_a_decision_is_kept_beside_the_library_and_survives_a_new_build(verdict: str, library: Path) -> None:
    name = first(library, "HAS_VALUE")
    with_store(library, lambda s: decide(s, library, [name], verdict, "seen"))  # type: ignore[arg-type]  # a table of names
    assert "HAS_VALUE" not in dict(shown(library))
    built(library, code(SURE, DOUBTFUL, "Another clause."))
    assert verdict in states(library)
    assert "HAS_VALUE" not in dict(shown(library))


def test_other_words_need_another_decision(library: Path) -> None:
    name = first(library, "HAS_VALUE")
    with_store(library, lambda s: decide(s, library, [name], "accepted", ""))
    built(library, code(SURE, "A width of 800 mm was found on site."))
    assert ("HAS_VALUE", "A width of 800 mm was found on site.") in shown(library)


def test_what_its_rule_accepted_may_be_rejected_and_taken_back(library: Path) -> None:
    with open_store(library) as store:
        (number, *_), *_ = [row for row in store.graph.edges(state="accepted") if row[1].kind == "HAS_VALUE"]
    for verdict, state in (("rejected", "rejected"), ("accepted", "accepted")):
        with_store(library, lambda s, v=verdict: decide(s, library, [edge_id(number)], v, "looked"))  # type: ignore[misc]  # a lambda
        with open_store(library) as store:
            assert store.graph.edges(ids=[number])[0][1].state == state


def test_a_rejected_reference_and_a_seen_problem_are_not_shown_again(library: Path) -> None:
    names = [first(library, "REFERENCES"), first(library, "PROBLEM")]
    with_store(library, lambda s: decide(s, library, names, "rejected", "known"))
    assert {kind for kind, _ in shown(library)} == {"HAS_VALUE"}
    assert shown(library, decided=True) != shown(library)


def test_the_conditions_of_a_value_are_decided_with_it(tmp_path: Path) -> None:
    library = built(tmp_path / "codes.db", code("Where snow lies, a width of 900 mm was found."))
    name = first(library, "HAS_VALUE")
    assert "VALID_WHEN" not in dict(shown(library))
    with_store(library, lambda s: decide(s, library, [name], "accepted", ""))
    assert set(states(library, "VALID_WHEN")) == {"accepted"}


@pytest.mark.parametrize("written", ["", "zz", "k3x7qzam", "no id at all", "ÄÖ"])
def test_an_id_that_names_nothing_changes_nothing(written: str, library: Path) -> None:
    with pytest.raises(BadInput, match="names nothing"):
        with_store(library, lambda s: decide(s, library, [written], "accepted", ""))
    assert not review_file(library).exists()


def test_an_id_may_be_cut_short(library: Path) -> None:
    name = first(library, "PROBLEM")
    with open_store(library) as store:
        assert [item.id for item in decide(store, library, [name[:6].upper()], "accepted", "")] == [name]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "null",
        '{"id": 3}',
        '{"id": "aaaaaaaa", "state": "maybe"}',
        "\x00\xff",
        '{"id": "aaaaaaaa", "state": ["accepted"]}',
        "[" * 100_000,
        "9" * 6_000,
        r'{"id": "aaaaaaaa", "state": "accepted", "why": "\ud800"}',
    ],
)
def test_a_broken_line_of_decisions_is_skipped_and_named(line: str, library: Path) -> None:
    name = first(library, "PROBLEM")
    with_store(library, lambda s: decide(s, library, [name], "accepted", ""))
    whole = review_file(library).read_text(encoding="utf-8")
    review_file(library).write_text(f"{line}\n{whole}", encoding="utf-8")
    read = load_decisions(library)
    assert [edge_id(number) for number in read.kept] == [name]
    assert read.broken == ((1,) if line else ())


def test_decisions_kept_by_an_editor_that_marks_its_files_are_read(library: Path) -> None:
    name = first(library, "PROBLEM")
    with_store(library, lambda s: decide(s, library, [name], "accepted", ""))
    whole = review_file(library).read_text(encoding="utf-8")
    review_file(library).write_text(whole, encoding="utf-8-sig")
    assert not load_decisions(library).broken


def test_a_decision_after_a_torn_line_loses_neither(library: Path) -> None:
    with open_store(library) as store:
        first_one, second = (item.id for item in items(store)[:2])
    with_store(library, lambda s: decide(s, library, [first_one], "accepted", ""))
    file = review_file(library)
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))
    with_store(library, lambda s: decide(s, library, [second], "rejected", ""))
    read = load_decisions(library)
    assert {edge_id(number): kept.decision.state for number, kept in read.kept.items()} == {
        first_one: "accepted",
        second: "rejected",
    }
    assert not read.broken


def test_a_disk_that_takes_a_part_of_a_decision_is_said(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = first(library, "PROBLEM")
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:10]))
    with open_store(library) as store, pytest.raises(CannotWrite, match="only a part"):
        decide(store, library, [name], "accepted", "")


def test_no_decisions_are_none(tmp_path: Path) -> None:
    assert load_decisions(tmp_path / "codes.db") == Decisions({})


def test_a_place_that_cannot_be_written_is_said(library: Path) -> None:
    name = first(library, "PROBLEM")
    with open_store(library) as store:
        review_file(library).mkdir()
        with pytest.raises(CannotWrite):
            decide(store, library, [name], "accepted", "")
    with pytest.raises(BadInput):
        load_decisions(library)


def test_each_line_says_in_words_what_it_is_about(library: Path) -> None:
    with_store(library, lambda s: decide(s, library, [first(library, "HAS_VALUE")], "rejected", "a sample"))
    line = json.loads(review_file(library).read_text(encoding="utf-8").splitlines()[0])
    assert {
        "state": "rejected",
        "why": "a sample",
        "document": "K",
        "page": 1,
        "quote": DOUBTFUL,
    }.items() <= line.items()


def test_a_walk_ends_in_circles_and_counts_what_it_leaves_out(tmp_path: Path) -> None:
    one = replace(clause("1", "See 2."), parent=label("2"))
    two = replace(clause("2", "See 1."), parent=label("1"))
    library = built(tmp_path / "codes.db", document([one, two], name="K"))
    with open_store(library) as store:
        (node,) = named(store, "K 1")
        tree = around(store, node, Walk(depth=4))
        assert json.dumps(tree).count("PART_OF") < 40
        wide = built(
            tmp_path / "wide.db",
            document([clause("1"), *(clause(f"1.{n}", "x", parent="1") for n in range(9))], name="K"),
        )
    with open_store(wide) as store:
        tree = around(store, named(store, "clause:K:1")[0], Walk(("PART_OF",), "in", limit=4))
    assert [item.get("left_out", 0) for item in tree["neighbours"]] == [0, 0, 0, 0, 5]


def test_a_walk_opens_a_node_once_and_says_where_it_stops(tmp_path: Path) -> None:
    clauses = [clause("1"), *(clause(f"1.{n}", "See 1.", parent="1") for n in range(1, 10))]
    with open_store(built(tmp_path / "codes.db", document(clauses, name="K"))) as store:
        (node,) = named(store, "K 1")
        tree = around(store, node, Walk(depth=6))
        text = json.dumps(tree)
        assert "stopped" not in tree
        assert text.count('"neighbours"') + text.count('"opened"') <= text.count('"direction"') + 1
        assert '"opened": true' in text
        found = opened_nodes(tree, node.id)
        assert len(found) == len(set(found))
        cut = around(store, node, Walk(depth=6, most=5))
    assert "first 5 neighbours" in cut["stopped"]
    assert json.dumps(cut).count('"edge"') == 5


def opened_nodes(row: dict[str, Any], name: str) -> list[str]:
    """Return the ids of the nodes that a walk opens."""
    own = [name] if "neighbours" in row else []
    below = (item for item in row.get("neighbours", ()) if "node" in item)
    return own + [each for item in below for each in opened_nodes(item, item["node"]["id"])]


def doubtful(*pages: int) -> Document:
    found = tuple(
        Problem(f"“{n}” was read with doubt.", page, Box(page, 0.1, n / 20, 0.2, n / 20 + 0.01), doubt=True)
        for n, page in enumerate(pages, 1)
    )
    return replace(code(), problems=(Problem("no text", 3), *found))


def test_the_doubts_of_a_page_are_one_thing_to_look_at_and_are_decided_together(tmp_path: Path) -> None:
    library = built(tmp_path / "codes.db", doubtful(2, 2, 2, 4, 5, 5))
    with open_store(library) as store:
        found = {item.page: item for item in items(store, kinds=["PROBLEM"])}
        assert {page: 1 + len(item.belongs) for page, item in found.items()} == {2: 3, 3: 1, 4: 1, 5: 2}
        assert len(found[2].boxes) == 3
        assert found[2].why == "3 places of page 2 were read with doubt. The first: “1” was read with doubt."
        decide(store, library, [found[2].id], "accepted", "compared")
    with open_store(library) as store:
        assert [item.page for item in items(store, kinds=["PROBLEM"])] == [3, 4, 5]
        assert len(load_decisions(library).kept) == 3


def test_one_doubt_of_a_page_can_be_decided_by_itself_and_the_others_stay(tmp_path: Path) -> None:
    library = built(tmp_path / "codes.db", doubtful(2, 2, 2))
    second = edge_id(problem_number("K", doubtful(2, 2, 2).problems[2]))
    with open_store(library) as store:
        decide(store, library, [second], "accepted", "")
    with open_store(library) as store:
        left = [item for item in items(store, kinds=["PROBLEM"]) if item.page == 2]
        assert [1 + len(item.belongs) for item in left] == [2]


def test_a_doubt_that_a_new_reading_adds_is_not_hidden_by_an_old_decision(tmp_path: Path) -> None:
    library = built(tmp_path / "codes.db", doubtful(2, 2))
    with open_store(library) as store:
        [group] = [item for item in items(store, kinds=["PROBLEM"]) if item.page == 2]
        decide(store, library, [group.id], "accepted", "")
    built(library, doubtful(2, 2, 2))
    with open_store(library) as store:
        left = [item for item in items(store, kinds=["PROBLEM"]) if item.page == 2]
        assert [item.why for item in left] == ["“3” was read with doubt."]


def test_what_is_likelier_comes_first_of_its_kind(tmp_path: Path) -> None:
    with open_store(built(tmp_path / "codes.db", doubtful(2))) as store:
        found = items(store)
    sure = [(item.kind, item.confidence) for item in found]
    for kind in {kind for kind, _ in sure}:
        own = [confidence for each, confidence in sure if each == kind]
        assert own == sorted(own, reverse=True)


def twice(*, more: str = "") -> Document:
    """A code with several doubtful values in one clause, and with one reference printed thrice."""
    plain = code(f"{DOUBTFUL} A height of 700 mm was found as well. {more}", "Loads.", "Roofs.")
    lost = plain.references[0]
    places = [replace(lost, source=label(f"1.{number}")) for number in (1, 2, 3)]
    return replace(plain, references=(*places, replace(lost, number="10")))


def test_what_one_look_answers_is_one_thing_and_is_decided_together(tmp_path: Path) -> None:
    library = built(tmp_path / "codes.db", twice())
    with open_store(library) as store:
        grouped, single = items(store), items(store, apart=True)
        assert len(grouped) < len(single)
        assert sum(1 + len(item.belongs) for item in grouped) >= len(single)
        values = {item.place: item for item in grouped if item.kind == "HAS_VALUE"}
        assert values["1.1"].why.startswith("2 values of 1.1: ")
        cited = [item for item in grouped if item.kind == "REFERENCES"]
        assert sorted(item.why for item in cited) == [
            "3 places: 1.1; 1.2; 1.3. No such table",
            "no such table",
        ]
        decide(store, library, [values["1.1"].id, *(item.id for item in cited)], "rejected", "not ours")
    assert shown(library, kinds=["HAS_VALUE", "REFERENCES"]) == []


def test_a_value_that_a_new_edition_adds_to_a_place_is_listed_again(tmp_path: Path) -> None:
    library = built(tmp_path / "codes.db", twice())
    with open_store(library) as store:
        decide(store, library, [first(library, "HAS_VALUE")], "accepted", "")
    built(library, twice(more="A depth of 80 mm was found too."))
    with open_store(library) as store:
        (left,) = items(store, kinds=["HAS_VALUE"])
    assert "80" in left.target
