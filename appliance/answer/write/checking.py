"""Does the code say what a language model wrote? Decided without a model, statement by statement."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations

from appliance.answer.verify import particulars, phrases, units
from appliance.answer.write.numbered_evidence import Clause, Sentence, clause_of
from appliance.answer.write.strange import marked_up, plain
from appliance.answer.write.words import (
    any_of,
    content,
    lettered,
    light,
    linking,
    naming,
    plural,
    pointing,
    powered,
    short,
    words,
)
from appliance.tables.rows import flat
from appliance.text.numbers import MARKED, PARAGRAPH
from appliance.text.quantities import unit_behind

Word = tuple[str, str]  # as it is compared, as it is written

BESIDE = "_"  # between two numbers with nothing but space between them: "1 200" is not "1, 200"
SEPARATORS = frozenset(".,;:")  # part a text; of those at its end none counts
DASH = "–"  # between spaces: it parts what stands on either side; a minus is "-"
KEPT = 4_096  # texts whose tokens are remembered

_BLOCKS = [chr(code) for code in range(0x80, 0x3000)]
_RAISED = "".join(c for c in _BLOCKS if unicodedata.decomposition(c).startswith("<super>"))
_ODD = "".join(c for c in _BLOCKS if c.isalnum() and not c.isalpha() and not c.isdecimal())  # "½", "①", "₀"
_LETTER = rf"[^\W\d_{re.escape(_RAISED + _ODD)}]"
_LOWERED = "₀-₉"
_UNSEEN = str.maketrans(
    dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)  # what alters nothing on a page
_SPELT = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("⋅∙", "·"),
        "∆": "Δ",
        "⩽": "≤",
        "≦": "≤",
        "⩾": "≥",
        "≧": "≥",
    }
)
_QUOTES = frozenset("\"“”„‟'‘’‚‛«»‹›")
_CAPITALISED = re.compile(r"(?=.*[AEIOUYaeiouy])[^\W\d_a-z][a-z]{3,}(?:-[a-z]+)*")
_ARTICLE = frozenset("aA")


@lru_cache(KEPT)
def words_of(text: str) -> tuple[Word, ...]:
    """Return the words, numbers and signs of a text in order, without what may differ."""
    plain = unicodedata.normalize("NFC", text.translate(_UNSEEN)).translate(_SPELT)
    made = list(_words(plain, list(_pattern().finditer(plain))))
    while made and made[-1][0] in SEPARATORS:
        made.pop()
    return tuple(made)


def tokens(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    return [begin for begin, _ in words_of(text)]


def one(token: str) -> str:
    """Return a word as it is compared: in lower case and without the "s" of a plural or a genitive."""
    token = _folded(token)
    for ending in ("'s", "’s", "s"):
        if len(token) > len(ending) + 2 and token.endswith(ending) and token not in plural():
            return token.removesuffix(ending)
    return token


def _words(text: str, found: list[re.Match[str]]) -> Iterator[Word]:
    for at, here in enumerate(found):
        token, before = here.group(), found[at - 1] if at else None
        behind = found[at + 1] if at + 1 < len(found) else None
        if here["number"] and before and before["number"] and before.end() < here.start():
            yield BESIDE, " "
        if _only_quotes(text, here) or _is_article(text, before, here, behind):
            continue
        if here["dash"] and behind and here.end() < behind.start():
            yield DASH, token
        elif here["raised"]:
            yield f"^{unicodedata.normalize('NFKC', token).translate(_SPELT).removeprefix('^')}", token
        elif here["worded"]:
            spelt = unicodedata.normalize("NFKC", token)
            if token in _ARTICLE or _folded(spelt) not in light():
                yield one(spelt), token
        else:
            yield "…" if token[:2] == ".." else token, token


def _only_quotes(text: str, here: re.Match[str]) -> bool:
    """Tell whether a sign is a quotation mark; one behind a number is a foot, an inch or a minute."""
    return here.group() in _QUOTES and not text[: here.start()][-1:].isdigit()


def _is_article(
    text: str, before: re.Match[str] | None, here: re.Match[str], behind: re.Match[str] | None
) -> bool:
    """Tell whether a letter is an article and no symbol or class: a noun or a number may follow it.

    A capital letter is one where it begins the text; behind words such as "zone" it is none.
    """
    letter = here.group()
    if letter not in _ARTICLE or behind is None or (letter.isupper() and text[: here.start()].strip()):
        return False
    if before is not None and one(before.group()) in lettered():
        return False
    if not text[here.end() : behind.start()].isspace() or text[: here.start()][-1:].isalnum():
        return False
    word = behind.group()
    return bool(behind["number"]) or (bool(behind["worded"]) and word.casefold() not in _no_nouns())


@cache
def _no_nouns() -> frozenset[str]:
    """Return words that stand behind a symbol, not behind an article."""
    modals = {word for phrase in phrases("modals") for word in phrase.split()}
    return frozenset(modals | light() | linking() | {"and", "or"})


def _folded(token: str) -> str:
    """Return a word in lower case; a symbol keeps its letters, for Qk is not qk."""
    if _CAPITALISED.fullmatch(token) or (token[1:].islower() and token.lower() in _openers()):
        return token.lower()
    return token


@cache
def _openers() -> frozenset[str]:
    """Return the short words that may begin a sentence with a capital letter."""
    return short() | linking() | {word for word in light() if len(word) > 1}


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of one token; a power of a unit of length is one with it ("m²" is "m2")."""
    units = "|".join(map(re.escape, sorted(powered(), key=len, reverse=True)))
    letter, raised = _LETTER, re.escape(_RAISED)
    return re.compile(
        rf"(?P<worded>(?<!{letter})(?:{units})[²³](?![{raised}\w])"
        rf"|{letter}+(?:[{_LOWERED}]+(?!\d)|\d+(?![{_LOWERED}]))(?:[.,/-]?(?:{letter}|\d))*"  # "ψ0", "C30/37"
        rf"|{letter}+(?:[-'’]{letter}+)*)"
        rf"|(?P<raised>[{raised}]+|\^[-+]?\d+)"
        r"|(?P<number>[.,]?\d+(?:[.,:/-]\d+)*)"
        r"|\.{2,}|(?P<dash>-)|\S"
    )


SHOWN = 6  # words of a reason
PLACE = r"(?:[A-Z]{0,3}\.?\d[\w.]*(?:\(\w+\))*|[A-Z](?:\.\d+)+)"  # the number of a place


def difference(written: str, printed: str, leave: Collection[str] = ()) -> tuple[int, str]:
    """Return how many words apart two sentences are but for `leave`, and how; (0, "") for the same."""
    own = [word for word in words_of(written) if word[0] not in leave]
    texts = dict.fromkeys((printed, _without_pointers(printed)))
    others = ([word for word in words_of(text) if word[0] not in leave] for text in texts)
    return min(_apart(own, other) for other in others)


def _apart(own: Sequence[Word], other: Sequence[Word]) -> tuple[int, str]:
    ours, theirs = ([begin for begin, _ in words] for words in (own, other))
    if ours == theirs:
        return 0, ""
    strange, left = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    apart = strange.total() + left.total()
    if strange:
        return apart, f"not in the quoted text: {_shown(own, strange)}"
    if left:
        return apart, f"it leaves out what the quoted text says with it: {_shown(other, left)}"
    return 1, "the quoted text says it in another order"


def _shown(words: Sequence[Word], these: Counter[str]) -> str:
    shown = dict.fromkeys(word for begin, word in words if begin in these and not word.isspace())
    return ", ".join(list(shown)[:SHOWN]) or "“ ”"  # what alone differs is a space between numbers


def _without_pointers(text: str) -> str:
    """Return a text without references that are made in passing, at its end or in brackets; not to notes."""
    return _pointer().sub(lambda found: found.group() if _noted().search(found.group()) else "", text)


@cache
def _noted() -> re.Pattern[str]:
    return re.compile(any_of(words()["noted"]), re.IGNORECASE)


@cache
def _pointer() -> re.Pattern[str]:
    named = rf"(?:(?:{naming()})\s+)?{PLACE}"
    listing = "|".join(map(re.escape, words()["listing"]))
    pointer = rf"(?:{pointing()})\s+{named}(?:\s*(?:,|{listing})\s*{named})*"
    return re.compile(rf"\s*\({pointer}\)|\s*[,;]\s*{pointer}(?=\s*\.?\s*$)", re.IGNORECASE)


TIERS = 3  # of the head over a cell that may be named in another order

_NOTED = re.compile(r"(?<=[^\W\d_]{3})[¹²³⁰-⁹*†‡](?:,?[¹²³⁰-⁹*†‡])*(?=$|[\s,:])")
_UNITS = re.compile(r"\s*\(([^()\s]{1,6})\)$")
_NUMBER = re.compile(r"[.,]?\d+(?:[.,]\d+)*")
_PLAIN = frozenset({"-", DASH, "%", "°"})
_LIMITS = frozenset("<>≤≥±~≈+")
_RANGES = frozenset({"-", DASH, "to", "and", "or", "…", "/"})


Part = list[str]  # of a row that stands as it is: its name, a tier of a head, what a cell holds


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row: ways of saying it, the tiers of its head and its value; whether it may be left out."""

    forms: tuple[tuple[list[Part], Part], ...]
    spare: bool


def held_by_row(written: str, row: str, heads: Sequence[str], keys: int = 0) -> bool:
    """Tell whether a sentence is the name of a row with heads and their cells ("name: head cell; …").

    The first `keys` cells tell the row from others and must be there; so must a limit ("Span not more than"),
    for it may be what the others hold for, but in a row of nothing but largest and least values.
    """
    own = _plain(written)
    name, _, rest = row.partition(": ")
    known = {token for head in heads for token in _unlinked(_NOTED.sub("", head))}
    called = _plain(name)
    texts = _cells(rest, known)
    under = [_head(text) for text in texts]
    limited = not all(_extreme().search(text) for text in texts)
    cells = [
        Cell(
            tuple(_split(text)),
            at >= keys
            and under.count(under[at]) == 1
            and _is_number(text, known)
            and not (limited and _bounding().search(text)),
        )
        for at, text in enumerate(texts)
    ]
    if not called or not cells:
        return False
    needed = [cell for cell in cells if not cell.spare]
    alone = (cell for cell in cells if needed in ([], [cell]))
    return _listed(own, called, cells) or any(
        _behind(own, 0, [*head, called, value]) == len(own) for cell in alone for head, value in cell.forms
    )


def _listed(own: Part, called: Part, cells: Sequence[Cell]) -> bool:
    """Tell whether words are a name and some cells in their order, those needed among them."""
    at, met = _behind(own, 0, [called]), 0
    for cell in cells:
        if at is None:
            return False
        ways = (_behind(own, at, [*head, value]) for head, value in cell.forms)
        end = next((end for end in ways if end is not None), None)
        if end is None and not cell.spare:
            return False
        at, met = (at if end is None else end), met + (end is not None)
    return bool(met) and at == len(own)


def _behind(own: Part, at: int, parts: Sequence[Part]) -> int | None:
    """Return where words go on behind parts that stand there one after the other, None where they do not."""
    for part in parts:
        while own[at : at + len(part)] != part:
            if at >= len(own) or own[at] not in linking() | SEPARATORS:
                return None
            at += 1
        at += len(part)
    return at


def _plain(text: str, without: Collection[str] = ()) -> Part:
    return [token for token in tokens(text) if token not in without]


def _unlinked(text: str) -> Part:
    return _plain(text, linking() | SEPARATORS)


def _split(cell: str) -> Iterator[tuple[list[Part], Part]]:
    """Yield what may be the head and the value of a cell; tiers of a head ("Rise, Maximum") in any order.

    A unit in brackets behind the head may be left out where it stands behind the value.
    """
    for space in re.finditer(r"\s+", cell):
        head, value = cell[: space.start()], _plain(cell[space.end() :])
        unit = _UNITS.search(head)
        repeated = unit and value[-len(_plain(unit[1])) :] == _plain(unit[1])
        for named in (head, _UNITS.sub("", head)) if repeated else (head,):
            tiers = named.split(", ")[:TIERS] if named.count(", ") < TIERS else [named]
            for ordered in permutations(tiers):
                yield [_plain(tier) for tier in ordered], value


def _cells(rest: str, heads: set[str]) -> list[str]:
    """Return the cells of a row with their heads; what begins otherwise goes on with the last."""
    texts: list[str] = []
    for text in rest.split("; "):
        begun = _unlinked(_NOTED.sub("", text))[:1]
        if begun and begun[0] in heads:
            texts.append(text)
        elif texts:
            texts[-1] += f"; {text}"
        else:
            return []
    return texts


def _is_number(text: str, heads: set[str]) -> bool:
    """Tell whether a cell holds nothing but its head and one number with its unit: no range, no limit."""
    known = heads | {token for unit in units(text) for token in tokens(unit)}
    said = _unlinked(_NOTED.sub("", text))
    left = [token for token in said if token not in known and not token.startswith("^")]
    numbers = [at for at, token in enumerate(said) if _NUMBER.fullmatch(token)]
    if len([token for token in left if _NUMBER.fullmatch(token)]) > 1 or _bounded(said, numbers):
        return False
    return all(_NUMBER.fullmatch(token) or token in _PLAIN for token in left)


def _head(text: str) -> tuple[str, ...]:
    """Return what stands before the last number of a cell: two cells under one head tell nothing apart."""
    said = _unlinked(_NOTED.sub("", text))
    last = max((at for at, token in enumerate(said) if _NUMBER.fullmatch(token)), default=len(said))
    return tuple(said[:last])


@cache
def _bounding() -> re.Pattern[str]:
    return re.compile(any_of([*words()["bounding"], *words()["extreme"]]), re.IGNORECASE)


@cache
def _extreme() -> re.Pattern[str]:
    return re.compile(any_of(words()["extreme"]), re.IGNORECASE)


def _bounded(said: Sequence[str], numbers: Sequence[int]) -> bool:
    """Tell whether the last number is a limit or the end of a range."""
    if not numbers or not numbers[-1]:
        return False
    before = numbers[-1] - 1
    return said[before] in _LIMITS or (said[before] in _RANGES and before - 1 in numbers)


_MEASURED_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:[:/]\d+)?")


def measured(text: str) -> set[tuple[str, str]]:
    """Return the numbers in a normal form that have a unit, with it."""
    found = (
        (_normal(match.group()), unit_behind(text, match.end())) for match in _MEASURED_NUMBER.finditer(text)
    )
    return {(value, unit) for value, unit in found if unit}


def _normal(number: str) -> str:
    read = (item for item in particulars(number) if item.lstrip("-")[:1].isdigit())
    return next(read, number)


NEAR = 2.0  # times as long as a statement, or as short: a stretch that is compared with it
CUT = "it leaves out what the quoted text says just before it or behind it"

_DASH = re.compile(r"\s*(?:[–—-]\s+(?=[^\W\d_]{3})|[•·]\s+)")
_LETTERED = re.compile(rf"\s*(?:\(?(?:[a-z]|[ivx]{{1,4}}|\d{{1,2}})\){MARKED}|{PARAGRAPH})\s+")
_MARKED = (_DASH, _LETTERED, re.compile(r"\s*\d{1,2}\.\s+(?=[^\W\d_a-z])"))
_STRETCHES_NUMBER = re.compile(r"\s*((?:[A-Z]{1,3}\.?)?\d+(?:\.\d+)*)\.?\s+(?=[^\W\d_a-z]|\()")
_COLON = re.compile(r"\s*:\s*$")
_PLAIN_END = re.compile(r"[^.!?:;,…]\s*$")
_PLACE = re.compile(rf"\(?{PLACE}\)?")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive sentences of the code: as printed, and without numbers of clauses and marks of items.

    Of a row of a table the heads above it, and how many of its first cells tell it from others.
    """

    texts: tuple[str, ...]
    doubt: str
    heads: tuple[str, ...] = ()
    keys: int = 0


def stretches_of(sentence: Sentence, length: int) -> Iterator[Stretch]:
    """Yield what a statement of so many letters may say of a numbered sentence."""
    if len(sentence.held) > 1 and sentence.place.kind in {"table", "figure"}:
        yield Stretch((sentence.text,), sentence.doubt, sentence.held[:-1], sentence.keys)
        return
    clause = _clause(sentence)
    units, over = clause.units, clause.over
    bare = [_unmarked(unit, sentence) for unit in units]
    for first in (n for n, own in enumerate(clause.own) if own):
        for last in range(first, len(units)):
            at = (*over[first], *range(first, last + 1))
            size = sum(len(units[n]) for n in at)
            if not clause.own[last] or (first < last and size > NEAR * length):
                break
            if first < last and size * NEAR < length:
                continue
            doubt = CUT if _parted(clause, at) else sentence.doubt
            whole, plain = ([kept[n] for n in at] for kept in (units, bare))
            yield Stretch(tuple(_told(whole, plain, len(over[first]))), doubt)


def _clause(sentence: Sentence) -> Clause:
    return clause_of(sentence.place.text, sentence.held, tuple(map(flat, sentence.above)))


def _told(whole: Sequence[str], plain: Sequence[str], introductions: int) -> dict[str, None]:
    """Return the ways in which sentences may be told; introductions, which come first, without their colons.

    Where a mark or a number is left out, what ends without a mark is parted from what follows.
    """
    joined = " ".join(f"{text};" if _PLAIN_END.search(text) else text for text in plain[:-1])
    open_ended = [_COLON.sub("", text) for text in plain[:introductions]]
    texts = (
        " ".join(whole),
        f"{joined} {plain[-1]}",
        " ".join((plain[0], *whole[1:])),
        " ".join((*plain[:introductions], *whole[introductions:])),
        " ".join((*open_ended, *plain[introductions:])) if len(plain) == introductions + 1 else "",
    )
    return dict.fromkeys(filter(None, texts))


def stands_whole(sentence: Sentence) -> bool:
    """Tell whether a numbered sentence is told without nothing that stands beside it."""
    if sentence.place.kind in {"table", "figure"}:
        return True
    clause = _clause(sentence)
    return not _parted(clause, [at for at, own in enumerate(clause.own) if own])


def without_names(text: str, sentence: Sentence) -> str:
    """Return a statement without the number of the place that it cites: it is no value.

    Only what is surely that: in square brackets, or behind a word such as "clause" at the beginning, at the
    end or in brackets. Terms and symbols are no names of places.
    """
    if sentence.place.kind == "definition":
        return text
    labels = {str(quote.label) for quote in sentence.quotes}
    labels |= {f"{quote.document} {quote.label}" for quote in sentence.quotes}
    for label in sorted(labels, key=len, reverse=True):
        kind, _, number = label.rpartition(" ")
        if not _PLACE.fullmatch(number):
            continue
        name = rf"(?i:{re.escape(kind)})\s+{re.escape(number)}" if kind else re.escape(number)
        named = rf"(?:(?i:{naming()})\s+){'?' if kind else ''}{name}"
        text = re.sub(
            rf"\[(?:{named}|{name})\]|\((?:{named})\)|^\s*(?:{named})\s*[:,]|\s*[,;]\s*(?:{named})(?=\s*\.?\s*$)",
            " ",
            text,
        )
    return text


def _parted(clause: Clause, at: Collection[int]) -> bool:
    """Tell whether a stretch cuts apart what says one thing only together, or tells what is not quoted."""
    return not (clause.whole(at) <= set(at) and all(clause.own[n] for n in at)) or (
        clause.dangling(max(at)) != max(at)
    )


def _unmarked(text: str, sentence: Sentence) -> str:
    """Return a sentence without the number of its clause, its paragraph and its item."""
    number = _STRETCHES_NUMBER.match(text)
    if number and any(_of_place(number[1], str(quote.label)) for quote in sentence.quotes):
        text = text[number.end() :]
    for pattern in _MARKED:
        if found := pattern.match(text):
            return text[found.end() :]
    return text


def _of_place(number: str, label: str) -> bool:
    """Tell whether a number before a sentence is that of its clause, one below it or one beside it."""
    own = label.rsplit(" ", maxsplit=1)[-1].split("(", maxsplit=1)[0]
    if number == own or number.startswith(f"{own}."):
        return True
    return "." in number and "." in own and number.rpartition(".")[0] == own.rpartition(".")[0]


LONGEST = 600  # characters of a statement; a longer one is no short statement of one thing

_LETTERS = re.compile(r"[^\W\d_]{2}")


def check(text: str, cited: Sequence[Sentence]) -> str:
    """Return why a statement is not confirmed by the sentences that it cites, "" where it is."""
    if not cited:
        return "no sentence of the evidence is cited for this"
    same = (item for item in cited if any(not difference(text, whole)[0] for whole in _whole(item)))
    if copied := [item.doubt or ("" if stands_whole(item) else CUT) for item in same]:
        return min(copied)
    if not content(text):
        return "it says nothing that could be compared with the quoted text"
    faults = (
        _fault(written, stretch)
        for sentence in cited
        for written in dict.fromkeys((text, without_names(text, sentence)))
        for stretch in stretches_of(sentence, len(written))
    )
    return min(faults, default=(0, "nothing is quoted for it"))[1]


def refused(text: str) -> str:
    """Return why a statement is not shown at all, "" where it may be."""
    if found := marked_up(plain(text)):
        return f"it holds markup or an address (“{found.group()[:30]}”)"
    return "it is no short statement" if len(text) > LONGEST or not _LETTERS.search(text) else ""


def _whole(sentence: Sentence) -> tuple[str, ...]:
    """Return the texts that are a whole sentence; one of several may be an item without its introduction."""
    return (sentence.text, *(sentence.held if len(sentence.held) == 1 else ()))


def _fault(written: str, stretch: Stretch) -> tuple[int, str]:
    """Return how far a stretch is from holding a statement, and why; (0, "") where it holds it."""
    if not stretch.heads:
        apart, why = min(difference(written, text) for text in stretch.texts)
    elif held_by_row(written, stretch.texts[0], stretch.heads, stretch.keys):
        apart, why = 0, ""
    else:
        apart, why = _from_row(written, stretch.texts[0])
    if apart:
        return 1 + apart, why
    return (1, stretch.doubt) if stretch.doubt else (0, "")


def _from_row(written: str, row: str) -> tuple[int, str]:
    """Return how far a statement is from a whole row, and why; words such as "of" are the last reason."""
    exact = difference(written, row, SEPARATORS)
    loose = difference(written, row, linking() | SEPARATORS) if exact[0] else exact
    return loose if loose[0] else exact
