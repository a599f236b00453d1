"""Whether a document was understood at all, told by what its length should give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import ClauseKind, Document, Page, Problem, Reference
from appliance.quality.report import report
from tests.factories import clause, document, label

WORDS = {"table": ("Table",), "figure": ("Figure",)}
TEXT = "The snow load on the roof shall be taken as the value of the national annex of this code. " * 8


def reference(number: int, *, open_one: bool = False) -> Reference:
    status = "unresolved" if open_one else "resolved"
    return Reference(label("1"), number, number + 1, "1", "clause", (), number=str(number), status=status)  # type: ignore[arg-type]


def code(
    pages: int = 12, kind: ClauseKind = "clause", numbered: int = 12, lost: int = 0, language: str = "en"
) -> Document:
    clauses = [
        clause(str(page) if page <= numbered else f"Text {page}", TEXT, page=page,
               kind=kind if page <= numbered else "heading")
        for page in range(1, pages + 1)
    ]  # fmt: skip
    problems = [
        Problem(f"The contents list names “{n}”; it was not found in the text.", 1) for n in range(lost)
    ]
    return replace(
        document(clauses),
        pages=tuple(Page(number, 595, 842) for number in range(1, pages + 1)),
        references=tuple(reference(number) for number in range(40)),
        problems=tuple(problems),
        language=language,
        family="own",
    )


@pytest.mark.parametrize(
    ("made", "level", "said"),
    [
        (code(), "good", "Nothing speaks"),
        (code(kind="front"), "poor", "None of its text"),
        (code(numbered=1), "poor", "Only 8% of its text"),
        (code(numbered=4), "to check", "Only 33% of its text"),
        (code(pages=4, numbered=0), "good", "Nothing speaks"),  # too short to tell
        (code(lost=6), "poor", "6 places that its contents list names"),
        (code(language="el"), "to check", "written in Greek"),
        (replace(code(language="el"), references=()), "poor", "written in Greek"),
        (code(language="de"), "good", "Nothing speaks"),
        (replace(code(), references=()), "to check", "No reference at all"),
        (replace(code(), references=(reference(1),)), "to check", "Only 1 references were found"),
        (replace(code(), references=tuple(reference(n, open_one=n < 25) for n in range(40))), "to check",
         "25 of the 40 references"),
    ],
)  # fmt: skip
def test_the_level_says_how_far_a_document_was_understood(made: Document, level: str, said: str) -> None:
    found = report(made, WORDS, {})
    assert found.level == level
    assert said in found.why


def test_a_loop_of_parents_ends() -> None:
    made = code()
    turned = (
        replace(made.clauses[0], kind="front", parent=label("2")),
        replace(made.clauses[1], kind="front", parent=label("1")),
        *made.clauses[2:],
    )
    assert report(replace(made, clauses=turned), WORDS, {}).level == "good"
