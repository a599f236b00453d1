"""What a new library changes, clause by clause, and which notes of the site that touches.

Rules of this module: an item is known by document and label key; it has changed where its printed
words have, however its lines are broken, a figure also where it is drawn otherwise. Documents are compared
one after the other, so that a large library needs the memory of two documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from appliance.document import Box, Document
from appliance.site.values import Kind, Row
from appliance.store.read import Store
from appliance.update.drawings import redrawn

DRAWN = "drawn otherwise"
BESIDE, WORDS = 4, 24  # words shown on each side of a difference, and of it
Fate = Literal["added", "changed", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Item:
    """A clause, table, figure or formula that is another in the new library.

    Of one that is changed, `was` and `now` are the words around what differs; "" and `DRAWN` for a figure
    of which only the drawing does.
    """

    fate: Fate
    kind: str
    label: str
    title: str
    page: int
    was: str = ""
    now: str = ""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document with what changes in it; `before` and `after` are its editions as people say them."""

    document: str
    fate: Fate
    before: str
    after: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """A note of the site whose places are changed or gone."""

    kind: Kind
    question: str
    places: tuple[tuple[str, str, Fate], ...]  # document, label, fate


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
        items = tuple(_items(before, after))
        said = {item.label for item in items}
        items += tuple(
            Item("changed", "figure", figure.label.key, figure.title, _page(figure.boxes), now=DRAWN)
            for figure in redrawn(old, new, info.id)
            if figure.label.key not in said
        )
        if items or _edition(before) != _edition(after):
            yield DocumentChange(info.id, "changed", _edition(before), _edition(after), items)
    for info in old.documents() if old else ():
        if not new.has(info.id):
            yield DocumentChange(info.id, "withdrawn", _edition(old.document(info.id)) if old else "", "", ())


def _edition(document: Document) -> str:
    edition = document.edition if document.edition not in document.designation else ""
    status = document.status if document.status != "in force" else ""
    return ", ".join(filter(None, (f"{document.designation} {edition}".strip(), status)))


_Content = tuple[str, str, int, str]  # kind, title, page, words


def _items(before: Document, after: Document) -> Iterator[Item]:
    old, new = _contents(before), _contents(after)
    for key, (kind, title, page, words) in new.items():
        if key not in old:
            yield Item("added", kind, key, title, page)
        elif old[key][3] != words or old[key][1] != title:
            yield Item("changed", kind, key, title, page, *around(old[key][3], words))
    for key, (kind, title, page, _) in old.items():
        if key not in new:
            yield Item("withdrawn", kind, key, title, page)


def around(before: str, after: str) -> tuple[str, str]:
    """Return of two texts the words that differ, with some before and after them; "" for equal ones."""
    old, new = before.split(), after.split()
    if old == new:
        return "", ""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - start
    end = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    return _cut(old, start, len(old) - end), _cut(new, start, len(new) - end)


def _cut(words: Sequence[str], start: int, end: int) -> str:
    first, last = max(0, start - BESIDE), min(len(words), end + BESIDE, start + WORDS)
    shown = " ".join(words[first:last])
    return f"{'… ' if first else ''}{shown}{' …' if last < len(words) else ''}"


def _contents(document: Document) -> Mapping[str, _Content]:
    """Return all items of a document by key; where two kinds share one, their words are joined."""
    found: dict[str, _Content] = {}
    for kind, key, title, page, words in _rows(document):
        if key in found:
            first = found[key]
            found[key] = (first[0], first[1] or title, first[2], f"{first[3]}\n{_plain(words)}")
        else:
            found[key] = (kind, title, page, _plain(words))
    return found


def _rows(document: Document) -> Iterator[tuple[str, str, str, int, str]]:
    for clause in document.clauses:
        yield clause.kind, clause.label.key, clause.title, _page(clause.boxes), clause.passage.text
    for table in document.tables:
        words = " | ".join([cell.text for cell in table.cells] + [note.text for note in table.notes])
        yield "table", table.label.key, table.title, _page(table.boxes), words
    for figure in document.figures:
        yield "figure", figure.label.key, figure.title, _page(figure.boxes), figure.text
    for formula in document.formulas:
        words = f"{formula.text} {formula.where}"
        yield "formula", formula.label.key, "", _page(formula.boxes), words


def _page(boxes: Sequence[Box]) -> int:
    return boxes[0].page if boxes else 0


def _plain(words: str) -> str:
    return " ".join(words.split())


def touched(changes: Iterable[DocumentChange], rows: Iterable[Row]) -> tuple[Touched, ...]:
    """Return the notes of the site that name a place which is changed or withdrawn."""
    fates: dict[tuple[str, str], Fate] = {}
    gone = set()
    for change in changes:
        if change.fate == "withdrawn":
            gone.add(change.document)
        for item in change.items:
            if item.fate != "added":
                fates[change.document, item.label] = item.fate
    found = []
    for row in rows:
        named = [(place.document, place.label) for place in row.about.shown]
        places = [(*place, fates[place]) for place in named if place in fates]
        places += [(*place, "withdrawn") for place in named if place[0] in gone]
        if places:
            found.append(Touched(row.kind, row.about.question, tuple(places)))
    return tuple(found)
