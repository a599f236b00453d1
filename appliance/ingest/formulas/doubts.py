"""Whether the text of a formula can be what is printed: a grammar of formulas that reports what is amiss."""

from __future__ import annotations

import re
from itertools import pairwise

RELATIONS = "=<>≤≥≈≠∼"
OPERATORS = "+−–-×·∙⋅•*/÷±"
_TOKEN = re.compile(r"(?:[^\W\d_]+[\d,.]*)+|\d+(?:[.,]\d+)*|\s+|.", re.DOTALL)
_OPEN, _CLOSE = "([{", ")]}"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_BASE_IS_FIGURE = re.compile(r"(?<![\w.,])\d+_")
_LOST_BASE = re.compile(rf"[{re.escape(RELATIONS + OPERATORS)}({{\[]\s*_|^\s*[_^]|_\(\)|[_^]\s|[_^]$")


def incomplete(text: str) -> str:
    """Return why a text whose letters are sure cannot be the whole formula, "" where nothing tells so."""
    if not text.strip():
        return "its signs have no text"
    return next(filter(None, (check(text) for check in _WHOLE)), "")


def _relation(text: str) -> str:
    return "" if any(sign in text for sign in RELATIONS) else "nothing in it equals or bounds anything"


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


# What any formula is, and what only a misread one is: "2 h with 5 m" and "a = 1 ; b = 2" are printed so.
_WHOLE = (_relation, _brackets, _indices, _rows, _operators)
