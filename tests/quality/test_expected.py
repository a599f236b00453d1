"""Captions, gaps and mentions: what a document says that it holds and that was not found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Document, Label, Reference
from appliance.quality.expected import missing_clauses, missing_items
from tests.factories import box, clause, document, figure, table

WORDS = {"table": ("Table",), "figure": ("Figure", "Diagram")}
ROWS = [["a", "b"], ["1", "2"]]


def mention(number: str, page: int = 1, kind: str = "table", designation: str = "") -> Reference:
    return Reference(
        Label(("1",)), 0, 1, number, kind,  # type: ignore[arg-type]  # one of the literals, as a word
        (box(page),), designation=designation, number=number,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Table 2.1 – Snow loads", ["Table 2.1"]),
        ("Table 2.1: Snow loads", ["Table 2.1"]),
        ("Table 2.1 Snow loads on roofs", ["Table 2.1"]),
        ("Table 2.1 gives the loads.", []),
        ("Table 2.1 The loads are given for all the roofs.", []),  # a sentence
        ("Table 2.1", []),
        ("In Table 2.1 – see there", []),
        ("Table 1.1 – Found already", []),
        ("Tables 2.1 – Snow loads", []),
        ("Figure 2.1 – A picture", []),  # of the other kind
    ],
)
def test_captions_left_in_the_text(text: str, missing: list[str]) -> None:
    lost = missing_items(document([clause("1", text)], [table("Table 1.1", ROWS)]), "table", WORDS)
    assert lost.names == missing
    assert [reason.kind for reason in lost.reasons] == ["caption"] * len(missing)


def test_the_strongest_witness_alone_is_told() -> None:
    """A caption goes before a gap, a gap before a mention; each missing item once."""
    code = replace(
        document(
            [clause("1", "Table 2 – Snow", page=3)],
            [table("Table 1", ROWS, page=1), table("Table 4", ROWS, page=9), table("Table 5", ROWS, page=9)],
        ),
        references=(mention("Table 2"), mention("Table 3"), mention("Table 7", 2), mention("Table 8", 2)),
    )
    lost = missing_items(code, "table", WORDS)
    assert (lost.names, lost.spoken) == (["Table 2", "Table 3"], ["Table 7", "Table 8"])
    told = {(reason.kind, reason.page) for reason in lost.reasons}
    assert told == {("caption", 3), ("gap", 1), ("gap", 9), ("mention", 2)}
    assert "Table 7 and Table 8 are spoken of here and not found." in [r.words for r in lost.reasons]


@pytest.mark.parametrize(
    "reference",
    [
        mention("Table 7", designation="EN 1990"),
        mention("Table"),
        mention("Figure 7", kind="figure"),
        replace(mention("Table 7"), status="resolved"),
        mention("Table 1"),
    ],
)
def test_what_is_no_mention_of_a_missing_table(reference: Reference) -> None:
    code = replace(document([], [table("Table 1", ROWS)]), references=(reference,))
    assert missing_items(code, "table", WORDS).spoken == []


def test_a_gap_is_looked_for_on_the_pages_between() -> None:
    near = document([], [], [figure("Figure 1", page=2), figure("Figure 3", page=4)])
    assert [reason.page for reason in missing_items(near, "figure", WORDS).reasons] == [2, 3, 4]
    far = document([], [], [figure("Figure 1", page=2), figure("Figure 3", page=40)])
    assert [reason.page for reason in missing_items(far, "figure", WORDS).reasons] == [2, 40]


def test_parts_of_a_table_stand_for_it_and_made_up_names_have_no_gaps() -> None:
    names = ("Table A1", "Table A2.1", "Table A2.2", "Table A3")
    made_up = [replace(table(f"Table on page {page}", ROWS), captioned=False) for page in (9, 12)]
    tables = [*(table(name, ROWS) for name in names), *made_up]
    assert missing_items(document([], tables), "table", WORDS).names == []


def clauses(*keys: str) -> Document:
    return document([clause(key, "Text.", page=page) for page, key in enumerate(keys, 1)])


def test_skipped_clause_numbers() -> None:
    lost = missing_clauses(clauses("1", "1.1", "1.2", "1.4", "2"))
    assert lost.names == ["1.3"]
    assert lost.reasons[0].words == "Clause 1.3 was not found between 1.2 (page 3) and 1.4 (page 4)."
    requirements = [clause(f"Requirement K{n}", "x", kind="requirement") for n in (1, 2, 4)]
    assert missing_clauses(document(requirements)).names == []


@pytest.mark.parametrize(
    ("numbers", "spoken"),
    [
        (("Section B1", "Section B2", "Section B3.1"), ["Section B1", "Section B2", "Section B3.1"]),
        (("7.1", "7.2", "7.2.1(3)"), ["Clause 7.1", "Clause 7.2", "Clause 7.2.1(3)"]),
        (("Section B1", "Section C2", "7.1"), []),  # of as many chapters: slips, or parts of a law
        (("Section B1", "Section B1", "Section B2"), []),
        (("Section 19", "Section 46", "Section 47"), []),  # of an Act
    ],
)
def test_a_chapter_that_is_spoken_of_and_missing_is_told(numbers: tuple[str, ...], spoken: list[str]) -> None:
    named = tuple(replace(mention(number, kind="clause"), status="unresolved") for number in numbers)
    lost = missing_clauses(replace(clauses("1", "1.1"), references=named))
    assert (lost.names, lost.spoken) == ([], spoken)
    assert bool(lost.reasons) is bool(spoken)
    cells = replace(
        clauses("1"), references=named, tables=(replace(table("Table 1", ROWS), label=named[0].source),)
    )
    assert missing_clauses(cells).spoken == []  # a column of another code's numbers
    solved = tuple(replace(reference, status="resolved") for reference in named)
    assert missing_clauses(replace(clauses("1", "1.1"), references=solved)).spoken == []
