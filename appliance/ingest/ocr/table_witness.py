"""Two readings of one scanned table, its text layer and its picture, as one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median
from types import MappingProxyType

from appliance.ingest.geometry import Area, Rule, around
from appliance.ingest.page import Word
from appliance.ingest.structure.caption_numbers import match
from appliance.ingest.tables.cells import rows_of, text_of
from appliance.ingest.tables.doubts import clean, noise_of
from appliance.ingest.tables.separators import open_end
from appliance.text.folding import value_digits
from appliance.text.units import unit_pattern

WHOLE = 0.75  # of the signs of the layer: a reading with fewer has lost some
SIGNED = 3  # numbers with a sign, from which a table writes signs
ONE_SYMBOL = 3  # entries with the same words, from which they tell what symbol stands in another

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_WORD = re.compile(r"[^\W\d_]{3,}")
_GREEK = re.compile(r"[Ͱ-Ͽ]{2,}")
_SIGN = re.compile(r"[+-]")
_SIGNED = re.compile(r"(?<!\S)[+−–-]\s?\d+(?:[.,]\d+)?(?!\S)")
_COMPARE = frozenset("<>≤≥⩽⩾±")
_DASHES = str.maketrans("–—−,", "---.")

Entry = list[tuple[Word, float]]


def writes_signs(layer: str) -> bool:
    """Tell whether the table of this text has a sign before its numbers."""
    return len(_SIGNED.findall(layer)) >= SIGNED


def verdict(layer: str, read: str, *, signed: bool = False) -> str:
    """Return whose reading stands: "layer", "picture", or the layer's with "both" told.

    `signed` tells that numbers of the table have signs.
    """
    plain = _plain(layer), _plain(read)
    if _is_symbol(layer, read) or _degrees(*plain) or (signed and _sign_found(*plain)):
        return "picture"
    same = _alike(layer, read) and has_figures(layer) and (clean(layer) or not clean(read))
    if not has_figures(read) or plain[0] == plain[1] or same:
        return "layer"
    found = Counter(_numbers(layer)) == Counter(_numbers(read)) and _signs(read) - _signs(layer)
    if found or _alike(layer, read):
        return "picture"  # the layer has lost Greek letters, what compares the numbers, or figures ("O.2m")
    if not clean(read) or len(plain[1]) < WHOLE * len(plain[0]):
        return "layer"  # a formula, of which the picture gave less
    return _cleaner(layer, read)


def _cleaner(layer: str, read: str) -> str:
    """Return which of two readings stands, of which that of the picture is clean."""
    if not clean(layer):
        return "picture"
    ours, theirs = Counter(_numbers(layer)), Counter(_numbers(read))
    if ours == theirs:
        return "layer"
    return "picture" if not ours - theirs else "both"


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two texts hold the same numbers with the same signs and compare them in the same way."""
    if _sign(one) != _sign(other):
        return False
    same = Counter(_numbers(one)) == Counter(_numbers(other)) and _signs(one) == _signs(other)
    return same or _alike(one, other)


def has_figures(text: str) -> bool:
    """Tell whether a text holds a figure."""
    return any(sign.isdigit() for sign in text)


def with_one_symbol(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with a Greek letter that was read as two ("φρ") as the one of its likes.

    Its likes are the entries of the table with the same words around a single letter of the two.
    """
    known: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for entry in entries:
        for at, (word, _) in enumerate(entry):
            if len(word.text) == 1 and "Ͱ" <= word.text <= "Ͽ":
                known[_around(entry, at)][word.text] += 1
    return [[_settled(entry, at, known) for at in range(len(entry))] for entry in entries]


def _settled(entry: Entry, at: int, known: dict[tuple[str, ...], Counter[str]]) -> tuple[Word, float]:
    word, score = entry[at]
    if not _GREEK.fullmatch(word.text):
        return entry[at]
    likes = [(count, sign) for sign, count in known[_around(entry, at)].items() if sign in word.text]
    count, sign = max(likes, default=(0, ""))
    return (replace(word, text=sign), score) if count >= ONE_SYMBOL else entry[at]


def _around(entry: Entry, at: int) -> tuple[str, ...]:
    """Return the words of an entry but for one; numbers are alike."""
    return tuple(
        "#" if other == at else "0" if has_figures(word.text) else word.text
        for other, (word, _) in enumerate(entry)
    )


def _is_symbol(layer: str, read: str) -> bool:
    """Tell whether the layer has noise where the picture has a Greek letter, and both the same words."""
    if has_figures(layer + read) or not _signs(read) - _signs(layer):
        return False
    words = [Counter(_WORD.findall(text.casefold())) for text in (layer, read)]
    others = [piece for piece in layer.split() if not _WORD.search(piece)]
    return bool(words[0]) and words[0] == words[1] and any(len(piece) > 1 for piece in others)


def _degrees(layer: str, read: str) -> bool:
    """Tell whether the layer has a nought where the picture has a degree, and the rest is the same."""
    return "°" in read and layer == read.replace("°", "0")


def _sign_found(layer: str, read: str) -> bool:
    """Tell whether the picture has a sign before the number that the layer has without."""
    return bool(_NUMBER.fullmatch(layer) and _SIGN.match(read) and read[1:] == layer)


def _sign(text: str) -> str:
    """Return the sign that a text begins with, "" for none."""
    found = _SIGN.match(_plain(text))
    return found.group() if found else ""


def _signs(text: str) -> Counter[str]:
    """Return the Greek letters and signs of comparison of a text."""
    return Counter(sign for sign in _plain(text) if sign in _COMPARE or "Ͱ" <= sign <= "Ͽ")


def _alike(one: str, other: str) -> bool:
    """Tell whether two texts differ only in letters and figures that are taken for each other."""
    return _as_figures(one) == _as_figures(other)


def _as_figures(text: str) -> str:
    return "".join(value_digits().get(sign, sign) for sign in _plain(text).lstrip("-•."))


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).translate(_DASHES)


def _numbers(text: str) -> list[str]:
    return [number.replace(",", ".") for number in _NUMBER.findall(text)]


APART = 1.15  # ems between two entries of one line
BESIDE = 0.4  # of a word's width that the layer must hold for it not to be lost
LEVEL = 0.45  # of the lower of two words: what they share of their height on one line
OFF = 0.9  # of the height of a word that its reading may be off, where nothing else is read there
ASTRAY = 1.4  # idem, of a word that the picture has in its place
SENTENCE = 4  # words of letters, from which a run of words is no entry of values
SURE = 0.6  # of a word without a figure that the layer lost
ONE_SIZE = 0.3  # a measured size this near the layer's is the layer's

GARBLED, CLEANER = 0.06, 4  # share of a layer's words that are no print; times as many as in the picture
GARBLED_WORDS = 12  # words of a picture, from which they can stand for those of the layer

_SYMBOL = re.compile(r"[Ͱ-Ͽ]")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_MARKS = re.compile(r"(?:[1-9a-z]\))+")  # of notes: a bracket that nothing opens
_OF_MARK = re.compile(r"[\d\[\]()>lI¹²³]{1,4}")
_MARKED = re.compile(r"(\d+[.,]\d|\d+)((?:[1-9]\))+)")  # "16,01)2)": a number and marks that are raised
_GLUED = re.compile(r"([^\W\d_]{2,3})(\d.*)")  # "to2,0"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Words of a table of which the two readings differ, what the other says, and where they stand.

    Without words the whole table is meant: only one of its readings could be used.
    """

    said: str
    other: str
    area: Area


@dataclass(frozen=True, slots=True)
class Agreed:
    """The words that stand, and what of them is doubtful."""

    words: tuple[Word, ...]
    doubts: tuple[Doubt, ...]


def agreed(
    layer: Sequence[Word],
    read: Sequence[tuple[Word, float]],
    upright: Sequence[Rule],
    names: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Agreed:
    """Return the words of a table's area from both readings.

    `layer` are the words of the text layer there, `read` those of the picture with their scores,
    `upright` the vertical rules, which recognisers take for letters, `names` the words of captions.
    """
    size = median(word.size for word in layer) if layer else 0.0
    if _is_garbled(layer, read):
        return _picture_alone(layer, read, upright, size)
    join = _Join({id(word): word for word in layer}, writes_signs(_line(layer)))
    alike = with_one_symbol(list(_entries(read, upright)))
    entries = [(entry, _of_one_size([word for word, _ in entry], size)) for entry in alike]
    matched = {id(word) for word in layer if any(_on(word, own) for _, own in entries)}
    for entry, own in entries:
        under = [word for word in layer if id(word) in join.kept and _on(word, own)]
        off = (word for word in layer if id(word) in join.kept.keys() - matched and _is_off(word, own))
        join.add(entry, own, under or list(off), names)
    others = [word for word in layer if id(word) not in matched]
    join.drop([word for word in others if id(word) in join.kept and _is_twice(word, join.found, layer)])
    return Agreed((*join.kept.values(), *join.found), tuple(join.doubts))


@dataclass(slots=True)
class _Join:
    """The words of the layer that stand, those of the picture that do, and the doubts."""

    kept: dict[int, Word]
    signed: bool  # numbers of the table have signs
    found: list[Word] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def add(
        self,
        entry: Sequence[tuple[Word, float]],
        own: Sequence[Word],
        under: Sequence[Word],
        names: Mapping[str, tuple[str, ...]],
    ) -> None:
        """Take what stands of one entry of the picture and the words of the layer `under` it."""
        if all(word.rise for word in own):
            self._replace([word for word in self.kept.values() if _is_of_mark(word, own)], own)
        elif _is_caption(entry, names):
            lost = [word for word in self.kept.values() if _in(word, around(own))]
            if match(_line(lost), names, noisy=True) is None:
                self._replace(lost, own)
        elif not under:
            if _is_print(entry):
                self._replace((), own)
                self.doubts += _told(own, "")
        elif _is_sentence(own):
            lost = [word for word in own if has_figures(word.text) and _uncovered(word, under)]
            self._replace((), lost)
            self.doubts += [told for word in lost for told in _told([word], "")]
        else:
            self._compare(under, own)

    def _compare(self, under: Sequence[Word], own: Sequence[Word]) -> None:
        before, now = _line(under), text_of(own)
        stands = verdict(before, now, signed=self.signed)
        if stands == "picture":
            self._replace(under, own)
            self.doubts += [] if says_the_same(before, now) else _told(own, before)
        elif stands == "both":
            self.doubts += _told(under, now)

    def _replace(self, layer: Sequence[Word], own: Sequence[Word]) -> None:
        self.drop(layer)
        self.found += own

    def drop(self, layer: Sequence[Word]) -> None:
        """Leave words of the layer out."""
        for word in layer:
            del self.kept[id(word)]


def _is_caption(entry: Sequence[tuple[Word, float]], names: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether what was surely read is a caption, with a sign behind its number."""
    said = match(text_of([word for word, _ in entry]), names, noisy=False)
    return said is not None and said.sign and min(score for _, score in entry) >= SURE


def _in(word: Word, area: Area) -> bool:
    return area.holds_middle(word, 2.0)


def _is_sentence(words: Sequence[Word]) -> bool:
    return sum(bool(_LETTERS.search(word.text)) for word in words) >= SENTENCE


def _is_garbled(layer: Sequence[Word], read: Sequence[tuple[Word, float]]) -> bool:
    """Tell whether the layer is full of signs that are no print, and the picture was read without them."""
    own = noise_of([word.text for word in layer if word.upright and not word.rise])
    other = noise_of([word.text for word, _ in read if word.upright and not word.rise])
    return own >= GARBLED and other * CLEANER <= own and len(read) >= GARBLED_WORDS


def _picture_alone(
    layer: Sequence[Word], read: Sequence[tuple[Word, float]], upright: Sequence[Rule], size: float
) -> Agreed:
    """Return what was read in the picture; its numbers that the layer has not in their place are doubts."""
    found: list[Word] = []
    doubts: list[Doubt] = []
    height = median(word.y1 - word.y0 for word in layer)
    lines = [word for word in layer if abs(word.y1 - word.y0 - height) <= ONE_SIZE * height]
    level = [(_table_witness_settled(word, lines, height), score) for word, score in read]
    for entry in with_one_symbol(list(_entries(level, upright))):
        own = _of_one_size([word for word, _ in entry], size)
        before = _line([word for word in layer if _on(word, own)])
        found += own
        if not all(word.rise for word in own) and not says_the_same(before, text_of(own)):
            doubts += _told(own, before)
    turned = [word for word in layer if not word.upright]
    return Agreed((*turned, *found), (Doubt("", "", around(layer)), *doubts))


def _table_witness_settled(word: Word, layer: Sequence[Word], height: float) -> Word:
    """Return a read word on the line of the layer's words that stand there, else as high as they are.

    The recogniser's boxes of small print between rules are too high, or a line at the foot of the word; a
    size measured in them is none: with it small words beside seem lowered ones of the line.
    """
    middle = (word.y0 + word.y1) / 2
    near = [
        other
        for other in layer
        if _shared(other, word) > BESIDE and abs((other.y0 + other.y1) / 2 - middle) < height
    ]
    if near:
        home = min(near, key=lambda other: abs(other.y1 - word.y1))
        return replace(word, y0=home.y0, y1=home.y1, size=home.size)
    if word.y1 - word.y0 < BESIDE * height:
        return replace(word, y0=word.y1 - height)
    over = max(0.0, word.y1 - word.y0 - height) / 2
    return replace(word, y0=word.y0 + over, y1=word.y1 - over)


def _entries(
    read: Sequence[tuple[Word, float]], upright: Sequence[Rule]
) -> Iterator[list[tuple[Word, float]]]:
    """Yield the read words in runs of one line without a wide gap, rules that were read left out."""
    level = [pair for pair in read if pair[0].upright and not _is_rule(pair[0], upright)]
    run: list[tuple[Word, float]] = []
    for pair in (part for one in level for part in _unglued(one)):
        if run:
            last, word = run[-1][0], pair[0]
            same = (last.y0, last.y1) == (word.y0, word.y1) and last.x0 < word.x0
            if not same or word.x0 - last.x1 > APART * word.size:
                yield run
                run = []
        run.append(pair)
    if run:
        yield run


def _unglued(pair: tuple[Word, float]) -> list[tuple[Word, float]]:
    """Return a read word, cut where a word that wants another has grown to the number behind it."""
    word, score = pair
    if _MARKS.fullmatch(word.text):
        return [(replace(word, rise=1, glued=True), score)]
    if marked := _MARKED.fullmatch(word.text):
        number, mark = _parts(word, len(marked[1]))
        return [(number, score), (replace(mark, rise=1, glued=True), score)]
    found = _GLUED.fullmatch(word.text)
    if not found or not open_end().search(found[1]):
        return [pair]
    middle = word.x0 + (word.x1 - word.x0) * len(found[1]) / len(word.text)
    return [
        (replace(word, text=found[1], x1=middle), score),
        (replace(word, text=found[2], x0=middle), score),
    ]


def _parts(word: Word, at: int) -> tuple[Word, Word]:
    """Return a word cut behind so many of its signs."""
    middle = word.x0 + (word.x1 - word.x0) * at / len(word.text)
    return replace(word, text=word.text[:at], x1=middle), replace(word, text=word.text[at:], x0=middle)


def _is_rule(word: Word, upright: Sequence[Rule]) -> bool:
    """Tell whether a vertical rule was read as a sign: it is thin, and one stands in it."""
    thin = len(word.text) == 1 and word.text in "|1lIi!:;/\\[]()J"
    high = word.y0 + (word.y1 - word.y0) / 2
    return thin and any(word.x0 - 2 <= r.at <= word.x1 + 2 and r.start < high < r.end for r in upright)


def _of_one_size(words: Sequence[Word], size: float) -> list[Word]:
    """Return the words in the type size of the layer, where theirs is nearly that."""
    return [
        replace(word, size=size) if size and abs(word.size - size) <= ONE_SIZE * size else word
        for word in words
    ]


def _on(word: Word, entry: Sequence[Word]) -> bool:
    """Tell whether a word of the layer stands where the entry does."""
    middle = (word.x0 + word.x1) / 2
    return any(_level(word, other) for other in entry) and (
        entry[0].x0 - 2 <= middle <= entry[-1].x1 + 2 or any(_shared(word, other) > BESIDE for other in entry)
    )


def _is_off(word: Word, entry: Sequence[Word]) -> bool:
    """Tell whether a word of the layer is printed where the entry is, which was read too high or too low."""
    off = abs(word.y0 + word.y1 - entry[0].y0 - entry[0].y1) / 2
    high = max(word.y1 - word.y0, entry[0].y1 - entry[0].y0)
    return off < OFF * high and any(_shared(word, other) > BESIDE for other in entry)


def _is_twice(word: Word, found: Sequence[Word], layer: Sequence[Word]) -> bool:
    """Tell whether a word of the layer is one of the picture's that it has between two lines.

    Nothing is read where it stands, and no other word of the layer stands beside it.
    """
    high = word.y1 - word.y0
    alone = not any(other is not word and _level(other, word) for other in layer)
    return alone and any(
        other.text == word.text
        and _shared(other, word) > BESIDE
        and abs(other.y0 + other.y1 - word.y0 - word.y1) / 2 < ASTRAY * high
        for other in found
    )


def _is_of_mark(word: Word, marks: Sequence[Word]) -> bool:
    """Tell whether a word of the layer is what it has of marks that stand there, however high."""
    beside = marks[0].x0 - 2 <= (word.x0 + word.x1) / 2 <= marks[-1].x1 + 2
    high = min(word.y1, marks[0].y1) > max(word.y0, marks[0].y0)
    return beside and high and bool(_OF_MARK.fullmatch(word.text))


def _level(one: Word, other: Word) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared > LEVEL * min(one.y1 - one.y0, other.y1 - other.y0)


def _shared(one: Word, other: Word) -> float:
    """Return the share of the second word's width that the first covers."""
    return (min(one.x1, other.x1) - max(one.x0, other.x0)) / max(other.x1 - other.x0, 1.0)


def _uncovered(word: Word, layer: Sequence[Word]) -> bool:
    return sum(max(0.0, _shared(other, word)) for other in layer if _level(other, word)) < BESIDE


def _is_print(entry: Sequence[tuple[Word, float]]) -> bool:
    """Tell whether what the layer has no word for is print: an entry of values, or words read surely."""
    text = "".join(word.text for word, _ in entry)
    surely = min(score for _, score in entry) >= SURE
    unit = surely and text[:1] in "[(" and bool(unit_pattern().search(text))
    letters = sum(sign.isalpha() for sign in text)
    whole = clean(text_of([word for word, _ in entry]))
    return unit or (whole and (has_figures(text) or (letters > 1 and surely)))


def _line(words: Sequence[Word]) -> str:
    """Return words of one or more lines as one text."""
    return " ".join(text_of(row.words) for row in rows_of(words))


def _told(words: Sequence[Word], other: str) -> list[Doubt]:
    """Return the doubt of words that hold a figure or a symbol."""
    words = [word for word in words if not word.rise]
    if not words:
        return []
    text = text_of(words) if all(a.x0 <= b.x0 for a, b in pairwise(words)) else _line(words)
    if not has_figures(text) and not _SYMBOL.search(text):
        return []
    return [Doubt(text, other, around(words))]
