"""Values of one property in several cases stand side by side where the question names none of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.answer import cases
from appliance.answer.candidates import candidates
from appliance.answer.cases import UNNAMED, Open, open_cases
from appliance.answer.headline import ANSWER, Figure, Reading, figures
from appliance.answer.reading.question import asked_of
from appliance.core.document import Label
from appliance.retrieval.search_context import place
from appliance.text.quantities import asked_kinds
from tests.answer.builders import query
from tests.factories import clause, document, table
from tests.store.libraries import chunked, opened

HALL = ("1.1", "A ramp should have a clear width of at least 1500 mm.", ("Ramps", "Public buildings"))
HOUSE = ("2.1", "A ramp should have a clear width of at least 900 mm.", ("Ramps", "Houses"))
YARD = ("2.2", "A ramp should have a clear width of at least 1800 mm.", ("Ramps", "Houses"))
LANDING = ("2.3", "A landing should have a length of at least 1200 mm.", ("Ramps", "Houses"))
EQUAL = ("2.4", "A ramp should have a clear width of at least 1500 mm.", ("Ramps", "Houses"))


def asked(tmp_path: Path, text: str, *clauses: tuple[str, str, tuple[str, ...]]) -> Open:
    made = document(clauses=tuple(clause(label, words) for label, words, _ in clauses))
    with opened(tmp_path / "a", chunked(made)) as store:
        (info,) = store.documents()
        found = []
        for label, _, heads in clauses:
            (chunk, *_) = store.chunks(store.chunks_for(info.id, Label((label,)))[:1])
            shown = replace(place(chunk, 1.0, ("lexical",)), heading_path=("Document", *heads))
            found += [one for one in candidates(store, [shown]) if one.form == "sentence"]
        folded = text.casefold()
        question = asked_of(store, replace(query(text, "value"), kinds=tuple(asked_kinds(folded))), None)
        reading = Reading(question, found[0], found, dict.fromkeys(ANSWER, 0.9))
        (own, _), *_ = figures(reading)
        return open_cases(store, reading, own, lambda _: None)


@pytest.mark.parametrize(
    ("question", "clauses", "values", "why"),
    [
        ("smallest width of a ramp", (HALL, HOUSE), [("1500", "Public buildings"), ("900", "Houses")], ""),
        ("width of a ramp in a public building", (HALL, HOUSE), [], ""),  # its case is named
        ("smallest width of a ramp", (HALL, LANDING), [], ""),  # another property
        ("smallest width of a ramp", (HALL, EQUAL), [], ""),  # the same value
        ("smallest width of a ramp", (HOUSE, YARD), [], UNNAMED),  # nothing tells them apart
    ],
)
def test_the_cases_of_one_property_that_a_question_leaves_open(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    clauses: tuple[tuple[str, str, tuple[str, ...]], ...],
    values: list[tuple[str, str]],
    why: str,
) -> None:
    def sure(reading: Reading) -> tuple[Figure, dict[str, float]]:
        return replace(next(figures(reading))[0], chance=0.9), {}

    monkeypatch.setattr(cases, "likeliest", sure)
    found = asked(tmp_path, question, *clauses)
    assert [(figure.value, *figure.conditions) for figure in found.figures] == values
    assert found.why == why


def test_a_word_that_names_a_measure_tells_columns_apart(tmp_path: Path) -> None:
    heads = ("Stair", "Rise, minimum (mm)", "Going, minimum (mm)")
    grid = table("Table 1", (heads, ("Private", "150", "220")))
    with opened(tmp_path / "a", chunked(document(tables=(grid,)))) as store:
        (info,) = store.documents()
        (chunk, *_) = store.chunks(store.chunks_for(info.id, Label(("Table 1",)))[:1])
        (row, *_) = (one for one in candidates(store, [place(chunk, 1.0, ("lexical",))]) if one.form == "row")
        text = "minimum going of a private stair"
        question = asked_of(store, replace(query(text, "value"), kinds=("length",)), None)
        rise, going = figures(Reading(question, row, (row,), dict.fromkeys(ANSWER, 0.9)))
    assert going[1]["fit"] > rise[1]["fit"]
    assert going[0].box  # the cell that the picture boxes
