"""Does the code say what a language model wrote? Decided without a model, statement by statement.

Rules of this module: pure functions of text. A statement is confirmed where one stretch of consecutive
sentences or one row of a table that it cites says the same as the whole of it (`compression.py`): no word
more, and none less that could be a condition. Right sentences put together from different places are not
confirmed: that is how a condition comes to stand beside the wrong rule. What is not surely held is not
confirmed; it costs the reader a look at the quotation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.answer.writing.compression import difference
from appliance.answer.writing.rowwise import held_by_row
from appliance.answer.writing.sentences import Sentence
from appliance.answer.writing.strange import marked_up
from appliance.answer.writing.stretches import CUT, Stretch, stands_whole, stretches_of, without_names
from appliance.answer.writing.tokens import SEPARATORS
from appliance.answer.writing.words import content, linking

LONGEST = 600  # characters of a statement; a longer one is no short statement of one thing

_LETTERS = re.compile(r"[^\W\d_]{2}")


def check(text: str, cited: Sequence[Sentence]) -> str:
    """Return why a statement is not confirmed by the sentences that it cites, "" where it is."""
    if not cited:
        return "no sentence of the evidence is cited for this"
    same = (item for item in cited if any(not difference(text, whole)[0] for whole in _whole(item)))
    if copied := [item.doubt or ("" if stands_whole(item) else CUT) for item in same]:
        return min(copied)
    if not content(text):
        return "it says nothing that could be compared with the quoted text"
    faults = (
        _fault(written, stretch)
        for sentence in cited
        for written in dict.fromkeys((text, without_names(text, sentence)))
        for stretch in stretches_of(sentence, len(written))
    )
    return min(faults, default=(0, "nothing is quoted for it"))[1]


def refused(text: str) -> str:
    """Return why a statement is not shown at all, "" where it may be."""
    if found := marked_up(text):
        return f"it holds markup or an address (“{found.group()[:30]}”)"
    return "it is no short statement" if len(text) > LONGEST or not _LETTERS.search(text) else ""


def _whole(sentence: Sentence) -> tuple[str, ...]:
    """Return the texts that are a whole sentence; one of several may be an item without its introduction."""
    return (sentence.text, *(sentence.held if len(sentence.held) == 1 else ()))


def _fault(written: str, stretch: Stretch) -> tuple[int, str]:
    """Return how far a stretch is from holding a statement, and why; (0, "") where it holds it."""
    if not stretch.heads:
        apart, why = min(difference(written, text) for text in stretch.texts)
    elif held_by_row(written, stretch.texts[0], stretch.heads, stretch.keys):
        apart, why = 0, ""
    else:
        apart, why = _from_row(written, stretch.texts[0])
    if apart:
        return 1 + apart, why
    return (1, stretch.doubt) if stretch.doubt else (0, "")


def _from_row(written: str, row: str) -> tuple[int, str]:
    """Return how far a statement is from a whole row, and why; words such as "of" are the last reason."""
    exact = difference(written, row, SEPARATORS)
    loose = difference(written, row, linking() | SEPARATORS) if exact[0] else exact
    return loose if loose[0] else exact
