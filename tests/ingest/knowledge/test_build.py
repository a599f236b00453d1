"""The graph of whole documents: what it holds, what it leaves out, and that it is always the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.core.document import Chunk, Clause, Document, Label, Page, Reference
from appliance.core.graph import Graph, Node, name_key
from appliance.ingest.knowledge import values
from appliance.ingest.knowledge.build import build_graph, knowledge_version
from tests.factories import clause, document, figure, label, table, term


def read(*documents: Document) -> Graph:
    return build_graph(documents)


def edges(graph: Graph, kind: str) -> list[tuple[str, str, str]]:
    return [(edge.source, edge.target, edge.state) for edge in graph.edges if edge.kind == kind]


def cited(source: Clause, text: str, target: str | None, **more: str) -> Reference:
    start = source.passage.text.index(text)
    status = "resolved" if target else "unresolved"
    return Reference(
        source.label, start, start + len(text), text, "clause", (), target=label(target) if target else None,
        status=status, **more,  # type: ignore[arg-type]  # a table of names
    )  # fmt: skip


def chunked(source: Document) -> Document:
    """The document with one searched chunk for each clause, and one for each row of its tables."""
    made = [
        Chunk(c.label, (c.label,), "clause", c.title, ("Code",), c.passage, c.boxes) for c in source.clauses
    ]
    made += [
        Chunk(t.label, (t.label,), "table", t.title, ("Code",), c, t.boxes, row=row)
        for t in source.tables
        for row, c in ((1, clause("x", "row").passage),)
    ]
    return replace(source, chunks=tuple(made))


STAIR = clause("1.1", "The rise of a private stair should not exceed 220 mm.", title="Stairs")


def test_a_sentence_gives_a_parameter_its_value_with_the_words_that_prove_it() -> None:
    graph = read(chunked(document([STAIR], name="K")))
    (edge,) = [e for e in graph.edges if e.kind == "HAS_VALUE"]
    assert (edge.source, edge.target) == ("parameter:K:rise", "value:K:1.1#≤ 220 mm")
    assert edge.state == "accepted"
    assert edge.proof is not None
    assert edge.proof.quote == STAIR.passage.text[edge.proof.start : edge.proof.end]
    quantity = dict(graph.quantities)["value:K:1.1#≤ 220 mm"]
    assert (quantity.bound, quantity.high, quantity.unit, quantity.factor) == ("<=", 220, "mm", 0.001)
    assert ("value:K:1.1#≤ 220 mm", "concept:K:private stair", "accepted") in edges(graph, "VALID_WHEN")
    assert dict(graph.homes)["value:K:1.1#≤ 220 mm"] == "clause:K:1.1"
    ranks = {mention.node: mention.rank for mention in graph.mentions}
    assert ranks["parameter:K:rise"] == 0
    assert ranks["value:K:1.1#≤ 220 mm"] == 0


def test_a_number_from_a_scanned_page_waits_for_a_person() -> None:
    scanned = replace(document([STAIR], name="K"), pages=(Page(1, 595, 842, trust="ocr"),))
    assert {edge.state for edge in read(scanned).edges if edge.kind == "HAS_VALUE"} == {"to review"}


def test_conditions_that_differ_only_in_their_sign_are_two() -> None:
    pipes = table(
        "Table 2", [["Outlet", "Min. length (m)"], ["Outlet < 80 mm", "1"], ["Outlet > 80 mm", "2"]]
    )
    found = {target for _, target, _ in edges(read(document(tables=[pipes], name="H")), "VALID_WHEN")}
    assert {"concept:H:outlet < 80 mm", "concept:H:outlet > 80 mm"} <= found


def test_a_demand_needs_a_reference_that_leads_somewhere() -> None:
    source = clause(
        "2.1", "Stairs should be built in accordance with 1.1 and 3.1, see 4.1. Ramps comply with 9.9."
    )
    references = (cited(source, "1.1", "1.1"), cited(source, "3.1", "3.1"), cited(source, "4.1", "4.1"),
                  cited(source, "9.9", None))  # fmt: skip
    others = [clause(key, "Text.") for key in ("3.1", "4.1")]
    graph = read(replace(document([STAIR, source, *others], name="K"), references=references))
    wanted = {("clause:K:2.1", "clause:K:1.1", "accepted"), ("clause:K:2.1", "clause:K:3.1", "accepted")}
    assert set(edges(graph, "REQUIRES")) == wanted


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Unless 1.1 applies, provide a rail.", 1),
        ("This holds except for the stairs in 1.1.", 1),
        ("Heat in buildings other than dwellings Part 1.1", 0),
    ],
)
def test_an_exception_leads_to_what_its_words_lead_to(text: str, made: int) -> None:
    source = clause("2.1", text)
    graph = read(replace(document([STAIR, source], name="K"), references=(cited(source, "1.1", "1.1"),)))
    assert len(edges(graph, "REQUIRES")) == made


def test_a_code_that_is_not_loaded_is_required_by_name() -> None:
    source = clause("2.1", "Sewers should be laid in accordance with BS EN 752.")
    outside = replace(cited(source, "BS EN 752", None, designation="BS EN 752"), status="not_loaded")
    graph = read(replace(document([source], name="H"), references=(outside,)))
    assert edges(graph, "REQUIRES") == [("clause:H:2.1", "document::bs en 752", "accepted")]


def test_circles_of_references_and_of_parents_end() -> None:
    one = replace(clause("1", "It should comply with 2."), parent=label("2"))
    two = replace(clause("2", "It should comply with 1."), parent=label("1"))
    references = (cited(one, "2", "2"), cited(two, "1", "1"))
    graph = read(replace(document([one, two], name="K"), references=references))
    assert {(s, t) for s, t, _ in edges(graph, "REQUIRES")} == {
        ("clause:K:1", "clause:K:2"),
        ("clause:K:2", "clause:K:1"),
    }


def test_a_title_tells_what_a_place_is_about_and_a_denied_scope_does_not() -> None:
    first = clause("1", "This section applies to staircases.", title="Timber")
    second = clause("2", "This section does not apply to glass.")
    found = {(s, t) for s, t, _ in edges(read(document([first, second], name="K")), "APPLIES_TO")}
    assert ("clause:K:1", "material::timber") in found
    assert any(source == "clause:K:1" and "stair" in target for source, target in found)
    assert not any(source == "clause:K:2" for source, _ in found)


def test_terms_are_defined_where_they_stand_and_tied_to_what_has_their_name() -> None:
    place = clause("1.5", "Terms", title="Definitions")
    graph = read(document([place], terms=[term("handrail", "A rail to hold.")], name="K"))
    assert ("term:K:handrail", "clause:K:1.5", "accepted") in edges(graph, "DEFINED_IN")
    assert any(source == "term:K:handrail" for source, _, _ in edges(graph, "EQUIVALENT_TO"))


def test_a_table_of_more_values_than_anybody_reads_is_cut_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("appliance.ingest.knowledge.build.MOST", 5)
    grid = table("Table 1", [["Case", "Width (mm)"], *([f"case {n}", str(n)] for n in range(20))])
    graph = read(document(tables=[grid], name="K"))
    assert len(graph.quantities) == 5
    assert [(name, "Table 1" in problem.message) for name, problem in graph.problems] == [("K", True)]


def test_of_thousands_of_values_in_one_table_the_first_are_read() -> None:
    rows = [[f"case {n}", str(n), str(n + 1)] for n in range(1_100)]
    graph = read(document(tables=[table("Table 1", [["Case", "Width (mm)", "Depth (mm)"], *rows])], name="K"))
    assert len(graph.quantities) == values.MOST
    assert graph.problems


@pytest.mark.parametrize(
    "documents", [(), (document(name="empty"),), (document(figures=[figure("Figure 1")]),)]
)
def test_nothing_to_say_is_no_failure(documents: Sequence[Document]) -> None:
    graph = build_graph(documents)
    assert graph.quantities == ()
    assert graph.problems == ()


def test_what_breaks_in_one_document_is_its_problem_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(items: object, *_: object) -> None:
        if items.document.id == "A":  # type: ignore[attr-defined]  # the items of a document
            message = "odd table"
            raise ValueError(message)

    monkeypatch.setattr("appliance.ingest.knowledge.build.read_scope", breaks)
    graph = read(document([STAIR], name="A"), document([STAIR], name="B"))
    assert [name for name, _ in graph.problems] == ["A"]
    assert ("parameter:B:rise", "value:B:1.1#≤ 220 mm", "accepted") in edges(graph, "HAS_VALUE")


def test_a_step_that_breaks_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        message = "odd number"
        raise AssertionError(message)

    monkeypatch.setattr("appliance.ingest.knowledge.build.read_values", breaks)
    graph = read(document([clause("1.1", "Timber stairs.", title="Timber")], name="A"))
    assert [(name, problem.message) for name, problem in graph.problems] == [
        ("A", "The values could not be read.")
    ]
    assert ("clause:A:1.1", "material::timber") in {edge[:2] for edge in edges(graph, "APPLIES_TO")}


def test_equal_documents_give_equal_graphs() -> None:
    documents = (chunked(document([STAIR], name="A")), chunked(document([STAIR], name="B")))
    assert build_graph(documents) == build_graph(documents)
    assert knowledge_version() == knowledge_version()


def test_an_edge_is_known_by_its_words() -> None:
    first, second = (read(document([STAIR], name="K")) for _ in range(2))
    assert [edge.number for edge in first.edges] == [edge.number for edge in second.edges]
    other = replace(STAIR, passage=replace(STAIR.passage, text=STAIR.passage.text.replace("220", "200")))
    kept = {edge.number for edge in first.edges if edge.kind == "HAS_VALUE"}
    assert not kept & {edge.number for edge in read(document([other], name="K")).edges}


@pytest.mark.parametrize(
    ("one", "other"), [("Hand rails", "hand rail"), ("Écran", "ecran"), ("EN  1991", "en 1991")]
)
def test_names_that_mean_one_thing_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_a_node_has_one_written_form() -> None:
    assert Node("table", "AD-K", Label(("Table 1.1",)).key).id == "table:AD-K:Table 1.1"


def test_another_name_or_a_bound_is_no_condition() -> None:
    flues = table("Table 3", [["Flue", "Minimum distance (mm)"], ["Minimum from a balanced flue", "600"]])
    rule = clause("1.1", "Where a dwelling has stairs, the width of a door should be at least 750 mm.")
    found = {target for _, target, _ in edges(read(document([rule], [flues], name="J")), "VALID_WHEN")}
    assert not {"concept::chimney", "concept::minimum", "concept::house", "concept::flat"} & found
    assert {"concept:J:where a dwelling has stair", "concept:J:minimum from a balanced flue"} <= found
    assert "concept::balanced flue" in found
