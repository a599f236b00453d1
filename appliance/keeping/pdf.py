"""A kept answer as a PDF of A4 pages."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import segno
from PIL import Image

from appliance.core.files import data_folder
from appliance.keeping.paper import LEFT_OUT, Paper, Speech, later
from appliance.keeping.paper_blocks import Picture, Role, Words, blocks
from appliance.site.saved import KeptRow, KeptTable

if TYPE_CHECKING:
    from fpdf import FPDF

DECIDING, SHADE = (255, 240, 226), (238, 241, 244)
SIZE, ROW = 8.5, 4.2  # points, mm
PAD = 0.8  # mm around what a cell holds
LEAST = 6  # letters that a column is wide at least, as far as its share goes


def draw(sheet: FPDF, table: KeptTable, say: Callable[..., str]) -> None:
    """Draw a table with its name; a cell that is too long is broken, never cut."""
    from fpdf.fonts import FontFace  # noqa: PLC0415 - fpdf2 is loaded only when a PDF is asked for

    sheet.set_text_color(*INK)
    name = f"{table.label} {table.title} ({table.document})".replace("  ", " ")
    shares = _widths(table)
    first = (table.columns, *(row.cells for row in table.rows[:1]))
    rows = [[_printable(sheet, text) for text in row] for row in first]
    sheet.set_font(style="B", size=9)
    high = _high(sheet, [_printable(sheet, name)], (1,), 0.0)
    high += sum(_high(sheet, row, shares, PAD) for row in rows)
    if sheet.will_page_break(high):  # where the name, the headers and the first row do not fit on this one
        sheet.add_page()
    sheet.multi_cell(sheet.epw, ROW, _printable(sheet, name), align="L", new_x="LMARGIN", new_y="NEXT")
    sheet.set_font(style="", size=SIZE)
    heads = FontFace(emphasis="BOLD", color=INK, fill_color=SHADE)
    with sheet.table(
        col_widths=shares, headings_style=heads, line_height=ROW, text_align="LEFT", padding=PAD
    ) as drawn:
        drawn.row([_printable(sheet, text) for text in table.columns])
        for row in table.rows:
            if row.skipped:
                drawn.row().cell(say(LEFT_OUT, number=row.skipped), colspan=len(table.columns))
            line = drawn.row()
            if row.spans:
                line.cell(_printable(sheet, row.cells[0]), colspan=len(table.columns))
                continue
            for at, text in enumerate(row.cells):
                style = FontFace(emphasis="BOLD", fill_color=DECIDING) if at in row.marked else None
                line.cell(_printable(sheet, text), style=style)
        if table.left:
            drawn.row().cell(say(LEFT_OUT, number=table.left), colspan=len(table.columns))
    for mark, text in table.notes:
        told = _printable(sheet, f"{mark}) {text}")
        sheet.multi_cell(sheet.epw, ROW, told, align="L", new_x="LMARGIN", new_y="NEXT")
    sheet.ln(1.5)


def _high(sheet: FPDF, cells: list[str], shares: tuple[int, ...], pad: float) -> float:
    """Return how high a row of cells is, in mm."""
    across = sheet.epw / sum(shares)
    heights: list[Any] = [
        sheet.multi_cell(across * share - 2 * pad, ROW, text, dry_run=True, output="HEIGHT")
        for text, share in zip(cells, shares, strict=True)
    ]
    return float(max(ROW, *heights)) + 2 * pad


def _widths(table: KeptTable) -> tuple[int, ...]:
    """Return the shares of the columns: by the longest word of each, and by the root of its longest text."""
    rows = (KeptRow(table.columns), *table.rows)
    return tuple(
        max(LEAST, *(max(max(map(len, text.split()), default=0), round(len(text) ** 0.7)) for text in column))
        for column in zip(*(row.cells for row in rows), strict=True)
    )


MARGIN = 18  # mm
QR = 26  # mm
TALLEST = 60, 26, 105  # mm of a picture by its rank: of the first claim, of the others, of a source
NAMED = 7  # mm below a picture, for the line that names its page
SMALLER = 0.75  # of its size, to stand on the sheet rather than leave it half empty
INK, MUTED, MARK, BAD = (22, 32, 42), (85, 97, 109), (194, 65, 12), (163, 34, 47)
WARN, GOOD = (122, 82, 0), (28, 107, 63)
TYPE: Mapping[Role, tuple[float, bool, tuple[int, int, int], float]] = {  # points, bold, colour, mm above
    "question": (15, True, INK, 0), "reading": (9, False, MUTED, 0), "outcome": (10.5, True, MARK, 1),
    "warning": (10.5, True, BAD, 1), "reason": (10, False, INK, 0), "value": (26, True, INK, 2),
    "case": (14, True, INK, 2),
    "words": (11, False, INK, 0), "claim": (11, False, INK, 2), "doubt": (9, True, BAD, 0),
    "place": (9, False, MUTED, 0), "heading": (12, True, INK, 4), "part": (11, True, INK, 2),
    "against": (12, True, BAD, 3), "further": (8.5, False, INK, 0), "note": (10, False, INK, 0),
    "chapter": (13, True, INK, 0), "statement": (10.5, False, INK, 1.6), "source": (9.5, True, INK, 2.5),
    "quote": (9, False, INK, 0), "item": (9, False, INK, 0), "aside": (9, False, INK, 0),
    "fine": (8, False, MUTED, 0), "link": (8, False, MUTED, 0),
}  # fmt: skip
LINE = 4.9  # mm of a line of text
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_FAMILY = "DejaVu"
MISSING = "\N{WHITE SQUARE}"
NAMED_SIGNS = 12  # missing signs that the imprint names
DRAWN = frozenset({"So", "Sk", "Cn"})  # kinds of signs (Unicode): pictures, their modifiers, those of later
SCRIPTS = {
    "CJK": later("Chinese characters"),
    "HIRAGANA": later("Japanese letters"),
    "KATAKANA": later("Japanese letters"),
    "HANGUL": later("Korean letters"),
}


def pdf(paper: Paper) -> bytes:
    """Return the answer as PDF: its card with the imprint, then on further sheets all that was quoted."""
    sheet = new_sheet(paper.kept.question, paper.speech)
    below = sheet.get_y()
    if paper.address:
        at = sheet.w - MARGIN - QR
        code = io.BytesIO()
        segno.make(paper.address, error="m", micro=False).save(code, kind="png", scale=8, border=2)
        code.seek(0)
        sheet.image(code, x=at, y=below, w=QR, h=QR, alt_text=paper.address)
        below += QR + 3
    for block in blocks(paper):
        beside = sheet.page_no() == 1 and sheet.get_y() < below
        if isinstance(block, Words):
            _words(sheet, block, QR + 4 if beside else 0)
            continue
        if beside:
            sheet.set_y(below)
        if isinstance(block, Picture):
            _picture(sheet, block)
        else:
            draw(sheet, block, paper.speech.say)
    return finished(sheet, paper.speech)


def _words(sheet: FPDF, block: Words, short: float) -> None:
    if block.role == "chapter":
        sheet.add_page()
    if block.role == "rule":
        sheet.ln(3)
        sheet.set_draw_color(*MUTED)
        sheet.line(MARGIN, sheet.get_y(), sheet.w - MARGIN, sheet.get_y())
        return
    size, bold, colour, above = TYPE[block.role]
    mark = "– " if block.role == "item" else ""
    write(sheet, mark + block.text, size, bold=bold, colour=colour, short=short, above=above)


def new_sheet(title: str, speech: Speech) -> FPDF:
    """Return the first page of a paper; its title stands at the foot of each."""
    from fpdf import FPDF  # noqa: PLC0415 - it takes a second to load, and few answers become PDFs
    from fpdf.enums import XPos, YPos  # noqa: PLC0415 - idem

    class Sheet(FPDF):
        """A page with its number and the title at its foot; `missing` are signs its fonts lack."""

        missing: set[str]

        def footer(self) -> None:
            self.set_y(-12)
            self.set_font(_FAMILY, "", 7.5)
            self.set_text_color(*MUTED)
            named = " ".join(title.split())
            short = named if len(named) <= 90 else f"{named[:89].rsplit(' ', 1)[0]} …"
            self.cell(0, 4, _printable(self, short), new_x=XPos.LMARGIN, new_y=YPos.TOP)
            self.cell(0, 4, f"{self.page_no()} / {{nb}}", align="R")

    sheet = Sheet(format="A4")
    sheet.missing = set()
    fonts = data_folder() / "fonts"
    sheet.add_font(_FAMILY, "", fonts / "DejaVuSans.ttf")
    sheet.add_font(_FAMILY, "B", fonts / "DejaVuSans-Bold.ttf")
    sheet.set_font(_FAMILY, "", 10)
    sheet.set_text_shaping(use_shaping_engine=True)
    sheet.set_margins(MARGIN, MARGIN, MARGIN)
    sheet.c_margin = 0
    sheet.set_auto_page_break(auto=True, margin=MARGIN)
    sheet.set_title(_seen(" ".join(title.split())))
    sheet.set_creator(speech.say("Design codes"))
    sheet.set_lang(speech.language)
    sheet.add_page()
    return sheet


def _picture(sheet: FPDF, block: Picture) -> None:
    """Draw the part of a page; a little smaller where it then fits, else on the next sheet."""
    content, tallest = block.content, TALLEST[block.rank]
    with Image.open(io.BytesIO(content)) as picture:
        width = sheet.epw
        height = width * picture.height / picture.width
    room = sheet.h - MARGIN - sheet.get_y() - NAMED
    most = min(tallest, room) if SMALLER * min(height, tallest) <= room else tallest
    if height > most:
        width, height = width * most / height, most
    if height > room:
        sheet.add_page()
    y = sheet.get_y() + 1.2
    sheet.image(io.BytesIO(content), x=MARGIN, y=y, w=width, h=height, alt_text=_seen(block.words))
    sheet.set_draw_color(*MUTED)
    sheet.set_line_width(0.15)
    sheet.rect(MARGIN, y, width, height)
    sheet.set_y(y + height + 1.5)
    if len(block.source.pictures) > 1:
        write(sheet, block.source.speech.say("page %(page)s", page=block.page), 8, colour=MUTED)


def finished(sheet: FPDF, speech: Speech) -> bytes:
    """Return a paper as PDF; signs that could not be printed are told at its end, by script and number."""
    missing = sorted(getattr(sheet, "missing", ()))
    if missing:
        say = speech.say
        scripts = dict.fromkeys(say(_script(sign)) for sign in missing)
        named = ", ".join(f"U+{ord(sign):04X}" for sign in missing[:NAMED_SIGNS])
        signs = f"{named}, …" if len(missing) > NAMED_SIGNS else named
        told = say(
            "%(box)s stands for a sign that the fonts of this paper lack: %(scripts)s (%(signs)s). "
            "The page on the box and the Markdown hold it.",
            box=MISSING,
            scripts=", ".join(scripts),
            signs=signs,
        )
        write(sheet, told, 8, colour=MUTED, above=3)
    return bytes(sheet.output())


def _script(sign: str) -> str:
    """Return what a reader calls a sign: by the first word of its name (Unicode), a picture by its kind."""
    if unicodedata.category(sign) in DRAWN:
        return later("emoji")
    word = unicodedata.name(sign, "").partition(" ")[0]
    return SCRIPTS.get(word, word.capitalize())


def write(
    sheet: FPDF,
    text: str,
    size: float,
    *,
    colour: tuple[int, int, int] = INK,
    bold: bool = False,
    short: float = 0,
    above: float = 0,
) -> None:
    """Write a paragraph, `short` mm narrower than the page, with so many mm above it."""
    if above:
        sheet.ln(above)
    sheet.set_font(_FAMILY, "B" if bold else "", size)
    sheet.set_text_color(*colour)
    height = max(3.6, LINE * size / 10.5)
    for line in text.splitlines():
        # which way it runs is told by its first letter of a direction (UAX 9, P2)
        way = next((kind for kind in map(unicodedata.bidirectional, line) if kind in {"L", "R", "AL"}), "L")
        options: dict[str, Any] = {"align": "L" if way == "L" else "R", "new_x": "LMARGIN"}
        sheet.multi_cell(sheet.epw - short, height, _printable(sheet, line) or " ", new_y="NEXT", **options)


def _printable(sheet: FPDF, text: str) -> str:
    """Return a text with a box in place of every sign that the fonts lack, so that it is missed.

    A raised letter that they lack, the mark of a footnote, is written as "^c".
    """
    known = sheet.current_font.cmap  # type: ignore[union-attr]  # a font from a file
    printed = {sign: sign if ord(sign) in known else _instead(sign) for sign in set(_seen(text))}
    missing: set[str] = getattr(sheet, "missing", set())
    missing.update(sign for sign, shown in printed.items() if shown == MISSING != sign)
    return "".join(printed[sign] for sign in _seen(text))


def _instead(sign: str) -> str:
    raised = unicodedata.decomposition(sign).startswith("<super>")
    return f"^{unicodedata.normalize('NFKC', sign)}" if raised else MISSING


def _seen(text: str) -> str:
    """Return a text without signs that are not printed, some of which would turn the rest around."""
    return _HIDDEN.sub(" ", text.replace("\t", " "))
