"""What a new library changes, clause by clause.

Rules of this module: an item is known by document and label key; it has changed where anything has that it
holds (`contents.py`) or where it is drawn otherwise, and what is no word is said in words. What only stands
on another page comes last. Documents are compared one after the other, so that a large library needs the
memory of two documents, and no item is held against another one than its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from appliance.document import Document
from appliance.store.read import Store
from appliance.update.contents import ANOTHER_PAGE, Content, contents, differences, plain, rows
from appliance.update.drawings import redrawn

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
