"""Is a sentence the same as a printed one, or a compression of it that leaves its meaning as it is?

Rules of this module: pure functions of text. Textual entailment is restricted to what needs no knowledge:
the words, numbers and signs of a written sentence must be those of the printed one, all of them, in the same
order. Only articles, forms of "be", a final "s" and a reference in passing ("see 4.2") may differ. Of a row
of a table, cells that hold nothing but numbers may be left out; its name, what else tells it from other rows
and the head over a cell may not.
Whatever else a sentence leaves out may be its condition, so it is not the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from appliance.answer.verify import units
from appliance.answer.writing.words import light, linking, naming, pointing

Word = tuple[str, str]  # as it is compared, as it is written

TIERS = 3  # of the head over a cell that may be named in another order
SHOWN = 6  # words of a reason

_TOKEN = re.compile(
    r"\d+(?:[.,:/-]\d+)*"
    r"|[^\W\d_]+\d+(?:[.,/-]?[^\W_])*"  # a symbol, a class, a power: "ψ0", "C30/37", "m2"
    r"|[^\W\d_]+(?:[-'’][^\W\d_]+)*"
    r"|[-+×*/<>≤≥=±%°^~≈≠√∑·∙()&@#$€£!]"
)
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_ITEM = re.compile(r"(?:^|(?<=[:;])|\n)\s*(?:[-–—•·]|\(?(?:[a-z]|[ivx]{1,4})\))\s+")
_CAPITALISED = re.compile(r"[^\W\d_a-z][a-z]{2,}(?:-[a-z]+)*")
_NOTED = re.compile(r"(?<=[^\W\d_]{3})[¹²³⁰-⁹*†‡](?:,?[¹²³⁰-⁹*†‡])*(?=$|[\s,:])")
_IN_UNITS = re.compile(r"\s*\([^()\s]{1,6}\)$")
_PLACE = r"(?:[A-Z]{0,3}\.?\d[\w.]*(?:\(\w+\))*|[A-Z](?:\.\d+)+)"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row: what may be its head and its value; whether it may be left out.

    It may where it holds nothing but numbers and does not tell the row from others.
    """

    forms: tuple[tuple[list[str], list[str]], ...]
    spare: bool


def difference(written: str, printed: str, leave: Collection[str] = ()) -> tuple[int, str]:
    """Return how many words apart two sentences are but for `leave`, and how; (0, "") for the same."""
    own = [word for word in _words(written) if word[0] not in leave]
    others = ([word for word in _words(text) if word[0] not in leave] for text in _pointing_or_not(printed))
    return min(_apart(own, other) for other in others)


def held_by_row(written: str, row: str, heads: Sequence[str], keys: int = 0) -> bool:
    """Tell whether a sentence is the name of a row with heads and their cells ("name: head cell; …").

    The first `keys` cells tell the row from others and must be there.
    """
    own = _unlinked(written)
    name, _, rest = row.partition(": ")
    known = {token for head in heads for token in _unlinked(_NOTED.sub("", head))}
    called = _unlinked(_NOTED.sub("", name))
    texts = _cells(rest, known)
    cells = [
        Cell(tuple(_split(text)), at >= keys and _is_number(text, known)) for at, text in enumerate(texts)
    ]
    if not called or not cells:
        return False
    needed = [cell for cell in cells if not cell.spare]
    alone = (cell for cell in cells if needed in ([], [cell]))
    return _listed(own, called, cells) or any(
        own == head + called + value for cell in alone for head, value in cell.forms
    )


def _listed(own: list[str], called: list[str], cells: Sequence[Cell]) -> bool:
    """Tell whether words are a name and some cells in their order, those needed among them."""
    if own[: len(called)] != called:
        return False
    at, met = len(called), 0
    for cell in cells:
        forms = [head + value for head, value in cell.forms]
        form = next((form for form in forms if own[at : at + len(form)] == form), None)
        if form is None and not cell.spare:
            return False
        at, met = at + len(form or ()), met + (form is not None)
    return bool(met) and at == len(own)


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
    return ", ".join(list(dict.fromkeys(word for begin, word in words if begin in these))[:SHOWN])


def _tokens(text: str) -> list[str]:
    return [begin for begin, _ in _words(text)]


def _words(text: str) -> list[Word]:
    """Return the words, numbers and signs of a text in order, without what may differ."""
    plain = "".join(c for c in text if unicodedata.category(c) != "Cf")
    plain = unicodedata.normalize("NFKC", _ITEM.sub(" ", plain)).translate(_DASHES)
    found = _TOKEN.findall(plain)
    if len(found) > 1 and found[0] == "A":
        found[0] = "a"  # the article that begins a sentence, no symbol
    return [(_one(token), token) for token in found if _folded(token) not in light()]


def _folded(token: str) -> str:
    """Return a word in lower case; a symbol keeps its letters, for Qk is not qk."""
    return token.lower() if _CAPITALISED.fullmatch(token) or token.lower() in _openers() else token


def _openers() -> frozenset[str]:
    """Return the short words that may begin a sentence with a capital letter."""
    return linking() | {word for word in light() if len(word) > 1}


def _one(token: str) -> str:
    token = _folded(token)
    for ending in ("'s", "’s", "s"):
        if len(token) > len(ending) + 2 and token.endswith(ending):
            return token.removesuffix(ending)
    return token


def _pointing_or_not(text: str) -> tuple[str, str]:
    """Return a text with and without references that are made in passing, at its end or in brackets."""
    named = rf"(?:(?:{naming()})\s+)?{_PLACE}"
    several = rf"{named}(?:\s*(?:,|and|or|to)\s*{named})*"
    pointer = rf"(?:{pointing()})\s+{several}"
    without = re.sub(rf"\s*\({pointer}\)|\s*[,;]\s*{pointer}(?=\s*\.?\s*$)", "", text, flags=re.IGNORECASE)
    return text, without


def _unlinked(text: str) -> list[str]:
    return [token for token in _tokens(text) if token not in linking()]


def _split(cell: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield what may be the head and the value of a cell; tiers of a head ("Rise, Maximum") in any order."""
    for space in re.finditer(r"\s+", cell):
        head, value = _NOTED.sub("", cell[: space.start()]), _unlinked(cell[space.end() :])
        for plain in dict.fromkeys((head, _IN_UNITS.sub("", head))):
            tiers = plain.split(", ")[:TIERS] if plain.count(", ") < TIERS else [plain]
            for ordered in permutations(tiers):
                yield [token for tier in ordered for token in _unlinked(tier)], value


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
    """Tell whether a cell holds nothing but its head and numbers with their units."""
    known = heads | {token for unit in units(text) for token in _tokens(unit)}
    return not any(token[0].isalpha() and token not in known for token in _unlinked(_NOTED.sub("", text)))
