"""The exact channel: the places whose label the question names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from appliance.core.evidence import Scoped
from appliance.core.mechanisms import mechanism
from appliance.retrieval.query.documents import mentioned, replaced_spans
from appliance.retrieval.query.labels import AskedLabel, names_part, qualified
from appliance.retrieval.query.question import Question
from appliance.store.read import Store
from appliance.store.values import Labelled, StoredChunk
from appliance.text.terms import fold, fold_label, words

FEW = 3  # places of one label that may all come first when no document is named
MANY = 12  # and when one is: numbers may start again in each of its Parts
ROW = 3  # letters with figures in a row that may be a designation
LIKE = 13  # indices with which a library may have a label made as one that it lacks: "H7" where there is "H1"
_INSIDE = re.compile(r"\(([^()]+)\)")  # what a label counts inside its clause, "7" of "5.3.2(7)"
BARE = 2  # the rank of a place found by its number without its word ("8" of "Table 8")


@dataclass(frozen=True, slots=True)
class Jump:
    """Chunks that a question names: `first` go before all else, `others` share the label.

    `labels` are the labels as asked with the chunks that stand first for each. `leading` go next: their
    title says what the question looks for, or a label that is `missing` would stand in them; `scope` tells
    what a question about places comes to, and `boosts` what is raised because it is being read.
    """

    first: tuple[int, ...]
    others: tuple[int, ...]
    missing: tuple[str, ...]
    labels: tuple[tuple[AskedLabel, tuple[int, ...]], ...] = ()
    leading: tuple[int, ...] = ()
    scope: Scoped | None = None
    boosts: Mapping[int, Raised] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raised:
    """Why a shown chunk is raised, and the share of its rank that it keeps."""

    why: str
    keeps: float


@mechanism(
    "channels.exact",
    "The places whose label a question names come first.",
    without=lambda *_: Jump((), (), ()),
)
def jump(
    store: Store, question: Question, standing: Mapping[int, float], within: Collection[int] | None
) -> Jump:
    """Return the places named; `standing` are the fused scores of the other searches."""
    documents = question.query.documents or _implied(store, question, within)
    named: list[tuple[AskedLabel, tuple[int, ...]]] = []
    others: dict[int, None] = {}
    missing: list[str] = []
    leading: list[int] = []
    codes = _codes(store, question.labels, documents, within)
    for position, plain in enumerate(question.labels):
        if plain in codes:
            continue
        # the first reading of a label that the library holds, else as it is printed with nothing
        inside = tuple(qualified(question.labels, position))
        readings = ((way, _lookup(store, way, documents, within)) for way in (*inside, plain))
        asked, found = next((one for one in readings if one[1]), (plain, []))
        # a number is a label because a document is named with it and it is not of its name
        lettered = names_part(asked) and not any(asked.number in fold_label(name) for name in documents)
        placed = asked in inside or (bool(documents) and ("." in asked.number or lettered))
        meant = asked.sure or (placed and not _says_more(store, question))
        is_lost = not _is_held(store, asked, found)
        # what people call a document, or a name that texts print, is no label that is missing
        printed = not asked.kind and asked.number[:1].isalpha() and fold_label(asked.number) in question.names
        if meant and is_lost and not (asked.kind == "part" or printed or _is_symbol(store, asked)):
            missing.append(asked.printed)
        sure = asked.sure or question.directed or placed
        chosen = tuple(_choose(store, asked, found, standing) if sure else ())
        named.append((asked, () if is_lost else chosen))
        leading += chosen if is_lost else ()
        others.update(dict.fromkeys(item.chunk for item in found if item.rank == 0))
    named.sort(key=lambda item: _width(item[0]))  # what only says where the others stand comes behind them
    first = tuple(dict.fromkeys(chunk for _, chunks in named for chunk in chunks))
    behind = tuple(chunk for chunk in others if chunk not in first)
    return Jump(first, behind, tuple(missing), tuple(named), tuple(leading))


def _codes(
    store: Store, labels: Sequence[AskedLabel], documents: Sequence[str], within: Collection[int] | None
) -> tuple[AskedLabel, ...]:
    """Return the parts of a designation, which look like labels: most of them are none."""
    row = tuple(one for one in labels if not one.kind and not one.sure and one.number[:1].isalpha())
    if len(row) < ROW or not any(one.follows for one in row):
        return ()
    lost = sum(not _lookup(store, one, documents, within) for one in row)
    return row if 2 * lost > len(row) else ()


def keys_of(item: StoredChunk, asked: AskedLabel) -> tuple[str, ...]:
    """Return the keys of all labels of a chunk that are the one asked for, in full, else in part."""
    labels = dict.fromkeys((item.chunk.label, *item.chunk.labels))
    for ways in asked.forms:
        wanted = {*ways}
        found = [
            label.key
            for label in labels
            if {fold_label(str(label)), fold_label("".join(label.parts))} & wanted
        ]
        if found:
            return tuple(found)
    return ()


def _is_symbol(store: Store, asked: AskedLabel) -> bool:
    """Tell whether letters with an index ("h0", "psi1") are a symbol: no label of the library is made so."""
    shaped = re.fullmatch(r"(?P<letters>[^\W\d_]+)\d+", asked.number)
    if asked.kind or not shaped:
        return False
    like = (fold_label(f"{shaped['letters']}{index}") for index in range(LIKE))
    return not store.labelled(like)


def _says_more(store: Store, question: Question) -> bool:
    """Tell whether a question says anything besides labels and the names of documents."""
    text = question.query.text
    text = replaced_spans(text, mentioned(text, store.documents()), " ")
    placed = {word for label in question.labels for word in words(label.printed)}
    stems = {store.connections.stem(word) for word in words(text) if word not in placed}
    return bool(stems & set(question.query.terms))


def _implied(store: Store, question: Question, within: Collection[int] | None) -> tuple[str, ...]:
    """Return the document that a Part named beside other labels belongs to, none where several may be."""
    if len(question.labels) < 2:
        return ()
    for label in question.labels:
        if names_part(label) and not label.kind:
            owners = {item.document for item in _lookup(store, label, (), within)}
            if len(owners) == 1:
                return tuple(owners)
    return ()


def _width(asked: AskedLabel) -> int:
    """Return how much a label embraces: 2 for an annex or a named Part, 1 for the number of one."""
    if asked.kind in {"annex", "part"}:
        return 2
    return 1 if names_part(asked) and not asked.kind else 0


def _lookup(
    store: Store, asked: AskedLabel, documents: Sequence[str], within: Collection[int] | None
) -> list[Labelled]:
    """Return the chunks that hold the label in its first form that exists, in the documents named if any."""
    allowed = [
        item
        for item in store.labelled(form for ways in asked.forms for form in ways)
        if (not documents or item.document in documents) and (within is None or item.chunk in within)
    ]
    for ways in asked.forms:
        if found := [item for item in allowed if item.folded in ways]:
            keys = {item.id: keys_of(item, asked) for item in store.chunks(item.chunk for item in found)}
            return _best_of_each(found, ways, keys)
    return []


def _is_held(store: Store, asked: AskedLabel, found: Sequence[Labelled]) -> bool:
    """Tell whether places hold a label, not only the clause that it would stand in.

    What the text of that clause numbers without a place of its own is held: "(7)" of "5.3.2(7)".
    """
    if not found:
        return False
    left = _INSIDE.findall(asked.number)[len(_INSIDE.findall(found[0].folded)) :]
    printed = [re.compile(rf"(?<![\w.]){re.escape(part)}[).]") for part in left]
    texts = (fold(item.chunk.passage.text) for item in store.chunks({item.chunk for item in found}))
    return not left or any(all(mark.search(text) for mark in printed) for text in texts)


def _best_of_each(
    found: Sequence[Labelled], ways: Sequence[str], keys: Mapping[int, Sequence[str]]
) -> list[Labelled]:
    """Return the places of least rank of each label, those by a bare number only without others."""
    least: dict[tuple[str, str], int] = {}
    for item in found:
        for key in ("", *keys.get(item.chunk, ())):
            least[item.document, key] = min(item.rank, least.get((item.document, key), BARE))
    best = [
        item
        for item in found
        if any(item.rank == least[item.document, key] for key in keys.get(item.chunk) or ("",))
        and (item.rank < BARE or least[item.document, ""] == BARE)
    ]
    telling = ways[-1][:1].isalpha()  # "G3" names a requirement as well as a clause, "3" does not
    return best if telling else [item for item in best if item.rank < BARE] or best


def _choose(
    store: Store, asked: AskedLabel, found: Sequence[Labelled], standing: Mapping[int, float]
) -> list[int]:
    """Return the chunks of a label that come first: the best of each place, those that searches found."""
    ranked = sorted(
        dict.fromkeys(item.chunk for item in found), key=lambda chunk: (-standing.get(chunk, 0.0), chunk)
    )
    first: dict[tuple[str, str], int] = {}  # of every place of every document
    for item in store.chunks(ranked):
        for key in keys_of(item, asked) or (item.chunk.label.key,):
            first.setdefault((item.document, key), item.id)
    best = list(dict.fromkeys(first.values()))
    if len({item.document for item in found}) == 1:
        return best[:MANY]
    return ([chunk for chunk in best if chunk in standing] or best)[:FEW]
