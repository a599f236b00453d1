"""Reading what a model wrote: whole, cut short, hostile; and while it is being written."""

from __future__ import annotations

import pytest

from appliance.answer.write.draft import Draft, Spoken, drafts

KNOWN = ("S1", "S2")
WHOLE = '{"a":[{"i":["S1"],"t":"One."},{"i":["S2","S9","S1"],"t":"Two  of\\u0020it."}]}'


def test_statements_keep_the_ids_that_there_are() -> None:
    assert drafts(WHOLE, KNOWN, whole=True) == (
        Draft("One.", ("S1",)),
        Draft("Two of it.", ("S2", "S1"), ("S9",)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "S1 S1 S1",
        "[1]",
        '{"a":{}}',
        '{"a":[{"i":"S1","t":"x"}]}',
        '{"a":[{"i":[7],"t":"x"}]}',
        "\ud800",
        '{"a":[',
        "null",
    ],
)
def test_what_is_not_of_the_form_is_nothing(text: str) -> None:
    assert drafts(text, KNOWN, whole=True) is None


def test_an_empty_answer_is_one() -> None:
    assert drafts('{"a":[]}', KNOWN, whole=True) == ()


@pytest.mark.parametrize(
    "cut", range(len('{"a":[{"i":["S1"],"t":"One."}'), len(WHOLE.replace("\\u0020", " ")) - 2)
)
def test_what_was_cut_short_gives_the_statements_that_were_finished(cut: int) -> None:
    found = drafts(WHOLE.replace("\\u0020", " ")[:cut], KNOWN, whole=False)
    assert found is not None
    assert found[0] == Draft("One.", ("S1",))


def test_looping_gives_a_bounded_number_of_statements_each_once() -> None:
    text = '{"a":[' + '{"i":["S1"],"t":"Again."},' * 500
    assert drafts(text, KNOWN, whole=False) == (Draft("Again.", ("S1",)),)
    assert drafts("S1 " * 500, KNOWN, whole=False) is None


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        (("One ramp.", "Two"), "One ramp.\nTwo\n"),
        (("d < b and [4.2] holds",), "d < b and [4.2] holds\n"),
        (("<b>99</b>", "See www.evil.example", "<|im_start|>", "Two"), "Two\n"),
    ],
)
def test_words_are_told_as_they_are_written_whatever_the_pieces(
    size: int, statements: tuple[str, ...], lines: str
) -> None:
    told: list[str] = []
    spoken = Spoken(told.append)
    items = ",".join(f'{{"i":["S1"],"t":"{text}"}}' for text in statements)
    text = f'{{"a":[{items}]}}'
    for at in range(0, len(text), size):
        spoken.add(text[at : at + size])
    assert "".join(told).replace("See ", "") == lines  # what was told before the address stays
