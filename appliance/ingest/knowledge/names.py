"""The names of quantities in running text: "clear width", "maximum pitch", "headroom".

Rules of this module: pure; a name ends with a noun for what can be measured (data/graph/quantities.toml)
and begins behind the nearest word that no name holds; a number belongs to a name only where its unit
measures what the noun names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from appliance.graph import Bound
from appliance.ingest.knowledge.wording import nouns, wording
from appliance.quantity import size_of

LONGEST = 5  # words of a name
_WORD = re.compile(r"[^\W\d_]+(?:[-’'.][^\W\d_]+)*")
_GAP = re.compile(r"[ \t\u00a0\n-]{1,3}")


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a quantity at [start, end); `bound` is what "maximum" or "minimum" in it says.

    `symbol` is the one printed behind it ("coefficient k2"); `noun` is "" where only the sentence names it.
    """

    start: int
    end: int
    text: str
    noun: str
    bound: Bound | None = None
    symbol: str = ""

    def fits(self, unit: str) -> bool:
        """Tell whether a number with this unit may be a value of it; a bare number fits a ratio only.

        What no known noun names may have any.
        """
        if not self.noun:
            return True
        wanted = {size_of(known).dimension for known in nouns().units[self.noun]}
        return size_of(unit).dimension in wanted


def names_in(text: str, start: int = 0, end: int | None = None) -> list[Name]:
    """Return the names of quantities that stand in [start, end) of a text, in order."""
    words = list(_WORD.finditer(text, start, len(text) if end is None else end))
    found = [_name(text, words, at) for at in range(len(words)) if _noun(words[at].group())]
    last = {name.start: name for name in found}  # "load" of "load factor" is no name of its own
    kept = [name for name in last.values() if not any(_inside(name, other) for other in found)]
    for at in range(1, len(kept)):
        between = text[kept[at - 1].end : kept[at].start]
        if kept[at].bound is None and wording().between_names.fullmatch(between):
            kept[at] = replace(kept[at], bound=kept[at - 1].bound)  # "minimum width and depth"
    return kept


def _inside(name: Name, other: Name) -> bool:
    return name is not other and other.start <= name.start and name.end < other.end


def _noun(word: str) -> str:
    """Return the noun that a word is, in the singular, "" where it is none."""
    folded, known = word.casefold(), nouns().units
    for form in (
        folded,
        folded.removesuffix("s"),
        folded.removesuffix("es"),
        folded.removesuffix("ies") + "y",
    ):
        if form in known:
            return form
    return ""


def _name(text: str, words: list[re.Match[str]], at: int) -> Name:
    """Return the name that ends with the word at this position."""
    known, first = nouns(), at
    bound: Bound | None = None
    while first and at - first < LONGEST - 1:
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
