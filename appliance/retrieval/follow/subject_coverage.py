"""Where a subject is covered: headings, tables and figures named after it, and places that speak of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

from appliance.core.document import Label
from appliance.core.errors import QueryTooSlow
from appliance.core.evidence import Listed, Scoped, Verdict
from appliance.core.graph import Node
from appliance.core.mechanisms import mechanism
from appliance.retrieval.ask import Ask
from appliance.retrieval.channels.exact import Jump
from appliance.retrieval.channels.searches import WORDS
from appliance.retrieval.follow.neighbours import TITLE, Found, chunks_of
from appliance.retrieval.follow.scope import is_scope, leaves_out, speaks_of_scope
from appliance.retrieval.query.coverage_questions import kind_of, sorts_of
from appliance.retrieval.query.lexicon import Words
from appliance.retrieval.query.question import Group
from appliance.store.bm25 import Wanted
from appliance.store.channels import ColumnWeights, chunks_within, index_terms, search_terms
from appliance.store.read import Store
from appliance.store.values import StoredChunk
from appliance.text.sentences import sentence_spans
from appliance.text.terms import fold, words

ENOUGH = 0.75  # share of the subject, by rarity, that the title of a leading heading says
LEADING = 3  # headings that lead
SPARE = 0.5  # of the words of such a title that belong to the subject at least
MOST = 60  # items of a list
LOWEST = 9  # the level of tables and figures among divisions
KINDS = {"table": "table", "figure": "figure"}


@dataclass(frozen=True, slots=True)
class _Title:
    """A titled division, table or figure."""

    document: str
    label: Label
    kind: str
    title: str
    page: int
    level: int
    stems: frozenset[str]


_SECTIONS: WeakKeyDictionary[Store, dict[str, str]] = WeakKeyDictionary()  # of each document, as first told
_TITLES: WeakKeyDictionary[Store, tuple[_Title, ...]] = WeakKeyDictionary()  # as first asked for


@mechanism(
    "follow.headings",
    "A question for a place leads to the headings named after its subject.",
    without=lambda *_: None,
)
def headings(ask: Ask, _: Jump) -> Found | None:
    """Return the divisions, tables and figures whose titles hold the subject of a question for a place."""
    subject = subject_of(ask)
    if not subject:
        return None
    wanted = _wanted_kind(ask)
    scored = [
        (covered, precise, title)
        for title in _titles(ask)
        if is_inside(ask, title.document) and (wanted is None or title.kind == wanted)
        for covered, precise in [match_of(ask, subject, title.stems)]
        if covered >= ENOUGH and precise >= SPARE
    ]
    scored.sort(key=lambda item: (-round(item[0], 2), -round(item[1], 2), item[2].level, item[2].page))
    listed = tuple(
        Listed(title.document, title.label, title.title, title.page, title.kind) for _, _, title in scored
    )
    if not listed:
        return None
    told = Scoped(
        "location",
        f"{count_of(len(listed), 'is', 'are')} named after the subject.",
        listed[:MOST],
        searched(ask),
    )
    return Found(leading=chunks_of(ask.store, listed[:LEADING])[:LEADING], told=told)


def searched(ask: Ask) -> tuple[str, ...]:
    """Return what was gone through: each document with its sections and pages."""
    return tuple(
        f"{info.id}: {_sections(ask.store, info.id)}pages 1-{info.pages}"
        for info in ask.store.documents()
        if is_inside(ask, info.id)
    )


def _sections(store: Store, document: str) -> str:
    known = _SECTIONS.setdefault(store, {})
    if document not in known:
        tops = [e for e in store.contents(document) if e.parent is None and e.kind != "front"]
        names = ", ".join(str(entry.label) for entry in tops[:MOST])
        known[document] = f"sections {names}; " if names else ""
    return known[document]


def subject_of(ask: Ask) -> tuple[Group, ...]:
    """Return the ideas of a question but for those that ask for the place or for documents."""
    stem = ask.store.connections.stem
    named = [
        word
        for info in ask.store.documents()
        if info.id in ask.question.query.documents
        for word in words(f"{info.id} {info.designation}")
    ]
    beside = {stem(word) for word in (*ask.lexicon.placing, *ask.lexicon.listing, *named)}
    frame = ask.question.frame
    inside = (
        {stem(word) for word in frame.subject} if frame else {group.stem for group in ask.question.groups}
    )
    subject = inside - beside - {stem(word) for word in sorts_of(fold(ask.question.spelt))}
    return tuple(group for group in ask.question.groups if group.stem in subject)


def _wanted_kind(ask: Ask) -> str | None:
    """Return "table" or "figure" where the question asks for one ("which table gives ...")."""
    said = words(ask.question.query.text)[:3]
    kinds = (ask.lexicon.label_kind(word) for word in said)
    return next((KINDS[kind] for kind in kinds if kind in KINDS), None)


def is_inside(ask: Ask, document: str) -> bool:
    """Tell whether a document is one of those that are asked about."""
    named = ask.question.query.documents
    return (not named or document in named) and (not ask.documents or document in ask.documents)


def match_of(ask: Ask, subject: Iterable[Group], stems: frozenset[str]) -> tuple[float, float]:
    """Return the share of the subject that a title says, by rarity, and the share of its words that do."""
    total = met = 0.0
    used: set[str] = set()
    for group in subject:
        weight = math.log(
            1.0 + ask.index.vocabulary.total / (1.0 + ask.index.vocabulary.chunks.get(group.stem, 0))
        )
        total += weight
        ways = [phrase for phrase in ((group.stem,), *group.others) if stems.issuperset(phrase)]
        if ways:
            met += weight
            used.update(word for phrase in ways for word in phrase)
    return (met / total if total else 0.0, len(used & stems) / len(stems) if stems else 0.0)


def _titles(ask: Ask) -> tuple[_Title, ...]:
    """Return the titles of a library, read the first time."""
    if ask.store not in _TITLES:
        _TITLES[ask.store] = tuple(_all_titles(ask.store, ask.lexicon.stop))
    return _TITLES[ask.store]


def _all_titles(store: Store, stop: Collection[str]) -> Iterator[_Title]:
    for info in store.documents():
        for entry in store.contents(info.id):
            if entry.title:
                stems = _stems(store, entry.title, stop)
                yield _Title(info.id, entry.label, "section", entry.title, entry.page, entry.level, stems)
        for kind, items in (("table", store.tables(info.id)), ("figure", store.figures(info.id))):
            for item in items:
                page, stems = item.boxes[0].page if item.boxes else 0, _stems(store, item.title, stop)
                yield _Title(info.id, item.label, kind, item.title, page, LOWEST, stems)


def _stems(store: Store, title: str, stop: Collection[str]) -> frozenset[str]:
    said = (word for word in words(title) if word not in stop and not word[:1].isdigit())
    return frozenset(map(store.connections.stem, said))


def count_of(number: int, one: str, many: str) -> str:
    """Return in words how many places there are."""
    return f"1 place {one}" if number == 1 else f"{number} places {many}"


KINDS_MOST = 60  # items of a list
KINDS_LEADING = 3  # of them that lead
NAMES = {
    "table": ("table", "tables"),
    "figure": ("figure", "figures"),
    "definition": ("definition", "definitions"),
}


def kind_wanted(ask: Ask) -> str:
    """Return the kind of place that a question lists, "" for none."""
    found = kind_of(fold(ask.question.spelt)) if ask.question.query.intent == "coverage" else ""
    return found if found in NAMES else ""


def of_kind(ask: Ask, chunks: Iterable[int], kind: str) -> tuple[int, ...]:
    """Return those of chunks that are of a kind and stand in the documents asked."""
    items = ask.store.chunks(sorted(chunks)) if kind else ()
    return tuple(item.id for item in items if item.chunk.kind == kind and is_inside(ask, item.document))


def counted(number: int, kind: str) -> str:
    """Return in words how many places of a kind there are."""
    one, many = NAMES[kind]
    return f"1 {one}" if number == 1 else f"{number} {many}"


def cut_short(places: int) -> str:
    """Return the sentence that tells of a list that only its first places are shown, "" where all are."""
    return f" The first {KINDS_MOST} are listed." if places > KINDS_MOST else ""


def every(ask: Ask) -> Found | None:
    """Return all places of the kind that a question lists, None where it lists none or there are none."""
    kind = kind_wanted(ask)
    listed = tuple(_places(ask, kind)) if kind else ()
    if not listed:
        return None
    named = ", ".join(ask.question.query.documents) or "the documents loaded"
    text = f"Listed: {counted(len(listed), kind)} in {named}.{cut_short(len(listed))}"
    told = Scoped("coverage", text, listed[:KINDS_MOST], searched(ask))
    return Found(leading=chunks_of(ask.store, listed[:KINDS_LEADING]), told=told)


def _places(ask: Ask, kind: str) -> Iterator[Listed]:
    """Yield the places of a kind in the documents asked, in their order."""
    for info in ask.store.documents():
        if is_inside(ask, info.id):
            for label, title, page in _of_document(ask, info.id, kind):
                yield Listed(info.id, label, title, page, kind)


def _of_document(ask: Ask, document: str, kind: str) -> Iterator[tuple[Label, str, int]]:
    store = ask.store
    if kind == "definition":
        for term in store.terms(document):
            yield term.label, term.term, term.boxes[0].page if term.boxes else 0
        return
    for item in store.tables(document) if kind == "table" else store.figures(document):
        yield item.label, item.title, item.boxes[0].page if item.boxes else 0


BESIDE = (
    0.05  # share of a document's places that say more than its title, where that is not its whole subject
)
HALF = 0.5  # share of a subject, by rarity, that has to stand in a document for it to speak of it in part
SHORT = 4  # ideas of a subject; a longer one tells a story that no place tells in its words
FEW = 3  # places that lead where no others speak of all of it
COMPETING = 10  # best of these places that compete in the search
SPEAKING_DIVIDED = frozenset({"clause", "requirement"})  # kinds of place whose chunks hold several clauses
Scores = Mapping[int, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Idea:
    """One idea of a subject as it was asked, the ways to say it as stems, and the chunks that do."""

    words: str
    ways: tuple[Words, ...]
    chunks: Scores
    rarity: float


@dataclass(frozen=True, slots=True)
class _Told:
    """The chunks that speak of the ideas met, best first, and the ideas that none of them speaks of.

    `strange` are the ideas that stand nowhere in what was asked.
    """

    chunks: tuple[int, ...]
    met: tuple[_Idea, ...]
    missing: tuple[_Idea, ...]
    strange: tuple[_Idea, ...]


@mechanism(
    "follow.spoken",
    "A question whether or where documents speak of a subject is answered by a list.",
    without=lambda *_: None,
)
def spoken(ask: Ask, _: Jump) -> Found | None:
    """Return the places that speak of what a question asks for everywhere, or whether documents do."""
    try:
        ideas = tuple(_ideas(ask))
    except QueryTooSlow as slow:  # the places found by the other searches are still shown
        told = f"Not every place that speaks of it could be listed. {slow}"
        return Found(told=Scoped("coverage", told, (), searched(ask)))
    if not ideas:
        return every(ask)
    told_of = _told(ask, ideas, _within(ask))
    if not ask.question.frame:
        return _list(ask, told_of)
    verdict, place = _verdict(ask, told_of, ideas)
    if not verdict:
        return None
    if verdict == "no":
        return Found(told=Scoped("coverage", _absent(ask, told_of), (), searched(ask), verdict))
    many = len(told_of.chunks) > KINDS_MOST
    placed = tuple(islice(_placed(ask, told_of.met, told_of.chunks), KINDS_MOST if many else None))
    where = [(item.document, item.label) for _, item in placed]
    if many:  # each is counted as it is shown; only the first are read clause by clause
        items = ask.store.chunks(told_of.chunks)
        where = list(dict.fromkeys((item.document, item.chunk.label) for item in items))
    text = _sentence(ask, verdict, told_of, [document for document, _ in where], place)
    owners = ask.store.parents(told_of.chunks[:COMPETING])
    scope = Scoped("coverage", text, _in_order(placed), searched(ask), verdict)
    found = tuple(dict.fromkeys(owners[chunk] for chunk in told_of.chunks[:COMPETING] if chunk in owners))
    few = found if len(told_of.chunks) <= FEW and _in_own_words(ask, told_of) else ()
    return Found(leading=few, told=scope, others=found)


def _list(ask: Ask, told: _Told) -> Found | None:
    """Return the places that speak of all that a list asks for, nothing where no document holds any of it."""
    if len(told.strange) == len(told.strange + told.met + told.missing):
        return None
    chunks = () if set(told.missing) - set(told.strange) else told.chunks
    kind = kind_wanted(ask)
    together = set(chunks)
    if kind and chunks:  # the rows of a table may share out a subject
        together |= _of_one_place(ask, told.met, {idea: set(idea.chunks) for idea in told.met})
    kept = of_kind(ask, together, kind)
    wanted = [chunk for chunk in dict.fromkeys((*chunks, *sorted(together))) if chunk in {*(kept or chunks)}]
    placed = tuple(_placed(ask, told.met, wanted))
    number = len(placed)
    unknown = " Some of its words occur nowhere in the documents." if told.strange else ""
    many = f"{count_of(number, 'speaks', 'speak')} of all of it"
    if kind and chunks:
        many = f"{counted(number, kind)} on all of it" if kept else f"{many}, none of them a {kind}"
    text = f"{many}.{cut_short(number)}{unknown}"
    return Found(told=Scoped("coverage", text, _in_order(placed), searched(ask)))


def _ideas(ask: Ask) -> Iterator[_Idea]:
    """Yield the ideas of the subject: a phrase that the vocabularies know is one, each other word too."""
    stem = ask.store.connections.stem
    groups = {group.stem: group.others for group in subject_of(ask)}
    phrases = [(tuple(words(idea.words)), idea.others) for idea in ask.question.query.concepts]
    frame = ask.question.frame
    said = frame.subject if frame else tuple(words(ask.question.spelt))
    at = 0
    seen: set[Words] = set()
    while at < len(said):
        known = [one for one in phrases if said[at : at + len(one[0])] == one[0] and len(one[0]) > 1]
        phrase, others = max(known, key=lambda one: len(one[0]), default=((said[at],), ()))
        own = tuple(map(stem, phrase)) if known else (stem(said[at]),)
        at += len(phrase)
        held = [word for word in own if word in groups and not word[:1].isdigit()]
        if held and own not in seen:
            seen.add(own)
            ways = [tuple(map(stem, words(other))) for other in others] if known else groups[own[0]]
            names = (" ".join(phrase), *others)
            yield _idea(ask, " ".join(phrase), (tuple(held), *ways), names)


def _idea(ask: Ask, said: str, ways: Sequence[Words], names: Sequence[str]) -> _Idea:
    counts, total = ask.index.vocabulary.chunks, ask.index.vocabulary.total
    able = tuple(dict.fromkeys(way for way in ways if way and all(word in counts for word in way)))
    wanted = [Wanted(way, WORDS) for way in able]
    found = search_terms(
        ask.store, "child", wanted, ColumnWeights(), ask.store.chunk_count, within=ask.scope.children
    )
    chunks = dict(found)
    nodes = (node for known in ask.store.graph.entities(names).values() for node in known)
    for node in (node for node in nodes if _named(ask, node, able)):
        spoken_by = (chunk for chunk, _ in ask.store.graph.chunks_of(node))
        inside = (c for c in spoken_by if ask.scope.children is None or c in ask.scope.children)
        chunks |= {chunk: 0.0 for chunk in inside if chunk not in chunks}
    only = _only_titled(ask, chunks, able)
    chunks = {chunk: score for chunk, score in chunks.items() if chunk not in only}
    return _Idea(said, able, chunks, math.log(1.0 + total / (1.0 + len(chunks))))


def _only_titled(ask: Ask, chunks: Scores, ways: Sequence[Words]) -> set[int]:
    """Return the chunks found by the title of their document alone, which every place of it carries.

    Where hardly a place of a document says it besides, the document is about nothing else: all of them do.
    """
    titles = {info.id: info.title for info in ask.store.documents() if _holds(ask, ways, info.title)}
    inside = chunks_within(ask.store, "child", tuple(titles), ()) if titles else None
    by_words = [chunk for chunk, score in chunks.items() if score and chunk in (inside or ())]
    found: dict[str, set[int]] = {}
    saying: Counter[str] = Counter()
    for item in ask.store.chunks(by_words):
        own = [text for text in item.chunk.context if fold(text) != fold(titles[item.document])]
        text = " ".join((item.chunk.title, *own, item.chunk.passage.text, item.chunk.extra))
        if _holds(ask, ways, text):
            saying[item.document] += 1
        else:
            found.setdefault(item.document, set()).add(item.id)
    beside = (c for document, c in found.items() if saying[document] > BESIDE * (saying[document] + len(c)))
    return set[int]().union(*beside)


def _holds(ask: Ask, ways: Sequence[Words], text: str) -> bool:
    """Tell whether a text says an idea in one of its ways."""
    held = frozenset(index_terms(ask.store, text))
    return any(held.issuperset(way) for way in ways)


def _named(ask: Ask, node: Node, ways: Sequence[Words]) -> bool:
    """Tell whether an entity is called as an idea is: "safety" is not, though a handrail is part of it."""
    return tuple(map(ask.store.connections.stem, words(node.name))) in ways


def _within(ask: Ask) -> frozenset[int] | None:
    """Return the searched chunks of the documents that a question names, None where it names none."""
    return chunks_within(ask.store, "child", ask.question.query.documents, ())


def _told(ask: Ask, ideas: Sequence[_Idea], within: frozenset[int] | None) -> _Told:
    """Return what speaks of most of the ideas at once; the commonest ideas are given up first."""
    sets = {idea: {c for c in idea.chunks if within is None or c in within} for idea in ideas}
    strange = tuple(idea for idea in ideas if not sets[idea])
    kept = sorted((idea for idea in ideas if sets[idea]), key=lambda idea: -idea.rarity)
    while kept:
        together = set.intersection(*(sets[idea] for idea in kept)) or _of_one_place(ask, kept, sets)
        if together:
            scores = {chunk: sum(idea.chunks.get(chunk, 0.0) for idea in kept) for chunk in together}
            ranked = sorted(together, key=lambda chunk: (-scores[chunk], chunk))
            return _Told(tuple(ranked), tuple(kept), tuple(i for i in ideas if i not in kept), strange)
        kept.pop()
    return _Told((), (), tuple(ideas), strange)


def _of_one_place(ask: Ask, ideas: Sequence[_Idea], sets: Mapping[_Idea, set[int]]) -> set[int]:
    """Return the chunks of the rarest idea whose place speaks of the others in another part."""
    owners = ask.store.parents({chunk for idea in ideas for chunk in sets[idea]})
    places = [{owners[chunk] for chunk in sets[idea] if chunk in owners} for idea in ideas]
    shared = set.intersection(*places)
    return {chunk for chunk in sets[ideas[0]] if owners.get(chunk) in shared}


def _verdict(ask: Ask, told: _Told, ideas: Sequence[_Idea]) -> tuple[Verdict, str]:
    """Return whether the subject is spoken of, with the place that says what is left out."""
    strange = sum(idea.rarity for idea in told.strange) / sum(idea.rarity for idea in ideas)
    frame = ask.question.frame
    whether = frame is not None and frame.form == "whether"
    most = strange >= HALF and 2 * len(told.strange) >= len(ideas)
    if not told.chunks or (most and whether):
        return "no", ""
    if whether and (place := _left_out(ask, told)):
        return "limits", place
    if told.missing:
        return ("partly" if len(ideas) <= SHORT else ""), ""
    return "yes", ""


def _left_out(ask: Ask, told: _Told) -> str:
    """Return the place of a scope that leaves the subject out, "" for none."""
    if told.missing:
        return ""
    owners = ask.store.parents(told.chunks)
    shown = {item.id: item.chunk for item in ask.store.chunks(dict.fromkeys(owners.values()))}
    for item in ask.store.chunks(told.chunks):
        whole = shown.get(owners.get(item.id, -1), item.chunk)
        titles = (item.chunk.title, *item.chunk.context, whole.title)
        if any(map(is_scope, titles)) and _is_out(ask, told.met[0], whole.passage.text):
            return f"{item.document} {next(_speaking(ask, told.met, item))[0]}"
    return ""


def _is_out(ask: Ask, idea: _Idea, text: str) -> bool:
    """Tell whether a text speaks of an idea where it says what is left out.

    A list behind "it gives no guidance on:" is read with it, up to the next sentence that says what is
    covered.
    """
    out = False
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        out = leaves_out(sentence) or (out and not speaks_of_scope(sentence))
        if out and _says(ask, (idea,), sentence):
            return True
    return False


def _absent(ask: Ask, told: _Told) -> str:
    """Say that a subject is not spoken of, with the documents that do."""
    named = ask.question.query.documents
    if not named:
        return f"No document loaded speaks of {_quoted(told.strange)}."
    return f"No: no place in {', '.join(named)} speaks of {_quoted(told.strange)}.{_elsewhere(ask, told)}"


def _sentence(ask: Ask, verdict: Verdict, told: _Told, places: Sequence[str], place: str) -> str:
    """Say what a question comes to, with the documents and how many `places` there are in each."""
    where = _counted(places)
    many = count_of(len(places), "speaks", "speak")
    if told.missing and verdict != "limits":
        other = _elsewhere(ask, told) or cut_short(len(places))
        return f"{many} of {_quoted(told.met)}, in {where}, but not of {_quoted(told.missing)}.{other}"
    if verdict == "limits":
        return f"{many} of it, in {where}; {place} says what is left out.{cut_short(len(places))}"
    asked = ask.question.frame
    yes = "Yes: " if asked and asked.form == "whether" else ""
    return f"{yes}{many} of it, in {where}.{cut_short(len(places))}"


def _elsewhere(ask: Ask, told: _Told) -> str:
    """Name the other documents that speak of all of a subject, where one that is named does not."""
    if not ask.question.query.documents:
        return ""
    ideas = (*told.met, *told.missing)
    together = set.intersection(*(set(idea.chunks) for idea in ideas))
    others = _counted(item.document for item in ask.store.chunks(sorted(together)))
    return f" Elsewhere: {others}." if others else ""


def _counted(documents: Iterable[str]) -> str:
    return ", ".join(f"{name} ({number})" for name, number in Counter(documents).most_common())


def _in_own_words(ask: Ask, told: _Told) -> bool:
    """Tell whether the places found say every idea as it was asked, not by another name."""
    stems_of, items = ask.index.stems, ask.store.chunks(told.chunks)
    held = [stems_of.head(item) | stems_of.body(item) for item in items]
    return all(stems.issuperset(idea.ways[0]) for stems in held for idea in told.met if idea.ways)


def _quoted(ideas: Iterable[_Idea]) -> str:
    return ", ".join(f"\u201c{idea.words}\u201d" for idea in ideas)


def _placed(ask: Ask, ideas: Sequence[_Idea], chunks: Sequence[int]) -> Iterator[tuple[int, Listed]]:
    """Yield the places of chunks, each once, with the chunk that it was found in."""
    seen: set[tuple[str, str]] = set()
    for item in ask.store.chunks(chunks):
        text = " ".join((item.chunk.title or item.chunk.passage.text).split())
        short = text if len(text) <= TITLE else text[:TITLE].rsplit(" ", 1)[0] + " …"
        for label, page in _speaking(ask, ideas, item):
            if (place := (item.document, label.key)) not in seen:
                seen.add(place)
                yield item.id, Listed(item.document, label, short, page, item.chunk.kind)


def _in_order(placed: Iterable[tuple[int, Listed]]) -> tuple[Listed, ...]:
    """Return the first of these places, as the documents have them."""
    return tuple(one for _, one in sorted(islice(placed, KINDS_MOST), key=lambda pair: pair[0]))


def _speaking(ask: Ask, ideas: Sequence[_Idea], item: StoredChunk) -> Iterator[tuple[Label, int]]:
    """Yield the clauses of a chunk whose own text speaks of the subject, with their pages; else its own."""
    page = item.chunk.boxes[0].page if item.chunk.boxes else 0
    inside = dict.fromkeys(item.chunk.labels) if item.chunk.kind in SPEAKING_DIVIDED else {}
    clauses = (ask.store.clause(item.document, label.key) for label in inside)
    found = [
        (clause.label, clause.boxes[0].page if clause.boxes else page)
        for clause in clauses
        if clause is not None and _says(ask, ideas, clause.passage.text)
    ]
    yield from found or [(item.chunk.label, page)]


def _says(ask: Ask, ideas: Sequence[_Idea], text: str) -> bool:
    """Tell whether a text speaks of every idea."""
    held = frozenset(index_terms(ask.store, text))
    return all(any(held.issuperset(way) for way in idea.ways) for idea in ideas)
