"""What is drawn otherwise in a new library, although its words are the same: figures, tables, formulas.

Rules of this module: it reads the page images of both libraries and writes nothing. Images with one name are
one image, on which an item is drawn as before where its box is about the same. Where the pages differ, it is
cut out of both and the pictures are compared, with the blur of two encodings and a point beside allowed
for; a picture that cannot be read counts as another, since a missed change is worse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter

from appliance.document import Box, Figure, Formula, Table
from appliance.paths import images_folder
from appliance.store.read import Store

SIZE = 400  # pixels of the longer side at which two pictures are compared
BLUR = 1.0  # pixels: two encodings of one drawing differ at its edges
BESIDE = 3  # points across which an edge may lie at another place: one to each side
SHARED = 0.5  # of what two boxes cover together, for one place
PAGES = 4  # kept open: those of both libraries that a page turned needs
OTHERWISE = 40  # of 255: what a line that was added, moved or removed exceeds


_Drawn = Figure | Table | Formula
_Placed = list[tuple[Path, Box]]  # page image, place on it
_Opened = Callable[[Path], Image.Image]


def redrawn(old: Store, new: Store, document: str) -> Iterator[str]:
    """Yield the keys of what the new library holds as the old one does, and draws otherwise."""
    opened = lru_cache(maxsize=PAGES)(_opened)
    was = {(type(item), item.label.key): item for item in _drawn(old, document)}
    for item in sorted(_drawn(new, document), key=lambda item: item.boxes[0].page if item.boxes else 0):
        before = was.get((type(item), item.label.key))
        places = (_places(old, document, before), _places(new, document, item)) if before else None
        if places and not _alike(*places, opened):
            yield item.label.key


def _drawn(store: Store, document: str) -> Iterator[_Drawn]:
    yield from store.figures(document)
    yield from store.tables(document)
    yield from store.formulas(document)


def _places(store: Store, document: str, item: _Drawn) -> _Placed:
    found = []
    for box in item.boxes:
        page = store.page(document, box.page)
        if page and page.large:
            found.append((images_folder(store.path) / page.large, box))
    return found


def _alike(before: _Placed, after: _Placed, opened: _Opened) -> bool:
    if len(before) != len(after):
        return False
    return all(_same_place(*pair) or _same_picture(*pair, opened) for pair in zip(before, after, strict=True))


def _same_place(before: tuple[Path, Box], after: tuple[Path, Box]) -> bool:
    """Tell whether two boxes on one image share most of what they cover."""
    (path, one), (other, two) = before, after
    wide = min(one.x1, two.x1) - max(one.x0, two.x0)
    high = min(one.y1, two.y1) - max(one.y0, two.y0)
    both = max(wide, 0.0) * max(high, 0.0)
    return path.name == other.name and (one == two or both >= SHARED * (_area(one) + _area(two) - both) > 0)


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)


def _same_picture(before: tuple[Path, Box], after: tuple[Path, Box], opened: _Opened) -> bool:
    try:
        old, new = (_cut(opened(path), box) for path, box in (before, after))
    except (OSError, ValueError):
        return False
    if max(abs(a - b) for a, b in zip(old.size, new.size, strict=True)) > max(0.02 * max(old.size), 2):
        return False
    scale = SIZE / max(old.size)
    size = tuple(max(1, round(side * scale)) for side in old.size)
    one, two = (part.resize((size[0], size[1])).filter(ImageFilter.GaussianBlur(BLUR)) for part in (old, new))
    return _within(one, two) and _within(two, one)


def _within(one: Image.Image, two: Image.Image) -> bool:
    """Tell whether each point of a picture is about as dark as a point of the other one beside it."""
    darkest, lightest = two.filter(ImageFilter.MinFilter(BESIDE)), two.filter(ImageFilter.MaxFilter(BESIDE))
    missed = (ImageChops.subtract(darkest, one), ImageChops.subtract(one, lightest))
    return not any(any(each.histogram()[OTHERWISE:]) for each in missed)  # in grey: one channel


def _opened(path: Path) -> Image.Image:
    """Return a page in grey; raises OSError, ValueError."""
    with Image.open(path) as page:
        return page.convert("L")


def _cut(page: Image.Image, box: Box) -> Image.Image:
    """Return what stands in a box."""
    wide, high = page.size
    return page.crop((int(box.x0 * wide), int(box.y0 * high), int(box.x1 * wide) + 1, int(box.y1 * high) + 1))
