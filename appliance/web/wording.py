"""Small questions that the templates ask about words and figures.

Rules of this module: pure functions of plain values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

SHOWN = 600  # characters of the first statement before it is folded
LATER = 420  # of those behind it
BEFORE = 220  # of words over a number that is asked for: a phone shows both at once
_END = re.compile(r"[.;:](?=\s)|\n")


def same(quote: str, text: str) -> bool:
    """Tell whether a statement already says its quotation in full, spaces apart."""
    return " ".join(quote.split()) in " ".join(text.split())


def runs(numbers: Sequence[int]) -> str:
    """Return numbers as printed in a book: "1", "1, 2", "1-4", "2-4, 7"."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    parts = [(str(span[0]), str(span[-1])) for span in spans]
    return ", ".join(
        first
        if first == last
        else f"{first}\N{EN DASH}{last}"
        if int(last) - int(first) > 1
        else f"{first}, {last}"
        for first, last in parts
    )


def folded(text: str, shown: int = SHOWN) -> tuple[str, str]:
    """Return what of a long text is shown at once, cut behind a sentence, and the rest; "" for none.

    A text is folded only where that hides a good part of it.
    """
    if len(text) <= shown + shown // 3:
        return text, ""
    ends = [found.end() for found in _END.finditer(text, shown // 2, shown)]
    at = ends[-1] if ends else text.rfind(" ", 0, shown) + 1 or shown
    return text[:at].rstrip(), text[at:].lstrip()


def lettered(text: str) -> tuple[str, str]:
    """Return the title of a figure's text, and the lettering in it; "" for none."""
    title, bar, rest = text.partition(" | ")
    return (title, rest) if bar else folded(text)


def bare_title(label: object, title: str) -> str:
    """Return a title without the label that it repeats: "Table 1.1 - Rise" of Table 1.1 is "Rise"."""
    text = " ".join(title.split())
    printed = str(label)
    if text.casefold().startswith(printed.casefold()) and not text[len(printed) : len(printed) + 1].isalnum():
        return text[len(printed) :].lstrip(" ,;.:-\N{EN DASH}\N{EM DASH}")
    return text


def milliseconds(timings: Mapping[str, float]) -> float:
    """Return the whole time of a search: its own total where it gives one, else the sum of the stages."""
    return timings["total"] if "total" in timings else sum(timings.values())
