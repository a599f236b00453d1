"""One PDF as words, strokes, pictures and bookmarks: the only reader of PDF files.

Rules of this module: pymupdf is imported here and in `render.py` alone; the file is always closed;
nothing of pymupdf leaves this module; coordinates are points of the page as a reader sees it.
A page that cannot be read comes back empty, and `read_document` names it as a problem.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymupdf

from appliance.ingest.glyph_names import meant, with_meanings
from appliance.ingest.page import OutlineEntry, PageContent, Picture, Source, Stroke, Word
from appliance.ingest.words import Matrix, line_words, turned
from appliance.settings import IngestSettings

STROKES = 20_000  # of one page that are kept; a drawing with more is a picture, not a table
_MUPDF: Any = pymupdf  # most of its functions carry no types
_TEXT_FLAGS = pymupdf.TEXT_MEDIABOX_CLIP  # ligatures are expanded, spaces made plain, images left out
_ERRORS = (RuntimeError, ValueError, OSError, AssertionError, pymupdf.mupdf.FzErrorBase)


class UnreadablePdf(Exception):
    """The file cannot be read as a PDF; the message says why, in words for the report."""


def read(path: Path, limits: IngestSettings) -> Source:
    """Return the whole PDF.

    Raises:
        UnreadablePdf: missing, too big, damaged, locked by a password, empty, or with too many pages.
    """
    _MUPDF.TOOLS.mupdf_display_errors(False)
    _MUPDF.TOOLS.mupdf_display_warnings(False)
    data = _bytes(path, limits)
    try:
        document = _MUPDF.open(stream=data, filetype="pdf")
    except _ERRORS as error:
        message = f"it is not a PDF or is damaged ({str(error).strip() or 'no detail'})"
        raise UnreadablePdf(message) from None
    with document:
        _check(document, limits)
        _name_glyphs(document)
        pages = tuple(_page(document, number) for number in range(1, document.page_count + 1))
        title = str((document.metadata or {}).get("title") or "").strip()
        return Source(hashlib.sha256(data).hexdigest(), title, pages, _outline(document))


def _bytes(path: Path, limits: IngestSettings) -> bytes:
    try:
        size = path.stat().st_size
        if size > limits.file_mib * 1024 * 1024:
            message = f"the file has {size // (1024 * 1024)} MiB, more than the limit of {limits.file_mib}"
            raise UnreadablePdf(message)
        data = path.read_bytes()
    except OSError as error:
        message = f"the file cannot be opened ({error.strerror})"
        raise UnreadablePdf(message) from None
    if not data:
        message = "the file is empty"
        raise UnreadablePdf(message)
    return data


def _check(document: Any, limits: IngestSettings) -> None:
    if not document.is_pdf:  # the library guesses other formats from the bytes
        message = "it is not a PDF"
        raise UnreadablePdf(message)
    if document.needs_pass:
        message = "it is locked by a password"
        raise UnreadablePdf(message)
    if not document.page_count:
        message = "it has no page"
        raise UnreadablePdf(message)
    if document.page_count > limits.pages:
        message = f"it has {document.page_count} pages, more than the limit of {limits.pages}"
        raise UnreadablePdf(message)


def _name_glyphs(document: Any) -> None:
    """Give the fonts, in memory, the Unicode of glyphs that have a known name and no other meaning."""
    for xref in range(1, document.xref_length()):
        try:
            kind, differences = document.xref_get_key(xref, "Encoding/Differences")
            known = meant(differences) if kind == "array" else {}
            if known:
                _map_to_unicode(document, xref, known)
        except _ERRORS:  # a damaged object; what is shown of it, its page will tell
            continue


def _map_to_unicode(document: Any, font: int, known: dict[int, str]) -> None:
    kind, value = document.xref_get_key(font, "ToUnicode")
    before = document.xref_stream(int(value.split()[0])) if kind == "xref" else b""
    stream = document.get_new_xref()
    document.update_object(stream, "<<>>")
    document.update_stream(stream, with_meanings(before or b"", known))
    document.xref_set_key(font, "ToUnicode", f"{stream} 0 R")


def _page(document: Any, number: int) -> PageContent:
    try:
        page = document[number - 1]
        turn: Matrix | None = tuple(page.rotation_matrix) if page.rotation else None
        words, trust = _words(page, turn)
        return PageContent(
            number=number,
            width=page.rect.width,
            height=page.rect.height,
            printed=_printed(page),
            words=words,
            strokes=_strokes(page, turn),
            pictures=_pictures(page, turn),
            trust=trust,
        )
    except _ERRORS:
        return PageContent(number, 595.0, 842.0, "", (), (), (), "none")


def _printed(page: Any) -> str:
    try:
        # pymupdf 2.0 takes the "P" of "/Type /PageLabel" in a label rule for the key of its prefix
        return str(page.get_label()).removeprefix("ageLabel")
    except (*_ERRORS, KeyError, IndexError, TypeError):  # damaged label trees
        return ""


def _words(page: Any, turn: Matrix | None) -> tuple[tuple[Word, ...], Any]:
    """Return the words, and how far they can be trusted.

    Invisible text is the OCR layer of a scan where it is most of the page; else it is left out.
    """
    seen: list[Word] = []
    hidden: list[Word] = []
    for block in page.get_text("rawdict", flags=_TEXT_FLAGS)["blocks"]:
        for line in block.get("lines", ()):
            for word, invisible in line_words(line, turn):
                (hidden if invisible else seen).append(word)
    if len(hidden) > len(seen):
        return tuple(hidden + seen), "ocr"
    return tuple(seen), "digital" if seen else "none"


def _strokes(page: Any, turn: Matrix | None) -> tuple[Stroke, ...]:
    strokes: list[Stroke] = []
    for path in page.get_cdrawings():
        if path["type"] in {"f", "s", "fs"}:
            strokes.extend(_path_strokes(path, turn))
        if len(strokes) > STROKES:
            break
    return tuple(strokes[:STROKES])


def _path_strokes(path: dict[str, Any], turn: Matrix | None) -> Iterator[Stroke]:
    """Yield one stroke for a filled shape; for an outline one for each line or rectangle in it."""
    filled, stroked = "f" in path["type"], "s" in path["type"]
    colour = _colour(path.get("fill" if filled else "color"))
    curves: list[tuple[float, float]] = []
    if not stroked:
        plain = all(item[0] in {"l", "re", "qu"} for item in path["items"]) and len(path["items"]) <= 5
        yield _stroke(path["rect"], "rect" if plain else "curve", turn, (filled, stroked, colour))
        return
    for item in path["items"]:
        if item[0] == "l":
            (ax, ay), (bx, by) = item[1], item[2]
            box = (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
            yield _stroke(box, "line", turn, (filled, stroked, colour))
        elif item[0] == "re":
            yield _stroke(item[1], "rect", turn, (filled, stroked, colour))
        else:
            curves.extend(item[1:] if item[0] == "c" else item[1])
    if curves:
        xs, ys = [point[0] for point in curves], [point[1] for point in curves]
        yield _stroke((min(xs), min(ys), max(xs), max(ys)), "curve", turn, (filled, stroked, colour))


def _stroke(
    box: tuple[float, float, float, float], kind: Any, turn: Matrix | None, ink: tuple[bool, bool, int]
) -> Stroke:
    x0, y0, x1, y1 = turned(box, turn) if turn else box
    return Stroke(x0, y0, x1, y1, kind, *ink)


def _colour(parts: tuple[float, ...] | None) -> int:
    red, green, blue = (min(255, max(0, round(part * 255))) for part in (parts or (0, 0, 0)))
    return red << 16 | green << 8 | blue


def _pictures(page: Any, turn: Matrix | None) -> tuple[Picture, ...]:
    boxes = [info["bbox"] for info in page.get_image_info()]
    return tuple(Picture(*(turned(box, turn) if turn else box)) for box in boxes)


def _outline(document: Any) -> tuple[OutlineEntry, ...]:
    try:
        entries = document.get_toc(simple=True)
    except (*_ERRORS, KeyError, IndexError, TypeError):  # bookmarks are a witness, never needed
        return ()
    return tuple(
        OutlineEntry(level, " ".join(str(title).split()), page) for level, title, page in entries if page > 0
    )
