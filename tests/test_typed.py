"""Labels as people type them: as an answer shows them, with words around them, ambiguous, false."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from appliance.core.document import Label
from appliance.core.errors import AmbiguousLabel, UnknownDocument, UnknownPlace
from appliance.core.evidence import Grounded
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.retrieval.typed_labels import label_typed, others_called
from appliance.store.read import Store
from tests.factories import clause, document, figure, formula, table
from tests.store.libraries import chunked, opened

GRID = [["Appliance", "Seal"], ["Bath", "50 mm"]]
ITEM, TWIN = "G3/Guidance/3.24/3.24a", "G3/Guidance/3.24/no. 2/3.24a"
CODE = chunked(
    document(
        clauses=(
            clause("Requirement H2", title="Tanks", kind="requirement"),
            clause("H1/1.17", "Junctions are swept in the direction of flow."),
            clause("H2/Siting", title="Siting", kind="heading"),
            clause("H2/1.17", "Septic tanks stand within 30 m of a road.", parent="H2/Siting"),
            clause("H1/2.33", "Drains are tested."),
            clause("H1/Appendix H1-A", title="Repairs", kind="annex"),
            clause("1.1", "Of the document."),
            clause("Appendix C Part 1/1.1", "Of a form."),
            clause("3.24", "Both lists."),
            clause(ITEM, "First list.", parent="3.24"),
            clause(TWIN, "Second list.", parent="3.24"),
            clause("1.4i", "An item."),
            clause("1.41", "A clause."),
            clause("5.3.2(7)", "A paragraph."),
        ),
        tables=(table("H1/Table 1", GRID, clause="H1/1.17"), table("H2/Table 1", GRID, clause="H2/1.17")),
        figures=(figure("Diagram 3.1"),),
        formulas=(formula("(5.1)", "s = m C"),),
        name="AB",
    )
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("typed") / "a", CODE, vectors=False) as opened_store:
        yield opened_store


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("1.17", "1.17"),
        ("H2/1.17", "H2 1.17"),
        ("H1/Appendix H1-A", "Appendix H1-A"),
        ("H1/H10", "H1 H10"),
        ("G3/Guidance/3.24/3.24a", "3.24a"),
        ("G3/Guidance/3.24/no. 2/3.24a", "no. 2 3.24a"),
        ("H2/Wetlands~1reed beds/Marking", "Wetlands/reed beds Marking"),
    ],
)
def test_a_label_is_shown_with_what_tells_it_from_others(key: str, named: str) -> None:
    assert Label.from_key(key).named == named


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("H2/1.17", "H2/1.17"),
        ("H2 1.17", "H2/1.17"),
        ("  h2   1.17 ", "H2/1.17"),
        ("AB H2 1.17", "H2/1.17"),
        ("1.17 (H2)", "H2/1.17"),
        ("H2, 1.17", "H2/1.17"),
        ("paragraph 1.17 of H2", "H2/1.17"),
        ("H2 paragraph 1.17", "H2/1.17"),
        ("H2: cl. 1.17", "H2/1.17"),
        ("2.33", "H1/2.33"),
        ("para 2.33", "H1/2.33"),
        ("1.1", "1.1"),
        ("Appendix C Part 1 1.1", "Appendix C Part 1/1.1"),
        ("no. 1 3.24a", ITEM),
        ("no. 2 3.24a", TWIN),
        ("1.4i", "1.4i"),
        ("1.41", "1.41"),
        ("5,3.2(7)P", "5.3.2(7)"),
        ("H1 Table 1", "H1/Table 1"),
        ("Tabie 1 H1", "H1/Table 1"),
        ("diagram 3.1", "Diagram 3.1"),
        ("Fig. 3.1", "Diagram 3.1"),
        ("H2", "Requirement H2"),
        ("Appendix H1-A", "H1/Appendix H1-A"),
    ],
)
def test_a_typed_label_means_its_one_place(store: Store, typed: str, key: str) -> None:
    assert label_typed(store, "AB", typed).key == key


@pytest.mark.parametrize(
    ("typed", "ways"),
    [
        ("1.17", ["H1 1.17", "H2 1.17"]),
        ("clause 1.17", ["H1 1.17", "H2 1.17"]),
        ("Table 1", ["H1 Table 1", "H2 Table 1"]),
        ("3.24a", ["no. 1 3.24a", "no. 2 3.24a"]),
    ],
)
def test_a_label_of_several_places_is_told_with_each_way_to_write_it(
    store: Store, typed: str, ways: list[str]
) -> None:
    with pytest.raises(AmbiguousLabel) as raised:
        label_typed(store, "AB", typed)
    assert [way for way, _, _ in raised.value.told] == ways
    assert all(f"{way} (page 1" in str(raised.value) for way in ways)
    assert len({label_typed(store, "AB", way) for way in ways}) == len(ways)  # each can be typed back


def test_the_heading_over_each_place_is_told(store: Store) -> None:
    with pytest.raises(AmbiguousLabel, match=r"H2 1\.17 \(page 1, Siting\)"):
        label_typed(store, "AB", "1.17")


@pytest.mark.parametrize(
    "typed",
    ["H9 1.17", "H9 2.33", "H2 2.33", "stairs 2.33", "5.3.2(9)", "99", "", " ", "'; drop", "1.17" * 500],
)
def test_no_other_place_is_taken_for_a_label_that_is_none(store: Store, typed: str) -> None:
    with pytest.raises(UnknownPlace):
        label_typed(store, "AB", typed)


def test_an_unknown_document_is_said(store: Store) -> None:
    with pytest.raises(UnknownDocument):
        label_typed(store, "XY", "1.1")


def test_what_is_of_another_kind_is_named_as_it_can_be_typed(store: Store) -> None:
    with pytest.raises(UnknownPlace, match='appliance table AB "H2 Table 1"'):
        label_typed(store, "AB", "Table 1 H2", ("clause",))
    with pytest.raises(UnknownPlace, match='appliance table AB "Table 1"'):  # of several none is chosen
        label_typed(store, "AB", "Table 1", ("clause",))


def test_others_of_the_same_print_are_told(store: Store) -> None:
    (other,) = others_called(store, "AB", Label(("1.1",)))
    assert other[0] == "Appendix C Part 1 1.1"
    assert others_called(store, "AB", Label(("H1", "2.33"))) == ()


def test_every_place_of_a_label_comes_first_and_all_are_told(store: Store) -> None:
    library = Library(store, None, None, Settings())
    evidence = library.search("clause 1.17")
    exact = [hit for hit in evidence.hits if "exact" in hit.found_by]
    held = {label.key for hit in exact for label in (hit.label, *hit.labels)}
    assert {"H1/1.17", "H2/1.17"} <= held
    assert evidence.hits[: len(exact)] == tuple(exact)
    assert evidence.scope is not None
    assert evidence.scope.text == "AB has 2 places called 1.17."
    assert [item.label.named for item in evidence.scope.items] == ["H1 1.17", "H2 1.17"]
    alone = library.search("H2 clause 1.17")
    assert alone.scope is None
    assert "H2/1.17" in {label.key for label in alone.hits[0].labels}


def test_an_answer_of_several_places_is_not_sure(store: Store) -> None:
    answer = Library(store, None, None, Settings()).ask("clause 1.17")
    assert isinstance(answer, Grounded)
    assert answer.confidence.level != "high"
