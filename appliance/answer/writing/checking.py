"""Does the code say what a language model wrote? Decided without a model, sentence by sentence.

Rules of this module: pure functions of text. A written sentence is confirmed where one sentence or one row
of a table that it cites says the same (`compression.py`): no word more, and none less that could be a
condition. Right words put together from different sentences are not confirmed: that is how a number comes to
stand beside the wrong name. What is not surely held is not confirmed; it costs the reader a look at the
quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.answer.writing.compression import difference, held_by_row
from appliance.answer.writing.sentences import Sentence
from appliance.answer.writing.strange import marked_up
from appliance.answer.writing.words import content, linking, naming
from appliance.ingest.sentences import sentence_spans
from appliance.quantity import unit_behind

FOLLOWING = 6  # letters behind a clause number that tell whose number it is
LONGEST = 600  # characters of a statement; a longer one is no short statement of one thing

_SAID = re.compile(r"\w")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_MARKER = re.compile(
    r"^[ \t]*(?:[A-Z]{1,3}\.?)?\d+(?:\.\d+)*\.?[ \t]+(?=[^\W\d_]|\()|^[ \t]*\(\d{1,2}\)P?[ \t]+", re.MULTILINE
)
_ITEM = re.compile(r"\s*(?:[–—•·-]|\(?(?:[a-z]|[ivx]+|\d{1,2})[).])\s")  # how an item of a list begins


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence of the code: its text with what introduces it.

    Of a row of a table the heads above it, and how many of its first cells tell it from others.
    """

    text: str
    doubt: str
    heads: tuple[str, ...] = ()
    keys: int = 0


def check(text: str, cited: Sequence[Sentence]) -> str:
    """Return why a statement is not confirmed by the sentences that it cites, "" where it is."""
    if not cited:
        return "no sentence of the evidence is cited for this"
    copied = [item.doubt for item in cited if any(not difference(text, whole)[0] for whole in _whole(item))]
    if copied:
        return min(copied)
    stretches = [stretch for sentence in cited for stretch in stretches_of(sentence)]
    plain = without_names(_without_printed_markers(text, cited), cited)
    written = [plain[start:end] for start, end in sentence_spans(plain)]
    if not any(map(content, written)) or not any(map(_SAID.search, written)):
        return "it says nothing that could be compared with the quoted text"
    return "; ".join(dict.fromkeys(filter(None, (_unheld(item, stretches) for item in written))))


def refused(text: str) -> str:
    """Return why a statement is not shown at all, "" where it may be."""
    if found := marked_up(text):
        return f"it holds markup or an address (“{found.group()[:30]}”)"
    return "it is no short statement" if len(text) > LONGEST or not _LETTERS.search(text) else ""


def stretches_of(sentence: Sentence) -> Iterator[Stretch]:
    """Yield the sentences of the code behind a numbered one; a row of a table with its headers is one."""
    if len(sentence.held) > 1:
        if sentence.place.kind in {"table", "figure"}:
            yield Stretch(sentence.text, sentence.doubt, sentence.held[:-1], sentence.keys)
        else:
            yield Stretch(" ".join(map(without_markers, sentence.held)), sentence.doubt)
        return
    introduction = ""
    for text in map(without_markers, sentence.held):
        for start, end in sentence_spans(text):
            own = text[start:end]
            if _ITEM.match(own):
                own = f"{introduction} {own}".strip()
            else:
                introduction = own
            yield Stretch(own, sentence.doubt)


def without_markers(text: str) -> str:
    """Return a text of the code without the numbers of its clauses and paragraphs: they are no values.

    The marks of list items stay, for they tell a list.
    """
    return _MARKER.sub("", text)


def _without_printed_markers(text: str, cited: Sequence[Sentence]) -> str:
    """Return a statement without the clause numbers that it copies; one that it invents stays a number."""
    printed = {_begun(found) for item in cited for held in item.held for found in _MARKER.finditer(held)}
    return _MARKER.sub(lambda found: "" if _begun(found) in printed else found.group(), text)


def _begun(marker: re.Match[str]) -> str:
    """Return a clause number with the letters that follow it, so that no other clause lends its number."""
    return f"{marker.group().strip()} {marker.string[marker.end() : marker.end() + FOLLOWING].casefold()}"


def without_names(text: str, cited: Sequence[Sentence]) -> str:
    """Return a statement without the names of the places that it cites: they are no values.

    Only what is surely a name is taken out: in square brackets, or behind a word such as "clause" and
    before no unit.
    """
    labels = {str(quote.label) for sentence in cited for quote in sentence.quotes}
    labels |= {f"{q.document} {q.label}" for sentence in cited for q in sentence.quotes}
    for label in sorted(labels, key=len, reverse=True):
        name = re.escape(label)
        text = re.sub(rf"\[{name}\]", " ", text)
        named = rf"(?:{naming()})\s+{name}" if label[:1].isdigit() else name
        pattern = re.compile(rf"(?<!\w){named}(?![\w%°]|[.,]\d)", re.IGNORECASE)
        text = pattern.sub(
            lambda found: found.group() if unit_behind(found.string, found.end()) else " ", text
        )
    return text


def _whole(sentence: Sentence) -> tuple[str, ...]:
    """Return the texts that are a whole sentence; one of several may be an item without its introduction."""
    return (sentence.text, *(sentence.held if len(sentence.held) == 1 else ()))


def _unheld(written: str, stretches: Sequence[Stretch]) -> str:
    """Return why no stretch holds a written sentence, the reason of the one that comes nearest."""
    if not _SAID.search(written):
        return ""
    faults = [_fault(written, stretch) for stretch in stretches]
    return min(faults, default=(0, "nothing is quoted for it"))[1]


def _fault(written: str, stretch: Stretch) -> tuple[int, str]:
    """Return how far a stretch is from holding a written sentence, and why; (0, "") where it holds it."""
    apart, why = difference(written, stretch.text, linking() if stretch.heads else ())
    row = bool(stretch.heads) and held_by_row(written, stretch.text, stretch.heads, stretch.keys)
    if apart and not row:
        return 1 + apart, why
    return (1, stretch.doubt) if stretch.doubt else (0, "")
