"""What a question wants, and whether a text holds it: its words by stems, the kind of thing asked for."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from appliance.answer.verify import phrases
from appliance.core.document import Label
from appliance.core.evidence import Query
from appliance.text.quantities import asked_kinds, kinds_in
from appliance.text.stems import STEM, asked_stem, held_stems, singular
from appliance.text.terms import fold

ANY_NUMBER = 0.25  # worth of a number that is not of the kind asked for
OBLIGING = frozenset({"requirement", "procedure", "applicability"})  # intents that ask for a duty
KEPT = 64  # questions whose terms are kept as they are compared

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W_]{2,}")


def covered(query: Query, text: str) -> float:
    """Return the share (0..1) of the question's words that occur in the text, with other endings too."""
    wanted = _term_stems(query.terms, query.spelt or query.text)
    return len(wanted & held_stems(text)) / len(wanted) if wanted else 0.0


def holds_what_is_asked(query: Query, text: str) -> float:
    """Return how far (0..1) the text holds the kind of thing asked for: 1 for a quantity of that kind."""
    asked = asked_kinds(fold(query.spelt or query.text))
    if asked:
        if kinds_in(text) & asked:
            return 1.0
        return ANY_NUMBER if _DIGIT.search(text) else 0.0
    if query.intent == "value":
        return float(bool(_DIGIT.search(text)))
    if query.intent in OBLIGING:
        return float(bool(obligation().search(text)))
    return 0.0


def named_besides(query: Query) -> bool:
    """Tell whether a question says more than labels and documents, by the first letters of its terms."""
    named = (*query.labels, *query.documents)
    names = {word[:STEM] for name in named for word in re.findall(r"[^\W_]+", fold(name))}
    terms = {word[:STEM] for term in query.terms for word in re.findall(r"[^\W_]+", fold(term))}
    return bool(terms - names)


def is_asked(query: Query, label: Label) -> bool:
    """Tell whether a question names a label as it is printed, with a word before it or without."""
    own, named = fold(str(label)), map(fold, query.labels)
    return any(name == own or name.endswith(f" {own}") for name in named)


@lru_cache(KEPT)
def _term_stems(terms: tuple[str, ...], text: str) -> frozenset[str]:
    typed = {singular(word) for word in _WORD.findall(text.casefold())}
    return frozenset(
        asked_stem(term, whole=singular(term.casefold()) in typed) for term in terms if len(term) > 1
    )


@cache
def obligation() -> re.Pattern[str]:
    """Return what finds a duty or a permission."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases('obligations')))})\b", re.IGNORECASE)
