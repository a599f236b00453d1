"""The one place of a document that a person means by the label that he typed.

Rules of this module: a label may be typed as any answer shows it, with words around it as a question has
them ("paragraph 1.17 of H2", "cl. 1.17"). Several places are told, each with a way to write it; none
is ever chosen. Nothing is taken from a label: "H9 2.33" is not 2.33, and "5.3.2(9)" is not 5.3.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from appliance.document import Label
from appliance.errors import AmbiguousLabel, UnknownPlace
from appliance.naming import unknown_place
from appliance.retrieval.labels import AskedLabel, asked_labels, names_part, qualified
from appliance.retrieval.lexicon import Lexicon, load_lexicon
from appliance.store.bearers import Bearer, bearers, fitting, ways
from appliance.store.read import Store
from appliance.store.words import fold_label, words

EVERY = frozenset({"clause", "table", "figure", "formula"})
UNSUGGESTED = frozenset({"front", "formula"})


def label_typed(store: Store, document: str, typed: str, kinds: Collection[str] = EVERY) -> Label:
    """Return the label of the one place of these kinds that a typed label means.

    Raises:
        UnknownDocument, UnknownPlace: there is none. AmbiguousLabel: there are several.
    """
    found = places_typed(store, document, typed, kinds)
    if not found:
        raise _unknown(store, document, typed)
    if len(found) > 1:
        raise several(store, document, typed, [item.label for item in found])
    return found[0].label


def _unknown(store: Store, document: str, typed: str) -> UnknownPlace:
    """Return the error of a label that no place of the kinds wanted bears, naming one of another kind."""
    other = places_typed(store, document, typed, EVERY - {"formula"})
    if not other:
        return unknown_place(store, document, typed)
    way = ways(other, bearers(store, document))[0] if len(other) == 1 else typed.strip()
    return UnknownPlace(document, way, other[0].what)


def places_typed(
    store: Store, document: str, typed: str, kinds: Collection[str] = EVERY
) -> tuple[Bearer, ...]:
    """Return all places of these kinds that a typed label may mean; raises UnknownDocument."""
    known = [item for item in bearers(store, document) if item.what in kinds]
    wanted = typed.strip().removeprefix(f"{document} ")
    return tuple(fitting(known, wanted) or _with_words(known, wanted))


def others_called(store: Store, document: str, label: Label) -> tuple[tuple[str, Bearer], ...]:
    """Return the other places that print a label, each with the shortest way to write it."""
    known = bearers(store, document)
    same = [item for item in known if str(item.label) == str(label) and item.label != label]
    return tuple(zip(ways(same, known), same, strict=True))


def several(store: Store, document: str, typed: str, labels: Collection[Label]) -> AmbiguousLabel:
    """Return the error of a label that several places bear, with the page and heading of each."""
    known = bearers(store, document)
    found = [item for item in known if item.label in labels]
    told = [(way, one.page, one.beside) for way, one in zip(ways(found, known), found, strict=True)]
    return AmbiguousLabel(document, typed, told)


def labels_to_suggest(store: Store) -> Iterator[tuple[frozenset[str], tuple[str, Label, str]]]:
    """Yield the folded ways to begin to type each label, with its (document, label, title or heading)."""
    for info in store.documents():
        for item in bearers(store, info.id):
            if item.kind not in UNSUGGESTED:
                forms = frozenset({fold_label(str(item.label)), fold_label(item.label.named)})
                yield forms, (info.id, item.label, item.beside)


def told_of(item: Bearer) -> str:
    """Return the page of a place and what stands over it."""
    return f"page {item.page}, {item.beside}" if item.beside else f"page {item.page}"


def _with_words(known: Sequence[Bearer], typed: str) -> list[Bearer]:
    """Return the places of a label that has words around it, as a question may print it."""
    lexicon = load_lexicon()
    labels = tuple(asked_labels(typed, lexicon))
    if not labels or _left_over(typed, labels, lexicon):
        return []
    for asked in _readings(labels):
        wanted = {*asked.forms[0]}
        if found := [item for item in known if wanted & _folded(item.label)]:
            return found
    return []


def _readings(labels: Sequence[AskedLabel]) -> Iterator[AskedLabel]:
    """Yield the ways to read labels that are typed together: one place, in the Part that the other names."""
    for position, plain in enumerate(labels):
        if len(labels) == 1:
            yield plain
        elif not names_part(plain):
            yield from qualified(labels, position)


def _left_over(typed: str, labels: Sequence[AskedLabel], lexicon: Lexicon) -> set[str]:
    """Return the words of a typed label that belong to no label in it."""
    own = {word for label in labels for word in words(f"{label.printed} {label.number}")}
    announcing = {word for word in words(typed) if lexicon.label_kind(word)}
    return {word for word in words(typed) if word not in own | announcing and word not in lexicon.stop}


def _folded(label: Label) -> set[str]:
    return {fold_label(str(label)), fold_label("".join(label.parts)), fold_label(label.named)}
