"""Pages as images, made once at build time."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from appliance.core.document import PageImage, Problem
from appliance.core.mupdf import MUPDF
from appliance.core.settings import ImageSettings
from appliance.ingest.worker import LEAST, LOW, room

TALLEST = 4  # times the width; a longer page is drawn smaller, so that a poster cannot fill the memory
SMOOTH = 8  # bits: the level of smooth edges that MuPDF begins with
TANGLE = 6_000  # lines of one path
_LINE, _PAINTS = re.compile(rb"\sl\b"), re.compile(rb"\s(?:[SsBb]|f)\*?\s")
_ERRORS = (RuntimeError, ValueError, OSError, MemoryError, MUPDF.mupdf.FzErrorBase)
_LOST = (  # what MuPDF says of a page where it leaves out a part of its content or of a picture on it
    "premature end",
    "read error",
    "library error",
    "openjpeg error",
    "syntax error",
    "unknown filter",
    "truncated image",
    "is not a stream",
    "invalid character in hex string",
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The images of the pages that can be drawn, and what is amiss with the others and with damaged ones."""

    images: tuple[PageImage, ...]
    problems: tuple[Problem, ...]


def render(path: Path, settings: ImageSettings, folder: Path) -> Drawn:
    """Return the images of all pages that can be drawn, written into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    silent()
    with MUPDF.open(path, filetype="pdf") as document:
        images, blank, damaged = [], [], []
        for index in numbered(document.page_count):
            MUPDF.TOOLS.reset_mupdf_warnings()
            image = _page(document, index, settings, folder)
            if image is None:
                blank.append(Problem("The page could not be drawn as an image.", index + 1))
            else:
                images.append(image)
            said = MUPDF.TOOLS.mupdf_warnings()
            if any(words in said for words in _LOST):
                message = f"Page {index + 1} is damaged in the file, and print of it may be missing. "
                damaged.append(
                    Problem(f"{message}Get another copy of the file, then build again.", index + 1)
                )
        return Drawn(tuple(images), (*blank, *damaged))


def silent() -> None:
    """Let MuPDF print nothing; what it says is kept from here on, and asked for."""
    MUPDF.TOOLS.mupdf_display_errors(False)
    MUPDF.TOOLS.mupdf_display_warnings(False)
    MUPDF.TOOLS.reset_mupdf_warnings()


def numbered(count: int) -> Iterator[int]:
    """Yield the indexes of the pages while there is memory to read one; what MuPDF keeps is given back first.

    Raises:
        MemoryError: too little is left of what this process may take.
    """
    for index in range(count):
        if room() < LOW:
            MUPDF.TOOLS.store_shrink(100)
            if room() < LEAST:
                raise MemoryError
        yield index


def sample() -> bytes:
    """Return a PDF of one page that has a heading, a clause with a reference, and a table."""
    with MUPDF.open() as document:
        page = document.new_page()
        lines = (
            "1 Scope",
            "1.1 See EN 1990:2002, 3.4(2), and Table 1.1 for loads over 5,0 kN/m2.",
            "Table 1.1 Loads",
        )
        for number, line in enumerate(lines):
            page.insert_text((72, 72 + 24 * number), line)
        for shift in (0, 20, 40):
            page.draw_line((72, 140 + shift), (300, 140 + shift))
            page.insert_text((80, 155 + shift), "roof     0,75")
        return bytes(document.tobytes())


def count_pages(path: Path) -> int:
    """Return the number of pages that the file claims to have, 0 where it cannot be opened."""
    try:
        with MUPDF.open(path, filetype="pdf") as document:
            return int(document.page_count)
    except _ERRORS:
        return 0


def grey_pages(path: Path, numbers: Sequence[int], width: int) -> Iterator[tuple[int, npt.NDArray[np.uint8]]]:
    """Yield the numbered pages as grey pixels of that width; a page that cannot be drawn is left out."""
    with MUPDF.open(path, filetype="pdf") as document:
        for number in numbers:
            try:
                page = document[number - 1]
                zoom = width / max(page.rect.width, page.rect.height / TALLEST, 1.0)
                with smoothed(page):
                    matrix = MUPDF.Matrix(zoom, zoom)
                    pixmap = page.get_pixmap(matrix=matrix, colorspace=MUPDF.csGRAY, alpha=False)
            except _ERRORS:
                continue
            flat = np.frombuffer(pixmap.samples, dtype=np.uint8)
            yield number, flat.reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]


def _page(document: Any, index: int, settings: ImageSettings, folder: Path) -> PageImage | None:
    """Return the large and the phone image of a page, None where it cannot be drawn.

    The display list is made once and drawn twice, a third cheaper than two renderings; but where the
    page holds a picture, decoding it again would cost more than shrinking the large one.
    """
    try:
        page = document[index]
        with smoothed(page):
            drawing = page.get_displaylist()
            large = _picture(drawing, page.rect, settings.large_width_px)
            if page.get_images():
                width = min(settings.phone_width_px, large.width)
                size = (width, max(1, round(large.height * width / large.width)))
                phone = large.resize(size, Image.Resampling.BILINEAR)
            else:
                phone = _picture(drawing, page.rect, settings.phone_width_px)
        return PageImage(
            page=index + 1,
            large=store(_encoded(large, "JPEG", settings.quality), ".jpg", folder),
            phone=store(_encoded(phone, "WEBP", settings.quality), ".webp", folder),
            width=large.width,
            height=large.height,
        )
    except Exception:  # noqa: BLE001 - however a page fails, it costs that page alone
        return None


@contextmanager
def smoothed(page: Any) -> Iterator[None]:
    """Draw the page with smooth edges, but one whose longest path would take minutes that way.

    The time of MuPDF's smooth edges grows with the lines of one path that cross a row of pixels: 60,000
    lines over a page of 595 by 842 points took more than 3 minutes with them and 11 seconds without.
    """
    if not _is_tangled(page):
        yield
        return
    MUPDF.TOOLS.set_aa_level(0)
    try:
        yield
    finally:
        MUPDF.TOOLS.set_aa_level(SMOOTH)


def _is_tangled(page: Any) -> bool:
    """Tell whether one path of the page's own content has very many lines."""
    try:
        sizes = (page.parent.xref_stream_raw(xref) for xref in page.get_contents())
        if sum(len(size or b"") for size in sizes) < TANGLE:
            return False
        return any(len(_LINE.findall(path)) > TANGLE for path in _PAINTS.split(page.read_contents()))
    except _ERRORS:  # damaged content; the drawing tells
        return False


def _picture(drawing: Any, rect: Any, width: int) -> Image.Image:
    zoom = width / max(rect.width, rect.height / TALLEST, 1.0)
    pixmap = drawing.get_pixmap(matrix=MUPDF.Matrix(zoom, zoom), alpha=False)
    return Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)


def _encoded(image: Image.Image, kind: str, quality: int) -> bytes:
    file = io.BytesIO()
    image.save(file, format=kind, quality=quality, method=0)
    return file.getvalue()


def store(content: bytes, suffix: str, folder: Path) -> str:
    """Write the image under the name of its content, once; return the name."""
    name = f"{hashlib.sha256(content).hexdigest()}{suffix}"
    target = folder / name
    if not target.exists():
        beside = folder / f".{name}.{os.getpid()}"
        beside.write_bytes(content)
        beside.replace(target)
    return name
