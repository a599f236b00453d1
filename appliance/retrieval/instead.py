"""The words that one library is searched for in place of those that it does not hold.

Rules of this module: pure. What stands under [instead] of the vocabularies is a wider or a neighbouring
word: right only where a library does not know the one asked with, or says it in passing. A library that
speaks of handrails is not searched for barriers when a handrail is asked for; one that knows none is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from appliance.retrieval.lexicon import Lexicon, Words
from appliance.store.channels import Vocabulary
from appliance.store.tokenizer import Stem

TIMES = 10  # times more chunks must hold the other word than the one asked with

Directed = tuple[tuple[Words, tuple[Words, ...]], ...]

_KNOWN: WeakKeyDictionary[Vocabulary, dict[Directed, Directed]] = WeakKeyDictionary()


def of_library(lexicon: Lexicon, vocabulary: Vocabulary, stem: Stem) -> Lexicon:
    """Return the words with what a library holds instead of those that it does not hold."""
    known = _KNOWN.setdefault(vocabulary, {})
    given = tuple(lexicon.instead.items())
    if given not in known:
        known[given] = tuple(_nearest(lexicon, vocabulary, stem))
    return replace(lexicon, nearest=known[given])


def _nearest(
    lexicon: Lexicon, vocabulary: Vocabulary, stem: Stem
) -> Iterator[tuple[Words, tuple[Words, ...]]]:
    def held(phrase: Words) -> int:
        return min((vocabulary.chunks.get(stem(word), 0) for word in phrase), default=0)

    for asked, others in lexicon.instead.items():
        if found := tuple(other for other in others if held(other) > TIMES * held(asked)):
            yield asked, found
