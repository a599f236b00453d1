"""A comparison taken apart: one question for each thing that is compared, each said in full.

Rules of this module: pure. What opens a comparison and stands between its sides is data
(data/retrieval/parts.toml). A further side takes the place of what has its role in the first: what stands
behind the same small word ("in Part K and in Part M"), else what a following question would replace
(`parts.followed`). A noun that only one side has is that of the other too ("a private and a communal
route", "category 1 and 2"). What cannot be read as two sides is no comparison.
"""

from __future__ import annotations

import re
from functools import cache

from appliance.retrieval.parts import Content, Slots, followed
from appliance.retrieval.roles import small_words
from appliance.shipped import shipped
from appliance.store.words import fold

MOST = 4  # things that one question compares
SHORT = 4  # words of a side that stands in a row ("A, B and C") at most

_CODE = r"\d{1,2}[a-z]?|[A-Z]\d{0,2}"
_CODED = re.compile(rf"(?:(?P<noun>.*?[^\W\d_]{{3,}}) )?(?:{_CODE})")
_BARE = re.compile(rf"(?P<code>{_CODE})(?P<rest>(?: .+)?)")


def sides(question: str, content: Content, slots: Slots) -> tuple[str, ...]:
    """Return a question for each side of a comparison, none where a question compares nothing."""
    asked = question.strip().rstrip("?. ")
    found = next(filter(None, (pattern.search(asked) for pattern in _patterns())), None)
    if found is None or _opening().match(found["other"]):
        return ()
    first, *others = _listed(found["first"], found["other"])
    first, others[-1] = _completed(first, others[-1])
    if what := found.groupdict().get("what"):
        first = f"{what} {_data()['linking']} {first}"
    told = tuple(dict.fromkeys([first, *(_said(other, first, content, slots) for other in others)]))
    return told[:MOST] if len(told) > 1 and all(content(side) for side in told) else ()


def _listed(first: str, other: str) -> list[str]:
    """Return the sides, those of a row ("A, B and C") each on its own."""
    row = [part.strip() for part in first.split(",")]
    short = len(row) > 1 and all(0 < len(part.split()) <= SHORT for part in row)
    return [*(row if short else [first.strip()]), other.strip()]


def _completed(first: str, other: str) -> tuple[str, str]:
    """Return both sides, each with the noun that only the other one has."""
    coded, bare = _CODED.fullmatch(first), _BARE.fullmatch(other)
    if coded and bare:
        return f"{first}{bare['rest']}", f"{coded['noun'] or ''} {other}".strip()
    last, theirs = first.rsplit(maxsplit=1)[-1], _without_opening(other).split()
    describes = _describing().fullmatch(fold(last)) and len(theirs) > 1
    if describes and not _describing().fullmatch(fold(theirs[-1])):
        return " ".join((first, *theirs[1:])), other
    return first, other


def _said(other: str, first: str, content: Content, slots: Slots) -> str:
    """Return the question of the first side about another one."""
    named = re.sub(rf"^{_any('standing')}\s+(?={small_words()}\s)", "", other, flags=re.IGNORECASE)
    small = re.match(rf"{small_words()}(?=\s)", named, re.IGNORECASE)
    same = rf"\s{re.escape(small.group())}\s" if small else r"(?!)"
    if before := list(re.finditer(same, first, re.IGNORECASE)):
        return f"{first[: before[-1].start()]} {named}"
    meant = followed(f"and {named}?", first, content, slots).rstrip("?")
    return named if meant in {f"{first}, {named}", first} else meant


def _without_opening(other: str) -> str:
    """Return a side without the small words and the article that open it."""
    opening = "|".join((small_words(), _any("articles"), _any("standing")))
    return re.sub(rf"^(?:(?:{opening})\s+)+", "", other, flags=re.IGNORECASE)


@cache
def _opening() -> re.Pattern[str]:
    """Return what opens another question behind "and"."""
    return re.compile(rf"{_any('openings')}\b", re.IGNORECASE)


def _any(name: str) -> str:
    return f"(?:{'|'.join(map(re.escape, _data()[name]))})"


@cache
def _describing() -> re.Pattern[str]:
    """Return what a word that describes a noun looks like."""
    return re.compile("|".join(f"(?:{text})" for text in _data()["describing"]))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return what finds the sides of a comparison, the plainest way to ask for one first."""
    return tuple(re.compile(text, re.IGNORECASE) for text in _data()["comparing"])


def _data() -> dict[str, list[str]]:
    return shipped("retrieval/parts")
