"""A question in a language that no document is in, put into theirs by a table of the words of the trade."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache

from appliance.core.files import data_folder, shipped
from appliance.core.mechanisms import mechanism
from appliance.text.language import language_of_few
from appliance.text.terms import fold

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
        words = list(_WORD.finditer(text))
        put = _put(words, _table(path.stem))
        known = sum(end - start for start, end, said in put if said is not None)
        own = any(
            _tells(fold(text[words[at].start() : words[end - 1].end()]), said, printed)
            for at, end, said in put
        )
        if own and known >= SHARE * len(words):
            return _joined(text, words, put), path.stem
    return text, ""


def _tells(word: str, said: str | None, printed: Collection[str]) -> bool:
    """Tell whether a word is one of the other language alone."""
    return said not in {None, word} and len(word) >= TELLING and word not in printed


def _put(words: list[re.Match[str]], table: Mapping[str, str]) -> list[tuple[int, int, str | None]]:
    """Return from which word to which an entry reaches, and what it says, None for nothing."""
    folded = [fold(word.group()) for word in words]
    found: list[tuple[int, int, str | None]] = []
    at = 0
    while at < len(folded):
        ends = range(min(at + PHRASE, len(folded)), at + 1, -1)
        end = next((end for end in ends if _whole(" ".join(folded[at:end]), table) is not None), at + 1)
        said = _whole(" ".join(folded[at:end]), table) if end > at + 1 else _word(folded[at], table)
        found.append((at, end, said))
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


def _joined(text: str, words: list[re.Match[str]], put: list[tuple[int, int, str | None]]) -> str:
    """Return the text with what is put in place of its words."""
    made, reached = [], 0
    for start, end, said in put:
        if said is not None:
            made += [text[reached : words[start].start()], said]
            reached = words[end - 1].end()
    return " ".join("".join([*made, text[reached:]]).split())


@cache
def _table(language: str) -> Mapping[str, str]:
    rows = shipped(f"retrieval/translation/{language}")["words"]
    return {fold(word): said for said, each in rows.items() for word in each}
