"""A clause that names a value is stated with the note that gives it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from appliance.answer.findings import Finding, Quote
from appliance.answer.noted import has_number, with_notes

from appliance.answer.verify import Claim, verdict
from appliance.core.document import Label
from appliance.core.evidence import Query
from appliance.store.read import Store
from tests.answer.builders import box, place, query
from tests.factories import clause, document
from tests.store.libraries import chunked, opened

NAMES = "The force should be determined from expression (4.1): (4. 1) where: µ is the friction coefficient."
GIVES = "µ may be given in the National Annex. The recommended value is µ = 0,4."
WEIGHT = "The density of debris should be taken into account where trapped."
HEAVY = "The value may be set by the National Annex. The recommended value is 666 kg/m3."
LIMIT = "The width of a gap should be 20 mm at most."
TABLE = "Pressure coefficients should be defined for each zone."
SENT = "The coefficients may be set by the National Annex. The recommended values are given in Table 7.2."
WIDER = "The width may be given in the National Annex. The recommended value is 30 mm."
FACTOR = "The dynamic factor should be taken into account."
EXAMPLE = "Cases are known from 1998."
SECOND = "The recommended value is 2."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    rules = {"1(1)": NAMES, "1(2)": WEIGHT, "1(3)": LIMIT, "1(4)": TABLE, "1(5)": FACTOR}
    notes = {"1(1)": (GIVES,), "1(2)": (HEAVY,), "1(3)": (WIDER,), "1(4)": (SENT,), "1(5)": (EXAMPLE, SECOND)}
    clauses = []
    for key, text in rules.items():
        clauses.append(clause(key, text, "paragraph"))
        for number, note in enumerate(notes[key], 1):
            clauses.append(clause(f"{key} NOTE {number}", note, "note", parent=key))
    made = chunked(document(clauses=clauses))
    with opened(Path(tmp_path_factory.mktemp("noted")) / "a", made) as found:
        yield found


def stated(store: Store, key: str, text: str, score: float = 0.7) -> Finding:
    (name,) = {info.id for info in store.documents()}
    quote = Quote(name, Label((key,)), 1, (box(),), text)
    return Finding(text, (quote,), score, place(label=key), claims=(Claim(text, (text,)),))


def asking(text: str, intent: str = "value") -> Query:
    return query(text, intent)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "key", "text", "note"),
    [
        ("what friction coefficient holds", "1(1)", NAMES, GIVES),
        ("friction coefficient of ships", "1(1)", NAMES, GIVES),
        ("what debris density holds", "1(2)", WEIGHT, HEAVY),
        ("what dynamic factor holds", "1(5)", FACTOR, SECOND),
        ("what length of debris counts", "1(2)", WEIGHT, ""),  # the note gives a density
        ("what width of a gap", "1(3)", LIMIT, ""),  # it holds a number of its own
        ("what pressure coefficients hold", "1(4)", TABLE, ""),  # the note sends to a table
        ("what colour has paint", "1(1)", NAMES, ""),  # it speaks of nothing asked about
    ],
)
def test_a_value_is_taken_from_the_note_of_the_clause_that_names_it(
    store: Store, question: str, key: str, text: str, note: str
) -> None:
    intent = "value" if question.startswith("what") else "general"
    (found,) = with_notes(store, asking(question, intent), [stated(store, key, text)])
    assert found.text == (f"{text} {note}" if note else text)
    assert [quote.text for quote in found.quotes] == [text, *([note] if note else [])]
    assert found.quotes[-1].label.key.startswith(f"{key} NOTE" if note else key)
    assert found.quotes[-1].boxes
    assert verdict(found.claims) == (True, "")
    assert found.score >= 0.7


def test_a_note_is_not_stated_twice(store: Store) -> None:
    both = [stated(store, "1(1)", NAMES), stated(store, "1(1) NOTE 1", f"NOTE 1 {GIVES}", 0.6)]
    found = with_notes(store, asking("what friction coefficient holds"), both)
    assert [one.text for one in found] == [f"{NAMES} {GIVES}"]


def test_what_asks_for_no_value_is_left_alone(store: Store) -> None:
    chosen = (stated(store, "1(1)", NAMES),)
    assert with_notes(store, asking("how do I find friction", "procedure"), chosen) == chosen
    assert with_notes(store, asking("friction"), ()) == ()


def test_a_finding_of_no_clause_or_of_a_table_takes_no_note(store: Store) -> None:
    lost = replace(stated(store, "1(1)", NAMES), quotes=())
    table = replace(stated(store, "1(1)", NAMES), marked=((0, 0),))
    other = stated(store, "9(9)", NAMES)
    assert with_notes(store, asking("what friction coefficient"), (lost, table, other)) == (
        lost,
        table,
        other,
    )


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("", False),
        ("(2) The force should be specified, see Table 7.2, Figures 3.1 and 3.2 or EN 1991-1-7.", False),
        ("4.6.2 Impact\n(1)P Where h1 exceeds h0, see 4.", False),
        ("expression (4. 1) and (A.2)", False),
        ("The recommended value is µ = 0,4.", True),
        ("2 of them", True),
        ("10 % of the load (see Table 2)", True),
    ],
)
def test_numbers_of_places_are_no_values(text: str, held: bool) -> None:
    assert has_number(text) is held
