"""How documents stand to one another: what an annex decides, which edition replaces which, as cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.core.document import Box, Clause, Document, Page, Table
from appliance.core.graph import Edge
from appliance.ingest.definitions.document_relations import numbers, overridden, parent_of, settle
from appliance.ingest.overrides import Override
from appliance.ingest.references.find import find_references
from appliance.ingest.references.resolve import index_documents, resolve_external, resolve_internal
from appliance.text.designations import belonging
from tests.factories import clause, document, figure, table

PLACES = ("1.1(2)", "4.1(1)", "5.2(5)", "5.2(7)", "5.2(8)", "5.3.4(3)", "5.3.4(4)", "6.3(2)")
HEADER = ["Subclause", "Nationally Determined Parameter", "Recommendation", "UK decision"]


def relations(
    documents: Sequence[Document], overrides: dict[str, Override] | None = None
) -> tuple[Edge, ...]:
    """The edges between documents and their places."""
    return settle(documents, overrides)[1]


def base(name: str = "EN-1991-1-3", designation: str = "BS EN 1991-1-3:2003") -> Document:
    """A code with clauses, a table, a figure and an annex that an annex may decide about."""
    clauses = [clause(number) for number in ("1.1", "4.1", "5.2", "5.3.4", "6.3")]
    clauses += [clause(key, "text", "paragraph", parent=key.split("(")[0]) for key in PLACES]
    return document(
        [*clauses, clause("Annex B", kind="annex")],
        [table("Table 5.1", [["a", "b"], ["c", "d"]])],
        [figure("Figure C.1")],
        name=name,
        designation=designation,
    )


def annex(
    *clauses: Clause, tables: Sequence[Table] = (), designation: str = "NA to BS EN 1991-1-3:2003"
) -> Document:
    return document(clauses, tables, name="NA-1-3", designation=designation)


def read(*documents: Document) -> tuple[Document, ...]:
    """The documents with their references found and resolved, as a build does."""
    found = [replace(d, references=find_references(d)) for d in documents]
    inside = [replace(d, references=resolve_internal(d.references, d)) for d in found]
    index = index_documents(inside)
    return tuple(replace(d, references=resolve_external(d.references, index)) for d in inside)


def changes(*documents: Document) -> dict[str, str]:
    """What is changed, as "source>target" with the state of the edge."""
    edges = [edge for edge in relations(read(*documents)) if edge.kind == "MODIFIES"]
    return {f"{short(edge.source)}>{short(edge.target)}": edge.state for edge in edges}


def short(node: str) -> str:
    return node.split(":", 2)[2]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("The recommended values in 5.2(7) should be used.", {"NA.2.1>5.2(7)": "accepted"}),
        ("Table NA.1 replaces Table 5.1.", {"NA.2.1>Table 5.1": "accepted"}),
        ("Figure C.1 should not be used.", {"NA.2.1>Figure C.1": "accepted"}),
        ("Annex B may be used.", {"NA.2.1>Annex B": "accepted"}),
        (
            "For 5.3.4(3) and (4) no additional information is provided.",
            {"NA.2.1>5.3.4(3)": "accepted", "NA.2.1>5.3.4(4)": "accepted"},
        ),
        ("Sites on the coast are a concern of 6.3(2).", {"NA.2.1>6.3(2)": "to review"}),
        ("The load is rounded as stated in 4.1(1).", {}),
        ("For high sites see 4.1(1).", {}),
        ("The zone is read from a map.", {}),
    ],
)
def test_a_sentence_of_an_annex_decides_or_merely_cites(words: str, expected: dict[str, str]) -> None:
    assert changes(base(), annex(clause("NA.2.1", words, title="Choices"))) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Exposure coefficient [5.2(7)]", ["5.2(7)"]),
        ("Clause 4.1(1) Characteristic values", ["4.1(1)"]),
        ("Clause 4.2 (1)P, Note 2", ["4.2 (1)P"]),
        ("5.3.4(3) and (4): Multi-span roofs", ["5.3.4(3)", "5.3.4(4)"]),
        ("5.2(7), Table 5.1", ["5.2(7)", "5.1"]),
        ("Modification factor [CODE 3-1:2031, 6.3.2.4 (2)B]", ["6.3.2.4 (2)B"]),
        ("Vertical deflections [7.2.1(1)B]", ["7.2.1(1)B"]),
        ("Buckling lengths [BB.1.3 (3)B]", ["BB.1.3 (3)B"]),
        ("Slips 6.1 (2)BP and 6.2(1) P", ["6.1 (2)BP", "6.2(1) P"]),
        ("5.3.4(3)B, (4)B and (5): Frames", ["5.3.4(3)B", "5.3.4(4)", "5.3.4(5)"]),
        ("Clause BB.2.1(1)B Columns", ["BB.2.1(1)B"]),
        ("Use of Annex BB", ["BB"]),
        ("7.1 (1) Beams", ["7.1 (1)"]),
        ("NA.2.3 Choice", []),
        ("Loads above 4.1 kN and below 12.5", []),
        ("Choices of 2003", []),
        ("A1.2.1(1) Buildings", ["A1.2.1(1)"]),
        ("", []),
    ],
)
def test_the_numbers_in_a_heading(title: str, expected: list[str]) -> None:
    assert [number for _, number in numbers(title)] == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("NDP zu 4.1 (1)P Anmerkung 2", ["4.1(1)"]),
        ("NDP Zu 5.3.4 (3)", ["5.3.4(3)"]),
        ("NDP zu 5.3.4 (3)B Anmerkung 2", ["5.3.4(3)"]),
        ("Clause 5.3.4 (3)B, Note 2", ["5.3.4(3)"]),
        ("NCI zu 5.2", ["5.2"]),
        ("NDP zu Tabelle 5.1", ["Table 5.1"]),
        ("Clause 5.2 (7), Note 2", ["5.2(7)"]),
        ("Clause 5.3.4 (3)P", ["5.3.4(3)"]),
        ("NCI zu Anhang B", ["Annex B"]),
        ("NA.2.2", []),
        ("5.2", []),
    ],
)
def test_a_place_called_after_one_of_the_code_decides_for_it(label: str, expected: list[str]) -> None:
    own = annex(clause(label, "Es gilt der Wert 0,9.", "heading"), designation="DIN EN 1991-1-3/NA:2010-12")
    code = base(designation="DIN EN 1991-1-3:2010-12")
    assert changes(code, own) == {f"{label}>{target}": "accepted" for target in expected}


def test_a_table_of_decisions_is_read_row_by_row() -> None:
    rows = [
        HEADER,
        ["1.1(2)", "Altitude", "1500 m", "as recommended"],
        ["5.2(7) and (8)", "Exposure", "Table 5.1", "See NA.2.2"],
        ["", "coefficient", "", "and its notes"],
        ["9.9(1)", "Nothing", "", ""],
    ]
    found = annex(clause("NA.2.2", "Text.", title="Exposure"), tables=[table("Table NA.1", rows)])
    documents = read(base(), found)
    assert changes(base(), found) == {
        "Table NA.1>1.1(2)": "accepted",
        "Table NA.1>5.2(7)": "accepted",
        "NA.2.2>5.2(7)": "accepted",
        "Table NA.1>5.2(8)": "accepted",
        "NA.2.2>5.2(8)": "accepted",
    }
    quotes = {edge.proof.quote for edge in relations(documents) if edge.proof}
    assert "5.2(7) and (8) | Exposure coefficient | Table 5.1 | See NA.2.2 and its notes" in quotes


def test_a_table_that_decides_nothing_changes_nothing() -> None:
    zones = table("Table NA.2", [["Zone", "Load"], ["5.2(7)", "0.5"], ["2", "0.7"]], title="Zones")
    assert changes(base(), annex(tables=[zones])) == {}


def test_a_decision_quotes_the_sentence_before_it() -> None:
    said = "The value for open land is 0.9 in place of 0.8. The other values of Table 5.1 are adopted."
    (edge,) = modified(base(), annex(clause("NA.2.7", said)))
    assert edge.proof is not None
    assert edge.proof.quote == said


def modified(*documents: Document) -> list[Edge]:
    return [edge for edge in relations(read(*documents)) if edge.kind == "MODIFIES"]


def test_an_annex_to_another_edition_is_to_review() -> None:
    newer = base(designation="BS EN 1991-1-3:2025")
    states = changes(newer, annex(clause("NA.2.1", "Use 0.9 instead of the value in 5.2(7).")))
    assert set(states.values()) == {"to review"}


def test_an_annex_finds_the_edition_that_it_names() -> None:
    now, old = base("NEW", "BS EN 1991-1-3:2025"), base("OLD", "BS EN 1991-1-3:2003")
    belongs = belonging(annex())
    assert belongs is not None
    found = parent_of(belongs, "NA-1-3", (now, old, annex()))
    assert not isinstance(found, str)
    assert found.id == "OLD"
    assert parent_of(belongs, "NA-1-3", (annex(),)) == "BS EN 1991-1-3:2003 is not loaded"
    assert parent_of(belongs, "NA-1-3", (old, replace(old, id="COPY"))) == "several documents: COPY, OLD"


def test_each_row_of_a_table_decides_by_itself() -> None:
    rows = [
        HEADER,
        ["4.1(1)", "Return period, no collapse", "475", "2500 years"],
        ["4.1(1)", "Return period, limited damage", "95", "Use the recommended value"],
        ["4.1(7)", "A value of a paragraph that is not there", "1,1", "1,2"],
    ]
    edges = relations(read(base(), annex(tables=[table("Table NA.1", rows)])))
    said = {(short(edge.target), edge.proof.quote.split(" | ")[1]) for edge in edges if edge.proof}
    assert said == {
        ("4.1(1)", "Return period, no collapse"),
        ("4.1(1)", "Return period, limited damage"),
        ("4.1", "A value of a paragraph that is not there"),
    }
    assert len({edge.number for edge in edges}) == len(edges) == 3


@pytest.mark.parametrize("amended", ["", "+A1", "+A1:2014", "+AC", "+AC:2010"])
@pytest.mark.parametrize("annexed", ["NA", "NA+A1:2014"])
def test_an_amended_annex_decides_for_its_code(annexed: str, amended: str) -> None:
    name = f"BS EN 1991-1-3:2003{amended}"
    own = annex(clause("NA.2.1", "The value in 4.1(1) is 0.9."), designation=f"{annexed} to {name}")
    belongs = belonging(own)
    assert belongs is not None
    for parent in (replace(base(), designation=name), base()):
        found = parent_of(belongs, own.id, (parent, own))
        assert not isinstance(found, str)
        assert (found.id, found.same_edition) == (parent.id, True)
    assert changes(base(), own)["NA.2.1>4.1(1)"] == "accepted"


@pytest.mark.parametrize(
    ("designation", "what"),
    [
        ("NA to BS EN 1991-1-3:2003", "national annex"),
        ("UK National Annex to BS EN 1991-1-3", "national annex"),
        ("NA to BS EN 1992-1-1:2004+A1:2014", "national annex"),
        ("NA+A1:2014 to BS EN 1993-1-1:2005+A1:2014", "national annex"),
        ("DIN EN 1991-1-3/NA:2010", "national annex"),
        ("EN 1991-1-4:2005/A1:2010", "amendment"),
        ("EN 1991-1-4:2005/AC:2010", "amendment"),
        ("Amendment to DC 1-3", "amendment"),
        ("BS EN 1991-1-4:2005+A1:2010", None),
        ("Annex B", None),
        ("DC 1-3:2024", None),
        ("", None),
    ],
)
def test_what_a_document_belongs_to(designation: str, what: str | None) -> None:
    belongs = belonging(document(designation=designation))
    assert (belongs.what if belongs else None) == what


def test_an_amendment_changes_what_its_headings_name() -> None:
    found = annex(
        clause("1", "Replace the first line.", title="Modification to 5.2"),
        clause("2", "Text of 4.1(1).", title="Foreword to 6.3(2)"),
        designation="BS EN 1991-1-3:2003/A1:2015",
    )
    assert changes(base(), found)["1>5.2"] == "accepted"
    assert "2>6.3(2)" not in changes(base(), found)


@pytest.mark.parametrize(
    ("old_says", "new_says", "edges"),
    [
        ("", "This standard supersedes DC 1-3:2011.", [("NEW", "OLD", 1.0)]),
        ("It was superseded by DC 1-3:2024 last year.", "", [("NEW", "OLD", 1.0)]),
        ("", "", [("NEW", "OLD", 0.9)]),
        ("", "It supersedes the map in DC 1-3:2011.", [("NEW", "OLD", 0.9)]),
        ("", "It supersedes DC 9-9:1999.", [("NEW", "OLD", 0.9)]),
    ],
)
def test_which_edition_replaces_which(
    old_says: str, new_says: str, edges: list[tuple[str, str, float]]
) -> None:
    old = document([clause("Foreword", old_says, "front")], name="OLD", designation="DC 1-3:2011")
    new = document([clause("Foreword", new_says, "front")], name="NEW", designation="DC 1-3:2024")
    for order in ((old, new), (new, old)):
        found = [(e.source, e.target, e.confidence) for e in relations(order) if e.kind == "SUPERSEDES"]
        assert found == [(f"document:{a}:", f"document:{b}:", sure) for a, b, sure in edges]


def test_two_volumes_of_two_years_are_only_proposed_as_editions() -> None:
    one = document(name="M1", designation="DC 7:2015")
    two = replace(document(name="M2", designation="DC 7:2016"), title="Other buildings")
    (edge,) = relations((one, two))
    assert edge.state == "to review"
    assert [d.status for d in settle((one, two))[0]] == ["in force", "in force"]


def test_what_is_said_to_be_superseded_is() -> None:
    old = document(name="OLD", designation="DC 1-3:2011")
    new = document([clause("Foreword", "It supersedes DC 1-3:2011.", "front")], name="NEW")
    assert [d.status for d in settle((old, new))[0]] == ["superseded", "in force"]
    fixed = {"OLD": Override(status="in force")}
    told = overridden((old, new), fixed)
    assert [d.status for d in settle(told, fixed)[0]] == ["in force", "in force"]


@pytest.mark.parametrize(
    ("name", "says"),
    [("a typo", "no other is so named"), ("DC 5", "several documents have this name (A, B)"), ("A", "")],
)
def test_a_name_that_comes_to_nothing_is_said(name: str, says: str) -> None:
    loaded = [document(name=id_, designation=f"DC 5:{year}") for id_, year in (("A", 2010), ("B", 2015))]
    new = document(name="NEW", designation="DC 6:2024")
    found, edges = settle((*loaded, new), {"NEW": Override(supersedes=(name,))})
    messages = [problem.message for problem in found[-1].problems]
    assert [says in message and name in message for message in messages] == ([True] if says else [])
    assert (("document:NEW:", "document:A:") in {(e.source, e.target) for e in edges}) is (name == "A")


def test_an_annex_belongs_to_the_edition_that_is_left() -> None:
    base = [clause("5.2(4)", "The value is 0.8.")]
    old = document(base, name="OLD", designation="DC 1-3:2011")
    new = document([*base, clause("Foreword", "It supersedes DC 1-3:2011.", "front")], name="NEW")
    annex = document([clause("NA.2.1", "The value is 0.9.")], name="NA", designation="NA to DC 1-3")
    found, edges = settle((old, new, annex))
    assert [d.status for d in found] == ["superseded", "in force", "in force"]
    assert edges == relations(found)
    assert not any("several documents" in problem.message for problem in found[2].problems)


def test_namesakes_are_a_problem_of_both() -> None:
    one, two = document(name="ONE"), document(name="TWO")
    found = settle((one, two, document(name="X", designation="DC 9:2024")))[0]
    assert ["same designation as" in str(d.problems) for d in found] == [True, True, False]
    assert "TWO" in found[0].problems[0].message


def test_the_problem_of_namesakes_is_boxed_where_the_name_is_printed() -> None:
    front = clause("Foreword", "This is DC  1-3:2024.", "front")
    one, two = document([front], name="ONE"), document(name="TWO")
    third = replace(document(name="THREE"), pages=(Page(1, 595, 842),))  # no clause prints it: its first page
    problems = [d.problems[0] for d in settle((one, two, third))[0]]
    assert [(p.page, p.box) for p in problems] == [
        (front.boxes[0].page, front.boxes[0]),
        (0, None),
        (1, Box(1, 0.0, 0.0, 1.0, 1.0)),
    ]


def test_a_person_who_says_that_each_replaces_the_other_is_told() -> None:
    loaded = [document(name=name, designation=f"DC {name}") for name in ("A", "B", "C")]
    said = {name: Override(supersedes=(other,)) for name, other in (("A", "B"), ("B", "A"), ("C", "A"))}
    found = settle(loaded, said)[0]
    assert ["one of the two must be wrong" in str(d.problems) for d in found] == [True, True, False]


@pytest.mark.parametrize(
    ("said", "told", "followed"),
    [
        ({"A": "B", "B": "C", "C": "A"}, "ABC", set()),
        ({"A": "B", "B": "C", "C": "A", "D": "A"}, "ABC", {("D", "A")}),  # what leads into the circle holds
        ({"A": "B", "B": "C", "C": "D"}, "", {("A", "B"), ("B", "C"), ("C", "D")}),
        ({"A": "B", "B": "C", "C": "D", "D": "A"}, "ABCD", set()),
    ],
)
def test_a_circle_of_editions_is_told_and_not_followed(
    said: dict[str, str], told: str, followed: set[tuple[str, str]]
) -> None:
    loaded = [document(name=name, designation=f"DC {n}") for n, name in enumerate("ABCD")]
    given = {name: Override(supersedes=(other,)) for name, other in said.items()}
    found, edges = settle(loaded, given)
    circles = {one.id for one in found if any("in a circle" in p.message for p in one.problems)}
    assert circles == set(told)
    assert {(edge.source.split(":")[1], edge.target.split(":")[1]) for edge in edges} == followed


def test_annexes_to_one_another_are_not_said_to_be_absent() -> None:
    loaded = [document(name=name, designation=f"DC {name}:2024") for name in ("A", "B")]
    said = {"A": Override(national_annex_to="B"), "B": Override(national_annex_to="A")}
    found = settle(overridden(loaded, said), said)[0]
    assert ["itself belongs to another document" in str(d.problems) for d in found] == [True, True]
    assert "not loaded" not in str([d.problems for d in found])


def test_what_a_person_says_comes_first() -> None:
    said = {
        "MAP": Override(national_annex_to="EN-1991-1-3", designation="Snow map 7:2003"),
        "EN-1991-1-3": Override(status="withdrawn", edition="third", supersedes=("DC 9-9",)),
        "GONE": Override(status="withdrawn"),
    }
    loaded = (
        base(),
        document([clause("NA.2", "Use 0.9 instead of the value in 5.2(7).")], name="MAP"),
        document(name="V", designation="DC 9-9"),
    )
    parent, map_, _ = overridden(loaded, said)
    assert (parent.status, parent.edition) == ("withdrawn", "third")
    assert map_.aliases == ("DC 1-3:2024", "NA to EN-1991-1-3")
    edges = {(e.source, e.kind, e.target) for e in relations(read(*overridden(loaded, said)), said)}
    assert ("clause:MAP:NA.2", "MODIFIES", "clause:EN-1991-1-3:5.2(7)") in edges
    assert ("document:EN-1991-1-3:", "SUPERSEDES", "document:V:") in edges


def test_a_person_tells_an_annex_to_which_of_two_namesakes_it_belongs() -> None:
    found = annex(clause("NA.2", "Use 0.9 instead of the value in 5.2(7)."))
    loaded = (base("ONE"), base("TWO"), found)
    assert changes(*loaded) == {}
    told = overridden(loaded, {"NA-1-3": Override(national_annex_to="TWO")})
    assert {edge.target for edge in modified(*told)} == {"clause:TWO:5.2(7)"}


def test_documents_that_name_one_another_in_a_circle_come_to_an_end() -> None:
    one = document([clause("F", "It supersedes DC 2:2001.", "front")], name="A", designation="DC 1:2001")
    two = document([clause("F", "It supersedes DC 1:2001.", "front")], name="B", designation="DC 2:2001")
    assert len(relations((one, two))) == 1
    own = document(name="NA", designation="NA to NA to DC 1")
    assert relations((own,)) == ()
