"""Saved answers against the library of today: the same, moved, changed or gone, never guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Cell, Chunk, Clause, Document, Label, Passage, Table
from appliance.core.errors import UnknownDocument
from appliance.keeping.recheck import Shelf, State, recheck
from appliance.site.saved import Kept, KeptCitation

BOX = (Box(3, 0.1, 0.1, 0.9, 0.2),)
WIDTH = "The stair has a minimum clear width of 850 mm between its handrails."
ROW = ("Private stair", "150", "220")


def clause(key: str, text: str, parent: str = "") -> Clause:
    above = Label.from_key(parent) if parent else None
    return Clause(Label.from_key(key), "clause", "", Passage(text), above, 1, BOX, key)


def document(*clauses: Clause, row: tuple[str, ...] = ROW, edition: str = "2024") -> Document:
    cells = tuple(Cell(0, at, text, BOX[0]) for at, text in enumerate(row))
    table = Table(Label(("Table 1",)), "Stairs", cells, (), BOX)
    return Document("D", "DC 1", "", edition, "in force", "en", "", "", (), clauses, (table,))


def cited(key: str, quote: str) -> KeptCitation:
    return KeptCitation(1, "D", "DC 1", "2024", "in force", key, key, 3, "", BOX, quote)


def states(now: Document | None, *citations: KeptCitation, version: str = "new") -> list[State]:
    kept = Kept("how wide", "answer", (), citations, "old")

    def read(name: str) -> Document:
        if now is None or name != now.id:
            raise UnknownDocument(name, ())
        return now

    shelf = Shelf(version, read)
    return [item.state for item in recheck(kept, shelf).checked]


@pytest.mark.parametrize(
    ("now", "key", "quote", "state"),
    [
        (document(clause("1", WIDTH)), "1", WIDTH, "same"),
        (document(clause("1", WIDTH.replace(" ", "\n"))), "1", f"1 {WIDTH}", "same"),
        (document(clause("1", ""), clause("1.1", WIDTH, "1")), "1", WIDTH, "same"),
        (document(clause("2", WIDTH)), "1", WIDTH, "moved"),
        (document(clause("1", WIDTH.replace("850", "900"))), "1", WIDTH, "changed"),
        (document(clause("1", WIDTH.replace("minimum", "maximum"))), "1", WIDTH, "changed"),
        (document(clause("2", "Other words stand here now.")), "1", WIDTH, "gone"),
        (document(clause("2", "0.8 and more")), "1", "0.8", "gone"),  # too short to be found elsewhere
        (None, "1", WIDTH, "gone"),
        (document(), "Table 1", "Private stair | 150 | 220", "same"),
        (document(), "Table 1", "Private stair | 150 | 225", "changed"),
        (document(row=(*ROW, "300")), "Table 1", "Private stair | 150 | 220", "same"),
        (document(clause("1", WIDTH)), "1", "", "changed"),
    ],
)
def test_where_a_quotation_stands_now(now: Document | None, key: str, quote: str, state: State) -> None:
    assert states(now, cited(key, quote)) == [state]


def test_the_library_that_was_asked_needs_no_looking() -> None:
    assert states(None, cited("1", WIDTH), version="old") == ["same"]


def test_what_changed_is_shown_by_words_and_another_edition_is_named() -> None:
    now = document(clause("1", f"Before it. {WIDTH.replace('850', '900')} After it."), edition="2030")
    shelf = Shelf("new", lambda _: now)
    (item,) = recheck(Kept("q", "answer", (), (cited("1", WIDTH),), "old"), shelf).checked
    assert [part.text for part in item.words if part.fate != "same"] == ["850", "900"]
    assert item.edition == "DC 1 2030"


def test_the_worst_of_all_quotations_is_the_state_of_the_answer() -> None:
    shelf = Shelf("new", lambda _: document(clause("1", WIDTH)))
    good, gone = cited("1", WIDTH), cited("9", "These words never stood in any code.")
    kept = Kept("q", "answer", (), (good, replace(gone, n=2)), "old")
    assert recheck(kept, shelf).state == "gone"
    assert recheck(kept, shelf).counts == {"gone": 1, "changed": 0, "moved": 0, "same": 1}
    assert recheck(replace(kept, citations=()), shelf).state == "same"


def test_what_changed_is_held_against_the_whole_place_and_not_a_part_of_it() -> None:
    part, label = "It is measured above the pitch line.", Label(("1",))
    text = f"{WIDTH.replace('850', '900')}\n{part}"
    whole = Chunk(label, (label,), "clause", "", (), Passage(text), BOX)
    now = replace(document(clause("1", ""), clause("1.1", part, "1")), chunks=(whole,))
    kept = Kept("q", "answer", (), (cited("1", f"{WIDTH}\n{part}"),), "old")
    (item,) = recheck(kept, Shelf("new", lambda _: now)).checked
    assert [word.text for word in item.words if word.fate != "same"] == ["850", "900"]
