"""Sentences of codes: full of numbers, abbreviations and lists."""

from __future__ import annotations

import itertools

import pytest

from appliance.text.sentences import sentence_spans, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("Use stairs, e.g. Private ones. Go on.", ["Use stairs, e.g. Private ones.", "Go on."]),
        ("As in Fig. 5.1 it holds. See No. 3 of it.", ["As in Fig. 5.1 it holds.", "See No. 3 of it."]),
        ("A load of 1.5 kN/m2 acts. It is 0.4.", ["A load of 1.5 kN/m2 acts.", "It is 0.4."]),
        ("To BS 5395-1. The rise is 220 mm.", ["To BS 5395-1.", "The rise is 220 mm."]),
        ("Loads, snow, wind, etc. The rest is not.", ["Loads, snow, wind, etc.", "The rest is not."]),
        ("Loads (snow etc.) act. So be it.", ["Loads (snow etc.) act.", "So be it."]),
        ("1.14. The going is 250 mm. It is.", ["1.14. The going is 250 mm.", "It is."]),
        ("a. First thing. b. Second.", ["a. First thing.", "b. Second."]),
        ("Either:\na) one;\nb) two.", ["Either:", "a) one;", "b) two."]),
        ("Either:\n– one\n– two", ["Either:", "– one", "– two"]),
        ("See Annex B. The value is 2.", ["See Annex B.", "The value is 2."]),
        ("Take Table 4.4N. The value of k is 10 mm.", ["Take Table 4.4N.", "The value of k is 10 mm."]),
        ("See Figure 5.1N. And Table 3.9A. So be it.", ["See Figure 5.1N.", "And Table 3.9A.", "So be it."]),
        ("By J. Smith it is so.", ["By J. Smith it is so."]),
        ("J. Smith wrote it. We read.", ["J. Smith wrote it.", "We read."]),
        ("Is it so? Yes! “Quoted.” End.", ["Is it so?", "Yes!", "“Quoted.”", "End."]),
        (
            "Values approx. 3 m apply (i.e. 3.05 m). Then.",
            ["Values approx. 3 m apply (i.e. 3.05 m).", "Then."],
        ),
        ("not loaded. the next goes on", ["not loaded. the next goes on"]),
        ("The answer is no. 3 of them remain.", ["The answer is no. 3 of them remain."]),
        ("max. 30° and min. 20°. Done.", ["max. 30° and min. 20°.", "Done."]),
        (
            "Space holes at 24 in. (610 mm) apart. (2) Then.",
            ["Space holes at 24 in. (610 mm) apart.", "(2) Then."],
        ),
        ("No stop at the end", ["No stop at the end"]),
        ("", []),
        (" \n ", []),
        ("...", ["..."]),
        ("Ramps:\n● have a slope\nof 1:8\n➢ are lit", ["Ramps:", "● have a slope\nof 1:8", "➢ are lit"]),
        ("a length\n= 40 m\n% of it", ["a length\n= 40 m\n% of it"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text", ["A. B. C. D", "x" * 10_000, ". " * 500, "One.\n\nTwo (see 1.2).\n(3) Three; four"]
)
def test_spans_are_ordered_and_hold_every_word(text: str) -> None:
    spans = sentence_spans(text)
    assert all(one[1] <= two[0] for one, two in itertools.pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
