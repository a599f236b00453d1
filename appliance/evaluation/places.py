"""When a place or value that is shown covers one that is wanted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from appliance.core.evidence import Place
from appliance.text.printed_labels import printed_labels

PAGES_APART = 1  # an item that starts at the foot of a page is often shown with the next one

_SPACES = re.compile(r"[\s\u00a0\u00ad\u200b-\u200d\u2060\ufeff]+")
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")
_ABBREVIATED = re.compile(r"(?<=[^\W\d_]{2})\.(?=\d)")
_TAIL = ".-"


@dataclass(frozen=True, slots=True)
class Gold:
    """A place that a complete answer needs; `page` counts the pages of the PDF from 1.

    `parent` is the label of the paragraph round it, `alt` another label of the same place: either covers it.
    """

    document: str
    label: str
    kind: str
    page: int
    parent: str = ""
    alt: str = ""

    @property
    def labels(self) -> frozenset[str]:
        """Return the labels that cover it, as `normal_label` spells them."""
        return frozenset(normal_label(label) for label in (self.label, self.parent, self.alt) if label)


def normal_label(text: str) -> str:
    """Return the label without case, spaces, trailing dots and dashes; "Fig. B–1" is "Fig B-1"."""
    return _ABBREVIATED.sub("", _DASHES.sub("-", _SPACES.sub("", text))).casefold().rstrip(_TAIL)


def covers(place: Place, gold: Gold) -> bool:
    """Tell whether the shown place covers the wanted one."""
    if place.document != gold.document:
        return False
    if gold.kind == "page":
        return gold.page in place.pages
    if not any(abs(page - gold.page) <= PAGES_APART for page in place.pages):
        return False
    return any(normal_label(label) in gold.labels for label in printed_labels(place))


def first_rank(places: Sequence[Place], gold: Gold) -> int | None:
    """Return the rank, from 1, of the first place that covers the wanted one."""
    return next((rank for rank, place in enumerate(places, 1) if covers(place, gold)), None)


def first_page_rank(places: Sequence[Place], gold: Gold) -> int | None:
    """Return the rank, from 1, of the first place that stands on the wanted page, whatever its label."""
    return first_rank(places, replace(gold, kind="page"))


_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = (
    (_DASHES, "-"),
    (re.compile(r"[\u2018\u2019]"), "'"),
    (re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff]"), ""),
    (re.compile(r"(?<=\d)[, ](?=\d{3}(?!\d))"), ""),  # thousands: 94,500 and 94 500
    (re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))"), "."),  # a decimal comma: 2,5 kN
    (re.compile(r"\bper\s?cent\b"), "%"),
    (re.compile(r"\b(\d+)\s?in\s?(\d+)\b"), r"\1:\2"),  # a slope of 1 in 40
    (re.compile(r"(?<=\d)\s*[x\u00d7*]\s*(?=\d)"), " x "),
    (re.compile(r"(?<=\d)\s*:\s*(?=\d)"), ":"),
    (re.compile(r"\bmillimet(?:re|er)s?\b"), "mm"),
    (re.compile(r"\bmet(?:re|er)s?\b"), "m"),
    (re.compile(r"\blit(?:re|er)s?\b"), "l"),
    (re.compile(r"\bsec(?:ond)?s?\b"), "s"),
    (re.compile(r"\bmin(?:ute)?s?\b"), "min"),
    (re.compile(r"\bh(?:ou)?rs?\b"), "h"),
    (re.compile(r"\bkilowatts?\b"), "kw"),
    (re.compile(r"\bdeg(?:ree)?s?\.?(?=\s|c\b|$)"), "\u00b0"),
    (re.compile(r"[\u00b7\u22c5]"), "."),
)
_MARKS = re.compile(  # of a footnote: 190\u00b2, 60 m\u00b3\u207e
    r"(?<=\d)[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?!\u207e)|(?:[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+\u207e)+"
)
_RING = re.compile("[\u00ba\u02da]")  # what drawings print for a degree
_TOKEN = re.compile(
    r"(?:(?:^|(?<=[\s(=]))-)?\d+(?:[.:/]\d+)*"  # a number with its sign, a ratio, a clause number
    r"|[^\W\d_]+\d?(?=[^\w.]|$|\.)"  # a word or a unit with its power: mm2, m3
    r"|[^\W\d_]+"
    r"|[%\u00b0\u00b1\u00a3\u20ac$<>\u2264\u2265=+]"
)


def normal_value(text: str) -> tuple[str, ...]:
    """Return the tokens of the text with numbers and units in one spelling.

    >>> normal_value("at least 94,500mm²")
    ('at', 'least', '94500', 'mm2')
    """
    plain = unicodedata.normalize("NFKC", _RING.sub("\u00b0", _MARKS.sub("", text))).casefold()
    for pattern, replacement in _REWRITES:
        plain = pattern.sub(replacement, plain)
    return tuple(_TOKEN.findall(plain))


def contains(text: tuple[str, ...], value: tuple[str, ...]) -> bool:
    """Tell whether the tokens of the value stand one after the other in those of the text."""
    size = len(value)
    return bool(value) and any(text[at : at + size] == value for at in range(len(text) - size + 1))


def all_found(values: tuple[str, ...], text: str) -> bool:
    """Tell whether every value is said in the text."""
    tokens = normal_value(text)
    return all(contains(tokens, normal_value(value)) for value in values)


def any_found(values: tuple[str, ...], text: str) -> bool:
    """Tell whether one of the values is said in the text."""
    tokens = normal_value(text)
    return any(contains(tokens, normal_value(value)) for value in values)


def same_cell(wanted: str, returned: str) -> bool:
    """Tell whether a table look-up returned the wanted cell.

    Equal but for spelling and a unit; a sentence of three words and more may be a part of its cell.
    """
    left, right = normal_value(wanted), normal_value(returned)
    if left == right or not left or not right:
        return left == right
    numbers, others = ([token for token in said if token.lstrip("-")[:1].isdigit()] for said in (left, right))
    return contains(right, left) and (len(left) >= 3 or (bool(numbers) and numbers == others))


_IGNORED = re.compile(r"[\s:;,'\"\u00ad\u200b-\u200d\u2010-\u2015\u2018-\u201d\u2212\ufeff-]+")
_NUMBER_LAST = re.compile(r"^[^\d]*\s(?P<number>\S*\d\S*|[A-Z]{1,2}|[ivx]+)\.?$")


@dataclass(frozen=True, slots=True)
class Item:
    """Something that pairs: its names, its page, and whether it is an error to return or miss it.

    An item that is not `counted` may pair, yet costs nothing where it does not: what the truth of a
    document leaves open (its list items, headings where only numbers are listed).
    """

    names: tuple[str, ...]
    page: int
    counted: bool = True

    @property
    def shown(self) -> str:
        """Return the name and page to print in a list of errors."""
        return f"{self.names[0]} (p. {self.page})"


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one kind of item, with the errors by name."""

    expected: int
    found: int
    returned: int
    correct: int
    missed: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def recall(self) -> float | None:
        """Return the share of the expected items that was found; None where none is expected."""
        return self.found / self.expected if self.expected else None

    @property
    def precision(self) -> float | None:
        """Return the share of the returned items that is right; None where none was returned."""
        return self.correct / self.returned if self.returned else None

    @property
    def f1(self) -> float | None:
        """Return the harmonic mean of precision and recall; None where there is nothing to find."""
        if not self.expected:
            return None
        precision, recall = self.precision or 0.0, self.recall or 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def total(scores: Iterable[Score]) -> Score:
    """Return the scores of several documents as one, each item counted once (micro average)."""
    parts = tuple(scores)
    return Score(
        expected=sum(part.expected for part in parts),
        found=sum(part.found for part in parts),
        returned=sum(part.returned for part in parts),
        correct=sum(part.correct for part in parts),
        missed=tuple(name for part in parts for name in part.missed),
        wrong=tuple(name for part in parts for name in part.wrong),
    )


def bare(text: str) -> str:
    """Return the text without case, spaces and the punctuation that printing varies."""
    return _IGNORED.sub("", text).casefold().rstrip(".")


def number_of(text: str) -> str:
    """Return the number or letter that ends a name of several words, "" where there is none."""
    match = _NUMBER_LAST.match(text.strip())
    return bare(match["number"]) if match else ""


def pair(expected: Sequence[Item], returned: Sequence[Item]) -> dict[int, int]:
    """Return which returned item (by position) is which expected one."""
    pairs: dict[int, int] = {}
    for loose in (False, True):
        keys = [_names(item, loose=loose) for item in returned]
        for wanted, item in enumerate(expected):
            if wanted in pairs:
                continue
            taken = set(pairs.values())
            wanted_names = _names(item, loose=loose)
            candidates = [
                (abs(other.page - item.page), at)
                for at, other in enumerate(returned)
                if at not in taken and wanted_names & keys[at] and abs(other.page - item.page) <= PAGES_APART
            ]
            if candidates:
                pairs[wanted] = min(candidates)[1]
    return pairs


def score(expected: Sequence[Item], returned: Sequence[Item]) -> Score:
    """Return the counts of returned items against expected ones."""
    pairs = pair(expected, returned)
    right = set(pairs.values())
    neutral = {at for wanted, at in pairs.items() if not expected[wanted].counted}
    return Score(
        expected=sum(item.counted for item in expected),
        found=sum(item.counted for wanted, item in enumerate(expected) if wanted in pairs),
        returned=sum((item.counted or at in right) and at not in neutral for at, item in enumerate(returned)),
        correct=len(right - neutral),
        missed=tuple(item.shown for at, item in enumerate(expected) if item.counted and at not in pairs),
        wrong=tuple(item.shown for at, item in enumerate(returned) if item.counted and at not in right),
    )


def _names(item: Item, *, loose: bool) -> frozenset[str]:
    """Return the names by which an item pairs; loosely by the numbers of these, too."""
    numbers = {number_of(name) for name in item.names} if loose else set()
    return frozenset({bare(name) for name in item.names} | numbers) - {""}
