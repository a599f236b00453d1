"""What national annexes and amendments decide about the places of a library, from either side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Literal, Protocol, cast
from weakref import WeakKeyDictionary

from appliance.core.document import Document, Figure, Formula, Label, Table
from appliance.core.evidence import Choice, Decided
from appliance.core.graph import Edge, Node, Proof
from appliance.ingest.definitions.editions import belonging
from appliance.store.read import Store
from appliance.text.designations import found, load_edition_words

Place = tuple[str, str]  # document id, Label.key


class Shown(Protocol):
    """The part of a place that its choices are found by."""

    @property
    def document(self) -> str: ...
    @property
    def label(self) -> Label: ...
    @property
    def labels(self) -> tuple[Label, ...]: ...


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices by the place that they govern and by the place that makes them; `above` holds what holds it."""

    governing: Mapping[Place, tuple[Choice, ...]] = field(default_factory=dict)
    made: Mapping[Place, tuple[Choice, ...]] = field(default_factory=dict)
    above: Mapping[Place, str] = field(default_factory=dict)

    def on(self, document: str, keys: Iterable[str], *, listed: bool = False) -> tuple[Choice, ...]:
        """Return what governs these places; a list of decisions with `listed`, or where nothing else does."""
        found_here = dict.fromkeys(
            choice
            for key in keys
            for place in self._held_by((document, key))
            for choice in self.governing.get(place, ())
        )
        said = {choice.target for choice in found_here if choice.kind == "clause"}
        return tuple(c for c in found_here if listed or c.kind == "clause" or c.target not in said)

    def by(self, document: str, keys: Iterable[str]) -> tuple[Choice, ...]:
        """Return what these places of an annex decide; a table that lists all decisions makes none itself."""
        made = dict.fromkeys(choice for key in keys for choice in self.made.get((document, key), ()))
        return tuple(choice for choice in made if choice.kind == "clause")

    def of_document(self, document: str) -> Decided:
        """Return all that governs a document and all that it decides."""
        governing = (items for place, items in self.governing.items() if place[0] == document)
        made = (items for place, items in self.made.items() if place[0] == document)
        return Decided(
            without_repeats(choice for items in governing for choice in items),
            without_repeats(choice for items in made for choice in items),
        )

    def about(self, places: Sequence[Shown]) -> tuple[Choice, ...]:
        """Return what governs the places shown, and what they decide about one another, each once."""
        keys = [(place.document, [label.key for label in (place.label, *place.labels)]) for place in places]
        shown = {(document, key) for document, held in keys for key in held}
        governing = [choice for document, held in keys for choice in self.on(document, held)]
        near = [choice for choice in governing if (choice.document, choice.label.key) in shown]
        return without_repeats([*near, *governing])

    def _held_by(self, place: Place) -> Iterator[Place]:
        """Yield a place and the clauses that hold it."""
        key: str | None = place[1]
        seen: set[str] = set()
        while key is not None and key not in seen:
            seen.add(key)
            yield place[0], key
            key = self.above.get((place[0], key))


NO_CHOICES = Choices()
_KEPT: WeakKeyDictionary[Store, Choices] = WeakKeyDictionary()
_READING = Lock()


def choices_of(store: Store) -> Choices:
    """Return the choices of a library, finding them the first time."""
    with _READING:
        if store not in _KEPT:
            _KEPT[store] = _read(store)
        return _KEPT[store]


def without_repeats(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Return the choices without those whose words another one says of the same place."""
    kept: dict[tuple[str, Label, str], Choice] = {}
    for choice in choices:
        kept.setdefault((choice.parent, choice.target, choice.words), choice)
    return tuple(kept.values())


def _read(store: Store) -> Choices:
    """Return the choices that the graph of a library holds, without those that a person rejected."""
    known: list[Choice] = []
    for info in store.documents():
        if belonging(info) is None:
            continue
        edges = store.graph.edges(document=info.id)
        decided = (
            found[1:] for found in edges if found[1].kind == "MODIFIES" and found[1].state != "rejected"
        )
        known += [choice for found in decided if (choice := _choice(*found))]
    above: dict[Place, str] = {}
    for parent in dict.fromkeys(choice.parent for choice in known):
        above.update(_above(store.document(parent)))
    return _sorted(known, above)


def _sorted(choices: Iterable[Choice], above: Mapping[Place, str]) -> Choices:
    governing: dict[Place, list[Choice]] = defaultdict(list)
    made: dict[Place, list[Choice]] = defaultdict(list)
    for choice in sorted(choices, key=lambda one: (not one.accepted, one.kind != "clause", one.words)):
        governing[choice.parent, choice.target.key].append(choice)
        made[choice.document, choice.label.key].append(choice)
    return Choices(
        {place: tuple(items) for place, items in governing.items()},
        {place: tuple(items) for place, items in made.items()},
        above,
    )


def _choice(edge: Edge, source: Node, target: Node) -> Choice | None:
    """Return an edge as what is shown of it, None for one without words."""
    if edge.proof is None:
        return None
    return Choice(
        document=source.document,
        label=Label.from_key(source.key),
        kind="table" if source.kind == "table" else "clause",
        parent=target.document,
        target=Label.from_key(target.key),
        target_kind=cast("Literal['clause', 'table', 'figure', 'formula']", target.kind),
        what="amendment" if edge.rule.startswith("amendment") else "national annex",
        words=_words(edge.proof),
        adopts=_adopts(edge.proof),
        accepted=edge.state == "accepted",
    )


def _words(proof: Proof) -> str:
    return " ".join(proof.quote.split())


def _adopts(proof: Proof) -> bool:
    """Tell whether the words keep all that is recommended; of a row, its last cell says so."""
    words, said = load_edition_words(), _words(proof).rsplit(" | ", 1)[-1]
    return found(words.adopting, said) and not found((*words.replacing, *words.excepting), said)


def _above(document: Document) -> Iterator[tuple[Place, str]]:
    """Yield what holds each numbered paragraph, and where each table, figure and formula stands."""
    numbered = {"clause", "paragraph", "item", "note"}
    kinds = {clause.label: clause.kind for clause in document.clauses}
    for clause in document.clauses:
        parent = clause.parent
        if parent and clause.kind in numbered - {"clause"} and kinds.get(parent) in numbered:
            yield (document.id, clause.label.key), parent.key
    standing: tuple[Table | Figure | Formula, ...] = (*document.tables, *document.figures, *document.formulas)
    for item in standing:
        if item.clause and item.clause != item.label:
            yield (document.id, item.label.key), item.clause.key
