"""What a caption says beside its title: that it goes on, and which sheet it is."""

from __future__ import annotations

from appliance.ingest.structure.captions import Told, goes_on


def test_without_words_a_title_is_a_title() -> None:
    assert goes_on("(sheet 2 of 3): Widths", {}) == Told("(sheet 2 of 3): Widths")
