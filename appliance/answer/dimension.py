"""Which of the lengths a question asks for, and whether a text gives that one: a width is no height.

Rules of this module: pure. A question asks for one dimension where its words name exactly one. A text gives
it where a length and a word of that dimension stand in one sentence ("at least 7 m from" is a distance); it
gives another one where its lengths stand with words of others alone. What names none tells nothing. Words:
data/answer/sought.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.text.quantities import quantities
from appliance.text.terms import fold

KEPT = 256  # questions of which is remembered what they ask for
LENGTH = "length"  # the kind of quantity that has dimensions

_PARTS = re.compile(r"[.;:](?=\s)|\n|[()|]")


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension with the words that ask for it and those that stand beside a length of it."""

    name: str
    asked: re.Pattern[str] | None
    said: re.Pattern[str]


def asked_dimension(query: Query) -> str:
    """Return the one dimension that a question asks for, "" for none or several."""
    return _asked(fold(query.spelt or query.text)) if LENGTH in query.kinds else ""


@lru_cache(KEPT)
def _asked(folded: str) -> str:
    found = [known.name for known in _dimensions() if known.asked and known.asked.search(folded)]
    return found[0] if len(found) == 1 else ""


def other_dimension(query: Query, texts: Sequence[str]) -> str:
    """Return in a sentence that the first text gives another dimension than asked for, "" for none."""
    name = asked_dimension(query)
    other = another(texts[0], name) if name and texts else ""
    if not other:
        return ""
    return f"A length of another kind is asked for ({name}) than the first statement gives ({other})."


def gives(text: str, name: str) -> bool:
    """Tell whether a text gives a length of a dimension."""
    return name in set(_given(text))


def another(text: str, name: str) -> str:
    """Return the dimension of which a text gives lengths, where it gives none of the one named."""
    found = list(dict.fromkeys(_given(text)))
    return found[0] if found and name not in found else ""


@lru_cache(KEPT)
def dimensions(text: str) -> frozenset[str]:
    """Return the dimensions whose words stand in a text."""
    folded = fold(text)
    return frozenset(known.name for known in _dimensions() if known.said.search(folded))


def _given(text: str) -> Iterator[str]:
    for part in _PARTS.split(text):
        lengths = [one for one in quantities(part) if LENGTH in one.kinds]
        own = [_adjoining().match(fold(part[one.end :]).lstrip()) for one in lengths]
        for word in dict.fromkeys(found.group() for found in own if found):
            yield from (known.name for known in _dimensions() if known.said.fullmatch(word))
        if not all(own):
            folded = fold(part)
            yield from (known.name for known in _dimensions() if known.said.search(folded))


@cache
def _adjoining() -> re.Pattern[str]:
    """Return what finds the word right behind a length that says of what it is."""
    return re.compile(rf"(?:{'|'.join(shipped('answer/sought')['adjoining']['words'].split())})\b")


@cache
def _dimensions() -> tuple[Dimension, ...]:
    return tuple(
        Dimension(name, _words(entry["asked"]) if "asked" in entry else None, _words(entry["said"]))
        for name, entry in shipped("answer/sought")["dimensions"].items()
    )


def _words(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words.split())})\b")
