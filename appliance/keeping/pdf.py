"""A kept answer as a PDF of A4 pages."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import segno
from PIL import Image

from appliance.core.files import data_folder
from appliance.keeping.language import Speech, later
from appliance.keeping.paper import (
    ALSO,
    DISAGREE,
    LEFT_OUT,
    UNCITED,
    WHOLE,
    Paper,
    Source,
    without_rows,
)
from appliance.site.saved import KeptHeadline, KeptRow, KeptStatement, KeptTable

if TYPE_CHECKING:
    from fpdf import FPDF

PDF_TABLES_INK, PDF_TABLES_MARK, SHADE = (22, 32, 42), (255, 240, 226), (238, 241, 244)
SIZE, PDF_TABLES_LINE = 8.5, 4.2  # points, mm
PAD = 0.8  # mm around what a cell holds
LEAST = 6  # letters that a column is wide at least, as far as its share goes


def draw(
    sheet: FPDF, table: KeptTable, printable: Callable[[FPDF, str], str], say: Callable[..., str]
) -> None:
    """Draw a table with its name; a cell that is too long is broken, never cut."""
    from fpdf.fonts import FontFace  # noqa: PLC0415 - fpdf2 is loaded only when a PDF is asked for

    sheet.set_text_color(*PDF_TABLES_INK)
    name = f"{table.label} {table.title} ({table.document})".replace("  ", " ")
    shares = _widths(table)
    first = (table.columns, *(row.cells for row in table.rows[:1]))
    rows = [[printable(sheet, text) for text in row] for row in first]
    _make_room(sheet, [printable(sheet, name)], rows, shares)
    sheet.set_font(style="B", size=9)
    sheet.multi_cell(
        sheet.epw, PDF_TABLES_LINE, printable(sheet, name), align="L", new_x="LMARGIN", new_y="NEXT"
    )
    sheet.set_font(style="", size=SIZE)
    heads = FontFace(emphasis="BOLD", color=PDF_TABLES_INK, fill_color=SHADE)
    with sheet.table(
        col_widths=shares, headings_style=heads, line_height=PDF_TABLES_LINE, text_align="LEFT", padding=PAD
    ) as drawn:
        drawn.row([printable(sheet, text) for text in table.columns])
        for row in table.rows:
            if row.skipped:
                drawn.row().cell(say(LEFT_OUT, number=row.skipped), colspan=len(table.columns))
            line = drawn.row()
            if row.spans:
                line.cell(printable(sheet, row.cells[0]), colspan=len(table.columns))
                continue
            for at, text in enumerate(row.cells):
                style = FontFace(emphasis="BOLD", fill_color=PDF_TABLES_MARK) if at in row.marked else None
                line.cell(printable(sheet, text), style=style)
        if table.left:
            drawn.row().cell(say(LEFT_OUT, number=table.left), colspan=len(table.columns))
    for mark, text in table.notes:
        told = printable(sheet, f"{mark}) {text}")
        sheet.multi_cell(sheet.epw, PDF_TABLES_LINE, told, align="L", new_x="LMARGIN", new_y="NEXT")
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
        cast(
            "float",
            sheet.multi_cell(across * share - 2 * pad, PDF_TABLES_LINE, text, dry_run=True, output="HEIGHT"),
        )
        for text, share in zip(cells, shares, strict=True)
    )
    return max(PDF_TABLES_LINE, *heights) + 2 * pad


def _widths(table: KeptTable) -> tuple[int, ...]:
    """Return the shares of the columns: by the longest word of each, and by the root of its longest text."""
    rows = (KeptRow(table.columns), *table.rows)
    return tuple(
        max(LEAST, *(max(max(map(len, text.split()), default=0), round(len(text) ** 0.7)) for text in column))
        for column in zip(*(row.cells for row in rows), strict=True)
    )


if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN = 18  # mm
QR = 26  # mm
TALLEST = 105  # mm of a picture
CARD_FIRST, CARD_SECOND = 60, 26  # mm of that of the first claim of the card, of those of the others
STARTS = 30  # mm that the heading of the sources needs with the first of them below it
ALSO_LONG = 120  # characters of a further place
NAMED = 7  # mm below a picture, for the line that names its page
SMALLER = 0.75  # of its size, to stand on the sheet rather than leave it half empty
INK, MUTED, MARK, BAD = (22, 32, 42), (85, 97, 109), (194, 65, 12), (163, 34, 47)
WARN, GOOD = (122, 82, 0), (28, 107, 63)
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
    sheet, say = new_sheet(paper.kept.question, paper.speech), paper.speech.say
    _head(sheet, paper)
    for reason in paper.kept.reasons if paper.kept.outcome == "not_found" else ():
        write(sheet, paper.speech.phrase(reason), 10)
    _card(sheet, paper)
    if paper.note:
        write(sheet, say("Note"), 12, bold=True, above=4)
        write(sheet, paper.note, 10)
    _imprint(sheet, paper)
    if paper.kept.statements:
        _appendix(sheet, paper)
    for line in lacking(sheet, paper.speech):
        write(sheet, line, 8, colour=MUTED, above=3)
    return bytes(sheet.output())


def _appendix(sheet: FPDF, paper: Paper) -> None:
    """Write all statements with their tables, what stands against and beside them, and their sources."""
    say = paper.speech.say
    sheet.add_page()
    write(sheet, say(WHOLE), 13, bold=True)
    for statement in paper.kept.statements:
        if not statement.confirmed:
            write(sheet, paper.doubt(statement), 9, colour=BAD, bold=True)
        numbers = f" [{', '.join(map(str, statement.citations))}]" if statement.citations else ""
        tables = paper.tables_of(statement)
        said = without_rows(statement.text) if tables else statement.text
        write(sheet, said + numbers, 10.5)
        for table in tables:
            draw(sheet, table, _printable, say)
        sheet.ln(1.6)
    for table in paper.other_tables:
        draw(sheet, table, _printable, say)
    _conflicts(sheet, paper)
    _read_with(sheet, paper)
    for heading, sources in ((say("Sources"), paper.cited), (say(UNCITED), paper.uncited)):
        if sources:
            if sheet.will_page_break(STARTS):
                sheet.add_page()
            write(sheet, heading, 12, bold=True, above=4)
        for source in sources:
            _source(sheet, source, paper)


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


def _head(sheet: FPDF, paper: Paper) -> None:
    """Write the question with the QR code of the place beside it, then the outcome."""
    top = sheet.get_y()
    if paper.address:
        sheet.image(_qr(paper.address), x=sheet.w - MARGIN - QR, y=top, w=QR, h=QR, alt_text=paper.address)
    beside = QR + 4 if paper.address else 0
    kept, speech = paper.kept, paper.speech
    write(sheet, kept.question, 15, bold=True, short=beside)
    if kept.resolved:
        read = speech.say("Read as: %(question)s", question=kept.resolved)
        write(sheet, read, 9, colour=MUTED, short=beside)
    write(sheet, paper.outcome, 10.5, colour=MARK, bold=True, short=beside, above=1)
    write(sheet, paper.date, 9, colour=MUTED, short=beside)
    if paper.address and sheet.page_no() == 1:
        sheet.set_y(max(sheet.get_y(), top + QR + 3))
    sheet.ln(1)
    if kept.gap:
        write(sheet, speech.phrase(kept.gap), 10.5, colour=BAD, bold=True)
    if paper.changed:
        write(sheet, paper.changed, 10, colour=BAD, bold=True)


def _card(sheet: FPDF, paper: Paper) -> None:
    """Write the card: its claims with the crops that prove them, then a line for each further place."""
    card = paper.card
    for at, claim in enumerate(card.claims):
        source = paper.proof(claim)
        _claim(sheet, claim, paper, None if at else card.headline)
        for page, content in source.pictures[:1]:
            named = paper.speech.say("%(name)s as printed on page %(page)s", name=source.place, page=page)
            _picture(sheet, content, named, CARD_SECOND if at else CARD_FIRST)
        write(sheet, source.place, 9, colour=MUTED)
        sheet.ln(2)
    if card.also:
        write(sheet, paper.speech.say(ALSO), 11, bold=True, above=1)
    for claim in card.also:
        text = " ".join(claim.text.split())
        short = text if len(text) <= ALSO_LONG else f"{text[:ALSO_LONG].rsplit(' ', 1)[0]} …"
        write(sheet, f"{short} ({paper.proof(claim).place})", 8.5)


def _claim(sheet: FPDF, claim: KeptStatement, paper: Paper, headline: KeptHeadline | None) -> None:
    """Write what a claim says: the value large where it is vouched for, rows, else words."""
    rows = paper.rows(claim)
    if headline:
        write(sheet, f"{headline.value} {headline.unit}".strip(), 26, bold=True)
        for words in (headline.what, *headline.conditions):
            write(sheet, words, 11)
    elif rows:
        draw(sheet, rows, _printable, paper.speech.say)
        write(sheet, claim.beside, 9)
    else:
        write(sheet, paper.words(claim), 11, above=1)
    if not claim.confirmed:
        write(sheet, paper.doubt(claim), 9, colour=BAD, bold=True)


def _source(sheet: FPDF, source: Source, paper: Paper) -> None:
    """Write a place with its quotations and the picture of it, the picture never parted from its name."""
    write(sheet, f"[{source.numbers}] {source.place}", 9.5, bold=True, above=2.5)
    if source.doubt:
        write(sheet, paper.doubts(source), 9, colour=BAD, bold=True)
    for citation in source.citations:
        write(sheet, paper.quoted(citation), 9)
    say = paper.speech.say
    for page, content in source.pictures:
        _picture(sheet, content, say("%(name)s as printed on page %(page)s", name=source.place, page=page))
        if len(source.pictures) > 1:
            write(sheet, say("page %(page)s", page=page), 8, colour=MUTED)


def _picture(sheet: FPDF, content: bytes, words: str, tallest: float = TALLEST) -> None:
    """Draw the part of a page; a little smaller where it then fits, else on the next sheet."""
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
    sheet.image(io.BytesIO(content), x=MARGIN, y=y, w=width, h=height, alt_text=_seen(words))
    sheet.set_draw_color(*MUTED)
    sheet.set_line_width(0.15)
    sheet.rect(MARGIN, y, width, height)
    sheet.set_y(y + height + 1.5)


def _conflicts(sheet: FPDF, paper: Paper) -> None:
    if paper.kept.conflicts:
        write(sheet, paper.speech.say(DISAGREE), 12, colour=BAD, bold=True, above=3)
    counting = paper.speech.say("This side decides.")
    for conflict in paper.kept.conflicts:
        for side, decides in paper.sides(conflict):
            write(sheet, f"[{side.n}] {side.designation}, {side.label}", 9.5, bold=True, above=1)
            counts = f" {counting}" if decides else ""
            write(sheet, f"“{side.quote}”{counts}", 9)
        write(sheet, paper.speech.phrase(conflict.rule), 9, colour=MUTED)


def _read_with(sheet: FPDF, paper: Paper) -> None:
    if paper.kept.read_with:
        write(sheet, paper.speech.say("Read with it"), 12, bold=True, above=3)
    for place in paper.read_with:
        write(sheet, f"– {place}", 9)


def _imprint(sheet: FPDF, paper: Paper) -> None:
    lines = list(_imprint_lines(paper))
    sheet.ln(3)
    sheet.set_draw_color(*MUTED)
    sheet.line(MARGIN, sheet.get_y(), sheet.w - MARGIN, sheet.get_y())
    for line in lines:
        write(sheet, line, 8, colour=MUTED)


def _imprint_lines(paper: Paper) -> Iterator[str]:
    say = paper.speech.say
    yield f"{paper.date}, {paper.imprint}."
    if paper.kept.searched:
        yield say("Searched: %(documents)s", documents=f"{', '.join(paper.kept.searched)}.")
    if paper.address:
        yield paper.address
    yield say("Quotations are verbatim; the framed place on the page counts.")


def lacking(sheet: FPDF, speech: Speech) -> Iterator[str]:
    """Yield what tells that signs could not be printed, and which: by their script, then by number."""
    missing = sorted(getattr(sheet, "missing", ()))
    if missing:
        say = speech.say
        scripts = dict.fromkeys(say(_script(sign)) for sign in missing)
        named = ", ".join(f"U+{ord(sign):04X}" for sign in missing[:NAMED_SIGNS])
        signs = f"{named}, …" if len(missing) > NAMED_SIGNS else named
        yield say(
            "%(box)s stands for a sign that the fonts of this paper lack: %(scripts)s (%(signs)s). "
            "The page on the box and the Markdown hold it.",
            box=MISSING,
            scripts=", ".join(scripts),
            signs=signs,
        )


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
        options: dict[str, Any] = {"align": "R" if _leftward(line) else "L", "new_x": "LMARGIN"}
        sheet.multi_cell(sheet.epw - short, height, _printable(sheet, line) or " ", new_y="NEXT", **options)


def _leftward(text: str) -> bool:
    """Tell whether a text begins from the right: by its first letter of a direction (UAX 9, P2)."""
    first = next(
        (kind for sign in text if (kind := unicodedata.bidirectional(sign)) in {"L", "R", "AL"}), "L"
    )
    return first != "L"


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


def _qr(address: str) -> io.BytesIO:
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(out, kind="png", scale=8, border=2)
    out.seek(0)
    return out
