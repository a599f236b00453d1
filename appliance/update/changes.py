"""What a new library changes, clause by clause.

Rules of this module: an item is known by document and label key; it has changed where its printed
words have, however its lines are broken, a figure also where it is drawn otherwise. Documents are compared
one after the other, so that a large library needs the memory of two documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from appliance.document import Box, Document
from appliance.store.read import Store
from appliance.update.drawings import redrawn

DRAWN = "drawn otherwise"
BESIDE = 4  # words shown on each side of a difference
WORDS = 120  # words shown of one difference
PLACES = 40  # of a clause or table at which differences are shown
EXACT = 4_000_000  # pairs of words of which each is compared with each
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
    more: int = 0  # places that differ and are not among these words


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


def words_of(document: Document) -> str:
    """Return all words of a document that a quotation can hold, however its lines are broken."""
    rows = [words for *_, title, _, words in _rows(document) for words in (title, words)]
    return _plain("\n".join(rows + [term.passage.text for term in document.terms]))


def _page(boxes: Sequence[Box]) -> int:
    return boxes[0].page if boxes else 0


def _plain(words: str) -> str:
    return " ".join(words.split())
