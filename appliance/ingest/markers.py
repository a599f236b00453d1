"""What may be a number at the start of a line: every reading, none decided yet.

Rules of this module: pure; a reading keeps the marker as printed; a noisy text layer ("(l)P",
"5.S", "A.I") is also read with letters as the digits they look like, at a price, and
`numbering.py` takes that reading only where the sequence asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.ingest.schemes import Level

Number = tuple[int | str, ...]

NUMBERED_ANNEX = "annex"  # parts the numbers of annexes from those of clauses
SIGNED = 0.2  # price of a reading after signs of amendment
FOLDED = 0.7  # price of a reading that needed letters taken for digits
_LOOKS = str.maketrans("lI|!OoSsBZ·,:", "1111005582...")
# What stands for an amendment's begin and end ("!", arrows) and what a scan makes of it ("~", "I§)").
_SIGNS = re.compile(r"(?:[~!\"'“”«»<>©®§@#*]{1,3}|\S{0,2}[§~@©®{}<>]\S{0,2})\s*(?=[(\w])")
_TOKEN = re.compile(r"\(?\s?[0-9A-Za-z|!]{1,3}(?:[.,·:][0-9A-Za-z|!]{1,3})*[.,]?\s?\)?P?")
_LETTER_FIRST = {"8": "B", "6": "G", "0": "D", "1": "I"}
_ANNEX_LETTERS = {"8": "B", "0": "D"}  # digits that number no annex as often as they misread a letter
_ROMAN = {"i": 1, "v": 5, "x": 10}


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the start of a line.

    `number` is what follows in sequence ((5, 3, 2), ("A", 1)); `text` the number as the label writes
    it; `head` the words that go with it ("Section 4"); the rest of the line starts at `end`.
    """

    level: Level
    number: Number
    text: str
    head: str
    printed: str
    end: int
    price: float = 0.0
    principle: bool = False


def readings(text: str, levels: Sequence[Level]) -> Iterator[Reading]:
    """Yield every reading of the start of the text by these levels, signs of amendment skipped."""
    signs = _SIGNS.match(text)
    if signs:
        for one in _plain_readings(text[signs.end() :], levels):
            yield replace(one, end=one.end + signs.end(), price=one.price + SIGNED)
        return
    yield from _plain_readings(text, levels)


def _plain_readings(text: str, levels: Sequence[Level]) -> Iterator[Reading]:
    token = _TOKEN.match(text)
    folds = list(_folded(token.group())) if token else []
    for level in levels:
        reading = _read(level, text, text, 0.0)
        if reading:
            yield reading
        if level.sequence not in {"dotted", "number"}:
            continue
        for fold in folds:
            other = _read(level, fold + text[len(fold) :], text, FOLDED)
            if other and (reading is None or other.number != reading.number):
                yield other


def _folded(token: str) -> Iterator[str]:
    """Yield the token with letters as the digits they look like, its first letter kept or not."""
    bare = token.strip("() .P")
    if not any(char.isdigit() or char in "()." for char in token) or not bare:
        return
    body, tail = (token[:-1], "P") if token.endswith("P") and token[-2:-1] == ")" else (token, "")
    digits = body.translate(_LOOKS) + tail
    if digits != token and not any(char.isalpha() for char in digits[: len(body)]):
        yield digits
    if token[0].isalpha() and len(bare) > 1:
        kept = token[0].upper() + body[1:].translate(_LOOKS) + tail
        if kept != token:
            yield kept
    if token[0] in _LETTER_FIRST and len(bare) > 1:
        yield _LETTER_FIRST[token[0]] + token[1:]


def _read(level: Level, text: str, printed: str, price: float) -> Reading | None:
    match = level.pattern.match(text)
    if not match:
        return None
    groups = match.groupdict()
    written = re.sub(r"\s", "", groups.get("number") or "")
    if level.kind == "annex":
        written, price = _annex(written, price)
    number = parsed(written.rpartition("-")[2], level.sequence)
    if number and level.kind == "annex" and isinstance(number[0], int):
        number = (NUMBERED_ANNEX, *number)
    if number is None:
        return None
    return Reading(
        level=level,
        number=number,
        text=written,
        head=" ".join((groups.get("head") or "").split()),
        printed=printed[: match.end()].strip(),
        end=match.end(),
        price=price,
        principle=bool(groups.get("principle")),
    )


def _annex(written: str, price: float) -> tuple[str, float]:
    """Return the letter of an annex, a digit read as the letter that it looks like ("Annex 8")."""
    letter = _ANNEX_LETTERS.get(written)
    return (letter, price + FOLDED) if letter else (written, price)


def parsed(text: str, sequence: str) -> Number | None:
    """Return what a written number counts as, None where it cannot be one of that sequence."""
    if sequence == "letter":
        return (ord(text) - ord("a") + 1,) if len(text) == 1 else None
    if sequence == "roman":
        value = _roman(text)
        return (value,) if value else None
    if sequence == "number":
        digits = re.match(r"\d+", text)
        return (int(digits.group()),) if digits else None
    if sequence == "dotted":
        parts = re.findall(r"\d+|[A-Z]+", text)
        return tuple(int(part) if part.isdigit() else part for part in parts) or None
    return (text,)


def _roman(text: str) -> int:
    values = [_ROMAN.get(char, 0) for char in text]
    total = sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))
    return total if values and 0 not in values and text == _written(total) else 0


def _written(value: int) -> str:
    tens, ones = divmod(value, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]
