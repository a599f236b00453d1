"""Of what a column that answers gives a measure: "Depth of seal" gives none of the washbasin itself.

Rules of this module: pure. A row names the thing asked about, its column may measure a part of it or what
serves it. Only a head that says so itself is looked at: a measure, a word such as "of", a thing. A thing that
neither the question names, by any name that the search knows for it, nor the row is another one; some words
only name the measure with it ("angle of repose"). Words: data/answer/columns.toml, the quantities of
data/retrieval/parts.toml.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from appliance.answer.about import stems_of
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.text.terms import fold, words

_BRACKETED = re.compile(r"\([^()]*\)")
_ENDS = re.compile(r"[(\[/,;:]")


def of_another(query: Query, heads: Sequence[str], rows: Collection[str]) -> str:
    """Return the thing that all heads over an answer measure where neither question nor rows name it.

    `rows` are the names of the rows; "" where a head says nothing of the kind.
    """
    asked = stems_of(query.spelt or query.text) & _measures()
    named = [
        head for head in heads if asked & stems_of(head)
    ]  # beside one that is asked for others say nothing
    owners = [owner_of(head) for head in named or heads]
    said = stems_of(query.spelt or query.text).union(
        *(stems_of(way) for idea in query.concepts for way in (idea.words, *idea.others)),
        *map(stems_of, rows),
    )
    strange = all((telling := _telling(owner)) and said.isdisjoint(telling) for owner in owners)
    return owners[0] if owners and strange else ""


def owner_of(head: str) -> str:
    """Return the words for the thing whose measure a head names, folded: "seal" of "Depth of seal (mm)"."""
    first, _, behind = _of().sub("\0", fold(head), count=1).partition("\0")
    before = words(_BRACKETED.sub(" ", first))
    if not behind or not before or not stems_of(before[-1]) & _measures():
        return ""
    return _ENDS.split(_behind().split(behind)[0])[0].strip()


def _telling(owner: str) -> set[str]:
    """Return the stems of the words that tell a thing, none where they are of the measure itself."""
    said = [word for word in words(owner) if word not in load_lexicon().stop]
    return set() if set(said) & set(shipped("answer/columns")["abstract"]) else stems_of(" ".join(said))


@cache
def _measures() -> frozenset[str]:
    known = (*shipped("retrieval/parts")["quantities"], *shipped("answer/columns")["shortened"])
    return frozenset().union(*map(stems_of, known))


@cache
def _of() -> re.Pattern[str]:
    return _any("owning")


@cache
def _behind() -> re.Pattern[str]:
    return _any("behind")


def _any(name: str) -> re.Pattern[str]:
    known = sorted(shipped("answer/columns")[name], key=lambda word: (-len(word), word))
    return re.compile(rf"\s(?:{'|'.join(map(re.escape, known))})\s")
