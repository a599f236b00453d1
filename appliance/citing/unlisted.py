"""What looks like a standard of a body that nobody has listed: "GB 50009-2012", "NF P 06-001", "XYZ 123".

Rules of this module: pure. A year, or the letters of a series behind those of a known body, tell a standard;
of capitals with a bare number a standard is only told where a part stands right beside ("XYZ 123, Table 2",
"clause 5 of XYZ 123"). All others are given as doubtful: they may be products, drawings or levels, so that
no row is made of them; but they are told, and no part behind them is one of a document that was named
before. Words that are surely none: data/citing/unlisted.toml.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from appliance.document import Label, Reference
from appliance.ingest.grammar.words import Words, fold_word
from appliance.shipped import shipped

_LETTERS = r"[^\W\d_a-z](?:[^\W\d_]{0,4}[^\W\d_a-z])?"
_NAME = re.compile(
    rf"(?<![\w./@#&+-])(?P<body>[^\W\d_a-z][^\W\d_]{{0,4}}[^\W\d_a-z])(?P<series>(?:[ /-]{_LETTERS}){{0,2}})"
    r"(?P<gap>\s?|-)(?P<number>\d{1,6}(?:[./-]\d{1,5}){0,4})"
    r"(?P<year>\s?[:(–—]\s?(?:19|20)\d\d\)?)?(?![\w%°\"″′×]|[.,:/-]\d)"
)
_DATED = re.compile(r"\d[/-](?:19|20)\d\d$|(?:\d{3}|\.\d{1,2})[/-]\d\d$")  # "3-2010", "2.01.07-85"
_YEAR = re.compile(r"(?:19|20)\d\d")
_POSTCODE = re.compile(r"\s\d[A-Z]{2}(?!\w)")
_BEHIND = re.compile(r"[\s,:(–—-]{0,4}")
FAR = 2_000  # characters between a document and its part


@dataclass(frozen=True, slots=True)
class Unlisted:
    """What looks like the designation of a standard; `sure` where nothing else is written so."""

    start: int
    end: int
    text: str
    sure: bool


def unlisted(text: str, start: int, end: int, words: Words) -> Iterator[Unlisted]:
    """Yield what looks like a standard in a part of a text."""
    none = _none()
    for match in _NAME.finditer(text, start, end):
        body, series = match["body"], [part for part in re.split(r"[ /-]", match["series"]) if part]
        letters = [body, *series]
        if _POSTCODE.match(text, match.end()) or any(fold_word(part) in words.names for part in letters):
            continue
        known = body in words.bodies and any(part not in words.bodies for part in series)
        dated = match["year"] is not None or (bool(match["gap"]) and bool(_DATED.search(match["number"])))
        if not known and (none & {part.upper() for part in letters} or _quantity(match, words)):
            continue
        yield Unlisted(match.start(), match.end(), " ".join(match.group().split()), known or dated)


def _quantity(match: re.Match[str], words: Words) -> bool:
    """Tell whether a unit follows, or the capitals are words before a year ("SPRING 2020")."""
    year = bool(_YEAR.fullmatch(match["number"])) and len(match["body"]) > len("ABCD")
    return year or bool(words.units.match(match.string, match.end()))


def is_none(designation: str) -> bool:
    """Tell whether what was read as a standard has the letters of something else: "DWG 12"."""
    letters = re.match(r"[A-Z]+(?=[ -]\d)", designation)
    return letters is not None and letters.group() in shipped("citing/unlisted")["records"]


@cache
def _none() -> frozenset[str]:
    return frozenset(word for words in shipped("citing/unlisted").values() for word in words)


def settled(
    text: str, named: Sequence[Unlisted], read: Sequence[Reference], words: Words, parts: Collection[str]
) -> tuple[list[Reference], list[Unlisted]]:
    """Return the references with those to unlisted standards and to their parts, and what stays doubtful.

    A part right beside such a standard is its own, and no part behind it is one of what was named before it.
    The number inside a designation ("SNiP 2.01.07-85") is no clause of another.
    """
    sure_names = [one for one in named if one.sure]
    read = [each for each in read if not any(o.start < each.start and each.end <= o.end for o in sure_names)]
    free = [one for one in named if not any(each.start < one.end and one.start < each.end for each in read)]
    beside = {at: owner for at, each in enumerate(read) if (owner := _owner(text, each, free, words, parts))}
    sure = {one for one in free if one.sure} | set(beside.values())
    own = [
        replace(each, designation=beside[at].text) if at in beside else _parted(text, each, free, sure, parts)
        for at, each in enumerate(read)
    ]
    label = Label(("unlisted",))
    found = [
        Reference(label, one.start, one.end, one.text, "document", (), designation=one.text) for one in sure
    ]
    whole = sorted([*own, *found], key=lambda one: (one.start, one.kind != "document"))
    return whole, [one for one in free if one not in sure]


def _owner(
    text: str, part: Reference, named: Sequence[Unlisted], words: Words, parts: Collection[str]
) -> Unlisted | None:
    """Return the unlisted standard right before a part, or right behind it: "clause 5 of XYZ 12"."""
    if part.kind not in parts:
        return None
    within = words.within.match(text, part.end)
    behind = (one for one in named if within and within.end() == one.start)
    before = (one for one in named if one.end <= part.start and _BEHIND.fullmatch(text, one.end, part.start))
    return next(behind, None) or next(before, None)


def _parted(
    text: str, part: Reference, named: Sequence[Unlisted], sure: Collection[Unlisted], parts: Collection[str]
) -> Reference:
    """Return a part without the document before it where an unlisted standard stands between the two."""
    if part.kind not in parts or not part.designation:
        return part
    if part.designation in " ".join(text[part.start : part.end].split()):
        return part
    last = text.rfind(part.designation, max(0, part.start - FAR), part.start)
    between = [one for one in named if last < one.start < part.start]
    if not between or last < 0:
        return part
    return replace(part, designation=between[-1].text if between[-1] in sure else "")
