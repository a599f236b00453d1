"""Whether documents speak of a subject, on the demo codes: yes, in part, what they leave out, or no."""

from __future__ import annotations

import pytest

from appliance.core.evidence import Grounded, NotFound, Scoped
from appliance.library import Library


def _scope(demo: Library, question: str) -> Scoped:
    found = demo.search(question)
    assert found.scope is not None
    return found.scope


@pytest.mark.parametrize(
    ("question", "verdict", "documents"),
    [
        ("does DC 1-3 cover drifted snow?", "yes", {"DC-1-3"}),
        ("does DC 1-1 cover tsunami loads", "no", set()),
        ("is asbestos mentioned anywhere?", "no", set()),
        ("does DC 1-1 cover silos and tanks", "limits", {"DC-1-1"}),
        ("what does DC 1-3 say about snow guards", "yes", {"DC-1-3"}),
        ("does DC 1-3 cover drifted snow on parapets and penguins", "partly", {"DC-1-3"}),
    ],
)
def test_a_document_is_told_to_speak_of_a_subject_or_not(
    demo: Library, question: str, verdict: str, documents: set[str]
) -> None:
    scope = _scope(demo, question)
    assert (scope.kind, scope.verdict) == ("coverage", verdict)
    assert {item.document for item in scope.items} == documents
    assert all(item.page for item in scope.items)
    assert scope.searched
    assert scope.text.endswith(".")


def test_only_a_named_document_is_gone_through_and_the_others_are_told(demo: Library) -> None:
    scope = _scope(demo, "does DC 1-1 mention snow guards")
    assert [line.split(":")[0] for line in scope.searched] == ["DC-1-1"]
    assert "Elsewhere: DC-1-3" in scope.text


def test_a_word_of_many_does_not_refuse_a_subject_told_as_a_story(demo: Library) -> None:
    question = "Does the snow code cover snow that slides from a higher roof and whacks a lower roof?"
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)


def test_what_is_not_spoken_of_is_not_found_and_says_what_was_searched(demo: Library) -> None:
    answer = demo.ask("does DC 1-1 cover tsunami loads")
    assert isinstance(answer, NotFound)
    assert answer.reasons == ("No: no place in DC-1-1 speaks of \u201ctsunami\u201d.",)
    assert answer.evidence.scope is not None
    assert "pages 1-" in answer.evidence.scope.searched[0]


@pytest.mark.parametrize(
    "question",
    ["does DC 1-3 cover drifted snow?", "what does DC 1-1 say about balconies", "does DC 1-1 cover silos"],
)
def test_the_document_named_holds_the_first_statement(demo: Library, question: str) -> None:
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)
    first = {cited.document for cited in answer.citations if cited.n in answer.statements[0].citations}
    assert first == set(answer.evidence.query.documents)


def test_a_place_is_asked_for_that_no_heading_names(demo: Library) -> None:
    scope = _scope(demo, "where are snow guards dealt with?")
    assert scope.items


def test_a_place_does_not_speak_by_the_title_of_its_document_alone(demo: Library) -> None:
    scope = _scope(demo, "list all clauses about snow in the national annex to DC 1-3")
    title = next(info.title for info in demo.documents() if info.id == "DC-1-3-NA")
    assert "Snow" in title
    assert scope.items
    for item in scope.items:
        chunks = demo.store.chunks(demo.store.chunks_for(item.document, item.label))
        said = [
            " ".join((one.chunk.title, *one.chunk.context, one.chunk.passage.text, one.chunk.extra))
            for one in chunks
        ]
        assert any("snow" in text.replace(title, "").lower() for text in said), item


def test_of_many_places_those_that_speak_of_it_most_are_listed(demo: Library) -> None:
    scope = _scope(demo, "list all clauses about snow loads in DC 1-3")
    assert int(scope.text.split()[0]) > len(scope.items) == 60
    assert len({item.label for item in scope.items}) == 60
    pages = [item.page for item in scope.items if item.how != "definition"]
    assert pages == sorted(pages)
    assert any(str(item.label).startswith("5.2") for item in scope.items)


def test_the_verb_is_no_word_of_the_search(demo: Library) -> None:
    query = demo.search("does DC 1-3 cover drifted snow?").query
    assert "cover" not in query.terms
    assert not [idea for idea in query.concepts if "cover" in idea.words]
    asked = demo.search("how much concrete cover for a beam?").query
    assert [idea.words for idea in asked.concepts if "cover" in idea.words]


@pytest.mark.parametrize(
    "question",
    [
        "list all requirements for parapets",
        "give me every requirement on parapets",
        "list all values for parapets",
    ],
)
def test_a_list_of_requirements_is_one_of_all_that_speaks_of_the_subject(
    demo: Library, question: str
) -> None:
    whole = _scope(demo, "list all places about parapets")
    assert _scope(demo, question).items == whole.items
    assert len(whole.items) > 1
