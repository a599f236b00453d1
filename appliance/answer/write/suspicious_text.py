"""What is not shown of texts that a model reads or writes: markup, orders to a machine, unprinted numbers."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import msgspec

from appliance.answer.statement_support import particulars
from appliance.core.decoding import decode
from appliance.core.files import shipped
from appliance.tables.rows import flat
from appliance.text.quantities import unit_behind

APART = 4  # words between an order and what it undoes
KNOWN = 1024  # texts remembered: those of an answer are looked at more than once

_UNSEEN = frozenset({"Cf", "Mn", "Me"})
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(
    r"</?[A-Za-z!][^<>]*>"  # a tag
    r"|<\||\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"  # control words of models
    r"|\b(?:https?|ftp|javascript|data)\s*:\s*/?/?\S|\bwww\.\S"
    r"|!?\[[^\]]*\]\([^)]*\)",  # a link in Markdown
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with the words of which a text must have one of each kind, in lower case."""

    pattern: re.Pattern[str]
    kinds: tuple[frozenset[str], ...]


def suspicious(text: str) -> str:
    """Return what in a text is none of a code (markup, an address, an order), "" for nothing."""
    found = marked_up(plain(text))
    return found.group().strip() if found else speaks(text)


@lru_cache(KNOWN)
def speaks(text: str) -> str:
    """Return what in a text speaks to a machine or tells how to answer, "" for nothing."""
    seen = plain(text)
    held = frozenset(_WORD.findall(seen.lower()))
    for rule in _rules():
        if all(not kind.isdisjoint(held) for kind in rule.kinds) and (found := rule.pattern.search(seen)):
            return found.group().strip()
    return ""


def plain(text: str) -> str:
    """Return a text in plain letters and spaces, without what cannot be seen."""
    unescaped = html.unescape(text)
    if unescaped.isascii():
        return unescaped
    normal = unicodedata.normalize("NFKC", unescaped)
    return _FOREIGN.sub(lambda sign: "" if unicodedata.category(sign[0]) in _UNSEEN else sign[0], normal)


def marked_up(text: str) -> re.Match[str] | None:
    """Return the first markup, control word or address in a text."""
    return _MARKUP.search(text)


@cache
def _rules() -> tuple[Rule, ...]:
    """Return what finds text that calls the reader, undoes what was read, or tells how to answer."""
    few = rf"(?:\W+\w+){{0,{APART}}}?\W+"
    articles = "|".join(shipped("answer/writing")["articles"])
    return (
        _rule(rf"(?:{{}})\W+(?:(?:{articles})\s+)*(?:{{}})", "calls", "machines"),
        _rule("(?:{})", "named"),
        _rule(f"(?:{{}}){few}(?:{{}})", "orders", "undone"),
        _rule(f"(?:{{}}){few}(?:{{}})", "instructed", "revoked"),
        _rule(r"(?-i:^[ \t]*(?:{})[ \t]*:?[ \t]*$)", "headings"),
        _rule(r"(?:{})\s*:", "opening"),
        _rule(r"(?:{})\s+(?:{})", "told", "said"),
        _rule("(?:{})", "phrases"),
    )


def _rule(form: str, *names: str) -> Rule:
    """Return a rule of one or two lists of words, put into the places `{}` of its form."""
    kinds, parts = [], []
    for name in names:
        said: Sequence[str] = shipped("answer/writing")[name]
        spelt = (r"\s+".join(map(re.escape, item.split())) for item in sorted(said, key=len, reverse=True))
        parts.append(rf"(?<!\w)(?:{'|'.join(spelt)})(?!\w)")  # whole, however it is spaced
        kinds.append(frozenset(_WORD.findall(item.lower())[0] for item in said))
    before, *others = form.replace("{}", "\0").split("\0")
    pattern = before + "".join(part + after for part, after in zip(parts, others, strict=True))
    return Rule(re.compile(pattern, re.IGNORECASE | re.MULTILINE), tuple(kinds))


# -- what a vision model wrote of a drawing

MOST = 5  # sentences
LONGEST = 600  # characters of a sentence

_LETTERS = re.compile(r"[^\W\d_]{2}")
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:[:/]\d+)?")


class _Said(msgspec.Struct, frozen=True):
    d: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences that may be shown, and how many were left out."""

    shown: tuple[str, ...]
    left_out: int


def sentences(text: str, printed: str) -> Sentences | None:
    """Return what a description says that the printed text does not contradict, None where it is none."""
    try:
        said = decode(text.strip().encode(), _Said).d
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    every = tuple(dict.fromkeys(words for item in said[:MOST] if (words := flat(item))))
    known, with_units = set(particulars(printed)), _measured(printed)
    shown = tuple(
        item
        for item in every
        # a short sentence in words, without markup or an address, whose numbers and labels are all printed,
        # those with a unit with that unit
        if not marked_up(plain(item))
        and len(item) <= LONGEST
        and _LETTERS.search(item)
        and known.issuperset(particulars(item))
        and _measured(item) <= with_units
    )
    return Sentences(shown, len(every) - len(shown))


def _measured(text: str) -> set[tuple[str, str]]:
    """Return the numbers in a normal form that have a unit, with it."""
    found = set()
    for number in _NUMBER.finditer(text):
        if unit := unit_behind(text, number.end()):
            read = (item for item in particulars(number.group()) if item.lstrip("-")[:1].isdigit())
            found.add((next(read, number.group()), unit))
    return found
