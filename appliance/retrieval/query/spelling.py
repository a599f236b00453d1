"""Words that the library does not hold, corrected by its own words; symbols in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from appliance.core.files import shipped
from appliance.store.channels import Vocabulary
from appliance.store.connection import Stem

SHORTEST = 4  # letters; shorter words have too many neighbours
DOUBLED = 3  # letters of a word that may lack one of two like letters
USUAL = (
    0.01  # share of the searched chunks that hold the word which one of the fewest letters is put right to
)
SHORT = 5  # letters up to which a letter may be missing, added or swapped, not another one
LONG = 9  # letters from which two edits are allowed


class Speller:
    """Corrects the words of questions against one library; answers are remembered.

    `real` are words that are spelt well, whether the library holds them or not.
    """

    def __init__(self, vocabulary: Vocabulary, stem: Stem, real: Collection[str] = ()) -> None:
        self._vocabulary = vocabulary
        self._stem = stem
        self._real = real
        self.correct = lru_cache(maxsize=10_000)(self._correct)

    def _correct(self, word: str) -> str:
        """Return the word, or the nearest word of the library where the library holds no form of it."""
        known = self._vocabulary.spellings
        if len(word) < DOUBLED or not word.isalpha():
            return word
        if word in known or self._stem(word) in self._vocabulary.chunks:
            return word
        near = process.extract(
            word, known.keys(), scorer=OSA.distance, score_cutoff=2 if len(word) >= LONG else 1, limit=8
        )
        ranked = [
            (distance, -known[other], other)
            for other, distance, _ in near
            if (_is_slip(word, other) if len(word) >= SHORTEST else _is_doubled(word, other))
            and self._is_usual(word, other)
            and (word not in self._real or _is_swap(word, other) or _is_variant(word, other))
        ]
        return min(ranked)[2] if ranked else word

    def _is_usual(self, word: str, other: str) -> bool:
        """Tell whether a word is so usual that a shortest one may be a slip for it: "mars" is no "marks"."""
        usual = self._vocabulary.spellings[other] >= USUAL * self._vocabulary.total
        return len(word) > SHORTEST or usual or _lacks_vowel(word, other)


def _is_slip(word: str, other: str) -> bool:
    """Tell whether a word may be a slip of the pen for another: it begins alike and is no form of it."""
    if other[0] != word[0] or other.startswith(word) or word.startswith(other):
        return False
    return len(word) > SHORT or len(word) != len(other) or sorted(word) == sorted(other)


def _is_doubled(word: str, other: str) -> bool:
    """Tell whether another word is this one with one of its letters twice."""
    return any(word[:at] + sign + word[at:] == other for at, sign in enumerate(word))


def _lacks_vowel(word: str, other: str) -> bool:
    """Tell whether a word has no vowel and is another one without its only vowel."""
    vowels = frozenset(shipped("retrieval/spelling")["vowels"])
    return vowels.isdisjoint(word) and "".join(sign for sign in other if sign not in vowels) == word


def _is_swap(word: str, other: str) -> bool:
    """Tell whether two words have the same letters: many a name is a slip of the pen for a word."""
    return sorted(word) == sorted(other)


def _is_variant(word: str, other: str) -> bool:
    """Tell whether two spellings are of one word."""
    return any(word.replace(one, two) == other or word.replace(two, one) == other for one, two in _variants())


@cache
def _variants() -> Sequence[tuple[str, str]]:
    return [(one, two) for one, two in shipped("retrieval/spelling")["variants"]]


# a Greek letter with its index
_SIGN = re.compile(r"[\u0391-\u03a9\u03b1-\u03c9][^\W_]{0,4}")


def is_sign(text: str) -> bool:
    """Tell whether a text is a symbol that begins with a Greek letter ("ψ0") and nothing else."""
    return _SIGN.fullmatch(unicodedata.normalize("NFKC", text.strip())) is not None
