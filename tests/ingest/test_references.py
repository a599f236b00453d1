"""References as printed: what is one, where it stands, what it names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Reference
from appliance.ingest.references.find import find_references
from appliance.ingest.references.numbers import borrowed
from appliance.ingest.references.resolve import index_documents, resolve_external, resolve_internal
from appliance.text.designations import fold_designation
from tests import factories as make

PARTS = (
    *make.spread(dict.fromkeys(("1.2", "1.3", "1.4", "1.5", "2.2", "5.3", "5.3.2", "5.2", "6.4", "A.1"), "")),
    *make.spread(dict.fromkeys(("5.2(1)", "5.2(2)", "5.2(3)", "5.2(4)", "5.3.2(7)"), ""), "paragraph"),
    *make.spread({"6": "", "7": ""}, "section"),
    *make.spread({"Section 3": "", "Section 2A": ""}, "section"),
    *make.spread({"Annex A": "", "Annex B": "", "Appendix H1-C": ""}, "annex"),
    *make.spread({"Requirement K1": "", "Requirement B1": "", "Requirement K5.1": ""}, "requirement"),
)
TABLES = tuple(make.table(f"Table {n}", [["x"]]) for n in ("3", "4", "7", "4.1", "A4.2", "A1"))


def found(text: str, family: str = "approved_document", source: str = "5.2(1)") -> list[Reference]:
    parts = tuple(part for part in PARTS if part.label.key != source)
    document = make.document(
        [*parts, make.clause(source, text, "paragraph")],
        TABLES,
        family=family,
        designation="Approved Document K" if family == "approved_document" else "DC 1-3:2024",
    )
    return [reference for reference in find_references(document) if reference.source.key == source]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("conform to Table 9.10.14.4.-A here", [("Table 9.10.14.4.-A", "Table 9.10.14.4.-A")]),
        ("see Table 16-B.", [("Table 16-B", "Table 16-B")]),
        (
            "see Tables 4.1(NA) and 4.3(NA).",
            [("Tables 4.1(NA) and 4.3(NA)", f"Table 4.{n}(NA)") for n in (1, 3)],
        ),
        ("see Table 16-Annual", [("Table 16", "Table 16")]),
        ("see 5.3.2", [("5.3.2", "5.3.2")]),
        ("built on behalf of the A1 Team or of an A1 Team", []),
        ("see 5.3.2(7)", [("5.3.2(7)", "5.3.2(7)")]),
        ("see 4.4.1.2 (114) and 5.2(103)P", [("4.4.1.2 (114)", "4.4.1.2(114)"), ("5.2(103)P", "5.2(103)P")]),
        ("the provisions of 1.2 and of 1.4 apply", [("1.2", "1.2"), ("1.4", "1.4")]),
        ("(see 1.4)", [("1.4", "1.4")]),
        ("refer to 1.4 or to 6.", [("1.4", "1.4"), ("6", "6")]),
        ("refer to 1.4 or to 6 people", [("1.4", "1.4")]),
        ("The slope shall follow 1.3.", [("1.3", "1.3")]),
        ("shall follow 1.3 mm steps", []),
        ("as in paragraphs 1.2 to 1.4 above", [("paragraphs 1.2 to 1.4", n) for n in ("1.2", "1.3", "1.4")]),
        ("1.2–1.4 apply, see 1.2 to 1.3", [
            *(("1.2–1.4", n) for n in ("1.2", "1.3", "1.4")),
            *(("1.2 to 1.3", n) for n in ("1.2", "1.3")),
        ]),
        ("Tables 3, 4 and 7", [("Tables 3, 4 and 7", f"Table {n}") for n in (3, 4, 7)]),
        ("5.2(2) to (4)", [("5.2(2) to (4)", f"5.2({n})") for n in (2, 3, 4)]),
        ("under 5.2(3) and (4)", [("5.2(3)", "5.2(3)"), ("(4)", "5.2(4)")]),
        ("Table 4.1", [("Table 4.1", "Table 4.1")]),
        ("See Table 4.4N and Figure 5.1N", [("Table 4.4N", "Table 4.4N"), ("Figure 5.1N", "Figure 5.1N")]),
        ("Tables 4.3N, 4.4N and 4.5N", [("Tables 4.3N, 4.4N and 4.5N", f"Table 4.{n}N") for n in (3, 4, 5)]),
        ("Table NA.A1.2(B)", [("Table NA.A1.2(B)", "Table NA.A1.2(B)")]),
        ("from Table A1 or A4.2", [("Table A1", "Table A1"), ("A4.2", "Table A4.2")]),
        ("Table 4 and 3 persons", [("Table 4", "Table 4")]),
        ("Figures 5.1 and 5.2", [("Figures 5.1 and 5.2", f"Figure 5.{n}") for n in (1, 2)]),
        ("Fig. 5.1a", [("Fig. 5.1a", "Figure 5.1a")]),
        ("Diagram 8 (b) and (c)", [("Diagram 8 (b)", "Diagram 8(b)")]),
        ("Formula (5.2)", [("Formula (5.2)", "Formula (5.2)")]),
        ("expressions (6.10a) and (6.10b)", [
            ("expressions (6.10a) and (6.10b)", "Formula (6.10a)"),
            ("expressions (6.10a) and (6.10b)", "Formula (6.10b)"),
        ]),
        ("Annex B", [("Annex B", "Annex B")]),
        ("Annexes A and B", [("Annexes A and B", "Annex A"), ("Annexes A and B", "Annex B")]),
        ("Appendix H1-C", [("Appendix H1-C", "Appendix H1-C")]),
        ("Section 3 and Section 2A", [("Section 3", "Section 3"), ("Section 2A", "Section 2A")]),
        ("Requirement K1", [("Requirement K1", "Requirement K1")]),
        ("Parts K1 and K5.1", [("Parts K1", "Requirement K1"), ("K5.1", "Requirement K5.1")]),
        ("meets K1 in part", [("K1", "Requirement K1")]),
        ("5.2(3)P a) applies", [("5.2(3)P a)", "5.2(3)Pa)")]),
        ("see (4) and Note 2 to Table 4.1", [
            ("(4)", "5.2(4)"), ("Note 2", "Table 4.1 Note 2"), ("Table 4.1", "Table 4.1"),
        ]),
        ("(1) of this list, (9) of that", []),


        ("see (9) persons", []),
        ("Loads are those of 1.2.", [("1.2", "1.2")]),
        ("The value is that of 1.3 or those in 1.4.", [("1.3", "1.3"), ("1.4", "1.4")]),
        ("widths of those of 1.2 m and 1.5 m", []),
        ("to be read with 9.9.9 and 8.7.6.", [("9.9.9", "9.9.9"), ("8.7.6", "8.7.6")]),
        ("a factor of 9.9.9 steps, on 01.04.14 or version 2.1.3", []),
        ("1.2 . . . . 1.4 and see 1.3 ....... 1.4", [("1.3", "1.3")]),
        ("Tables 4, 7. and 3", [("Tables 4, 7. and 3", f"Table {n}") for n in (4, 7, 3)]),
        ("Table 4. And 3 persons", [("Table 4", "Table 4")]),
        ("Table 4.1 O is the load", [("Table 4.1", "Table 4.1")]),
        ("in Figure ~ 5.4~.", [("Figure ~ 5.4", "Figure 5.4")]),
        ("Expressions (6.2.a) to (6.3N)", [
            ("Expressions (6.2.a) to (6.3N)", "Formula (6.2.a)"),
            ("Expressions (6.2.a) to (6.3N)", "Formula (6.3N)"),
        ]),
        ("Expression (6.10.aN) or (6.2.b)", [
            ("Expression (6.10.aN)", "Formula (6.10.aN)"), ("(6.2.b)", "Formula (6.2.b)"),
        ]),
        ("Expressions (9.1N) to (9.3N)", [
            ("Expressions (9.1N) to (9.3N)", f"Formula (9.{n}N)") for n in (1, 2, 3)
        ]),
        ("Expressions (5.1) and (A.1)", [
            ("Expressions (5.1) and (A.1)", "Formula (5.1)"),
            ("Expressions (5.1) and (A.1)", "Formula (A.1)"),
        ]),
        ("as (2) above", [("(2) above", "5.2(2)")]),
        ("Tabie 4.1 and Figure 5.S", [("Tabie 4.1", "Table 4.1"), ("Figure 5.S", "Figure 5.S")]),
        ("Appendix E7–8", [("Appendix E7–8", "Appendix E7"), ("Appendix E7–8", "Appendix E8")]),
        ("Section 6 of this Design Guide for Stairs", [("Section 6", "Section 6")]),
        ("Section 6 of the Code and of the Approved Document", [("Section 6", "Section 6")]),
        ("PARAGRAPHS 1.2 AND 1.3", [("PARAGRAPHS 1.2 AND 1.3", "1.2"), ("PARAGRAPHS 1.2 AND 1.3", "1.3")]),
    ],
)  # fmt: skip
def test_parts_of_the_same_document(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(r.text, r.number) for r in found(text)] == expected
    assert not any(reference.external for reference in found(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EN 1991-1-3, 6.3", [("EN 1991-1-3, 6.3", "EN 1991-1-3", "6.3")]),
        ("EN 1991-1-1:2002, Table 6.1", [("EN 1991-1-1:2002, Table 6.1", "EN 1991-1-1:2002", "Table 6.1")]),
        ("see EN 1990:2002, 4.1.1 (1)P and 4.1.1 (4).", [
            ("EN 1990:2002, 4.1.1 (1)P", "EN 1990:2002", "4.1.1(1)P"),
            ("EN 1990:2002, 4.1.1 (1)P and 4.1.1 (4)", "EN 1990:2002", "4.1.1(4)"),
        ]),
        ("BS EN 1990", [("BS EN 1990", "BS EN 1990", "")]),
        ("to BS 5395-1:2010.", [("BS 5395-1:2010", "BS 5395-1:2010", "")]),
        ("BS EN 1857:2003 + A1:2008", [("BS EN 1857:2003 + A1:2008", "BS EN 1857:2003+A1:2008", "")]),
        ("BS 7671 2.5 mm cable", [("BS 7671", "BS 7671", "")]),
        ("EN 1991 1-3 is used", [("EN 1991 1-3", "EN 1991 1-3", "")]),
        ("NA to BS EN 1991-1-3", [("NA to BS EN 1991-1-3", "NA to BS EN 1991-1-3", "")]),
        ("Annex ND in BS EN 752 Part 4", [("Annex ND in BS EN 752 Part 4", "BS EN 752", "Annex ND")]),
        ("6.3.2(1) of EN 1991-1-1", [("6.3.2(1) of EN 1991-1-1", "EN 1991-1-1", "6.3.2(1)")]),
        ("the Building Act 1984", [("Building Act 1984", "Building Act 1984", "")]),
        ("section 33 of the Building Act 1984", [
            ("section 33 of the Building Act 1984", "Building Act 1984", "Section 33"),
        ]),
        ("Part 4 of the Equality Act 2010 and section 5 of that Act", [
            ("Part 4 of the Equality Act 2010", "Equality Act 2010", "Part 4"),
            ("section 5 of that Act", "Equality Act 2010", "Section 5"),
        ]),
        ("BS EN 12056-3 Roof drainage, Clauses 3 and 4", [
            ("BS EN 12056-3", "BS EN 12056-3", ""),
            ("Clauses 3 and 4", "BS EN 12056-3", "3"),
            ("Clauses 3 and 4", "BS EN 12056-3", "4"),
        ]),
        ("regulation 7(2)", [("regulation 7(2)", "Building Regulations 2010", "Regulation 7(2)")]),
        ("Regulation 44ZC", [("Regulation 44ZC", "Building Regulations 2010", "Regulation 44ZC")]),
        ("Part M", [("Part M", "Approved Document M", "Part M")]),
        ("Part D of Schedule 1 to the Building Regulations 2010", [
            ("Part D of Schedule 1 to the Building Regulations 2010", "Approved Document D", "Part D"),
        ]),
        ("requirement M4(1)", [("requirement M4(1)", "Approved Document M", "Requirement M4(1)")]),
        ("Approved Document M, Volume 1", [
            ("Approved Document M, Volume 1", "Approved Document M, Volume 1", ""),
        ]),
        *(
            (text, [(text, work, number)])
            for text, work, number in (
                ("Chapter 7 in Volume 1 of the Manual to the Building Regulations",
                 "Manual to the Building Regulations Volume 1", "Section 7"),
                ("Section 6 of the Manual for Streets 2", "Manual for Streets 2", "Section 6"),
                ("Table 4.1 of the Drainage Compliance Guide", "Drainage Compliance Guide", "Table 4.1"),
                ("5.3.2 of the National Planning Policy Framework",
                 "National Planning Policy Framework", "5.3.2"),
                ("Manual for Streets, Section 6", "Manual for Streets", "Section 6"),
                ("Manual for Streets (Section 6", "Manual for Streets", "Section 6"),
                ("Section 7 in Volume 2", "Volume 2", "Section 7"),
            )
        ),
        ("see Chapter 6 in Volume 1 and Chapter C in Volume 2 of the Manual to the Building Regulations", [
            ("Chapter 6 in Volume 1", "Manual to the Building Regulations Volume 1", "Section 6"),
        ]),
        ("see Chapter 6 in Volume 1, and paragraphs A26 and B2 in Volume 2 of the Highway Code.", [
            ("Chapter 6 in Volume 1", "Highway Code Volume 1", "Section 6"),
            ("paragraphs A26", "Highway Code Volume 2", "A26"),
            ("B2 in Volume 2 of the Highway Code", "Highway Code Volume 2", "B2"),
        ]),
        ("The Manual for Streets helps: paragraph 1.2 of the Manual", [
            ("paragraph 1.2 of the Manual", "Manual for Streets", "1.2"),
        ]),
        ("Water Supply (Water Fittings) Regulations 1999 (SI 1999/1148 as amended)", [
            ("Water Supply (Water Fittings) Regulations 1999 (SI 1999/1148 as amended)",
             "Water Supply (Water Fittings) Regulations 1999 (SI 1999/1148 as amended)", ""),
        ]),
    ],
)  # fmt: skip
def test_parts_of_other_documents(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(r.text, r.designation, r.number) for r in found(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "a load of 3.5 kN acts",
        "a height of 1.2 m or more, in 1.5 m of water",
        "on 1 October 2010 and 1.10.2010",
        "not less than 1.3 times, a ratio of 1.4",
        "150 x 1.2 mm",
        "a factor of 1.5 applies",
        "on exposed sites multiply by 1.2 or divide by 1.4",
        "values between 1.2 and 1.4",
        "the Building Regulations apply to Approved Document K",
        "part of the section a reader knows",
        "Regulations.\nThe Act and its Rules",
        "NOTE 1 The value holds.",
        "it is above ground and below water",
        "a table 800 mm high, see Note 09-02-05",
        "this figure may be taken",
        "sensors using CO2 in the room, based on SF6",
    ],
)
def test_quantities_dates_and_plain_words_are_none(text: str) -> None:
    assert [reference.text for reference in found(text)] == []


@pytest.mark.parametrize(
    ("text", "designations"),
    [
        ("as in ASHRAE 90.1-2019, by", ["ASHRAE 90.1"]),
        ("ASHRAE Standard 62.1, IEC Standard 60076-1", ["ASHRAE Standard 62.1", "IEC Standard 60076-1"]),
        ("in accordance with EN 1990. 6.4 follows", ["EN 1990"]),  # a sentence ends there
        ("EN 1991.2 is no code", ["EN 1991"]),  # nor does a number of four figures go on so
        ("IEEE Std. 802.3 and IEEE Publication 112", ["IEEE Std. 802.3", "IEEE Publication 112"]),
        # bodies that no list has, behind a part of theirs or a sure cue
        ("Chapter 7 of NSCE 7, Section 12.4 of NSCE 7", ["NSCE 7", "NSCE 7"]),
        ("in accordance with NSWC 600.", ["NSWC 600"]),
        ("by NSCE/SEI 7 and ANF TR 14-B", ["NSCE/SEI 7", "ANF TR 14-B"]),
        ("CEN/TS 17440:2020", ["CEN/TS 17440:2020"]),
        ("beams of IPE 300, Table 4 of HEB 200 bars, SEE LEVEL 2, IN ACCORDANCE WITH CLASS 2", ["HEB 200"]),
        ("see TABLE 4 and Table 3 of PART 7", []),
        # guidance whose parts are none of this document
        ("Technical Guidance Document K, paragraph 1.1", ["Technical Guidance Document K"]),
        ("the note of TGD M 1.2", ["TGD M"]),
        ("and HTM 05-02, paragraph 1.2; BRE Digest 365, clause 1.2", ["HTM 05-02", "BRE Digest 365"]),
        ("Building Bulletin 100, Section 1.1", ["Building Bulletin 100"]),
        ("and QABC 12, paragraph 1.2", ["QABC 12"]),
        ("by SFS-EN 1991-1-1 and SS-EN 1990:2010", ["SFS-EN 1991-1-1", "SS-EN 1990:2010"]),  # of a country
        ("beams of IPE 300, Table 4.1", []),
    ],
)  # fmt: skip
def test_numbers_of_standards(text: str, designations: list[str]) -> None:
    assert [reference.designation for reference in found(text) if reference.external] == designations


@pytest.mark.parametrize(
    ("one", "other"),
    [("ASHRAE Standard 90.1", "ASHRAE 90.1"), ("IEC Std. 60076-1", "IEC 60076-1")],
)
def test_the_word_standard_is_no_part_of_a_designation(one: str, other: str) -> None:
    assert fold_designation(one) == fold_designation(other)


def test_a_body_that_a_document_names_surely_three_times_is_known_there() -> None:
    sure = "in accordance with NSBW 400; in accordance with NSBW 87; complies with NSBW 19:1994. "
    assert found("extinguishers as NSBW 1567 of steel") == []
    known = [reference.designation for reference in found(f"{sure}and extinguishers as NSBW 1567 of steel")]
    assert known == ["NSBW 400", "NSBW 87", "NSBW 19:1994", "NSBW 1567"]


def test_own_number_at_the_start_is_none_and_later_is_one() -> None:
    texts = [r.text for r in found("1.14 The method of paragraph 1.14 holds.", source="1.14")]
    assert texts == ["paragraph 1.14"]
    assert [r.text for r in found("Diagram 5.1 shows it.", source="5.1")] == ["Diagram 5.1"]


def test_span_and_boxes_are_those_of_the_words() -> None:
    text = "x" * 70 + " (see Table 4.1) and more"
    (reference,) = found(text)
    assert text[reference.start : reference.end] == reference.text == "Table 4.1"
    assert [box.y0 for box in reference.boxes] == [0.1, 0.12]


def test_the_designation_of_the_document_teaches_its_letters() -> None:
    (reference,) = found("in accordance with DC 0:2024, 6.4.", family="eurocode")
    assert (reference.designation, reference.number, reference.external) == ("DC 0:2024", "6.4", True)


def test_parts_of_parts_name_their_scope() -> None:
    document = make.document(
        [
            make.clause("H1/2.17"),
            make.clause("H4/2.17"),
            make.clause("H1/Appendix H1-C", kind="annex"),
            make.clause("H4/1.1", "See H1-2.17 and paragraph 2.17 of Approved Document H1."),
        ],
        family="approved_document",
        designation="Approved Document H",
    )
    assert [(r.number, r.designation) for r in find_references(document)] == [
        ("H1 2.17", ""),
        ("H1 2.17", ""),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            ("the recommendations of BS EN 7 Drainage. Relevant clauses are in Part 1: General rules of "
            "performance, Clauses 13–14; Part 2 Sanitary pipework, its layout and its calculation for "
            "all buildings, Clauses 13 and 14 and National Annexes NA and NB."),
            [
                ("BS EN 7", ""), ("BS EN 7", "Part 1"), ("BS EN 7-1", "13"), ("BS EN 7-1", "14"),
                ("BS EN 7", "Part 2"), ("BS EN 7-2", "13"), ("BS EN 7-2", "14"),
                ("BS EN 7-2", "Annex NA"), ("BS EN 7-2", "Annex NB"),
            ],
        ),
        (
            ("Follow BS 62 Code of practice for the design, the installation and the care of many small "
            "treatment works. The relevant clauses are in Section 3 (Clauses 16 and 17)."),
            [("BS 62", ""), ("BS 62", "Section 3"), ("BS 62", "16"), ("BS 62", "17")],
        ),
        (
            "Follow BS 752, Part 4 Design. The relevant clauses are\nClause 11. See Section 3.",
            [("BS 752", "Part 4"), ("BS 752", "11"), ("", "Section 3")],
        ),
        ("BS 62 is long. See Section 3 and Annex A.", [("BS 62", ""), ("", "Section 3"), ("", "Annex A")]),
        (
            "BS 8, Clause 31 holds" + " here" * 30 + ". See Clause 32.",
            [("BS 8", "31"), ("", "32")],
        ),
        ("Section 3 and Section 47 of the Environment Act 1990", [
            ("", "Section 3"), ("Environment Act 1990", "Section 47"),
        ]),
    ],
)  # fmt: skip
def test_parts_listed_behind_a_standard_are_its_own(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(r.designation, r.number) for r in found(text)] == expected


def test_a_national_annex_names_the_clauses_of_its_code() -> None:
    clauses = [make.clause("NA.2.1", "The value of 4.1(1) is 0.5, see NA.2.2 and DC 1-3:2024, 5.2.")]
    document = make.document([*clauses, make.clause("NA.2.2")], designation="NA to DC 1-3:2024")
    assert [(r.designation, r.number) for r in find_references(document)] == [
        ("DC 1-3:2024", "4.1(1)"),
        ("", "NA.2.2"),
        ("DC 1-3:2024", "5.2"),
    ]


@pytest.mark.parametrize(
    ("text", "designation", "number"),
    [
        ("siehe NDP Zu 2.4.2.4 (1).", "", "Ndp 2.4.2.4(1)"),
        ("siehe NCI zu 4.4 und die Bauteile", "", "Nci 4.4"),
        ("nach NDP zu 6.3.1.2 (10) gilt", "DC 1-3", "Ndp 6.3.1.2(10)"),
        ("nach NCI zu Tabelle 4.1DE gilt", "", "Table 4.1DE"),
        ("nach Tabelle 4.2DE gilt", "DC 1-3", "Table 4.2DE"),
        ("nach Abschnitt 5.3 und", "DC 1-3", "Section 5.3"),
        ("siehe 6.4.2 (3).", "DC 1-3", "6.4.2(3)"),
        ("siehe NA.2.1.", "", "NA.2.1"),
    ],
)
def test_a_german_annex_names_its_decisions_and_the_places_of_its_code(
    text: str, designation: str, number: str
) -> None:
    own = [make.clause(key, "", "heading") for key in ("NDP Zu 2.4.2.4 (1)", "NCI zu 4.4")]
    clauses = [*own, make.clause("NA.2.1"), make.clause("NA.1", text)]
    named = "DC 1-3/NA:2013-04"
    document = make.document(clauses, [make.table("Tabelle 4.1DE", [["x"]])], designation=named, family="din")
    (reference,) = find_references(document)
    assert (reference.designation, reference.number.replace(" (", "(")) == (designation, number)


def test_a_decision_of_an_annex_is_found_there_and_else_in_its_code() -> None:
    own = make.clause("NDP Zu 2.4.2.4 (1)", "", "heading")
    text = make.clause("NA.1", "siehe NDP Zu 2.4.2.4 (1) und NDP zu 5.1 (2)")
    annex = make.document([own, text], designation="DC 1-3/NA:2013-04", family="din", name="annex")
    code = make.document(
        make.spread({"5.1": "", "5.1(2)": ""}), designation="DC 1-3:2010", family="din", name="code"
    )
    found = resolve_internal(find_references(annex), annex)
    found = resolve_external(found, index_documents([annex, code]))
    places = [(reference.document, reference.target and reference.target.key) for reference in found]
    assert places == [("annex", "NDP Zu 2.4.2.4 (1)"), ("code", "5.1(2)")]


def test_a_column_headed_clause_holds_clause_numbers() -> None:
    rows = [["Step", "Clause"], ["scope", "1.2, 5.3"], ["1.4", "none"]]
    document = make.document(PARTS, [make.table("Table D.1", rows)])
    assert [r.number for r in find_references(document)] == ["1.2", "5.3"]


@pytest.mark.parametrize(
    "text", ["", " ", "(", "((((", "see ", "Tables", "Table , and", "EN", "A" * 5000, "1.2." * 500]
)
def test_odd_texts_are_survived(text: str) -> None:
    assert all(reference.text for reference in found(text))


def test_a_range_too_long_to_count_keeps_its_ends() -> None:
    assert [r.number for r in found("paragraphs 1.1 to 1.999")] == ["1.1", "1.999"]


CODE = (
    *make.spread(dict.fromkeys(("1.2", "4.2", "5.3", "6.3", "B.4", "B5", "A1.3"), "")),
    *make.spread(dict.fromkeys(("4.2(1)", "4.2(2)", "4.2(3)", "Annex C(5)", "Annex C(6)"), ""), "paragraph"),
    *make.spread(dict.fromkeys(("4.2(1)a", "4.2(1)b", "4.2(1)c"), ""), "item"),
    *make.spread({"Annex A1": "", "Annex B": "", "Annex C": ""}, "annex"),
)


def in_code(text: str, source: str = "4.2(1)", more: str = "") -> list[Reference]:
    """The references of a paragraph of a Eurocode, beside parts that it can name."""
    parts = [part for part in CODE if part.label.key != source]
    tables = [make.table(f"Table {number}", [["x"]]) for number in ("4.1", "7.3a", "7.3b")]
    source_clause = make.clause(source, text, "paragraph", top=0.5)
    document = make.document([*parts, make.clause("1.1", more), source_clause], tables)
    found = find_references(replace(document, family="eurocode", designation="BS EN 1991-1-3:2003"))
    return [reference for reference in found if reference.source.key == source]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see EN 1991-3.", [("EN 1991-3", "EN 1991-3", "")]),
        ("according to EN 1990:2002,1.4 and EN 1991-1-4.", [
            ("EN 1990:2002,1.4", "EN 1990:2002", "1.4"), ("EN 1991-1-4", "EN 1991-1-4", ""),
        ]),
        ("see EN 199l-1-4 and EN1991-l-S.", [
            ("EN 199l-1-4", "EN 199l-1-4", ""), ("EN1991-l-S", "EN1991-l-S", ""),
        ]),
        ("EN 1991~1~4:2005", [("EN 1991~1~4:2005", "EN 1991~1~4:2005", "")]),
        ("with EN 1992-1999 in force", [("EN 1992", "EN 1992", ""), ("1999", "EN 1999", "")]),
        ("Annex A2 to EN 1990", [("Annex A2 to EN 1990", "EN 1990", "Annex A2")]),
        ("Annexes A and B to BS EN 1991-1-7", [
            ("Annexes A and B to BS EN 1991-1-7", "BS EN 1991-1-7", "Annex A"),
            ("Annexes A and B to BS EN 1991-1-7", "BS EN 1991-1-7", "Annex B"),
        ]),
        ("see Annex A 1 and Table A 1.1", [("Annex A 1", "", "Annex A1"), ("Table A 1.1", "", "Table A1.1")]),
        ("EN 1991-1-1:2002 Eurocode 1: Actions - Part 1-1: Loads", [
            ("EN 1991-1-1:2002", "EN 1991-1-1:2002", ""),
        ]),
        ("EN 1991-1-1, EN 1991-2", [("EN 1991-1-1", "EN 1991-1-1", ""), ("EN 1991-2", "EN 1991-2", "")]),
        ("as in Part 1-4 and Part 1-3", [("Part 1-4", "EN 1991-1-4", "")]),
        ("Part 1-2 of EN 1993", [("Part 1-2 of EN 1993", "EN 1993-1-2", "")]),
        ("Eurocode 3: Part 3-1.", [("Eurocode 3: Part 3-1", "EN 1993-3-1", "")]),
        ("clauses 4.2 and 5.3 of ID 1", [
            ("clauses 4.2 and 5.3 of ID 1", "ID 1", "4.2"), ("clauses 4.2 and 5.3 of ID 1", "ID 1", "5.3"),
        ]),
        ("the rules of the CPD apply", []),
        ("see 4.11 .2", [("4.11 .2", "", "4.11.2")]),
        ("see 4.2.(2)", [("4.2.(2)", "", "4.2(2)")]),
        ("in clauses C(5) and C(6)", [("C(5)", "", "C(5)"), ("C(6)", "", "C(6)")]),
        ("see (2) and (3)", [("(2)", "", "4.2(2)"), ("(3)", "", "4.2(3)")]),
        ("for cases a) and b) above", [("a)", "", "4.2(1)a)"), ("b) above", "", "4.2(1)b)")]),
        ("either a) or b) holds", []),
        ("in (a) and in (b), as in items other than (a) to (c), nothing is named", []),
        ("see 4.2(1)(a)", [("4.2(1)(a)", "", "4.2(1)(a)")]),
        ("(2) and (3)P do not hold", [("(2)", "", "4.2(2)"), ("(3)P", "", "4.2(3)P")]),
        ("see 4.2(1)B and (2)B or (3)BP", [
            ("4.2(1)B", "", "4.2(1)"), ("(2)B", "", "4.2(2)"), ("(3)BP", "", "4.2(3)P"),
        ]),
        ("see 4.2(1)B to (3)B", [("4.2(1)B to (3)B", "", f"4.2({n})") for n in (1, 2, 3)]),
        ("the limit given in (2)B is met", [("(2)B", "", "4.2(2)")]),
        ("As a further simplification to (2), loads", [("(2)", "", "4.2(2)")]),
        ("unless (2) applies", [("(2)", "", "4.2(2)")]),
        ("the rope (2) and 4A (2)", []),
        ("(7) and (8) are no paragraphs here", []),
        ("shall be as in 4.2(1)a.", [("4.2(1)a", "", "4.2(1)a")]),
        ("4.2(1)a) and b) and 4.2(3)P a) to c)", [
            ("4.2(1)a)", "", "4.2(1)a)"), ("b)", "", "4.2(1)b)"),
            *(("4.2(3)P a) to c)", "", f"4.2(3)P{item})") for item in "abc"),
        ]),
        ("Clause 9.1(1)a and c, 4.2(1)a and a height of 9 m", [
            ("Clause 9.1(1)a", "", "9.1(1)a"), ("c", "", "9.1(1)c"), ("4.2(1)a", "", "4.2(1)a"),
        ]),
        ("Where 5.2.1(4)(a) or B.9(2)b applies, 4.2(1)c) (ii) too", [
            ("5.2.1(4)(a)", "", "5.2.1(4)(a)"), ("B.9(2)b", "", "B.9(2)b"),
            ("4.2(1)c) (ii)", "", "4.2(1)c)(ii)"),
        ]),

        ("see 5.3.3 through 5.3.5", [("5.3.3 through 5.3.5", "", f"5.3.{n}") for n in (3, 4, 5)]),
        ("in cases A, B4 , A1 and B5 (see Table 4.1)", [("Table 4.1", "", "Table 4.1")]),
        ("in all cases A1.3 and in each case, see B.4", [("A1.3", "", "A1.3"), ("B.4", "", "B.4")]),
        ("4.2(2)P Notes 1 and 2", [
            ("4.2(2)P", "", "4.2(2)P"),
            ("Notes 1 and 2", "", "4.2(2) Note 1"),
            ("Notes 1 and 2", "", "4.2(2) Note 2"),
        ]),
        ("Table 7.3 holds", [("Table 7.3", "", "Table 7.3a"), ("Table 7.3", "", "Table 7.3b")]),
        ("The National Annex may say", [("The National Annex", "NA to BS EN 1991-1-3", "national annex")]),
        ("followed by a National Annex", []),
        ("Table IS, Annex of it, Section SO", []),
    ],
)  # fmt: skip
def test_a_code_of_the_eurocode_family(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(r.text, r.designation, r.number) for r in in_code(text)] == expected


@pytest.mark.parametrize(("more", "expected"), [("", []), ("1,5 m, 0,3 kN and 2,75 m high", ["6.3"])])
def test_decimal_commas_make_a_known_number_a_clause(more: str, expected: list[str]) -> None:
    assert [r.number for r in in_code("values may be derived either for 6.3 or not", more=more)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see annex 2.A and clause 2.A.0", ["Annex 2.A", "2.A.0"]),  # no annex 2, no clause 2
        ("as in clause 2.A. The rest", ["2.A"]),
        ("Eq. 1.3.2.1-1 and Figure 3.6.1.2.2-1", ["Formula 1.3.2.1-1", "Figure 3.6.1.2.2-1"]),
        ("Cover is that of BS 5328-1. It shall be as in clause 4.9", ["", "4.9"]),
        ("as in BS 5328-1 (see also 5.2.6)", ["", "5.2.6"]),
    ],
)
def test_numbers_of_codes_that_no_family_claims(text: str, expected: list[str]) -> None:
    numbers = [r.number for r in found(text, "decimal")]
    assert numbers == expected
    assert all(r.number == "" or not r.designation for r in found(text, "decimal"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("875 (Part 3) : 1987 Code of practice for loads", ["IS 875 (Part 3):1987"]),
        ("1343 : 1980 Code of practice", ["IS 1343:1980"]),
        ("IS 456 : 2000 and a scale of 1 : 2000", []),
    ],
)
def test_a_list_may_leave_out_the_letters_of_its_own_series(text: str, expected: list[str]) -> None:
    document = make.document([make.clause("A.1", text)], family="decimal", designation="IS 456:2000")
    assert [r.designation for r in find_references(document)] == expected


def test_a_formula_does_not_refer_to_itself() -> None:
    text = make.clause("4.2(1)", f"{'x' * 80}{'s = 2 h (5.1)':<80}see (5.1)", "paragraph", top=0.5)
    formula = replace(make.formula("(5.1)", "s = 2 h"), boxes=(text.passage.lines[1].box,))
    references = find_references(make.document([text], formulas=[formula], family="eurocode"))
    assert [(r.text, r.start) for r in references] == [("(5.1)", 164)]


def test_the_number_of_a_formula_is_no_clause_though_a_scan_has_put_a_space_into_it() -> None:
    text = make.clause("4.2(1)", f"{'x' * 80}{'s = 2 h (5. 1)':<80}see 5.1", "paragraph", top=0.5)
    formula = replace(make.formula("(5.1)", "s = 2 h"), boxes=(text.passage.lines[1].box,))
    clauses = [make.clause("5.1"), text]
    references = find_references(make.document(clauses, formulas=[formula], family="eurocode"))
    assert [(r.text, r.start) for r in references] == [("5.1", 164)]


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (["16", "(16-1)"], "Equations 16-1 and 16-2 hold.", {"Formula 16-1": "(16-1)", "Formula 16-2": ""}),
        (["1", "16"], "Equations 16-1 and 16-2 hold.", {"Formula 16-1": "", "Formula 16-2": ""}),
        (
            ["1", "3.4.1", "(3.4.1-1)"],
            "The load 3.4.1-1 is in Equation 3.4.1-1.",
            {"Formula 3.4.1-1": "(3.4.1-1)"},
        ),
        (
            ["Figure A-5", "Figure A-6"],
            "See Figures A- 5, A-6.",
            {"Figure A-5": "Figure A-5", "Figure A-6": "Figure A-6"},
        ),
        (
            ["Table 1 a", "Table 1 b"],
            "Tables 1 a and 1 b",
            {"Table 1a": "Table 1 a", "Table 1b": "Table 1 b"},
        ),
        (["Table 3", "Table 4", "Table 5"], "Tables 3-5", {f"Table {n}": f"Table {n}" for n in (3, 4, 5)}),
        (["Table 1"], "given in Table-1.", {"Table 1": "Table 1"}),
        (["3-4.1", "3-4.2", "3-4.3"], "see 3-4.1 through 3-4.3", {f"3-4.{n}": f"3-4.{n}" for n in (1, 2, 3)}),
        (["1", "19-7-6-2"], "as 19-7-6-2 and 19-7-6-3 say", {"19-7-6-2": "19-7-6-2"}),
        (["R1", "M1"], "by Requirement R1", {"Requirement R1": "R1"}),
        (["1.1", "1.2"], "clauses 1.1&1.2", {"1.1": "1.1", "1.2": "1.2"}),
        (["Article 5", "Rule 7"], "Article 5 and Rule 7 hold", {"Article 5": "Article 5", "7": "Rule 7"}),
        (["1", "Schedule B"], "as set out in Schedule B of this By-law", {"Schedule B": "Schedule B"}),
        (
            ["1", "Schedule A", "Schedule B"],
            "as in Schedules A and B",
            {f"Schedule {n}": f"Schedule {n}" for n in "AB"},
        ),
    ],
)
def test_numbers_and_words_are_those_of_the_document(
    labels: list[str], text: str, expected: dict[str, str]
) -> None:
    document = make.document(
        [
            make.clause("9.9", text),
            *(make.clause(one) for one in labels if one[:4] not in ("Tabl", "Figu") and one[0] != "("),
        ],
        [make.table(one, [["x"]]) for one in labels if one.startswith("Table")],
        [make.figure(one) for one in labels if one.startswith("Figure")],
        [make.formula(one, "x = y") for one in labels if one[0] == "("],
        family="decimal",
    )
    found = resolve_internal(find_references(document), document)
    assert {one.number: str(one.target or "") for one in found} == expected


def test_a_page_of_two_thousand_references_is_read_whole() -> None:
    text = "see 4.2 and EN 1990 as well, Table 4.1 or Annex B; " * 500
    assert len(in_code(text)) == 4 * 500


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Article 12 of the CPD holds", [("Article 12 of the CPD", "CPD", "Article 12")]),
        (
            "Council Directive 89/106/EEC",
            [("Council Directive 89/106/EEC", "Council Directive 89/106/EEC", "")],
        ),
        ("Article 5.3 holds", [("Article 5.3", "", "Article 5.3")]),  # which this document has
        ("Article 9.7 and Article 5 hold", []),
        (
            "Act 958/2012 and Directive 2015/1535/EU",
            [
                ("Act 958/2012", "Act 958/2012", ""),
                ("Directive 2015/1535/EU", "Directive 2015/1535/EU", ""),
            ],
        ),
    ],
)
def test_articles_belong_to_laws(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(r.text, r.designation, r.number) for r in in_code(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Loads are set as in 1.2 for every floor.", ["1.2"]),
        ("The method is treated in 1.5 and the values are given in 2.2 below.", ["1.5", "2.2"]),
        ("dealt with under 1.2, 1.3 and 1.4; windows by 1.5.", ["1.2", "1.3", "1.4", "1.5"]),
        ("Except where 1.4 permits, 1.5 applies.", ["1.4", "1.5"]),
        ("Where 1.2 and 1.3 conflict, 1.2 governs.", ["1.2", "1.3", "1.2"]),
        ("As stated at 1.4, work shall meet 1.5.", ["1.4", "1.5"]),
        ("tests are described in 1.4 and in 1.5.", ["1.4", "1.5"]),
        ("paragraph 1.2 for a house or 1.5 for a flat", ["1.2"]),
        ("See 7.7.", ["7.7"]),  # not printed: kept, to be told as unresolved
    ],
)
def test_bare_numbers_that_are_places(text: str, expected: list[str]) -> None:
    assert [reference.number for reference in found(text, "eurocode")] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The load increases in 1.2 steps.",
        "A slope of 1 in 2.2 is allowed.",
        "a beam in 2.2 m, a wall in 1.5 days",
        "The factor is taken as 1.2 in all cases.",
        "A factor of 1.2, 1.5 and 2.2 applies.",
        "1.5 above the floor and 2.2 below it",
        "The ratio lies between 1.2 and 1.4.",
        "Use 6 bolts with 7 plates in 6 rows.",
        "It is increased to 1.5 for walls.",
        "the partial factor (1.5) for loads",
    ],
)
def test_bare_numbers_that_are_quantities(text: str) -> None:
    assert found(text, "eurocode") == []


@pytest.mark.parametrize(
    ("family", "text", "number", "designation"),
    [
        ("decimal", "clause 1.2 of Part 2 applies", "Part 2 1.2", ""),
        ("eurocode", "clause 1.2 of Part 2 applies", "1.2", "EN 1991-2"),
        ("eurocode", "clause 1.2 of Part 1-5 applies", "1.2", "EN 1991-1-5"),
    ],
)
def test_a_clause_of_another_part_is_not_the_own_one(
    family: str, text: str, number: str, designation: str
) -> None:
    document = make.document([*PARTS, make.clause("9.9", text)], family=family, designation="EN 1991-1-1")
    (one,) = [r for r in find_references(document) if r.source.key == "9.9"]
    assert (one.number, one.designation) == (number, designation)


@pytest.mark.parametrize(
    ("number", "before", "whole"),
    [
        ("(4)", "5.2(2)", "5.2(4)"),
        ("(c)", "5.2(2)(a)", "5.2(2)(c)"),
        ("(c)", "(2)(a)", "(2)(c)"),
        ("(3)", "(2)(a)", "(3)"),
        ("(b)", "5.2(2)P", "5.2(2)(b)"),
        ("2.16", "H1-2.13", "H1-2.16"),
        ("b)", "5.2(1)Pa)", "5.2(1)Pb)"),
        ("(2)", "5.2(1)a", "5.2(2)"),
    ],
)
def test_numbers_borrow_from_the_number_before_them(number: str, before: str, whole: str) -> None:
    assert borrowed(number, before) == whole


def test_an_exception_of_a_clause_is_one_reference() -> None:
    (one,) = found("as in Exception 2 of Section 1603.2 and elsewhere", "model_code")
    assert (one.kind, one.text, one.number) == (
        "note",
        "Exception 2 of Section 1603.2",
        "1603.2 Exception 2",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See Paragraph 1.2.A and Articles 1.3 and 1.4.", ["1.2.A", "1.3", "1.4"]),
        ("Comply with Subparagraph 1.2.A.1.a.", ["1.2.A.1.a"]),
        ("Paragraph A above and Paragraph 1.9.C", ["1.2.A", "1.9.C"]),
        (
            "Section 03 30 00 and Section 03 10 00 apply",
            ["Section 033000", "Section 03 10 00 > Section 031000"],
        ),
        ("Test to ASTM C39, then as in Article 1.6.", ["ASTM C39 > ", "1.6"]),
        ("Comply with ACI 301, Article 1.6.", ["ACI 301 > 1.6"]),
    ],
)
def test_three_part_specifications(text: str, expected: list[str]) -> None:
    parts = make.spread(dict.fromkeys(("1.2", "1.3", "1.4"), ""))
    items = make.spread(dict.fromkeys(("1.2.A", "1.2.A.1", "1.2.A.1.a"), ""), "item")
    section = make.clause("SECTION 03 30 00", "", "part")
    source = replace(make.clause("1.2.B", text, "item"), parent=parts[0].label)
    document = make.document(
        [section, *parts, *items, source], family="three_part", designation="SECTION 03 30 00"
    )
    found = [one for one in find_references(document) if one.source.key == "1.2.B"]
    assert [f"{r.designation} > {r.number}" if r.designation else r.number for r in found] == expected


def test_an_item_names_its_neighbours_by_their_letters_alone() -> None:
    clause, first = make.clause("3.2", "Loads are:"), make.clause("3.2a", "people;", "item")
    source = replace(make.clause("3.2b", "snow as in item (a).", "item"), parent=clause.label)
    document = make.document([clause, replace(first, parent=clause.label), source], family="decimal")
    (one,) = (r for r in find_references(document) if r.source.key == "3.2b")
    assert (one.text, one.number) == ("item (a)", "3.2(a)")


@pytest.mark.parametrize(
    ("text", "designation"),
    [
        ("as in AS 1657—2018, Clause 7.4", "AS 1657—2018"),
        ("read with AS/ NZS 1170.1. Annex A is", "AS/ NZS 1170.1"),
        ("read with AS/NZS 1170.0:2002", "AS/NZS 1170.0:2002"),
    ],
)
def test_australian_standards(text: str, designation: str) -> None:
    assert [one.designation for one in found(text, "decimal") if one.designation] == [designation]


def test_clauses_of_a_code_that_numbers_by_letters_are_named_without_a_word() -> None:
    text = (
        "certain buildings in C2D6; A2G2(3) and D2D8(3)(b), Tables S5C11a to S5C11c, Specification 5 and CO2"
    )
    document = make.document([make.clause("C2D2", text), make.clause("C2D1")], family="lettered")
    assert [r.number for r in find_references(document)] == [
        "C2D6",
        "A2G2(3)",
        "D2D8(3)(b)",
        *(f"Table S5C11{letter}" for letter in "abc"),
        "Specification 5",
    ]
    plain = make.document([make.clause("4.2", "the salts H2O4 and C2D6 are kept")], family="decimal")
    assert not find_references(plain)
