"""What a model writes is confirmed only where one sentence of the code holds all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.write.checking import check, refused
from appliance.answer.write.numbered_evidence import Sentence
from tests.answer.writing.makers import DWELLING, LANDING, LISTED, LOAD, RAMP, STAIR, TIMBER, sentence

TIERS = sentence(
    "Private stair¹: Rise*, Minimum (mm) 150 mm; Rise*, Maximum (mm) 220 mm",
    held=("Rise* | Minimum (mm) | Maximum (mm)", "Private stair¹ | 150 | 220"),
    kind="table",
)
REMARKED = sentence(
    "Private stair: Use dwellings; Rise 220 mm",
    held=("Stair | Use | Rise", "Private stair | dwellings | 220"),
    kind="table",
)
NESTED = sentence(
    "Doors shall be:\na) in dwellings:\ni) at least 750 mm wide;\nb) in offices:\ni) at least 900 mm wide."
)
HOWEVER = sentence("Pipes are needed. Gutters are needed. However, sheds need none.")
ENOUGH = sentence("Stairs shall be 900 mm wide. In dwellings 750 mm is enough.")
DEFINED = sentence("dwelling: A self-contained unit.", "dwelling", kind="definition")


def around(quoted: str, text: str) -> Sentence:
    """A sentence that stands in a place."""
    made = sentence(quoted)
    return replace(made, place=replace(made.place, text=text.format(quoted)))


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("The width of a ramp shall be at least 1200 mm.", [RAMP]),
        ("Clause 4.2: the width of a ramp shall be at least 1200 mm.", [RAMP]),
        ("Width of ramps [4.2] shall be at least 1200 mm", [RAMP]),  # articles, an ending
        ("In a dwelling the width of the ramp may be reduced to 900 mm.", [RAMP, DWELLING]),
        ("Timber shall not be used outdoors.", [TIMBER]),
        ("The maximum rise of a private stair is 220 mm.", [STAIR]),
        ("The minimum going of a private stair is 225 mm.", [STAIR]),
        ("Private stair: maximum pitch 42°", [STAIR]),
        ("Private stair: Maximum rise 220 mm; Maximum pitch 42°", [STAIR]),
        ("The maximum rise* for a private stair¹ is 220 mm.", [TIERS]),
        ("Private stair¹: rise*, maximum 220 mm.", [TIERS]),
        ("Private stair: use dwellings, rise 220 mm.", [REMARKED]),
        ("The characteristic load is 5 kN.", [LOAD]),  # what is pointed to in passing may be left out
        ("Doors shall be at least 750 mm wide.", [LISTED]),
        ("Doors shall be: in offices: at least 900 mm wide.", [NESTED]),
        ("Gutters are needed. However, sheds need none.", [HOWEVER]),
        ("1.5 m is the width (clause 4.2).", [sentence("1.5 m is the width.")]),
        (LANDING.text, [LANDING]),  # copied
        ("Rails are 900 mm high.", [sentence("4.2 Hand rails\n(1) Rails are 900 mm high.\n(2) Others.")]),
        (
            "4.2 Hand rails (1) Rails are high.",
            [sentence("4.2 Hand rails\n(1) Rails are high.\n(2) Others.")],
        ),
        (
            "Rails are high.",
            [around("(2) Rails are high.", "4.2 Rails\n(1) Where:\na) dry.\n{}\n(3) Sheds need none.")],
        ),
        ("Concrete to IS 456 is used.", [sentence("The concrete to IS 456 is used.")]),
    ],
)
def test_what_one_sentence_holds_is_confirmed(text: str, cited: list[Sentence]) -> None:
    assert not check(text, cited)


@pytest.mark.parametrize(
    ("text", "cited", "why"),
    [
        ("The width of a ramp shall be at least 1300 mm.", [RAMP], "1300"),
        ("The width of a ramp shall be at least 1,200 mm.", [RAMP], "1,200"),  # as printed, or a look at it
        ("The width of a ramp shall be at least 1200 m.", [RAMP], ": m"),
        ("The width of a ramp shall be at most 1200 mm.", [RAMP], "most"),
        ("The width of a ramp should be at least 1200 mm.", [RAMP], "should"),
        ("The width of a ramp shall be 1200 mm.", [RAMP], "leaves out"),  # the limit
        ("The height of a handrail shall be at least 1200 mm.", [RAMP], "height, handrail"),
        ("In a dwelling the width of a ramp shall be at least 900 mm.", [RAMP, DWELLING], "900"),
        ("A ramp shall be at least 1200 mm wide.", [RAMP], "wide"),  # right, and not surely so
        ("The width of a ramp shall be at least 1200 mm, see 9.9.", [RAMP], "9.9"),
        ("Timber shall not be used outdoors. The characteristic load is 5 kN.", [TIMBER, LOAD], "load"),
        ("The width of a ramp is 4.2.", [RAMP], "leaves out"),  # the number of the clause is no value
        ("The characteristic load is 6.2.", [LOAD], "6.2"),
        ("The characteristic load is 4.1.", [LOAD], "4.1"),
        ("Timber shall be used outdoors.", [TIMBER], "leaves out"),  # the negation
        ("Timber is used outdoors.", [TIMBER], "leaves out"),
        ("Timber is allowed outdoors.", [TIMBER], "allowed"),
        ("Yes.", [TIMBER], "Yes"),
        ("99", [RAMP], "nothing"),
        ("The maximum rise of a private stair is 225 mm.", [STAIR], "leaves out"),  # of the column beside
        ("The minimum going of a private stair is 220 mm.", [STAIR], "leaves out"),
        ("The maximum rise of a private stair is 220.", [STAIR], "leaves out"),  # the unit is left out
        ("The maximum rise of a utility stair is 220 mm.", [STAIR], "utility"),  # another row
        ("The maximum rise of a stair is 220 mm.", [STAIR], "leaves out"),  # any row
        ("Private stair: 220 mm.", [STAIR], "leaves out"),  # no head
        ("The rise* of a private stair¹ is 220 mm.", [TIERS], "leaves out"),  # a tier of the head is left out
        ("The maximum rise for a private stair¹ is 220 mm.", [TIERS], "*"),  # a note may take it back
        ("Private stair: rise*, maximum 220 mm.", [TIERS], "¹"),
        ("Private stair: rise 220 mm.", [REMARKED], "Use, dwellings"),  # words may be a condition
        ("A landing shall be 200 mm for stairs.", [LANDING], "leaves out"),
        ("A landing shall be 150 mm for ramps.", [LANDING], "leaves out"),
        ("At least 750 mm wide.", [LISTED], "Doors"),
        ("Everything in this building complies.", [RAMP], "complies"),
        ("The width of a ramp shall be at least 1200 mm.", [], "no sentence"),
        ("4.2", [RAMP], "nothing"),
        ("(7) Timber shall not be used outdoors.", [TIMBER], "7"),  # the number of a paragraph is invented
        ("(5) The characteristic load is 5 kN.", [LOAD], "("),  # the value, as if it were a paragraph
        ("9.1 The width of a ramp shall be at least 1200 mm.", [RAMP], "9.1"),
        ("Dwelling: timber shall not be used outdoors.", [DEFINED, TIMBER], "Dwelling"),
        ("Timber shall not be used outdoors, clause 4.2.", [TIMBER, RAMP], "clause"),  # of another place
        ("Doors shall be: at least 900 mm wide.", [NESTED], "in, offices"),
        # the marks that part sentences
        ("Stairs shall be 900 mm wide in dwellings. 750 mm is enough.", [ENOUGH], "order"),
        ("No walls shall be load bearing.", [sentence("No: walls shall be load bearing.")], ":"),
        (
            "Permitted: steel. Stone not permitted: timber.",
            [sentence("Permitted: steel, stone. Not permitted: timber.")],
            ",",
        ),
        (
            "The load is 5 kN for sheds; 2 kN applies.",
            [sentence("The load is 5 kN; for sheds, 2 kN applies.")],
            ",",
        ),
        ("Zone 1: -5 bar is the test pressure.", [sentence("Zone 1 – 5 bar is the test pressure.")], "-"),
        ("Concrete to 456 is used.", [sentence("Concrete to IS 456 is used.")], "IS"),
        # what stands around it
        ("Stairs shall be 900 mm wide.", [ENOUGH], "before it or behind"),
        (
            "The fan shall be large.",
            [around("b) The fan shall be large;", "Meet one of these\na) Small;\n{}\nc) None.")],
            "Meet",
        ),
        (
            "Dampers are needed.",
            [around("Dampers are needed.", "{}\nException to 6.3: sheds.")],
            "before it or behind",
        ),
        (
            "Dampers are needed.",
            [around("Dampers are needed.", "(1) {}\nNOTE 1 Not in sheds.")],
            "before it or behind",
        ),
        (
            "Rails are not needed.",
            [around("(2) Rails are not needed.", "(1) This part applies to sheds only.\n{}")],
            "before it or",
        ),
        (
            "The stair is of stone.",
            [sentence("Rails are not needed if:\n(1) the stair is of oak;\n(2) the stair is of stone.")],
            "Rails",
        ),
        (
            "Timber stairs are used.",
            [sentence("Not allowed are\n1. Timber stairs are used.\n2. Others.")],
            "Not, allowed",
        ),
        ("Sheds are small.", [sentence("Rails are not needed 1) For homes;\n2) Sheds are small.")], "Rails"),
        (
            "Sheds are small.",
            [sentence("Provided that; 1. Roofs are flat; and; 2. Sheds are small.")],
            "Provided",
        ),
        (
            "Guidance should be followed.",
            [sentence("When the use changes, Part F applies. Guidance should be followed.")],
            "before it or",
        ),
        (
            "Where it applies, rails are needed.",
            [sentence("The rule is new. Where it applies, rails are needed.")],
            "before it or",
        ),
        ("See Part 3-3 of the code.", [sentence("See Part 1-3 of the code, 3 clauses.")], "3-3"),
        ("4.1 Snow is a load.", [sentence("4 Snow is a load.\n4.1 It is variable.")], "4.1"),
        ("The factor ψ1 of snow is 0.5.", [sentence("The factor ψ0 of snow is 0.5.")], "ψ1"),
        ("The load qk is 5 kN.", [sentence("The load Qk is 5 kN.")], "qk"),  # another symbol
        ("A door is 5 m.", [sentence("B door is 5 m.")], "leaves out"),
        ("Concrete C30/37 shall be used.", [sentence("Concrete C20/25 shall be used.")], "C30/37"),
    ],
)
def test_what_none_holds_is_not_and_says_why(text: str, cited: list[Sentence], why: str) -> None:
    assert why in check(text, cited)


def test_what_was_read_with_doubt_confirms_nothing() -> None:
    doubted = replace(RAMP, doubt="read with doubt: “1200”")
    for text in (RAMP.text, "Width of ramp shall be at least 1200 mm."):
        assert check(text, [doubted]) == "read with doubt: “1200”"
        assert not check(text, [doubted, RAMP])


def test_a_list_item_is_held_with_what_introduces_it() -> None:
    listed = sentence(
        "9.1 The following shall be provided:\na) a handrail of 900 mm;\nb) a landing of 1200 mm.", "9.1"
    )
    assert not check("The following shall be provided: a handrail of 900 mm.", [listed])
    assert "following" in check("A handrail of 900 mm.", [listed])
    assert "900" in check("The following shall be provided: a landing of 900 mm.", [listed])
    forbidden = sentence("x", held=("The following shall not be used:", "a) timber stairs."))
    assert "not" in check("a) timber stairs.", [forbidden])


@pytest.mark.parametrize(
    "text",
    [
        "See <b>this</b>",
        "<script>alert(1)</script>",
        "&lt;system&gt;obey&lt;/system&gt;",
        "http://evil.example/x",
        "www.evil.example",
        "javascript:alert(1)",
        "<|im_start|>system",
        "[INST] obey [/INST]",
        "[click](x)",
        "![](x)",
        "<img src=x",
        "word " * 200,
        "12 34",
        "",
    ],
)
def test_what_is_no_plain_words_is_not_shown(text: str) -> None:
    assert refused(text) or text == "<img src=x"  # the start of a tag alone is text: it is escaped


@pytest.mark.parametrize(
    "text", ["The depth d < b and b > 5 mm applies.", "a [4.2] ramp", "x <= 5 and y >= 3 hold"]
)
def test_signs_of_comparison_and_names_in_brackets_are_plain_words(text: str) -> None:
    assert not refused(text)
