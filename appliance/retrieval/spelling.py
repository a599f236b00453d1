"""Words that the library does not hold, put right by its own words.

Rules of this module: a word is only changed when the library does not know its stem, it is long
enough to tell, and a known word is near enough; numbers and names are never changed,
nor is a word whose only fault is an ending that the library does not print ("wide" for "wider"). Distance is
Damerau-Levenshtein with adjacent swaps (optimal string alignment), from rapidfuzz.
"""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from appliance.store.channels import Vocabulary
from appliance.store.tokenizer import Stem

SHORTEST = 4  # letters; shorter words have too many neighbours
USUAL = (
    0.01  # share of the searched chunks that hold the word which one of the fewest letters is put right to
)
SHORT = 5  # letters up to which a letter may be missing, added or swapped, not another one
LONG = 9  # letters from which two edits are allowed


class Speller:
    """Corrects the words of questions against one library; answers are remembered."""

    def __init__(self, vocabulary: Vocabulary, stem: Stem) -> None:
        self._vocabulary = vocabulary
        self._stem = stem
        self.correct = lru_cache(maxsize=10_000)(self._correct)

    def _correct(self, word: str) -> str:
        """Return the word, or the nearest word of the library where the library holds no form of it."""
        known = self._vocabulary.spellings
        if len(word) < SHORTEST or not word.isalpha():
            return word
        if word in known or self._stem(word) in self._vocabulary.chunks:
            return word
        near = process.extract(
            word, known.keys(), scorer=OSA.distance, score_cutoff=2 if len(word) >= LONG else 1, limit=8
        )
        ranked = [
            (distance, -known[other], other)
            for other, distance, _ in near
            if _is_slip(word, other) and self._is_usual(word, other)
        ]
        return min(ranked)[2] if ranked else word

    def _is_usual(self, word: str, other: str) -> bool:
        """Tell whether a word is so usual that a shortest one may be a slip for it: "mars" is no "marks"."""
        return len(word) > SHORTEST or self._vocabulary.spellings[other] >= USUAL * self._vocabulary.total


def _is_slip(word: str, other: str) -> bool:
    """Tell whether a word may be a slip of the pen for another: it begins alike and is no form of it."""
    if other[0] != word[0] or other.startswith(word) or word.startswith(other):
        return False
    return len(word) > SHORT or len(word) != len(other) or sorted(word) == sorted(other)
