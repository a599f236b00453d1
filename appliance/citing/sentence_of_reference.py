"""A specification's text as the reference grammar reads it, in its language and sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from appliance.core.document import Reference
from appliance.core.files import data_folder, shipped
from appliance.ingest.references.part_words import fold_word, load_words

_NUMBERED = re.compile(r"(?<!\w)(?P<word>[^\W\d_]{2,20}\.?)\s+(?:\(?[A-Z]{0,2}\.?\d|[A-Z](?!\w))")


def spoken(text: str) -> tuple[str, ...]:
    """Return the languages, besides English, of the words before the numbers of a text."""
    words = {fold_word(match["word"]) for match in _NUMBERED.finditer(text)}
    return tuple(language for language, names in _names().items() if words & names)


def names_part(word: str) -> bool:
    """Tell whether a word names a kind of part in any language."""
    folded = fold_word(word)
    return folded in load_words("").names or any(folded in names for names in _names().values())


@cache
def _names() -> dict[str, frozenset[str]]:
    """Return what names a part in each language and not in English."""
    english = load_words("").names.keys()
    paths = sorted((data_folder() / "references" / "languages").glob("*.toml"))
    return {path.stem: frozenset(load_words("", path.stem).names.keys() - english) for path in paths}


SENTENCE = 2_000  # characters before a place in which the end of a sentence is looked for
_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Said:
    """A reference in the text of the paragraph at a position; None for what looks like one, by its name."""

    position: int
    text: str
    reference: Reference | None
    start: int
    name: str = ""


def of_sentence(said: Sequence[Said]) -> dict[_Place, str]:
    """Return by (paragraph, start) the document of a part whose own sentence names one, behind it alone."""
    found: dict[_Place, str] = {}
    behind, at, begins = "", (-1, -1), 0  # the document that is named next, in which sentence, and where
    for one in reversed(said):
        here = (one.position, sentence(one.text, one.start))
        if one.reference is None:
            behind, at = "", (-1, -1)
        elif one.reference.designation:
            behind, at, begins = one.reference.designation, here, one.start
        elif at == here and ";" not in one.text[one.reference.end : begins]:
            found[one.position, one.start] = behind
    seen: set[_Place] = set()
    for one in said:
        here = (one.position, sentence(one.text, one.start))
        if one.reference is not None and one.reference.designation:
            seen.add(here)
        elif here in seen:
            found.pop((one.position, one.start), None)
    return found


def sentence(text: str, at: int) -> int:
    """Return where the sentence around a position begins, a sentence longer than any cut where it is."""
    least = max(0, at - SENTENCE)
    ends = [match.end() for match in _stop().finditer(text, least, at)]
    return ends[-1] if ends else least or 0


def of_own_sentence(text: str, reference: Reference, parts: Collection[str]) -> Reference:
    """Return a part without the document that only a sentence before names: it may be that of another."""
    name, begin = reference.designation, sentence(text, reference.start)
    before = " ".join(text[max(0, begin - SENTENCE) : begin].split())
    if not name or reference.kind not in parts or name not in before:
        return reference
    held = name in " ".join(text[begin : reference.end].split())
    return reference if held else replace(reference, designation="")


@cache
def _stop() -> re.Pattern[str]:
    """Return what ends a sentence; the point of a shortened word ends none."""
    kept = "".join(rf"(?<!\b{re.escape(word)})" for word in shipped("citing/words")["shortened"])
    return re.compile(rf"{kept}[.;!?]\s+(?=[A-Z(\"“])")


_NATIONAL = re.compile(
    r"(?<![\w-])(?P<letters>[^\W\d_a-z]{1,6})(?P<joint>[-‐‑–])(?=(?P<what>(?:pr)?(?:EN|ISO|IEC)\b))"
)
_DIGITS = r"\(?[A-Z]{0,3}\.?(?!0[.,])\d"  # no clause is numbered "0.4"


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text as it is read, with what was changed: where that stands in it, and where as written.

    `joined` are the national letters that a hyphen joined, as they are read, by how they were written.
    """

    text: str
    changes: tuple[tuple[int, int, int, int], ...]  # (start, end) as read, then as written; in order
    joined: tuple[tuple[str, str], ...] = ()

    def written(self, at: int) -> int:
        """Return the place of the written text that a place of the read one stands for."""
        last = bisect_right(self.changes, at, key=lambda change: change[0]) - 1
        if last < 0:
            return at
        _, end, begun, ended = self.changes[last]
        return at - end + ended if at >= end else begun

    def as_written(self, designation: str) -> str:
        """Return a designation with its national letters joined as they were."""
        for read, written in self.joined:
            designation = designation.replace(read, written)
        return designation


def spelled(text: str) -> Spelled:
    """Return a text with what is written short in full."""
    whole, at, short = "", 0, _short()
    changes: list[tuple[int, int, int, int]] = []
    for match in short.pattern.finditer(text):
        start, end = match.span("joint")
        word = " "
        if not match["joint"]:
            form, (start, end) = match["form"].casefold(), (match.start("form"), match.end())
            word = f"{short.words[form]} "
            if form in short.dotted and not short.placed.match(text, end):
                continue
            if match["number"] is None and short.words[form] not in short.lettered:
                continue
        whole += text[at:start]
        changes.append((len(whole), len(whole) + len(word), start, end))
        whole, at = whole + word, end
    joined = {
        f"{match['letters']} {match['what']}": f"{match.group()}{match['what']}"
        for match in _NATIONAL.finditer(text)
    }
    return Spelled(whole + text[at:], tuple(changes), tuple(joined.items()))


class _Short:
    """The words that are written short, as their file has them."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.words = {form: word for word, forms in data["words"].items() for form in forms}
        self.lettered = frozenset(data["lettered"]["words"])
        self.dotted = frozenset(data["dotted"]["words"])
        forms = "|".join(map(re.escape, sorted(self.words, key=len, reverse=True)))
        self.pattern = re.compile(
            rf"(?<![\w.§-])(?<!^\d\s)(?<![\s(]\d\s)(?<![\s(]\d\d\s)(?P<form>(?i:{forms}))(?:(?<!\.)\.)?"
            rf"(?:(?<=[.§])\s{{0,3}}|\s{{1,3}})(?:(?P<number>(?={_DIGITS}))|(?=[A-Z](?!\w)))|{_NATIONAL.pattern}"
        )
        # not behind a number that they stand before
        units = "|".join(map(re.escape, data["dotted"]["units"]))
        self.placed = re.compile(rf"[A-Z]?\d{{1,2}}\.\d{{1,2}}(?![\w.]\w|\s?(?:{units})\b)")


@cache
def _short() -> _Short:
    return _Short(shipped("citing/short"))
