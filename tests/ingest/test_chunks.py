"""Places to show and parts to search."""

from __future__ import annotations

import pytest

from appliance.core.document import Chunk, ClauseKind, Document, Reference
from appliance.ingest.chunking import MOST, make_chunks, tokens
from tests import factories as make

SENTENCE = "The load on the roof shall be taken as the value that the table gives for it. "


def long(sentences: int) -> str:
    return (SENTENCE * sentences).strip()


def parents(document: Document) -> list[Chunk]:
    return [chunk for chunk in make_chunks(document) if chunk.parent is None]


def labels(chunk: Chunk) -> list[str]:
    return [label.key for label in chunk.labels]


TREE = make.document(
    [
        make.clause("Section 1", kind="section", title="Loads"),
        make.clause("Scope", kind="heading", title="Scope", parent="Section 1", top=0.15),
        make.clause("1.1", "Short rule.", parent="Scope", top=0.2),
        make.clause("1.2", "These hold:", parent="Scope", top=0.3),
        make.clause("1.2a", "on roofs;", "item", parent="1.2", top=0.35),
        make.clause("1.2b", "on floors.", "item", parent="1.2", top=0.4),
        make.clause("Use", kind="heading", title="Use", parent="Section 1", top=0.5),
        make.clause("1.3", long(4), parent="Use", top=0.55),
        make.clause("1.4", long(80), parent="Use", top=0.6, page=2),
    ]
)


def test_a_clause_is_shown_with_what_hangs_on_it_and_short_neighbours_share() -> None:
    first = parents(TREE)[1]
    assert labels(first) == ["Section 1", "Scope", "1.1", "1.2", "1.2a", "1.2b"]
    assert "1.1 Short rule." in first.passage.text
    assert first.context == ("Snow loads", "Section 1 Loads", "Scope")


def test_every_label_of_the_tree_is_shown_somewhere() -> None:
    shown = {label for chunk in make_chunks(TREE) for label in chunk.labels}
    assert shown == {clause.label for clause in TREE.clauses}


def test_no_place_is_longer_than_allowed_and_none_is_cut_inside_a_sentence() -> None:
    places = parents(TREE)
    assert all(tokens(place.passage.text) <= MOST for place in places)
    parts = [place for place in places if "1.4" in labels(place)]
    assert len(parts) > 1
    assert all(part.passage.text.endswith("for it.") for part in parts)


def test_children_follow_their_parent_and_stand_inside_it() -> None:
    chunks = make_chunks(TREE)
    for position, chunk in enumerate(chunks):
        if chunk.parent is not None:
            parent = chunks[chunk.parent]
            assert chunk.parent < position
            assert parent.parent is None
            assert chunk.passage.text in parent.passage.text
            assert set(chunk.labels) <= set(parent.labels)


def test_passages_keep_their_lines() -> None:
    for chunk in make_chunks(TREE):
        assert chunk.boxes
        assert all(0 <= span.start < span.end <= len(chunk.passage.text) for span in chunk.passage.lines)


def test_an_item_is_searched_with_the_sentence_it_hangs_on() -> None:
    items = [make.clause(f"1.1{mark}", long(4), "item", parent="1.1") for mark in "abcd"]
    document = make.document([make.clause("1.1", long(3) + " Guard these:"), *items])
    children = [chunk for chunk in make_chunks(document) if chunk.parent is not None]
    assert [chunk.extra for chunk in children[-3:]] == ["Guard these:"] * 3


ROWS = [["Stair", "Rise (mm)", "Going (mm)"], ["Private", "220", "220"], ["Utility", "190", "250"]]


def test_a_table_is_one_place_and_each_row_is_searched_with_its_heads() -> None:
    table = make.table("Table 1.1", ROWS, "Rise and going", notes=[("1", "At most 42°.")], clause="1.1")
    chunks = make_chunks(make.document([make.clause("1.1", "See Table 1.1.")], [table]))
    tables = [chunk for chunk in chunks if chunk.kind == "table"]
    assert tables[0].passage.text.startswith("Table 1.1 Rise and going\nPrivate: Rise (mm) 220")
    assert "At most 42°." in tables[0].passage.text
    assert [chunk.row for chunk in tables[1:]] == [None, None, 1, 2, None]
    assert tables[3].passage.text.startswith("Private: Rise (mm) 220")
    assert "Going (mm) 220" in tables[3].passage.text


def test_a_very_long_table_is_cut_between_rows_under_its_caption() -> None:
    rows = [ROWS[0], *([f"Stair of kind {n}", f"{n}", long(2)] for n in range(40))]
    places = parents(make.document([], [make.table("Table 9", rows, "All stairs")]))
    assert len(places) > 1
    assert all(place.passage.text.startswith("Table 9 All stairs\n") for place in places)
    assert all(tokens(place.passage.text) <= MOST for place in places)
    assert sum(place.passage.text.count("Stair of kind") for place in places) == 40


def test_a_figure_is_shown_with_the_paragraphs_that_refer_to_it() -> None:
    figure = make.figure("Figure 5.1", "Drift", "h\nls", clause="5.1")
    clause = make.clause("5.1", "The drift follows Figure 5.1.")
    reference = Reference(
        clause.label, 18, 28, "Figure 5.1", "figure", clause.boxes, target=figure.label, status="resolved"
    )
    document = make.document([clause], figures=[figure])
    place = next(c for c in make_chunks(_with(document, reference)) if c.kind == "figure")
    assert labels(place) == ["Figure 5.1", "5.1"]
    assert place.passage.text == "Figure 5.1 Drift\nh\nls\nThe drift follows Figure 5.1."


def _with(document: Document, reference: Reference) -> Document:
    from dataclasses import replace

    return replace(document, references=(reference,))


@pytest.mark.parametrize("kind", ["clause", "paragraph", "item"])
def test_definitions_share_a_place_and_are_not_shown_twice(kind: ClauseKind) -> None:
    clauses = [
        make.clause("1.5", kind="section", title="Definitions"),
        make.clause("1.5.1", "what lies on the ground", kind, title="ground load", parent="1.5", top=0.2),
        make.clause("1.5.2", "what lies on the roof", kind, title="roof load", parent="1.5", top=0.3),
    ]
    terms = [make.term("ground load", "what lies on the ground", top=0.2)]
    terms += [make.term("roof load", "what lies on the roof", top=0.3)]
    places = parents(make.document(clauses, terms=terms))
    shown = "\n".join(place.passage.text for place in places)
    assert shown.count("what lies on the roof") == 1
    held = [labels(place) for place in places if place.kind == "definition"]
    assert held == [["ground load", "1.5.1", "roof load", "1.5.2"]]


def test_definitions_outside_every_clause_are_shown_too() -> None:
    places = parents(make.document(terms=[make.term("alone", "without a clause")]))
    assert [labels(place) for place in places] == [["alone"]]


def test_a_formula_belongs_to_its_clause() -> None:
    formula = make.formula("(5.1)", "s = mu Ce Ct sk", "sk is the load on the ground", clause="5.2")
    clause = make.clause("5.2", "The load is: s = mu Ce Ct sk (5.1)")
    places = parents(make.document([clause], formulas=[formula]))
    assert set(labels(places[0])) == {"5.2", "(5.1)"}
    assert places[0].passage.text.count("s = mu Ce Ct sk") == 1  # as printed, not written again


@pytest.mark.parametrize(
    "document",
    [
        make.document(),
        make.document([make.clause("1", "")]),
        make.document([make.clause("1", "x", parent="1")]),
        make.document([make.clause("1.1", "word " * 5000)]),
        make.document([], [make.table("Table 1", [])]),
        make.document(terms=[make.term("alone", "without a clause")]),
    ],
    ids=["empty", "no text", "its own parent", "one endless sentence", "no cells", "no clauses"],
)
def test_odd_documents_are_survived(document: Document) -> None:
    places = parents(document)
    assert all(tokens(place.passage.text) <= MOST for place in places)


def test_a_searched_part_never_holds_the_text_of_two_clauses() -> None:
    document = make.document(
        [
            make.clause("5.3", "", title="Shapes", kind="section"),
            make.clause("5.3.1", "Monopitch roofs have one arrangement.", title="Monopitch", parent="5.3"),
            make.clause("5.3.2", "Duopitch roofs have three.", title="Duopitch", parent="5.3"),
        ]
    )
    children = [chunk for chunk in make_chunks(document) if chunk.parent is not None]
    texts = [child.passage.text for child in children]
    assert any("Monopitch roofs" in text for text in texts)
    assert not any("Monopitch roofs" in text and "Duopitch" in text for text in texts)
    assert all(child.passage.text != "5.3.2 Duopitch" for child in children)
