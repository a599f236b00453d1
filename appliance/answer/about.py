"""The words of a question that may name a thing, and whether a text speaks of one by any name that is known.

Rules of this module: pure. Words of what is measured and numbers name no thing.
"""

from __future__ import annotations

import re

from appliance.core.evidence import Query
from appliance.text.quantities import all_kinds
from appliance.text.stems import STEM, asked_stems, held_stems
from appliance.text.terms import fold

LONG = 4  # letters of a word that may name a thing
SHORTEST = 3  # letters of a term by which its word is told

_WORD = re.compile(r"[^\W\d_]{2,}")


def things(query: Query) -> list[str]:
    """Return the words of the question that may name a thing, as typed."""
    folded = fold(query.spelt or query.text)
    measures = [pattern for kind in all_kinds() for pattern in kind.words(folded)]
    taken = {
        word for pattern in measures for found in pattern.finditer(folded) for word in _words(found.group())
    }
    # a stem may end otherwise than its word: "parti" of "party", "wall" of "walls"
    terms = tuple(term.casefold()[: max(min(len(term), STEM) - 1, SHORTEST)] for term in query.terms)
    words = [word for word in _words(folded) if len(word) >= LONG and word not in taken]
    return [word for word in dict.fromkeys(words) if word.startswith(terms)]


def spoken_by(query: Query, word: str, text: str) -> bool:
    """Tell whether a text holds a word of the question, or the whole of another name of an idea it is of."""
    held = stems_of(text)
    ideas = (idea for idea in query.concepts if stems_of(word) & stems_of(idea.words))
    ways = [word, *(way for idea in ideas for way in idea.others if stems_of(way))]
    return any(asked_stems(_words(fold(way))) <= held for way in ways)


def stems_of(text: str) -> set[str]:
    """Return the words of a text by the letters by which they are compared."""
    return held_stems(" ".join(_words(fold(text))))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
