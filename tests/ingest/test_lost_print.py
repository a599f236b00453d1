"""Print that was not read, told where it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Cell, Clause, Document, Label, Page, Passage, Problem, Table
from appliance.ingest.ocr.rules_and_drawings import NAMED, lost_print
from appliance.ingest.page import PageContent, Picture, Source, Stroke, Word

SIZE = 100.0  # points: places on this page are shares of 100
Place = tuple[float, float, float, float]


def page(ink: tuple[Place, ...] = (), trust: str = "ocr", **more: object) -> PageContent:
    plain = PageContent(1, SIZE, SIZE, "", (), (), (), ink=ink)
    return replace(plain, trust=trust, **more)  # type: ignore[arg-type]  # of a table of cases


def told(made: Document, content: PageContent, known: tuple[Problem, ...] = ()) -> list[str]:
    return [problem.message for problem in lost_print(made, Source("", "", (content,), ()), known)]


def table() -> Document:
    """Return a scanned document of one table, its cells side by side."""
    cells = tuple(
        Cell(r, c, text, Box(1, c / 10, r / 20, (c + 1) / 10, (r + 1) / 20), header=r < 1)
        for r, row in enumerate([["Zone", "Value"], ["A", "1,0"], ["B", ""]])
        for c, text in enumerate(row)
    )
    one = Table(Label(("Table 1",)), "", cells, (), (Box(1, 0, 0, 1, 1),))
    page = Page(1, 600, 800, trust="ocr")
    return Document("d", "", "", "", "unknown", "en", "", "", (page,), tables=(one,))


def middle(made: Document, text: str) -> Place:
    box = next(cell.box for cell in made.tables[0].cells if cell.text == text)
    x, y = (box.x0 + box.x1) / 2 * SIZE, (box.y0 + box.y1) / 2 * SIZE
    return (x - 0.2, y - 0.2, x + 0.2, y + 0.2)


@pytest.mark.parametrize(
    ("text", "said"), [("", "A cell without text of Table"), ("1,0", "The cell “1,0” of Table")]
)
def test_ink_in_a_cell_makes_it_doubtful(text: str, said: str) -> None:
    made = table()
    found = told(made, page((middle(made, text),)))
    assert len(found) == 1
    assert found[0].startswith(said)


def text_page() -> Document:
    clause = Clause(
        Label(("1",)), "paragraph", "", Passage("For it, m = 0,"), None, 1, (Box(1, 0.1, 0.1, 0.9, 0.3),)
    )
    return Document("D", "D", "", "", "unknown", "en", "", "", (), clauses=(clause,))


LINE = (Word("μs", 50, 24, 56, 30, "f", 8), Word("=", 58, 24, 60, 30, "f", 8))


@pytest.mark.parametrize(
    ("ink", "said"),
    [
        (((12.0, 24.0, 20.0, 30.0),), ["Beside ‘μs’ on page 1 something is printed"]),
        (((12.0, 24.0, 20.0, 30.0), (22.0, 24.0, 30.0, 30.0)), ["Beside ‘μs’ on page 1 something is"]),
        (((12.0, 15.0, 20.0, 20.0),), ["On page 1 something is printed"]),  # a line without a word
        (((12.0, 32.0, 20.0, 38.0),), ["On page 1 something is printed"]),  # right under the last line
        (((12.0, 90.0, 20.0, 96.0),), []),  # the foot of the page
        (((1.0, 15.0, 8.0, 20.0),), []),  # the margin
    ],
)
def test_ink_of_the_text_is_told_with_its_line(ink: tuple[Place, ...], said: list[str]) -> None:
    found = told(text_page(), page(ink, words=LINE))
    assert [message.startswith(begin) for message, begin in zip(found, said, strict=True)] == [True] * len(
        said
    )


def test_many_places_of_a_page_are_counted() -> None:
    ink = tuple((12.0, 11.0 + y / 2, 14.0, 11.4 + y / 2) for y in range(30))
    found = told(text_page(), page(ink))
    assert len(found) == NAMED + 1
    assert "10 more places" in found[-1]


@pytest.mark.parametrize(("text", "count"), [("", 1), ("1,0", 0)])
def test_a_digital_cell_with_a_drawing_and_no_word_is_told(text: str, count: int) -> None:
    made = table()
    x0, y0, x1, y1 = middle(made, text)
    drawn = (x0 - 2.0, y0 - 1.9, x1 + 2.0, y1 + 1.9)
    content = page(trust="digital", pictures=(Picture(*drawn),), strokes=(Stroke(0, 0, 9, 0, "line"),))
    assert len(told(made, content)) == count
