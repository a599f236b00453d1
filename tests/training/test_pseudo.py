"""Questions that a document's structure gives, as tables of small documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Document, Reference
from appliance.ingest.chunking import make_chunks
from appliance.training.sources import Pseudo, pseudo
from tests.factories import clause, document, label, table, term


def made(**items: object) -> list[Pseudo]:
    return list(pseudo(with_chunks(document(**items))))  # type: ignore[arg-type]


def with_chunks(bare: Document) -> Document:
    return replace(bare, chunks=make_chunks(bare))


def of(source: str, found: list[Pseudo]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.question, one.right) for one in found if one.source == source]


def reference(source: str, text: str, said: str, target: str, other: str | None = None) -> Reference:
    start = text.index(said)
    return Reference(
        label(source), start, start + len(said), said, "clause", (), target=label(target), document=other
    )


def test_a_title_asks_for_its_clause_and_is_taken_out_of_it() -> None:
    text = "The value is taken from the map of the country."
    found = made(clauses=[clause("2.1", text, title="Ground snow load on roofs")])
    ((question, right),) = of("title", found)
    assert question.startswith("Ground snow load on roofs")
    assert "Ground snow load" not in right[0]
    assert "taken from the map" in right[0]


@pytest.mark.parametrize("title", ["", "Snow", "load"])
def test_too_short_a_title_asks_nothing(title: str) -> None:
    assert of("title", made(clauses=[clause("2.1", "The value is taken from the map.", title=title)])) == []


TEXT = "Loads differ. The shape of the roof shall be taken from 5.3 for all slopes. No more."
ANSWER = "The coefficient depends on the slope. " * 60  # too long to be shown with the clause before it


def test_the_sentence_around_a_reference_asks_for_its_target() -> None:
    clauses = [clause("2.1", TEXT, title="Loads"), clause("5.3", ANSWER, title="Shapes", top=0.5)]
    bare = document(clauses=clauses)
    found = list(pseudo(with_chunks(replace(bare, references=(reference("2.1", TEXT, "5.3", "5.3"),)))))
    ((question, right),) = of("reference", found)
    assert question == "The shape of the roof shall be taken from for all slopes."
    assert "coefficient depends" in right[0]


@pytest.mark.parametrize(("target", "other"), [("5.3", "another"), ("9.9", None), ("2.1", None)])
def test_a_reference_that_leads_nowhere_here_asks_nothing(target: str, other: str | None) -> None:
    clauses = [clause("2.1", TEXT, title="Loads"), clause("5.3", ANSWER, title="Shapes", top=0.5)]
    made_of = replace(document(clauses=clauses), references=(reference("2.1", TEXT, "5.3", target, other),))
    assert of("reference", list(pseudo(with_chunks(made_of)))) == []


def test_a_row_is_asked_for_by_its_words_without_its_values() -> None:
    rows = [["Kind of roof", "Coefficient"], ["Flat roof with a parapet", "0.80"], ["Steep roof", "0.25 kN"]]
    found = of("row", made(tables=[table("Table 1", rows, title="Shape coefficients of roofs")]))
    assert found
    for question, right in found:
        assert "0.80" not in question
        assert "Shape coefficients" in question
        assert len(right) == 1


def test_a_term_asks_for_its_definition() -> None:
    found = made(terms=[term("exceptional snow drift", "deposition of snow with an infrequent pattern")])
    assert any("exceptional snow drift" in question for question, _ in of("term", found))


def test_an_empty_document_asks_nothing() -> None:
    assert made() == []


def test_each_question_comes_once() -> None:
    twice = [clause(key, "The value is taken from the map.", title="Ground snow load") for key in ("1", "2")]
    assert len(of("title", made(clauses=twice))) == 1
