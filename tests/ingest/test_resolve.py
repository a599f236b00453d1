"""What references point to: one place, or none with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import ClauseKind, Document, Reference, TableNote
from appliance.ingest.references.find import find_references
from appliance.ingest.references.resolve import (
    index_documents,
    resolve_external,
    resolve_internal,
    resolve_on_sites,
)
from appliance.text.designations import fold_designation
from tests import factories as make

CODE = make.document(
    [
        *make.spread(
            {"1.2": "", "5.2": "", "5.2(3)": "", "5.2(103)": "", "5.3.2": "", "5.3.2(7)": "", "6.3": ""}
        ),
        *make.spread({"Section 3": ""}, "section"),
        *make.spread({"Annex B": ""}, "annex"),
    ],
    [make.table("Table 5.1", [["x"]]), make.table("Table 5.8", [["x"]])],
    [make.figure("Figure 5.1")],
    [make.formula("(5.1)", "s = mu")],
)


def resolved(text: str, document: Document = CODE, source: str = "9.9") -> list[Reference]:
    whole = replace(document, clauses=(*document.clauses, make.clause(source, text)))
    references = [r for r in find_references(whole) if r.source.key == source]
    return list(resolve_internal(references, whole))


@pytest.mark.parametrize(
    ("text", "target", "reason"),
    [
        ("see 5.3.2(7)P", "5.3.2(7)", ""),
        ("see 5.3.2(9)", "5.3.2", "the place that holds 5.3.2(9)"),
        ("see 5.2 (103)P", "5.2(103)", ""),
        ("see 5.2(104)", "5.2", "the place that holds 5.2(104)"),
        ("see 5.2(3)P a)", "5.2(3)", "the place that holds 5.2(3)Pa)"),
        ("Table 5.1 a", "Table 5.1", ""),
        ("Figure 5.1b", "Figure 5.1", ""),
        ("Figure 5.1B", "Figure 5.1", ""),
        ("Formula (5.1)", "(5.1)", ""),
        ("expression (5.1)", "(5.1)", ""),
        ("Section 3", "Section 3", ""),
        ("Annex B", "Annex B", ""),
        ("clause 5.2", "5.2", ""),
        ("Annex 8", None, "no such annex in this document"),
        ("clause 7.7.7", None, "no such clause in this document"),
        ("Annex C", None, "no such annex in this document"),
    ],
)
def test_inside(text: str, target: str | None, reason: str) -> None:
    references = resolved(text)
    if not references:
        assert target is None
        return
    (reference,) = references
    assert (reference.target.key if reference.target else None, reference.reason) == (target, reason)
    assert reference.status == ("resolved" if target else "unresolved")


@pytest.mark.parametrize("word", ["Schedule", "SCHEDULE"])
def test_an_annex_with_a_word_and_number_is_no_clause_of_that_number(word: str) -> None:
    annexes = make.spread({f"{word} 1": "", f"{word} 2": ""}, "annex")
    code = make.document([*make.spread({"1": "", "2": "", "3": ""}), *annexes], family="decimal")
    found = resolved("as in Schedule 2, not in Schedule 3", code)
    assert [(one.target.key if one.target else None) for one in found] == [f"{word} 2", None]


def test_the_number_of_a_section_may_end_in_a_letter_behind_its_chapter() -> None:
    places = ["§ 841-3", "§ 841-3K", "§ 841-6", "§ 841-6J"]
    code = make.document(make.spread(dict.fromkeys(places, "")), family="decimal")
    found = resolved("Section 841-3K and § 841-6J(2)", code)
    assert [(one.target.key if one.target else None) for one in found] == ["§ 841-3K", "§ 841-6J"]


def test_a_letter_in_brackets_is_the_item_where_there_is_one() -> None:
    parts = make.spread({"4.1": "", "4.1(1)": "", "4.1(2)": "", "4.1(2)l": ""})
    code = make.document(parts, family="eurocode")
    (reference,) = resolved("see (l)", code, "4.1(2)")
    assert reference.target is not None
    assert reference.target.key == "4.1(2)l"


@pytest.mark.parametrize("words", ["in subsection 1", "under subsections 2 and 3"])
def test_a_part_that_is_counted_and_not_numbered_is_its_clause(words: str) -> None:
    code = make.document([*make.spread({"Section 1": ""}, "section")], family="decimal")
    whole = replace(code, clauses=(*code.clauses, make.clause("Section 3", f"As {words}.", kind="section")))
    references = resolve_internal(find_references(whole), whole)
    assert {str(reference.target) for reference in references} == {"Section 3"}


@pytest.mark.parametrize(
    ("label", "kind", "text"),
    [
        ("1.2b(ii)", "item", "see 1.2(b)(ii)"),
        ("22.2a(1)(ii)", "item", "see 22.2a)1)ii)"),
        ("22.2a(2)", "item", "This does not apply to 22.2a)2)."),
        ("9.8.2.1.(2)", "paragraph", "see 9.8.2.1.(2)"),
        ("SECTION 2", "section", "see Section 2"),
        ("B-1.1", "clause", "see B-1.1"),
    ],
)
def test_a_place_is_found_however_its_brackets_and_words_are_printed(
    label: str, kind: ClauseKind, text: str
) -> None:
    places = [make.clause(label, kind=kind), make.clause("2", kind="section"), make.clause("9.1", text)]
    document = make.document(places, family="decimal")
    (reference,) = resolve_internal(find_references(document), document)
    assert str(reference.target) == label


def test_a_formula_with_a_hyphen_is_no_part() -> None:
    document = make.document(
        [make.clause("9.1", "by Equation B3-1, and by Equation B3-2.")], family="decimal"
    )
    document = replace(document, formulas=(make.formula("(B3-1)", "R = v"),))
    found = resolve_internal(find_references(document), document)
    assert [str(reference.target) for reference in found] == ["(B3-1)", "None"]


def test_two_candidates_are_named_and_none_is_taken() -> None:
    document = make.document([make.clause("H1/2.1"), make.clause("H2/2.1")], family="approved_document")
    (reference,) = resolved("see paragraph 2.1", document, "0.1")
    assert (reference.target, reference.reason) == (None, "2 candidates: H1/2.1, H2/2.1")


def test_the_same_part_comes_first() -> None:
    document = make.document([make.clause("H1/2.1"), make.clause("H2/2.1")], family="approved_document")
    (reference,) = resolved("see paragraph 2.1", document, "H2/1.1")
    assert reference.target == make.label("H2/2.1")


def test_a_table_without_caption_is_no_candidate() -> None:
    loose = replace(make.table("Table on page 8", [["x"]]), captioned=False)
    document = make.document([], [make.table("Table 8", [["x"]]), loose])
    assert [str(reference.target) for reference in resolved("see Table 8", document)] == ["Table 8"]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("see Table 5.3(A)", ["Table 5.3(A)"]),
        ("see Tables 5.3(A) to 5.3(C)", ["Table 5.3(A)", None, None]),
        ("see Table 5.3(B)", [None]),
        ("see Table 5.2(B)", [None]),  # 5.2 and 5.2(A) are two tables
        ("see Table 5.2", ["Table 5.2"]),
        ("see Table 307.1(2)", [None]),
        ("see Table 5.4(b)", ["Table 5.4"]),  # no other is called so: a part of it
        ("see Figure 5.3(b)", ["Figure 5.3"]),
    ],
)
def test_a_table_of_another_bracket_is_another_table(text: str, targets: list[str | None]) -> None:
    tables = [
        make.table(f"Table {n}", [["x"]]) for n in ("5.2", "5.2(A)", "5.3(A)", "5.4", "307.1(1)", "307.1(3)")
    ]
    document = make.document([], tables, [make.figure("Figure 5.3")])
    found = [reference.target and str(reference.target) for reference in resolved(text, document)]
    assert found == targets


@pytest.mark.parametrize("words", ["Figure B1 and B2(2)", "Figures B1 and B2(2)"])
def test_a_paragraph_in_a_list_of_figures_is_the_clause(words: str) -> None:
    figures = [make.figure("Figure B1"), make.figure("Figure B2")]
    document = make.document([make.clause("B2"), make.clause("B2(2)")], figures=figures, family="eurocode")
    targets = [str(reference.target) for reference in resolved(f"is given in {words}.", document)]
    assert targets == ["Figure B1", "B2(2)"]


@pytest.mark.parametrize(
    ("figures", "text", "target"),
    [
        (("Diagram 2", "Figure 2"), "see Diagram 2", "Diagram 2"),
        (("Diagram 2", "Figure 2"), "see Fig. 2", "Figure 2"),
        (("Diagram 1", "Figure 2"), "see Diagram 2", None),
        (("Diagram 2",), "see Figure 2", "Diagram 2"),
        (("Figure 2", "Figure 3"), "see Diagram 3", "Figure 3"),
    ],
)
def test_figures_and_diagrams_are_told_apart_where_a_document_has_both(
    figures: tuple[str, ...], text: str, target: str | None
) -> None:
    document = make.document([], figures=[make.figure(name) for name in figures], family="approved_document")
    (reference,) = resolved(text, document)
    assert (reference.target and str(reference.target)) == target


GUIDE = make.document(
    [*make.spread({"2": "", "3": "", "3.1": ""}), *make.spread({"Part A": ""}, "part")],
    [make.table(f"Table {n}", [["x"]]) for n in ("3", "4.4a", "4.4b", "4.5", "5.2", "5.2 (2)", "5.2 (3)")],
    [make.figure("Figure 1")],
    [make.formula(f"({n})", "a = b") for n in ("6.9a", "6.9b", "6.10", "6.10a", "6.10b", "6.11")],
    family="decimal",
    designation="HTM 04-01 Part A",
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see Part B, Chapter 3.", [("Part B", None), ("Chapter 3", None)]),
        ("see Part B, Table 3.", [("Part B", None), ("Table 3", None)]),
        ("see Chapter 3 of Part B.", [("Chapter 3 of Part B", None)]),
        ("see Chapter 3.", [("Chapter 3", "3")]),
        ("in HTM 04-01 Part C and in Figure 1.", [("HTM 04-01 Part C", None), ("Figure 1", "Figure 1")]),
        ("dealt with in HSG274, and", [("HSG274", None)]),
        ("dealt with in SS 553:2016 and CS2:2012.", [("SS 553:2016", None), ("CS2:2012", None)]),
        ("clause 3.1 of SS 553", [("clause 3.1 of SS 553", None)]),
        ("see the Code of Practice for Means of Escape in Buildings 2011, Clause 3.1", [
            ("Code of Practice for Means of Escape in Buildings 2011, Clause 3.1", None),
        ]),
        ("see Graph 3.1", [("Graph 3.1", None)]),
        ("see UB 305 and IPE 300", []),
        ("those of 3.1 a) and b) too", [("3.1 a)", "3.1"), ("b)", "3.1")]),




        ("Table 5.2 sheet metal", [("Table 5.2", "Table 5.2")]),
    ],
)  # fmt: skip
def test_parts_and_values(text: str, found: list[tuple[str, str | None]]) -> None:
    read = resolved(text, GUIDE)
    assert [(one.text, one.target.key if one.target else None) for one in read] == found


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("sections 2,3 and 9", ["2", "3", None]),
        ("Tables 4.4a to 4.9", ["Table 4.4a", None]),
    ],
)
def test_sheets_and_ranges(text: str, targets: list[str | None]) -> None:
    read = resolved(f"{text} apply.", GUIDE)
    assert [one.target.key if one.target else None for one in read] == targets
    assert {one.text for one in read} == {text}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # not clause 4.2
        ("given by (4.1).", [("formula", "(4.1)", "(4.1)")]),
        ("see (5.3).", [("clause", "5.3", "5.3")]),  # no formula is numbered so
        ("(see 4.2)", [("clause", "4.2", "4.2")]),
    ],
)
def test_a_number_in_brackets_is_a_formula_where_formulas_are_numbered_so(
    text: str, found: list[tuple[str, str, str | None]]
) -> None:
    code = make.document(make.spread({"4.2": "", "5.3": ""}), formulas=[make.formula("(4.1)", "a = b")])
    read = resolved(text, code)
    assert [(one.kind, one.text, one.target.key if one.target else None) for one in read] == found


def test_a_chapter_of_a_named_part_is_that_of_the_part() -> None:
    parts = make.spread({"Part A": "", "Part B": ""}, "part")
    chapters = make.spread({"Part A/3": "", "Part B/3": "", "Part A/4": ""}, "section")
    document = make.document([*parts, *chapters], family="decimal")
    assert [r.target and r.target.key for r in resolved("see Part B, Chapter 3", document, "Part A/1.1")] == [
        "Part B",
        "Part B/3",
    ]
    assert [r.target and r.target.key for r in resolved("see Part B, Chapter 4", document)] == [
        "Part B",
        None,
    ]


def test_a_named_part_is_not_left_for_another() -> None:
    document = make.document(
        [make.clause("H1/2.1"), make.clause("H2/2.1"), make.clause("H2/2.9")], family="approved_document"
    )
    assert [str(r.target and r.target.key) for r in resolved("see H1-2.1", document, "H2/1.1")] == ["H1/2.1"]


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("as in the following table", "Table 2"),
        ("as in the table above", "Table 1"),
        ("as in the diagram above", "Figure 1"),
        ("within this section", "Section 1"),
        ("the previous paragraph", "1.1"),
        ("the figure below", None),
    ],
)
def test_position_words(words: str, target: str | None) -> None:
    document = make.document(
        [
            make.clause("Section 1", kind="section", top=0.05),
            make.clause("1.1", parent="Section 1", top=0.1),
            make.clause("1.2", f"Loads {words} hold.", parent="Section 1", top=0.5),
        ],
        [make.table("Table 1", [["x"]], top=0.3), make.table("Table 2", [["x"]], top=0.7)],
        [make.figure("Figure 1", top=0.2)],
    )
    (reference,) = resolve_internal(find_references(document), document)
    assert (reference.target.key if reference.target else None) == target
    assert reference.kind == "relative"


def test_a_requirement_or_annex_is_the_section_where_no_section_encloses_the_words() -> None:
    document = make.document(
        [
            make.clause("Requirement S1", "This section deals with it.", kind="requirement"),
            make.clause("Section 2", kind="section", parent="Requirement S1"),
            make.clause("2.1", "As this section says.", parent="Section 2"),
            make.clause("9.1", "As this section says."),
            make.clause("Annex F", kind="annex"),
            make.clause("F.1", "As this section says.", parent="Annex F"),
        ]
    )
    for family, annex in (("approved_document", "None"), ("eurocode", "Annex F")):
        code = replace(document, family=family)
        targets = [str(r.target and r.target.key) for r in resolve_internal(find_references(code), code)]
        assert targets == ["Requirement S1", "Section 2", "None", annex]


def outside(text: str, *others: Document) -> Reference:
    document = make.document([make.clause("1.1", text)], family="approved_document", name="AD-K")
    document = replace(document, designation="Approved Document K")
    (reference,) = find_references(document)[-1:]
    (answer,) = resolve_external((reference,), index_documents((document, *others)))
    return answer


SNOW = replace(CODE, id="EC1-1-3", designation="BS EN 1991-1-3:2003+A1:2015", edition="2003")
OLD = replace(SNOW, id="old", designation="ENV 1991-1-3", edition="1995")
ACCESS = make.document(
    [make.clause("Requirement M4(1)", kind="requirement"), make.clause("3.1")],
    name="AD-M1",
    designation="Approved Document M Volume 1",
    family="approved_document",
)


@pytest.mark.parametrize(
    ("text", "document", "target", "status"),
    [
        ("see EN 1991-1-3, 6.3", "EC1-1-3", "6.3", "resolved"),
        ("BS EN 1991-1-3:2003, Table 5.1", "EC1-1-3", "Table 5.1", "resolved"),
        ("EN 1991-1-3", "EC1-1-3", None, "resolved"),
        ("EN 1991-1-3:2025, 6.3", None, None, "not_loaded"),
        ("EN 1991-1-3, 9.9", "EC1-1-3", None, "unresolved"),
        ("EN 1991-1-4, 6.3", None, None, "not_loaded"),
        ("NA to BS EN 1991-1-3", None, None, "not_loaded"),
        ("Approved Document M", "AD-M1", None, "resolved"),
        ("Approved Document M, Volume 1", "AD-M1", None, "resolved"),
        ("Approved Document M, Volume 2", None, None, "not_loaded"),
        ("Part M", "AD-M1", None, "resolved"),
        ("requirement M4(1)", "AD-M1", "Requirement M4(1)", "resolved"),
        ("Building Act 1984", None, None, "not_loaded"),
    ],
)
def test_outside(text: str, document: str | None, target: str | None, status: str) -> None:
    reference = outside(text, SNOW, OLD, ACCESS)
    assert reference.status == status
    assert (reference.document, reference.target.key if reference.target else None) == (document, target)
    assert bool(reference.reason) == (status != "resolved")


@pytest.mark.parametrize(
    ("text", "designation", "target"),
    [
        ("see BS 8110-1, clause 6.3", "BS 8110: Part 1: 1985", "6.3"),
        ("see IS 875 (Part 3)", "IS 875-3:1987", None),
    ],
)
def test_a_part_of_a_standard_is_the_document(text: str, designation: str, target: str | None) -> None:
    reference = outside(text, replace(SNOW, id="part", designation=designation))
    assert (reference.status, reference.document) == ("resolved", "part")
    assert (reference.target.key if reference.target else None) == target


def test_a_grade_is_no_clause_of_its_standard() -> None:
    for text in ("steel S355 to EN 10025-2", "S275JR to BS EN 10025-2:2019"):
        (reference,) = resolved(text)
        assert (reference.kind, reference.text) == ("document", text.partition(" to ")[2])


def test_an_undated_reference_goes_to_the_edition_in_force() -> None:
    old = replace(SNOW, id="older", designation="EN 1991-1-3:1999", edition="1999", status="superseded")
    assert outside("EN 1991-1-3, 6.3", SNOW, old).document == "EC1-1-3"
    assert outside("EN 1991-1-3:1999, 6.3", SNOW, old).document == "older"


def test_resolving_again_forgets_a_document_that_is_gone() -> None:
    before = outside("EN 1991-1-3, 6.3", SNOW)
    (after,) = resolve_external((before,), index_documents((ACCESS,)))
    assert (after.status, after.document, after.target) == ("not_loaded", None, None)


def test_two_documents_of_one_name_leave_it_open() -> None:
    twin = replace(SNOW, id="twin")
    reference = outside("EN 1991-1-3, 6.3", SNOW, twin)
    assert (reference.status, reference.reason) == ("unresolved", "several documents: EC1-1-3, twin")


@pytest.mark.parametrize(
    ("stem", "designation", "text", "document", "status"),
    [
        ("na-EN1991-1-3", "NA to BS EN 1991-1-3:2003", "EN 1991-1-3, 6.3", "EC1-1-3", "resolved"),
        ("UK-NA_to_BS EN1991-1-3", "NA to BS EN 1991-1-3:2003", "EN 1991-1-3", "EC1-1-3", "resolved"),
        ("NA-EN1991-1-3", "", "EN 1991-1-3, 6.3", "EC1-1-3", "resolved"),
        ("UK NA EN1991-1-3", "", "NA to EN 1991-1-3, 6.3", "UK NA EN1991-1-3", "resolved"),
        ("EN1991-1-3", "EN 1991-1-4:2005", "EN 1991-1-3, 6.3", "EC1-1-3", "resolved"),
        ("EN1991-1-5", "", "EN 1991-1-5, 6.3", "EN1991-1-5", "resolved"),
        ("EN1991-1-5", "EN 1991-1-6", "EN 1991-1-5, 6.3", "EN1991-1-5", "resolved"),
        ("na-EN1991-1-5", "NA to BS EN 1991-1-5", "EN 1991-1-5, 6.3", None, "not_loaded"),
        ("EN1991-1-3", "", "EN 1991-1-3, 6.3", None, "unresolved"),
    ],
)
def test_what_is_printed_goes_before_the_name_of_the_file(
    stem: str, designation: str, text: str, document: str | None, status: str
) -> None:
    reference = outside(text, SNOW, replace(SNOW, id=stem, designation=designation))
    assert (reference.document, reference.status) == (document, status)


@pytest.mark.parametrize(
    ("texts", "key"),
    [
        (("EN 1991-1-3", "BS EN 1991-1-3:2003", "EC1-1-3", "en1991-1-3", "EN 1991·1·3"), "EN1991-1-3"),
        (("Approved Document K", "AD K", "AD-K", "Part K"), "APPROVEDDOCUMENTK"),
        (("Approved Document F, Volume 1: Dwellings", "Approved Document F Volume 1"), None),
        (("BS EN 1990:2002+A1:2005", "Eurocode 0", "EC0"), None),
    ],
)
def test_names_of_one_document_are_one(texts: tuple[str, ...], key: str | None) -> None:
    keys = {fold_designation(text).key for text in texts}
    assert len(keys) == 1
    assert key in (None, *keys)


def loaded(*texts: tuple[str, str, str]) -> list[Document]:
    """Documents by id, designation and the text of their clause 1.1, linked to one another."""
    documents = [
        make.document(
            [make.clause("1.1", text), make.clause("1.2")],
            name=name,
            designation=designation,
            family="eurocode",
        )
        for name, designation, text in texts
    ]
    inside = [replace(d, references=resolve_internal(find_references(d), d)) for d in documents]
    index = index_documents(inside)
    return [replace(d, references=resolve_external(d.references, index)) for d in inside]


SITE = {
    "https://law.example/title-5/article-3/": ["Article 3", "Section 5302"],
    "https://law.example/title-5/article-3/section-5302": ["Article 3", "Section 5302: The load is 2 kN."],
    "https://law.example/title-5/article-4/section-5401": ["Article 4", "Section 5401: {words}"],
    "https://law.example/title-6/section-5302": ["Section 5302: Lamps."],
    "https://law.example/title-6/section-6001": ["Section 6001: A."],
    "https://law.example/title-7/section-6001": ["Section 6001: B."],
    "https://other.example/title-5/section-7001": ["Section 7001: C."],
}


@pytest.mark.parametrize(
    ("words", "page", "target", "reason"),
    [
        ("As in Section 5302.", 1, "Section 5302", ""),  # not the page above, which only lists it
        ("As in Section 5302(a).", 1, "Section 5302", "the place that holds 5302(a)"),
        ("As in Article 3.", 0, "Article 3", ""),  # of the pages that print it, the one above the others
        ("As in Section 6001.", None, None, "2 pages of the site have it"),
        ("As in Section 7001.", None, None, "no such section in this document"),
    ],
)
def test_what_a_web_page_lacks_is_on_the_nearest_page_of_its_site(
    words: str, page: int | None, target: str | None, reason: str
) -> None:
    documents = []
    for number, (address, places) in enumerate(SITE.items()):
        parted = [place.format(words=words).partition(": ") for place in places]
        over = [None, *(label for label, _, _ in parted)]
        clauses = [
            make.clause(label, text, kind="clause" if label[0] == "A" else "section", parent=parent)
            for (label, _, text), parent in zip(parted, over, strict=False)
        ]
        documents.append(replace(make.document(clauses, name=f"{number}"), address=address))
    inside = [replace(d, references=resolve_internal(find_references(d), d)) for d in documents]
    (found,) = resolve_on_sites(inside, index_documents(inside))[2].references
    assert (found.document, found.reason) == (None if page is None else f"{page}", reason)
    assert (found.target and found.target.key) == target


def test_documents_that_refer_to_each_other_and_to_themselves() -> None:
    one, other = loaded(
        ("A", "EN 1991-1-3:2003", "see EN 1991-1-4, 1.1; also clause 1.1 of EN 1991-1-3 and clause 1.2"),
        ("B", "EN 1991-1-4:2005", "see EN 1991-1-3, 1.1."),
    )
    assert [(r.document, str(r.target)) for r in one.references] == [("B", "1.1"), ("A", "1.1"), ("A", "1.2")]
    assert [(r.document, str(r.target)) for r in other.references] == [("A", "1.1")]


def test_two_documents_of_one_designation_are_both_named() -> None:
    _, _, reader = loaded(
        ("A", "EN 1991-1-3:2003", ""),
        ("B", "EN 1991-1-3:2003", ""),
        ("C", "EN 1990:2002", "see EN 1991-1-3, 1.1"),
    )
    (reference,) = reader.references
    assert (reference.status, reference.target, reference.document) == ("unresolved", None, None)
    assert reference.reason == "several documents: A, B"


@pytest.mark.parametrize(
    ("text", "document", "reason"),
    [
        ("see Part 1-3", "A", ""),
        ("the National Annex may say", None, "NA to EN 1990 is not loaded"),
    ],
)
def test_designations_that_are_not_printed_whole(text: str, document: str | None, reason: str) -> None:
    series = "EN 1991-1-1:2002" if "Part" in text else "EN 1990:2002"
    _, reader = loaded(("A", "EN 1991-1-3:2003", ""), ("C", series, text))
    (reference,) = reader.references
    assert (reference.document, reference.reason) == (document, reason)


def test_the_national_annex_is_the_one_loaded() -> None:
    _, reader = loaded(
        ("N", "NA to BS EN 1990:2002", ""), ("C", "BS EN 1990:2002", "the National Annex may say")
    )
    assert [(r.kind, r.document, r.status) for r in reader.references] == [("relative", "N", "resolved")]


def test_notes_are_found_where_they_stand() -> None:
    table = replace(
        make.table("Table 5.1", [["see Note 2"]]), notes=(TableNote("", "NOTE 2 The value.", make.box()),)
    )
    clauses = [
        make.clause("4.2"),
        make.clause("4.2 NOTE 1", "see Note 2 and Note 7", "note", parent="4.2"),
        make.clause("4.2 NOTE 2", "", "note", parent="4.2"),
        make.clause("4.3", "see 4.2 Note 1; this table is Table 5.1 or this table"),
        make.clause("4.4", "see Note 2 of Table 5.1; Note 2 of Figure 7.2"),
        make.clause("Foreword footnote 2", "", "note"),
    ]
    document = make.document(clauses, [table])
    found = resolve_internal(find_references(document), document)
    assert [(r.text, r.target and str(r.target)) for r in found] == [
        ("Note 2", "4.2 NOTE 2"),
        ("Note 7", None),
        ("4.2", "4.2"),
        ("Note 1", "4.2 NOTE 1"),
        ("this table", None),
        ("Table 5.1", "Table 5.1"),
        ("this table", "Table 5.1"),
        ("Note 2", "Table 5.1"),
        ("Table 5.1", "Table 5.1"),
        ("Note 2", None),  # no footnote of the foreword, though that is the only note 2
        ("Figure 7.2", None),
        ("Note 2", "Table 5.1"),
    ]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Expression 6.9a", ["(6.9a)"]),
        ("Eq. (6.10a)", ["(6.10a)"]),
        ("Expression 6.10b", [None]),  # (6.10) is its sister, and does not hold it
        ("expressions (6.9a) and 6.10", ["(6.9a)", "(6.10)"]),
    ],
)
def test_a_formula_with_a_letter_is_itself_or_none(text: str, targets: list[str | None]) -> None:
    formulas = [make.formula(f"({number})", "a = b") for number in ("6.9a", "6.9b", "6.10", "6.10a")]
    document = make.document([make.clause("6.1", text)], formulas=formulas, family="eurocode")
    found = resolve_internal(find_references(document), document)
    assert [r.target and str(r.target) for r in found] == targets


@pytest.mark.parametrize(
    ("language", "words", "target"),
    [
        ("de", "Die Werte der folgenden Tabelle gelten.", "Table 2"),
        ("de", "Die Werte der Tabelle oben gelten.", "Table 1"),
        ("de", "In diesem Abschnitt gilt das.", "1.2"),
        ("de", "Dieses Bild ist alt.", None),
        ("fr", "Les valeurs du tableau suivant s'appliquent.", "Table 2"),
        ("fr", "Les valeurs du tableau ci-dessus s'appliquent.", "Table 1"),
        ("fr", "Dans le présent article, rien ne change.", "1.2"),
    ],
)
def test_position_words_of_other_languages(language: str, words: str, target: str | None) -> None:
    document = make.document(
        [make.clause("1.1", top=0.1), make.clause("1.2", words, top=0.5)],
        [make.table("Table 1", [["x"]], top=0.3), make.table("Table 2", [["x"]], top=0.7)],
        family="decimal",
    )
    document = replace(document, language=language)
    found = [r.target for r in resolve_internal(find_references(document), document) if r.kind == "relative"]
    assert [str(one) for one in found] == ([target] if target else [])
