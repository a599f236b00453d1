"""Captions of tables and figures: how they begin, and how references in running text are told from them."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from appliance.core.files import shipped
from appliance.ingest.layout.lines import text_of
from appliance.ingest.page import SNAP, Area, Line, View, Word, around
from appliance.ingest.structure.sequence import CJK
from appliance.ingest.structure.unnumbered_headings import bare
from appliance.ingest.tables.cells import paragraph, part_of, rows_of

Words = tuple[str, ...]  # that name a kind of caption, or say something of one
CaptionKind = Literal["table", "figure"]
# "Table 5.2(A)", "Tableau 4.3(NA)", "TABLE 307.1(1)", "Figure A-4.1.6.16.(6)(c)"
BRACKET = r"(?:\.?\((?:[A-Za-z]|[A-Z]{2}|\d{1,2})\))+"
LETTER = r"\.?-[A-Z](?![\w-])"  # "Table 9.10.14.4.-A", "TABLE 16-A"
_SUBLETTER = r"\s[a-z](?=\s*(?:[.:–—-]|$)|\s+[A-Z])"  # "Table 1 a. Restrictions"
_APART = r"(?:\s\([A-Z]\)(?=\s*[–—:-]\s|\s*$))"  # "Table NA.A1.2 (A) – Design values"
_AFTER = rf"(?=[.,;:]?(?:$|[\s)(–—-]|{CJK}))"
# of word and number: "Fig.2", "Table-1"
_BETWEEN = re.compile(r"\.?\s+|\.?\s*[–－-]\s?(?=\d)|\.?(?=(?:[A-Z][.-]?)?\d)")
_SIGN = re.compile(r"\s*(?:[–—:•·=~-]|\.{1,2}(?=\s))+\s*")


@dataclass(frozen=True, slots=True)
class CaptionStart:
    """What a line begins with: `sign`: a dash or colon follows the number; `rest`: what comes then."""

    kind: CaptionKind
    label: str
    sign: bool
    rest: str


@cache
def _number() -> re.Pattern[str]:
    """Return what matches the number of a table or figure."""
    national = "|".join(map(re.escape, shipped("tables")["naming"]["national"]))
    return re.compile(
        rf"(?:(?:(?:{national})\.?\s?|[A-Z]\.(?=(?:{national})\.))?"  # "Table NA.A1.2", "Table A.NA.1"
        rf"(?:[A-Z]{{1,3}}[.–-]?|[A-Z]\s|§\s?)?\d+(?:[.:/–-]\d+)*"  # "Table B-1", "Fig. C 1", "Table § 6-1"
        rf"(?:{LETTER}|{_SUBLETTER}|\.(?:[IVX]{{1,4}}|[a-z])|[a-zA-Z]?(?:{BRACKET}(?:{LETTER})?|{_APART})?)|[ivx]{{1,4}}|(?:[A-Z]-)?[IVX]{{1,5}}){_AFTER}"
        rf"|(?:[A-Z]\d{{1,2}}){{2,3}}[a-z]?{_AFTER}"  # "Table C2D2", "Table S5C11a"
        r"|[A-Z]{1,2}(?=:\s|\s[–—-]\s)"  # "TABLE A: Tolerances"
    )


def match(text: str, words: Mapping[str, Words]) -> CaptionStart | None:
    """Return what a line says if it begins like a caption: a caption word and a number."""
    first = _number().match(text)
    for kind in ("table", "figure"):
        for word in words.get(kind, ()):
            at = _after_word(text, word)
            found = _before_word(text, first, word) if at is None else _after_number(text, at, word, words)
            if found is not None:
                label, rest = found
                sign = _SIGN.match(rest)
                said = rest[sign.end() :] if sign else rest.strip()
                stop = sign is not None and sign[0].strip(" .") == ""  # "Table 3.1.3.1. is repealed"
                return CaptionStart(kind, label, sign is not None and not (stop and said[:1].islower()), said)
    return None


def _after_word(text: str, word: str) -> int | None:
    """Return where the text goes on after the caption word, None where it does not begin with it."""
    if text[: len(word)].casefold() == word.casefold():
        end = _BETWEEN.match(text, len(word))
        return end.end() if end and (text[0].isupper() or word[0].islower() or not word.isascii()) else None
    return None


def _before_word(text: str, number: re.Match[str] | None, word: str) -> tuple[str, str] | None:
    """Return the label and the rest of a line whose number stands before the caption word: "3. táblázat"."""
    end = _behind(word).match(text, number.end()) if number else None
    return (text[: end.end()], text[end.end() :]) if end else None


@cache
def _behind(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)\.?\s{re.escape(word)}(?=\s*(?:[.:–—-]|$)|\s+[^\W\d_](?!\S*\d))")


def _after_number(text: str, start: int, word: str, words: Mapping[str, Words]) -> tuple[str, str] | None:
    """Return the label and the rest of the line; the number may be that of a figure ("Table to Figure 3")."""
    if number := _number().match(text, start):
        stem, _, letter = number[0].rpartition(" ")
        printed = f"{stem} {letter}" if letter.islower() and stem else "".join(number[0].split())
        printed = printed.replace(",", ".").replace("§", "§ ")
        return f"{word}{'' if re.match(CJK, word) else ' '}{printed}", text[number.end() :]
    middle, _, named = text[start:].partition(" ")
    for other in words.get("figure", ()) if 2 <= len(middle) <= 3 else ():
        inner = _after_word(named, other)
        number = _number().match(text, len(text) - len(named) + inner) if inner is not None else None
        if number:
            return f"{word} {middle} {other} {number[0]}", text[number.end() :]
    return None


_MORE = r"(?:\s+[^\s()\[\]]+){0,4}"  # "(continued from the previous page)"


@dataclass(frozen=True, slots=True)
class Told:
    """A title without what tells that it goes on; `sheet` is the number of the sheet, 0 for none."""

    title: str
    continued: bool = False
    sheet: int = 0


def goes_on(title: str, words: Mapping[str, Sequence[str]]) -> Told:
    """Return a title without a word that says it goes on, and without the number of its sheet."""
    title, sheet = without_sheet(title, words.get("sheet", ()))
    said = "|".join(map(re.escape, words.get("continued", ()))) or "(?!)"
    for form in (
        rf"[\s–—-]*[(\[]?\s*\b(?:{said})\s*[)\]]?\s*\.?$",
        rf"(?:[\s–—-]*[(\[]|(?:^|\s)[–—-])\s*(?:{said}){_MORE}\s*[)\]]?\s*\.?$",
        rf"^[(\[]\s*(?:{said}){_MORE}\s*[)\]][\s:–—-]*",
        rf"^(?:{said})\b{_MORE}\.?$",
        rf"^(?-i:{said})\s+(?=\S)",  # "TABLE 1607.1-continued LIVE LOADS"
    ):
        cut = re.sub(form, "", title, flags=re.IGNORECASE)
        if cut != title:
            return Told(cut, continued=True, sheet=sheet)
    return Told(title, sheet > 1, sheet)


def without_sheet(title: str, sheets: Sequence[str]) -> tuple[str, int]:
    """Return a title without the number of its sheet, and that number, 0 for none."""
    said = "|".join(map(re.escape, sheets)) or "(?!)"
    named = rf"\b(?:{said})\s+(\d{{1,2}})\s*(?:/|\w{{1,4}}\s)\s*\d{{1,2}}\b"
    for form in (
        rf"^[(\[]\s*{named}\s*[)\]][\s.:–—-]*",
        rf"^{named}[\s.:–—-]*",
        rf"[\s–—-]*[(\[]\s*{named}\s*[)\]]$",
    ):
        if found := re.search(form, title, flags=re.IGNORECASE):
            return title[: found.start()] + title[found.end() :], int(found[1])
    return title, 0


APART = 2.0  # type sizes between the text of an entry and its page number
_LEADERS = re.compile(r"(?:\.\s?){4,}")


def is_entry(line: Line) -> bool:
    """Tell whether the line ends as an entry does: in leaders, or in a page number set apart."""
    last, before = line.words[-1], line.words[max(len(line.words) - 2, 0)]
    apart = last.text.isdecimal() and last.x0 - before.x1 > APART * line.size
    return apart or bool(_LEADERS.search(line.text))


ROW_ABOVE = 1.0  # type sizes, at least, that the row above is high


def in_grid_row(view: View, line: Line, heads: Collection[str]) -> bool:
    """Tell whether the line stands in a row of a ruled grid, under another row, beside cells of other words.

    `heads` are the words that captions begin with, lower case.
    """
    x, y = _middle(line)
    crossing = [rule for rule in view.ruling.horizontal if rule.start <= x <= rule.end]
    top = max((rule for rule in crossing if rule.at < y), key=lambda rule: rule.at, default=None)
    foot = min((rule for rule in crossing if rule.at > y), key=lambda rule: rule.at, default=None)
    if top is None or foot is None:
        return False
    high, low = top.at - ROW_ABOVE * line.size + SNAP, foot.at - SNAP
    sides = sorted({rule.at for rule in view.ruling.vertical if rule.start <= high and rule.end >= low})
    cells: dict[int, list[Word]] = defaultdict(list)
    for word in view.words:
        across, down = _middle(word)
        if top.at < down < foot.at and top.start <= across <= top.end:
            cells[bisect(sides, across)].append(word)
    cells.pop(bisect(sides, x), None)
    for cell in cells.values():
        highest = min(word.y0 for word in cell)
        first = min((word for word in cell if word.y0 < highest + word.size / 2), key=lambda word: word.x0)
        if first.text.casefold() not in heads:
            return True
    return False


def _middle(printed: Line | Word) -> tuple[float, float]:
    return (printed.x0 + printed.x1) / 2, (printed.y0 + printed.y1) / 2


SURE, ENOUGH, DOUBTFUL = 3.0, 0.7, 0.2  # points
STRONGER = 1.9  # points more than those of a line that it leaves no caption
UNSURE = 2.0  # points of a line that does so for none, if the other one is set in other type
LINES = 5  # of a title, at most
WIDE = 4.5  # type sizes of gap: what follows is not the caption's
LISTED = 3  # entries of a list of tables on a page, at the least
HEADED = 1.5  # type sizes from a label alone to the first rule of its table, at most
HEADS = 0.9  # type sizes: two gaps so wide part the heads of columns
LEADING = 1.75  # type sizes from top to top: more is not the same caption
_NUMBERED = re.compile(r"(?:[A-Z]\.?)?\d+(?:\.\d+)+\.?")  # of a heading: "4.2", "A.3.1"
_PROSE = re.compile(r"^\s*(?:[a-z(,;)]|\.$)")
_TAGGED = re.compile(r"^\s*\(\w{1,14}\)\s*[–—-]\s")  # "Table 6.3 (NDP) — Values of ..."

Style = tuple[str, bool, int, int]


@dataclass(frozen=True)
class Caption:
    """A caption as printed: `label` is the word and number, `lines` indexes in the layout."""

    kind: CaptionKind
    label: str
    title: str
    view: View
    lines: tuple[int, ...]
    area: Area
    points: float
    style: Style
    continued: bool = False
    band: Area | None = None  # the filled band that the caption stands in
    sheet: int = 0  # of a table on several sheets that are numbered
    titles: bool = False  # a section, which it opens too: "7.3 Table 1 - Minimum standards"

    @property
    def ground(self) -> Area:
        """The caption with its band."""
        if self.band is None:
            return self.area
        top, bottom = min(self.band.y0, self.area.y0), max(self.band.y1, self.area.y1)
        return Area(self.band.x0, top, self.band.x1, bottom)

    @property
    def page(self) -> int:
        """Number of the page."""
        return self.view.page.number


def find_captions(views: Sequence[View], words: Mapping[str, Words]) -> tuple[Caption, ...]:
    """Return the captions of the document in the order of its pages and lines."""
    usual = body_style(views)
    found = [c for view in views for c in _candidates(view, words, usual)]
    # a document that names its tables before their number has no title of that word: "A.2.2 Table examples"
    heads = tuple(word.casefold() for kind in ("table", "figure") for word in words.get(kind, ()))
    ahead = {c.kind for c in found if c.points >= SURE and c.label.casefold().startswith(heads)}
    found = [c for c in found if c.kind not in ahead or c.label.casefold().startswith(heads)]
    styles = Counter(c.style for c in found if c.points >= SURE)
    shared = {style for style, n in styles.items() if n >= 2 and style != usual}
    # pages of a list of tables or figures: most of what begins as captions there are entries
    every = Counter(caption.page for caption in found)
    entries = Counter(c.page for c in found if is_entry(dict(c.view.lines)[c.lines[0]]))
    listed = {page for page, count in entries.items() if count >= LISTED and 2 * count > every[page]}
    sure = [
        c for c in found if c.points >= (DOUBTFUL if c.style in shared else ENOUGH) and c.page not in listed
    ]
    return tuple(_without_echoes(_without_lists(sure)))


def body_style(views: Sequence[View]) -> Style:
    """Return the style of most of the text: font, bold, size in half points, colour."""
    styles: Counter[Style] = Counter()
    for view in views:
        for _, line in view.lines:
            styles[style_of(line)] += len(line.text)
    return styles.most_common(1)[0][0] if styles else ("", False, 0, 0)


def style_of(line: Line) -> Style:
    """Return the style of a line by its first word."""
    first = line.words[0]
    return first.font, line.bold, round(line.size * 2), first.colour


def _candidates(view: View, words: Mapping[str, Words], usual: Style) -> list[Caption]:
    heads = {word.casefold() for kind in ("table", "figure") for word in words.get(kind, ())}
    found = []
    for index, line in view.lines:
        for piece in (_inside(part, _band_around(view, part)) for part in _pieces(line, words)):
            said = match(piece.text, words)
            titles = said is None and _is_heading(piece)
            if said is None and view.page.trust == "ocr":
                # without the sign of an amendment, as a scan has it: "AC1 Table A.9", "<51 Figure 7.9"
                text = piece.text.lstrip("~<>@|_-—–•·'\"([{*^ ")
                head, _, rest = text.partition(" ")
                said = match(rest if len(head) <= 5 and not head.isalpha() else text, words)
            elif titles:
                said = match(text_of(piece.words[1:]), words)
            if said is None or (titles and not said.sign):
                continue
            caption = replace(_caption(view, index, piece, said, usual, words=words), titles=titles)
            if (said.rest and caption.points >= SURE) or not in_grid_row(view, piece, heads):
                found.append(caption)
    return found


def _inside(line: Line, fill: Area | None) -> Line:
    """Return the part of the line in the filled area, or before a gap that no caption has."""
    if fill is not None:
        return part_of(line, tuple(filter(fill.holds_middle, line.words)))
    for at, (left, right) in enumerate(pairwise(line.words), 1):
        if right.x0 - left.x1 > WIDE * line.size:
            return part_of(line, line.words[:at])
    return line


def _pieces(line: Line, words: Mapping[str, Words]) -> list[Line]:
    """Return the line in parts where a caption word begins again behind a gap (captions side by side)."""
    heads = {word for kind in ("table", "figure") for word in words.get(kind, ())}
    starts = [
        at
        for at, (left, right) in enumerate(pairwise(line.words), 1)
        if right.text in heads and right.x0 - left.x1 > 0.9 * line.size
    ]
    runs = pairwise([0, *starts, len(line.words)])
    return [part_of(line, line.words[start:end]) for start, end in runs] if starts else [line]


def _caption(
    view: View,
    index: int,
    line: Line,
    said: CaptionStart,
    usual: Style,
    *,
    words: Mapping[str, Words],
) -> Caption:
    fill = _band_around(view, line)
    title, sheet = without_sheet(said.rest, words.get("sheet", ()))
    tagged = _TAGGED.match(title) is not None
    said = replace(said, rest=title, sign=said.sign or sheet > 0 or tagged)
    goes = {word.casefold() for word in words.get("continued", ())}
    if said.kind == "table" and not said.rest.strip(" ."):
        said = replace(said, rest="")
    again = said.rest.strip(" ()[].–—-").casefold() in goes
    points = _points(view, line, said, usual, again=again) + (2.0 if fill else 0.0)
    parts = [(index, line), *([] if said.rest or fill else _beside(view, line))]
    for at, other in _below(view, line, fill) if len(parts) == 1 else ():
        if len(parts) >= LINES or not _goes_on(view, line, parts[-1][1], other, fill=fill, usual=usual):
            break
        parts.append((at, other))
    texts = ["" if again else said.rest, *(other.text for _, other in parts[1:])]
    told = goes_on(" ".join(filter(None, texts)).strip(" .–—-:"), words)
    members, area = tuple(at for at, _ in parts), around(each for _, each in parts)
    return Caption(
        *(said.kind, said.label, told.title, view, members, area, points, style_of(line)),
        continued=told.continued or again or sheet > 1,
        band=fill,
        sheet=sheet or told.sheet,
    )


def _points(view: View, line: Line, said: CaptionStart, usual: Style, *, again: bool) -> float:
    """Return how much the line looks like a caption; the fill around it is counted by the caller.

    `again` tells that it says nothing but that a table goes on.
    """
    style = style_of(line)
    points = 2.0 * said.sign + 2.0 * (line.bold and not usual[1]) + 1.5 * (style[3] != usual[3])
    points += 1.0 * (line.size > 1.05 * usual[2] / 2) + 1.5 * _centred(view, line)
    points += 1.0 * (style[0] != usual[0] and not line.bold)
    if said.rest and not again:
        prose = _PROSE.match(said.rest) and not _TAGGED.match(said.rest)
        points -= 2.5 * bool(prose) + 4.0 * is_entry(line)
    elif not said.rest:
        points += 1.5 * (said.kind == "table" and _heads_rules(view, line)) - 0.5 - 1.5 * said.sign
    over = [
        o for _, o in view.lines if o.y1 <= line.y0 + 0.3 * line.size and o.x0 < line.x1 and o.x1 > line.x0
    ]
    before = max(over, key=lambda o: o.y1, default=None)  # the line right above in the same column of text
    if before is None or line.y0 - before.y1 >= 0.45 * line.size:
        return points + 0.75
    runs_on = before.text.rstrip()[-1:] not in ".:;!?" and style == style_of(before)
    return points - 0.5 - 2.0 * (runs_on and before.x1 - before.x0 > 0.55 * view.body.width)


def _heads_rules(view: View, line: Line) -> bool:
    """Tell whether a rule runs right under the line, and another of the same length under that."""
    under = [rule for rule in view.ruling.horizontal if line.y1 - SNAP < rule.at and rule.length >= LEAST]
    first = min(under, key=lambda rule: rule.at, default=None)
    return (
        first is not None
        and first.at - line.y1 < HEADED * line.size
        and first.start - SNAP <= line.x0 < first.end
        and any(abs(r.start - first.start) + abs(r.end - first.end) < SNAP for r in under if r is not first)
    )


def _beside(view: View, line: Line) -> list[tuple[int, Line]]:
    """Return the lines of the title that stands beside a label, with it between two rules."""
    x, y = _middle(line)
    crossing = [rule for rule in view.ruling.horizontal if rule.start - SNAP <= x <= rule.end]
    top = max((rule.at for rule in crossing if rule.at < y), default=None)
    foot = min((rule.at for rule in crossing if rule.at > y), default=None)
    if top is None or foot is None or foot - top > LINES * LEADING * line.size:
        return []
    return [(at, other) for at, other in view.lines if other.x0 > line.x1 and top < _middle(other)[1] < foot]


def _centred(view: View, line: Line) -> bool:
    """Tell whether the line stands in the middle of the page's text, away from both edges."""
    left, right = line.x0 - view.body.x0, view.body.x1 - line.x1
    return left > 12 and right > 12 and abs(left - right) < 0.12 * view.body.width


def _below(view: View, line: Line, fill: Area | None) -> list[tuple[int, Line]]:
    """Return the lines under the first line of a caption that may be its next ones, downwards.

    Of a line that runs over two captions side by side only the part in the same filled area counts.
    """
    under = []
    for index, other in view.lines:
        if other.y0 <= line.y0 + 0.5 * line.size or other.y0 > line.y0 + LINES * LEADING * line.size:
            continue
        part = other
        if fill is not None and not (fill.x0 - 2 <= other.x0 and other.x1 <= fill.x1 + 2):
            inside = tuple(filter(fill.holds_middle, other.words))
            part = part_of(other, inside) if inside else other
        if part.x0 < line.x1 + line.size and part.x1 > line.x0:
            under.append((index, part))
    return sorted(under, key=lambda item: item[1].y0)


def _goes_on(view: View, first: Line, last: Line, other: Line, *, fill: Area | None, usual: Style) -> bool:
    """Tell whether a line goes on the title that begins in the first line."""
    if other.y0 - last.y0 > LEADING * last.size or _is_heading(other):
        return False
    if fill is not None:
        return fill.holds_middle(other)
    ruled = any(
        last.y0 < rule.at < other.y1 and rule.start < other.x1 and rule.end > other.x0
        for rule in view.ruling.horizontal
    )
    if ruled or spread(other) or abs(other.size - first.size) > 0.12 * first.size:
        return False
    # behind the caption word and its number
    hangs = len(first.words) > 2 and any(abs(other.x0 - word.x0) < 3 for word in first.words[2:4])
    alike = style_of(first) != usual and style_of(first)[1:] == style_of(other)[1:]
    middle = abs(_middle(first)[0] - _middle(other)[0]) < 0.05 * view.body.width
    return hangs or alike or (middle and _centred(view, first) and _centred(view, other))


def _is_heading(line: Line) -> bool:
    """Tell whether a line begins with a number of several parts set apart, or before a capitalised word."""
    if len(line.words) < 2 or not _NUMBERED.fullmatch(line.words[0].text):
        return False
    number, word = line.words[:2]
    named = len(word.text) > 2 and word.text.isalpha() and word.text[0].isupper()
    return named or word.x0 - number.x1 > line.size


def spread(line: Line) -> bool:
    """Tell whether the line stands in columns, as the head of a table does."""
    gaps = [b.x0 - a.x1 for a, b in pairwise(line.words)]
    wide = sum(gap > HEADS * line.size for gap in gaps)
    return wide > 1 or any(gap > 1.6 * line.size for gap in gaps)


def _band_around(view: View, line: Line) -> Area | None:
    """Return the filled band that the line begins in, cut at the first rule under the line.

    One path may fill a band and cells far below it; the rule under the caption tells where it ends.
    """
    fills = (fill for fill in view.ruling.fills if fill.holds_middle(line.words[0]))
    bands = (fill for fill in fills if fill.width >= 10 * line.size and line.y0 - fill.y0 < 2.5 * line.size)
    band = min(bands, key=lambda fill: fill.width * fill.height, default=None)
    if band is None:
        return None
    ends = [
        rule.at
        for rule in view.ruling.horizontal
        if line.y1 < rule.at < band.y1
        and min(rule.end, band.x1) - max(rule.start, band.x0) > 0.3 * band.width
    ]
    bottom = min([*ends, band.y1])
    return Area(band.x0, band.y0, band.x1, bottom) if bottom - band.y0 < LINES * 2 * line.size else None


def _without_lists(captions: list[Caption]) -> list[Caption]:
    """Drop the entries of a list of tables or figures: many on a page, line by line, nothing between."""
    pages = Counter((c.page, c.view.turn) for c in captions)
    kept = []
    for caption in captions:
        offsets = (abs(c.area.y0 - caption.area.y0) for c in captions if c.page == caption.page)
        near = any(0 < offset < 2.2 * caption.area.height for offset in offsets)
        alone = not near or caption.points >= SURE + 2
        few = pages[caption.page, caption.view.turn] < 5
        if few or (alone and not is_entry(dict(caption.view.lines)[caption.lines[0]])):
            kept.append(caption)
    return kept


def _without_echoes(captions: list[Caption]) -> list[Caption]:
    """Drop a line with a label that a much stronger one has; if it is unsure, any stronger in other type.

    One that repeats label and title of the page before is marked as continued.
    """
    kept: list[Caption] = []
    for caption in captions:
        stronger = [
            c
            for c in captions
            if (c.label, c.kind) == (caption.label, caption.kind)
            and (
                c.points > caption.points + STRONGER
                or (c.style != caption.style and caption.points < min(UNSURE, c.points))
            )
        ]
        if not caption.continued and not all(c.continued and c.page >= caption.page for c in stronger):
            continue
        same = (c for c in reversed(kept) if (c.label, c.kind) == (caption.label, caption.kind))
        before = next(same, None)
        again = before and caption.page == before.page + 1 and bare(caption.title) in bare(before.title)
        kept.append(replace(caption, continued=True) if again else caption)
    return kept


LONG_TITLES_LINES = 3  # of a title after those that the caption was read with
REMARK = 6  # lines of a remark
CLOSE = 2.0  # type sizes of white between two of its lines, and between the last and the rule
LONG_TITLES_ALIGNED = 3.0  # points
LEAST = 60.0  # points: length of a rule
COVER = 0.9  # of the caption's width that the rule covers
_ENDS = (".", ":", ";", ",")


def grown(caption: Caption) -> Caption | None:
    """Return the caption down to the rule under it, with all lines of its title; None where it ends there."""
    view, area = caption.view, caption.area
    rule = _rule_below(view, area)
    if rule is None or caption.band is not None:
        return None
    between = [
        (index, line)
        for index, line in view.lines
        if area.y1 - 2 < line.y0 and line.y1 <= rule.y0 + 2 and line.x0 < rule.x1 and line.x1 > rule.x0
    ]
    between.sort(key=lambda item: item[1].y0)
    lines = [line for _, line in between]
    if not 1 <= len(lines) <= REMARK or not _go_together(lines, area, rule):
        return None
    rows = rows_of([word for line in lines for word in line.words])
    if any(len(row.fragments) > 1 for row in rows) or any(spread(line) for line in lines):
        return None
    longer = replace(caption, area=replace(around([area, *lines]), y0=area.y0, y1=lines[-1].y1))
    if len(lines) > LONG_TITLES_LINES or lines[-1].text.rstrip().endswith(_ENDS):
        return longer
    return replace(
        longer,
        title=f"{caption.title} {paragraph(rows)}".strip(),
        lines=(*caption.lines, *(index for index, _ in between)),
    )


def _go_together(lines: Sequence[Line], area: Area, rule: Area) -> bool:
    """Tell whether lines stand close under a caption, as it does, and down to the rule."""
    bottoms = [area.y1, *(line.y1 for line in lines)]
    tops = [*(line.y0 for line in lines), rule.y0]
    gaps = [top - bottom for bottom, top in zip(bottoms, tops, strict=True)]
    middle = area.x0 + area.x1
    return max(gaps) <= CLOSE * lines[0].size and all(
        abs(line.x0 - area.x0) < LONG_TITLES_ALIGNED
        or abs(line.x0 + line.x1 - middle) < 2 * LONG_TITLES_ALIGNED
        for line in lines
    )


def _rule_below(view: View, area: Area) -> Area | None:
    """Return the first rule, or edge of a fill, under a caption and over its whole width, as a flat area."""
    edges = [Area(rule.start, rule.at, rule.end, rule.at) for rule in view.ruling.horizontal]
    edges += [Area(fill.x0, fill.y0, fill.x1, fill.y0) for fill in view.ruling.fills]
    under = (
        edge
        for edge in edges
        if edge.y0 > area.y1
        and edge.width >= LEAST
        and min(edge.x1, area.x1) - max(edge.x0, area.x0) >= COVER * area.width
    )
    return min(under, key=lambda edge: edge.y0, default=None)
