"""Tables that reach the head or foot of pages, and running heads in frames and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from appliance.ingest.layout.pages import arrange
from appliance.ingest.page import PageContent, Source, Stroke, Word
from tests.ingest.drawn import across, down, lattice, words

WIDTH, HEIGHT = 595.0, 842.0
XS = (60.0, 130.0, 290.0, 400.0, 520.0)
HEADS = ("Subclause", "Parameter", "Recommendation", "Decision")
HEAD = "NA to CODE 7-2:2031"


@dataclass
class Sheet:
    """What is printed on a page: its words and its strokes."""

    words: list[Word] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)

    def put(self, text: str, x: float, y: float, size: float = 8.0) -> None:
        self.words += words(text, x, y, size)

    def prose(self, name: str, top: float = 120.0, lines: int = 8) -> None:
        for n in range(lines):
            self.put(
                f"{name} {n} the actions on the parts of a structure are those given here", 60, top + 14 * n
            )

    def table(self, rows: Sequence[Sequence[str]], top: float, step: float = 15.0) -> None:
        """Print a ruled table; "a|b" is a cell of two lines, the row as high as its longest cell."""
        levels = [top]
        for row in rows:
            for x, cell in zip(XS, row, strict=False):
                for n, text in enumerate(cell.split("|")):
                    self.put(text, x + 3, levels[-1] + 11 + 10 * n)
            levels.append(levels[-1] + step + 10 * max(cell.count("|") for cell in row))
        self.strokes += lattice(XS, levels)


def _arranged(sheets: Sequence[Sheet]) -> list[tuple[set[str], set[str]]]:
    """Return for each page the words of its body and those of its margins."""
    pages = [
        PageContent(n, WIDTH, HEIGHT, str(n), tuple(sheet.words), tuple(sheet.strokes), ())
        for n, sheet in enumerate(sheets, 1)
    ]
    return [
        (
            {word.text for line in page.lines for word in line.words},
            {word.text for line in page.margins for word in line.words},
        )
        for page in arrange(Source("", "", tuple(pages), ()))
    ]


def _annex(pages: int, *, top: float = 100.0) -> list[Sheet]:
    """Return a national annex whose table of decisions goes on over all but four of its pages."""
    sheets = [Sheet() for _ in range(pages)]
    for n, sheet in enumerate(sheets):
        sheet.put(HEAD, 60, 47)
        sheet.put(str(n + 1), 295, 812)
        if n < 2 or n > pages - 3:
            sheet.prose(f"p{n}")
            continue
        rows = [[f"{n}.{m} (1)", f"k{n}{m}|factor", "1,0", "Use the recommended|value"] for m in range(25)]
        short = [[f"{n}.0 (3)", "", "0,2", "0,35"]] if n % 2 else []
        sheet.table([HEADS, *short, *rows[: 25 - n % 2]], top)
    return sheets


def _titled(sheet: Sheet, number: int, y: float) -> None:
    """Print a block of three cells with the name of the code, its part and the number of the page."""
    for x, text in ((65, "CODE 7-2:2031"), (250, "Loads"), (470, f"Page {number}")):
        sheet.put(text, x, y + 18)
    sheet.strokes += [across(y, 60, 520), across(y + 30, 60, 520)]
    sheet.strokes += [down(x, y, y + 30) for x in (60, 240, 460, 520)]


TITLE = {"CODE", "7-2:2031", "Loads", "Page"}


@pytest.mark.parametrize("y", [40.0, 790.0])
@pytest.mark.parametrize("framed", [False, True])
def test_a_title_block_is_no_table(y: float, framed: bool) -> None:
    sheets = [Sheet() for _ in range(12)]
    for n, sheet in enumerate(sheets):
        _titled(sheet, n + 1, y)
        if framed:
            sheet.strokes += [down(x, 40, 820) for x in (60, 520)] + [
                across(40, 60, 520),
                across(820, 60, 520),
            ]
        if n % 3:
            sheet.prose(f"p{n}", 200, 20)
        else:
            sheet.table([HEADS, *[[f"{n}{m}.1", f"k{n}{m}", "1,0", "0,9"] for m in range(30)]], 200)
    for n, (body, margin) in enumerate(_arranged(sheets)):
        assert margin == TITLE | {str(n + 1)}
        assert not TITLE & body


def test_a_rule_under_the_heads_makes_no_table_of_them() -> None:
    sheets = [Sheet() for _ in range(9)]
    for n, sheet in enumerate(sheets):
        sheet.put("CODE 7-2:2031", 60, 60)
        sheet.put("Loads", 490, 60)
        sheet.strokes.append(across(64, 60, 520))
        for m in range(30):
            sheet.put(f"({n}{m})", 60, 92 + 14 * m)
            sheet.put(f"p{n} the actions on the parts of a structure are as said", 90, 92 + 14 * m)
    for _, margin in _arranged(sheets):
        assert margin == {"CODE", "7-2:2031", "Loads"}


def test_a_page_of_very_many_rules_is_a_drawing_and_no_table() -> None:
    sheets = [Sheet() for _ in range(6)]
    for n, sheet in enumerate(sheets):
        sheet.put(HEAD, 60, 40)
        sheet.prose(f"p{n}")
        for m in range(2000):
            sheet.strokes += [across(20 + 2 * m, 20, 9000), down(20 + 2 * m, 20, 9000)]
    for _, margin in _arranged(sheets):
        assert margin == set(HEAD.split())


def test_a_raised_figure_alone_at_the_edge_is_no_number_of_a_page() -> None:
    sheets = [Sheet() for _ in range(5)]
    for n, sheet in enumerate(sheets):
        sheet.prose(f"p{n}")
        sheet.put("²", 300 + 20 * n, 812)
    assert all("²" in body | margin for body, margin in _arranged(sheets))


def _open_sheets(*, ruled: bool, head_lines: int) -> list[Sheet]:
    """Return pages of a table without upright rules whose caption and head are printed again on each."""
    sheets = [Sheet() for _ in range(9)]
    for n, sheet in enumerate(sheets):
        sheet.put(HEAD, 60, 40)
        sheet.put(str(n + 1), 295, 812)
        if n < 2:
            sheet.prose(f"p{n}")
            continue
        sheet.put("Table 3 - Decisions (continued)", 60, 84, 9)
        heads = [HEADS, *[("", "", "of", "")] * (head_lines - 1)]
        tall = [(f"{n}.1", f"k{n}1", "1,0", "Use"), *[("", f"factor{n}", "", "")] * 5]
        rows = [(f"{n}.{m}", f"k{n}{m}", "1,0", "0,9") for m in range(2, 30)]
        y = 99.0
        for at, row in enumerate([*heads, *tall, *rows]):
            y += 6.0 if at == len(heads) else 0.0
            for x, text in zip(XS, row, strict=False):
                sheet.put(text, x, y)
            y += 10.0 if row[0] == "" or at == 0 else 14.0
        sheet.strokes += [across(88, 60, 520)] if ruled else []
    return sheets


def test_heads_over_numbered_text_in_two_columns_are_margin() -> None:
    sheets = [Sheet() for _ in range(9)]
    for n, sheet in enumerate(sheets):
        sheet.put("CODE 7-2:2031", 60, 40)
        sheet.put("H3", 60, 66)
        sheet.put("DRAINAGE OF ROOFS", 90, 66)
        for m in range(20):
            for x in (60, 300):
                sheet.put(f"{n}.{m}" if m % 5 == 0 else "", x, 84 + 12 * m)
                sheet.put(f"p{n}{m} the actions on the parts of it", x + 30, 84 + 12 * m)
    for _, margin in _arranged(sheets):
        assert margin == {"CODE", "7-2:2031", "H3", "DRAINAGE", "OF", "ROOFS"}
