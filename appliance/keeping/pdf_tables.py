"""The tables of an answer on a PDF page: each value under all of its headers, the deciding cells marked.

Rules of this module: it draws with the sheet that it is given, whose fonts are set; columns are as wide as
what they hold needs, within the sheet. The name of a table is never parted from its headers and first row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from appliance.keeping.paper import LEFT_OUT
from appliance.site.saved import KeptRow, KeptTable

if TYPE_CHECKING:
    from fpdf import FPDF

INK, MARK, SHADE = (22, 32, 42), (255, 240, 226), (238, 241, 244)
SIZE, LINE = 8.5, 4.2  # points, mm
PAD = 0.8  # mm around what a cell holds
LEAST = 6  # letters that a column is wide at least, as far as its share goes


def draw(
    sheet: FPDF, table: KeptTable, printable: Callable[[FPDF, str], str], say: Callable[..., str]
) -> None:
    """Draw a table with its name; a cell that is too long is broken, never cut."""
    from fpdf.fonts import FontFace  # noqa: PLC0415 - fpdf2 is loaded only when a PDF is asked for

    sheet.set_text_color(*INK)
    name = f"{table.label} {table.title} ({table.document})".replace("  ", " ")
    shares = _widths(table)
    first = (table.columns, *(row.cells for row in table.rows[:1]))
    rows = [[printable(sheet, text) for text in row] for row in first]
    _make_room(sheet, [printable(sheet, name)], rows, shares)
    sheet.set_font(style="B", size=9)
    sheet.multi_cell(sheet.epw, LINE, printable(sheet, name), align="L", new_x="LMARGIN", new_y="NEXT")
    sheet.set_font(style="", size=SIZE)
    heads = FontFace(emphasis="BOLD", color=INK, fill_color=SHADE)
    with sheet.table(
        col_widths=shares, headings_style=heads, line_height=LINE, text_align="LEFT", padding=PAD
    ) as drawn:
        drawn.row([printable(sheet, text) for text in table.columns])
        for row in table.rows:
            if row.skipped:
                drawn.row().cell(say(LEFT_OUT, number=row.skipped), colspan=len(table.columns))
            line = drawn.row()
            for at, text in enumerate(row.cells):
                style = FontFace(emphasis="BOLD", fill_color=MARK) if at in row.marked else None
                line.cell(printable(sheet, text), style=style)
        if table.left:
            drawn.row().cell(say(LEFT_OUT, number=table.left), colspan=len(table.columns))
    for mark, text in table.notes:
        told = printable(sheet, f"{mark}) {text}")
        sheet.multi_cell(sheet.epw, LINE, told, align="L", new_x="LMARGIN", new_y="NEXT")
    sheet.ln(1.5)


def _make_room(sheet: FPDF, name: list[str], rows: list[list[str]], shares: tuple[int, ...]) -> None:
    """Go to the next sheet where the name, the headers and the first row do not fit on this one."""
    sheet.set_font(style="B", size=9)
    high = _high(sheet, name, (1,), 0.0) + sum(_high(sheet, row, shares, PAD) for row in rows)
    if sheet.will_page_break(high):
        sheet.add_page()


def _high(sheet: FPDF, cells: list[str], shares: tuple[int, ...], pad: float) -> float:
    """Return how high a row of cells is, in mm."""
    across = sheet.epw / sum(shares)
    heights = (
        cast("float", sheet.multi_cell(across * share - 2 * pad, LINE, text, dry_run=True, output="HEIGHT"))
        for text, share in zip(cells, shares, strict=True)
    )
    return max(LINE, *heights) + 2 * pad


def _widths(table: KeptTable) -> tuple[int, ...]:
    """Return the shares of the columns: by the longest word of each, and by the root of its longest text."""
    rows = (KeptRow(table.columns), *table.rows)
    return tuple(
        max(LEAST, *(max(max(map(len, text.split()), default=0), round(len(text) ** 0.7)) for text in column))
        for column in zip(*(row.cells for row in rows), strict=True)
    )
