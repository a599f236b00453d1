"""Definitions: numbered, set apart by type, in columns, quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.core.document import Clause, Label, Term
from appliance.ingest.definitions.terms import find_terms
from appliance.ingest.layout.lines import join_lines, make_line, segments
from appliance.ingest.page import Line, PageContent, PageLayout, Word, box_on
from appliance.ingest.structure.schemes import Scheme, load_schemes, with_words
from tests import factories as make

SIZE = 10.0
GREEN = 0x00853F


def scheme(name: str) -> Scheme:
    return with_words(next(scheme for scheme in load_schemes() if scheme.name == name), "")


def line(y: float, *pieces: tuple[str, str], x: float = 50.0) -> Line:
    """A line of (style, text) pieces: b bold, c coloured, - plain, > a jump to the second column."""
    words: list[Word] = []
    for style, text in pieces:
        x = 150.0 if style == ">" else x
        for part in text.split():
            width = 5.0 * len(part)
            colour = GREEN if style == "c" else 0
            words.append(Word(part, x, y, x + width, y + SIZE, "F", SIZE, bold=style == "b", colour=colour))
            x += width + 3
    return make_line(1, 1, segments(words))


def section(title: str, lines: list[Line], kind: str = "annex") -> tuple[Clause, PageLayout]:
    content = PageContent(1, 600, 800, "1", (), (), ())
    passage = join_lines(lines, {1: content})
    boxes = (box_on(content, 40, 40, 590, 790),)
    clause = Clause(Label(("Appendix A",)), kind, title, passage, None, 1, boxes)  # type: ignore[arg-type]
    return clause, PageLayout(content, tuple(lines))


def found(title: str, lines: list[Line], name: str = "approved_document") -> list[tuple[str, str, str]]:
    clause, layout = section(title, lines)
    terms = find_terms([clause], [layout], scheme(name))
    return [(term.term, term.passage.text, term.kind) for term in terms]


RUN_IN = [
    line(100, ("b", "Air"), ("-", "What is breathed in a room")),
    line(112, ("-", "by people and animals of all kinds.")),
    line(130, ("b", "Rate of"), ("-", "An amount of air in a time.")),
]
ABOVE = [
    line(100, ("c", "Common stair")),
    line(112, ("-", "One that serves several dwellings in a building")),
    line(124, ("-", "A "), ("c", "flight"), ("-", "of it is a series of steps between landings")),
    line(142, ("c", "Building Regulations compliance")),
    line(154, ("c", "certificate*")),
    line(166, ("-", "A paper that says what was built and how it was built")),
]
REFERENCE_FIRST = [
    line(100, ("b", "Level shower")),
    line(118, ("c", "Step-free"), ("-", "area of a floor with falls towards")),
    line(130, ("-", "a gulley in the floor of the room that drains")),
    line(148, ("b", "Main entrance")),
    line(166, ("-", "The"), ("c", "communal"), ("-", "door that a visitor would expect to use")),
]
NUMBERED = [
    line(100, ("-", "7. A"), ("b", "chimney"), ("-", "is a structure with walls around it")),
    line(112, ("-", "that hold one flue or more than one flue")),
    line(130, ("-", "8. The"), ("b", "flue pipe"), ("-", "leads to it from an appliance of any kind")),
]
COLONS = [
    line(88, ("b", "1.2 Definitions")),
    line(100, ("b", "crowd bridge:"), ("-", "one on which many people are expected")),
    line(112, ("-", "at an event")),
    line(124, ("b", "kissing gate:"), ("-", "one that lets a person pass at a time")),
    line(136, ("-", "through an enclosure of rails")),
]
LONG = [
    line(100, ("b", "Design System Efficiency (DSE):"), ("-", "efficiency of the whole")),
    line(112, ("-", "under the conditions of design")),
]
CAPITALS = [
    line(88, ("b", "[Amended by another law]")),
    line(100, ("-", "A. As used in this chapter, these terms have the meanings below:")),
    line(112, ("-", "ACCESS TO EXIT - A way that leads to an exit: the one")),
    line(124, ("-", "that is nearest. OTHERS - are none.")),
    line(136, ("-", "BASEMENT - A storey below the ground")),
    line(148, ("-", "YARD: Land without a building")),
    line(160, ("-", "REGULATION 347 or LATER - What the minister has made")),
]
BESIDE = [
    line(88, ("b", "Term"), (">", ""), ("b", "Description")),
    line(100, ("b", "Anchor"), (">", ""), ("-", "A secure point for a line of a person")),
    line(112, (">", ""), ("-", "who works at a height over the ground.")),
    line(124, ("b", "Total fall"), (">", ""), ("-", "What a person is likely to fall during")),
    line(136, ("b", "distance"), (">", ""), ("-", "both parts of the way down.")),
    line(148, ("b", "Worker"), (">", ""), ("-", "A person who carries out work of any")),
    line(160, (">", ""), ("-", "kind, the employee of another one too,")),
    line(172, (">", ""), ("-", "and who is not the owner.")),
]
PLAIN_COLUMNS = [line(88, ("b", "Term"), (">", ""), ("b", "Description"))] + [
    replace(item, words=tuple(replace(word, bold=False) for word in item.words)) for item in BESIDE[1:]
]
MARKED = [line(100 + 12 * at, ("-", f"{mark}."), (">", "text of it")) for at, mark in enumerate("ABCDE")]
ACRONYMS = [
    line(100 + 14 * at, ("-", term), (">", ""), (style, "What it says"), ("-", "and more"))
    for at, (term, style) in enumerate(zip(("API", "CSS", "EPCI", "ISO"), "ccc-", strict=True))
]
SOURCED = [
    line(100, ("b", "creep [VIM 5.16]")),
    line(112, ("-", "change of the output with time at a load")),
    line(130, ("b", "Feature:"), ("c", "Object"), ("-", "that is set apart from others")),
]
SPACED = [
    *(line(100 + 22 * at, ("b", term), ("-", "Model")) for at, term in enumerate(("FFM", "SFM", "SIL"))),
    line(156, ("-", "that a design needs")),
    line(178, ("b", "SRS"), ("-", "Wants of a system")),
]
QUOTED = [line(y, ("b", f"“{term}”"), ("-", "means it")) for y, term in ((100, "Bag"), (112, "Box"))]
HEADS_APART = [line(80, ("c", "Description")), line(88, ("c", "Term")), *BESIDE[1:]]
OTHERS = [
    line(100, ("b", "The following are used in this document:")),
    line(118, ("b", "NOTE:"), ("-", "The terms with a star stand in the law")),
    *[replace(item, y0=item.y0 + 40, y1=item.y1 + 40) for item in RUN_IN],
]


@pytest.mark.parametrize(
    ("lines", "terms"),
    [
        (RUN_IN, ["Air", "Rate of"]),
        (ABOVE, ["Common stair", "Building Regulations compliance certificate"]),
        (REFERENCE_FIRST, ["Level shower", "Main entrance"]),
        (NUMBERED, ["chimney", "flue pipe"]),
        (OTHERS, ["Air", "Rate of"]),
        (CAPITALS, ["ACCESS TO EXIT", "BASEMENT", "YARD", "REGULATION 347 or LATER"]),
        (BESIDE, ["Anchor", "Total fall distance", "Worker"]),
        (HEADS_APART, ["Anchor", "Total fall distance", "Worker"]),
        (COLONS, ["crowd bridge", "kissing gate"]),
        (PLAIN_COLUMNS, ["Anchor", "Total fall distance", "Worker"]),
        (MARKED, []),
        (SPACED, ["FFM", "SFM", "SIL", "SRS"]),
        (QUOTED, ["Bag", "Box"]),
        (ACRONYMS, ["API", "CSS", "EPCI", "ISO"]),
        (SOURCED, ["creep", "Feature"]),
        (LONG, ["Design System Efficiency (DSE)"]),
        ([line(100, ("-", "Nothing is set apart in this line"))], []),
        ([], []),
    ],
)
def test_terms_set_apart_by_type(lines: list[Line], terms: list[str]) -> None:
    assert [term for term, _, _ in found("Key terms", lines)] == terms


@pytest.mark.parametrize(
    ("title", "count"),
    [
        ("Definitions and interpretation", 2),
        ("GLOSSARY OF COMMONLY USED TERMS", 2),
        ("Definition of Terms", 2),
        ("Terminology (Terms and definitions)", 2),
        ("Glossaire", 2),
        ("Terms and conditions", 0),
        ("Terms of reference", 0),
        ("General", 0),
    ],
)
def test_the_title_of_a_section_of_definitions_begins_and_ends_with_its_words(title: str, count: int) -> None:
    assert len(found(title, RUN_IN)) == count


def test_the_meaning_beside_a_term_of_two_lines_is_without_it() -> None:
    meanings = [meaning for _, meaning, _ in found("Glossary", BESIDE)]
    assert meanings[1] == "What a person is likely to fall during both parts of the way down."


def clause(key: str, text: str, title: str = "", parent: str | None = None) -> Clause:

    return make.clause(key, text, title=title, parent=parent)


def test_terms_whose_numbers_are_not_in_the_text_are_read_beside_those_that_are() -> None:
    names = ("cell", "digital cell", "creep", "fault", "sealing")
    pairs = [
        ("b" if at % 2 == 0 else "-", names[at // 2] if at % 2 == 0 else "what it is") for at in range(10)
    ]
    whole, page = section(
        "Terms and definitions", [line(100 + 15 * at - at % 2 * 3, one) for at, one in enumerate(pairs)]
    )
    numbered = [replace(clause(f"3.{at}", "it", names[at], "Appendix A"), boxes=()) for at in (1, 3)]
    terms = find_terms([whole, *numbered], [page], scheme("eurocode"))
    assert [term.term for term in terms] == list(names)


def terms_of(*clauses: Clause) -> tuple[Term, ...]:
    return find_terms(clauses, [], scheme("eurocode"))


def test_each_line_of_the_title_of_an_entry_is_a_term_but_where_it_goes_on() -> None:
    entries = (
        (
            "3.1",
            ("policy of safety at work", "safety policy"),
            "aims of those who lead a site, as they told them to all",
        ),
        ("3.2", ("assessment of the dangers of buildings in earthquakes", "and storms"), "look at them"),
        ("3.3", ("work",), "what is done"),
    )
    lines: list[Line] = []
    clauses = [clause("3", "", "Terms and definitions")]
    content = PageContent(1, 600, 800, "1", (), (), ())
    for number, names, meaning in entries:
        top = 100 + 14 * len(lines)
        texts = [("b", number), *(("b", name) for name in names), ("-", meaning)]
        own = [line(top + 14 * at, piece) for at, piece in enumerate(texts)]
        box = box_on(content, 40, top - 1, 590, top + 14 * len(own) - 3)
        passage = join_lines(own[-1:], {1: content})
        made = clause(number, "", " ".join(names), "3")
        clauses.append(replace(made, passage=passage, boxes=(box,)))
        lines += own
    terms = find_terms(clauses, [PageLayout(content, tuple(lines))], scheme("eurocode"))
    assert [term.term for term in terms] == [
        "policy of safety at work",
        "safety policy",
        "assessment of the dangers of buildings in earthquakes and storms",
        "work",
    ]


@pytest.mark.parametrize(
    ("text", "term", "meaning"),
    [
        ("In this Part, “new dwelling” does not include a flat.", "new dwelling", "does not include a flat."),
        ("“use” in relation to a tap means to open it. Then.", "use", "means to open it."),
        ("a ‘small pane’ is an isolated pane. More follows.", "small pane", "is an isolated pane."),
        ("The person who builds (“the developer”) shall ask. Then.", "the developer", None),
        ("The word “safe” was printed. It is not “defined”.", "", None),
    ],
)
def test_quoted_terms(text: str, term: str, meaning: str | None) -> None:
    terms = terms_of(clause("4", text))
    assert [item.term for item in terms] == ([term] if term else [])
    if meaning:
        assert terms[0].passage.text == meaning


TITLES = ["Definitions", "Scope; definitions. [Amended 2013]", "SECTION 202, DEFINITIONS", "Scope"]


@pytest.mark.parametrize("title", TITLES)
def test_a_sentence_of_a_section_of_definitions_opens_with_a_term(title: str) -> None:
    text = "State of emergency shall mean one that is declared. The word “farm” shall include land. It ends."
    terms = [(term.term, term.passage.text) for term in terms_of(clause("4", text, title))]
    declared = ("State of emergency", "shall mean one that is declared.")
    assert terms == ([declared, ("farm", "shall include land.")] if title != "Scope" else [])


def test_what_comments_on_a_definition_defines_nothing() -> None:
    own = [clause(f"3.{at}", "what it is", f"Term {at}", "3") for at in (1, 2)]
    comments = [
        replace(clause(f"A.3.{at}", "more of it", f"Term {at}", "3"), normative=False) for at in (1, 2)
    ]
    terms = terms_of(clause("3", "", "Definitions"), *own, *comments)
    assert [str(term.label) for term in terms] == ["Term 1", "Term 2"]


def test_a_term_before_a_dash_opens_the_numbered_places_of_definitions() -> None:
    texts = (
        "Box Column — A column with a hollow core. It is of four members.",
        "Beam, Built-Up-Laminated – One of layers.",
        "The height is that of 3 - 4 storeys.",
    )
    numbered = [replace(clause(f"3.{at}", text), parent=Label(("3",))) for at, text in enumerate(texts)]
    terms = [(term.term, term.passage.text) for term in terms_of(clause("3", "", "Terminology"), *numbered)]
    assert terms == [
        ("Box Column", "A column with a hollow core. It is of four members."),
        ("Beam, Built-Up-Laminated", "One of layers."),
    ]


@pytest.mark.parametrize(
    ("texts", "terms"),
    [
        (("Risk. What may happen.", "Causal factor. A cause of it.", "Firmware: What is kept."),
         ["Risk", "Causal factor", "Firmware"]),
        (("Risk. What may happen.", "The terms are those of the code.", "They hold for all of it."), []),
    ],
)  # fmt: skip
def test_a_term_before_a_stop_opens_the_places_of_definitions_of_which_half_open_so(
    texts: Sequence[str], terms: list[str]
) -> None:
    numbered = [clause(f"3.{at}", text, parent="3") for at, text in enumerate(texts)]
    for section in (clause("3", "", "Definitions"), clause("3", "Definitions. The following apply.")):
        assert [term.term for term in terms_of(section, *numbered)] == terms


@pytest.mark.parametrize("number", ["Section 202. ", "3.2.1 "])
def test_the_number_of_its_place_is_none_of_a_term(number: str) -> None:
    lines = [
        line(100 + 20 * at, ("b", f"{number}{term}."), ("-", "What it is in any house"))
        for at, term in enumerate(("Adult", "Alley", "Attic"))
    ]
    lines.append(line(180, ("b", "Section 205."), ("-", "Nothing is named here by it")))
    assert [term for term, *_ in found("Definitions", lines)] == ["Adult.", "Alley.", "Attic."]


def test_a_section_of_definitions_is_told_in_its_own_way_whatever_follows_it() -> None:
    titled = [clause(f"3.{at}", "what it is", f"term {at}", "3") for at in (1, 2)]
    dashed = [clause(f"4.{at}", f"Thing {at}x — What it is.", parent="4") for at in (1, 2, 3)]
    sections = clause("3", "", "Definitions"), clause("4", "", "Terminology")
    terms = [term.term for term in terms_of(sections[0], *titled, sections[1], *dashed)]
    assert terms == ["term 1", "term 2", "Thing 1x", "Thing 2x", "Thing 3x"]


def test_symbols_in_two_columns_of_a_page_are_told_line_by_line() -> None:
    def column(number: int, *rows: tuple[str, str]) -> list[Line]:
        left = 50.0 + 270 * (number - 1)
        return [
            replace(line(100 + 14 * at, ("-", symbol), x=left), column=number)
            if not meaning
            else _two(100 + 14 * at, left, symbol, meaning, number)
            for at, (symbol, meaning) in enumerate(rows)
        ]

    lines = column(1, ("A =", "area"), ("b =", "breadth"), ("c =", "chord"), ("d =", "depth"))
    lines += column(2, ("h =", "height"), ("k =", "factor"), ("s =", "snow load"), ("t =", "thickness"))
    assert [(term, kind) for term, _, kind in found("Symbols", lines, "eurocode")] == [
        (symbol, "symbol") for symbol in "Abcdhkst"
    ]


def _two(y: float, left: float, symbol: str, meaning: str, column: int) -> Line:
    words = [
        Word(text, at, y, at + 5.0 * len(text), y + SIZE, "F", SIZE)
        for at, text in ((left, symbol), (left + 60, meaning))
    ]
    return make_line(1, column, segments(words))


def test_forewords_only_describe() -> None:
    text = "‘Building work’ is a legal term. “Site” means the land."
    assert [term.term for term in terms_of(replace(clause("Foreword", text), kind="front"))] == ["Site"]


def test_two_definitions_of_one_term_have_two_labels() -> None:
    terms = terms_of(*(clause(key, "“site” means land.") for key in ("1", "2", "3")), clause("site", ""))
    assert len({term.label for term in terms} | {Label(("site",))}) == 4
    assert {str(term.label) for term in terms} == {"site"}


def test_the_title_of_a_section_of_definitions_is_no_term() -> None:
    lines = [
        line(100, ("b", "1602.1 Definitions."), ("-", "The following terms are defined and shall apply.")),
        line(112, ("-", "to all that is said in this chapter of the code")),
        line(130, ("b", "Stair."), ("-", "A flight of steps between floors.")),
    ]
    assert [term for term, *_ in found("Definitions", lines, "model_code")] == ["Stair."]


def test_the_initial_of_a_term_in_other_type_belongs_to_it() -> None:
    lines = []
    for y, initial, rest, meaning in (
        (100, "G", "ust", "A departure of wind speed from its mean value that lasts some minutes"),
        (130, "", "Suction", "A pressure that is lower than the one of the air around the building"),
    ):
        first = line(y, ("-", initial)).words if initial else ()
        term = line(y, ("b", rest), ("-", meaning), x=55.0 if initial else 50.0).words
        glued = (replace(term[0], glued=bool(initial)), *term[1:])
        lines.append(make_line(1, 1, segments([*first, *glued])))
        lines.append(line(y + 12, ("-", "and that is told for each of the places in this document")))
    assert [term for term, _, _ in found("Definitions", lines)] == ["Gust", "Suction"]
