"""The reader of PDF files: words, strokes, pictures and bookmarks, and the text that a page does not show."""

from __future__ import annotations

import hashlib
import logging
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from appliance.core.document import Box, Problem
from appliance.core.mupdf import MUPDF
from appliance.core.settings import IngestSettings
from appliance.ingest.page import (
    Area,
    OutlineEntry,
    PageContent,
    Picture,
    Rect,
    Rectangle,
    Source,
    Stroke,
    Word,
    around,
    box_of,
    whole,
)
from appliance.ingest.pdf.rendering import numbered, silent, smoothed
from appliance.ingest.pdf.signs import REFERENCE, References, Shape, shape_of, sign_of
from appliance.ingest.pdf.words import (
    UNKNOWN,
    Matrix,
    font_codes,
    line_words,
    meant,
    repaired,
    turned,
    with_meanings,
)
from appliance.ingest.worker import MIB


def with_switched_off(document: Any, pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """Return the pages with a problem on each whose layers hide words."""
    layers = document.get_ocgs()
    if all(layer["on"] for layer in layers.values()):
        return tuple(pages)
    seen = [_shown_words(page) if page.get_oc_items() else None for page in document]
    if not any(words is not None for words in seen):
        return tuple(pages)
    document.set_layer(-1, basestate="ON", on=list(layers), off=[])
    found = []
    with MUPDF.open(stream=document.tobytes(), filetype="pdf") as lit:
        for at, (page, shown) in enumerate(zip(pages, seen, strict=True)):
            hidden = list((_shown_words(lit[at]) - shown).elements()) if shown is not None else []
            why = f"Text of page {page.number} in a layer that is switched off was left out"
            box = whole(page) if hidden and lit[at].rotation else None
            said = left_out(page, [Area(x0, y0, x1, y1) for x0, y0, x1, y1, _ in hidden], why, box)
            found.append(replace(page, problems=(*page.problems, *said)))
    return tuple(found)


def _shown_words(page: Any) -> Counter[tuple[float, ...]]:
    """Return the words of a page as it is shown, by their places (points)."""
    return Counter(tuple(word[:5]) for word in page.get_text("words"))


SMALLEST = 1.5  # points: smaller type cannot be read on paper
WHITE = 0xFFFFFF
BLANK = 250  # of 255: paper
FLAT = 8  # of 255: grey values that differ by no more are one colour
LEAST = 4.0  # points: what is lower or narrower covers no text
GROUNDS = 1000  # of one page, the largest, that may cover text


def apart_from_unseen(
    words: Sequence[Word],
    painted: Callable[[], Any],
    grounds: Sequence[Rect] = (),
    order: Callable[[], Sequence[tuple[bool, Rect]]] = tuple,
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words of a page that can be seen, and those that cannot.

    `painted` draws the page, a grey pixel (0 to 255) for each point; `grounds` are its filled shapes and
    pictures; `order` lists what is painted as it comes, with whether that is text. The two that cost time
    are asked only where a word is white or stands on a ground.
    """
    pixels = cache(painted)
    covered = _under_paint(words, grounds, order)
    seen: list[Word] = []
    unseen: list[Word] = []
    for at, word in enumerate(words):
        lost = word.size < SMALLEST
        if not lost and (word.colour == WHITE or at in covered):
            left, top = max(int(word.x0), 0), max(int(word.y0), 0)
            under = pixels()[top : int(word.y1) + 1, left : int(word.x1) + 1]
            inner = under[1:-1, 1:-1]  # without the rim of its place; a word beyond the page is not judged
            lost = word.colour == WHITE and under.size > 0 and int(under.min()) >= BLANK
            flat = at in covered and inner.size > 0 and int(inner.max()) - int(inner.min()) <= FLAT
            lost = lost or flat
        (unseen if lost else seen).append(word)
    return tuple(seen), tuple(unseen)


def said_invisible(page: PageContent, words: Sequence[Word]) -> tuple[Problem, ...]:
    """Return the problem of words that are written and not painted, () where the page shows them all."""
    shown = " ".join(word.text for word in page.words)
    every = set(shown.split())
    if all(word.text in (shown if word.text.isalpha() else every) for word in words):
        return ()  # the running foot of a page, written twice
    why = f"Invisible text of page {page.number} was left out: it is not painted, and no picture shows it"
    return left_out(page, words, why)


def left_out(
    page: PageContent, words: Sequence[Rectangle], why: str, box: Box | None = None, *, doubt: bool = False
) -> tuple[Problem, ...]:
    """Return one problem for words that were left out, with their place on the page; () for none."""
    if not words:
        return ()
    place = box or box_of(page, around(words))
    return (Problem(f"{why} ({counted(len(words))}).", page.number, place, doubt=doubt),)


def counted(words: int) -> str:
    """Return a number of words in words."""
    return f"{words} words" if words > 1 else "a word"


def _under_paint(
    words: Sequence[Word], grounds: Sequence[Rect], order: Callable[[], Sequence[tuple[bool, Rect]]]
) -> frozenset[int]:
    """Return the positions of the words on which something was painted after some text in its place."""
    middles = np.array([((w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2) for w in words]).reshape(-1, 2)
    if not _inside(middles, grounds):
        return frozenset()
    drawn = order()
    texts = [(at, box) for at, (is_text, box) in enumerate(drawn) if is_text]
    places = np.array([((x0 + x1) / 2, (y0 + y1) / 2) for _, (x0, y0, x1, y1) in texts]).reshape(-1, 2)
    times = np.array([at for at, _ in texts])
    paints = [(at, box) for at, (is_text, box) in enumerate(drawn) if not is_text and _is_broad(box)]
    paints = sorted(paints, key=lambda paint: _area(paint[1]), reverse=True)[:GROUNDS]
    over = [box for at, box in paints if _inside(places[times < at], [box])]
    return _inside(middles, over)


def _inside(points: Any, boxes: Sequence[Rect]) -> frozenset[int]:
    """Return the positions of the points that lie in one of the boxes."""
    found = np.zeros(len(points), dtype=bool)
    broad = sorted({box for box in boxes if _is_broad(box)}, key=_area, reverse=True)[:GROUNDS]
    for x0, y0, x1, y1 in broad if len(points) else ():
        x, y = points[:, 0], points[:, 1]
        found |= (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
    return frozenset(np.flatnonzero(found).tolist())


def _is_broad(box: Rect) -> bool:
    return box[2] - box[0] >= LEAST and box[3] - box[1] >= LEAST


def _area(box: Rect) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


STROKES = 20_000  # of one page that are kept; a drawing with more is a picture, not a table


def _strokes(paths: Iterable[dict[str, Any]], turn: Matrix | None) -> tuple[tuple[Stroke, ...], int]:
    """Return the first strokes of a page, and how many were left out."""
    kept: list[Stroke] = []
    lost = 0
    for path in paths:
        if path["type"] not in {"f", "s", "fs"}:
            continue
        filled, stroked = "f" in path["type"], "s" in path["type"]
        parts = path.get("fill" if filled else "color") or (0, 0, 0)
        red, green, blue = (min(255, max(0, round(part * 255))) for part in parts)
        for kind, box in _shapes(path, stroked=stroked):
            stroke = Stroke(*_shown(box, turn), kind, filled, stroked, red << 16 | green << 8 | blue)
            if len(kept) < STROKES and math.isfinite(stroke.x0 + stroke.y0 + stroke.x1 + stroke.y1):
                kept.append(stroke)
            else:
                lost += 1
    return tuple(kept), lost


def _shapes(path: dict[str, Any], *, stroked: bool) -> Iterator[tuple[Any, Rect]]:
    """Yield one shape for a filled path; for an outline each line or rectangle in it, and its curves."""
    if not stroked:
        plain = all(item[0] in {"l", "re", "qu"} for item in path["items"]) and len(path["items"]) <= 5
        yield "rect" if plain else "curve", path["rect"]
        return
    curves: list[tuple[float, float]] = []
    for item in path["items"]:
        if item[0] == "l":
            (ax, ay), (bx, by) = item[1], item[2]
            yield "line", (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        elif item[0] == "re":
            yield "rect", item[1]
        else:
            curves.extend(item[1:] if item[0] == "c" else item[1])
    if curves:
        xs, ys = [point[0] for point in curves], [point[1] for point in curves]
        yield "curve", (min(xs), min(ys), max(xs), max(ys))


WORDS = 50_000  # of one page that are read; a sheet of drawings has some thousands
CONTROLS = 0.2  # of the signs of a page: more control characters are no text
EDGE = 2.0  # points by which a word may overlap the edge of its page
SIGNS = 600_000  # of one page; with more, its characters alone would take the memory of a worker
_LOG = logging.getLogger(__name__)
_LONGEST = 20_000.0  # points: the longest side of a page (7 m; PDF 1.6 allows 14,400 unless scaled)
_TEXT_FLAGS = 0  # ligatures are expanded, spaces made plain, images left out, nothing cut at the edges
_FONTS = ("helv", "hebo", "heit", "tiro", "tibo", "tiit", "symb")  # that MuPDF brings, as references
_EM = 160.0  # pixels: size at which glyphs are drawn to be compared
INVISIBLE = 3  # the rendering mode of text that is not painted (ISO 32000-1, 9.3.6)
_PAINTED = frozenset({"fill-path", "fill-text", "stroke-text", "fill-shade", "fill-image", "fill-imgmask"})
CACHED = 65_536  # characters of fonts of which is remembered whether they have a meaning
_NAME = 31  # characters of a font's name that MuPDF keeps
_ERRORS = (RuntimeError, ValueError, OSError, AssertionError, MUPDF.mupdf.FzErrorBase)
DAMAGED = (
    "The file is damaged and was read as far as it could be repaired: print and pages may be missing. "
    "Get another copy of it, then build again."
)
_PAGES_LOST = "page tree"  # in what MuPDF says where the list of the pages holds what is none


class UnreadablePdf(Exception):
    """The file cannot be read as a PDF; the message says why, in words for the report."""


def read(path: Path, limits: IngestSettings) -> Source:
    """Return the whole PDF.

    Raises:
        UnreadablePdf: missing, too big, damaged, locked by a password, empty, or with too many pages.
        MemoryError: its pages take more than this process may.
    """
    silent()
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= limits.file_mib * MIB else b""
    except OSError as error:
        raise UnreadablePdf(f"the file cannot be opened ({error.strerror})") from None
    if not data:
        message = f"the file has {size // MIB} MiB, more than the limit of {limits.file_mib}"
        raise UnreadablePdf(message if size else "the file is empty")
    try:
        document = MUPDF.open(stream=data, filetype="pdf")
    except _ERRORS:
        raise UnreadablePdf("it is not a PDF or is damaged") from None
    with document:
        if fault := _fault(document, limits):
            raise UnreadablePdf(fault)
        _name_glyphs(document)
        glyphs = _Glyphs(document)
        pages = tuple(_page(document, index + 1, glyphs) for index in numbered(document.page_count))
        if not pages:  # counted, and lost by the repair of what was opened since
            raise UnreadablePdf("it is damaged: none of its pages is there")
        pages = with_switched_off(document, pages)
        if document.is_repaired or _PAGES_LOST in MUPDF.TOOLS.mupdf_warnings():
            first = replace(pages[0], problems=(*pages[0].problems, Problem(DAMAGED, pages[0].number)))
            pages = (first, *pages[1:])
        title = str((document.metadata or {}).get("title") or "").strip()
        return Source(hashlib.sha256(data).hexdigest(), title, pages, _outline(document))


def named_places(path: Path) -> dict[str, tuple[int, float]]:
    """Return the named destinations of a PDF: page, from 1, and how far down it (0-1)."""
    with MUPDF.open(path, filetype="pdf") as document:
        found = {name: place for name, place in document.resolve_names().items() if "to" in place}
        heights = [document[index].rect.height for index in range(document.page_count)]
        return {
            name: (place["page"] + 1, 1 - place["to"][1] / heights[place["page"]])
            for name, place in found.items()
            if 0 <= place["page"] < len(heights)
        }


def links(path: Path) -> Iterator[tuple[Box, str, str]]:
    """Yield each stretch of a line of a PDF that is a link: its place, where it leads, its text.

    A link within the PDF leads to "#" and the name of the destination.
    """
    with MUPDF.open(path, filetype="pdf") as document:
        for page in document:
            for link in page.get_links():
                name, area, shown = link.get("nameddest"), link["from"], page.rect
                to = link.get("uri") or (f"#{name}" if name else "")
                text = " ".join(page.get_textbox(area).split())
                sides = (
                    area.x0 / shown.width,
                    area.y0 / shown.height,
                    area.x1 / shown.width,
                    area.y1 / shown.height,
                )
                if to and text.strip("\u200b"):
                    yield Box(page.number + 1, *sides), to, text


def _fault(document: Any, limits: IngestSettings) -> str:
    """Return why a document is not read, "" where it is."""
    if not document.is_pdf:  # the library guesses other formats from the bytes
        found = (document.metadata or {}).get("format")  # "HTML5"
        return f"it is not a PDF: its content is {found}" if found else "it is not a PDF"
    if document.needs_pass:
        return "it is locked by a password: save a copy of it without the password, then build again"
    try:
        count = int(document.page_count)
    except _ERRORS:  # a tree of pages that leads in a circle
        return "it is damaged: its pages cannot be counted"
    if count > limits.pages:
        return f"it has {count} pages, more than the limit of {limits.pages}"
    return "" if count else "it has no page"


def _name_glyphs(document: Any) -> None:
    """Give the fonts, in memory, the Unicode of glyphs that have a known name and no other meaning."""
    for font in range(1, document.xref_length()):
        try:
            kind, differences = document.xref_get_key(font, "Encoding/Differences")
            known = meant(differences) if kind == "array" else {}
            if not known:
                continue
            kind, value = document.xref_get_key(font, "ToUnicode")
            before = document.xref_stream(int(value.split()[0])) if kind == "xref" else b""
            stream = document.get_new_xref()
            document.update_object(stream, "<<>>")
            document.update_stream(stream, with_meanings(before or b"", known))
            document.xref_set_key(font, "ToUnicode", f"{stream} 0 R")
        except _ERRORS:  # a damaged object; what is shown of it, its page will tell
            continue


def _page(document: Any, number: int, glyphs: _Glyphs) -> PageContent:
    try:
        page = document[number - 1]
        if not all(0 < side < _LONGEST for side in (page.rect.width, page.rect.height)):
            message = f"its size is {page.rect.width:g} by {page.rect.height:g} points"
            raise UnreadablePdf(message)  # noqa: TRY301 - told below like every other
        turn: Matrix | None = tuple(page.rotation_matrix) if page.rotation else None
        drawn = page.get_textpage(MUPDF.INFINITE_RECT(), flags=MUPDF.TEXT_PRESERVE_IMAGES)
        pictures = tuple(Picture(*_shown(info["bbox"], turn)) for info in drawn.extractIMGINFO())
        if pictures:  # they would come with their bytes, and part the text
            drawn = page.get_textpage(MUPDF.INFINITE_RECT(), flags=_TEXT_FLAGS)
        text = _words(page, drawn, turn, glyphs)
        words = text.words
        strokes, strokes_lost = _strokes(page.get_cdrawings(), turn)
        unseen: tuple[Word, ...] = ()
        if text.trust == "digital":
            grounds = [(s.x0, s.y0, s.x1, s.y1) for s in strokes if s.filled]
            grounds += [(p.x0, p.y0, p.x1, p.y1) for p in pictures]

            def painted() -> Any:
                """Return the page as it is shown, one grey pixel for each point (rows, columns)."""
                with smoothed(page):
                    pixmap = page.get_pixmap(colorspace="gray", alpha=False)
                return np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.stride)

            def order() -> list[tuple[bool, Rect]]:
                """Return what is painted on the page as it comes: whether it is text, and its box."""
                log = ((kind, box) for kind, box, *_ in page.get_bboxlog() if kind in _PAINTED)
                return [(kind.endswith("-text"), _shown(box, turn)) for kind, box in log]

            words, unseen = apart_from_unseen(words, painted, grounds, order)
        printed = ""
        with suppress(*_ERRORS, KeyError, IndexError, TypeError):  # damaged label trees
            # pymupdf 2.0 takes the "P" of "/Type /PageLabel" in a label rule for the key of its prefix
            printed = str(page.get_label()).removeprefix("ageLabel")
        content = PageContent(
            number=number,
            width=page.rect.width,
            height=page.rect.height,
            printed=printed,
            words=words,
            strokes=strokes,
            pictures=pictures,
            trust=text.trust,
            hidden=text.hidden,
        )
        at = f"page {number}"
        beyond = f"Lines of {at} run over its edge; what stands beyond was left out"
        told = [*left_out(content, text.beyond, beyond, doubt=True)]
        if text.lost:
            message = f"{text.lost} words of {at} stand nowhere on it or are too many, and were left out."
            told.append(Problem(message, number))
        if strokes_lost:
            message = f"{strokes_lost} lines of the drawings of {at} were left out: there are too many."
            told.append(Problem(message, number))
        hidden = f"Hidden text of {at} was left out: nobody sees it on the page"
        return replace(content, problems=(*told, *left_out(content, unseen, hidden)))
    except Exception as error:  # however a page fails, it costs that page alone
        if isinstance(error, MemoryError):  # of the whole process
            raise
        _LOG.warning("reading page %d failed", number, exc_info=True)
        why = f" ({error})" if isinstance(error, UnreadablePdf) else ""
        problem = Problem(f"Page {number} could not be read{why}.", number)
        return PageContent(number, 595.0, 842.0, "", (), (), (), "none", problems=(problem,))


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a page: `hidden` is not painted, `beyond` ends lines that run over the page's edge."""

    words: tuple[Word, ...]
    hidden: tuple[Word, ...]
    beyond: tuple[Word, ...]
    trust: Literal["digital", "ocr", "none"]
    lost: int  # words that were left out


def _words(page: Any, text: Any, turn: Matrix | None, glyphs: _Glyphs) -> _Text:
    """Return the text of a page out of what MuPDF made of it.

    Invisible text is the OCR layer of a scan where it is most of the page; else it is kept apart.

    Raises:
        ValueError: the page holds more characters than can be read.
    """
    if (signs := len(text.extractText())) > SIGNS:
        raise UnreadablePdf(f"it holds {signs} characters, more than the limit of {SIGNS}")
    blocks = page.get_text("rawdict", textpage=text)["blocks"]
    lines = [line for block in blocks for line in block.get("lines", ())]
    spans = [span for line in lines for span in line["spans"]]
    glyphs.name_unknown(page.number, [span for span in spans if span.get("alpha", 255)])
    found = [char for span in spans for char in span["chars"] if not char.get("proven")]
    controls = [char for char in found if char["c"] < " "]
    if sum(char["c"] not in "\t\n\r" for char in controls) > CONTROLS * len(found):
        for char in controls:  # numbers of glyphs, not spaces
            char["c"] = UNKNOWN
    width, height = page.rect.width, page.rect.height
    on_page = Area(EDGE, EDGE, width - EDGE, height - EDGE)
    seen: list[Word] = []
    hidden: list[Word] = []
    beyond: list[Word] = []
    lost = 0
    for line in lines:
        words = list(line_words(line, turn))
        inside = [pair for pair in words if on_page.meets(pair[0])]
        if inside:  # a line wholly beyond the edge is a printer's mark
            beyond += [
                word
                for word, _ in words
                if min(word.x0, word.y0) < -EDGE or word.x1 > width + EDGE or word.y1 > height + EDGE
            ]
        for word, invisible in inside:
            # a place that is no number is on no page
            placed = all(abs(place) < _LONGEST for place in (word.x0, word.y0, word.x1, word.y1))
            if placed and len(seen) + len(hidden) < WORDS:
                (hidden if invisible else seen).append(word)
            else:
                lost += 1
    if len(hidden) > len(seen):
        return _Text(tuple(hidden + seen), (), tuple(beyond), "ocr", lost)
    trust: Literal["digital", "none"] = "digital" if seen else "none"
    return _Text(tuple(seen), tuple(hidden), tuple(beyond), trust, lost)


def _shown(box: Rect, turn: Matrix | None) -> Rect:
    return turned(box, turn) if turn else box


def _outline(document: Any) -> tuple[OutlineEntry, ...]:
    """Return the bookmarks as written; one of level 0 stands for those that cannot be read.

    Of bookmarks that follow one another in a circle MuPDF gives none at all.
    """
    try:
        there = document.xref_get_key(document.pdf_catalog(), "Outlines/First")[0] != "null"
        entries = document.get_toc(simple=True)
    except (*_ERRORS, KeyError, IndexError, TypeError, RecursionError):
        there, entries = True, []
    if there and not entries:
        return (OutlineEntry(0, "", 0),)
    return tuple(OutlineEntry(level, " ".join(str(title).split()), page) for level, title, page in entries)


@dataclass(slots=True)
class _Glyphs:
    """The glyphs of one document as drawn, by which signs without a known meaning are told."""

    document: Any
    faces: dict[int, tuple[str, Any]] = field(default_factory=dict)
    signs: dict[tuple[int, int], str] = field(default_factory=dict)

    def name_unknown(self, page: int, spans: Sequence[dict[str, Any]]) -> None:
        """Give the characters without a meaning, in place, the sign that their drawing shows."""
        unknown = [char for span in spans for char in span["chars"] if _is_unknown(span["font"], char["c"])]
        drawn = self._drawn_signs(page) if unknown else {}
        for char in unknown:
            if sign := drawn.get(_place(char["origin"])):
                char["c"], char["proven"] = sign, True

    def _drawn_signs(self, page: int) -> dict[tuple[int, int], str]:
        """Return the signs of a page's visible characters without a meaning, by their places."""
        fonts: dict[str, list[int]] = {}  # embedded ones, by their names as drawn
        for number, _, kind, name, *_ in self.document.get_page_fonts(page, full=True):
            if number not in self.faces:
                self.faces[number] = self._face(number, kind, name)
            drawn, face = self.faces[number]
            if face is not None:
                fonts.setdefault(drawn, []).append(number)
        MUPDF.TOOLS.set_subset_fontnames(True)
        try:
            spans = self.document[page].get_texttrace()
        finally:
            MUPDF.TOOLS.set_subset_fontnames(False)
        found: dict[tuple[int, int], str] = {}
        for span in spans:
            for code, glyph, origin, _ in span["chars"] if span["type"] != INVISIBLE else ():
                if _is_unknown(span["font"], chr(code)):
                    signs = {self._sign(font, glyph) for font in fonts.get(span["font"], ())}
                    found[_place(origin)] = signs.pop() if len(signs) == 1 else ""
        return found

    def _face(self, number: int, kind: str, name: str) -> tuple[str, Any]:
        try:
            if kind == "Type0":
                below = self.document.xref_get_key(number, "DescendantFonts")[1]
                name = self.document.xref_get_key(int(below.strip("[ ").split()[0]), "BaseFont")[1][1:]
            data = self.document.extract_font(number)[3]
            return name[:_NAME], MUPDF.Font(fontbuffer=data) if data and kind != "Type3" else None
        except (*_ERRORS, IndexError, TypeError, AttributeError):  # a damaged font: nothing is proven by it
            return name[:_NAME], None

    def _sign(self, font: int, glyph: int) -> str:
        """Return the sign that a glyph shows, a space for one without ink, "" where nothing tells."""
        if (font, glyph) not in self.signs:
            try:
                shape = _drawn(self.faces[font][1], glyph)
                self.signs[font, glyph] = sign_of(shape, known_shapes()) if shape else " "
            except LookupError:
                self.signs[font, glyph] = ""
        return self.signs[font, glyph]


@lru_cache(CACHED)
def _is_unknown(font: str, char: str) -> bool:
    return repaired(char, font_codes(font)) == UNKNOWN


def _place(origin: tuple[float, float]) -> tuple[int, int]:
    """Return a place on the page in tenths of a point."""
    return round(origin[0] * 10), round(origin[1] * 10)


def _drawn(font: Any, glyph: int) -> Shape | None:
    matrix = MUPDF.mupdf.FzMatrix(_EM, 0, 0, -_EM, 0, 0)
    window = MUPDF.mupdf.FzIrect(*(round(side * _EM) for side in (-2, -2, 3, 2)))
    try:
        pixmap = MUPDF.mupdf.fz_render_glyph_pixmap(font.this, glyph, matrix, window, 8)
        if not pixmap.m_internal or not pixmap.w() or not pixmap.h():
            return None
        rows = np.frombuffer(MUPDF.Pixmap(pixmap).samples, dtype=np.uint8).reshape(pixmap.h(), -1)
    except _ERRORS as error:
        raise LookupError(str(error)) from None
    return shape_of(rows[:, : pixmap.w()], pixmap.y(), _EM)


@cache
def known_shapes() -> References:
    """Return the shapes of known characters, as the fonts that MuPDF brings draw them."""
    known = []
    for name in _FONTS:
        font = MUPDF.Font(name)
        glyphs = ((char, font.has_glyph(ord(char))) for char in REFERENCE)
        shapes = ((char, _drawn(font, glyph)) for char, glyph in glyphs if glyph)
        known += [(char, shape) for char, shape in shapes if shape]
    return References.of(known)
