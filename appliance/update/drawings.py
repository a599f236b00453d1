"""Which figures are drawn otherwise in a new library, although their words are the same.

Rules of this module: it reads the page images of both libraries and writes nothing. Images with one name are
one image. Where the pages differ, the figure is cut out of both and the pictures are compared with the blur
of two encodings allowed for; a picture that cannot be read counts as another, since a missed change is worse.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter

from appliance.document import Box, Figure
from appliance.paths import images_folder
from appliance.store.read import Store

SIZE = 400  # pixels of the longer side at which two pictures are compared
BLUR = 1.0  # pixels: two encodings of one drawing differ at its edges
OTHERWISE = 40  # of 255: what a line that was added, moved or removed exceeds


def redrawn(old: Store, new: Store, document: str) -> Iterator[Figure]:
    """Yield the figures of the new library that the old one has too, and draws otherwise."""
    was = {figure.label.key: figure for figure in old.figures(document)}
    for figure in new.figures(document):
        before = was.get(figure.label.key)
        if before and not _alike(_places(old, document, before), _places(new, document, figure)):
            yield figure


_Placed = list[tuple[Path, Box]]  # page image, place on it


def _places(store: Store, document: str, figure: Figure) -> _Placed:
    found = []
    for box in figure.boxes:
        page = store.page(document, box.page)
        if page and page.large:
            found.append((images_folder(store.path) / page.large, box))
    return found


def _alike(before: _Placed, after: _Placed) -> bool:
    if [(path.name, box) for path, box in before] == [(path.name, box) for path, box in after]:
        return True
    if len(before) != len(after):
        return False
    return all(_same_picture(*pair) for pair in zip(before, after, strict=True))


def _same_picture(before: tuple[Path, Box], after: tuple[Path, Box]) -> bool:
    try:
        old, new = _cut(*before), _cut(*after)
    except (OSError, ValueError):
        return False
    if max(abs(a - b) for a, b in zip(old.size, new.size, strict=True)) > 0.02 * max(old.size):
        return False
    scale = SIZE / max(old.size)
    size = tuple(max(1, round(side * scale)) for side in old.size)
    pictures = [one.resize((size[0], size[1])).filter(ImageFilter.GaussianBlur(BLUR)) for one in (old, new)]
    return not any(ImageChops.difference(*pictures).histogram()[OTHERWISE:])  # in grey: one channel


def _cut(path: Path, box: Box) -> Image.Image:
    """Return what stands in a box; raises OSError, ValueError."""
    with Image.open(path) as page:
        wide, high = page.size
        area = (int(box.x0 * wide), int(box.y0 * high), int(box.x1 * wide) + 1, int(box.y1 * high) + 1)
        return page.convert("L").crop(area)
