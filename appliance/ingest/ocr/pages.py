"""Pages without a usable text layer: which they are, and their words read from the picture."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import groupby
from pathlib import Path

from appliance.core.document import Problem
from appliance.core.settings import IngestSettings
from appliance.ingest.ocr.align import Scored, aligned
from appliance.ingest.ocr.process import START_SECONDS, Pixels, ReadFailed, Recogniser, Unavailable
from appliance.ingest.ocr.word_boxes import INK, angle_of, lines_in, of_one_size, turned_back
from appliance.ingest.page import PageContent, Rectangle, Source, Word, askew, box_of, whole
from appliance.ingest.pdf.rendering import grey_pages
from appliance.ingest.pdf.words import UNKNOWN
from appliance.text.language import likeness
from appliance.text.sentences import one_script

LOOK = 620  # pixels of the page image in which ink is looked for
BLANK = 0.0005  # of the page: less ink is dirt
PAPER = 0.6  # of the page is white where it holds print and no photograph
UNKNOWN_SHARE = 0.2  # of the signs: with more the page does not say what it prints
OCR_PAGES_SAMPLE = 60  # words of letters from which a language can be told
COMMON_SHARE = 0.03  # of them are the language's commonest words: with fewer it is no language
SPOKEN = 0.15  # idem, with which words are surely of the language, though letters of another were misread
ON_INK = 0.5  # of the words of an invisible layer: with fewer it does not lie on the print
OUTSIDE = 3.0  # times the ink inside the words' boxes that may lie outside them
COVERED = 0.6  # of the page's area that one picture covers
FEW = 60  # words: a page with more has its own text
SAME = 0.5  # of the threes of signs that layer and picture must have in common
READS = frozenset({"LATIN", "CJK"})  # scripts that the recogniser reads
CLEAN = 0.8  # of the words of a layer in another script are of that script alone
OCR_PAGES_SURE = 0.8  # mean score from which a reading is one
_LIKE = str.maketrans("ıłøđßæœ", "ilodsao")  # letters that are no sign with a mark on it


class Why(Enum):
    """Why the text layer of a page cannot be used."""

    NONE = "there is no text layer"
    UNKNOWN = "the signs of the text layer have no known meaning"
    GARBLED = "the text layer holds no words of a language"
    ELSEWHERE = "the invisible text layer does not lie on what is printed"
    PICTURE = "the text layer holds only a few words over the picture of a printed page"
    HIDDEN = "the text layer is hidden under the picture of a printed page"


def from_words(page: PageContent) -> Why | None:
    """Return what the words alone say against the text layer."""
    if page.trust == "none":
        return Why.NONE if page.pictures or page.strokes else None
    signs = sum(len(word.text) for word in page.words)
    strange = "".join(word.text for word in page.words if not word.text.isascii())
    # signs without a meaning, in no script
    unknown = sum(sign == UNKNOWN or unicodedata.category(sign) in {"Cn", "Cc", "Co"} for sign in strange)
    if signs >= OCR_PAGES_SAMPLE and unknown > UNKNOWN_SHARE * signs:
        return Why.UNKNOWN
    if is_strange(page.words) and not _other_script(_plain(page.words)):
        return Why.GARBLED
    covered = any((p.x1 - p.x0) * (p.y1 - p.y0) > COVERED * page.width * page.height for p in page.pictures)
    return Why.PICTURE if covered and len(page.words) < FEW and page.trust == "digital" else None


def is_strange(words: Sequence[Word]) -> bool:
    """Tell whether words are enough to tell a language and are of none that is known."""
    plain = [word for word in _plain(words) if len(word) > 1]
    return len(plain) >= OCR_PAGES_SAMPLE and likeness(plain) < COMMON_SHARE


def of_no_language(words: Sequence[Word]) -> bool:
    """Tell whether words in a script that the recogniser does not read are of no known language."""
    return is_strange(words) and _other_script(_plain(words))


def keeps(why: Why, layer: Sequence[Word], read: Sequence[Word], score: float) -> bool:
    """Tell whether the layer stays, after all, once its picture was read; `score` is the mean of that.

    A garbled one does unless the reading is worth more: one in a known language is; any other only where
    the recogniser is sure of it and the layer claims to be in a script that it reads.
    """
    other = _other_script(_plain(layer))
    if why is Why.ELSEWHERE:
        return other and not _speaks(read, SPOKEN)
    spoken = _speaks(read, SPOKEN if other else COMMON_SHARE) or (not other and score >= OCR_PAGES_SURE)
    return why is Why.GARBLED and (not spoken or agrees(layer, read))


def _other_script(words: Sequence[str]) -> bool:
    """Tell whether the words are written in a script that the recogniser does not read."""
    found = Counter(one_script(word) for word in words)
    other = sum(count for script, count in found.items() if script and script not in READS)
    mixed = found[""]
    return other > found.total() / 2 and other >= CLEAN * (other + mixed)


def from_ink(page: PageContent, pixels: Pixels, why: Why | None) -> Why | None:
    """Return the reason that stands once the ink has been seen; `pixels` are the page at any size."""
    dark, scale = pixels < INK, pixels.shape[1] / max(page.width, 1.0)
    boxes = [  # the rows and columns of each word in the picture
        (
            slice(max(0, int(w.y0 * scale)), max(0, int(w.y1 * scale) + 1)),
            slice(max(0, int(w.x0 * scale)), max(0, int(w.x1 * scale) + 1)),
        )
        for w in page.words
    ]
    if why in {Why.NONE, Why.PICTURE}:
        rest = dark.copy()
        for rows, columns in boxes:
            rest[rows, columns] = False
        outside = float(rest.sum()) / max(1.0, float(dark.sum() - rest.sum()))  # for each pixel inside
        printed = dark.mean() > BLANK and (pixels > 200).mean() > PAPER
        return why if printed and (why is Why.NONE or outside > OUTSIDE) else None
    if why is None and page.trust == "ocr" and len(page.words) >= OCR_PAGES_SAMPLE // 2:
        inked = sum(bool(dark[rows, columns].any()) for rows, columns in boxes)
        return Why.ELSEWHERE if inked / max(1, len(boxes)) < ON_INK else None
    return why


def agrees(layer: Sequence[Word], read: Sequence[Word]) -> bool:
    """Tell whether the layer says what the picture shows, marks on letters apart."""
    ours, theirs = _threes(layer), _threes(read)
    return (ours & theirs).total() >= SAME * max(1, min(ours.total(), theirs.total()))


def _speaks(words: Sequence[Word], share: float) -> bool:
    """Tell whether so large a share of the words are common ones of one known language."""
    return likeness([word for word in _plain(words) if len(word) > 1]) >= share


def _threes(words: Sequence[Word]) -> Counter[str]:
    """Return each three signs in a row of the words' letters without their marks."""
    text = unicodedata.normalize("NFD", "".join(_plain(words)).translate(_LIKE))
    letters = "".join(sign for sign in text if not unicodedata.combining(sign))
    return Counter(letters[at : at + 3] for at in range(len(letters) - 2))


def _plain(words: Sequence[Word]) -> list[str]:
    return [found for word in words for found in re.findall(r"[^\W\d_]+", word.text.casefold())]


INCH = 72.0  # points
SURE = 0.8  # a number read with a lower score is doubtful
SAMPLE = 10  # pages of an invisible layer that are compared with their pictures
DOUBTS = 20  # doubtful numbers of one page that are named one by one
SETTLED = 3  # layers in a row that were kept after all: those of the other suspects are, too
FAILURES = 3  # pages in a row that failed: the recogniser itself is broken, the rest is not tried

Waiting = Callable[[float], object]
Counting = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Recognised:
    """The source with its pages read, what there is to say of them, and the pages that were read."""

    source: Source
    problems: tuple[Problem, ...] = ()
    read: frozenset[int] = frozenset()


def not_compared(recognised: Recognised) -> Iterator[Problem]:
    """Yield a doubt for each page of a scan whose hidden text nobody compared with its picture."""
    for page in recognised.source.pages:
        if page.trust == "ocr" and page.number not in recognised.read:
            message = f"The hidden text of page {page.number} was not compared with its picture: "
            yield Problem(message + "compare every number with the image.", page.number, doubt=True)


def with_recognised_pages(
    source: Source,
    path: Path,
    limits: IngestSettings,
    *,
    waiting: Waiting = lambda _: None,
    counting: Counting = lambda *_: None,
    recogniser: Recogniser | None = None,
) -> Recognised:
    """Return the source with its scanned pages read from their pictures.

    Where a page has a usable hidden layer, both readings are made one. `waiting` is told how many seconds
    the reading may take before it begins, `counting` after each page how many of how many are read.
    """
    unusable = _needed(source, path)
    strange = _strange(source, unusable)
    hidden = {  # most of the page is a hidden layer whose words run across it, as its picture is read
        page.number: Why.HIDDEN
        for page in source.pages
        if page.trust == "ocr" and 2 * sum(word.upright for word in page.words) > len(page.words)
    }
    needed = dict(sorted((hidden | unusable).items()))
    if not needed:
        return Recognised(source, strange)
    waiting(START_SECONDS + len(needed) * limits.ocr_seconds_per_page)
    run = _Run(path, limits, counting)
    with recogniser or Recogniser(limits) as reader:
        pages = {page.number: page for page in of_one_size(list(run.pages(source, needed, reader)))}
        counting(len(needed), len(needed))
    pages |= run.aligned(source)
    merged = tuple(pages.get(page.number, page) for page in source.pages)
    for why in Why:
        numbers = [number for number in pages if needed[number] is why]
        if numbers:
            message = f"The text of {_pages(numbers)} was read from the picture: {why.value}."
            run.problems.append(Problem(message, numbers[0], whole(pages[numbers[0]])))
    problems = (*run.problems, *strange)
    return Recognised(replace(source, pages=merged), problems, frozenset(pages))


def _needed(source: Source, path: Path) -> dict[int, Why]:
    """Return the pages to read, each with its reason.

    Of invisible layers, made by one program in one run, a sample is compared with the ink, and all are
    where one of the sample does not lie on it.
    """
    suspects = {page.number: why for page in source.pages if (why := from_words(page))}

    def seen(numbers: Sequence[int]) -> dict[int, Why]:
        """Return those of the pages whose ink, too, says that they must be read."""
        looked = grey_pages(path, numbers, LOOK) if numbers else ()
        told = ((n, from_ink(source.pages[n - 1], pixels, suspects.get(n))) for n, pixels in looked)
        return {number: why for number, why in told if why is not None}

    hidden = [page.number for page in source.pages if page.trust == "ocr" and page.number not in suspects]
    sample = set(hidden[:: max(1, len(hidden) // SAMPLE)])
    needed = seen(sorted({*suspects, *sample}))
    if Why.ELSEWHERE in needed.values():
        needed |= seen([number for number in hidden if number not in sample])
    return dict(sorted(needed.items()))


@dataclass(slots=True)
class _Run:
    """The reading of one document's pages, and what went wrong in it."""

    path: Path
    limits: IngestSettings
    counting: Counting
    problems: list[Problem] = field(default_factory=list)
    lines: dict[int, list[list[Scored]]] = field(default_factory=dict)  # of pages with a hidden layer
    same: int = 0  # layers in a row that were kept after all

    def pages(self, source: Source, needed: Mapping[int, Why], reader: Recogniser) -> Iterator[PageContent]:
        """Yield the pages that were read and whose layer does not say the same."""
        failures = 0
        for done, (number, why) in enumerate(needed.items()):
            self.counting(done, len(needed))
            if why is Why.GARBLED and self.same == SETTLED:
                continue  # a language whose common words, or a script that, is not known: the layers are good
            page = source.pages[number - 1]
            try:
                reader.start()  # without one, the search for the angle is in vain
                pixels = page_pixels(self.path, page, self.limits, "the page cannot be drawn")
                angle = angle_of(pixels)
                straight = turned_back(pixels, angle)
                lines = lines_in(reader.read(straight), straight, page.width / straight.shape[1])
                if why is Why.HIDDEN:  # its words where the layer has them
                    self.lines[number] = [
                        [(askew(word, page, angle), score) for word, score in line] for line in lines
                    ]
                else:
                    yield from self._better(page, why, lines, angle)
                failures = 0
            except Unavailable as reason:
                self._lost([n for n in needed if n >= number], str(reason), passing=reason.passing)
                return
            except (ReadFailed, *_DRAWING) as error:
                passing = getattr(error, "passing", False)
                message = f"The characters of page {number} were not read: {error}."
                self.problems.append(Problem(message, number, passing=passing))
                failures += 1
                if failures == FAILURES:
                    rest = [n for n in needed if n > number]
                    self._lost(rest, f"{FAILURES} pages in a row had failed.", passing=passing)
                    return

    def _lost(self, numbers: Sequence[int], reason: str, *, passing: bool) -> None:
        """Say of pages, if there are any, that they are not read."""
        message = f"The characters of {_pages(numbers)} were not read from the picture. {reason}"
        self.problems += [Problem(message, numbers[0], passing=passing)] if numbers else []

    def _better(
        self, page: PageContent, why: Why, lines: Sequence[Sequence[Scored]], angle: float
    ) -> Iterator[PageContent]:
        """Yield the page with the words of its picture and its doubts unless the layer stays, after all."""
        pairs = [pair for line in lines for pair in line]
        words = tuple(word for word, _ in pairs)
        read = replace(page, words=words, trust="ocr" if words else "none", turned=angle)
        score = sum(score for _, score in pairs) / max(1, len(pairs))
        if keeps(why, page.words, words, score):
            self.same += self.same < SETTLED
            if not agrees(page.words, words):
                message = f"The text layer of page {page.number} holds no words of a known language, and its"
                told = f"{message} picture could not be read better: compare it with the page."
                self.problems.append(Problem(told, page.number, doubt=True))
            return
        self.same = 0
        self.problems += _doubts(read, pairs)
        if score < SURE and is_strange(words):
            message = f"What was read from the picture of page {page.number} is of no known language:"
            told = f"{message} the recogniser may not know its script. Look at the page itself."
            self.problems.append(Problem(told, page.number, doubt=True))
        yield read

    def aligned(self, source: Source) -> dict[int, PageContent]:
        """Return the pages with a hidden layer, made of the layer and what was read in the picture."""
        read = {number: lines for number, lines in self.lines.items() if lines}
        layers = {number: source.pages[number - 1].words for number in read}
        found = {}
        for number, both in aligned(layers, read).items():
            page = found[number] = replace(source.pages[number - 1], words=both.words)
            told = []
            for doubt in both.doubts:  # layer and picture differ and neither is sure
                said, other = (text.translate(_UNQUOTED) for text in (doubt.said, doubt.other))
                where = f"“{said}” on page {number} was read with doubt"
                reading = f"the other reading is ‘{other}’" if other else "the text layer lacks it"
                told.append((f"{where}, {reading}", doubt.area))
            self.problems += _told(page, told, "words")
        return found


def page_pixels(path: Path, page: PageContent, limits: IngestSettings, failure: str) -> Pixels:
    """Return the picture of a page in which characters are read.

    Raises:
        ReadFailed: with this message, where the page cannot be drawn.
    """
    width = max(1, round(page.width / INCH * limits.ocr_dots_per_inch))
    for _, pixels in grey_pages(path, [page.number], width):
        return pixels
    raise ReadFailed(failure)


_DRAWING = (OSError, ValueError, MemoryError)  # of a page whose picture is broken
_UNQUOTED = str.maketrans("“”‘’", "    ")


def _doubts(page: PageContent, pairs: Sequence[Scored]) -> list[Problem]:
    """Return a problem with its box for each number that the recogniser was not sure of."""
    doubtful = [word for word, score in pairs if score < SURE and re.search(r"\d", word.text)]
    told = [(f"“{word.text}” on page {page.number} was read with doubt", word) for word in doubtful]
    return _told(page, told, "numbers")


def _told(page: PageContent, doubts: Sequence[tuple[str, Rectangle]], what: str) -> list[Problem]:
    """Return a problem for each doubt with its place; of more than are named, one that counts the rest."""
    problems = [
        Problem(f"{said}: compare it with the image.", page.number, box_of(page, place), doubt=True)
        for said, place in doubts[:DOUBTS]
    ]
    if len(doubts) > DOUBTS:
        message = f"{len(doubts) - DOUBTS} more {what} of page {page.number} were read with doubt."
        problems.append(Problem(message, page.number, doubt=True))
    return problems


def _strange(source: Source, needed: Mapping[int, Why]) -> tuple[Problem, ...]:
    """Return that layers in a script that cannot be read from a picture are of no known language."""
    pages = [page for page in source.pages if page.number not in needed and page.words]
    numbers = [page.number for page in pages if of_no_language(page.words)]
    if not numbers or not of_no_language([word for page in pages for word in page.words]):
        return ()
    message = f"The text layer of {_pages(numbers)} holds no common words of a language that is known here,"
    told = f"{message} and is in a script that is not read from pictures: compare one page with its image."
    return (Problem(told, numbers[0], doubt=True),)


def _pages(numbers: Sequence[int]) -> str:
    """Return page numbers as words: "page 3", "pages 1 to 4, 7"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    ]
    named = ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"page{'s' if len(numbers) > 1 else ''} {named}"
