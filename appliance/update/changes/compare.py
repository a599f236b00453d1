"""What a new library changes, clause by clause, and what is drawn otherwise with the same words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Literal

from PIL import Image, ImageChops, ImageFilter

from appliance.core.document import Box, Document, Figure, Formula, Table
from appliance.core.files import images_folder
from appliance.store.read import Store
from appliance.update.changes.contents import ANOTHER_PAGE, Content, contents, differences, plain, rows

SIZE = 400  # pixels of the longer side at which two pictures are compared
BLUR = 1.0  # pixels: two encodings of one drawing differ at its edges
DRAWINGS_BESIDE = 3  # points across which an edge may lie at another place: one to each side
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
    darkest, lightest = (
        two.filter(ImageFilter.MinFilter(DRAWINGS_BESIDE)),
        two.filter(ImageFilter.MaxFilter(DRAWINGS_BESIDE)),
    )
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


DRAWN = "drawn otherwise"
BESIDE = 4  # words shown on each side of a difference
WORDS = 120  # words shown of one difference
PLACES = 40  # of a clause or table at which differences are shown
EXACT = 4_000_000  # pairs of words of which each is compared with each
Fate = Literal["added", "changed", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Item:
    """A clause, table, figure, formula or term that is another in the new library.

    Of one that is changed, `was` and `now` are the words around what differs, `also` what differs beside
    them, in words of `contents.phrases` or `DRAWN`.
    """

    fate: Fate
    kind: str
    label: str
    title: str
    page: int
    was: str = ""
    now: str = ""
    more: int = 0  # places that differ and are not among these words
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
    return tuple(_changes(old, new))


def _changes(old: Store | None, new: Store) -> Iterator[DocumentChange]:
    for info in new.documents():
        after = new.document(info.id)
        if old is None or not old.has(info.id):
            yield DocumentChange(info.id, "added", "", _edition(after), ())
            continue
        before = old.document(info.id)
        held = contents(before, old.graph.decisions), contents(after, new.graph.decisions)
        items = tuple(_items(*held, frozenset(redrawn(old, new, info.id))))
        if items or _edition(before) != _edition(after) or before.title != after.title:
            yield DocumentChange(info.id, "changed", _edition(before), _edition(after), items)
    for info in old.documents() if old else ():
        if not new.has(info.id):
            yield DocumentChange(info.id, "withdrawn", _edition(old.document(info.id)) if old else "", "", ())


def _edition(document: Document) -> str:
    edition = document.edition if document.edition not in document.designation else ""
    status = document.status if document.status != "in force" else ""
    return ", ".join(filter(None, (f"{document.designation} {edition}".strip(), status)))


def _items(old: Mapping[str, Content], new: Mapping[str, Content], drawn: Collection[str]) -> Iterator[Item]:
    """Yield what is another; `drawn` are the keys of what is drawn otherwise."""
    moved = []
    for key, item in new.items():
        if key not in old:
            yield Item("added", item.kind, key, item.title, item.page)
        elif changed := _changed(key, old[key], item, drawn):
            if changed.also == (ANOTHER_PAGE,) and not changed.was + changed.now:
                moved.append(changed)
            else:
                yield changed
    for key, item in old.items():
        if key not in new:
            yield Item("withdrawn", item.kind, key, item.title, item.page)
    yield from moved


def _changed(key: str, old: Content, new: Content, drawn: Collection[str]) -> Item | None:
    """Return what is another of an item, None for nothing."""
    also = differences(old, new)
    same = old.words == new.words and old.title == new.title
    if same and key in drawn:
        also = (*also, DRAWN)
    if same and not also:
        return None
    words = (old.words, new.words) if old.words != new.words else (old.title, new.title)
    was, now, more = around(*words)
    return Item("changed", new.kind, key, new.title, new.page, was, now, more, also)


def around(before: str, after: str) -> tuple[str, str, int]:
    """Return of two texts the words that differ, with some before and after them, at each place.

    The number is that of the places that are not shown, or not whole, where very much differs: first those
    without a figure, for a number that changed is what people look for.
    """
    old, new = before.split(), after.split()
    spans = [
        (codes[0][1], codes[-1][2], codes[0][3], codes[-1][4])
        for codes in _matcher(old, new).get_grouped_opcodes(BESIDE)
    ]
    rank = {span: not _has_figure(old[slice(*span[:2])] + new[slice(*span[2:])]) for span in spans}
    whole = sorted(sorted(spans, key=rank.__getitem__)[:PLACES])
    kept = [(a, min(b, a + WORDS), c, min(d, c + WORDS)) for a, b, c, d in whole]
    more = len(spans) - sum(span in rank for span in kept)
    return _shown(old, [span[:2] for span in kept]), _shown(new, [span[2:] for span in kept]), more


def _matcher(old: Sequence[str], new: Sequence[str]) -> SequenceMatcher[str]:
    """Return what compares words; of very long texts words that stand everywhere are no landmarks."""
    return SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > EXACT)


def _has_figure(words: Iterable[str]) -> bool:
    return any(any(map(str.isdigit, word)) for word in words)


def _shown(words: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    """Return some spans of a text, what is left out between them and around them as an ellipsis."""
    found: list[str] = []
    last = 0
    for start, end in spans:
        if start > last:
            found.append("…")
        found += words[start:end]
        last = end
    return " ".join(found + ["…"] * (bool(spans) and last < len(words)))


def words_of(document: Document) -> str:
    """Return all words of a document that a quotation can hold, however its lines are broken."""
    return plain("\n".join(said for *_, title, words in rows(document) for said in (title, words)))
