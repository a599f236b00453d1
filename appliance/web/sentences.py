"""Fixed sentences of the engine in the language of the page: each a template, known again by its pattern.

Rules of this module: the engine speaks English and knows no page. A sentence that fits a template is said
with the catalogue's words and the values found in it; one that fits none is shown as it is, marked as
English. A value is put in as it stands, but for those named in WORDS and INNER, whose own words are said.
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup, escape

from appliance.web.language import DEFAULT, language, later, say

INNER = frozenset({"why", "first"})  # values that are sentences themselves
WORDS = frozenset({"kinds", "ways", "state", "event", "what"})  # values that are words of ours, by commas
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
}
WELL_KNOWN = (
    # why an answer is as sure as it is
    later("estimated chance %(number)s in 10"),
    later("nothing is stated"),
    later("the first statement fits the question well"),
    later("the first statement fits the question only in part"),
    later("it is defined in so many words"),
    later("a number was asked for: compare it with the page"),
    later("the first statement is a row of a table: check row and column"),
    later("%(one)s and %(other)s give different numbers"),
    later("a %(what)s decides about the first place (%(place)s)"),
    later("%(number)s of %(all)s statements not confirmed (%(why)s)"),
    later("the first document cited is %(state)s"),
    later("first place found by %(ways)s"),
    later("the question is only partly met by the documents"),
    later("the first statements hold %(share)s of the words of the question"),
    later("%(number)s references could not be followed"),
    later("no place of the documents is cited for this"),
    later("not in the quoted text: %(words)s"),
    later("read with doubt: %(words)s; compare it with the page"),
    # what was not found
    later("No place found gives a %(what)s in %(unit)s or the like."),
    later("No place found gives a %(what)s."),
    later("No statement found gives a value of the kind asked for (%(kinds)s); the nearest clauses:"),
    later("no word of the question occurs in the documents"),
    later("the nearest places bear too little on the question (relevance %(number)s)"),
    later("The documents loaded have no %(names)s."),
    later("%(names)s are not loaded."),
    later("%(names)s is not loaded."),
    later("%(document)s has no %(names)s."),
    # which side of two decides, what is open
    later("The national annex decides over the recommended value."),
    later("The later edition decides: %(edition)s."),
    later("Not decided by the documents: ask before you rely on either value."),
    later("stands in %(place)s, which is open"),
    later("the selected text names %(place)s"),
    later("the selected text stands in it"),
    # how well a document was read
    later("%(number)s of %(all)s pages are worth a look."),
    later("%(number)s of %(all)s pages is worth a look."),
    later("See what was reported."),
    later("What was doubtful has been checked by a person."),
    later("Nothing speaks against the reading."),
    later("It has no pages."),
    later("%(number)s of %(all)s pages have no text."),
    later("%(number)s of %(all)s tables and figures are missing."),
    later("No text could be read on this page."),
    later("Nothing of this page is in the library, which is right for an empty one only."),
    later("Hardly a word was read here, and no table or figure: a drawing may have been missed."),
    later("“%(name)s” is printed here; no table was found for it."),
    later("“%(name)s” is printed here; no figure was found for it."),
    later("%(names)s is spoken of here and not found."),
    later("%(names)s are spoken of here and not found."),
    later("%(table)s was read with one column only."),
    later("%(table)s was read with one row only."),
    later("%(table)s has %(number)s empty cells of %(all)s."),
    later("%(table)s has no heading over %(number)s of its %(all)s columns."),
    later("%(number)s of %(all)s words look misread (%(words)s)."),
    later(
        "%(number)s places of %(name)s were read with doubt: compare them with the image."
        " The first: %(first)s"
    ),
    later("%(number)s places were read with doubt: compare them with the image. The first: %(first)s"),
    later("%(first)s The same is so of %(number)s more on this page."),
    later("%(number)s numbers are skipped between the %(all)s clauses found."),
    later("%(number)s of the %(all)s references inside the document lead nowhere."),
    # the health of the box
    later("Disk"),
    later("Memory"),
    later("Notes of the site"),
    later("Access"),
    later("Language model"),
    later("Updates"),
    later("Prepared update"),
    later("Last scrub"),
    later("%(free)s of %(all)s GiB free"),
    later("remove files of your own"),
    later("nothing can be written down now"),
    later("can be written"),
    later("asks each device for the access code once"),
    later("open to everybody on this network"),
    later("none; answers are quotations"),
    later("writes answers; one now, nobody waiting"),
    later("writes answers; one now, %(number)s waiting"),
    later("writes answers; none now, nobody waiting"),
    later("writes answers; none now, %(number)s waiting"),
    later("version %(number)s is served"),
    later("%(names)s is damaged"),
    later("the state of the box cannot be read"),
    later("one is copied and verified; nobody has agreed to it yet"),
    later("the files were never read again"),
    later("every byte read again and found right, at an unknown time"),
    later("every byte read again and found right, %(time)s"),
    later("a file was found changed, at an unknown time"),
    later("a file was found changed, %(time)s"),
    # the figures of the service
    later("Questions"),
    later("Time of an answer, ms"),
    later("Longest queue"),
    later("Answers of the language model"),
    later("Longest queue of the model"),
    later("answered"),
    later("not found"),
    later("failed"),
    later("written"),
    later("given up"),
    later("half within"),
    later("95 of 100 within"),
    # kinds of quantity, and of what decides
    later("length"),
    later("area"),
    later("volume"),
    later("time"),
    later("temperature"),
    later("angle"),
    later("slope"),
    later("share"),
    later("mass"),
    later("force"),
    later("pressure"),
    later("density"),
    later("weight density"),
    later("line load"),
    later("flow"),
    later("rate of change"),
    later("speed"),
    later("data rate"),
    later("power"),
    later("energy"),
    later("light"),
    later("sound"),
    later("current"),
    later("voltage"),
    later("national choice"),
    later("amendment"),
)
_VALUE = re.compile(r"%\((\w+)\)s")


def said(text: str) -> Markup:
    """Return a sentence of the engine for the page: in its language, else as it is and marked as English."""
    found = worded(text)
    if found is None and language() != DEFAULT and text:
        return Markup('<span lang="en">{}</span>').format(text)
    return escape(text if found is None else found)


def worded(text: str) -> str | None:
    """Return a sentence of the engine in the language of the page, None for one that is not known."""
    if text in REWORDED:
        return say(REWORDED[text])
    for template, pattern in _patterns():
        if found := pattern.fullmatch(text):
            return say(template, **{name: _value(name, value) for name, value in found.groupdict().items()})
    return None


def _value(name: str, value: str) -> str:
    if name in INNER:
        return worded(value) or value
    if name in WORDS:
        return ", ".join(dict.fromkeys(worded(word) or word for word in value.split(", ")))
    return value


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return every template with its pattern, those with the most fixed words first."""
    fixed = sorted(WELL_KNOWN, key=lambda template: -len(_VALUE.sub("", template)))
    return tuple((template, _pattern(template)) for template in fixed)


def _pattern(template: str) -> re.Pattern[str]:
    pieces = _VALUE.split(template)  # fixed words and names of values in turn
    return re.compile(
        "".join(f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)),
        re.DOTALL,
    )
