"""Whether the text of a formula can be what is printed: a grammar of formulas that reports what is amiss."""

from __future__ import annotations

import re
from itertools import pairwise

from appliance.text.folding import functions, language_words, signs, strange

RELATIONS = "=<>≤≥≈≠∼"
OPERATORS = "+−–-×·∙⋅•*/÷±"
_UNIT = re.compile(r"\[[^\[\]=<>≤≥]{0,24}\]\s*$")
_TOKEN = re.compile(r"(?:[^\W\d_]+[\d,.]*)+|\d+(?:[.,]\d+)*|\s+|.", re.DOTALL)
_SPACED = re.compile(r"(?<=\d)\s*([.,])\s*(?=\d)|(?<=\d)\s(?=\d{3}\b)")
_OPEN, _CLOSE = "([{", ")]}"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_BASE_IS_FIGURE = re.compile(r"(?<![\w.,])\d+_")
_LOST_BASE = re.compile(rf"[{re.escape(RELATIONS + OPERATORS)}({{\[]\s*_|^\s*[_^]|_\(\)|[_^]\s|[_^]$")
_FIGURE_IN_LETTERS = re.compile(
    r"(?<![^\W_])[OSIl][.,]\d|\d[.,][OSIlo]\d*(?![^\W\d_])|\d[OIl]\d|[,_][OQ](?!\w)"
)
_NAME = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}\b")
_LONE = re.compile(r"(?<!\S)['’‘`\"“”:;,!?](?!\S)|[:;]{2}|['’]{2}|\.{2}|--|(?<!\S)_+(?!\S)")
_RUN = 12  # characters without an operator that are one name at most
_LONG = re.compile(rf"[^\W\d_]{{{_RUN},}}")


def amiss(text: str) -> str:
    """Return why the text cannot be the whole formula as it is printed, "" where nothing tells so."""
    if not text.strip():
        return "its signs have no text"
    bare = "\n".join(_UNIT.sub("", row).strip() for row in text.splitlines())
    return next(filter(None, (check(bare) for check in (*_WHOLE, *_READ_RIGHT))), "")


def incomplete(text: str) -> str:
    """Return why a text whose letters are sure cannot be the whole formula, "" where nothing tells so."""
    if not text.strip():
        return "its signs have no text"
    return next(filter(None, (check(text) for check in _WHOLE)), "")


def _relation(text: str) -> str:
    return "" if any(sign in text for sign in RELATIONS) else "nothing in it equals or bounds anything"


def _strange(text: str) -> str:
    """Return the first character that stands in no formula, or what a sign is taken for."""
    parts = text.split()
    odd = next((run for run in strange() if run in text and run not in "{}|^"), "")
    odd = odd or next((part for part in parts if re.search(r"[@®©§#$%&?]", part)), "")
    odd = odd or next((read for read in signs() if not read.isalnum() and read in parts), "")
    odd = odd or (found.group() if (found := _LONE.search(text)) else "")
    odd = odd or next((part for part in parts if _misread(part)), "")
    return f"{odd.strip()} is no sign" if odd else ""


def _misread(part: str) -> bool:
    """Tell whether a part begins as a sign is misread: letters that stand in no symbol ("Jl1", "qJ")."""
    starts = (read for read in signs() if part.startswith(read) and len(read) > 1)
    return any(re.search(r"[a-z][A-Z]|[jJ][l\d]|\W", read) and not read.isdigit() for read in starts)


def _brackets(text: str) -> str:
    waiting: list[str] = []
    for sign in text:
        if sign in _OPEN:
            waiting.append(_PAIRS[sign])
        elif sign in _CLOSE and (not waiting or waiting.pop() != sign):
            return "a bracket is lost"
    return "a bracket is lost" if waiting else ""


def _indices(text: str) -> str:
    if _BASE_IS_FIGURE.search(text):
        return "a figure has an index"
    return "an index stands alone" if any(_LOST_BASE.search(row) for row in text.splitlines()) else ""


def _figures(text: str) -> str:
    found = _FIGURE_IN_LETTERS.search(_SPACED.sub(r"\1", text))
    return "a letter stands among figures" if found else ""


def _rows(text: str) -> str:
    """Return that a row says nothing by itself: a part of a fraction, or of a sum, in a row of its own."""
    rows = [row for row in text.splitlines() if row.strip()]
    return "its rows do not join" if any(_relation(row) for row in rows) else ""


def _operators(text: str) -> str:
    """Return that an operator or relation stands without what it joins."""
    for row in text.splitlines():
        parts = [part for part in _TOKEN.findall(row) if part.strip()]
        if not parts:
            continue
        if parts[-1] in RELATIONS + OPERATORS or parts[0] in "×·∙⋅•*/÷" + RELATIONS + ".":
            return "one side is lost"
        for one, other in pairwise(parts):
            both = one in RELATIONS + OPERATORS and other in RELATIONS + OPERATORS
            signed = one in RELATIONS + "/·×" and other in "+-−–±"
            opened = one in _OPEN and other in "×·/="
            closed = one in OPERATORS and other in _CLOSE
            if (both and not signed) or opened or closed:
                return "an operand is lost"
    return ""


def _names(text: str) -> str:
    """Return that a name of a function is misspelled, or that names run together."""
    for read in _NAME.findall(text):
        if functions().get(read, read) != read:
            return f"{read} is no function"
    if re.search(r"\d(?:0|O)g(?![^\W\d_])|\d[A-Za-z]{2,}", text.replace(" ", "")):
        return "a figure and a name run together"
    long = _LONG.search(text)
    return "names run together" if long and long.group().lower() not in language_words() else ""


# What any formula is, and what only a misread one is: "2 h with 5 m" and "a = 1 ; b = 2" are printed so.
_WHOLE = (_relation, _brackets, _indices, _rows, _operators)
_READ_RIGHT = (_strange, _figures, _names)
