"""The languages in which a text names parts of codes: "Tabelle 5.1", "Tableau 5.1".

Rules of this module: pure over the words in `data/references/languages`; a language is spoken where a word
that is its own, and no English one, stands before a number.
"""

from __future__ import annotations

import re
from functools import cache

from appliance.ingest.grammar.words import fold_word, load_words
from appliance.paths import data_folder

_NUMBERED = re.compile(r"(?<!\w)(?P<word>[^\W\d_]{2,20}\.?)\s+(?:\(?[A-Z]{0,2}\.?\d|[A-Z](?!\w))")


def spoken(text: str) -> tuple[str, ...]:
    """Return the languages, besides English, of the words before the numbers of a text."""
    words = {fold_word(match["word"]) for match in _NUMBERED.finditer(text)}
    return tuple(language for language, names in _names().items() if words & names)


def names_part(word: str) -> bool:
    """Tell whether a word names a kind of part in any language."""
    folded = fold_word(word)
    return folded in load_words("").names or any(folded in names for names in _names().values())


@cache
def _names() -> dict[str, frozenset[str]]:
    """Return what names a part in each language and not in English."""
    english = load_words("").names.keys()
    paths = sorted((data_folder() / "references" / "languages").glob("*.toml"))
    return {path.stem: frozenset(load_words("", path.stem).names.keys() - english) for path in paths}
