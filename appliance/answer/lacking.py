"""What the evidence lacks for its question: places one more step away, and documents that are not loaded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from appliance.answer.reading.order import is_scope_place
from appliance.answer.statement_support import holds_what_is_asked, phrases
from appliance.core.evidence import Channel, Evidence, Link, Place, Query, Round
from appliance.core.files import shipped
from appliance.retrieval.follow.scope import SHOWN, chunks_under, scopes_of
from appliance.retrieval.query.documents import absent, asked_years, not_loaded, work, years
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.retrieval.search_context import place
from appliance.store.read import Store
from appliance.tables.rows import flat
from appliance.text.designations import fold_designation
from appliance.text.sentences import sentence_spans
from appliance.text.terms import STEM, fold, words

ROUNDS = 2
DECIDING = 3  # first places whose references must all be followed
NUMBERED = 6  # first places of which one must hold a number of the kind asked for
ADDED = 6  # places that one need adds at most
PLACES = 24  # places that all rounds add at most
SCOPE_DOCUMENTS = 3  # leading documents whose scope is reached
PER_DOCUMENT = 2  # clauses about scope, and statements, of each
SCOPE_LEADING = 5  # places whose documents and divisions count
STOPPED = f"stopped at {PLACES} places, more are needed"


@dataclass(frozen=True, slots=True)
class Need:
    """What the question still needs: references to follow, or the `before`, `after` or `scope` of a place."""

    why: str
    links: tuple[Link, ...] = ()
    near: tuple[tuple[Place, str], ...] = ()
    scope: bool = False


def review(query: Query, hits: Sequence[Place], links: Mapping[int, Sequence[Link]]) -> tuple[Need, ...]:
    """Return what the evidence lacks; `links` are the references of its places by their chunk."""
    shown = {(hit.document, label.key) for hit in hits for label in (hit.label, *hit.labels)}
    needs: list[Need] = []
    if query.intent == "applicability" and not any(is_scope_place(hit) for hit in hits[:DECIDING]):
        needs.append(Need("whether something applies is said by the scope of the code", scope=True))
    numbered = any(holds_what_is_asked(query, hit.text) >= 1 for hit in hits[:NUMBERED])
    if query.intent == "value" and not numbered:
        near = _open(hits[:NUMBERED], links, shown)
        needs.append(Need("no first place holds a number of the kind asked for", tuple(near)))
    open_links = tuple(_open(hits[:DECIDING], links, shown))
    if open_links:
        names = ", ".join(dict.fromkeys(str(link.to_label) for link in open_links[:ADDED]))
        needs.append(Need(f"the deciding clauses refer to {names}", open_links))
    pointing: list[tuple[Place, str, str]] = []  # places that send to what stands before or after them
    for hit in hits[:DECIDING]:
        lines = fold(hit.text).strip()
        for way, text in (("before", lines[:200]), ("after", lines[-120:])):
            said = next((w for w in phrases(way) if re.search(rf"\b{re.escape(w)}\b", text)), "")
            pointing += [(hit, way, said)] if said else []
    if pointing:
        where = ", ".join(dict.fromkeys(f"{hit.label} ({words})" for hit, _, words in pointing))
        needs.append(
            Need(f"what stands beside is meant: {where}", near=tuple((hit, way) for hit, way, _ in pointing))
        )
    return tuple(need for need in needs if need.links or need.near or need.scope)


def reviewed(
    store: Store, evidence: Evidence, documents: Collection[str]
) -> tuple[Evidence, tuple[Place, ...]]:
    """Return the evidence with what it lacked, and of this the places that hold what is asked for.

    Only `documents` are followed into: those that were searched.
    """
    query = evidence.query
    reached: list[Place] = []
    leading: tuple[Place, ...] = evidence.hits
    for _ in range(ROUNDS):
        rounds: list[Round] = []
        for need in review(query, leading, links_of(store, leading[:NUMBERED])):
            known = {hit.chunk for hit in (*evidence.hits, *reached)}
            met = {f.chunk: f for f in follow(store, evidence, need) if f.document in documents}
            new = [found for chunk, found in met.items() if chunk not in known]
            added = new[: min(ADDED, PLACES - sum(len(made.added) for made in evidence.rounds))]
            if need.scope:
                reached += [
                    f for f in scope_places(store, evidence) if f.chunk in known and f.document in documents
                ]
            reached += added
            if added:
                rounds.append(Round(need.why, tuple(added)))
                evidence = with_round(evidence, rounds[-1])
            if len(added) < min(ADDED, len(new)):
                *before, last = evidence.rounds
                stopped = replace(last, why=f"{last.why}; {STOPPED}")
                return replace(evidence, rounds=(*before, stopped)), _asked(query, reached)
        if not rounds:
            break
        leading = tuple(found for item in rounds for found in item.added)
    return evidence, _asked(query, reached)


def _asked(query: Query, reached: Iterable[Place]) -> tuple[Place, ...]:
    """Return the places that hold what is asked for, each once."""
    return tuple(
        dict.fromkeys(
            found for found in reached if is_scope_place(found) or holds_what_is_asked(query, found.text) >= 1
        )
    )


def with_round(evidence: Evidence, made: Round) -> Evidence:
    """Return the evidence with the places of a round behind those found."""
    return replace(
        evidence,
        hits=(*evidence.hits, *made.added),
        shown=(*evidence.shown, *made.added),
        must_read=(*evidence.must_read, *made.added),
        rounds=(*evidence.rounds, made),
    )


def _open(
    hits: Iterable[Place], links: Mapping[int, Sequence[Link]], shown: set[tuple[str, str]]
) -> Iterator[Link]:
    """Yield the references of places to what is not shown, each target once."""
    seen = set(shown)
    for hit in hits:
        for link in links.get(hit.chunk, ()):
            target = (link.to_document, link.to_label.key)
            if target not in seen:
                seen.add(target)
                yield link


def links_of(store: Store, hits: Sequence[Place]) -> dict[int, tuple[Link, ...]]:
    """Return the references of places that lead to a loaded place."""
    found: dict[int, tuple[Link, ...]] = {}
    for hit in hits:
        keys = list(dict.fromkeys(label.key for label in (hit.label, *hit.labels)))
        found[hit.chunk] = tuple(
            Link(hit.document, item.source, item.document or hit.document, item.target, item.text)
            for item in store.references_from(hit.document, *keys)
            if item.target is not None and store.has(item.document or hit.document)
        )
    return found


def scope_places(store: Store, evidence: Evidence) -> tuple[Place, ...]:
    """Return the places that say what the leading documents cover, those of the first document first."""
    leading = evidence.hits[:SCOPE_LEADING]
    documents = dict.fromkeys([*evidence.query.documents, *(hit.document for hit in leading)])
    known = {hit.chunk: hit for hit in evidence.hits}
    found: dict[int, Place] = {}
    for document in list(documents)[:SCOPE_DOCUMENTS]:
        above = {
            clause.label.key
            for hit in leading
            if hit.document == document
            for clause in store.lineage(document, hit.label.key)
        }
        for entry in scopes_of(store, document, above)[:PER_DOCUMENT]:
            path = (str(leading[0].label), str(entry.label)) if leading else ()
            for item in store.chunks(chunks_under(store, document, entry.label)):
                if item.chunk.kind in SHOWN:
                    reached = place(item, 0.0, ("closure",), path=path)
                    found.setdefault(item.id, known.get(item.id, reached))
    return tuple(found.values())


def follow(store: Store, evidence: Evidence, need: Need) -> Iterator[Place]:
    """Yield the places that a need asks for."""
    if need.scope:
        yield from scope_places(store, evidence)
    for link in need.links:
        path = (str(link.from_label), str(link.to_label))
        yield from _shown(store, store.chunks_for(link.to_document, link.to_label)[:1], "reference", path)
    for hit, way in need.near:
        before, after = store.chunk_neighbours(hit.chunk)
        chunks = before[-1:] if way == "before" else after[:1]
        yield from _shown(store, chunks, "closure", (str(hit.label),))


def _shown(store: Store, chunks: Iterable[int], by: Channel, path: tuple[str, ...]) -> Iterator[Place]:
    for item in store.chunks(chunks):
        yield place(item, 0.0, (by,), path=path)


ELSEWHERE = frozenset({"reference", "coverage", "location"})  # intents that name a document to find its name


def of_edition(store: Store, query: Query, document: str) -> str:
    """Return in a sentence that the first document is of another edition than asked for, else ""."""
    infos = store.documents()
    asked = asked_years(fold(query.spelt or query.text), infos, load_lexicon())
    info = store.info(document)
    own = years(info)
    if not asked or not own or own & asked:
        return ""
    name, year = info.designation.partition(":")[0].strip(), max(asked)
    said = set(words(info.edition)) & load_lexicon().edition_words
    edition = info.edition if said else f"{max(own)} edition"
    if any(years(one) & asked for one in infos if work(one) == work(info)):
        return f"This is the {edition}; the {year} edition of {name} is loaded too."
    return f"The {year} edition of {name} is not loaded; this is the {edition}."


def of_absent(store: Store, query: Query, found: Sequence[str]) -> str:
    """Return in a sentence which documents a question is asked of that are not loaded, "" for none.

    One that a question names beside a loaded one, or as what its thing is made to, is asked of nothing.
    """
    text, infos = query.spelt or query.text, store.documents()
    named = () if query.documents or query.intent in ELSEWHERE else absent(text, infos)
    if not named:
        return ""
    keys = {fold_designation(text[start:end]).key for start, end in named}
    told = found[0] if found else ""
    spoken = {fold_designation(told[start:end]).key for start, end in absent(told, infos)}
    asked = any(_inside().search(fold(text[:start])) for start, _ in named)
    return "" if not asked and keys & spoken else not_loaded(text, infos)


@cache
def _inside() -> re.Pattern[str]:
    """Return what finds that an answer is looked for in the document named behind a text."""
    words, articles = (
        "|".join(map(re.escape, map(fold, shipped("retrieval/editions")[name])))
        for name in ("inside", "articles")
    )
    return re.compile(rf"\b(?:{words})(?: (?:{articles}))?\s*$")


def respelt(query: Query) -> Iterator[str]:
    """Yield which words of a question were read as others, each in a sentence."""
    typed, read = words(query.text), words(query.spelt or query.text)
    for one, other in zip(typed, read, strict=False) if len(typed) == len(read) else ():
        if one != other:
            yield f"“{one}” was read as “{other}”"


LEADING = 3  # places that may send a question away
WORDS = 2  # of the question in the sentence, with the name of the document
AWAY = " is not loaded"

_TITLE = re.compile(r"\s?(?:[,:(–—-]\s?)+[“\"‘']?(?P<title>[A-Z][^,;:.()]{3,80})")  # begins with a capital
_WORD = re.compile(r"[^\W\d_]{2,}")


def sent_away(evidence: Evidence) -> str:
    """Return in a sentence to which documents, not loaded, the first places send a question, "" for none."""
    found = dict.fromkeys(name for hit in evidence.hits[:LEADING] for name in _sending(evidence, hit))
    return (
        f"The text refers to another document for this: see {', '.join(found)}, not loaded." if found else ""
    )


def _sending(evidence: Evidence, hit: Place) -> Iterator[str]:
    keys = {label.key for label in (hit.label, *hit.labels)}
    asked = {term.casefold()[:STEM] for term in evidence.query.terms if len(term) > 1}
    shown = flat(hit.text)
    for one in evidence.unresolved:
        if one.document != hit.document or one.source.key not in keys or not one.reason.endswith(AWAY):
            continue
        name, said = one.reason.removesuffix(AWAY), flat(one.text)
        at = shown.find(said)
        spans = sentence_spans(shown) if at >= 0 else ()
        sentence = next((shown[start:end] for start, end in spans if start <= at < end), "")
        title = _TITLE.match(sentence.partition(said)[2])  # printed behind the name
        named = f"{name} {title['title'] if title else ''}"
        if not _sends().search(sentence) or not asked & _stems(named):
            continue
        if len(asked & _stems(f"{sentence} {name}")) >= WORDS:
            yield name


def _stems(text: str) -> set[str]:
    return {word.casefold()[:STEM] for word in _WORD.findall(text)}


@cache
def _sends() -> re.Pattern[str]:
    return re.compile("|".join(shipped("answer/sought")["sending"]["words"]), re.IGNORECASE)
