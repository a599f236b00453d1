"""Questions for places, filters and what is being read, on the demo codes."""

from __future__ import annotations

import pytest

from appliance.core.errors import BadInput, UnknownDocument, UnknownPlace
from appliance.core.evidence import Evidence
from appliance.library import Library
from appliance.retrieval.search import parse_reading, raised
from appliance.retrieval.search_context import Filter, Reading


def _items(evidence: Evidence) -> list[str]:
    assert evidence.scope is not None
    return [f"{item.document} {item.label}" for item in evidence.scope.items]


@pytest.mark.parametrize(
    ("question", "kind", "items"),
    [
        ("what is above 5.3 in DC 1-3", "relation", ["DC-1-3 5"]),
        ("what is above 5 in DC 1-3", "relation", []),
        ("what comes after clause 5.2 of DC 1-3", "relation", ["DC-1-3 5.3"]),
        ("what comes after clause 5.3 of DC 1-3", "relation", ["DC-1-3 6"]),
        ("what comes before Table 5.2 of DC 1-3", "relation", ["DC-1-3 Table 5.1"]),
        ("what does section 5 of DC 1-3 contain", "relation", ["DC-1-3 5.1", "DC-1-3 5.2", "DC-1-3 5.3"]),
        ("what superseded DC 1-3:2011", "relation", ["DC-1-3 DC 1-3:2024"]),
        ("what does DC 1-3:2024 supersede?", "relation", ["DC-1-3-2011 DC 1-3:2011"]),
        ("page 99 of DC 1-3", "page", []),
    ],
)
def test_what_stands_around_a_place(demo: Library, question: str, kind: str, items: list[str]) -> None:
    evidence = demo.search(question)
    assert evidence.scope is not None
    assert evidence.scope.kind == kind
    assert _items(evidence) == items
    assert evidence.scope.text.endswith((".", "?"))


def test_what_refers_to_a_table_is_listed_with_its_words(demo: Library) -> None:
    found = demo.search("what links to Table 5.1 of DC 1-3")
    assert {"DC-1-3 5.2(4)", "DC-1-3-NA NA.2.7(1)"} & set(_items(found))
    assert found.scope is not None
    assert all(item.how and item.page for item in found.scope.items)


def test_a_page_is_the_printed_one_and_shows_what_stands_on_it_in_order(demo: Library) -> None:
    found = demo.search("what is on page 4 of DC 1-3")
    assert found.scope is not None
    assert "as printed" in found.scope.text
    (page,) = {item.page for item in found.scope.items}
    assert demo.page("DC-1-3", page).printed == "4"
    tops = [_top(demo, str(item.label), item.label.key, page) for item in found.scope.items]
    assert tops == sorted(tops)
    assert page in found.hits[0].pages


def _top(demo: Library, _: str, key: str, page: int) -> float:
    store = demo.store
    item = store.clause("DC-1-3", key) or store.table("DC-1-3", key) or store.figure("DC-1-3", key)
    assert item is not None
    return round(next(box.y0 for box in item.boxes if box.page == page), 3)


def test_a_page_without_a_document_is_asked_back(demo: Library) -> None:
    found = demo.search("page 4")
    assert found.scope is not None
    assert "Name a document" in found.scope.text


@pytest.mark.parametrize(
    ("question", "document", "title"),
    [
        ("where are roof shape coefficients covered?", "DC-1-3", "shape coefficients"),
        ("which section deals with exceptional ground snow", "DC-1-3", "Exceptional ground snow"),
    ],
)
def test_a_heading_that_names_the_subject_leads(
    demo: Library, question: str, document: str, title: str
) -> None:
    found = demo.search(question)
    assert found.scope is not None
    assert any(item.document == document and title in item.title for item in found.scope.items[:2])
    assert found.hits[0].document == found.scope.items[0].document


def test_a_subject_that_nothing_speaks_of_leaves_the_ranking_alone(demo: Library) -> None:
    found = demo.search("Which part deals with quantum gravity?")
    assert found.scope is not None
    assert (found.scope.verdict, found.scope.items) == ("no", ())
    assert not [hit for hit in found.hits if "exact" in hit.found_by]


def test_a_list_names_what_was_gone_through_and_cites_every_item(demo: Library) -> None:
    found = demo.search("list every place where the national annex is mentioned")
    assert found.scope is not None
    assert len(found.scope.items) > 5
    assert all(item.page for item in found.scope.items)
    assert {line.split(":")[0] for line in found.scope.searched} == {info.id for info in demo.documents()}
    assert all("pages 1-" in line for line in found.scope.searched)


def test_filters_leave_what_they_name(demo: Library) -> None:
    informative = demo.search("densities of materials", wanted=Filter(documents=["DC-1-1"], normative=False))
    normative = demo.search("densities of materials", wanted=Filter(documents=["DC-1-1"], normative=True))
    assert informative.hits
    assert informative.hits[0].label.key.startswith(("Annex", "A", "Table A"))
    assert normative.hits
    assert not {hit.chunk for hit in informative.hits} & {hit.chunk for hit in normative.hits}
    older = demo.search("snow on the ground", wanted=Filter(editions=["2011"], families=["Eurocode"]))
    assert {hit.document for hit in older.hits} == {"DC-1-3-2011"}


@pytest.mark.parametrize(
    "wanted",
    [
        Filter(families=["approved_document"]),
        Filter(editions=["1899"]),
        Filter(documents=["DC-0"], editions=["2011"]),
    ],
)
def test_a_filter_that_leaves_nothing_is_refused(demo: Library, wanted: Filter) -> None:
    with pytest.raises(BadInput):
        demo.search("snow", wanted=wanted)


def test_what_is_read_is_raised_and_nothing_hidden(demo: Library) -> None:
    plain = demo.search("recommended values")
    read = demo.search("recommended values", reading=Reading("DC-1-3", "5.2"))
    assert read.boosted
    assert all(item.why for item in read.boosted)
    boosted = {(item.document, item.label) for item in read.boosted}
    first = min(rank for rank, hit in enumerate(read.hits) if (hit.document, hit.label) in boosted)
    before = [rank for rank, hit in enumerate(plain.hits) if (hit.document, hit.label) in boosted]
    assert first <= min(before, default=len(plain.hits))
    assert len(read.hits) == len(plain.hits)


def test_a_selected_text_raises_where_it_stands(demo: Library) -> None:
    text = demo.store.clause("DC-1-3", "5.2(4)")
    assert text is not None
    found = demo.search("coefficient", reading=Reading("DC-1-3", "", text.passage.text[:60]))
    assert any("selected" in item.why for item in found.boosted)


def test_an_unknown_place_that_is_read_is_refused(demo: Library) -> None:
    with pytest.raises(UnknownPlace):
        demo.search("snow", reading=Reading("DC-1-3", "99.9"))
    with pytest.raises(UnknownDocument):
        demo.search("snow", reading=Reading("DC-9", ""))
    with pytest.raises(BadInput):
        parse_reading(":5.2")


def test_raising_keeps_every_place_once() -> None:
    owners = {number: "A" if number % 2 else "B" for number in range(10)}
    ranked = raised(list(range(10)), owners, {9: "open"}, Reading("A"))
    assert sorted(ranked) == list(range(10))
    assert ranked.index(9) < 9
    assert raised([2, 1], owners, {}, None) == [2, 1]


def test_a_question_that_goes_on_is_shown_as_understood(demo: Library) -> None:
    found = demo.search("and for timber?", after="what is the density of reinforced concrete?")
    assert found.query.text == "what is the density of timber?"
    assert found.query.asked == "and for timber?"
    assert found.query.after == "what is the density of reinforced concrete?"


def test_every_reference_is_listed_also_between_places_shown_as_one(demo: Library) -> None:
    within: list[tuple[str, str, str]] = []
    for info in demo.store.documents():
        for cited in demo.store.references(info.id):
            ends = [label for label in (cited.source, cited.target) if label]
            shown = [demo.store.chunks_for(info.id, label)[:1] for label in ends]
            if (
                len(ends) == 2
                and cited.document in {None, info.id}
                and ends[0] != ends[1]
                and shown[0] == shown[1]
            ):
                within.append((info.id, str(ends[0]), str(ends[1])))
    asked = [one for one in within if not one[2].startswith("(") and not one[1].startswith(one[2])]
    assert asked
    for document, source, target in asked:
        evidence = demo.search(f"what links to {target} of {document}")
        assert evidence.scope is not None
        assert f"{document} {source}" in _items(evidence)
        assert evidence.scope.text.startswith(f"{len(evidence.scope.items)} reference")


def test_each_item_of_a_list_holds_the_subject_itself(demo: Library) -> None:
    evidence = demo.search("list all places where drifts are mentioned")
    assert evidence.scope is not None
    items = [item for item in evidence.scope.items if item.how == "clause"]
    assert items
    for item in items:
        clause = demo.store.clause(item.document, item.label)
        above = demo.store.lineage(item.document, item.label)
        over = " ".join(one.title for one in above)  # what is said under a title is said of it
        if clause is not None and clause.kind in {"item", "paragraph", "note"}:
            assert "drift" in f"{over} {clause.passage.text}".casefold(), f"{item.document} {item.label}"
