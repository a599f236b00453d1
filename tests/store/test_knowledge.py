"""The graph in a library file: neighbours both ways, names, chunks, and what people decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.core.document import Chunk, Document, Reference
from appliance.core.graph import (
    Decision,
    Edge,
    Graph,
    Mention,
    Node,
    Proof,
    Quantity,
    edge_id,
    edge_number,
    reference_number,
)
from appliance.store.read import Store
from appliance.store.write import write_library
from tests.factories import clause, document, label, table, term

TEXT = "The rise should not exceed 220 mm, in accordance with Table 1."
RISE = Node("parameter", "K", "rise", "rise")
VALUE = Node("value", "K", "1.1#≤ 220 mm", "rise ≤ 220 mm")
TIMBER = Node("material", "", "timber", "timber")
LIMIT = Quantity("<=", 220, 220, "mm", "length", 0.001)
HAS = Edge(RISE.id, "HAS_VALUE", VALUE.id, 0.9, "subject", Proof("K", label("1.1"), 0, 33, TEXT[:33]))
DOUBT = replace(
    HAS, target=TIMBER.id, kind="APPLIES_TO", source="clause:K:1.1", state="to review", proof=None
)
GRAPH = Graph(
    nodes=(RISE, TIMBER, VALUE),
    edges=(HAS, DOUBT),
    names=((TIMBER.id, "wood"), (TIMBER.id, "timber")),
    quantities=((VALUE.id, LIMIT),),
    homes=((VALUE.id, "clause:K:1.1"),),
    mentions=(Mention("K", 0, RISE.id, 0), Mention("K", 1, TIMBER.id, 2)),
)


def code() -> Document:
    rule, section = clause("1.1", TEXT, parent="1"), clause("1", "", "section", title="Stairs")
    start = TEXT.index("Table 1")
    cited = Reference(
        rule.label, start, start + 7, "Table 1", "table", (), target=label("Table 1"), status="resolved"
    )
    lost = replace(cited, start=0, end=8, text="The rise", target=None, status="unresolved", reason="no such")
    chunks = tuple(
        Chunk(c.label, (c.label,), "clause", "", ("K",), c.passage, c.boxes) for c in (rule, section)
    )
    source = document(
        [section, rule], [table("Table 1", [["a"], ["1"]], clause="1.1")], terms=[term("rise", "A height.")],
        name="K",
    )  # fmt: skip
    return replace(source, references=(cited, lost), chunks=chunks)


@contextmanager
def opened(
    path: Path, graph: Graph = GRAPH, decisions: Mapping[int, Decision] | None = None
) -> Iterator[Store]:
    write_library(path, [code()], graph=graph)
    with Store(path, decisions=decisions) as store:
        yield store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("graph") / "codes.db") as found:
        yield found


def beside(store: Store, node: str, *kinds: str, direction: str = "out") -> list[tuple[str, str]]:
    near = store.graph.neighbours(node, kinds, direction)  # type: ignore[arg-type]  # a table of names
    return [(item.edge.kind, item.node.id) for item in near]


@pytest.mark.parametrize(
    ("node", "direction", "near"),
    [
        ("clause:K:1.1", "out", [("APPLIES_TO", TIMBER.id), ("PART_OF", "clause:K:1"),
                                 ("REFERENCES", "table:K:Table 1")]),
        ("clause:K:1.1", "in", [("PART_OF", "table:K:Table 1"), ("PART_OF", VALUE.id)]),
        ("clause:K:1", "in", [("PART_OF", "clause:K:1.1")]),
        ("table:K:Table 1", "in", [("REFERENCES", "clause:K:1.1")]),
        ("document:K:", "in", [("PART_OF", "clause:K:1")]),
        (RISE.id, "out", [("HAS_VALUE", VALUE.id)]),
        (VALUE.id, "in", [("HAS_VALUE", RISE.id)]),
        (TIMBER.id, "in", [("APPLIES_TO", "clause:K:1.1")]),
        ("clause:K:9.9", "out", []),
        ("nonsense", "out", []),
        ("", "in", []),
    ],
)  # fmt: skip
def test_neighbours_of_every_kind(
    store: Store, node: str, direction: str, near: list[tuple[str, str]]
) -> None:
    assert beside(store, node, direction=direction) == near


def test_neighbours_of_one_kind_alone(store: Store) -> None:
    assert beside(store, "clause:K:1.1", "PART_OF") == [("PART_OF", "clause:K:1")]
    assert beside(store, "clause:K:1.1", "REFERENCES", "APPLIES_TO") == [
        ("APPLIES_TO", TIMBER.id),
        ("REFERENCES", "table:K:Table 1"),
    ]


def test_an_edge_comes_back_with_the_words_that_prove_it(store: Store) -> None:
    (found,) = store.graph.neighbours(RISE)
    assert replace(found.edge, proof=None) == replace(HAS, proof=None)
    assert found.edge.proof is not None
    assert found.edge.proof.quote == TEXT[:33]
    assert found.edge.proof.boxes[0].page == 1
    assert found.number == HAS.number
    assert store.graph.quantity(found.node) == LIMIT


@pytest.mark.parametrize("name", ["timber", "Timbers", "WOOD"])
def test_things_are_found_by_any_of_their_names(store: Store, name: str) -> None:
    assert [node.id for node in store.graph.entities([name])[name]] == [TIMBER.id]


def test_names_that_nothing_bears_are_answered_too(store: Store) -> None:
    found = store.graph.entities(["rise", "moon", ""])
    assert [node.id for node in found["rise"]] == [RISE.id, "term:K:rise"]
    assert found["moon"] == found[""] == ()


def test_chunks_of_a_thing_and_things_of_a_chunk(store: Store) -> None:
    ((_, rank),) = store.graph.chunks_of(RISE)
    assert rank == 0
    assert store.graph.chunks_of("material::stone") == ()


def test_what_a_person_rejects_is_never_followed(tmp_path: Path) -> None:
    cited = code().references[0]
    number = reference_number("K", cited)
    decisions = {
        HAS.number: Decision(HAS.number, "rejected", "another stair"),
        number: Decision(number, "rejected", "a slip"),
        DOUBT.number: Decision(DOUBT.number, "accepted"),
    }
    with opened(tmp_path / "codes.db", decisions=decisions) as store:
        assert beside(store, RISE.id) == []
        assert beside(store, "clause:K:1.1", "REFERENCES") == []
        (first, _) = store.references_from("K", "1.1")
        assert (first.target, first.status, first.reason) == (
            None,
            "unresolved",
            "rejected by a person: a slip",
        )
        assert store.references_from("K", "1.1")[0].target is None
        assert store.references_to("K", "Table 1") == ()
        assert [item.edge.state for item in store.graph.neighbours(TIMBER, direction="in")] == ["accepted"]


def test_equal_graphs_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.db", "b.db"):
        write_library(tmp_path / name, [code()], graph=GRAPH)
    assert (tmp_path / "a.db").read_bytes() == (tmp_path / "b.db").read_bytes()


def test_what_only_an_edge_names_is_kept(tmp_path: Path) -> None:
    loose = replace(HAS, source="clause:K:7.7", target="clause:gone:1:2", kind="MODIFIES")
    with opened(tmp_path / "codes.db", Graph(edges=(loose,))) as store:
        assert beside(store, "clause:K:7.7") == [("MODIFIES", "clause::gone:1:2")]


def test_an_empty_graph_is_no_failure(tmp_path: Path) -> None:
    write_library(tmp_path / "codes.db", [])
    with Store(tmp_path / "codes.db") as store:
        assert store.graph.entities(["timber"]) == {"timber": ()}


@pytest.mark.parametrize("written", ["", "abc", "!" * 13, "k3x7qzam", "k3x7qzamd2f4u9", "é" * 8, "1" * 13])
def test_what_is_no_id_names_nothing(written: str) -> None:
    assert edge_number(written) is None


def test_an_id_is_short_and_comes_back() -> None:
    assert edge_number(edge_id(-(2**63))) == -(2**63)  # what SQLite holds
    assert edge_number(edge_id(HAS.number)) == HAS.number
    assert edge_number(f" {edge_id(0).upper()} ") == 0
