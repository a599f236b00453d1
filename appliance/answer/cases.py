"""Open cases: values of one property in several cases, of which the question names none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp

from appliance.answer.candidates import Candidate
from appliance.answer.chosen_statements import cut, doubted
from appliance.answer.headline import Figure, Reading, digits_of, likeliest, meets_as_much, text_of
from appliance.answer.reading.question import Stems, stems
from appliance.core.mechanisms import mechanism
from appliance.models.protocols import EncodedQuery
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.store.read import Store
from appliance.tables.rows import flat

LEAST = 0.02  # of the chance of the leading candidate, that one of another case has at least
VALUE = 0.65  # chance from which the value of another case is taken for what is asked for
WORDS = 24  # of the text of a case that its names tell from the others
MOST = 5  # cases that are shown side by side; more are places to read
UNNAMED = "the documents give several values, and what tells their cases apart is not certain"


@dataclass(frozen=True, slots=True)
class Open:
    """The cases that a question leaves open, the likeliest first, each with what tells it apart.

    None are `figures` where the question leaves none open, or where `why` they cannot be told apart.
    """

    figures: tuple[Figure, ...] = ()
    why: str = ""


@mechanism("answer.cases", without=lambda *_: Open())
def open_cases(
    store: Store, reading: Reading, figure: Figure, encode: Callable[[str], EncodedQuery | None]
) -> Open:
    """Return the cases beside the one of a figure that would head the answer.

    A case is another candidate that meets each word of the question that the leading one meets, and whose
    likeliest value is of the same kind and differs.
    """
    found = [(reading.best, figure), *_rivals(reading, figure, encode)]
    if len({digits_of(value.value) for _, value in found}) < 2:
        return Open()
    chains = [_over(store, one, value) for one, value in found]
    shared = set.intersection(*map(set, chains))
    told = [tuple(name for name in chain if name not in shared) for chain in chains]
    own = [_naming(one, names) for (one, _), names in zip(found, told, strict=True)]
    named = len(set(own)) == len(own)
    if not named or len(found) > MOST or any(doubted(store, (value.quote,)) for _, value in found):
        return Open(why=UNNAMED)
    said = stems(reading.asked.text)
    figures = []
    for (one, value), names, words in zip(found, told, own, strict=True):
        telling, alike = _telling(names, [each | said for each in own if each is not words])
        text = text_of(one)  # whole where its own words alone tell it from another case
        what = value.what if one.form == "row" else text if alike else cut(reading.asked, text, WORDS)
        figures.append(replace(value, what=what, conditions=telling))
    return Open(tuple(figures))


def _rivals(
    reading: Reading, figure: Figure, encode: Callable[[str], EncodedQuery | None]
) -> Iterator[tuple[Candidate, Figure]]:
    """Yield the candidates that answer as well in another case, with their values, likeliest first."""
    asked, best = reading.asked, reading.best
    kinds = figure.kinds & asked.kinds or figure.kinds
    for one in reading.found:
        if one.quotes == best.quotes or exp(one.score - best.score) < LEAST:
            continue
        if not meets_as_much(asked, best, one):
            continue
        rival, _ = likeliest(replace(reading, best=one, printed=encode(text_of(one))))
        if rival and rival.chance >= VALUE and rival.kinds & kinds:
            yield one, rival


def _over(store: Store, one: Candidate, figure: Figure) -> tuple[str, ...]:
    """Return what stands over a value, headings first, then its row and column, and its document."""
    info = store.info(one.place.document)
    name = info.designation or info.title or info.id
    row = (one.place.title, figure.what) if one.form == "row" else ()
    return tuple(dict.fromkeys((*map(flat, one.place.heading_path[1:]), *row, name)))


def _telling(names: Sequence[str], others: Sequence[Stems]) -> tuple[tuple[str, ...], bool]:
    """Return the fewest names, the outermost first, that tell a case apart, and whether another is left."""
    chosen: list[str] = []
    left = list(others)
    for name in names:
        alike = [words for words in left if not _words(name) - words]
        if len(alike) < len(left):
            chosen.append(name)
            left = alike
    return tuple(chosen), bool(left)


def _naming(one: Candidate, names: Sequence[str]) -> Stems:
    """Return the words that may name a case: of what stands over it, and of its own text."""
    return _words(f"{' '.join(names)} {text_of(one) if one.form != 'row' else one.name}")


def _words(text: str) -> Stems:
    stop = load_lexicon().stop
    return frozenset(one for one in stems(text) if one not in stop and not any(map(str.isdigit, one)))
