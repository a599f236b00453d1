"""Statements for another class than the one that a question names: "category 3" where 1 is asked about.

Rules of this module: pure. A class is a word for one with a number or a letter behind it; a list ("categories
2 and 3") names several. What a statement is for, its title and the nearest heading that names such a class
tell, before them its own words. One for another class stands behind the first that is for none or for the
right one and gives what is asked as well; nothing is left out. Words: data/answer/columns.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from appliance.answer.findings import Finding, holds_what_is_asked
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.text.stems import STEM, singular

READ = 8  # statements among which one for the right class is looked for

_CODE = r"(?:\d{1,2}[A-Za-z]?|[A-Z]\d?|[IVX]{1,4})"

Classes = Mapping[str, frozenset[str]]


def right_class_first(query: Query, chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, before those for another class than asked about one that is not."""
    if not chosen or not another_class(query, chosen[0]):
        return tuple(chosen)
    least = holds_what_is_asked(query, chosen[0].text)
    for finding in chosen[1:READ]:
        if not another_class(query, finding) and holds_what_is_asked(query, finding.text) >= least:
            return (finding, *(item for item in chosen if item is not finding))
    return tuple(chosen)


def another_class(query: Query, finding: Finding) -> bool:
    """Tell whether a finding is for another class than the question names.

    A place that the question names by its label is for what it is.
    """
    if "exact" in finding.place.found_by:
        return False
    place = finding.place
    over = (place.title, *reversed(place.heading_path))
    for word, asked in classes(query.spelt or query.text).items():
        for text in (finding.text, *over):
            held = classes(text).get(word, frozenset())
            if held & asked:
                break
            if held and text is not finding.text:  # what a text compares itself with is not what it is for
                return True
    return False


def classes(text: str) -> Classes:
    """Return the classes that a text names, by the first letters of the word for them."""
    found: dict[str, frozenset[str]] = {}
    for word, code in _named(text):
        found[word] = found.get(word, frozenset()) | {code}
    return found


def _named(text: str) -> Iterator[tuple[str, str]]:
    for match in _pattern().finditer(text):
        for code in re.findall(rf"\b{_CODE}\b", match["codes"]):
            yield singular(match["word"].casefold())[:STEM], code.casefold()


@cache
def _pattern() -> re.Pattern[str]:
    data = shipped("answer/columns")
    words = "|".join(re.escape(word) for word in data["classes"])
    between = "|".join(map(re.escape, (*data["joining"], *data["spanning"])))
    return re.compile(
        rf"\b(?P<word>(?i:{words}))\s(?P<codes>{_CODE}(?:\s?(?:{between})\s?{_CODE})*)\b(?![.:]\d)"
    )
