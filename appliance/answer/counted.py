"""Whether the first statement counts the things that "how many" asks for: else its number is of others.

Rules of this module: pure. Things are counted where a number, in figures or as a word, stands a few words
before them, by any name that the search knows for them. What a row of a table gives stands in its heads.
"""

from __future__ import annotations

import re

from appliance.answer.about import spoken_by
from appliance.answer.findings import Finding
from appliance.core.evidence import Query
from appliance.retrieval.query.decomposition import in_digits
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.text.quantities import counted_words
from appliance.text.terms import fold

BEHIND = 4  # words behind a number within which the things that it counts are named

_COUNTING = re.compile(rf"(?<![\w.,])\d+(?![\w%]|[.,]\d)(?P<behind>(?:\W+[^\W\d_]+){{1,{BEHIND}}})")


def uncounted(query: Query, first: Finding) -> str:
    """Return the things asked for that the first statement does not count, "" where it does or none are."""
    said = [
        word for word in counted_words(fold(query.spelt or query.text)) if word not in load_lexicon().stop
    ]
    if not said or first.marked:
        return ""
    text = in_digits(first.text)
    if any(spoken_by(query, said[-1], found["behind"]) for found in _COUNTING.finditer(text)):
        return ""
    return " ".join(said)
