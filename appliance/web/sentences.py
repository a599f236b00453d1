"""Fixed sentences of the engine in the language of the page: each a template, known again by its pattern.

Rules of this module: the engine speaks English and knows no page. A sentence that fits a template of
`locale/engine.txt` is said with the catalogue's words and the values found in it; one that fits none is shown
as it is, marked as English. A value is put in as it stands, but for those named in WORDS and INNER, whose
own words are said.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from appliance.web.language import DEFAULT, language, later, say

TEMPLATES = Path(__file__).parent / "locale" / "engine.txt"
INNER = frozenset({"why", "first", "count"})  # values that are sentences themselves
WORDS = frozenset({"kinds", "ways", "state", "event", "what"})  # values that are words of ours, by commas
MEASURED = frozenset({"free", "all"})  # what the box counts itself: never a number of a code
COMMA = frozenset({"de"})  # languages that write a comma before the decimals
REWORDED = {
    "1 references could not be followed": later("1 reference could not be followed"),
    "1 reference could not be followed": later("1 reference could not be followed"),
    "its words": later("its words"),
    "its meaning": later("its meaning"),
    "references": later("references"),
    "its number": later("its number"),
    "lexical": later("its words"),
    "dense": later("its meaning"),
    "graph": later("references"),
    "reference": later("references"),
    "label": later("its number"),
    "query": later("reading the question"),
    "encode": later("turning the question into numbers"),
    "rerank": later("judging the first places"),
    "closure": later("following references"),
    "ranking": later("ordering the places"),
    "fusion": later("joining the searches"),
    "places": later("reading the places"),
}
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_VALUE = re.compile(r"%\((\w+)\)s")


def templates() -> tuple[str, ...]:
    """Return the templates of the sentences that the page knows."""
    lines = TEMPLATES.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def said(text: str) -> Markup:
    """Return a sentence of the engine for the page: in its language, else as it is and marked as English."""
    found = worded(text)
    if found is None and language() != DEFAULT and text:
        return Markup('<span lang="en" data-untold>{}</span>').format(text)
    return escape(text if found is None else found)


def worded(text: str) -> str | None:
    """Return a sentence of the engine in the language of the page, None for one that is not known."""
    if text in REWORDED:
        return say(REWORDED[text])
    for template, pattern in _patterns():
        if found := pattern.fullmatch(text):
            values = {name: _value(name, value) for name, value in found.groupdict().items()}
            if all(value is not None for value in values.values()):
                return say(template, **values)
    return None


def _value(name: str, value: str) -> str | None:
    """Return a value in the language of the page, None where it should be words of ours and is none."""
    if name in INNER:
        return worded(value) or value
    if name in WORDS:
        said = [worded(word) for word in value.split(", ")]
        return ", ".join(dict.fromkeys(word for word in said if word)) if all(said) else None
    if name in MEASURED and language() in COMMA:
        return _POINT.sub(",", value)
    return value


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return every template with its pattern, those with the most fixed words first."""
    fixed = sorted(templates(), key=lambda template: -len(_VALUE.sub("", template)))
    return tuple((template, _pattern(template)) for template in fixed)


def _pattern(template: str) -> re.Pattern[str]:
    pieces = _VALUE.split(template)  # fixed words and names of values in turn
    return re.compile(
        "".join(f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)),
        re.DOTALL,
    )
