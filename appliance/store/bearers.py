"""What bears a label that a person typed: clauses, tables, figures and formulas of one document.

Rules of this module: the key always means its own place. Else the label as printed, with or without the
Part or the place above it ("1.17", "H2 1.17", "1.17 (H2)"), means every place that it fits: none is
chosen. As it is printed goes before as it may have been misread ("1.4i", "1.41").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from appliance.document import Label, pages_of
from appliance.store.codec import unpack_boxes
from appliance.store.read import Store
from appliance.store.words import fold_label

BESIDE = 60  # characters that tell of a place
FIRST, SECOND = (
    "no. 1",
    "no. 2",
)  # parts of labels: of places that nothing else tells apart (ingest/labels.py)
_BETWEEN = re.compile(r"\s*[/;:]\s*|,\s+|\s*[()\[\]]\s*(?=\s|$)|(?:^|(?<=\s))[(\[]")


@dataclass(frozen=True, slots=True)
class Bearer:
    """A place with its label; `beside` is its own title, else the heading over it."""

    kind: str
    label: Label
    page: int
    beside: str

    @property
    def what(self) -> str:
        """Return the one of clause, table, figure and formula that it is."""
        return self.kind if self.kind in {"table", "figure", "formula"} else "clause"


def bearers(store: Store, document: str) -> tuple[Bearer, ...]:
    """Return all that bears a label in a document; raises UnknownDocument."""
    at = store.position(document)
    clauses = [(*row[:4], row[5]) for row in store.connections.rows("contents", document=at)]
    rows = [*clauses, *store.connections.rows("bearers", document=at)]
    titles = {key: title for key, _, title, *_ in rows}
    above = {key: parent for key, _, _, parent, _ in rows}
    return tuple(
        Bearer(
            kind,
            Label.from_key(key),
            min(pages_of(unpack_boxes(boxes)), default=0),
            _beside(key, titles, above),
        )
        for key, kind, _, _, boxes in rows
    )


def _beside(key: str, titles: dict[str, str], above: dict[str, str | None]) -> str:
    """Return the nearest title at a place or over it; places that go round in a circle have none."""
    seen: set[str] = set()
    at: str | None = key
    while at is not None and at not in seen:
        if titles.get(at):
            return " ".join(titles[at].split())[:BESIDE]
        seen.add(at)
        at = above.get(at)
    return ""


def fitting(known: Sequence[Bearer], typed: str) -> list[Bearer]:
    """Return the places that a typed label fits: by its key, as printed, as misread, by its bare number."""
    if keyed := [item for item in known if item.label.key == typed.strip()]:
        return keyed
    wanted = " ".join(typed.split())
    forms = {wanted, " ".join(_BETWEEN.sub(" ", wanted).split())} - {""}
    firsts = _firsts(known)
    for written in (_as_printed, _as_misread, _bare):
        asked = {_alike(form, written) for form in forms}
        if found := [item for item in known if asked & {*written(item.label, firsts)}]:
            return found
    return []


def ways(found: Sequence[Bearer], known: Sequence[Bearer]) -> list[str]:
    """Return for each place the shortest way to write it that means it alone, its key where none does."""
    return [_way(item, known) for item in found]


def _way(item: Bearer, known: Sequence[Bearer]) -> str:
    for way in (item.label.named, f"{FIRST} {item.label}"):
        if fitting(known, way) == [item]:
            return way
    return item.label.key


def _alike(form: str, written: Callable[[Label, Collection[Label]], Iterable[str]]) -> str:
    return form.casefold() if written is _as_printed else fold_label(form)


def _firsts(known: Iterable[Bearer]) -> frozenset[Label]:
    """Return the labels that are the first of several: the reader counts from the second on."""
    labels = {item.label for item in known}
    return frozenset(one for one in labels if Label((*one.parts[:-1], SECOND, one.parts[-1])) in labels)


def _as_printed(label: Label, firsts: Collection[Label]) -> Iterable[str]:
    return (form.casefold() for form in _written(label, firsts))


def _as_misread(label: Label, firsts: Collection[Label]) -> Iterable[str]:
    return map(fold_label, _written(label, firsts))


def _bare(label: Label, _: Collection[Label]) -> Iterable[str]:
    """Yield the number of a label without its word: "K1" of "Requirement K1"."""
    number = str(label).rpartition(" ")[2]
    return (fold_label(number),) if any(map(str.isdigit, number)) else ()


def _written(label: Label, firsts: Collection[Label]) -> Iterable[str]:
    """Yield the ways to write a label: alone, and before or behind each of the places above it."""
    printed = str(label)
    yield printed
    for above in (*label.parts[:-1], *((FIRST,) if label in firsts else ())):
        yield f"{above} {printed}"
        yield f"{printed} {above}"
