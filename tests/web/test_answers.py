"""An answer cut into the parts of its page: sources by place, nothing lost, nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Label
from appliance.core.evidence import Citation, Grounded, Statement
from appliance.web import language
from appliance.web.answers import cited_places
from appliance.web.answers import view as answers
from tests.web.fake_library import FakeLibrary


def citation(n: int, label: str, quote: str = "quote", page: int = 1) -> Citation:
    return Citation(n, "SNOW", Label((label,)), page, (Box(page, 0.1, 0.1 * n, 0.9, 0.1 * n + 0.02),), quote)


def grounded(library: FakeLibrary, citations: list[Citation], *statements: tuple[int, ...]) -> Grounded:
    """An answer of the fake library with these citations, one statement for each tuple of numbers."""
    answer = library.ask("snow")
    assert isinstance(answer, Grounded)
    made = tuple(
        Statement(f"Statement {at}.", numbers, confirmed=True) for at, numbers in enumerate(statements)
    )
    return replace(answer, statements=made, citations=tuple(citations))


@pytest.mark.parametrize(
    ("places", "statements", "bundles"),
    [
        ([], [], []),
        (["A"], [(1,)], [[1]]),
        (["A", "A", "B"], [(1, 2, 3)], [[1, 2], [3]]),
        (["A", "B", "A"], [(1, 2, 3)], [[1, 3], [2]]),
        (["A", "A"], [(1,), (2,)], [[1], [2]]),  # one place, two statements: two frames
        (["A", "A"], [(1, 2), (1,)], [[1, 2]]),  # shown once, where it first stands
        (["A", "B"], [(1,)], [[1], [2]]),  # a citation that no statement uses is still shown
        (["A"], [(1, 9)], [[1]]),  # a number without a citation
        (["A"], [(1, 1)], [[1]]),
    ],
)
def test_citations_of_one_place_in_one_statement_are_shown_together(
    library: FakeLibrary, places: list[str], statements: list[tuple[int, ...]], bundles: list[list[int]]
) -> None:
    citations = [citation(n, place) for n, place in enumerate(places, 1)]
    answer = grounded(library, citations, *statements)
    assert [[item.n for item in bundle] for bundle in cited_places.groups(answer)] == bundles
    shown = cited_places.of_citations(library, answer)
    assert sorted(shown) == [item.n for item in citations]
    for bundle in bundles:
        assert {shown[n].id for n in bundle} == {f"c{bundle[0]}"}


def test_a_bundle_frames_all_its_boxes_on_every_page(library: FakeLibrary) -> None:
    answer = grounded(library, [citation(1, "T"), citation(2, "T", page=2)], (1, 2))
    stop = cited_places.of_citations(library, answer)[2]
    assert [(view.page, len(view.strong)) for view in stop.views] == [(1, 1), (2, 1)]


def test_a_page_without_image_is_left_out(library: FakeLibrary) -> None:
    stop = cited_places.of_citations(library, grounded(library, [citation(1, "T", page=99)], (1,)))[1]
    assert (stop.views, stop.page) == ((), 0)


def test_quotes_are_shown_unless_the_statement_says_them(library: FakeLibrary) -> None:
    answer = grounded(library, [citation(1, "A", "Statement  0."), citation(2, "A", "other")], (1, 2))
    (said,) = answers.of_answer(library, answer).said
    assert [(source.numbers, source.quotes) for source in said.sources] == [("1, 2", ("other",))]


def test_every_place_found_is_shown_once_and_only_shown_places_are_stops(library: FakeLibrary) -> None:
    answer = library.ask("snow")
    assert isinstance(answer, Grounded)
    view = answers.of_answer(library, answer)
    listed = [*view.must_read, *view.figures, *(item for _, items in view.others for item in items)]
    places = [(item.place.document, item.place.label) for item in listed]
    assert len(places) == len(set(places))
    cited = {("SNOW", Label(("5.2(1)",))), ("SNOW", Label(("Table 5.2",)))}
    everything = {(place.document, place.label) for place in answer.evidence.hits}
    assert set(places) == everything - cited
    assert list(view.stops) == ["c1", "c2", "c3", *(item.stop.id for item in listed)]


def test_a_figure_that_the_search_did_not_list_is_shown_too(library: FakeLibrary) -> None:
    answer = library.ask("snow")
    assert isinstance(answer, Grounded)
    alone = replace(answer.figures[0], label=Label(("Figure 9",)), chunk=9)
    view = answers.of_answer(library, replace(answer, figures=(alone,)))
    assert [item.stop.id for item in view.figures] == ["f1"]
    assert "f1" in view.stops


def test_tables_without_a_deciding_cell_come_after(library: FakeLibrary) -> None:
    answer = library.ask("snow")
    assert isinstance(answer, Grounded)
    first, second = answer.tables
    unknown = replace(first, label=Label(("Table 9",)))
    view = answers.of_answer(library, replace(answer, tables=(replace(first, marked=()), second, unknown)))
    assert [str(item.table.label) for item in view.tables] == ["Table 5.3"]
    assert [str(item.table.label) for item in view.more_tables] == ["Table 5.2"]


def test_findings_are_grouped_by_document_in_the_order_of_the_best(library: FakeLibrary) -> None:
    answer = library.ask("snow")
    assert isinstance(answer, Grounded)
    hits = answer.evidence.hits
    mixed = (hits[-1], *hits[:-1], hits[-1])
    evidence = replace(answer.evidence, hits=mixed, shown=mixed, must_read=())
    view = answers.of_answer(
        library, replace(answer, evidence=evidence, citations=(), statements=(), tables=())
    )
    grouped = [(name, len(items)) for name, items in view.others]
    drawn = len({place.chunk for place in answer.figures} & {hit.chunk for hit in hits})
    assert grouped == [("BASIS", 2), ("SNOW", len(hits) - 1 - drawn)]


@pytest.mark.parametrize(
    ("numbers", "printed"),
    [
        ([1], "1"),
        ([2, 1], "1, 2"),
        ([1, 2, 3], "1\u20133"),
        ([1, 3], "1, 3"),
        ([7, 2, 3, 4, 7], "2\u20134, 7"),
        ([], ""),
    ],
)
def test_numbers_are_printed_as_in_a_book(numbers: list[int], printed: str) -> None:
    assert language.runs(numbers) == printed


@pytest.mark.parametrize(
    ("label", "title", "bare"),
    [
        ("Table 1.1", "Table 1.1 \u2013 Rise and going", "Rise and going"),
        ("Table 1.1", "TABLE 1.1: Rise", "Rise"),
        ("Table 1", "Table 10 is another", "Table 10 is another"),
        ("5", "5 Snow load", "Snow load"),
        ("5", "50 kN", "50 kN"),
        ("5", "", ""),
        ("Annex A", "Annex A", ""),
        ("1.3", "Steepness", "Steepness"),
    ],
)
def test_a_title_does_not_repeat_its_label(label: str, title: str, bare: str) -> None:
    assert language.bare_title(label, title) == bare


@pytest.mark.parametrize(
    ("text", "shown", "more"),
    [
        ("", "", ""),
        ("Short.", "Short.", ""),
        ("a" * 790, "a" * 790, ""),  # a little more than what is shown hides nothing
        ("First. " * 120, 85, 35),
        ("word " * 300, 120, 180),
        ("x" * 2000, "x" * 600, "x" * 1400),
    ],
)
def test_a_long_text_is_folded_behind_a_sentence_and_nothing_is_lost(
    text: str, shown: str | int, more: str | int
) -> None:
    first, rest = language.folded(text)
    assert (first.split() + rest.split() == text.split()) or first + rest == text
    for part, expected in ((first, shown), (rest, more)):
        assert (len(part.split()) if isinstance(expected, int) else part) == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Figure 1 Rise: see 1.2 | Rise | Going", ("Figure 1 Rise: see 1.2", "Rise | Going")),
        ("Figure 1 Rise", ("Figure 1 Rise", "")),
    ],
)
def test_the_lettering_of_a_figure_is_apart_from_its_title(text: str, parts: tuple[str, str]) -> None:
    assert language.lettered(text) == parts


def test_a_deciding_table_stands_at_the_first_statement_that_cites_it_once(library: FakeLibrary) -> None:
    answer = library.ask("snow")
    assert isinstance(answer, Grounded)
    made = answers.of_answer(library, answer)
    held = [[table.table.label.key for table in said.tables] for said in made.said]
    assert held == [[], ["Table 5.2"], []]
    assert [table.table.label.key for table in made.tables] == ["Table 5.3"], "cited by none: in its own part"
