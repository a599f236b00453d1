"""A thing that a question is about and that no document loaded names: the documents say nothing of it.

Rules of this module: only names that the vocabularies know count ("fire door"), for what they do not know may
be said otherwise. A thing is named where one of its names stands word by word in a place; "steeper" is the
word "steep" (data/answer/unspoken.toml). What makes up less than half of the question is not what it is of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import product

from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.store.channels import ColumnWeights, quoted, search_words
from appliance.store.read import Store
from appliance.text.terms import words

SUBJECT = 0.5  # share of the words of a question from which a name is what it is about


def unspoken(store: Store, query: Query) -> str:
    """Return in a sentence what a question is about and no document names, "" where all is named."""
    for idea in query.concepts:
        is_subject = len(words(idea.words)) >= SUBJECT * len(query.terms)
        if is_subject and not any(_stands(store, name) for name in (idea.words, *idea.others)):
            return f"No document loaded speaks of \u201c{idea.words}\u201d."
    return ""


def _stands(store: Store, name: str) -> bool:
    """Tell whether the words of a name stand next to each other in some place."""
    return any(_is_printed(store, ways) for ways in product(*map(degrees, words(name))))


def _is_printed(store: Store, ways: Iterable[str]) -> bool:
    phrase = " + ".join(quoted(store.connections.stem(word)) for word in ways)
    return bool(search_words(store, "parent", phrase, ColumnWeights(), 1))


def degrees(word: str) -> tuple[str, ...]:
    """Return a folded word and, of one that has degrees, its other forms: "steep", "steeper", "steepest"."""
    return _degrees().get(word, (word,))


@cache
def _degrees() -> dict[str, tuple[str, ...]]:
    """Return the forms of each word with degrees by each of them, that form first."""
    found: dict[str, tuple[str, ...]] = {}
    for base in shipped("answer/given")["asks"]["how"]:
        ways = shipped("answer/unspoken")["degrees"]
        forms = {base, *(re.sub(ends, to, base, count=1) for ends, to in ways if re.search(ends, base))}
        found |= {form: (form, *sorted(forms - {form})) for form in forms}
    return found
