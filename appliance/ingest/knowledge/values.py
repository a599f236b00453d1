"""Values that sentences and tables state: numbers with units, what they measure, on what conditions."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from appliance.core.document import Cell, Table
from appliance.core.graph import Bound
from appliance.ingest.knowledge.concept_names import nouns, wording
from appliance.tables.rows import (
    column_headers,
    columns,
    flat,
    header_rows,
    label_columns,
    told_rows,
    two_units,
    unit_of,
    without_marks,
)
from appliance.text.numbers import NUMBER, unit_pattern
from appliance.text.numbers import value as number_value
from appliance.text.quantities import size_of

_RATIO = re.compile(r"(?<![\w.:/-])1\s?(?::|in)\s?(?P<run>[1-9]\d{0,3}(?:\.\d+)?)(?![\w:]|\.\d)")
_ONE_CELL = re.compile(r"(?P<sign>[<>≤≥]=?)?\s*(?P<rest>.+)", re.DOTALL)
_TEN = re.compile(r"10(?P<power>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})")
_RAISED = re.compile(r"\d(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)$")
_COMMA, _POINT = re.compile(r"\b0,\d"), re.compile(r"\b0\.\d")


@dataclass(frozen=True, slots=True)
class Found:
    """A number, or a range of two, at [start, end); `unit` as printed, "" for none; `run` of "1 in 40"."""

    start: int
    end: int
    low: float
    high: float
    unit: str
    ranged: bool = False
    run: str = ""


@cache
def _measured() -> re.Pattern[str]:
    """Return what matches a number with its unit, or a range of two."""
    unit = rf"(?:{unit_pattern().pattern})(?![^\W_])"
    label = r"(?<![\w.,/:–±-])(?<!±\s)(?<![^\W_]\s[-–])"  # a number inside a label or a difference is none
    sign = r"(?:[-−]\s?|(?<!\d)(?<!\d\s)[‐‑‒–])?"  # behind a number a dash is no sign
    low = rf"(?P<low>{sign}{NUMBER})(?P<low_unit>\s?{unit})?"
    high = rf"(?P<high>{NUMBER})(?P<high_unit>\s?{unit})?"
    goes_on = r"(?![\w/]|[.,]\d|\)?\s?[×^])"
    return re.compile(rf"{label}{low}(?:(?P<gap>\s?)(?P<joint>{wording().joints})(?P=gap){high})?{goes_on}")


def find(text: str, *, comma: bool) -> list[Found]:
    """Return the numbers of a text in order; `comma` tells that the decimal sign is a comma."""
    ratios = [_ratio(match) for match in _RATIO.finditer(text)]
    taken = {position for found in ratios for position in range(found.start, found.end)}
    numbers: list[Found] = []
    for match in _measured().finditer(text):
        if match.start() in taken:
            continue
        found, words = _as_number(match, comma=comma), wording()
        listed = words.joined.fullmatch(match["joint"] or "") and not words.behind.search(
            text[: match.start()][-24:]
        )
        if not found.ranged or not (listed or found.high < found.low):
            numbers.append(found)
            continue
        # Two numbers that only stand beside one another.
        own, end = (match["low_unit"] or match["high_unit"] or "").strip(), match.end("low_unit")
        end = end if match["low_unit"] else match.end("low")
        numbers.append(Found(match.start(), end, found.low, found.low, own))
        numbers.append(Found(match.start("high"), match.end(), found.high, found.high, found.unit))
    return sorted([*ratios, *numbers], key=lambda found: found.start)


def whole(text: str, unit: str, *, comma: bool) -> tuple[str, Found] | None:
    """Return the sign and the number that a cell consists of, None where it says anything else.

    `unit` is what the header gives a number that has none of its own.
    """
    match = _ONE_CELL.fullmatch(text.strip())
    if not match:
        return None
    sign, rest = (match["sign"] or "").replace("≤", "<=").replace("≥", ">="), match["rest"].strip()
    if (ten := _TEN.fullmatch(rest)) and ten["power"] != "¹":  # nobody prints 10¹ for ten
        power = 10.0 ** int(unicodedata.normalize("NFKC", ten["power"]).replace("\u2212", "-"))
        return sign, Found(0, len(text), power, power, unit)
    ratio = _RATIO.fullmatch(rest)
    inner = _measured().fullmatch(rest) or _measured().fullmatch(without_marks(rest))
    if not ratio and not inner:
        return None
    one = _ratio(ratio) if ratio else _as_number(inner or match, comma=comma)
    if one.high < one.low:
        return None
    return sign, replace(one, start=0, end=len(text), unit=one.unit or unit)


def _as_number(match: re.Match[str], *, comma: bool) -> Found:
    low, high = number_value(match["low"], comma=comma), match["high"]
    units = [(match[name] or "").strip() for name in ("low_unit", "high_unit")]
    if high is None:
        return Found(match.start(), match.end(), low, low, units[0])
    return Found(
        match.start(), match.end(), low, number_value(high, comma=comma), units[1] or units[0], ranged=True
    )


def _ratio(match: re.Match[str]) -> Found:
    slope = 1 / float(match["run"])
    return Found(match.start(), match.end(), slope, slope, "", run=match["run"])


def decimal_comma(texts: Iterable[str]) -> bool:
    """Tell whether the numbers of a document are written with a decimal comma."""
    commas = points = 0
    for text in texts:
        commas += len(_COMMA.findall(text))
        points += len(_POINT.findall(text))
    return commas > points


def named(text: str, start: int) -> bool:
    """Tell whether the number at this place is the name of a thing ("Table 3", "Class 2")."""
    return bool(wording().names.search(text[max(0, start - 24) : start]))


NAMES_LONGEST = 5  # words of a name
_WORD = re.compile(r"[^\W\d_]+(?:[-’'.][^\W\d_]+)*")
_GAP = re.compile(r"[ \t\u00a0\n-]{1,3}")


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a quantity at [start, end); `bound` is what "maximum" or "minimum" in it says."""

    start: int
    end: int
    text: str
    noun: str
    bound: Bound | None = None

    def fits(self, unit: str) -> bool:
        """Tell whether a number with this unit may be a value of it; a bare number fits a ratio only."""
        wanted = {size_of(known).dimension for known in nouns().units[self.noun]}
        return size_of(unit).dimension in wanted


def names_in(text: str) -> list[Name]:
    """Return the names of quantities that stand in a text, in order."""
    words = list(_WORD.finditer(text))
    found = (_name(text, words, at) for at in range(len(words)) if _noun(words[at].group()))
    kept = list({name.start: name for name in found}.values())  # not "load" of "load factor"
    for at in range(1, len(kept)):
        between = text[kept[at - 1].end : kept[at].start]
        if kept[at].bound is None and wording().between_names.fullmatch(between):
            kept[at] = replace(kept[at], bound=kept[at - 1].bound)  # "minimum width and depth"
    return kept


def _noun(word: str) -> str:
    """Return the noun that a word is, in the singular, "" where it is none."""
    folded = word.casefold()
    singulars = (folded.removesuffix("s"), folded.removesuffix("es"), folded.removesuffix("ies") + "y")
    return next((form for form in (folded, *singulars) if form in nouns().units), "")


def _name(text: str, words: list[re.Match[str]], at: int) -> Name:
    """Return the name that ends with the word at this position."""
    known, first = nouns(), at
    bound: Bound | None = None
    while first and at - first < NAMES_LONGEST - 1:
        word, gap = words[first - 1], text[words[first - 1].end() : words[first].start()]
        if word.group().casefold() in known.edges or not _GAP.fullmatch(gap):
            break
        first -= 1
    while first < at and (sign := known.extremes.get(words[first].group().casefold())):
        bound, first = bound or sign, first + 1
    for word in words[first:at]:
        bound = bound or known.extremes.get(word.group().casefold())
    start, end = words[first].start(), words[at].end()
    return Name(start, end, " ".join(text[start:end].split()), _noun(words[at].group()), bound)


REACH = 90  # characters before a number in which its bound stands
LONGEST = 420  # characters of a sentence that is read as one; a longer one is a list or several
LONGEST_CONDITION = 160  # characters
CERTAIN, SURE, SAID, LIKELY, DOUBTFUL = 0.95, 0.92, 0.9, 0.85, 0.5
_DASHES = ("-", "–", "—")  # what goes on in a list is no whole condition
_PARTS = re.compile(r"(?<!\d),|,(?!\d)|[;()]|:(?!\d)|\s[-–—]\s")  # not the comma of 0,5
_STOP = re.compile(rf"{_PARTS.pattern}|\.\s")


@dataclass(frozen=True, slots=True)
class Saying:
    """A value at [start, end) of a text with the name of the quantity; `conditions` as they are said."""

    name: str
    bound: Bound
    found: Found
    start: int
    end: int
    conditions: tuple[str, ...]
    confidence: float
    rule: str


def sayings(text: str, start: int, end: int, lead: str, *, comma: bool) -> Iterator[Saying]:
    """Yield the values that the sentence at [start, end) of a text says, in order.

    `lead` is the sentence that governs it where it is a list item, "" for none.
    """
    sentence = text[start:end]
    numbers = find(sentence, comma=comma)
    known = names_in(sentence) if numbers else []
    last_said: tuple[Bound, int] | None = None
    before: tuple[Bound, int, int] | None = None  # bound of the number before, where it began, where it ended
    for number in numbers:
        if named(sentence, number.start):
            continue
        said = _bound(sentence, number)
        if before and not number.ranged and before[2] <= number.start and _adjective(sentence, number):
            # The bound of the number before, for the next of a list ("1500 mm long and 900 mm wide").
            joined = wording().between_values.fullmatch(sentence, before[2], number.start)
            said = before[:2] if joined else said
        if said is None:
            continue
        bound, at = said
        belongs = _quantity(sentence, number, at, known)
        if belongs is None or not belongs[0].fits(number.unit):
            continue
        name, rule, confidence = belongs
        if rule == "adjective":
            before = (bound, at, name.end)
        confidence *= _governed(sentence, at, number, lead, stated=rule == "extreme")
        if bound == "=" and at == number.start and name.bound is None:
            confidence *= DOUBTFUL  # "a 760 mm wide door" is no rule of its own
        # Of what the quantity is said ("the pitch of [a private stair] should be").
        stated = rule in {"extreme", "subject"}
        of = wording().objects.match(sentence, name.end, number.start) if stated else None
        object_ = " ".join(of["words"].split()) if of else _spoken_of(sentence, at)
        objects = (object_,) if object_ and not object_.casefold().endswith(name.text.casefold()) else ()
        if bound == "=" and name.bound:
            bound = name.bound
        elif bound == "=" and last_said and last_said[0] in {">=", "<="} and last_said[1] <= name.start:
            # That of the value before, for a list ("a minimum width of 1200 mm and depth of 900 mm").
            listed = wording().between_values.fullmatch(sentence, last_said[1], name.start)
            bound = last_said[0] if listed else bound
        last_said = (bound, number.end)
        yield Saying(
            name.text,
            bound,
            number,
            start + min(at, name.start),
            start + max(number.end, name.end),
            (*objects, *_conditions(sentence, lead, number, numbers)),
            confidence,
            rule,
        )


def _bound(sentence: str, number: Found) -> tuple[Bound, int] | None:
    """Return what the words at a number say of it, and where they begin."""
    before = sentence[max(0, number.start - REACH) : number.start]
    offset = number.start - len(before)
    after = next((sign for sign, pattern in wording().after if pattern.match(sentence, number.end)), None)
    words = wording()
    for sign, pattern in words.before:
        match = pattern.search(before)
        if not match:
            continue
        if number.ranged:
            return ("range", offset + match.start()) if sign in {"range", "=", "recommended"} else None
        if sign == "range":
            continue
        return (after if after and sign == "=" else sign), offset + match.start()
    if number.ranged or words.comparing.search(before):
        return None
    return (after, number.start) if after else (("=", number.start) if number.unit else None)


def _quantity(sentence: str, number: Found, at: int, known: Sequence[Name]) -> tuple[Name, str, float] | None:
    """Return the name that the number belongs to, the rule that says so, and how sure it is.

    As an adjective behind the number ("900 mm wide"), else beside the words of the bound ("width of at
    least"), else as the subject of the sentence ("the width ... should be").
    """
    shared = wording().shares.match(sentence, number.end)
    sure = DOUBTFUL if shared or len(sentence) > LONGEST else 1.0
    if adjective := _adjective(sentence, number):
        return adjective, "adjective", CERTAIN * sure
    # The name inside the words of the bound, or right before them.
    close = wording().close
    inside = next((n for n in reversed(known) if at <= n.start and n.end <= number.start), None)
    if inside and close.fullmatch(sentence[inside.end : number.start]):
        return inside, "beside", CERTAIN * sure
    before = next((n for n in reversed(known) if n.end <= at), None)
    if before and close.fullmatch(sentence[before.end : at]):
        return before, "beside", CERTAIN * sure
    if before and before.bound and wording().stating.fullmatch(sentence, before.end, at):
        return before, "extreme", SAID * sure
    rule = next(reversed(list(wording().rules.finditer(sentence, 0, number.start))), None)
    if not rule or not wording().linking.fullmatch(sentence, rule.end(), max(rule.end(), at)):
        return None
    # The names between the last break before the word that makes the rule, and that word.
    breaks = [match.end() for match in _PARTS.finditer(sentence, 0, rule.start())]
    opened = wording().conditions.finditer(sentence, 0, rule.start())
    first = max([0, *breaks, *(m.end() for m in opened if m.group().casefold() != "for")])
    fitting = [n for n in known if first <= n.start and n.end <= rule.start() and n.fits(number.unit)]
    return (fitting[0], "subject", (LIKELY if len(fitting) == 1 else DOUBTFUL) * sure) if fitting else None


def _spoken_of(sentence: str, at: int) -> str:
    """Return what the words that lead to a bound speak of ("[Doors] should have a width")."""
    rules = [match.start() for match in wording().rules.finditer(sentence, 0, at)]
    anew = [m.end() for m in wording().joined.finditer(sentence, rules[0], at)] if len(rules) > 1 else []
    starts = sorted([0, *(match.end() for match in _PARTS.finditer(sentence, 0, at)), *anew])
    for start in reversed(starts):
        match = wording().subjects.match(sentence, start, at)
        if not match:
            continue
        words = match["words"].split()
        known = wording().conditions.match(match["words"]) or wording().rules.search(match["words"])
        said = {word.casefold() for word in words} - nouns().edges
        if said and not known:
            return " ".join(words)
    return ""


def _adjective(sentence: str, number: Found) -> Name | None:
    """Return the quantity that the word behind a number names ("900 mm wide" is a width)."""
    rest = sentence[number.end :]
    for words, noun in sorted(nouns().adjectives.items(), key=lambda item: -len(item[0])):
        match = re.match(rf"\s*{words}(?![^\W_-])", rest, re.IGNORECASE)
        if match:
            return Name(number.start, number.end + match.end(), noun, noun)
    return None


def _governed(sentence: str, at: int, number: Found, lead: str, *, stated: bool) -> float:
    """Return how surely a word that makes a rule governs the number, 0 to 1."""
    words = wording()
    recommended = any(
        sign == "recommended" and p.search(sentence[: number.start]) for sign, p in words.before
    )
    rules = list(words.rules.finditer(sentence, 0, number.end if recommended else max(at, 0) + REACH))
    rules = [match for match in rules if match.start() < number.start]
    first = rules[-1].end() if rules else 0
    if not rules and not words.rules.search(lead) and not recommended and not stated:
        return DOUBTFUL
    spans = [(start, end) for start, end in _condition_spans(sentence) if first <= start < at]
    breaks = (0, *(match.end() for match in _PARTS.finditer(sentence, 0, at)))
    inside = any(at < end or words.continued.match(sentence, end) for _, end in spans)
    if inside or words.apart.search(sentence[max(first, *breaks) : at]):
        return DOUBTFUL
    return 1.0 if rules or recommended or stated else 0.92


def _conditions(sentence: str, lead: str, number: Found, numbers: Sequence[Found]) -> tuple[str, ...]:
    """Return the conditions that a sentence, and what it stands under, names, as they are said.

    Behind "900 mm or 750 mm where there are obstructions" the condition is of the second number alone, and
    in brackets it is of the number right before them, as is one behind it without a comma ("1,15 for steel").
    """
    other = min((found.start for found in numbers if found.start >= number.end), default=len(sentence))
    either = wording().continued.fullmatch(sentence[number.end : other].rstrip())
    last = other if either else len(sentence)
    behind = wording().held_for.match(sentence, number.end)
    case = [" ".join(behind["words"].split())] if behind else []
    return tuple(
        dict.fromkeys(
            case + _spoken(lead, len(lead), (0, len(lead))) + _spoken(sentence, last, (number.end, other))
        )
    )


def _spoken(sentence: str, last: int, own: tuple[int, int]) -> list[str]:
    """Return the conditions that begin before `last`; of those in brackets, what begins within `own`."""
    found = []
    for start, end in _condition_spans(sentence):
        words = " ".join(sentence[start:end].split()).rstrip(".")
        said = words.split()
        aside = sentence.count("(", 0, start) > sentence.count(")", 0, start)
        away = start >= last or (aside and not own[0] <= start <= own[1])
        away = away or words.endswith(_DASHES) or bool(wording().elsewhere.search(words))
        whole = len(said) > 2 and said[-1].casefold() not in wording().endings
        if whole and not away and len(words) <= LONGEST_CONDITION:
            found.append(words[0].lower() + words[1:])
    return found


def _condition_spans(sentence: str) -> list[tuple[int, int]]:
    """Return where conditions stand, each up to the next break or to the word that makes the rule.

    "For" and "while" open one only at the beginning of a part of the sentence.
    """
    spans = []
    for match in wording().conditions.finditer(sentence):
        before = sentence[: match.start()].rstrip()
        if before and before[-1] not in ",;:(–•·▪" and match.group().casefold() in {"for", "while"}:
            continue
        rule = wording().rules.search(sentence, match.end())
        end = rule.start() if rule else len(sentence)
        for stop in _STOP.finditer(sentence, match.end()):
            inside = sentence[match.end() : stop.start()]  # what stands in brackets inside it belongs to it
            opened = inside.count("(") > inside.count(")")
            if stop.group() != "(" and (not opened or stop.group().strip() == "."):
                end = min(end, stop.start())
                break
        spans.append((match.start(), end))
    return spans


_SIGNS: dict[str, Bound] = {">=": ">=", "<=": "<=", ">": ">", "<": "<"}
_COMPARED = re.compile(r"[<>≤≥]")
_LONG_WORD = re.compile(r"[^\W\d_]{2,}")
_BRACKET = re.compile(r"[(\[](?P<inner>[^()\[\]]{1,40})[)\]]\s*$")
_BARE = re.compile(r"[\W\d_]+")  # "3 & 4" says nothing without the head of its row
MOST = 2_000  # values of one table; what is beyond is reported
HEAD_LONGEST = 120  # characters of a head that is a condition
OPENING = 3  # words of a title in which "Minimum" speaks for the whole table


@dataclass(frozen=True, slots=True)
class CellValue:
    """A value in a cell; `row` is the row read aloud."""

    cell: Cell
    name: str
    bound: Bound
    found: Found
    conditions: tuple[str, ...]
    row: str
    confidence: float
    rule: str


@dataclass(frozen=True, slots=True)
class _Heads:
    """What is said beside, above and over a cell, each with its unit."""

    columns: Sequence[str]
    row: Sequence[str]
    title: str
    naming: Sequence[str]  # those of `row` as the row itself prints them

    @property
    def unit(self) -> str | None:
        """Return the unit that the nearest head with one gives a bare number, "" for none.

        None where that head has two, "lb (kN)": which one a number has is open.
        """
        said = (*reversed(self.columns), *reversed(self.row), self.title)
        head = next(filter(unit_of, said), "")
        return None if head and two_units(head) is not None else unit_of(head)


def cell_values(table: Table, symbols: Collection[str], *, comma: bool) -> Iterator[CellValue]:
    """Yield the values of a table in reading order; of more than MOST, one more than are kept.

    `symbols` are those that the document explains. Different numbers of one thing, which nothing in their
    heads tells apart, are all doubtful.
    """

    def meaning(value: CellValue) -> tuple[str, ...]:
        return (value.name.casefold(), value.bound, *value.conditions)

    found = list(islice(_read(table, symbols, comma=comma), MOST + 1))
    said: dict[tuple[str, ...], set[tuple[float, float, str]]] = defaultdict(set)
    for value in found:
        said[meaning(value)].add((value.found.low, value.found.high, value.found.unit))
    for value in found:
        yield _doubted(value) if len(said[meaning(value)]) > 1 else value


def _read(table: Table, symbols: Collection[str], *, comma: bool) -> Iterator[CellValue]:
    """Yield each value; what the heads do not surely name is doubtful."""
    over = {column: column_headers(table, column) for column in range(columns(table))}
    labels, title = label_columns(table), flat(table.title)
    headed, corner = header_rows(table) > 0, " ".join(over.get(0, ())[-1:])  # the head over the rows' labels
    marks = frozenset(note.mark for note in table.notes)
    for row, said in told_rows(table):
        label = row.label
        if corner and label and (_BARE.fullmatch(label) or whole(label, "", comma=False)):
            label = f"{corner}: {label}"  # a bare number says nothing without its head: "Dwellings: 20"
        beside, printed = ([text for text in (row.group, own) if text] for own in (label, row.label))
        for cell in row.cells:
            if cell.row != row.number or cell.column < labels or not any(map(str.isdigit, cell.text)):
                continue
            heads = _Heads(over[cell.column], beside, title, printed)
            unit = heads.unit
            one = None if unit is None else whole(flat(cell.text), unit, comma=comma)
            named = (_named(heads, one[1].unit) or _symbol(heads, symbols)) if one else None
            if not one or not named:
                continue
            (sign, found), (name, where, rule, confidence) = one, named
            # A strict bound that a cell prints stays strict.
            bound = _SIGNS.get(sign) or ("range" if found.ranged else name.bound) or _extreme(heads) or "="
            conditions = dict.fromkeys(
                f"{corner}: {text}" if rule == "row" and corner and _BARE.fullmatch(text) else text
                for text in (*beside, *heads.columns)
                if text != where
                and len(text) <= HEAD_LONGEST
                and not set(_words(text)) <= set(nouns().extremes)
            )
            value = CellValue(cell, name.text, bound, found, tuple(conditions), said, confidence, rule)
            sure = headed and beside and heads.columns and all(len(head) <= HEAD_LONGEST for head in beside)
            yield value if sure and not _unclear(cell.text, marks) else _doubted(value)


def _unclear(text: str, marks: frozenset[str]) -> bool:
    """Tell whether a power and a mark cannot be told apart: "10²" over a note 2, "12²" over none."""
    found, one = _RAISED.search(text.strip()), _ONE_CELL.fullmatch(text.strip())
    raised = unicodedata.normalize("NFKC", found["raised"]) if found else ""  # behind the number: "10³"
    power = one is not None and _TEN.fullmatch(one["rest"]) is not None
    unclear = raised not in {"", "1"} and (raised in marks) == power
    bracket = _BRACKET.search(text)
    return unclear or (bracket is not None and bracket["inner"] in marks)


def _doubted(value: CellValue) -> CellValue:
    return replace(value, confidence=min(value.confidence, DOUBTFUL))


def _named(heads: _Heads, unit: str) -> tuple[Name, str, str, float] | None:
    """Return the quantity, the head that names it, which rule, and how sure it is.

    Where a nearer head names another quantity, or a unit that is not understood, the farther is doubted;
    but "Distance in mm" over "Appliance with pressure jet" is of millimetres, and pressures are none.
    """
    doubt = misfit = False
    for texts, rule, sure in (
        (tuple(reversed(heads.columns)), "column", SURE),
        (tuple(reversed(heads.naming)), "row", SURE),
        ((heads.title,), "title", LIKELY),
    ):
        for text in texts:
            if _COMPARED.search(text):
                break  # "0° ≤ α ≤ 30°" is a condition, and the head over it says of what
            names = names_in(text)
            fitting = [name for name in names if name.fits(unit)]
            if fitting:
                says_unit = rule == "column" and bool(unit) and unit_of(text) == unit
                certain = not doubt and (not misfit or says_unit) and (unit or len(fitting) == 1)
                return fitting[0], text, rule, sure if certain else DOUBTFUL
            bracket, words = _BRACKET.search(text), _LONG_WORD.findall(text.casefold())
            if bracket and not unit_of(text) and unit_pattern().match(bracket["inner"]):
                doubt = True  # it ends with what looks like a unit: "(l/ person/ day)"
            elif not unit and any(unit_pattern().fullmatch(word) for word in words):
                doubt = True  # it names a unit anywhere: "Litres/ person/day = ..."
            misfit = misfit or bool(names)
    return None


def _symbol(heads: _Heads, symbols: Collection[str]) -> tuple[Name, str, str, float] | None:
    """Return a symbol that the document explains, where it is all that a head says."""
    for text in (*reversed(heads.columns), *reversed(heads.row)):
        bare = text.removesuffix(f"({unit_of(text)})").removesuffix(f"[{unit_of(text)}]").strip(" ,")
        if bare in symbols:
            return Name(0, len(bare), bare, ""), text, "symbol", LIKELY
    return None


def _extreme(heads: _Heads) -> Bound | None:
    known = nouns().extremes
    beside = [text for text in heads.row if not names_in(text)]  # "Max. roof area: 53" speaks of the area
    near = [word for text in (*reversed(heads.columns), *beside) for word in _words(text)]
    words = [*near, *_words(heads.title)[:OPENING]]
    return next((known[word] for word in words if word in known), None)


def _words(text: str) -> Sequence[str]:
    return [word.strip(".,:;()[]*") for word in text.casefold().split()]
