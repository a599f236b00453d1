"""What a new library changes, clause by clause, and what is drawn otherwise with the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import Image, ImageChops, ImageFilter

from appliance.core.document import Box, Document
from appliance.core.files import images_folder
from appliance.keeping import compare as editions
from appliance.keeping.compare import CELLS, SORTS, TURNED, Pair, Stretch, shortened
from appliance.keeping.recheck import edition_of
from appliance.store.read import Store

DRAWN = "drawn otherwise"
SIZE = 400  # pixels of the longer side at which two pictures are compared
BLUR = 1.0  # pixels: two encodings of one drawing differ at its edges
DRAWINGS_BESIDE = 3  # points across which an edge may lie at another place: one to each side
SHARED = 0.5  # of what two boxes cover together, for one place
PAGES = 4  # kept open: those of both libraries that a page turned needs
OTHERWISE = 40  # of 255: what a line that was added, moved or removed exceeds
Fate = Literal["added", "changed", "moved", "withdrawn"]
_Placed = list[tuple[Path, Box]]  # page image, place on it
_Opened = Callable[[Path], Image.Image]


@dataclass(frozen=True, slots=True)
class Item:
    """A clause, table, figure or formula that is another in the new library, by the key of its label.

    `before` is the key that it had, where it was renumbered; of what changed, `words` are those around each
    difference, `also` is what differs beside them.
    """

    fate: Fate
    kind: str
    label: str
    title: str
    page: int
    before: str = ""
    words: tuple[Stretch, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document with what changes in it; `before` and `after` are its editions as people say them."""

    document: str
    fate: Fate
    before: str
    after: str
    items: tuple[Item, ...]


def compare(old: Store | None, new: Store) -> tuple[DocumentChange, ...]:
    """Return what the new library changes, its documents in their order, withdrawn ones last."""
    changes = []
    for info in new.documents():
        after = new.document(info.id)
        if old is None or not old.has(info.id):
            changes.append(DocumentChange(info.id, "added", "", _edition(after), ()))
            continue
        before = old.document(info.id)
        items = tuple(_items(old, new, before, after))
        if items or _edition(before) != _edition(after) or before.title != after.title:
            changes.append(DocumentChange(info.id, "changed", _edition(before), _edition(after), items))
    if old is not None:
        changes += [
            DocumentChange(info.id, "withdrawn", _edition(old.document(info.id)), "", ())
            for info in old.documents()
            if not new.has(info.id)
        ]
    return tuple(changes)


def phrases() -> tuple[str, ...]:
    """Return all that can be said of what differs beside words, for the catalogue of translations."""
    return (CELLS, *(said for pair in TURNED for said in pair), DRAWN)


def _edition(document: Document) -> str:
    status = document.status if document.status != "in force" else ""
    return ", ".join(filter(None, (edition_of(document), status)))


def _items(old: Store, new: Store, before: Document, after: Document) -> Iterator[Item]:
    """Yield what is another of a document."""
    opened = lru_cache(maxsize=PAGES)(_opened)
    for pair in editions.compare(before, after).pairs:
        item, also, fate = pair.item, pair.also, pair.fate
        if fate in {"same", "moved"} and item.kind in SORTS and _is_redrawn(old, new, after.id, pair, opened):
            also, fate = (DRAWN,), "changed"
        if fate != "same":
            words = shortened(pair.words) if fate == "changed" and not also else ()
            was = pair.old.label.key if pair.old else ""
            was = "" if was == item.label.key else was
            yield Item(fate, item.kind, item.label.key, item.title, item.page, was, words, also)


def _is_redrawn(old: Store, new: Store, document: str, pair: Pair, opened: _Opened) -> bool:
    """Tell whether what has the same words in both libraries is drawn otherwise in the new one."""
    if pair.old is None or pair.new is None:
        return False
    before, after = _places(old, document, pair.old.boxes), _places(new, document, pair.new.boxes)
    if len(before) != len(after):
        return True
    places = zip(before, after, strict=True)
    return not all(_same_place(*both) or _same_picture(*both, opened) for both in places)


def _places(store: Store, document: str, boxes: tuple[Box, ...]) -> _Placed:
    pages = ((box, store.page(document, box.page)) for box in boxes)
    return [(images_folder(store.path) / page.large, box) for box, page in pages if page and page.large]


def _same_place(before: tuple[Path, Box], after: tuple[Path, Box]) -> bool:
    """Tell whether two boxes on one image share most of what they cover."""
    (path, one), (other, two) = before, after
    wide = min(one.x1, two.x1) - max(one.x0, two.x0)
    high = min(one.y1, two.y1) - max(one.y0, two.y0)
    both = max(wide, 0.0) * max(high, 0.0)
    areas = sum((box.x1 - box.x0) * (box.y1 - box.y0) for box in (one, two))
    return path.name == other.name and (one == two or both >= SHARED * (areas - both) > 0)


def _same_picture(before: tuple[Path, Box], after: tuple[Path, Box], opened: _Opened) -> bool:
    parts = []
    try:
        for path, box in (before, after):
            page = opened(path)
            wide, high = page.size
            across = int(box.x0 * wide), int(box.x1 * wide) + 1
            parts.append(page.crop((across[0], int(box.y0 * high), across[1], int(box.y1 * high) + 1)))
    except (OSError, ValueError):
        return False
    old, new = parts
    if max(abs(a - b) for a, b in zip(old.size, new.size, strict=True)) > max(0.02 * max(old.size), 2):
        return False
    scale = SIZE / max(old.size)
    size = tuple(max(1, round(side * scale)) for side in old.size)
    one, two = (part.resize((size[0], size[1])).filter(ImageFilter.GaussianBlur(BLUR)) for part in (old, new))
    return _within(one, two) and _within(two, one)


def _within(one: Image.Image, two: Image.Image) -> bool:
    """Tell whether each point of a picture is about as dark as a point of the other one beside it."""
    darkest = two.filter(ImageFilter.MinFilter(DRAWINGS_BESIDE))
    lightest = two.filter(ImageFilter.MaxFilter(DRAWINGS_BESIDE))
    missed = (ImageChops.subtract(darkest, one), ImageChops.subtract(one, lightest))
    return not any(any(each.histogram()[OTHERWISE:]) for each in missed)  # in grey: one channel


def _opened(path: Path) -> Image.Image:
    """Return a page in grey; raises OSError, ValueError."""
    with Image.open(path) as page:
        return page.convert("L")
