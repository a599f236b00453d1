"""Is a sentence what a row of a table says: its name, the head over a cell, and the cell?

Rules of this module: pure functions of text. Of a row only cells may be left out that hold one plain number
under a head of their own and do not tell the row from others; its name, a range, a limit, a class, the mark
of a note, a word may not, nor the head over a cell that is told. Words such as "of" may stand between a name,
a head and a cell; none may be changed within one, nor a mark: pipes in the ground are no pipes on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from appliance.answer.verify import units
from appliance.answer.writing.tokens import DASH, SEPARATORS, tokens
from appliance.answer.writing.words import any_of, linking, words

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
        for plain in (head, _UNITS.sub("", head)) if repeated else (head,):
            tiers = plain.split(", ")[:TIERS] if plain.count(", ") < TIERS else [plain]
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
