"""Numbered sentences for the tests of writing."""

from __future__ import annotations

from appliance.answer.candidates.values import Quote
from appliance.answer.write.numbered_evidence import Sentence
from appliance.core.document import Label
from tests.answer.builders import box, place


def sentence(
    text: str, label: str = "4.2", *, held: tuple[str, ...] = (), kind: str = "clause", doubt: str = ""
) -> Sentence:
    """A numbered sentence of the document C; a table's with its headers and its row as `held`."""
    quote = Quote("C", Label((label,)), 1, (box(),), text)
    return Sentence("S1", label, text, held or (text,), (), (quote,), place(kind=kind, label=label), doubt)


RAMP = sentence("4.2 The width of a ramp shall be at least 1200 mm.")
DWELLING = sentence("In a dwelling the width of the ramp may be reduced to 900 mm.", "4.5")
STAIR = sentence(
    "Private stair: Maximum rise 220 mm; Minimum going 225 mm; Maximum pitch 42°",
    "Table 1.1",
    held=("Stair | Maximum rise | Minimum going | Maximum pitch", "Private stair | 220 | 225 | 42"),
    kind="table",
)
TIMBER = sentence("Timber shall not be used outdoors.", "5.1")
LOAD = sentence("The characteristic load is 5 kN, see 6.2 and Table 4.1.", "6.1")
LANDING = sentence("A landing shall be 150 mm for stairs and 200 mm for ramps.", "7.1")
LISTED = sentence(
    "Doors shall be: a) at least 750 mm wide; b) not more than 40 kg in weight.",
    "8.1",
    held=("8.1 Doors shall be:", "a) at least 750 mm wide;"),
)
