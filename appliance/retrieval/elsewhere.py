"""Documents that a question names by their number and that are not loaded: an answer says so before all else.

Rules of this module: pure but for the numbering schemes of data/schemes, which tell how documents are
numbered or lettered ("EN 1992-1-1", "ISO 10211", "Approved Document E"), and for the short forms that mean
one ("EC2"). A name in words is not looked for, nor anything in a question that is in capitals throughout.
A series of which a part is loaded is loaded, and so is a document that is loaded under a longer name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from appliance.ingest.designations import ANNEX, fold_designation, names_of
from appliance.ingest.schemes import load_schemes
from appliance.retrieval.editions import mentioned
from appliance.retrieval.naming import annexes, short_forms
from appliance.store.values import DocumentInfo

DIGITS = 3  # of a number of a document, with its parts; fewer may be said of anything

_LETTERED = re.compile(r"\w \w+ [A-Z]$")  # a document of a series by its letter, behind two words


def not_loaded(text: str, documents: Sequence[DocumentInfo]) -> str:
    """Return in a sentence which documents a text names that are not loaded, "" for none."""
    named = list(dict.fromkeys(" ".join(text[a:b].split()) for a, b in absent(text, documents)))
    if not named:
        return ""
    *others, last = named
    return f"{', '.join(others)} and {last} are not loaded." if others else f"{last} is not loaded."


def absent(text: str, documents: Sequence[DocumentInfo]) -> tuple[tuple[int, int], ...]:
    """Return where a text names documents that are not loaded, in order, none inside another."""
    if text == text.upper():
        return ()
    loaded = mentioned(text, documents)
    keys = {name.key for info in documents for name in names_of(info)}
    annexed = {(start, end): key for start, end, key in annexes(text)}
    found: list[tuple[int, int]] = []
    for span in sorted({*_named(text), *annexed}, key=lambda span: (span[0], -span[1])):
        key = annexed.get(span) or fold_designation(text[slice(*span)]).key
        apart = () if span in annexed else loaded  # what is named in it is another document
        taken = any(a < span[1] and span[0] < b for a, b in (*apart, *found))
        own = {known for known in keys if known.startswith(ANNEX) or span not in annexed}
        if not taken and not any(_is_of(key, known) or _is_of(known, key) for known in own):
            found.append(span)
    return tuple(found)


def _named(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text names documents, loaded or not, as they are numbered and in short forms."""
    for found in (one for pattern in _numbers() for one in pattern.finditer(text)):
        numbered = sum(map(str.isdigit, found.group())) >= DIGITS or _LETTERED.search(found.group())
        if numbered and _stands_alone(found):
            yield found.span()
    yield from ((start, end) for start, end, _ in short_forms(text))


def _is_of(key: str, known: str) -> bool:
    """Tell whether a name is a loaded one, one with fewer letters before it, or the series of it."""
    at = known.find(key)
    ends = at + len(key) if at >= 0 else -1
    return at >= 0 and not known[at - 1 : at].isdigit() and known[ends : ends + 1] in {"", "-", ":"}


@cache
def _numbers() -> tuple[re.Pattern[str], ...]:
    return tuple(pattern for scheme in load_schemes() for pattern in scheme.designations)


def _stands_alone(found: re.Match[str]) -> bool:
    around = found.string[found.start() - 1 : found.start()] + found.string[found.end() : found.end() + 1]
    return not any(map(str.isalnum, around))
