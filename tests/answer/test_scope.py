"""What a code says that it covers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.scope import MANY, documents_about, listed_first, with_scope
from appliance.core.document import Label
from appliance.core.evidence import Evidence, Grounded, Listed, Scoped
from appliance.library import Library
from appliance.retrieval.follow.scope import is_scope, speaks_of_scope
from tests.answer.builders import finding, place, query


@pytest.mark.parametrize(
    ("title", "known"),
    [
        ("Scope", True),
        ("SCOPE:", True),
        ("Scope of this annex", True),
        ("Field of application", True),
        ("Application", True),
        ("Types of work covered by this document", True),
        ("Exemptions", True),
        ("Principles and application rules", False),
        ("Pipe cover", False),
        ("Scope of the connectivity plan", False),
        ("Telescopes", False),
        ("", False),
    ],
)
def test_titles(title: str, known: bool) -> None:
    assert is_scope(title) is known


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("This part applies to roofs.", True),
        ("It does not apply to bridges.", True),
        ("Fire is outside the scope.", True),
        ("This standard gives guidance on snow.", True),
        ("The slope is 30 degrees.", False),
    ],
)
def test_sentences(text: str, known: bool) -> None:
    assert speaks_of_scope(text) is known


def test_other_clauses_are_not_taken_for_a_scope() -> None:
    chosen = (finding("Doors open.", 1.0),)
    assert with_scope(chosen, [*chosen, finding("It applies to doors.", 0.9)]) == chosen


def test_whether_something_applies_is_answered_with_the_scope(demo: Library) -> None:
    answer = demo.ask("Does the snow code apply to a roof at 2000 m altitude?")
    assert isinstance(answer, Grounded)
    cited = {(citation.document, str(citation.label)) for citation in answer.citations}
    assert any(document.startswith("DC-1-3") and label.startswith("1.1") for document, label in cited), cited


def test_a_scope_that_answers_about_as_well_comes_first_and_is_said_once() -> None:
    scope = replace(finding("It does not apply to bridges.", 0.8), place=replace(place(), title="Scope"))
    weak = replace(finding("It covers roofs.", 0.1), place=replace(place(label="2.1"), title="Scope"))
    other = finding("Bridges burn.", 1.0)
    assert with_scope((other, scope), [other, scope, weak]) == (scope, other, weak)


def test_the_scope_of_the_document_named_after_the_subject_comes_first() -> None:
    own = replace(
        finding("This Part deals with fire.", 0.6), place=replace(place(), title="Scope", document="B")
    )
    other = replace(
        finding("It does not cover fire.", 0.9), place=replace(place(), title="Scope", document="A")
    )
    clause = finding("Bridges burn.", 1.0)
    said = [clause, other, own]
    assert with_scope(said, said) == (other, clause, own)
    assert with_scope(said, said, {"B"}) == (own, other, clause)


@pytest.mark.parametrize(
    ("question", "documents"),
    [("Do I need to consider snow?", {"DC-1-3", "DC-1-3-2011", "DC-1-3-NA"}), ("Do I need a permit?", set())],
)
def test_a_document_is_about_what_its_title_names(demo: Library, question: str, documents: set[str]) -> None:
    assert documents_about(demo.store, query(question)) == documents


def stated(demo: Library, question: str) -> tuple[Grounded, list[tuple[str, str]]]:
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)
    first = (answer.citations[one.citations[0] - 1] for one in answer.statements)
    return answer, [(cited.document, str(cited.label)) for cited in first]


@pytest.mark.parametrize("question", ["What is DC 0 about?", "scope of DC 0", "what does DC 0 deal with"])
def test_what_a_document_covers_is_answered_from_its_own_scope(demo: Library, question: str) -> None:
    answer, places = stated(demo, question)
    assert places[0] == ("DC-0", "1.1(1)")
    assert not any(place == places[0] for place in places[1:])
    assert len({one.text for one in answer.statements}) == len(answer.statements)


def test_what_a_document_leaves_out_is_answered_though_it_names_another(demo: Library) -> None:
    answer, places = stated(demo, "what is not covered by DC 1-3?")
    assert places[0][0] == "DC-1-3"
    assert "not covered" in answer.statements[0].text
    assert answer.confidence.level != "low"
    assert not answer.gap
    assert "doesn" not in str(stated(demo, "What doesn't DC 1-3 cover?")[0].confidence.reasons)


@pytest.mark.parametrize(
    ("documents", "spoken", "first"),
    [
        (("C",), 4, ("2.1", "2.2")),  # the document is named: what speaks of the subject, as it is listed
        (("C",), MANY + 1, ("1.1", "2.2")),  # nearly everything speaks of it
        ((), 4, ("1.1", "2.2")),
    ],
)
def test_what_speaks_of_a_subject_leads_in_the_document_that_is_named(
    documents: tuple[str, ...], spoken: int, first: tuple[str, ...]
) -> None:
    said = [replace(finding(f"Text {at}.", 1 - at / 10), place=place(label=at_label)) for at, at_label in
            enumerate(("1.1", "2.2", "2.1"))]  # fmt: skip
    items = tuple(Listed("C", Label((f"2.{n}",)), "", 1, "clause") for n in range(1, spoken + 1))
    asked = replace(query("does C cover doors"), documents=documents)
    evidence = Evidence(asked, (said[0].place,), (), (), (), 0.9, {})
    evidence = replace(evidence, scope=Scoped("coverage", "Yes.", items, (), "yes"))
    found = listed_first(evidence, tuple(said), said)
    assert tuple(str(item.place.label) for item in found[:2]) == first
    assert len(found) == len(said)


LEFT_OUT = "It does not apply to bridges and not to the sheds and huts that stand on them."


@pytest.mark.parametrize(
    "again",
    [LEFT_OUT, f"{LEFT_OUT} Large dams need more.", "It does not apply to bridges"],
)
def test_a_scope_says_nothing_twice(again: str) -> None:
    scope = replace(finding(LEFT_OUT, 0.8), place=replace(place(), title="Scope"))
    twice = replace(finding(again, 0.7), place=replace(place(label="1"), title="Scope"))
    other = finding("Bridges burn.", 0.6)
    assert with_scope((twice, other), [scope, twice, other]) == (scope, other)


def test_the_scope_of_fire_is_told_once(demo: Library) -> None:
    answer = demo.ask("I am designing a bridge. Should I be considering fire damage to my structure?")
    assert isinstance(answer, Grounded)
    assert answer.statements[0].text.startswith("(4) Fire is covered")
    assert sum("Fire is covered as follows" in statement.text for statement in answer.statements) == 1
