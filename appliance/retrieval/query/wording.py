"""The words of a question put right: misspelt ones by those of the library, a foreign language by a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from appliance.core.files import data_folder, shipped
from appliance.core.mechanisms import mechanism
from appliance.store.channels import Vocabulary
from appliance.store.connection import Stem
from appliance.text.language import language_of_few
from appliance.text.terms import fold

SHORTEST = 4  # letters; shorter words have too many neighbours
DOUBLED = 3  # letters of a word that may lack one of two like letters
USUAL = 0.01  # of the searched chunks hold the word which one of the fewest letters is put right to
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
            (distance, -known[other], other) for other, distance, _ in near if self._may_mean(word, other)
        ]
        return min(ranked)[2] if ranked else word

    def _may_mean(self, word: str, other: str) -> bool:
        """Tell whether a word may be a slip of the pen for another one of the library."""
        swapped = sorted(word) == sorted(other)
        if len(word) < SHORTEST:  # the other one is this one with one of its letters twice
            slip = any(word[:at] + sign + word[at:] == other for at, sign in enumerate(word))
        else:  # it begins alike and is no form of it
            form = other.startswith(word) or word.startswith(other)
            slip = other[0] == word[0] and not form
            slip = slip and (len(word) > SHORT or len(word) != len(other) or swapped)
        if slip and len(word) <= SHORTEST:  # only for a usual word: "mars" is no "marks"
            vowels = frozenset(shipped("retrieval/spelling")["vowels"])
            bare = "".join(sign for sign in other if sign not in vowels)
            usual = self._vocabulary.spellings[other] >= USUAL * self._vocabulary.total
            slip = usual or (vowels.isdisjoint(word) and bare == word)  # or without its only vowel
        return slip and (word not in self._real or swapped or _is_variant(word, other))


def _is_variant(word: str, other: str) -> bool:
    """Tell whether two spellings are of one word: many a name is a slip of the pen for a word."""
    pairs: Sequence[tuple[str, str]] = shipped("retrieval/spelling")["variants"]
    return any(word.replace(one, two) == other or word.replace(two, one) == other for one, two in pairs)


_SIGN = re.compile(r"[\u0391-\u03a9\u03b1-\u03c9][^\W_]{0,4}")  # a Greek letter with its index


def is_sign(text: str) -> bool:
    """Tell whether a text is a symbol that begins with a Greek letter ("ψ0") and nothing else."""
    return _SIGN.fullmatch(unicodedata.normalize("NFKC", text.strip())) is not None


# -- a question in a language that no document is in, put into theirs by a table of the words of the trade

INTO = "en"  # the language that the tables lead to
SHARE = 0.5  # of the words of a question that its language knows, at least
PHRASE = 3  # words of an entry at most
LEAST = 3  # letters of a part of a compound
TELLING = 5  # letters of a word that tells of which language a question is
ENDINGS = ("", "n", "en", "e", "s", "es", "er", "em", "ern")  # of an inflected word, and between parts
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@mechanism(
    "query.translation",
    "A question in a language that no document is in is put into theirs by a table of words.",
    without=lambda text, _languages, _printed=(): (text, ""),
)
def translated(text: str, languages: Collection[str], printed: Collection[str] = ()) -> tuple[str, str]:
    """Return a question in English with the language it was in; as it is, and "", where it needs no table.

    `languages` are those of the documents, `printed` their words: one of these tells no other language.
    What the table does not know stays as it was typed.
    """
    if INTO not in languages or language_of_few(text) == INTO:
        return text, ""
    for path in sorted((data_folder() / "retrieval" / "translation").glob("*.toml")):
        if path.stem in languages:
            continue
        found = list(_WORD.finditer(text))
        known, own, reached = 0, False, 0
        made: list[str] = []
        for at, end, said in _put([fold(word.group()) for word in found], _table(path.stem)):
            if said is None:
                continue
            start, stop = found[at].start(), found[end - 1].end()
            typed = fold(text[start:stop])
            known += end - at
            own |= typed != said and len(typed) >= TELLING and typed not in printed
            made += [text[reached:start], said]
            reached = stop
        if own and known >= SHARE * len(found):
            return " ".join("".join([*made, text[reached:]]).split()), path.stem
    return text, ""


def _put(folded: Sequence[str], table: Mapping[str, str]) -> list[tuple[int, int, str | None]]:
    """Return from which word to which an entry reaches, and what it says, None for nothing."""
    found: list[tuple[int, int, str | None]] = []
    at = 0
    while at < len(folded):
        phrases = (
            (end, " ".join(folded[at:end])) for end in range(min(at + PHRASE, len(folded)), at + 1, -1)
        )
        entries = ((end, said) for end, phrase in phrases if (said := _whole(phrase, table)) is not None)
        end, put = next(entries, (at + 1, _word(folded[at], table)))
        found.append((at, end, put))
        at = end
    return found


def _whole(said: str, table: Mapping[str, str]) -> str | None:
    """Return what an entry says, looked up as it stands or without its ending; None for unknown."""
    tried = (said.removesuffix(ending) for ending in ENDINGS if said.endswith(ending))
    return next((table[one] for one in tried if one in table), None)


def _word(word: str, table: Mapping[str, str]) -> str | None:
    """Return what a word is in English, whole or as a compound of two; None for unknown."""
    if (said := _whole(word, table)) is not None:
        return said
    for at in range(len(word) - LEAST, LEAST - 1, -1):
        first = _whole(word[:at], table) or _whole(f"{word[:at]}e", table)  # "Schulflur": "Schule"
        if first and (second := _word(word[at:], table)):
            return f"{first} {second}"
    return None


@cache
def _table(language: str) -> Mapping[str, str]:
    rows = shipped(f"retrieval/translation/{language}")["words"]
    return {fold(word): said for said, each in rows.items() for word in each}
