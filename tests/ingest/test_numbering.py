"""Readings of line starts, and the chain that decides among them."""

from __future__ import annotations

import pytest

from appliance.ingest.structure.markers import Number, Reading, parsed, readings
from appliance.ingest.structure.schemes import Level
from appliance.ingest.structure.sequence import Candidate, best_chain
from tests.ingest.made import scheme

EUROCODE = scheme("eurocode").levels
GUIDANCE = scheme("approved_document").levels


def _read(text: str, levels: tuple[Level, ...] = EUROCODE) -> dict[str, Reading]:
    found: dict[str, Reading] = {}
    for reading in readings(text, levels):
        found.setdefault(reading.level.name, reading)
    return found


@pytest.mark.parametrize(
    ("text", "level", "number", "rest"),
    [
        ("5.3.2 Cylindrical roofs", "clause", (5, 3, 2), "Cylindrical roofs"),
        ("1.1. Scope", "clause", (1, 1), "Scope"),
        ("4. Section 4 Snow load", "section", (4,), "Snow load"),
        ("(7)P The load", "paragraph", (7,), "The load"),
        ("(1 )P The load", "paragraph", (1,), "The load"),
        ("(3)B The beam", "paragraph", (3,), "The beam"),
        ("(2)BP The beam", "paragraph", (2,), "The beam"),
        ("(2)PB The beam", "paragraph", (2,), "The beam"),
        ("NOTE 2 See Annex C", "note", ("2",), "See Annex C"),
        ("NOTE: See Annex C", "note", ("",), "See Annex C"),
        ("a) the roof", "item", (1,), "the roof"),
        ("iv) the roof", "subitem", (4,), "the roof"),
        ("Annex B (informative)", "annex", ("B",), "(informative)"),
        ("ANNEXB", "annex", ("B",), ""),
        ("Annex A2", "annex", ("A", 2), ""),
        ("Annex 1", "annex", ("annex", 1), ""),
        ("B.2.1 Roofs", "annex clause", ("B", 2, 1), "Roofs"),
        ("NA.2.3 Zones", "national", ("NA", 2, 3), "Zones"),
    ],
)
def test_markers_as_codes_print_them(text: str, level: str, number: Number, rest: str) -> None:
    reading = _read(text)[level]
    assert (reading.number, text[reading.end :].strip(), reading.price) == (number, rest, 0)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Clause 6.3.2.4 (1)B, Note 2", "eurocode"),
        ("Clause BB.1.3 (3)B", "eurocode"),
        ("NDP zu 6.3.2.4 (1)B Anmerkung 2", "din"),
        ("NDP zu BB.1.3 (3)B Anmerkung", "din"),
    ],
)
def test_a_choice_is_called_after_a_rule_for_buildings(text: str, name: str) -> None:
    found = _read(text, scheme(name).levels)["national choice"]
    assert found.head == text.removesuffix(" Anmerkung")


def test_the_letter_of_an_annex_may_stand_before_a_paragraph() -> None:
    (found,) = [one for one in readings("B(2) The force", EUROCODE) if one.level.name == "paragraph"]
    assert (found.number, "B(2) The force"[found.end :].strip()) == ((2,), "The force")


def test_of_two_numbers_in_brackets_the_second_is_the_cheaper_one() -> None:
    found = [one for one in readings("(5) (1) The roof", EUROCODE) if one.level.name == "paragraph"]
    assert min(found, key=lambda one: one.price).number == (1,)
    assert all(one.price > 0 for one in found)
    (alone,) = [one for one in readings("(5) The roof", EUROCODE) if one.level.name == "paragraph"]
    assert (alone.number, alone.price) == ((5,), 0.0)


@pytest.mark.parametrize(
    "text", ["So the load", "Is it", "The roof", "is (2) the", "", "-", "P", "see 5.3.2", "Table 4.1 Values"]
)
def test_words_are_no_markers(text: str) -> None:
    assert not list(readings(text, EUROCODE))


@pytest.mark.parametrize(
    ("text", "level", "label"),
    [
        ("Requirement K1: Stairs", "requirement", "K1"),
        ("Optional requirement M4(2): Category 2", "requirement", "M4(2)"),
        ("Requirement S1 and regulation 44D:", "requirement", "S1"),
        ("H1. (1) An adequate system", "legal requirement", "H1"),
        ("36.—(1) The potential", "regulation", "36"),
        ("44ZC. (1) The requirement", "regulation", "44ZC"),
        ("Appendix H1-A: Additional guidance", "appendix", "H1-A"),
        ("Section 1A: Approach", "lettered section", "1A"),
        ("A16 The figures", "appendix clause", "A16"),
        ("B.14 Paragraphs", "appendix clause", "B.14"),
    ],
)
def test_markers_of_guidance_to_regulations(text: str, level: str, label: str) -> None:
    assert _read(text, GUIDANCE)[level].text == label


@pytest.mark.parametrize("text", ["1. All pipes assumed", "Requirement to have stairs", "2.5", "25. Mai"])
def test_notes_and_dates_are_no_regulations(text: str) -> None:
    assert not {"regulation", "requirement"} & set(_read(text, GUIDANCE))


@pytest.mark.parametrize(
    ("text", "sequence", "value"),
    [
        ("iv", "roman", (4,)),
        ("iiii", "roman", None),
        ("xii", "roman", (12,)),
        ("h", "letter", (8,)),
        ("aa", "letter", (27,)),  # after z
        ("ab", "letter", None),
        ("6A", "number", (6,)),
        ("A16", "dotted", ("A", 16)),
    ],
)
def test_what_a_number_counts(text: str, sequence: str, value: Number | None) -> None:
    assert parsed(text, sequence) == value


def _chain(
    *numbers: str,
    weights: dict[int, float] | None = None,
    parts: tuple[int, ...] = (),
    titled: tuple[int, ...] = (),
) -> list[str]:
    """Return the numbers that the chain keeps; `parts` are the positions at which a Part begins.

    `titled` are those that stand in a title beyond doubt.
    """
    level = {True: _read("A.1 x")["annex clause"], False: _read("1.1 x")["clause"]}
    candidates = []
    for at, text in enumerate(numbers):
        base = level[text[0].isalpha() and "." in text]
        number = tuple(int(p) if p.isdigit() else p for p in text.split("."))
        reading = Reading(base.level, number, text, "", text, 0)
        candidates.append(
            Candidate(
                reading,
                (1, at),
                (weights or {}).get(at, 0.0),
                sum(part <= at for part in parts),
                titled=at in titled,
            )
        )
    return [one.reading.text for one in best_chain(candidates)]


@pytest.mark.parametrize(
    ("numbers", "kept"),
    [
        ("1 1.1 1.2 2 2.1", "1 1.1 1.2 2 2.1"),
        ("1 1.1 3.5 1.2 1.3", "1 1.1 1.2 1.3"),
        ("1.1 1.2 1.4 1.5", "1.1 1.2 1.4 1.5"),
        ("0.1 0.2 1.1 1.2", "0.1 0.2 1.1 1.2"),
        ("5.3 5.3.1 5.3.2 5.4 6 6.1", "5.3 5.3.1 5.3.2 5.4 6 6.1"),  # starts in the middle
        ("1 1.1 1.2 1.1 1.2 1.3", "1 1.1 1.2 1.3"),
        ("1 1.1 A A.1 A.2 B B.1", "1 1.1 A A.1 A.2 B B.1"),
        ("1 1.1 1.2 9.9 1.3 1.4 2.75 1.5", "1 1.1 1.2 1.3 1.4 1.5"),
        ("1 1.3.1 1.3.2 1.4", "1 1.3.1 1.3.2 1.4"),  # the number over them is not printed
        ("1 1.1 1.8.1 1.2", "1 1.1 1.2"),
        ("", ""),
    ],
)
def test_the_chain_follows_the_sequence(numbers: str, kept: str) -> None:
    assert _chain(*numbers.split()) == kept.split()


def test_numbers_begin_again_where_a_part_begins_and_nowhere_else() -> None:
    numbers = ["1.1", "1.2", "1.3", "1.1", "1.2", "1.3"]
    assert _chain(*numbers, parts=(3,)) == numbers
    assert _chain(*numbers) == ["1.1", "1.2", "1.3"]


@pytest.mark.parametrize(
    ("numbers", "kept"),
    [
        ("2.4.2.4 3.1.6 4.4.1.2", "2.4.2.4 3.1.6 4.4.1.2"),  # an extract
        ("5 5.3", "5 5.3"),
        ("12", ""),  # "12 Bridge Street" on a cover
        ("B.2 B.2.1 B.2.2", "B.2 B.2.1 B.2.2"),  # its annex is not in the extract
        ("7.3 1 1.1 1.2 1.3", "1 1.1 1.2 1.3"),  # a list in front
        ("1 1.1 9.4 1.2 1.3 2", "1 1.1 1.2 1.3 2"),
    ],
)
def test_titles_beyond_doubt_may_leave_out_whole_clauses(numbers: str, kept: str) -> None:
    every = numbers.split()
    weights = dict.fromkeys(range(len(every)), 1.3)
    assert _chain(*every, weights=weights, titled=tuple(weights)) == kept.split()


def test_numbers_far_apart_open_nothing_without_a_title() -> None:
    assert not _chain("2.4.2.4", "3.1.6", "4.4.1.2")


def test_evidence_decides_between_two_of_one_number() -> None:
    candidates = _chain("1.1", "1.2", "1.2", "1.3", weights={1: -1.5, 2: 0.5})
    assert candidates == ["1.1", "1.2", "1.3"]


def test_clauses_of_annexes_need_an_annex() -> None:
    assert _chain("G.1", "G.2", "1", "1.1", "1.2", "1.3", "2", "2.1") == [
        "1",
        "1.1",
        "1.2",
        "1.3",
        "2",
        "2.1",
    ]


def test_a_long_document_takes_little_time() -> None:
    numbers = [f"{a}.{b}.{c}" for a in range(1, 11) for b in range(1, 16) for c in range(1, 21)]
    assert len(_chain("1", "1.1", *numbers)) >= len(numbers)
