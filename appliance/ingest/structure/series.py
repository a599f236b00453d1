"""The numbering series of a document, found in it: forms that open lines and run in order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import inf
from operator import itemgetter
from statistics import median

from msgspec import structs

from appliance.core.document import ClauseKind
from appliance.core.files import shipped
from appliance.ingest.layout.typography import Row
from appliance.ingest.page import PageLayout
from appliance.ingest.structure.numbered_headings import (
    LARGER,
    TITLE,
    Weighing,
    find_skeleton,
    names_document,
)
from appliance.ingest.structure.schemes import INNER, Level, Scheme, generic
from appliance.ingest.structure.sequence import CJK, Candidate, best_chain
from appliance.ingest.structure.tree import GLUED
from appliance.ingest.structure.unnumbered_headings import bare

MEMBERS_MIN = 3  # of a form that no word and no usual sign tells
CHAINED_MIN = 0.6  # of the likely numbers of such a form: so many are in one chain
JOINED_MIN = 0.9  # of the members of the smaller of two forms that are kept in one chain with the other
BARE, WORDED = r"\d{1,4}", r"\d{1,6}"  # the figures of a number, and of one behind a word or sign: "§ 64431"
NESTED = 1.0  # ems by which at least what stands in another list item is set in
RESTARTED_MIN = 1.2  # times as many members behind the first place where numbers begin again
FILLED_MIN = 0.7  # of the places of a series, in which others begin again: so many hold more than one of them
HELD_MIN = 0.5  # of the whole numbers of a series with longer ones: so many hold one of those
MIRRORED_PARTS_MIN = 3  # parts that the numbers of a commentary have together, at least
EXPLAINING = 9.0  # rank of a commentary
LETTERS_MAX = 3  # before a number; what is longer is a code that all numbers of its own series share
MIRRORED_MIN = 0.7  # of the numbers of a commentary: so many are also those of clauses
CONSTANT_MIN = 0.8  # of the letters before the numbers of a form that are one letter
EXPLAINED_MIN = 1.35  # times as many numbers in a series found as in that of the family, which it replaces
TITLED_MIN = 0.7  # of the numbers of a form that stand out somewhere: then they do so where they open a place
RUNNING_MIN = 10  # whole numbers that count on through the document in plain type
COMPLETE_MIN = 0.85  # of the numbers up to the last of them; others were repealed
LIST_LINES = 2  # of a member of a list, in the middle
PAGES_MIN = 0.5  # of the document: so far run the members of an unknown word, whole numbers in plain type
ORDINALS = ("第", "제")  # before a number, with the word for the place behind it: "第3条", "제3조"
ORDINAL = "第|제(?=\\s?\\d)"
JOINTS = "[.:/–—‒‑-]"
CODE = r"(?-i:[A-Z][A-Z\d./-]{3,}(?=-\d{2,4}(?:\.\d+)*(?![\w/-])))"  # "R-WP2/D2.6-02" before "-045.01"
TITLE_CODE = r"\d{2,4}(?=\.\d{4}(?!\d))"  # of statutes: "7511" before ".0101"
_DASH = "[–—‒‑-]"
_MARKS = re.compile(r"(?:(?P<mark>[^\w\s().\[])\w{1,2}(?P=mark)\s+)*(?:\[[A-Z]{1,3}\]\s+)?")
_NUMERALS = {
    "letter": r"(?-i:(?!(?:TO|OF|IN|IS|ON|OR|AS|AT|BY|IF|NO)\b)[A-Z]{1,3})",
    "roman": r"(?-i:[IVXL]{1,7})",
    "han": "[一二三四五六七八九十百零]{1,5}",
}
_AFTER = rf"(?=\s|$|{_DASH}|{CJK}|(?-i:[A-Z][a-z]{{2,}}\s))"  # "4.1The following" lacks its space
_TITLED = rf"(?=\s*$|\s*(?:\.(?!\d)|[:–—-])|\s*[\[({{]|\s+(?-i:[^\W\d_a-zß-ÿ])|\s?{CJK})"


@dataclass(frozen=True, slots=True)
class Form:
    """What is alike in the numbers of a series; `joint` stands before the second part of a number.

    `lead`: the letter or code before all of them, "*" for any letter; `behind`: the word behind ("章", "§").
    `numeral` tells what a whole number behind a word is written with, `mirrored` that the numbers, their
    letter left out, are those of another form: a commentary.
    """

    word: str = ""
    lead: str = ""
    joint: str = ""
    behind: str = ""
    numeral: str = "figures"
    mirrored: bool = False

    @property
    def name(self) -> str:
        """The form as an example would print it: "2-1", "C9", "section 1"."""
        number = {"figures": "1", "letter": "A", "roman": "I", "han": "一"}[self.numeral]
        tail = f"{self.joint}1" if self.joint and not self.lead else ""
        lead = "A" if self.lead == "*" else self.lead
        return f"{self.word} {lead}{self.joint if self.lead else ''}{number}{tail}{self.behind}".strip()


LETTER = Form(joint=".", numeral="letter")  # "C. WAYS THROUGH A BUILDING"
ROMAN = Form(joint=".", numeral="roman")  # "IV. EVALUATION FINDINGS"
SHAPED: Mapping[Form, re.Pattern[str]] = {
    LETTER: re.compile(rf"(?P<number>[A-Z])\.{_TITLED}"),
    ROMAN: re.compile(rf"(?P<number>[IVXL]{{1,6}})\.{_TITLED}"),
    # "44D.—(1) Where", of a statute
    Form(behind=".—"): re.compile(r"(?P<number>\d{1,4}[A-Z]{0,2})\.\s?[—–-]?\s?(?=\(1\))"),
    # "C2D4", whose parts are told by letters
    Form(lead="*", joint="A"): re.compile(r"(?P<number>[A-Z]\d{1,2}(?:[A-Z]\d{1,3})+)[.:]?(?=\s|$)"),
}  # forms of which one pattern tells all
_TITLES: Mapping[Form, Mapping[str, str]] = {  # what else they are that open titles
    LETTER: {"kind": "section", "title": "rest", "style": "heading"},
    ROMAN: {"kind": "section", "title": "rest", "style": "any", "sequence": "roman"},
}

# "4. Have a clear height", whose numbers are none of a series; right in an annex or under a Roman number bare
NUMBERED = Level(
    "numbered paragraph",
    "paragraph",
    re.compile(r"(?P<number>\d{1,2})\.(?=\s)"),
    "{parent}({number})",
    INNER + 0.1,
    "number",
)


@dataclass(slots=True)
class Series:
    """Forms that count together, and the chain of their members."""

    levels: list[Level]
    candidates: list[Candidate]
    chain: list[Candidate]
    restarts: bool = False  # the numbers of others begin again in its places

    def named(self, name: str, rank: float) -> Iterator[Level]:
        """Yield its levels with the name of their series and their rank."""
        for level in self.levels:
            yield structs.replace(level, series=name, rank=rank, restarts=self.restarts)

    @property
    def whole(self) -> bool:
        """Whether its numbers are whole ones, or letters, without a word."""
        return all(level.name in {Form().name, LETTER.name, ROMAN.name} for level in self.levels)

    @property
    def worded(self) -> bool:
        """Whether a word that names no annex stands before or behind its numbers."""
        return all(level.label == "{head}" and level.kind != "annex" for level in self.levels)

    @property
    def prominence(self) -> float:
        """The size in which its openings are set, more where they are bold."""
        lines = [one.row.line for one in self.chain]
        return median(line.size * (1.2 if line.words[0].bold else 1.0) for line in lines)

    @property
    def step(self) -> int:
        """How many steps of a list its openings are set in."""
        return round(median(one.row.indent for one in self.chain) / NESTED)

    @property
    def depth(self) -> int:
        """How many parts its longest number has."""
        return max((len(one.reading.number) for one in self.chain), default=1)


@cache
def kinds() -> Mapping[str, ClauseKind]:
    """Return what kind of place a word before or behind a number names."""
    rows: Mapping[str, Mapping[str, list[str]]] = shipped("structure/words")
    return {word: kind for kind, spoken in rows.items() for words in spoken.values() for word in words}  # type: ignore[misc]


@cache
def _opening() -> re.Pattern[str]:
    """Return what matches the word and the number with which a line may open; a known word may be glued."""
    known = "|".join(re.escape(word) for word in sorted(kinds(), key=len, reverse=True) if word.isalpha())
    return re.compile(
        rf"(?P<word>{ORDINAL}|§{{1,2}}|(?i:{known})(?=\.?\s?(?:\d|[A-Z]{{1,3}}(?![^\W\d_])|[IVXL]+(?![^\W\d_])))"
        r"|(?![A-Z]{1,3}\.\d)[^\W\d_]{2,16}\.?(?=[\s\d]))?\.?\s?"
        rf"(?P<lead>[A-Z]{{1,3}}(?={JOINTS}?\d)|[A-Z](?=\s\d+\.\d)|{CODE}|{TITLE_CODE})?(?P<first>{JOINTS}|\s)?"
        rf"(?P<figures>(?(word){WORDED}|{BARE})(?:(?P<second>{JOINTS})(?:(?(word)\d{{1,4}}|\d{{1,3}})|[A-Z](?!\w))(?:{JOINTS}\d{{1,3}})*)?)?"
    )


def with_series(weighing: Weighing, layouts: Sequence[PageLayout]) -> Scheme:
    """Return the scheme with the levels of the series that are found in the rows.

    A family whose own levels explain as many numbers keeps them. Annexes that stand nowhere else may be named
    by running heads alone.
    """
    rows, scheme = weighing.rows, weighing.scheme
    body = {form for row in rows if row.fresh or row.after_end for form in _annexes(row)}
    every = [row for row in _in_order(rows, layouts) if row.place[1] >= 0 or set(_annexes(row)) - body]
    finder = _Finder(replace(weighing, rows=every))
    found = finder.series()
    if any(level.rank < INNER for level in scheme.levels):
        own = find_skeleton(replace(weighing, names=frozenset())).openings
        if EXPLAINED_MIN * len(own) >= max((len(one.chain) for one in found), default=0):
            return structs.replace(scheme, levels=(*finder.unknown(found, own), *scheme.levels))
        scheme = structs.replace(scheme, levels=generic().levels)  # its lists are none of that family either
    inner = [level for level in scheme.levels if level.rank >= INNER]
    codes = [] if any(level.name == Form().name for one in found for level in one.levels) else finder.codes()
    levels = [*finder.levels(found), *codes, *inner]
    homes = frozenset(level.name for level in levels if level.kind == "annex" or level.name == ROMAN.name)
    bare_in = [structs.replace(NUMBERED, label="{number}", within=homes)] if homes else []
    return structs.replace(scheme, levels=(*levels, *bare_in, NUMBERED))


class _Finder:
    def __init__(self, weighing: Weighing) -> None:
        self.weighing, self.rows, self.typography = weighing, weighing.rows, weighing.typography
        self.found: dict[Level, list[Candidate]] = {}
        self.mirrored: list[Form] = []  # forms of numbers that repeat those of others
        self.whole: frozenset[int] = frozenset()  # rows that whole numbers without a word open

    def series(self) -> list[Series]:
        """Return the series of the document, the chains of those that begin again in another as they do."""
        found = self._joined(self._kept())
        for inner in found:
            for outer in found:
                begins = sorted({one.at for one in outer.chain})
                if outer is inner or not 1 < len(begins) < len(inner.candidates):
                    continue
                again = self.chained(inner.levels, begins)
                first = self.rows[begins[0]].place
                behind, before = (sum(one.row.place > first for one in s.chain) for s in (again, inner))
                held = Counter(one.container for one in again.chain if one.container)
                filled = sum(count > 1 for count in held.values())
                twice = len(inner.chain) - len({one.reading.number for one in inner.chain}) >= MEMBERS_MIN
                gains = twice or behind >= RESTARTED_MIN * before
                if gains and len(again.chain) >= len(inner.chain) and filled >= FILLED_MIN * len(begins):
                    inner.chain, outer.restarts = again.chain, True
        return found

    def levels(self, found: Sequence[Series]) -> Iterator[Level]:
        """Yield the levels of the series, those of outer series first."""
        if not found:
            return

        def weight(series: Series) -> tuple[int, bool, float]:
            glued = all(level.label == GLUED for level in series.levels)  # one letter before all its numbers
            return len(series.chain), not glued, series.prominence

        main = max(found, key=weight)
        inner, outer = list[Series](), list[Series]()
        for one in found:
            # as an item of a list in an item of another, in the same type; a title may stand in the middle
            steps = one.step - main.step if one.prominence == main.prominence else 0
            holds = (
                (steps < 0 or (steps == 0 and len(one.chain) < len(main.chain)))
                and one.prominence >= main.prominence
                and one.chain[0].row.place <= main.chain[min(2, len(main.chain) - 1)].row.place
            )
            if one is not main:
                (outer if one.restarts or holds else inner).append(one)
        ordered = sorted(outer, key=lambda one: (-one.prominence, one.step, len(one.chain)))
        for at, series in enumerate(ordered):
            yield from series.named(f"outer {at}", 0.1 * at)
        yield from main.named("main", 1.0)
        for at, series in enumerate(sorted(inner, key=lambda one: (-one.prominence, one.step))):
            yield from series.named(f"inner {at}", 1.0 + main.depth + 3 * at)
        for form in self.mirrored:
            kind = {"sequence": "once", "rank": EXPLAINING, "informative": True, "comments": "{number}"}
            yield structs.replace(level_of(form), series="", **kind)

    def unknown(self, found: Sequence[Series], known: Collection[int]) -> Iterator[Level]:
        """Yield the levels that run through the document beside a family that knows none of their rows."""
        named = {level.name: level for level in self.levels(found)}
        for one in found:
            for level in one.levels:
                own = [each for each in one.chain if each.reading.level.name == level.name]
                if (
                    len(own) >= RUNNING_MIN
                    and self._is_spread(own)
                    and not {each.at for each in own} & set(known)
                ):
                    yield named[level.name]

    # --- forms --------------------------------------------------------------------------------

    def _forms(self) -> dict[Form, list[int]]:
        """Return the forms that open rows, with the rows."""
        found: dict[Form, list[tuple[int, str]]] = defaultdict(list)
        scheme = self.weighing.scheme
        captions = {word.casefold() for words in scheme.captions.values() for word in words}
        for index, row in enumerate(self.rows):
            if not row.line.upright or not (row.fresh or row.after_end):
                continue
            if names_document(row.line.text, scheme):
                continue
            for form, number in forms_of(row.line.text):
                if form.word not in captions and form.behind not in captions:
                    found[form].append((index, number))
        return _by_letter(found)

    def _kept(self) -> list[Series]:
        """Return a series for each form whose chain is long enough for it."""
        kept = []
        forms = self._forms()
        named = [level_of(form) for form in forms if kinds().get(form.word) == "annex"]
        annexes = {one.reading.number[0] for level in named for one in self.chained([level]).chain}
        self.mirrored = [form for form in forms if form.mirrored]
        for form, at in forms.items():
            if form.mirrored:
                continue
            level = level_of(form, {other.lead for other in forms if other.joint == form.joint} - {"", "*"})
            titled = structs.replace(level, style="heading")
            if form == Form():
                self.whole = frozenset(at)
            if self._stands_out(at, level) or (form == Form() and self._counts_on(titled)):
                level = titled
            elif form == Form():
                level = structs.replace(level, style="lead", title="auto")
            series = self.chained([level])
            if form == Form() and self._runs_on(plain := self.chained([structs.replace(level, style="any")])):
                series = plain
            lettered = form.lead == "*" and named and (not form.word or form.word in kinds())
            letters = {one.reading.number[0] for one in series.chain}
            if (lettered and (letters & annexes or not letters)) or self._is_enough(form, series):
                kept.append(series)
        # one without a chain of its own can only make that of another longer
        return sorted(
            kept, key=lambda series: (not series.chain, series.worded, series.whole, -len(series.chain))
        )

    def _stands_out(self, at: Sequence[int], level: Level) -> bool:
        """Tell whether most numbers of a form stand somewhere in the type of titles."""
        numbers: dict[str, bool] = defaultdict(bool)
        for line in (self.rows[index].line for index in at):
            found = level.pattern.search(line.text)
            numbers[found["number"] if found else ""] |= self.typography.stands_out(line)
        return sum(numbers.values()) >= TITLED_MIN * len(numbers)

    def _is_enough(self, form: Form, series: Series) -> bool:
        usual = form == Form(joint=".")
        if not usual and self._is_list(series):
            return False
        if usual or form in {Form(), LETTER} or kinds().get(form.behind or form.word):
            return True
        likely = {one.reading.text for one in series.candidates if one.weight > 0}
        if len(series.chain) < max(MEMBERS_MIN, CHAINED_MIN * len(likely)):
            return False
        return not form.word or bool(form.behind) or self._is_spread(series.chain)

    def _is_spread(self, chain: Sequence[Candidate]) -> bool:
        """Tell whether the members run over most of the document."""
        first, last = chain[0].row.place[0], chain[-1].row.place[0]
        return last - first >= PAGES_MIN * self.rows[-1].line.page

    def _counts_on(self, level: Level) -> bool:
        """Tell whether the whole numbers of titles are those from 1 on, each once, and no others."""
        numbers, likely = self._whole(level)
        return len(numbers) >= MEMBERS_MIN and sorted(numbers) == list(range(1, len(likely) + 1))

    def codes(self) -> Iterator[Level]:
        """Yield the level of whole numbers that name titled places and are in no order: codes of elements."""
        level = structs.replace(level_of(Form()), style="lead", title="auto")
        numbers, likely = self._whole(level)
        if len(likely) >= RUNNING_MIN and len(numbers) < CHAINED_MIN * len(likely):
            yield structs.replace(level, name="code", sequence="once", series="")

    def _whole(self, level: Level) -> tuple[list[int | str], set[int | str]]:
        """Return the whole numbers that are in the best chain of their level, and all that are likely."""
        series = self.chained([level])
        own = [one for one in series.candidates if one.at in self.whole and one.weight > 0]
        chained = [one.reading.number[0] for one in series.chain if one.at in self.whole]
        return chained, {one.reading.number[0] for one in own}

    def _runs_on(self, series: Series) -> bool:
        """Tell whether whole numbers in plain type count on through the document; those of lists do not.

        The longest run of them does: they may begin again behind it, in its annexes.
        """
        likely = sum(one.weight > 0 for one in series.candidates)
        if len(series.chain) < max(RUNNING_MIN, CHAINED_MIN * likely):
            return False
        numbers = [one.reading.number for one in series.chain]
        begins = [at for at, (a, b) in enumerate(pairwise(numbers), 1) if b <= a]
        runs = [series.chain[a:b] for a, b in pairwise([0, *begins, len(series.chain)])]
        longest = max(runs, key=len)
        heads = {int(one.reading.number[0]) for one in longest}
        complete = 2 * len(longest) > len(series.chain) and len(heads) >= COMPLETE_MIN * max(heads)
        return complete and self._is_spread(longest)

    def _is_list(self, series: Series) -> bool:
        """Tell whether the members stand below one another, no titles, with no text of their own."""
        at = sorted({one.at for one in series.chain})
        titles = sum(bare(self.rows[index].line.text) in self.weighing.names for index in at)
        return titles < TITLED_MIN * len(at) and (
            len(at) >= MEMBERS_MIN
            and len({self.rows[index].place[0] for index in at}) == 1
            and median(b - a for a, b in pairwise(at)) <= LIST_LINES
            and median(len(self.rows[index].line.words) for index in at) <= TITLE
        )

    def chained(self, levels: Sequence[Level], begins: Sequence[int] = ()) -> Series:
        """Return the levels with their best chain; numbers may begin again at the rows `begins`."""
        for level in levels:
            if level not in self.found:
                self.found[level] = list(self.weighing.candidates([level]))
        candidates = [one for level in levels for one in self.found[level]]
        candidates.sort(key=lambda one: one.at)
        if begins:
            candidates = [replace(one, container=bisect_right(begins, one.at)) for one in candidates]
        return Series(list(levels), candidates, best_chain(candidates))

    # --- series -------------------------------------------------------------------------------

    def _joined(self, kept: Sequence[Series]) -> list[Series]:
        """Return the series, those put together whose numbers run in one chain.

        A form without a chain of its own is one with the series that its numbers make longer.
        """
        found: list[Series] = []
        for one in kept:
            for at, other in enumerate(found):
                both = self.chained([*other.levels, *one.levels])
                twice = {each.at for each in one.chain} & {each.at for each in other.chain}
                lost = len(one.chain) + len(other.chain) - len(twice) - len(both.chain)
                single, longer = sorted((one, other), key=lambda series: series.depth)
                apart = single.depth == 1 < longer.depth and (single.whole or single.worded)
                coded = any(re.match(r"\d\d", level.name) for level in (*one.levels, *other.levels))
                # "§ 1234.5" is none of "Title 24", and "7511.0101" none of "101.1"
                if coded or (apart and not self._hold_others(single, both)):
                    continue
                flat = bool(one.chain) and one.depth == other.depth == 1
                low, high = sorted((one.prominence, other.prominence)) if flat else (1.0, 1.0)
                if high > LARGER * low:
                    continue  # "Division 1", "Chapter 2" and "Article 3" of one page, each of them once
                if lost <= (1 - JOINED_MIN) * min(len(one.chain), len(other.chain)) - (not one.chain):
                    found[at] = both
                    break
            else:
                dotted = any(other.depth > 1 for other in found)
                plain = all(level.style == "any" for level in one.levels)  # whole numbers that count on in it
                roman = one.levels[0].sequence == "roman"
                found += [one] if one.chain and not (one.whole and dotted and not plain and not roman) else []
        return found

    @staticmethod
    def _hold_others(one: Series, both: Series) -> bool:
        """Tell whether the whole numbers that a form gives to a chain hold others, or leave none out."""
        heads = Counter(each.reading.number[0] for each in both.chain)
        rows = {each.at for each in one.chain}
        given = [each.reading.number[0] for each in both.chain if each.at in rows]
        numbers = [number for number in given if isinstance(number, int)]
        if len(numbers) >= MEMBERS_MIN and set(range(1, max(numbers) + 1)) <= set(numbers):
            return True
        return sum(heads[number] > 1 for number in given) >= HELD_MIN * len(given)


def forms_of(text: str) -> Iterator[tuple[Form, str]]:
    """Yield the forms that the number at the start of a line may be of, with the number."""
    marks = _MARKS.match(text)
    text = text[marks.end() :] if marks else text
    shaped = [(form, match["number"]) for form, one in SHAPED.items() if (match := one.match(text))]
    if shaped:
        yield from shaped  # "I." is a letter and a Roman number
        return
    match = _opening().match(text)
    if match is None or not match.end():
        return
    word = (match["word"] or "").casefold().rstrip(".")
    rest = text[match.end() :]
    if match["figures"] is None:
        yield from _worded(word, text[match.end("word") :] if word else "")
        return
    if not word:
        behind = re.match(r"\s?(§|[^\W\d_]{2,12})(?=\s*$|\s{2}|\s[A-Z])", rest)
        if behind and behind[1].casefold() in kinds() and not match["lead"]:
            yield Form(behind=behind[1].casefold()), match["figures"]
            return
    if word in ORDINALS:
        behind = re.match(rf"\s?({CJK})", rest)
        if behind:
            yield Form(word, behind=behind[1]), match["figures"]
        return
    if re.match(r"[^\W_]", rest) and not re.match(rf"[A-Za-z]?(?:\W|$)|{CJK}", rest):
        return  # "5mm": no number of a place
    sign = match["first" if match["lead"] else "second"] or ""
    joint = "-" if re.fullmatch(_DASH, sign) else sign.strip()
    yield Form(word, match["lead"] or "", joint), match["figures"].rstrip(".:/–—‒‑-")


def _annexes(row: Row) -> Iterator[Form]:
    """Yield the forms in which a row may name an annex."""
    return (form for form, _ in forms_of(row.line.text) if kinds().get(form.word) == "annex")


def _worded(word: str, rest: str) -> Iterator[tuple[Form, str]]:
    """Yield the forms of a number behind a word that is not written in figures."""
    if word in ORDINALS:
        found = re.match(rf"\s?{_NUMERALS['han']}\s?({CJK})", rest)
        if found:
            yield Form(word, behind=found[1], numeral="han"), found[0]
    elif kinds().get(word):
        glued = r"\s?" if re.match(CJK, word) else r"\s"  # "附录A", but no "S" in "SCHEDULES"
        for numeral in ("roman", "letter"):
            found = re.match(rf"\.?{glued}({_NUMERALS[numeral]}){_TITLED}", rest)
            if found:
                yield Form(word, numeral=numeral), found[1]
                return


def _by_letter(found: Mapping[Form, Sequence[tuple[int, str]]]) -> dict[Form, list[int]]:
    """Return the rows of the forms; forms that differ in their letter alone are one.

    A letter that most of them have is a form of its own, unless annexes are named by it. `found` are rows
    with the number as printed.
    """
    plain = {number for form, at in found.items() if not form.lead for _, number in at}
    named = [(form, at) for form, at in found.items() if kinds().get(form.word) == "annex"]
    annexes = {form.lead or number for form, at in named for _, number in at}
    annexes |= {number for _, number in found.get(LETTER, ())}
    letters: dict[str, Counter[str]] = defaultdict(Counter)
    for form, at in found.items():
        if form.lead and not form.lead.isdecimal():
            letters[form.joint][form.lead] += len(at)
    counting = {form: [index for index, _ in at] for form, at in found.items() if _counts_from_one(form, at)}
    merged: dict[Form, list[int]] = defaultdict(list)
    for form, at in found.items():
        counts = letters[form.joint]
        fewest = 3 if form.lead in annexes else 2  # "B-1.1" in Annex B is no comment on 1.1
        parts = [(len(re.findall(r"\d+", number)), number in plain) for _, number in at]
        parts = [(length, again) for length, again in parts if length >= fewest]
        same = [length for length, again in parts if again]
        mirrored = bool(form.lead) and not form.word and sum(same) >= MIRRORED_PARTS_MIN
        mirrored = mirrored and len(same) >= MIRRORED_MIN * len(parts)
        constant = counts[form.lead] >= max(MEMBERS_MIN, CONSTANT_MIN * counts.total())
        coded = len(form.lead) > LETTERS_MAX or form.lead.isdecimal()
        among = [one for one in counting if one.joint == form.joint and one.lead != form.lead]
        amid = form in counting and any(
            counting[one][0] < counting[form][-1] and counting[form][0] < counting[one][-1] for one in among
        )  # "R1.", "M1.", "R2.", "M2."
        own = not form.lead or mirrored or coded or amid or (constant and form.lead not in annexes)
        kept = replace(form, mirrored=mirrored) if own else replace(form, lead="*")
        merged[kept] += [index for index, _ in at]
    return merged


def _counts_from_one(form: Form, at: Sequence[tuple[int, str]]) -> bool:
    """Tell whether the whole numbers behind a letter are those from 1 on, each once and in order."""
    numbers = [re.sub(r"\D+", "", number) for _, number in at if "." not in number.strip(".")]
    return bool(form.lead) and len(at) >= MEMBERS_MIN and numbers == [str(n) for n in range(1, len(at) + 1)]


def level_of(form: Form, constant: Collection[str] = ()) -> Level:
    """Return what opens the places of a form; `constant` letters before numbers are other forms."""
    if form in SHAPED:
        level = Level(form.name, "clause", SHAPED[form], "{number}", 1.0, "dotted", "auto", series="main")
        return structs.replace(level, **_TITLES[form]) if form in _TITLES else level
    word = form.behind or form.word
    kind: ClauseKind = kinds().get(word, "section" if form == Form() else "clause")
    joint = _DASH if form.joint == "-" else re.escape(form.joint)
    apart = "".join(rf"(?!{re.escape(letter)}\d)" for letter in constant)
    lead = f"{apart}[A-Z]{{1,3}}" if form.lead == "*" else re.escape(form.lead)
    printed = re.escape(form.word) + r"\.?\s?" if form.word else ""
    glued = form.lead not in {"", "*"}
    figures = WORDED if word else BARE
    if form.numeral != "figures":
        number = f"(?P<number>{_NUMERALS[form.numeral]})"
    elif form.lead == "*":
        number = rf"(?P<number>{lead}{joint or ' ?'}{figures}(?:{JOINTS}\d{{1,3}})*[A-Z]?)"
    elif form.lead:
        number = (
            rf"(?P<head>{printed}{lead}{joint or ' ?'})(?P<number>{figures}(?:{JOINTS}\d{{1,3}})*[A-Z]?"
            r"(?:\.?\(\d{1,2}\))*)"  # "A-9.8.2.1.(2)", on a sentence of 9.8.2.1
        )
    elif form.joint:
        inside = rf"(?:\d{{1,{4 if word else 3}}}|[A-Z](?!\w))"  # "2.A.1" in Annex 2.A, "§ 60-1000"
        number = rf"(?P<number>{figures}{joint}{inside}(?:{JOINTS}\d{{1,3}})*[A-Z]?)"
    else:
        behind = r"(?:[A-Z]{1,2}(?![^\W_]))?"  # "47A" behind 47
        if word:
            behind = rf"(?:\s?[a-z](?=\s*$|\s[A-Z]|\s?[:.]|\s?{_DASH}))?"
        number = rf"(?P<number>{figures}{behind})"
    before = r"(?:\[[A-Z]{1,3}\]\s*)?" + (r"(?:\d{1,2}\.?\s+)?" if form.word else "")
    if form.word and glued:
        number = f"(?i:{number})"
    elif form.word:
        behind = rf"\s?{re.escape(form.behind)}" if form.behind else ""
        number = f"(?i:(?P<head>{printed}{number}{behind}))"
    elif form.behind:
        number = rf"(?i:(?P<head>{number}\s?{re.escape(form.behind)}))"
    whole = not (form.joint or form.lead or word)
    end = _TITLED if word or whole else _AFTER
    return Level(
        name=form.name,
        kind=kind,
        pattern=re.compile(rf"{before}{number}[.:]?\*?{end}"),
        label=GLUED if glued else "{head}" if word else "{number}",
        rank=1.0,
        sequence={"roman": "roman", "han": "han"}.get(form.numeral, "dotted"),  # type: ignore[arg-type]
        title="rest" if word or whole else "auto",
        style="heading" if whole else "any",
        series="main",
    )


def with_numbers_of_margins(inside: Weighing, layouts: Sequence[PageLayout]) -> Weighing:
    """Return the rows with those of the margins that open a place in them."""
    counted = [level for level in inside.scheme.levels if level.series]
    if not counted:
        return inside
    around = replace(inside, rows=_in_order(inside.rows, layouts))
    kept = {row.place for row in inside.rows}
    for name in dict.fromkeys(level.series for level in counted):
        levels = [level for level in counted if level.series == name]
        body = best_chain(list(inside.candidates(levels)))
        known = {one.reading.number for one in body}
        chain = best_chain(list(around.candidates(levels)))
        margin = [one for one in chain if one.row.place[1] < 0]
        if len(chain) - len(margin) >= len(body):  # nothing of the body is given up for it
            kept |= {one.row.place for one in margin if one.reading.number not in known}
    return replace(inside, rows=[row for row in around.rows if row.place in kept])


def _in_order(rows: Sequence[Row], layouts: Sequence[PageLayout]) -> list[Row]:
    """Return the rows with the lines of the margins, those above the text of a page before it."""
    order = [((row.place[0], 1), row) for row in rows]
    tops: dict[int, float] = {}
    for row in rows:
        tops[row.line.page] = min(tops.get(row.line.page, inf), row.line.y0)
    for page in layouts:
        number, printed = page.content.number, page.content.printed
        for at, line in enumerate(page.margins):
            first = line.text.strip(" .-–—").partition(" ")[0]
            if line.upright and first != printed and not line.text.strip(" .-–—").isdecimal():
                row = Row(line, (number, -1 - at), 0.0, fresh=True, after_end=True, alone=True)
                order.append(((number, 2 if line.y0 > tops.get(number, inf) else 0), row))
    return [row for _, row in sorted(order, key=itemgetter(0))]
