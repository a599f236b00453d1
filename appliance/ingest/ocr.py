"""Pages without a usable text layer, read from their pictures: words with boxes like any other page's.

Rules of this module: the recogniser is started at the first page that needs it and never for a
document that needs none; the page is drawn by `render`, straightened, read by `ocr_process` and
measured by `ocr_words`, so that all later steps are the same as for a born-digital page. Whatever
fails costs one page and is a problem with that page; that pages were read this way is said once for
each reason; a number that was read with doubt is kept as read and is a problem with its box.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from appliance.document import Problem
from appliance.ingest.ocr_pages import (
    LOOK,
    Why,
    agrees,
    from_ink,
    from_words,
    is_strange,
    keeps,
    of_no_language,
)
from appliance.ingest.ocr_process import START_SECONDS, Pixels, ReadFailed, Recogniser, Unavailable
from appliance.ingest.ocr_words import of_one_size, words_in
from appliance.ingest.page import PageContent, Source, Word, box_on, whole
from appliance.ingest.render import grey_pages
from appliance.ingest.straighten import angle_of, turned_back
from appliance.settings import IngestSettings

INCH = 72.0  # points
SURE = 0.8  # a number read with a lower score is doubtful
SAMPLE = 10  # pages of an invisible layer that are compared with their pictures
DOUBTS = 20  # doubtful numbers of one page that are named one by one
SETTLED = 3  # layers in a row that were kept after all: those of the other suspects are, too
FAILURES = 3  # pages in a row that failed: the recogniser itself is broken, the rest is not tried

Waiting = Callable[[float], object]


@dataclass(frozen=True, slots=True)
class Recognised:
    """The source with its pages read, and what there is to say of them."""

    source: Source
    problems: tuple[Problem, ...] = ()


def with_recognised_pages(
    source: Source,
    path: Path,
    limits: IngestSettings,
    *,
    waiting: Waiting = lambda _: None,
    recogniser: Recogniser | None = None,
) -> Recognised:
    """Return the source with the words of its unusable pages read from their pictures.

    `waiting` is told how many seconds the reading may take before it begins.
    """
    needed = _needed(source, path)
    strange = _strange(source, needed)
    if not needed:
        return Recognised(source, strange)
    waiting(START_SECONDS + len(needed) * limits.ocr_seconds_per_page)
    run = _Run(path, limits)
    with recogniser or Recogniser(limits) as reader:
        pages = {page.number: page for page in of_one_size(list(run.pages(source, needed, reader)))}
    merged = tuple(pages.get(page.number, page) for page in source.pages)
    return Recognised(replace(source, pages=merged), (*run.problems, *_said(needed, pages), *strange))


def _needed(source: Source, path: Path) -> dict[int, Why]:
    """Return the pages to read, each with its reason.

    Of invisible layers, made by one program in one run, a sample is compared with the ink, and all are
    where one of the sample does not lie on it.
    """
    suspects = {page.number: why for page in source.pages if (why := from_words(page))}
    hidden = [page.number for page in source.pages if page.trust == "ocr" and page.number not in suspects]
    sample = set(hidden[:: max(1, len(hidden) // SAMPLE)])
    needed = _seen(source, path, sorted({*suspects, *sample}), suspects)
    if Why.ELSEWHERE in needed.values():
        needed |= _seen(source, path, [number for number in hidden if number not in sample], suspects)
    return dict(sorted(needed.items()))


def _seen(source: Source, path: Path, numbers: Sequence[int], suspects: Mapping[int, Why]) -> dict[int, Why]:
    """Return those of the pages whose ink, too, says that they must be read."""
    looked = grey_pages(path, numbers, LOOK) if numbers else ()
    found = {
        number: from_ink(source.pages[number - 1], pixels, suspects.get(number)) for number, pixels in looked
    }
    return {number: why for number, why in found.items() if why is not None}


@dataclass(slots=True)
class _Run:
    """The reading of one document's pages, and what went wrong in it."""

    path: Path
    limits: IngestSettings
    problems: list[Problem] = field(default_factory=list)

    def pages(self, source: Source, needed: Mapping[int, Why], reader: Recogniser) -> Iterator[PageContent]:
        """Yield the pages that were read and whose layer does not say the same."""
        failures, same = 0, 0
        for number, why in needed.items():
            if why is Why.GARBLED and same == SETTLED:
                continue  # a language whose common words, or a script that, is not known: the layers are good
            try:
                read = self._page(source.pages[number - 1], reader)
                failures = 0
            except Unavailable as reason:
                lost = [n for n in needed if n >= number]
                self.problems.append(_not_read(lost, str(reason), passing=reason.passing))
                return
            except (ReadFailed, *_DRAWING) as error:
                passing = getattr(error, "passing", False)
                message = f"The characters of page {number} were not read: {error}."
                self.problems.append(Problem(message, number, passing=passing))
                failures += 1
                if failures == FAILURES:
                    rest = [n for n in needed if n > number]
                    if rest:
                        why_not = f"{FAILURES} pages in a row had failed."
                        self.problems.append(_not_read(rest, why_not, passing=passing))
                    return
                continue
            layer = source.pages[number - 1].words
            if keeps(why, layer, read[0].words, read[2]):
                same = same + 1 if same < SETTLED else same
                if not agrees(layer, read[0].words):
                    self.problems.append(_kept(source.pages[number - 1]))
                continue
            same = 0
            self.problems += read[1]
            if read[2] < SURE and is_strange(read[0].words):
                message = f"What was read from the picture of page {number} is of no known language:"
                told = f"{message} the recogniser may not know its script. Look at the page itself."
                self.problems.append(Problem(told, number, doubt=True))
            yield read[0]

    def _page(self, page: PageContent, reader: Recogniser) -> tuple[PageContent, list[Problem], float]:
        """Return the page with the words of its picture, its doubtful numbers, and how sure it was."""
        pixels = self._pixels(page)
        angle = angle_of(pixels)
        straight = turned_back(pixels, angle)
        pairs = words_in(reader.read(straight), straight, page.width / straight.shape[1])
        words = tuple(word for word, _ in pairs)
        read = replace(page, words=words, trust="ocr" if words else "none", turned=angle)
        return read, _doubts(read, pairs), sum(score for _, score in pairs) / max(1, len(pairs))

    def _pixels(self, page: PageContent) -> Pixels:
        width = max(1, round(page.width / INCH * self.limits.ocr_dots_per_inch))
        for _, pixels in grey_pages(self.path, [page.number], width):
            return pixels
        message = "the page cannot be drawn"
        raise ReadFailed(message)


_DRAWING = (OSError, ValueError, MemoryError)  # of a page whose picture is broken


def _doubts(page: PageContent, pairs: Sequence[tuple[Word, float]]) -> list[Problem]:
    """Return a problem with its box for each number that the recogniser was not sure of."""
    doubtful = [word for word, score in pairs if score < SURE and re.search(r"\d", word.text)]
    problems = []
    for word in doubtful[:DOUBTS]:
        box = box_on(page, word.x0, word.y0, word.x1, word.y1)
        message = f"“{word.text}” on page {page.number} was read with doubt: compare it with the image."
        problems.append(Problem(message, page.number, box, doubt=True))
    if len(doubtful) > DOUBTS:
        message = f"{len(doubtful) - DOUBTS} more numbers of page {page.number} were read with doubt."
        problems.append(Problem(message, page.number, doubt=True))
    return problems


def _not_read(numbers: Sequence[int], reason: str, *, passing: bool) -> Problem:
    message = f"The characters of {_pages(numbers)} were not read from the picture. {reason}"
    return Problem(message, numbers[0], passing=passing)


def _kept(page: PageContent) -> Problem:
    message = f"The text layer of page {page.number} holds no words of a known language, and its picture"
    return Problem(f"{message} could not be read better: compare it with the page.", page.number, doubt=True)


def _strange(source: Source, needed: Mapping[int, Why]) -> tuple[Problem, ...]:
    """Return that layers in a script that cannot be read from a picture are of no known language."""
    pages = [page for page in source.pages if page.number not in needed and page.words]
    numbers = [page.number for page in pages if of_no_language(page.words)]
    if not numbers or not of_no_language([word for page in pages for word in page.words]):
        return ()
    message = f"The text layer of {_pages(numbers)} holds no common words of a language that is known here,"
    told = f"{message} and is in a script that is not read from pictures: compare one page with its image."
    return (Problem(told, numbers[0], doubt=True),)


def _said(needed: Mapping[int, Why], pages: Mapping[int, PageContent]) -> Iterator[Problem]:
    """Yield one problem for each reason for which pages were read from their pictures."""
    for why in Why:
        numbers = [number for number in pages if needed[number] is why]
        if numbers:
            message = f"The text of {_pages(numbers)} was read from the picture: {why.value}."
            yield Problem(message, numbers[0], whole(pages[numbers[0]]))


def _pages(numbers: Sequence[int]) -> str:
    """Return page numbers as words: "page 3", "pages 1 to 4, 7"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    ]
    named = ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"page{'s' if len(numbers) > 1 else ''} {named}"
