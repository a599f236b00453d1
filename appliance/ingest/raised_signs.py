"""Lines as they are written: a power stays raised, the mark of a footnote leaves the value that it hangs on.

Rules of this module: pure; only what changes a value is written raised: figures and marks behind a figure
("2.1 × 10⁵", never "105"), behind a bracket, and behind the sign of a quantity set in italic or mathematical
type ("v²"). A unit keeps its power plain ("kN/m2"), as everywhere. Pages that were read by character
recognition tell no heights, and stay.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from appliance.ingest.cells import raised
from appliance.ingest.footnotes import Footnote, run_in
from appliance.ingest.marks import is_mark
from appliance.ingest.page import Line, PageLayout, Word

LATIN = 0x370  # the letters of other alphabets come behind
NEAR = 0.3  # type sizes between a raised sign and what it hangs on
_CLOSING = frozenset(")]}")
_RINGS = frozenset("0oO")


def as_written(layouts: Sequence[PageLayout], footnotes: Sequence[Footnote]) -> tuple[PageLayout, ...]:
    """Return the pages with powers written raised, and without the marks of footnotes in words and values."""
    marks: dict[int, set[str]] = {}
    for note in footnotes:
        marks.setdefault(note.lines[0].page, set()).add(note.mark)
    below = {id(line) for note in footnotes for line in note.lines}
    return tuple(
        replace(
            page,
            lines=tuple(
                _written(line, () if id(line) in below else own, digital=page.content.trust == "digital")
                for line in page.lines
            ),
        )
        for page in layouts
        for own in [marks.get(page.content.number, set())]
    )


def _written(line: Line, marks: Collection[str], *, digital: bool) -> Line:
    """Return the line with these marks left out of its text and its powers raised."""
    if not marks and not (digital and any(word.rise > 0 for word in line.words)):
        return line
    text = line.text
    changes = [(place, mark, "") for mark, place in run_in(line, marks)] if marks else []
    left_out = {place for place, _, _ in changes}
    powers = _powers(line) if digital else ()
    changes += [(place, plain, _as_raised(plain)) for place, plain in powers if place not in left_out]
    for place, plain, written in sorted(changes, reverse=True):
        text = f"{text[:place]}{written}{text[place + len(plain) :]}"
    return line if text == line.text else replace(line, text=" ".join(text.split()))


def _as_raised(plain: str) -> str:
    """Return raised text with raised signs; a lone raised ring or nought behind a figure is a degree."""
    return "°" if plain in _RINGS else raised(plain)


def _powers(line: Line) -> Iterator[tuple[int, str]]:
    """Yield the raised signs of a line that change a value, each with its place in the text."""
    at, before, inside = 0, None, False
    for word in line.words:
        place = line.text.find(word.text, at)
        if place < 0:
            return
        if word.rise <= 0:
            before, inside = word, False
        elif before is not None and (inside or _changes(before, word)):
            inside = True
            yield place, word.text
        at = place + len(word.text)


def _changes(before: Word, word: Word) -> bool:
    """Tell whether a raised word changes the value of what it hangs on."""
    if not is_mark(word.text) or word.x0 - before.x1 > NEAR * before.size:
        return False
    if before.text[-1:].isdigit():
        return True
    figures = any(sign.isdigit() for sign in word.text)
    return figures and (before.text[-1:] in _CLOSING or _is_quantity(before))


def _is_quantity(word: Word) -> bool:
    """Tell whether a word ends with the sign of a quantity: a letter of mathematics, or one in italic."""
    sign = word.text[-1:]
    plain = unicodedata.normalize("NFKC", sign)
    if not plain.isalpha():
        return False
    alone = len(word.text.lstrip("([{")) == 1
    return plain != sign or (alone and (word.italic or ord(plain) > LATIN))
