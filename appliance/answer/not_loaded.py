"""What a question asks for that the library does not hold, and documents that the text sends to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from appliance.core.evidence import Evidence, Place, Query, Unresolved
from appliance.core.files import shipped
from appliance.retrieval.query.documents import absent, asked_years, not_loaded, work, years
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.store.read import Store
from appliance.store.values import DocumentInfo
from appliance.text.designations import fold_designation
from appliance.text.sentences import sentence_spans
from appliance.text.terms import fold, words

ELSEWHERE = frozenset({"reference", "coverage", "location"})  # intents that name a document to find its name


def of_edition(store: Store, query: Query, document: str) -> str:
    """Return in a sentence that the first document is of another edition than asked for, else ""."""
    infos = store.documents()
    asked = asked_years(fold(query.spelt or query.text), infos, load_lexicon())
    info = store.info(document)
    editions = [one for one in infos if work(one) == work(info)]
    return _another(info, asked, loaded=any(years(one) & asked for one in editions)) if asked else ""


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


def _another(info: DocumentInfo, asked: frozenset[str], *, loaded: bool) -> str:
    """Return in a sentence that a document is of another edition than asked for, "" where it may be that."""
    own = years(info)
    if not own or own & asked:
        return ""
    name, year = info.designation.partition(":")[0].strip(), max(asked)
    said = set(words(info.edition)) & load_lexicon().edition_words
    edition = info.edition if said else f"{max(own)} edition"
    if loaded:
        return f"This is the {edition}; the {year} edition of {name} is loaded too."
    return f"The {year} edition of {name} is not loaded; this is the {edition}."


def respelt(query: Query) -> Iterator[str]:
    """Yield which words of a question were read as others, each in a sentence."""
    typed, read = words(query.text), words(query.spelt or query.text)
    for one, other in zip(typed, read, strict=False) if len(typed) == len(read) else ():
        if one != other:
            yield f"\u201c{one}\u201d was read as \u201c{other}\u201d"


LEADING = 3  # places that may send a question away
WORDS = 2  # of the question in the sentence, with the name of the document
AWAY = " is not loaded"

_TITLE = re.compile(r"\s?(?:[,:(–—-]\s?)+[“\"‘']?(?P<title>[A-Z][^,;:.()]{3,80})")  # begins with a capital
_WORD = re.compile(r"[^\W\d_]{2,}")


def sent_away(evidence: Evidence) -> str:
    """Return in a sentence to which documents, not loaded, the first places send a question, "" for none."""
    found = dict.fromkeys(
        name for hit in evidence.hits[:LEADING] for name in _sending(evidence.query, hit, evidence.unresolved)
    )
    if not found:
        return ""
    return f"The text refers to another document for this: see {', '.join(found)}, not loaded."


def _sending(query: Query, hit: Place, unresolved: tuple[Unresolved, ...]) -> Iterator[str]:
    keys = {label.key for label in (hit.label, *hit.labels)}
    asked = {term.casefold()[:5] for term in query.terms if len(term) > 1}
    for one in unresolved:
        if one.document != hit.document or one.source.key not in keys or not one.reason.endswith(AWAY):
            continue
        name = one.reason.removesuffix(AWAY)
        sentence = _sentence(hit.text, one.text)
        named = f"{name} {_title_behind(sentence, one.text)}"
        if not _sends().search(sentence) or not asked & _stems(named):
            continue
        if len(asked & _stems(f"{sentence} {name}")) >= WORDS:
            yield name


def _title_behind(sentence: str, words: str) -> str:
    """Return what is printed behind a name up to the end of its part of the sentence, "" for no title."""
    behind = sentence.partition(" ".join(words.split()))[2]
    found = _TITLE.match(behind)
    return found["title"] if found else ""


def _sentence(text: str, words: str) -> str:
    """Return the sentence of a text that holds the words of a reference, "" for none."""
    flat = " ".join(text.split())
    at = flat.find(" ".join(words.split()))
    return next((flat[a:b] for a, b in sentence_spans(flat) if a <= at < b), "") if at >= 0 else ""


def _stems(text: str) -> set[str]:
    return {word.casefold()[:5] for word in _WORD.findall(text)}


@cache
def _sends() -> re.Pattern[str]:
    data = shipped("answer/sought")
    return re.compile("|".join(data["sending"]["words"]), re.IGNORECASE)
