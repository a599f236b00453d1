"""Where a question asks whether something applies, what the code says of itself is read with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.core.evidence import Evidence
from appliance.core.settings import SearchSettings
from appliance.retrieval.ask import Filter
from appliance.retrieval.search import search
from appliance.store.read import Store
from tests.factories import clause, document
from tests.retrieval.conftest import FakeEmbedder, FakeReranker
from tests.store.libraries import chunked, opened

SETTINGS = SearchSettings()
ASKED = "Do the rules apply to garden sheds?"
SHEDS = tuple(clause(f"2.{n}", f"Rules for garden sheds, part {n}.", parent="2") for n in range(1, 20))


def code(*front: tuple[str, str, str], name: str = "DC") -> Document:
    """A code that opens with these clauses (number, title, text) and goes on about sheds."""
    opening = (
        clause(number, text, title=title, parent=None if "." not in number else "1")
        for number, title, text in front
    )
    return chunked(
        document(clauses=(*opening, clause("2", "", "section", "Sheds"), *SHEDS), name=name, designation=name)
    )


def asked(store: Store, question: str, *, reranker: bool = True, wanted: Filter | None = None) -> Evidence:
    judge = FakeReranker() if reranker else None
    return search(store, FakeEmbedder(), judge, question, SETTINGS, wanted=wanted or Filter())


OPENING = (
    ("1", "General", "General."),
    ("1.1", "Scope", "This part is for houses."),
    ("1.2", "", "Barns of farms are left out."),
    ("1.3", "", "The provisions cover sheds of a garden."),
)


@pytest.mark.parametrize(
    ("front", "question", "shown"),
    [
        (OPENING, ASKED, {"1.3"}),  # of the opening the clause that suits the question best
        (OPENING, "Do the rules apply to barns of farms that are left out", set()),  # it is the first place
        (OPENING, "How high are the walls of garden sheds?", set()),  # nothing is asked about applying
        (
            (("1", "Loads", "Loads."), ("1.1", "Snow", "Snow lies.")),
            ASKED,
            set(),
        ),  # it says nothing of itself
        ((), ASKED, set()),
    ],
)
def test_what_a_code_says_of_itself_has_a_seat(
    tmp_path: Path, front: tuple[tuple[str, str, str], ...], question: str, shown: set[str]
) -> None:
    with opened(tmp_path / "a", code(*front)) as store:
        evidence = asked(store, question)
    assert {str(place.label) for place in evidence.must_read} & {"1.1", "1.2", "1.3"} == shown
    assert shown <= {str(place.label) for place in evidence.hits[:12]}


def test_what_a_code_covers_comes_third_where_just_that_is_asked(tmp_path: Path) -> None:
    def rank(store: Store, question: str) -> int:
        labels = [str(place.label) for place in asked(store, question).hits]
        return labels.index("1.3") if "1.3" in labels else len(labels)

    with opened(tmp_path / "a", code(*OPENING)) as store:
        assert rank(store, ASKED) <= 2
        assert rank(store, "Is a part about garden sheds needed, part 3?") > 2


def test_without_a_reranker_one_clause_of_the_opening_comes_all_the_same(tmp_path: Path) -> None:
    with opened(tmp_path / "a", code(*OPENING)) as store:
        evidence = asked(store, ASKED, reranker=False)
    assert {str(place.label) for place in evidence.hits} & {"1", "1.1", "1.2", "1.3"}


def test_of_several_codes_the_one_that_leads_or_is_named_says_what_it_covers(tmp_path: Path) -> None:
    caves = (clause("1", "Caves."), clause("1.1", "Of caves.", title="Scope", parent="1"))
    books = (
        code(*OPENING, name="DC 1"),
        chunked(document(clauses=caves, name="DC 2", designation="DC 2")),
    )
    with opened(tmp_path / "a", *books) as store:
        leading = asked(store, ASKED)
        hidden = asked(store, ASKED, wanted=Filter(documents=("DC 2",)))
    assert "DC 1" in {place.document for place in leading.must_read}
    assert {place.document for place in hidden.hits} <= {"DC 2"}
