"""When two numbers contradict one another, and when a word more is the reason why they differ."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pymupdf
import pytest

from appliance.answer import conflicts as conflicting
from appliance.answer.candidates import candidates
from appliance.answer.conflicts import Assertion, conflicts, contradict, of_sentence, of_text
from appliance.core.document import Chunk, Label, Passage
from appliance.core.evidence import Grounded, PlaceKind
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.library_building import build
from appliance.retrieval.search_context import place
from appliance.store.read import Store
from appliance.store.records import StoredChunk


def said(text: str, *headings: str) -> Assertion:
    found = list(of_text(text, headings, str))
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The clear door width should be at least 900 mm.",
            "The clear door width should be at least 800 mm.",
        ),
        ("The clear door width should be at least 900 mm.", "A minimum clear door width of 0.8 m is needed."),
        (
            "Where lifts are used, the landing should have a minimum length of 1500mm.",
            "Where lifts are used, provide a landing with a minimum length of 1200mm.",
        ),
    ],
)
def test_numbers_of_one_subject_that_differ(one: str, other: str) -> None:
    assert contradict(said(one), said(other))
    assert contradict(said(other), said(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The clear door width is at least 900 mm.", "The clear door width is at least 0.9 m."),  # the same
        ("The clear door width is at least 900 mm.", "The clear door width is at most 1200 mm."),
        ("The clear door width is at least 900 mm.", "The clear door area is at least 2 m²."),
        ("The clear door width is at least 900 mm.", "The clear door width of lifts is at least 800 mm."),
        ("The clear door width is at least 900 mm.", "The clear window width is at least 800 mm."),
        ("The area is at least 900 mm.", "The area is at least 800 mm."),  # one word tells no subject
        (
            "The landing length with a door should be 1500 mm.",
            "The landing length without a door should be 1200 mm.",
        ),
        (
            "Where lifts are used, the landing length is at least 1500 mm.",
            "Where stairs are used, the landing length is at least 1200 mm.",
        ),
        ("For 5 bedrooms, the supply air rate is 43 l/s.", "For 4 bedrooms, the supply air rate is 37 l/s."),
        (
            "The doors have a clear height of 2 m and the door width 1 m.",
            "The doors have a clear height of 2.1 m and the door width 1 m.",
        ),
    ],
)
def test_what_differs_for_a_reason(one: str, other: str) -> None:
    assert not contradict(said(one), said(other))


@pytest.mark.parametrize(
    ("above", "other", "differ"),
    [
        (("Stairs", "Width"), ("Stairs", "Width"), True),
        (("Septic tanks", "Design"), ("Cesspools", "Design"), False),  # the same words of two things
        (("Category 1", "Lifts", "Cars"), ("Category 2", "Lifts", "Passenger lifts"), False),
    ],
)
def test_what_stands_above_tells_two_things_apart(
    above: tuple[str, ...], other: tuple[str, ...], *, differ: bool
) -> None:
    one = said("The clear door width is at least 900 mm.", *above)
    two = said("The clear door width is at least 800 mm.", *other)
    assert contradict(one, two) is differ


def test_a_sentence_never_contradicts_itself() -> None:
    for found in of_sentence("The clear width is 900 mm, or 800 mm at the clear width of doors.", str):
        assert not contradict(found, found)


@pytest.mark.parametrize(("kind", "asserted"), [("clause", 1), ("definition", 1), ("figure", 0)])
def test_a_drawing_contradicts_no_rule(kind: PlaceKind, asserted: int) -> None:
    label, text = Label(("Figure 1",)), "The clear door width should be at least 900 mm."
    shown = StoredChunk(1, "A", None, Chunk(label, (label,), kind, "", (), Passage(text), ()))
    store = cast("Store", SimpleNamespace(connections=SimpleNamespace(stem=str)))
    assert len(list(conflicting._assertions(store, shown))) == asserted


@pytest.mark.corpus
def test_a_paragraph_and_a_table_of_a_real_code_disagree(corpus: Path, tmp_path: Path) -> None:
    source = pymupdf.open(corpus / "AD-F1.pdf")  # type: ignore[no-untyped-call]  # pymupdf has no types
    source.select([*range(21, 25), *range(54, 57)])  # type: ignore[no-untyped-call]  # pymupdf has no types; the section with 1.64, and the appendix of Table D1
    source.save(tmp_path / "AD-F1.pdf")  # type: ignore[no-untyped-call]  # pymupdf has no types
    build([tmp_path / "AD-F1.pdf"], tmp_path / "library.db", Settings())
    with Store(tmp_path / "library.db") as store:
        shown = store.chunks(store.chunks_for("AD-F1", Label(("1.64",)))[:1])[0]
        found = candidates(store, [place(shown, 1.0, ())])
        (conflict,) = conflicts(store, found, (), 3)
    assert [str(side.label) for side in conflict.sides] == ["1.64b", "Table D1"]
    assert [side.n for side in conflict.sides] == [4, 5]
    assert conflict.decides is None
    assert all(side.boxes for side in conflict.sides)


def test_what_another_thread_forgets_is_still_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(dict[int, tuple[conflicting.Said, ...]]):
        """A memory that is cleared by another thread as soon as something is put into it."""

        def __setitem__(self, key: int, value: tuple[conflicting.Said, ...]) -> None:
            """Forget it at once."""

    class Somewhere:
        """A store, as far as it is a key."""

    asserted = said("The clear door width should be at least 900 mm.")
    store, item = cast("Store", Somewhere()), cast("StoredChunk", SimpleNamespace(id=1))
    monkeypatch.setitem(conflicting._KEPT, store, Forgetful())
    monkeypatch.setattr(conflicting, "_assertions", lambda *_: iter([asserted]))
    assert [one.assertion for one in conflicting._said(store, [item])] == [asserted]


def test_what_an_annex_says_of_a_drawing_contradicts_no_number(demo: Library) -> None:
    answer = demo.ask("duopitch roof 40 degrees snow shape coefficient")
    assert isinstance(answer, Grounded)
    sides = {str(side.label) for conflict in answer.conflicts for side in conflict.sides}
    assert not any(label.startswith("Figure") for label in sides), sides


def test_a_table_that_an_annex_replaces_is_told(demo: Library) -> None:
    answer = demo.ask("recommended combination factors for snow loads, altitude up to 1000 m")
    assert isinstance(answer, Grounded)
    assert any(
        [str(side.label) for side in conflict.sides] == ["Table 4.1", "NA.2.5(1)"]
        for conflict in answer.conflicts
    )
