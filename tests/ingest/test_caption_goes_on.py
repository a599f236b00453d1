"""What a caption says beside its title: that it goes on, and which sheet it is."""

from __future__ import annotations

import pytest

from appliance.ingest.structure.caption_numbers import Told, goes_on

WORDS = {"continued": ("continued", "cont."), "sheet": ("sheet", "Blatt")}


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("", Told("")),
        ("Widths of parts", Told("Widths of parts")),
        ("(sheet 1 of 3): Widths of parts", Told("Widths of parts", sheet=1)),
        ("(sheet 2 of 3): Widths of parts", Told("Widths of parts", continued=True, sheet=2)),
        ("(Sheet 2/3) – Widths of parts", Told("Widths of parts", continued=True, sheet=2)),
        ("Widths of parts (sheet 3 of 3)", Told("Widths of parts", continued=True, sheet=3)),
        ("[Blatt 2 von 2]", Told("", continued=True, sheet=2)),
        ("sheet 2 of 2 Widths", Told("Widths", continued=True, sheet=2)),
        ("(sheet 2 of 2) (continued)", Told("", continued=True, sheet=2)),
        ("Widths of parts (continued)", Told("Widths of parts", continued=True)),
        ("Thickness of sheet 2 of 3 layers", Told("Thickness of sheet 2 of 3 layers")),
        ("Sheet metal", Told("Sheet metal")),
    ],
)
def test_what_is_told_beside_a_title(title: str, told: Told) -> None:
    assert goes_on(title, WORDS) == told


def test_without_words_a_title_is_a_title() -> None:
    assert goes_on("(sheet 2 of 3): Widths", {}) == Told("(sheet 2 of 3): Widths")
