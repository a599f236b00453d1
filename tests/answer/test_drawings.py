"""What of a figure is quoted: its caption and the lettering that bears on the question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.drawings import BETWEEN, WORDS, from_figure
from appliance.answer.findings import Part

from appliance.answer.verify import verdict
from appliance.core.document import Figure, Label
from tests.answer.builders import box, chunk, place, query


def figure(text: str, title: str = "Barriers") -> Figure:
    return Figure(Label(("Diagram 4.2",)), title, text, (box(),))


def part() -> Part:
    return Part(
        place("figure", "Diagram 4.2"), chunk("Diagram 4.2 Barriers", "figure", "Diagram 4.2"), 0.4, 0
    )


def test_lettering_is_quoted_line_by_line_behind_the_caption() -> None:
    found = from_figure(
        query("height of barriers", "value"), [part()], figure("375mm\n\nEdge of deck\n610mm")
    )
    assert found is not None
    assert [quote.text for quote in found.quotes] == [
        "Diagram 4.2 Barriers",
        f"375mm{BETWEEN}Edge of deck{BETWEEN}610mm",
    ]
    assert found.text == f"Diagram 4.2 Barriers: 375mm{BETWEEN}Edge of deck{BETWEEN}610mm"
    assert verdict(found.claims) == (True, "")


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_figure_without_lettering_says_nothing(text: str) -> None:
    assert from_figure(query("height of barriers", "value"), [part()], figure(text)) is None


def test_of_much_lettering_only_numbers_and_asked_words_are_quoted() -> None:
    crowd = "\n".join(["plain lettering of a drawing"] * WORDS)
    found = from_figure(
        query("height barriers", "value"), [part()], figure(f"{crowd}\nbarriers here\n610mm\n{crowd}")
    )
    assert found is not None
    assert found.quotes[1].text == f"barriers here{BETWEEN}610mm"


def test_lettering_without_end_is_cut_between_lines() -> None:
    found = from_figure(query("height", "value"), [part()], figure("\n".join(f"{n} mm" for n in range(500))))
    assert found is not None
    assert len(found.quotes[1].text.replace(BETWEEN, " ").split()) == WORDS


def test_of_two_quantities_asked_for_the_second_is_not_cut_off() -> None:
    crowd = "\n".join(["3 | 4 of a plan", *["plain lettering of a drawing"] * 12])
    lowest = "is the clearance below which the impact counts whole, 5,0 m with allowances " + "and sag " * 20
    highest = "is the clearance above which no impact counts, 6,0 m with allowances " + "and sag " * 20
    asked = replace(query("clearance without impact", "value"), kinds=("length",))
    found = from_figure(asked, [part()], figure(f"{crowd}\nh0\n{lowest}\nh1\n{highest}\n{crowd}"))
    assert found is not None
    said = found.quotes[1].text
    assert said.split(BETWEEN)[-4:] == ["h0", lowest.strip(), "h1", highest.strip()]
    assert verdict(found.claims) == (True, "")
