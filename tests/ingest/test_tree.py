"""Lines that leave the item above them, and numbers in brackets that are those of formulas."""

from __future__ import annotations

from pathlib import Path

from tests.ingest.made import Print, clauses


def test_a_line_that_goes_on_with_a_reference_ends_no_title(tmp_path: Path) -> None:
    small = "The text of all other places is set in smaller type than this, as it often is in tables."
    page = [
        Print(60, 60, "NA.1 Scope", 12, "hebo"),
        Print(60, 90, "This annex gives the decisions that are made in this country for what the code"),
        Print(60, 103, "leaves open, in the following of its places: 2.4.2.4 (1), 2.4.2.4 (2), 4.4.1.2"),
        Print(60, 116, "(5), 6.2.2 (1), 9.2.1.1 (1), 9.2.1.1 (3) and A.2.1 (1)."),
        Print(60, 145, "NA.2 Decisions", 12, "hebo"),
        *(Print(60, 165 + 10 * n, small, 8) for n in range(9)),
    ]
    found, _ = clauses(tmp_path, "eurocode", page)
    assert not [clause for clause in found if clause.kind == "heading"]
    (scope,) = [clause for clause in found if str(clause.label) == "NA.1"]
    assert "4.4.1.2 (5), 6.2.2 (1)" in scope.passage.text


def test_a_line_in_capitals_behind_a_number_is_its_title(tmp_path: Path) -> None:
    words = ("SCOPE", "TERMINOLOGY", "LOADS", "ROOFS", "WALLS", "FLOORS")
    text = "This is about the loads on the roofs of buildings, and on what stands on them."
    page: list[Print] = []
    for number, word in enumerate(words, 1):
        texts = f"{number} {word}", f"{number}.1 {word} OF ALL", text, f"{number}.2 {text}"
        page += [Print(60, 60 + 100 * (number - 1) + 22 * at, one) for at, one in enumerate(texts)]
    found, _ = clauses(tmp_path, "decimal", page)
    titles = {str(clause.label): clause.title for clause in found if str(clause.label).endswith((".1", ".2"))}
    assert titles == {
        f"{number}.{at}": f"{word} OF ALL" if at == 1 else ""
        for number, word in enumerate(words, 1)
        for at in (1, 2)
    }


def test_the_cover_of_an_annex_is_the_annex_itself(tmp_path: Path) -> None:
    text = "The text of this place is long enough that nobody would take it for a title of it."
    pages = [
        [Print(60, 60 + 30 * at, f"{at + 1}. {text}") for at in range(4)],
        [Print(250, 300, "Schedule 1", 14, "hebo")],
        [
            Print(250, 60, "Schedule 1", 14, "hebo"),
            Print(60, 100, f"1. {text}"),
            Print(60, 130, f"2. {text}"),
        ],
        [Print(250, 300, "Schedule 2", 14, "hebo")],
        [
            Print(250, 60, "Schedule 2", 14, "hebo"),
            Print(60, 100, f"1. {text}"),
            Print(60, 130, f"2. {text}"),
        ],
    ]
    found, _ = clauses(tmp_path, "decimal", *pages)
    schedules = [(str(c.label), c.boxes[0].page) for c in found if str(c.label).startswith("Schedule")]
    assert [one for one in schedules if "/" not in one[0]] == [("Schedule 1", 3), ("Schedule 2", 5)]
