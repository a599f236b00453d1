"""What an answer says: which claims first, together and behind, how short, with what citations and doubts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate
from math import exp

from appliance.answer.candidates import BETWEEN, CLAIMS, PIECES, Candidate, Quote, RowValue, said
from appliance.answer.reading.order import Ranked
from appliance.answer.reading.question import Asked, stems
from appliance.answer.statement_support import Claim, phrases, verdict
from appliance.core.document import Box, Label, Problem
from appliance.core.evidence import Citation, Link, MarkedTable, Place, Statement
from appliance.core.files import shipped
from appliance.core.graph import problem_number
from appliance.core.mechanisms import mechanism
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.store.read import Store
from appliance.tables.lookup import LookedUp
from appliance.tables.ranges import Range, likeness, tokens
from appliance.tables.rows import flat, naming
from appliance.text.quantities import kinds_in, kinds_of, quantities
from appliance.text.terms import fold, words

FIRST_WORDS, FIRST_MOST = 36, 84  # words of the leading claim, and of all that is said with it
BESIDE_WORDS = 17  # of a claim that is said with the leading one
STATEMENTS = 3  # places that are said
ALSO, ALSO_WORDS = 12, 14  # further claims that are named in a line
READ = 30  # best candidates whose chances are joined by place
NEXT = 10  # best candidates that may be said of other places
TOGETHER = 6  # claims that are said together
ROWS = 2  # rows among them
LEAST = 0.05  # of the chance of the best of them, that another has at least
LISTED, LISTED_WORDS, LISTED_MOST = 12, 40, 200  # items of a list that are, words of one and of all
NOTES, NOTE_WORDS = 2, 24  # notes of the rows said, and words of one: they change a value and take no room
LISTING = frozenset({"procedure", "coverage"})  # intents that a whole list answers, told as it is printed
_APART = re.compile(r"\s*…(?:\s*…)+\s*|(?<=\S)\s*…\s+(?=\S)")  # what is left out, once between two pieces


@dataclass(frozen=True, slots=True)
class Said:
    """One statement to be made: claims of one place, with the notes that change a value."""

    claims: tuple[Candidate, ...]
    notes: tuple[Quote, ...] = ()

    @property
    def text(self) -> str:
        """Return its words, a line for each claim: the lead-in that items share is said once."""
        told: list[str] = []
        leads: set[str] = set()
        for one in self.claims:
            _, found, item = one.text.partition(PIECES)
            told.append(item if found and one.lead in leads else one.text)
            leads |= {one.lead} if one.lead else set()
        text = CLAIMS.join((*told, *(flat(note.text) for note in self.notes)))
        return _APART.sub(lambda left_out: CLAIMS if "\n" in left_out[0] else PIECES, text)

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """Return what proves it, the claims before what stands over them."""
        return tuple(dict.fromkeys((*(q for one in self.claims for q in reversed(one.quotes)), *self.notes)))

    @property
    def proofs(self) -> tuple[Claim, ...]:
        """Return what is claimed with the quotations that must hold it."""
        notes = (Claim(flat(note.text), (note.text,)) for note in self.notes)
        return (*(claim for one in self.claims for claim in one.claims), *notes)


def shaped(ranked: Ranked, chain: Sequence[Link] = ()) -> tuple[list[Said], list[Said]]:
    """Return the statements of an answer, first the leading one, and those that are named in a line.

    A statement says the best claims of one place in short, the leading one also those of the places that a
    reference of `chain` joins to it: the row of the table that a clause sends to. What is left is named.
    """
    if not ranked.found:
        return [], []
    first, *others = _best(ranked, chain)
    home, joined = place_of(first), _joined(first, chain)
    places: dict[tuple[str, str], list[Candidate]] = {home: [first]}
    for one in others:
        own = place_of(one)
        if own != home and joined & _named(one):
            places[home].append(named(one, first.place.document))
        else:
            places.setdefault(own, []).append(one)
    statements = []
    for claims in places.values():
        notes = (note for one in claims for note in one.notes if len(note.text.split()) <= NOTE_WORDS)
        statements.append(Said(tuple(claims), tuple(dict.fromkeys(notes))[:NOTES]))
    used = {one.quotes for each in statements for one in each.claims}
    also: list[Said] = []
    for one in ranked.found:
        if len(also) >= ALSO:
            break
        if one.quotes in used or _repeats(one, [*statements, *also]):
            continue
        used.add(one.quotes)
        also.append(Said((claim(ranked.asked, one, ALSO_WORDS),)))
    return statements[:STATEMENTS], [*statements[STATEMENTS:], *also][:ALSO]


@mechanism(
    "answer.places",
    without=lambda ranked: [one for one in ranked.found if place_of(one) == place_of(ranked.found[0])],
)
def leading_place(ranked: Ranked) -> list[Candidate]:
    """Return the candidates of the place that most likely holds the answer, best first.

    The chance of a place is the sum of the chances of its candidates (a softmax over their scores).
    """
    found = ranked.found[:READ]
    top = found[0].score
    chances: dict[tuple[str, str], float] = {}
    for one in found:
        chances[place_of(one)] = chances.get(place_of(one), 0.0) + exp(one.score - top)
    best = max(chances, key=lambda place: chances[place])
    return [one for one in found if place_of(one) == best]


def _best(ranked: Ranked, chain: Sequence[Link]) -> list[Candidate]:
    """Return the best claims in short, first that of the place that most likely holds the answer."""
    asked = ranked.asked
    best = leading_place(ranked)[0]
    listing = asked.query.intent in LISTING and best.form == "item"
    chosen = [claim(asked, best, LISTED_WORDS if listing else FIRST_WORDS)]
    room = (LISTED_MOST if listing else FIRST_MOST) - len(chosen[0].text.split())
    if listing:  # first all items of its list, as they are printed
        same = (one for one in ranked.found if one.lead == best.lead and one.quotes[0] == best.quotes[0])
        first = items = sorted((one for one in same if one is not best), key=_printed)
    else:  # first what stands under its place or one joined to it
        joined, items = _joined(best, chain), []
        first = [one for one in ranked.found[:READ] if joined & _named(one)]
    for one in [*first, *(one for one in ranked.found[:NEXT] if one not in first)]:
        if len(chosen) >= (LISTED if listing else TOGETHER):
            break
        listed = one in items
        if not listed and exp(one.score - best.score) < LEAST:
            continue
        if one.form == "row" and sum(each.form == "row" for each in chosen) >= ROWS:
            continue
        if one.quotes[-1] in best.quotes or best.quotes[-1] in one.quotes:
            continue  # the words that introduce it, or that it introduces
        if _repeats(one, [Said((*chosen,))]):
            continue
        short = claim(asked, one, LISTED_WORDS if listed else BESIDE_WORDS)
        size = len(short.text.removeprefix(short.lead).split())
        if size <= room:
            chosen.append(short)
            room -= size
    return _as_printed(chosen, whole=asked.query.intent in LISTING)


def _as_printed(chosen: Sequence[Candidate], *, whole: bool) -> list[Candidate]:
    """Return claims with the sentences of one paragraph as they are printed, of a `whole` place all.

    A sentence leans on those before it ("This distance may be less where ..."), an item on its list.
    Paragraphs stay in the order of their best claim: all of a place as printed costs .03 of first60.
    """
    together: dict[object, list[Candidate]] = {}
    for one in chosen:
        inside = one.quotes[0] if one.form == "item" else one.quotes
        paragraph = (place_of(one), one.label.key) if one.form == "sentence" else inside
        together.setdefault(place_of(one) if whole else paragraph, []).append(one)
    return [one for group in together.values() for one in sorted(group, key=_printed)]


def place_of(one: Candidate) -> tuple[str, str]:
    """Return what a candidate is of: its place, of a definition its term."""
    label = one.label if one.form == "definition" else one.place.label
    return one.place.document, label.key


def _named(one: Candidate) -> set[tuple[str, str]]:
    """Return what a candidate stands under: its place, and of no definition its own label."""
    document, key = place_of(one)
    return {(document, key), (document, one.label.key)}


@mechanism("answer.joined", without=lambda best, _chain: _named(best))
def _joined(best: Candidate, chain: Sequence[Link]) -> set[tuple[str, str]]:
    """Return what a candidate stands under with the ends of the references from there and to there."""
    own = _named(best)
    found = set(own)
    for link in chain:
        ends = (link.from_document, link.from_label.key), (link.to_document, link.to_label.key)
        if own & set(ends):
            found |= set(ends)
    return found


def _printed(one: Candidate) -> tuple[int, float, float, tuple[tuple[int, int], ...]]:
    """Return where a candidate is printed."""
    box = one.quotes[-1].boxes[0] if one.quotes[-1].boxes else None
    return (one.quotes[-1].page, box.y0 if box else 0.0, box.x0 if box else 0.0, one.marked)


def _repeats(one: Candidate, statements: Sequence[Said]) -> bool:
    """Tell whether a candidate says what was said, of the same row or in the same words."""
    own = one.quotes[-1].text.split()
    return any(own == quote.text.split() for each in statements for quote in each.quotes)


LEAD_WORDS = 10  # of the lead-in of an item, more where the item leaves room
ROW_WORDS = 30  # of a row with its heads
# what a word is worth: a quantity wanted, another number, one the question states; a word of the question
# at first and again, another word; a word that turns a meaning (limits, duties), one that turns it round
WANTED, NUMBER, STATED = 3.0, 1.0, 0.3
MET, AGAIN, NEW = 2.0, 0.5, 0.1
TURNS, NEGATES = 0.4, 1.0
OPENS, ENDS, WORD_COST = 1.5, 0.5, 0.02  # worth of beginning and ending where a phrase does; cost of a word
APART, SHORTEST = 0.5, 3  # cost of leaving words out between two pieces, words of a piece
EVERY = 6  # words after which a piece may begin inside a phrase
ELLIPSIS = "…"
KEPT = 1 << 14  # folded words that are kept

_BREAK = re.compile(r"[,;:.)\]–—]$|\|$")
_CLOSES = re.compile(r"[,;:.]$")
_JOINS = frozenset(
    {"and", "or", "where", "if", "unless", "which", "that", "when", "provided", "but", "except"}
)


def claim(asked: Asked, one: Candidate, limit: int) -> Candidate:
    """Return a candidate with its text cut to the piece that answers."""
    if one.form == "row":
        return _of_row(asked, one, max(limit, ROW_WORDS))
    if one.form == "figure":
        return _of_figure(asked, one, limit)
    if one.form == "item":
        body = flat(one.quotes[-1].text)
        room = max(limit - len(body.split()), LEAD_WORDS)
        lead = cut(asked, one.lead, room, opening=True)
        told = cut(asked, body, max(limit - len(lead.split()), limit // 2))
        if (last := body.rpartition(" ")[2]) in _either() and told.endswith(ELLIPSIS):
            told = f"{told} {last}"  # that the item is one of several to choose from
        text = f"{lead}{PIECES}{told}"
        return _with(one, text.replace(f"{ELLIPSIS}{PIECES}", PIECES).replace(f"{PIECES}{ELLIPSIS} ", PIECES))
    return _with(one, cut(asked, one.text, limit))


def named(one: Candidate, document: str) -> Candidate:
    """Return a claim with its label before its words, with that of its document where it is not this one.

    A row and a figure begin with theirs.
    """
    if one.form in {"row", "figure"} and one.place.document == document:
        return one
    label = "" if one.form in {"row", "figure"} else one.label.named
    label = label if one.place.document == document else f"{one.place.document} {label}".strip()
    told = one.claims[0]
    return replace(one, text=f"{label}: {one.text}", claims=(replace(told, quotes=(*told.quotes, label)),))


def _with(one: Candidate, text: str) -> Candidate:
    quotes = one.claims[0].quotes if one.claims else tuple(quote.text for quote in one.quotes)
    return replace(one, text=text, claims=(Claim(text, quotes),))


@mechanism("answer.cut", without=lambda _asked, text, limit, **_: " ".join(text.split()[:limit]))
def cut(asked: Asked, text: str, limit: int, *, opening: bool = False) -> str:
    """Return the one or two contiguous pieces, of `limit` words together at most, that are worth most.

    With `opening` it is one piece, the first words, with every negation of them. What is left out is marked;
    no negation is left out before a piece of its phrase or between two pieces, and no number is parted from
    its unit or from the limit before it.
    """
    said_words = text.split()
    if len(said_words) <= limit:
        return text
    worth = list(accumulate(_worth(asked, text, said_words), initial=0.0))
    last = len(said_words)
    negates = [_plain(word) in _negations() for word in said_words]
    starts, ends, phrases_end = _places_to_cut(said_words, negates)
    if opening:
        starts = {0}
        if any(negates):
            behind_all = last - negates[::-1].index(True)
            limit, ends = max(limit, behind_all), {end for end in ends if end >= behind_all}

    def value(start: int, end: int) -> float:
        opens = OPENS if start == 0 else 0.0
        closes = ENDS if end in phrases_end else 0.0
        return worth[end] - worth[start] + opens + closes - WORD_COST * (end - start)

    nothing: _Pieces = (0.0, ())
    behind = [[nothing] * (limit + 1)]  # by first word and room: the best piece from there on
    best = nothing
    for start in reversed(range(last)):
        row = [nothing] * (limit + 1) if negates[start] else list(behind[-1])
        if start in starts:
            longest = nothing
            for size in range(SHORTEST, limit + 1):
                end = start + size
                if end in ends:
                    piece: _Pieces = (value(start, end), ((start, end),))
                    longest = max(longest, piece)
                    best = max(best, piece)
                    if end in phrases_end:  # what is left out behind a piece begins where a phrase does
                        more, span = behind[max(last - end - 1, 0)][limit - size]
                        best = max(best, (piece[0] + more - APART, (*piece[1], *span)))
                row[size] = max(row[size], longest)
        behind.append(row)
    spans = best[1] or ((0, limit),)
    told = PIECES.join(" ".join(said_words[start:end]) for start, end in spans)
    return f"{f'{ELLIPSIS} ' if spans[0][0] else ''}{told}{f' {ELLIPSIS}' if spans[-1][1] < last else ''}"


def _places_to_cut(said_words: Sequence[str], negates: Sequence[bool]) -> tuple[set[int], set[int], set[int]]:
    """Return the words with which a piece may begin, those before which it may end, and those of phrases."""
    last = len(said_words)
    openings = [
        at
        for at in range(1, last)
        if _BREAK.search(said_words[at - 1]) or said_words[at].casefold() in _JOINS
    ]
    ends = {last}
    for at, before in enumerate(said_words[:-1], 1):
        number = any(map(str.isdigit, before)) and not _BREAK.search(before)
        if not (number or _plain(before) in _turning() or negates[at]):
            ends.add(at)
    starts = {0, *ends.intersection((*openings, *range(0, last, EVERY)))}
    negated = False  # of the phrase up to here
    for at, before in enumerate(said_words[:-1], 1):
        negated = not _CLOSES.search(before) and (negated or negates[at - 1])
        if negated:
            starts.discard(at)
    return starts, ends, {last, *ends.intersection(openings)}


_Pieces = tuple[float, tuple[tuple[int, int], ...]]
"""What pieces are worth, and their words [start, end)."""


def _worth(asked: Asked, text: str, said_words: Sequence[str]) -> list[float]:
    """Return what each word of a text is worth to a question."""
    worth = [0.0] * len(said_words)
    total = asked.weight
    starts, at = [], 0
    for word in said_words:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    stated = set(map(_plain, asked.text.split()))
    seen: set[str] = set()
    for place, word in enumerate(said_words):
        own = stems(word)
        named = [each for each in asked.words if each.stem in own or any(way <= own for way in each.ways)]
        worth[place] += sum(each.rarity / total * (AGAIN if each.stem in seen else MET) for each in named)
        seen |= {each.stem for each in named}
        if any(map(str.isdigit, word)):
            worth[place] += STATED if _plain(word) in stated else NUMBER
        elif own and not named and _plain(word) not in load_lexicon().stop:
            worth[place] += NEW
        if _plain(word) in _turning():
            worth[place] += NEGATES if _plain(word) in _negations() else TURNS
    for found in quantities(text):
        if asked.kinds & found.kinds or not asked.kinds:
            inside = [p for p, at in enumerate(starts) if at <= found.start < at + len(said_words[p])]
            for place in inside[:1]:
                if _plain(said_words[place]) not in stated:
                    worth[place] += WANTED if asked.kinds else NUMBER
    return worth


@lru_cache(KEPT)
def _plain(word: str) -> str:
    return fold(word).strip(".,;:()?")


def _of_row(asked: Asked, one: Candidate, limit: int) -> Candidate:
    """Return a row with the values under the heads that the question names, all where they fit."""
    label = one.labels[0].named if one.labels else ""
    size = len(one.text.split())
    if size <= limit or len(one.values) == 1:
        return _with(one, one.text if size <= 2 * limit else cut(asked, one.text, limit))
    ranked = sorted(range(len(one.values)), key=lambda at: -value_fit(asked, one.values[at]))
    kept: list[int] = []
    used = len(said(label, one.name, ()).split())
    for at in ranked:
        size = len(one.values[at].text.split())
        if kept and used + size > limit:
            break
        kept.append(at)
        used += size
    values = tuple(value for at, value in enumerate(one.values) if at in kept)
    text = said(label, one.name, values)
    marked = tuple(pair for at, pair in enumerate(one.marked) if at in kept)
    if len(text.split()) > 2 * limit:
        text = cut(asked, text, limit)
    return replace(_with(one, text), values=values, marked=marked)


def value_fit(asked: Asked, value: RowValue) -> float:
    """Return how well a cell of a row answers: heads named, kind of its unit, stated numbers in its heads."""
    heads = " ".join(value.heads)
    named = asked.share(asked.met(stems(heads)))
    kinds = kinds_of(value.unit) if value.unit else kinds_in(value.text)
    wanted = 0.5 * bool(kinds & asked.kinds)
    ranges = [token for token in tokens(heads) if isinstance(token, Range)]
    case = max((likeness(number, ranges) for number in asked.numbers), default=0.0) if ranges else 0.0
    number = 0.1 * any(map(str.isdigit, value.cell.text))
    return named + wanted + 0.6 * case + number


def _of_figure(asked: Asked, one: Candidate, limit: int) -> Candidate:
    """Return the caption of a figure with the lines of its lettering that bear on the question."""
    caption = one.quotes[0].text
    lines = one.quotes[-1].text.split(BETWEEN) if len(one.quotes) > 1 else []
    room = max(limit - len(caption.split()), limit // 2)
    worths = [sum(_worth(asked, line, line.split())) if line.split() else 0.0 for line in lines]
    kept: set[int] = set()
    used = 0
    for at in sorted(range(len(lines)), key=lambda at: -worths[at]):
        size = len(lines[at].split())
        if worths[at] > 0 and used + size <= room:
            kept.add(at)
            used += size
    told = BETWEEN.join(line for at, line in enumerate(lines) if at in kept)
    return _with(one, f"{caption}: {told}" if told else caption)


@cache
def _negations() -> frozenset[str]:
    return _words_of("negations")


@cache
def _turning() -> frozenset[str]:
    """Return the words that turn the meaning of a sentence: negations, limits, duties."""
    return _words_of("negations", "limits", "modals")


@cache
def _either() -> frozenset[str]:
    """Return the words between things of which one will do."""
    return frozenset(shipped("tables")["bounds"]["either"])


def _words_of(*names: str) -> frozenset[str]:
    told = (phrase for name in names for phrase in phrases(name))
    return frozenset(word for phrase in told for word in words(fold(phrase)) if len(word) > 1)


# -- citations, and what was read with doubt

UNSURE = "which of these values is meant is for the reader to tell"
BOXES_MET = 0.3  # share of the smaller of a quoted box and the box of a doubt that must lie in the other
_NAMED = re.compile(r"“([^”]+)”")


class Quotations:
    """The citations of one answer, numbered in the order in which they are first cited."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers: dict[Quote, int] = {}

    def statement(self, said: Said) -> Statement:
        """Return a statement with its citations; not confirmed means: shown as such, with the reason."""
        cited = tuple(self.number(quote) for quote in said.quotes)
        confirmed, why = verdict(said.proofs)
        doubt = doubted(self._store, said.quotes)
        return Statement(said.text, cited, confirmed and not doubt, "; ".join(filter(None, (why, doubt))))

    def number(self, quote: Quote) -> int:
        """Return the number of the citation of a quote."""
        return self._numbers.setdefault(quote, len(self._numbers) + 1)

    def citations(self) -> tuple[Citation, ...]:
        """Return all citations by their numbers."""
        return tuple(citation(self._store, number, quote) for quote, number in self._numbers.items())


def citation(store: Store, number: int, quote: Quote) -> Citation:
    """Return a quote as the citation of this number."""
    status = store.info(quote.document).status
    return Citation(number, quote.document, quote.label, quote.page, quote.boxes, quote.text, status)


def marked_tables(
    said: Iterable[Said], places: Sequence[Place], sure: tuple[str, Label] | None
) -> tuple[MarkedTable, ...]:
    """Return the tables of an answer: those whose rows are stated with their cells, then the others found.

    Only a value of the table that is `sure` (document and label) may be shown large.
    """
    marked: dict[tuple[str, str], MarkedTable] = {}
    for one in (claim for each in said for claim in each.claims if claim.marked):
        key = (one.place.document, one.place.label.key)
        why = "" if sure == (one.place.document, one.place.label) else UNSURE
        before = marked.get(key, MarkedTable(one.place.document, one.place.label, (), why))
        marked[key] = replace(before, marked=tuple(dict.fromkeys((*before.marked, *one.marked))))
    for place in places:
        if place.kind == "table":
            key = (place.document, place.label.key)
            marked.setdefault(key, MarkedTable(place.document, place.label, ()))
    return tuple(marked.values())


def doubted(store: Store, quotes: Sequence[Quote]) -> str:
    """Return what was read with doubt of what is quoted, "" for nothing."""
    words = ", ".join(dict.fromkeys(word for quote in quotes for word in _doubts(store, quote)))
    return f"read with doubt: {words}; compare it with the page" if words else ""


def with_doubts(store: Store, document: str, found: LookedUp) -> LookedUp:
    """Return a look-up with what of its cells, their heads and their labels was read with doubt.

    With such a cell it is not exact: a value under a head that was misread may be another column's.
    """
    cells = []
    for item in found.cells:
        read = [item.cell, *naming(found.table, item.cell)]
        label = found.table.label
        quotes = (Quote(document, label, cell.box.page, (cell.box,), flat(cell.text)) for cell in read)
        words = [word for quote in quotes for word in _doubts(store, quote)]
        cells.append(replace(item, doubt=", ".join(dict.fromkeys(filter(None, (item.doubt, *words))))))
    sure = not any(item.doubt for item in cells)
    return replace(found, cells=tuple(cells), exact=found.exact and sure)


def doubts_at(store: Store, document: str, boxes: Sequence[Box]) -> tuple[Problem, ...]:
    """Return the doubts with a place that meets one of the boxes, without those that a person looked at."""
    found = _standing(store, document, boxes)
    return tuple(problem for problem in found if problem.box and _meets(problem.box, boxes))


def _standing(store: Store, document: str, boxes: Sequence[Box]) -> list[Problem]:
    """Return the doubts of the pages of these boxes that no person has looked at."""
    pages, looked_at = {box.page for box in boxes}, store.graph.decisions
    doubts = (problem for problem in store.problems(document) if problem.doubt and problem.page in pages)
    return [problem for problem in doubts if problem_number(document, problem) not in looked_at]


def _doubts(store: Store, quote: Quote) -> Iterator[str]:
    """Yield what of a quotation was read with doubt: words, a formula, signs or numbers of its page."""
    text = _normal(quote.text)
    for problem in _standing(store, quote.document, quote.boxes):
        if problem.box and not _meets(problem.box, quote.boxes):
            continue
        if word := next((found[1].strip() for found in _NAMED.finditer(problem.message)), ""):
            if _normal(word) in text:
                yield f"“{word}”"
        elif problem.box:
            formulas = (one for one in store.formulas(quote.document) if problem.box in one.boxes)
            yield next((f"formula {one.label}" for one in formulas), f"signs of page {problem.page}")
        elif any(map(str.isdigit, text)):
            yield f"numbers of page {problem.page}"


def _normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _meets(doubt: Box, boxes: Sequence[Box]) -> bool:
    """Tell whether a box meets one of several: a word in a quoted line, a line in a formula of more rows."""
    for box in boxes:
        width = min(doubt.x1, box.x1) - max(doubt.x0, box.x0)
        height = min(doubt.y1, box.y1) - max(doubt.y0, box.y0)
        smaller = min((one.x1 - one.x0) * (one.y1 - one.y0) for one in (doubt, box))
        if (
            doubt.page == box.page
            and min(width, height, smaller) > 0
            and width * height / smaller >= BOXES_MET
        ):
            return True
    return False
