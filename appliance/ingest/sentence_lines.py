"""Which lines of a page are sentences: a document named in one is cited, not the document itself.

Rules of this module: pure; of any language and family. Type larger than the text of the document is a
sentence only with a full stop at its end. Lines close below one another in one type are read together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from appliance.ingest.page import Line, PageLayout

LARGE = 1.15  # of the usual type size: a title
NEAR = 0.9  # of the type size: white space within a paragraph
LEAST = 4  # words in small letters that a sentence has
_SMALL = re.compile(r"(?<![\w-])[^\W\d_A-Z]{2,}(?!\w)")
_NUMBERED = re.compile(r"\(?[A-Z]{0,2}\.?\d+(?:[.\-/]\d+)*[).]?\s")
_STOPS = re.compile(r"[.;][\"”’)\]]*$")
_ENDS = re.compile(r"[.;:!?][\"”’)\]]*$")


def in_sentences(lines: Sequence[Line], layouts: Sequence[PageLayout]) -> frozenset[int]:
    """Return the places of the lines of a page that belong to sentences."""
    usual = usual_size(layouts)
    found = set[int]()
    for run in _runs(lines):
        text = " ".join(lines[at].text for at in run)
        large = lines[run[0]].size >= LARGE * usual
        stops = _STOPS if large else _ENDS
        numbered = not large and _NUMBERED.match(text)
        if len(_SMALL.findall(text)) >= LEAST and (numbered or stops.search(text)):
            found.update(run)
    return frozenset(found)


def usual_size(layouts: Sequence[PageLayout]) -> float:
    """Return the type size, in points, of most characters of a document."""
    sizes = Counter[float]()
    for page in layouts:
        for line in page.lines:
            sizes[round(line.size, 1)] += sum(map(str.isalpha, line.text))  # not the dots of a contents list
    return max(sizes, key=lambda size: (sizes[size], -size), default=0.0)


def _runs(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Yield the places of lines that stand close below one another in one type."""
    run: list[int] = []
    for at, line in enumerate(lines):
        if run:
            above = lines[run[-1]]
            alike = abs(line.size - above.size) < 0.1 * above.size
            if not alike or line.y0 - above.y1 > NEAR * line.size or line.y1 < above.y0:
                yield run
                run = []
        run.append(at)
    if run:
        yield run
