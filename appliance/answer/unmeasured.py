"""Whether the first statement gives what is measured of what is asked about: else it is no sure answer.

Rules of this module: only questions for one value in so many words (single.py) are looked at, and but for
the first rule running text only: what a row gives stands in its heads. Where documents define the very word
for what is measured ("going"), the first statement names it. It holds a quantity of a kind asked for; and a
sentence with such a one, its heading or the sentence that leads up to it names a thing asked about. A heading
far above that names it otherwise ("dwellings" for "houses") is of much else too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from appliance.answer.about import spoken_by, stems_of, things
from appliance.answer.findings import Finding
from appliance.answer.measured import numbers_of
from appliance.answer.single import asks_one_value
from appliance.answer.sought import kinds_held
from appliance.core.evidence import FOR_A_VALUE, Query
from appliance.core.files import shipped
from appliance.retrieval.ask import index_of
from appliance.store.read import Store
from appliance.text.sentences import sentence_spans
from appliance.text.terms import fold, words

_LEADING = re.compile(r":(?=\s|$)")


def unmeasured(store: Store, query: Query, first: Finding) -> str:
    """Return in a sentence what the first statement lacks of what is measured, "" where it lacks nothing."""
    if query.intent not in FOR_A_VALUE or not asks_one_value(query):
        return ""
    place = first.place
    over = " ".join((place.title, *place.heading_path))
    said = " ".join((over, first.text, *first.named, *(quote.text for quote in first.quotes)))
    for word in _defined_measures(store, query):
        if not spoken_by(query, word, said):
            return f"The first statement does not name \u201c{word}\u201d."
    if first.marked or place.kind == "figure":
        return ""
    return _unheld(query, first, said)


def _unheld(query: Query, first: Finding, said: str) -> str:
    """Return in a sentence that running text gives no quantity of the kind asked for, or of another thing."""
    kinds, asked = frozenset(query.kinds), [word for word in things(query) if word not in _bounds()]
    if not kinds & kinds_held(said):
        return f"The first statement gives no value of the kind asked for ({', '.join(sorted(kinds))})."
    holding = list(_holding(first.text, kinds))
    if not asked or not holding or numbers_of(query.spelt or query.text):
        return ""
    path = first.place.heading_path
    near, far = " ".join((first.place.title, *path[-1:])), stems_of(" ".join(path))
    if any(stems_of(word) <= far for word in asked):
        return ""
    if any(spoken_by(query, word, f"{near} {text}") for word in asked for text in holding):
        return ""
    return "The first statement gives a value of another thing than asked about."


def _defined_measures(store: Store, query: Query) -> Iterator[str]:
    """Yield the words for what is measured that a question says and a document defines."""
    said = set(words(query.spelt or query.text))  # a term is used in any form: "go" is no "going"
    for term in index_of(store).terms.used(query.spelt or query.text):
        word = fold(term.term)
        if word in said and _measures().fullmatch(word):
            yield word


def _holding(text: str, kinds: frozenset[str]) -> Iterator[str]:
    """Yield each sentence with a quantity of these kinds, behind the one that leads up to a list with it."""
    leading = ""
    for span in sentence_spans(text):
        sentence = text[slice(*span)]
        if kinds & kinds_held(sentence):
            yield f"{leading} {sentence}"
        if _LEADING.search(sentence):
            leading = sentence


@cache
def _bounds() -> frozenset[str]:
    """Return the words that bound a value and name no thing: "minimum"."""
    return frozenset(word for known in shipped("answer/columns")["bounds"].values() for word in known)


@cache
def _measures() -> re.Pattern[str]:
    return re.compile("|".join(shipped("answer/given")["asks"]["measures"]))
