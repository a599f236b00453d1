"""Cases of the definition behind every figure: which shown place covers which wanted one."""

from __future__ import annotations

import pytest

from appliance.core.document import Label
from appliance.core.evidence import Place, PlaceKind
from appliance.evaluation.places import Gold, covers, first_page_rank, first_rank, normal_label


def shown(document: str, keys: str, *pages: int, kind: PlaceKind = "clause", title: str = "") -> Place:
    labels = tuple(Label.from_key(key) for key in keys.split("|"))
    text = "(2)P The guarding shall be high."
    return Place(document, labels[0], labels, kind, title, (), pages, (), (), text, 0.0, ())


@pytest.mark.parametrize(
    ("kind", "title", "label", "wanted", "covered"),
    [
        ("heading", "Stairs", "Section 1", "Section 1: Stairs", True),
        ("annex", "Key terms", "Appendix A", "Appendix A: Key terms", True),
        ("requirement", "Guarding", "Requirement K2", "K2", True),
        ("clause", "Guarding", "Requirement K2", "K2", False),
        ("requirement", "Guarding", "Requirement", "Requirement", True),
        ("clause", "Stairs", "1.1", "1.1: Stairs", False),
        ("clause", "", "1.1(2)", "1.1(2)P", True),
        ("clause", "", "1.1(3)", "1.1(3)P", False),
    ],
)
def test_a_division_is_known_by_its_title_too_a_requirement_by_its_number_a_principle_by_its_mark(
    kind: PlaceKind, title: str, label: str, wanted: str, covered: bool
) -> None:
    place = shown("AD", label, 1, kind=kind, title=title)
    assert covers(place, Gold("AD", wanted, "heading", 1)) is covered


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("Table 1.1", "table 1.1", True),
        ("Table\u00a01.1", "Table1.1", True),
        ("1.3.", "1.3", True),
        ("Section 6 –", "Section 6", True),
        ("5.3.2 (7)", "5.3.2(7)", True),
        ("Fig. 1", "Fig 1", True),
        ("B\u20132.1", "B-2.1", True),
        ("1.3", "1.30", False),
        ("H1 2.33", "2.33", False),
        ("-(9)", "(9)", False),  # only trailing dashes are ignored
        ("1-3", "13", False),
        ("Requirement K1", "K1", False),
    ],
)
def test_labels_compare_without_case_spaces_and_tails(left: str, right: str, equal: bool) -> None:
    assert (normal_label(left) == normal_label(right)) is equal


@pytest.mark.parametrize(
    ("place", "gold", "expected"),
    [
        (shown("K", "1.3", 15), Gold("K", "1.3", "clause", 15), True),
        (shown("K", "1.2|1.3|Table 1.1", 14, 15), Gold("K", "Table 1.1", "table", 16), True),
        (shown("K", "1.3", 13), Gold("K", "1.3", "clause", 15), False),
        (shown("M", "1.3", 15), Gold("K", "1.3", "clause", 15), False),
        (shown("K", "1.3", 15), Gold("K", "1403", "clause", 15, parent="1.3"), True),
        (shown("K", "Section 1", 15), Gold("K", "1", "clause", 15, alt="section 1"), True),
        (shown("K", "1.4", 15), Gold("K", "1403", "clause", 15, parent="1.3", alt="1.5"), False),
        (shown("K", "1.4", 15), Gold("K", "1.3", "clause", 15), False),
        # a label that starts again in each Part is told apart by its page
        (shown("H", "H2/1.1", 32), Gold("H", "1.1", "clause", 9), False),
        (shown("H", "H2/1.1", 32), Gold("H", "1.1", "clause", 32), True),
        # a page is a page: no label needed, no page next to it accepted
        (shown("K", "1.4", 15), Gold("K", "15", "page", 15), True),
        (shown("K", "15", 14), Gold("K", "15", "page", 15), False),
        (shown("K", "1.3"), Gold("K", "1.3", "clause", 1), False),  # no box, no page
    ],
)
def test_a_place_covers_by_document_label_and_page(place: Place, gold: Gold, expected: bool) -> None:
    assert covers(place, gold) is expected


def test_ranks_count_from_one_and_are_missing_where_nothing_covers() -> None:
    places = [shown("K", "1.1", 15), shown("K", "1.3", 15), shown("K", "1.3", 15)]
    assert first_rank(places, Gold("K", "1.3", "clause", 15)) == 2
    assert first_rank(places, Gold("K", "9.9", "clause", 15)) is None
    assert first_page_rank(places, Gold("K", "9.9", "clause", 15)) == 1
    assert first_page_rank(places, Gold("K", "1.3", "clause", 16)) is None
