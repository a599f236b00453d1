"""Where a subject is covered: headings, tables and figures named after it, and places that speak of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from appliance.core.document import Figure, Label, Table
from appliance.core.errors import QueryTooSlow
from appliance.core.evidence import Listed, Scoped, Verdict
from appliance.core.mechanisms import mechanism
from appliance.retrieval.channels.gather import WORDS, Jump
from appliance.retrieval.follow.neighbours import TITLE, chunks_of, counted, item_of
from appliance.retrieval.follow.scope import is_scope, speaks_of_scope
from appliance.retrieval.query.lexicon import Words, kind_of, sorts_of
from appliance.retrieval.query.question import Group
from appliance.retrieval.search_context import Ask
from appliance.store.channels import Wanted, chunks_within, index_terms, search_terms
from appliance.store.read import Store, kept
from appliance.store.records import StoredChunk
from appliance.text.sentences import sentence_spans, shortened
from appliance.text.terms import fold, words

ENOUGH = 0.75  # share of the subject, by rarity, that the title of a leading heading says
LEADING = 3  # headings, or places of a kind, that lead
SPARE = 0.5  # of the words of such a title that belong to the subject at least
LISTED = 60  # items of a list
LISTED_SECTIONS = 60  # of a document, that the list of what was searched names
LOWEST = 9  # the level of tables and figures among divisions
DRAWN = frozenset({"table", "figure"})


@mechanism("follow.headings", without=lambda *_: None)
def headings(ask: Ask, _: Jump) -> Jump | None:
    """Return the divisions, tables and figures whose titles hold the subject of a question for a place."""
    subject = subject_of(ask)
    if not subject:
        return None
    said = words(ask.question.query.text)[:3]  # "which table gives ..."
    wanted = next((kind for word in said if (kind := ask.lexicon.label_kind(word)) in DRAWN), None)
    scored: list[tuple[float, float, int, Listed]] = []
    for one, level, stems in _titles(ask.store, ask.lexicon.stop):
        if is_inside(ask, one.document) and (wanted is None or one.how == wanted):
            covered, precise = match_of(ask, subject, stems)
            if covered >= ENOUGH and precise >= SPARE:
                scored.append((-round(covered, 2), -round(precise, 2), level, one))
    scored.sort(key=lambda item: (*item[:3], item[3].page))
    listed = tuple(_standing(ask.store, one) for *_, one in scored)
    if not listed:
        return None
    text = f"{count_of(len(listed), 'is', 'are')} named after the subject."
    told = Scoped("location", text, listed[:LISTED], searched(ask))
    return Jump(leading=chunks_of(ask.store, listed[:LEADING])[:LEADING], scope=told)


def _standing(store: Store, one: Listed) -> Listed:
    """Return an item with the places that it stands in."""
    item = item_of(store, one.document, one.label.key)
    home = item.clause if isinstance(item, (Table, Figure)) else one.label
    line = store.lineage(one.document, home) if home else ()
    return replace(one, above=tuple(str(clause.label) for clause in line if clause.label != one.label))


def searched(ask: Ask) -> tuple[str, ...]:
    """Return what was gone through: each document with its sections and pages."""
    return tuple(
        f"{info.id}: {_sections(ask.store, info.id)}pages 1-{info.pages}"
        for info in ask.store.documents()
        if is_inside(ask, info.id)
    )


@kept
def _sections(store: Store, document: str) -> str:
    tops = [e for e in store.contents(document) if e.parent is None and e.kind != "front"]
    names = ", ".join(str(entry.label) for entry in tops[:LISTED_SECTIONS])
    return f"sections {names}; " if names else ""


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


def is_inside(ask: Ask, document: str) -> bool:
    """Tell whether a document is one of those that are asked about."""
    named = ask.question.query.documents
    return (not named or document in named) and (not ask.documents or document in ask.documents)


def match_of(ask: Ask, subject: Iterable[Group], stems: frozenset[str]) -> tuple[float, float]:
    """Return the share of the subject that a title says, by rarity, and the share of its words that do."""
    total = met = 0.0
    used: set[str] = set()
    vocabulary = ask.index.vocabulary
    for group in subject:
        weight = math.log(1.0 + vocabulary.total / (1.0 + vocabulary.chunks.get(group.stem, 0)))
        total += weight
        ways = [phrase for phrase in ((group.stem,), *group.others) if stems.issuperset(phrase)]
        if ways:
            met += weight
            used.update(word for phrase in ways for word in phrase)
    return (met / total if total else 0.0, len(used & stems) / len(stems) if stems else 0.0)


@kept
def _titles(store: Store, stop: frozenset[str]) -> tuple[tuple[Listed, int, frozenset[str]], ...]:
    """Return the titled divisions, tables and figures of a library with their levels and stems."""

    def stems(title: str) -> frozenset[str]:
        said = (word for word in words(title) if word not in stop and not word[:1].isdigit())
        return frozenset(map(store.connections.stem, said))

    found: list[tuple[Listed, int, frozenset[str]]] = []
    for info in store.documents():
        for one in store.contents(info.id):
            if one.title:
                listed = Listed(info.id, one.label, one.title, one.page, "section")
                found.append((listed, one.level, stems(one.title)))
        for kind, items in (("table", store.tables(info.id)), ("figure", store.figures(info.id))):
            for item in items:
                page = item.boxes[0].page if item.boxes else 0
                listed = Listed(info.id, item.label, item.title, page, kind)
                found.append((listed, LOWEST, stems(item.title)))
    return tuple(found)


def count_of(number: int, one: str, many: str) -> str:
    """Return in words how many places there are."""
    return f"1 place {one}" if number == 1 else f"{number} places {many}"


def kind_wanted(ask: Ask) -> str:
    """Return the kind of place that a question lists, "" for none."""
    return kind_of(fold(ask.question.spelt)) if ask.question.query.intent == "coverage" else ""


def cut_short(places: int) -> str:
    """Return the sentence that tells of a list that only its first places are shown, "" where all are."""
    return f" The first {LISTED} are listed." if places > LISTED else ""


def every(ask: Ask) -> Jump | None:
    """Return all places of the kind that a question lists, None where it lists none or there are none."""
    store, kind = ask.store, kind_wanted(ask)
    listed: list[Listed] = []
    for info in store.documents() if kind else ():
        if not is_inside(ask, info.id):
            continue
        if kind == "definition":
            named = [(term.label, term.term, term.boxes) for term in store.terms(info.id)]
        else:
            items = store.tables(info.id) if kind == "table" else store.figures(info.id)
            named = [(item.label, item.title, item.boxes) for item in items]
        for label, title, boxes in named:
            listed.append(Listed(info.id, label, title, boxes[0].page if boxes else 0, kind))
    if not listed:
        return None
    where = ", ".join(ask.question.query.documents) or "the documents loaded"
    text = f"Listed: {counted(len(listed), kind)} in {where}.{cut_short(len(listed))}"
    told = Scoped("coverage", text, tuple(listed[:LISTED]), searched(ask))
    return Jump(leading=chunks_of(store, listed[:LEADING]), scope=told)


BESIDE = 0.05  # of a document's places say more than its title, where that is not its whole subject
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


@mechanism("follow.spoken", without=lambda *_: None)
def spoken(ask: Ask, _: Jump) -> Jump | None:
    """Return the places that speak of what a question asks for everywhere, or whether documents do."""
    try:
        ideas = tuple(_ideas(ask))
    except QueryTooSlow as slow:  # the places found by the other searches are still shown
        told = f"Not every place that speaks of it could be listed. {slow}"
        return Jump(scope=Scoped("coverage", told, (), searched(ask)))
    if not ideas:
        return every(ask)
    told_of = _told(ask, ideas)
    if not ask.question.frame:
        return _list(ask, told_of)
    verdict, place = _verdict(ask, told_of, ideas)
    if not verdict:
        return None
    if verdict == "no":
        text = f"No document loaded speaks of {_quoted(told_of.strange)}."
        if named := ", ".join(ask.question.query.documents):
            text = f"No: no place in {named} speaks of {_quoted(told_of.strange)}.{_elsewhere(ask, told_of)}"
        return Jump(scope=Scoped("coverage", text, (), searched(ask), verdict))
    items = ask.store.chunks(told_of.chunks)
    many = len(told_of.chunks) > LISTED
    placed = tuple(islice(_placed(ask, told_of.met, items), LISTED if many else None))
    where = [item.document for _, item in placed]
    if many:  # each is counted as it is shown; only the first are read clause by clause
        where = [document for document, _ in dict.fromkeys((one.document, one.chunk.label) for one in items)]
    text = _sentence(ask, verdict, told_of, where, place)
    scope = Scoped("coverage", text, _in_order(placed), searched(ask), verdict)
    owners = ask.store.parents(told_of.chunks[:COMPETING])
    found = tuple(dict.fromkeys(owners[chunk] for chunk in told_of.chunks[:COMPETING] if chunk in owners))
    held = [ask.index.stems.head(item) | ask.index.stems.body(item) for item in items[:FEW]]
    ways = [idea.ways[0] for idea in told_of.met if idea.ways]
    as_asked = all(stems.issuperset(way) for stems in held for way in ways)  # each idea in its own words
    few = found if len(told_of.chunks) <= FEW and as_asked else ()
    return Jump(leading=few, scope=scope, others=found)


def _list(ask: Ask, told: _Told) -> Jump | None:
    """Return the places that speak of all that a list asks for, nothing where no document holds any of it."""
    if len(told.strange) == len(told.strange + told.met + told.missing):
        return None
    chunks = () if set(told.missing) - set(told.strange) else told.chunks
    kind = kind_wanted(ask)
    together = set(chunks)
    if kind and chunks:  # the rows of a table may share out a subject
        together |= _of_one_place(ask, told.met, {idea: set(idea.chunks) for idea in told.met})
    items = ask.store.chunks(sorted(together)) if kind else ()
    of_kind = {one.id for one in items if one.chunk.kind == kind and is_inside(ask, one.document)}
    among = of_kind or set(chunks)
    wanted = [chunk for chunk in dict.fromkeys((*chunks, *sorted(together))) if chunk in among]
    placed = tuple(_placed(ask, told.met, ask.store.chunks(wanted)))
    number = len(placed)
    unknown = " Some of its words occur nowhere in the documents." if told.strange else ""
    many = f"{count_of(number, 'speaks', 'speak')} of all of it"
    if kind and chunks:
        many = f"{counted(number, kind)} on all of it" if of_kind else f"{many}, none of them a {kind}"
    text = f"{many}.{cut_short(number)}{unknown}"
    return Jump(scope=Scoped("coverage", text, _in_order(placed), searched(ask)))


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
            yield _idea(ask, (tuple(held), *ways), (" ".join(phrase), *others))


def _idea(ask: Ask, ways: Sequence[Words], names: Sequence[str]) -> _Idea:
    store, vocabulary, scope = ask.store, ask.index.vocabulary, ask.scope.children
    held = (way for way in ways if way and all(word in vocabulary.chunks for word in way))
    able = tuple(dict.fromkeys(held))
    wanted = [Wanted(way, WORDS) for way in able]
    chunks = dict(search_terms(store, "child", wanted, store.chunk_count, within=scope))
    for node in (node for known in store.graph.entities(names).values() for node in known):
        # one that is called as the idea is: "safety" is not, though a handrail is part of it
        if tuple(map(store.connections.stem, words(node.name))) in able:
            spoken_by = (chunk for chunk, _ in store.graph.chunks_of(node))
            inside = (chunk for chunk in spoken_by if scope is None or chunk in scope)
            chunks |= {chunk: 0.0 for chunk in inside if chunk not in chunks}
    only = _only_titled(ask, chunks, able)
    chunks = {chunk: score for chunk, score in chunks.items() if chunk not in only}
    rarity = math.log(1.0 + vocabulary.total / (1.0 + len(chunks)))
    return _Idea(names[0], able, chunks, rarity)


def _only_titled(ask: Ask, chunks: Scores, ways: Sequence[Words]) -> set[int]:
    """Return the chunks found by the title of their document alone, which every place of it carries.

    Where hardly a place of a document says it besides, the document is about nothing else: all of them do.
    """
    titles = {info.id: info.title for info in ask.store.documents() if _says(ask, [ways], info.title)}
    inside = (chunks_within(ask.store, "child", tuple(titles)) if titles else None) or ()
    by_words = [chunk for chunk, score in chunks.items() if score and chunk in inside]
    found: dict[str, set[int]] = {}
    saying: Counter[str] = Counter()
    for item in ask.store.chunks(by_words):
        own = [text for text in item.chunk.context if fold(text) != fold(titles[item.document])]
        text = " ".join((item.chunk.title, *own, item.chunk.passage.text, item.chunk.extra))
        if _says(ask, [ways], text):
            saying[item.document] += 1
        else:
            found.setdefault(item.document, set()).add(item.id)
    beside = (c for document, c in found.items() if saying[document] > BESIDE * (saying[document] + len(c)))
    return set[int]().union(*beside)


def _says(ask: Ask, ideas: Iterable[Sequence[Words]], text: str) -> bool:
    """Tell whether a text speaks of every idea, in one of the ways to say it."""
    held = frozenset(index_terms(ask.store, text))
    return all(any(held.issuperset(way) for way in ways) for ways in ideas)


def _told(ask: Ask, ideas: Sequence[_Idea]) -> _Told:
    """Return what speaks of most of the ideas at once; the commonest ideas are given up first."""
    within = chunks_within(ask.store, "child", ask.question.query.documents)
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
    if whether and not told.missing and (place := _left_out(ask, told)):
        return "limits", place
    if told.missing:
        return ("partly" if len(ideas) <= SHORT else ""), ""
    return "yes", ""


def _left_out(ask: Ask, told: _Told) -> str:
    """Return the place of a scope that leaves the subject out, "" for none."""
    owners = ask.store.parents(told.chunks)
    shown = {item.id: item.chunk for item in ask.store.chunks(dict.fromkeys(owners.values()))}
    for item in ask.store.chunks(told.chunks):
        whole = shown.get(owners.get(item.id, -1), item.chunk)
        if not any(map(is_scope, (item.chunk.title, *item.chunk.context, whole.title))):
            continue
        text, out = whole.passage.text, False
        for start, end in sentence_spans(text):
            sentence = text[start:end]
            # a list behind "it gives no guidance on:" is read with it, up to what says what is covered
            out = speaks_of_scope(sentence, "leaving") or (out and not speaks_of_scope(sentence))
            if out and _says(ask, [told.met[0].ways], sentence):
                return f"{item.document} {next(_speaking(ask, told.met, item))[0]}"
    return ""


def _sentence(ask: Ask, verdict: Verdict, told: _Told, places: Sequence[str], place: str) -> str:
    """Say what a question comes to, with the documents and how many `places` there are in each."""
    where, many, cut = _counted(places), count_of(len(places), "speaks", "speak"), cut_short(len(places))
    if verdict == "limits":
        return f"{many} of it, in {where}; {place} says what is left out.{cut}"
    if told.missing:
        other = _elsewhere(ask, told) or cut
        return f"{many} of {_quoted(told.met)}, in {where}, but not of {_quoted(told.missing)}.{other}"
    asked = ask.question.frame
    yes = "Yes: " if asked and asked.form == "whether" else ""
    return f"{yes}{many} of it, in {where}.{cut}"


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


def _quoted(ideas: Iterable[_Idea]) -> str:
    return ", ".join(f"\u201c{idea.words}\u201d" for idea in ideas)


def _placed(ask: Ask, ideas: Sequence[_Idea], items: Iterable[StoredChunk]) -> Iterator[tuple[int, Listed]]:
    """Yield the places of chunks, each once, with the chunk that it was found in."""
    seen: set[tuple[str, str]] = set()
    for item in items:
        short = shortened(item.chunk.title or item.chunk.passage.text, TITLE)
        for label, page in _speaking(ask, ideas, item):
            if (place := (item.document, label.key)) not in seen:
                seen.add(place)
                yield item.id, Listed(item.document, label, short, page, item.chunk.kind)


def _in_order(placed: Sequence[tuple[int, Listed]]) -> tuple[Listed, ...]:
    """Return the first of these places, as the documents have them."""
    return tuple(one for _, one in sorted(placed[:LISTED], key=lambda pair: pair[0]))


def _speaking(ask: Ask, ideas: Sequence[_Idea], item: StoredChunk) -> Iterator[tuple[Label, int]]:
    """Yield the clauses of a chunk whose own text speaks of the subject, with their pages; else its own."""
    page = item.chunk.boxes[0].page if item.chunk.boxes else 0
    inside = dict.fromkeys(item.chunk.labels) if item.chunk.kind in SPEAKING_DIVIDED else {}
    clauses = (ask.store.clause(item.document, label.key) for label in inside)
    found = [
        (clause.label, clause.boxes[0].page if clause.boxes else page)
        for clause in clauses
        if clause is not None and _says(ask, (idea.ways for idea in ideas), clause.passage.text)
    ]
    yield from found or [(item.chunk.label, page)]
