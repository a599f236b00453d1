"""Text in pictures on pages that have text of their own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from appliance.core.document import Problem
from appliance.core.settings import IngestSettings
from appliance.ingest.ocr.pages import Recognised, Waiting, page_pixels
from appliance.ingest.ocr.process import START_SECONDS, Pixels, ReadFailed, Recogniser, Unavailable
from appliance.ingest.ocr.rules_and_drawings import strokes_in
from appliance.ingest.ocr.word_boxes import INK, lines_in, runs_of
from appliance.ingest.page import (
    Area,
    PageContent,
    Rectangle,
    Source,
    Stroke,
    Word,
    area_of,
    around,
    box_of,
    shifted,
)
from appliance.ingest.pdf.reader import counted, said_invisible
from appliance.ingest.pdf.rendering import grey_pages

WIDE, HIGH = 80.0, 11.0  # points: a picture with a line of text is no smaller
SHARE = 0.004  # idem, of the page
NEAR = 36.0  # points from a picture to its caption
TILES = 200  # pictures of one page that may be parts of one another; more are a pattern
TOUCH = 2.0  # points between the parts of one picture
PAPER, WHITE = 0.6, 200  # of a picture with text is lighter than that
STRIP = 60.0  # points
TYPE = (3.5, 18.0)  # points: height of the letters of a line
LEVEL = 0.7  # of the height of the higher of two pictures that stand in one line
LETTER = 12.0  # points: the widest one
LEAST = 20  # letters of a picture with text
IN_LINES = 0.6  # of its ink
BLOT = 1.5  # points around what is no ink of the picture's text
NUMBER = 1.4  # times its height: width of a picture that may hold a number of several signs
COLUMN = 3  # heights at which such pictures begin at one distance from the left edge


def picture_areas(page: PageContent) -> list[Area]:
    """Return the areas of a page's pictures that are large enough to hold text, parts of one joined.

    Parts touch one another, or stand in one line of type: its words may be pictures of their own.
    """
    areas = [
        Area(max(0.0, p.x0), max(0.0, p.y0), min(page.width, p.x1), min(page.height, p.y1))
        for p in page.pictures
    ]
    areas = [area for area in areas if area.width > 0 and area.height > 0]

    def touch(one: Area, other: Area) -> bool:
        high = max(one.height, other.height)
        level = min(one.y1, other.y1) - max(one.y0, other.y0) >= LEVEL * high
        gap = high if high <= TYPE[1] and level else TOUCH
        beside = one.x0 - gap <= other.x1 and other.x0 - gap <= one.x1
        return beside and one.y0 - TOUCH <= other.y1 and other.y0 - TOUCH <= one.y1

    joined: list[Area] = []
    for area in areas if len(areas) <= TILES else ():
        one = area
        while near := [other for other in joined if touch(one, other)]:
            joined = [other for other in joined if other not in near]
            one = around([one, *near])
        joined.append(one)
    return [
        area
        for area in joined or areas
        if area.width >= WIDE
        and area.height >= HIGH
        and area.width * area.height >= SHARE * page.width * page.height
    ]


def number_areas(pages: Sequence[PageContent]) -> dict[int, list[Area]]:
    """Return by page the areas of small pictures that may be the printed numbers of lines of live text.

    They are as high as type, wider than high, open a line or stand in one alone, several at one distance.
    """
    found = {
        page.number: [one for one in map(area_of, page.pictures) if _opens_line(page, one)] for page in pages
    }
    every = [area for areas in found.values() for area in areas]

    def heights(one: Area) -> int:  # a logo in the head of each page stands at one
        return len({round(other.y0) for other in every if abs(other.x0 - one.x0) <= TOUCH})

    kept = {number: [one for one in areas if heights(one) >= COLUMN] for number, areas in found.items()}
    return {number: areas for number, areas in kept.items() if areas}


def _opens_line(page: PageContent, area: Area) -> bool:
    if not TYPE[0] <= area.height <= TYPE[1] or area.width < NUMBER * area.height or area.width >= WIDE:
        return False
    level = LEVEL * area.height
    line = [word for word in page.words if min(area.y1, word.y1) - max(area.y0, word.y0) >= level]
    return not line or -TOUCH <= min(word.x0 for word in line) - area.x1 <= NEAR


def captioned(page: PageContent, area: Area, names: Collection[str]) -> bool:
    """Tell whether a row of type above or below a picture begins with a word of captions and a number."""
    beside = [word for word in page.words if word.x1 > area.x0 and word.x0 < area.x1]
    near = [w for w in beside if 0 <= w.y0 - area.y1 <= NEAR or 0 <= area.y0 - w.y1 <= NEAR]
    for word in near:
        if word.text.strip(".:").casefold() not in names:
            continue
        row = [other for other in page.words if word.y0 < (other.y0 + other.y1) / 2 < word.y1]
        after = min((other for other in row if other.x0 >= word.x1), key=lambda w: w.x0, default=None)
        begins = all(other is word or other.x0 > word.x0 for other in row)
        if begins and after is not None and any(sign.isdigit() for sign in after.text):
            return True
    return False


def holds_text(pixels: Pixels, scale: float, live: Sequence[Word], rules: Sequence[Stroke]) -> bool:
    """Tell whether a picture holds lines of text: letters enough, and most of its ink.

    `scale` is points per pixel, places are from its corner.
    """
    if not pixels.size or float((pixels > WHITE).mean()) < PAPER:
        return False
    ink = np.array(pixels < INK)
    blots: list[Word | Stroke] = [*live, *rules]
    for item in blots:
        rows = slice(max(0, int((item.y0 - BLOT) / scale)), max(0, int((item.y1 + BLOT) / scale) + 1))
        ink[rows, max(0, int((item.x0 - BLOT) / scale)) : max(0, int((item.x1 + BLOT) / scale) + 1)] = False
    width = max(1, round(STRIP / scale))
    letters = inked = 0
    for strip in (ink[:, at : at + width] for at in range(0, ink.shape[1], width)):
        for first, last in runs_of(np.asarray(strip.any(axis=1))):
            band = strip[first:last]
            signs = runs_of(np.asarray(band.any(axis=0)))
            of_type = TYPE[0] <= (last - first) * scale <= TYPE[1]
            if of_type and all((end - start) * scale <= LETTER for start, end in signs):
                letters += len(signs)
                inked += int(band.sum())
    return letters >= LEAST and inked / max(1, int(ink.sum())) >= IN_LINES


FINE = 2.0  # pixels to the point of the image in which lines of text are looked for
WIDEST = 2600  # pixels of that image
ON_INK = 0.5  # of the invisible words over a picture: with fewer they are not its text
RULE = 1.0  # points around the middle of a rule that are its ink
SAME = 0.15  # of the size of type by which a measured size may differ from that of the page
MOST = 40  # doubtful pictures of one document that are read; more are named


@dataclass(frozen=True, slots=True)
class _Text:
    """A picture with text: its area, and the words of the invisible layer that lie on its ink.

    Of small pictures that hold the numbers of lines `numbers` are the areas, which alone are read.
    """

    area: Area
    layer: tuple[Word, ...] = ()
    rules: tuple[Stroke, ...] = ()
    numbers: tuple[Area, ...] = ()


def with_picture_text(
    source: Source,
    path: Path,
    limits: IngestSettings,
    *,
    names: Collection[str] = (),
    waiting: Waiting = lambda _: None,
    recogniser: Recogniser | None = None,
) -> Recognised:
    """Return the source with the words that stand in pictures beside live text, and what is to be said.

    `names` are the words that begin captions of figures, folded; `waiting` is told how many seconds the
    reading may take before it begins.
    """
    run = _Run(path, limits)
    found = _found(source, path)
    for number, texts in tuple(found.items()):
        page = source.pages[number - 1]
        figures = [text for text in texts if not text.numbers and captioned(page, text.area, names)]
        message = f"The lettering of a figure on page {number} is a picture and was not read: look at it."
        run.problems += [Problem(message, number, box_of(page, text.area)) for text in figures]
        found[number] = [text for text in texts if text not in figures]
    found = {number: texts for number, texts in found.items() if texts}
    unread = [number for number, texts in found.items() if any(not text.layer for text in texts)]
    if unread:
        waiting(START_SECONDS + len(unread) * limits.ocr_seconds_per_page)
    with recogniser or Recogniser(limits) as reader:  # which starts where a picture is to be read
        pages = run.pages(source, found, reader)
    for page in source.pages:
        taken = {id(word) for text in found.get(page.number, ()) for word in text.layer}
        run.problems += said_invisible(page, [word for word in page.hidden if id(word) not in taken])
    merged = tuple(pages.get(page.number, page) for page in source.pages)
    return Recognised(replace(source, pages=merged), tuple(run.problems))


def _found(source: Source, path: Path) -> dict[int, list[_Text]]:
    """Return the pictures with text, by page."""
    areas = {page.number: picture_areas(page) for page in source.pages if page.trust == "digital"}
    widths: dict[int, list[int]] = defaultdict(list)
    for number, some in areas.items():
        if some:
            widths[min(WIDEST, round(source.pages[number - 1].width * FINE))].append(number)
    found: dict[int, list[_Text]] = defaultdict(list)
    for width, numbers in widths.items():
        for number, pixels in grey_pages(path, numbers, width):
            page = source.pages[number - 1]
            scale = page.width / pixels.shape[1]
            for area in areas[number]:
                cut, rules = _cut(pixels, area, scale), strokes_in(_cut(pixels, area, scale), scale)
                live = [shifted(word, -area.x0, -area.y0) for word in page.words if area.holds_middle(word)]
                hidden = [word for word in page.hidden if area.holds_middle(word)]
                shares = [
                    float((part < INK).mean()) for word in hidden if (part := _cut(pixels, word, scale)).size
                ]
                on_ink = sum(0.0 < share < 1.0 for share in shares)  # and on paper
                layer = tuple(hidden) if hidden and on_ink / len(hidden) >= ON_INK else ()
                if layer or holds_text(cut, scale, live, rules):
                    drawn = tuple(shifted(rule, area.x0, area.y0) for rule in rules)
                    found[number].append(_Text(area, layer, drawn))
    for number, some in number_areas([page for page in source.pages if page.trust == "digital"]).items():
        found[number].append(_Text(around(some), numbers=tuple(some)))
    return dict(sorted(found.items()))


@dataclass(slots=True)
class _Run:
    """The reading of one document's pictures, and what there is to say of it."""

    path: Path
    limits: IngestSettings
    problems: list[Problem] = field(default_factory=list)
    failure: str = ""
    passing: bool = False
    read: int = 0

    def pages(
        self, source: Source, found: Mapping[int, Sequence[_Text]], reader: Recogniser
    ) -> dict[int, PageContent]:
        """Return the pages with the words of their pictures."""
        pages = {}
        for number, texts in found.items():
            page = source.pages[number - 1]
            for text in texts:
                words = text.layer or self._words(page, text, reader)
                if not words:
                    continue
                origin = "its invisible text layer" if text.layer else "its image"
                message = f"Text of page {number} stands in a picture and was read from {origin}"
                told = f"{message} ({counted(len(words))}): compare it with the page."
                self.problems.append(Problem(told, number, box_of(page, text.area), doubt=True))
                letters: Counter[float] = Counter()
                for word in page.words:
                    letters[word.size] += len(word.text)
                usual = max(letters, key=letters.__getitem__, default=0.0)
                new = tuple(  # a measured size of type is that of the page where it is nearly that
                    replace(word, size=usual) if abs(word.size - usual) <= SAME * usual else word
                    for word in words
                )
                pictures = tuple(one for one in page.pictures if not text.area.holds_middle(one))
                strokes = page.strokes + text.rules
                page = replace(page, words=page.words + new, strokes=strokes, pictures=pictures)
            pages[number] = page
        return pages

    def _words(self, page: PageContent, text: _Text, reader: Recogniser) -> tuple[Word, ...]:
        """Return the words that the recogniser reads in a picture; none, with a problem, where it fails."""
        self.read += not text.numbers
        if self.read > MOST and not self.failure:
            self.failure = f"Only {MOST} such pictures of one document are read."
        if self.failure:
            return self._unread(page, text, self.failure, passing=self.passing)
        try:
            pixels = page_pixels(self.path, page, self.limits, "The page cannot be drawn.")
            scale = page.width / pixels.shape[1]
            cut = _only(_cut(pixels, text.area, scale), text, scale)
            plain = cut.copy()  # the ink of a rule in a word's box is none of the word
            for rule in (shifted(rule, -text.area.x0, -text.area.y0) for rule in text.rules):
                blot = Area(rule.x0 - RULE, rule.y0 - RULE, rule.x1 + RULE, rule.y1 + RULE)
                _cut(plain, blot, scale)[:] = 255
            lines = lines_in(reader.read(cut), plain, scale)
        except (Unavailable, ReadFailed, OSError, ValueError, MemoryError) as error:
            passing = bool(getattr(error, "passing", False))
            if isinstance(error, Unavailable):
                self.failure, self.passing = str(error), passing
            return self._unread(page, text, str(error), passing=passing)
        read = [word for line in lines for word, _ in line]
        if not read and not text.numbers:
            return self._unread(page, text, "Nothing could be read in it.", passing=False)
        placed = tuple(shifted(word, text.area.x0, text.area.y0) for word in read)
        return tuple(_numbers(text.numbers, placed, page.words)) if text.numbers else placed

    def _unread(self, page: PageContent, text: _Text, reason: str, *, passing: bool) -> tuple[Word, ...]:
        """Say that a picture was not read; return its words, none."""
        message = f"Text of page {page.number} stands in a picture and was not read. {reason}".strip()
        self.problems.append(Problem(message, page.number, box_of(page, text.area), passing=passing))
        return ()


def _numbers(areas: Sequence[Area], read: Sequence[Word], live: Sequence[Word]) -> Iterator[Word]:
    """Yield what was read in each picture as one word, in the type of the live word that it stands before.

    What holds no digit is a sign or an icon.
    """
    for area in areas:
        inside = sorted((word for word in read if area.holds_middle(word)), key=lambda word: word.x0)
        text = "".join(word.text for word in inside)
        below = [word for word in live if word.y1 > (area.y0 + area.y1) / 2]
        if any(map(str.isdigit, text)) and below:
            near = min(below, key=lambda word: (max(0.0, word.y0 - area.y1), word.x0))
            yield replace(near, text=text, x0=area.x0, y0=area.y0, x1=area.x1, y1=area.y1)


def _only(pixels: Pixels, text: _Text, scale: float) -> Pixels:
    """Return the pixels of an area with nothing but the pictures that hold its numbers, where it has such."""
    if not text.numbers:
        return pixels
    kept = np.full_like(pixels, 255)
    x0, y0 = text.area.x0, text.area.y0
    for one in text.numbers:
        inside = Area(one.x0 - x0, one.y0 - y0, one.x1 - x0, one.y1 - y0)
        _cut(kept, inside, scale)[:] = _cut(pixels, inside, scale)
    return kept


def _cut(pixels: Pixels, area: Rectangle, scale: float) -> Pixels:
    rows = slice(max(0, round(area.y0 / scale)), max(0, round(area.y1 / scale)))
    return pixels[rows, max(0, round(area.x0 / scale)) : max(0, round(area.x1 / scale))]
