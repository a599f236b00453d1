"""The channels of one question: words, meaning and graph, fused into one ranking, and the places it names."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from appliance.core.evidence import Listing, Scoped
from appliance.core.graph import Node, NodeKind
from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.models.protocols import EncodedQuery
from appliance.retrieval.query.documents import mentioned, replaced_spans
from appliance.retrieval.query.labels import AskedLabel, names_part, qualified
from appliance.retrieval.query.question import Group, Question
from appliance.retrieval.search_context import Ask, place
from appliance.store.channels import Hits, Vocabulary, Wanted, search_terms, search_vectors
from appliance.store.read import Store
from appliance.store.records import Labelled, StoredChunk
from appliance.text.terms import fold, fold_label, words

WORDS, NAMES = ("title", "text"), ("label", "exact")
FEWEST = 2  # groups that are kept however common they are


@dataclass(frozen=True, slots=True)
class Found:
    """Rankings of shown chunks by channel, the children met of each (best first), cosines of children."""

    rankings: Mapping[str, tuple[int, ...]]
    children: Mapping[int, tuple[int, ...]]
    cosines: Mapping[int, float]


def gather(ask: Ask) -> Found:
    """Return what the searches by words, by meaning and in the graph find."""
    store, settings, scope = ask.store, ask.settings, ask.scope
    with ask.clock.step("lexical"):
        vocabulary = ask.index.vocabulary
        match = wanted_of(ask.question, vocabulary, settings)
        wide = wanted_of(ask.question, vocabulary, settings, aliases=True)
        by_child = _by_child(ask, match)
        by_parent = _by_parent(ask, match)
        by_alias = _by_alias(ask, wide) if wide != match else by_child
    with ask.clock.step("dense"):
        near = dense(store, (ask.encoded, ask.plain), settings, scope.children)
    with ask.clock.step("graph"):
        spoken = concepts(ask)
    owners = store.parents([chunk for chunk, _ in (*by_child, *by_alias, *near, *spoken)])

    def shown(hits: Hits) -> tuple[int, ...]:
        """Return the shown chunks of hits, each at its best child's place."""
        return tuple(dict.fromkeys(owners[chunk] for chunk, _ in hits))

    rankings = {
        "child_words": shown(by_child),
        "parent_words": tuple(chunk for chunk, _ in by_parent),
        "aliases": shown(by_alias),
        "dense": shown(near),
        "concepts": shown(spoken),
    }
    children: dict[int, dict[int, None]] = {}
    for hit in chain.from_iterable(zip_longest(near, by_child)):  # from each in turn
        if hit is not None:
            children.setdefault(owners[hit[0]], {})[hit[0]] = None
    return Found(rankings, {parent: tuple(met) for parent, met in children.items()}, dict(near))


@mechanism("channels.child_words", without=lambda *_: [])
def _by_child(ask: Ask, match: Sequence[Wanted]) -> Hits:
    """Search the searched parts by words."""
    return search_terms(ask.store, "child", match, ask.settings.lexical_candidates, within=ask.scope.children)


@mechanism("channels.parent_words", without=lambda *_: [])
def _by_parent(ask: Ask, match: Sequence[Wanted]) -> Hits:
    """Search whole places by words."""
    return search_terms(ask.store, "parent", match, ask.settings.lexical_candidates, within=ask.scope.parents)


@mechanism("channels.alias_words", without=lambda *_: [])
def _by_alias(ask: Ask, wide: Sequence[Wanted]) -> Hits:
    """Search by words and their other names."""
    return search_terms(ask.store, "child", wide, ask.settings.lexical_candidates, within=ask.scope.children)


def wanted_of(
    question: Question, vocabulary: Vocabulary, settings: SearchSettings, *, aliases: bool = False
) -> tuple[Wanted, ...]:
    """Return what a question asks for, nothing where the library holds none of its words."""
    found = [group for group in question.groups if alternatives(group, vocabulary, aliases=aliases)]
    rare = [group for group in found if vocabulary.share(group.stem) <= settings.common_term_share]
    if len(rare) < FEWEST:
        rare = sorted(found, key=lambda group: vocabulary.share(group.stem))[:FEWEST]
    said = [item for group in rare for item in alternatives(group, vocabulary, aliases=aliases)]
    return (*said, *(Wanted((name,), NAMES) for name in question.names))


def alternatives(group: Group, vocabulary: Vocabulary, *, aliases: bool = False) -> list[Wanted]:
    """Return the ways to say one idea that the library holds."""
    phrases = ((group.stem,), *(group.others if aliases else ()))
    return [Wanted(phrase, WORDS) for phrase in phrases if all(term in vocabulary.chunks for term in phrase)]


def every_place(ask: Ask, first: int, count: int) -> Listing:
    """Return `count` of the places from the `first` (counted from 0) on, and how many there are."""
    vocabulary = ask.index.vocabulary
    match = [item for group in ask.question.groups for item in alternatives(group, vocabulary)]
    match += [Wanted((name,), NAMES) for name in ask.question.names]
    hits = search_terms(ask.store, "child", match, ask.store.chunk_count, within=ask.scope.children)
    owners = ask.store.parents([chunk for chunk, _ in hits])
    shown = list(dict.fromkeys(owners[chunk] for chunk, _ in hits))
    items = ask.store.chunks(shown[first : first + count])
    return Listing(tuple(place(item, 0.0, ("lexical",)) for item in items), len(shown))


@mechanism("channels.dense", without=lambda *_: [])
def dense(
    store: Store,
    encoded: Iterable[EncodedQuery | None],
    settings: SearchSettings,
    within: Collection[int] | None,
) -> Hits:
    """Return the children nearest to any of the vectors with their cosine, best first; none without."""
    limit, scan_from = settings.dense_candidates, settings.scan_from
    best: dict[int, float] = {}
    for one in filter(None, encoded):
        for chunk, cosine in search_vectors(store, one.pooled, limit, within=within, scan_from=scan_from):
            best[chunk] = max(cosine, best.get(chunk, -1.0))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))


NAME_WORDS = 5  # of a name of the graph at most
SPOKEN: frozenset[NodeKind] = frozenset({"term", "parameter", "concept", "material", "structure", "load"})
NEARNESS = (1.0, 0.7, 0.4)  # of a chunk made of the entity, headed by it, and one that mentions it


@mechanism("channels.concepts", without=lambda *_: [])
def concepts(ask: Ask) -> Hits:
    """Return the searched chunks that speak of what the question speaks of, best first."""
    scores: dict[int, float] = defaultdict(float)
    total, inside = max(ask.store.chunk_count, 1), ask.scope.children
    for node in spoken_of(ask):
        about = [hit for hit in ask.store.graph.chunks_of(node) if inside is None or hit[0] in inside]
        if not about or len(about) > ask.settings.common_term_share * total:
            continue
        rarity = math.log(1.0 + total / len(about))
        for chunk, rank in about:
            scores[chunk] += rarity * NEARNESS[min(rank, len(NEARNESS) - 1)]
    return [(chunk, scores[chunk]) for chunk in best_first(scores)[: ask.settings.dense_candidates]]


def spoken_of(ask: Ask) -> tuple[Node, ...]:
    """Return the entities that the question names; a name inside a longer one is not read again."""
    said = words(fold(ask.question.spelt))
    pieces = {  # the longest first
        range(start, start + length): " ".join(said[start : start + length])
        for length in range(min(NAME_WORDS, len(said)), 0, -1)
        for start in range(len(said) - length + 1)
    }
    known = ask.store.graph.entities(pieces.values())
    found: dict[Node, None] = {}
    taken: set[int] = set()
    for here, name in pieces.items():
        spoken = [node for node in known[name] if node.kind in SPOKEN]
        if spoken and taken.isdisjoint(here):
            taken.update(here)
            found.update(dict.fromkeys(spoken))
    return tuple(found)


def reciprocal(rankings: Iterable[tuple[Sequence[int], float]], k: int) -> dict[int, float]:
    """Return the fused score of every id: the sum of weight / (k + rank), rank from 1."""
    scores: dict[int, float] = defaultdict(float)
    for ranking, weight in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] += weight / (k + rank)
    return dict(scores)


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores brought to 0..1 between their least and their greatest; all equal gives 1."""
    least, most = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    width = most - least
    return {item: (value - least) / width if width else 1.0 for item, value in scores.items()}


def best_first(scores: Mapping[int, float]) -> list[int]:
    """Return the ids by falling score; equal scores in the order of the ids, so that it never changes."""
    return sorted(scores, key=lambda item: (-scores[item], item))


def one_of_each(ranking: Sequence[int], names: Mapping[int, Hashable], first: int) -> list[int]:
    """Return a ranking in whose `first` ids no name stands twice; the others come behind.

    An id without a name stands for itself.
    """
    best: dict[Hashable, int] = {}
    for item in ranking:
        best.setdefault(names.get(item, ("its own", item)), item)
    head = dict.fromkeys(list(best.values())[:first])
    return [*head, *(item for item in ranking if item not in head)]


@mechanism("rank.floors", without=lambda ranking, _floors, limit, _keep=0: list(ranking[:limit]))
def with_floors(
    ranking: Sequence[int], floors: Iterable[Sequence[int]], limit: int, keep: int = 0
) -> list[int]:
    """Return the first `limit` of a ranking, the last of them giving way to the floors' ids left out.

    No id of a floor gives way to another one, and none of the first `keep`; where the floors hold more
    than there is room for, the earlier ones stay.
    """
    kept = list(ranking[:limit])
    wanted = list(dict.fromkeys(item for floor in floors for item in floor))
    safe = {*kept[:keep], *[item for item in wanted if item not in kept[:keep]][: max(limit - keep, 0)]}
    absent = [item for item in wanted if item in safe and item not in kept]
    loose = [item for item in kept if item not in safe]
    given = set(loose[len(loose) - max(len(kept) + len(absent) - limit, 0) :])
    return [item for item in kept if item not in given] + absent


# -- the exact channel: the places whose label the question names

FEW = 3  # places of one label that may all come first when no document is named
MANY = 12  # and when one is: numbers may start again in each of its Parts
ROW = 3  # letters with figures in a row that may be a designation
LIKE = 13  # indices with which a library may have a label made as one that it lacks: "H7" where there is "H1"
_INSIDE = re.compile(r"\(([^()]+)\)")  # what a label counts inside its clause, "7" of "5.3.2(7)"
BARE = 2  # the rank of a place found by its number without its word ("8" of "Table 8")


@dataclass(frozen=True, slots=True)
class Jump:
    """Chunks that a question names, or asks for by where they stand: `first` go before all else.

    `others` share the label, or only compete with what the searches find. `labels` are the labels as asked
    with the chunks that stand first for each. `leading` go next: their title says what the question looks
    for, or a label that is `missing` would stand in them; `scope` tells what a question about places comes
    to, and `boosts` why what belongs to what is read is raised.
    """

    first: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()
    labels: tuple[tuple[AskedLabel, tuple[int, ...]], ...] = ()
    leading: tuple[int, ...] = ()
    scope: Scoped | None = None
    boosts: Mapping[int, str] = field(default_factory=dict)


@mechanism("channels.exact", without=lambda *_: Jump())
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
