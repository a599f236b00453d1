"""What stands in a document and is no text of a code: markup, an address, words that speak to a machine."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from appliance.core.files import shipped

APART = 4  # words between an order and what it undoes
KNOWN = 1024  # texts remembered: those of an answer are looked at more than once

_UNSEEN = frozenset({"Cf", "Mn", "Me"})
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
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
    return _BEYOND_ASCII.sub(_seen, unicodedata.normalize("NFKC", unescaped))


def marked_up(text: str) -> re.Match[str] | None:
    """Return the first markup, control word or address in a text."""
    return _MARKUP.search(text)


def _seen(sign: re.Match[str]) -> str:
    return "" if unicodedata.category(sign.group()) in _UNSEEN else sign.group()


@cache
def _rules() -> tuple[Rule, ...]:
    """Return what finds text that calls the reader, undoes what was read, or tells how to answer."""
    few = rf"(?:\W+\w+){{0,{APART}}}?\W+"
    articles = "|".join(_words("articles"))
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
    lists = [_words(name) for name in names]
    parts = [_any_of(sorted(kind, key=len, reverse=True)) for kind in lists]
    before, *others = form.replace("{}", "\0").split("\0")
    pattern = before + "".join(part + after for part, after in zip(parts, others, strict=True))
    kinds = (frozenset(_WORD.findall(item.lower())[0] for item in kind) for kind in lists)
    return Rule(re.compile(pattern, re.IGNORECASE | re.MULTILINE), tuple(kinds))


def _any_of(these: Sequence[str]) -> str:
    """Return a pattern of whole words or signs, however they are spaced."""
    spelt = (r"\s+".join(map(re.escape, item.split())) for item in these)
    return "|".join(rf"(?<!\w){item}(?!\w)" for item in spelt)


def _words(name: str) -> Sequence[str]:
    said: Sequence[str] = shipped("answer/writing")[name]
    return said
