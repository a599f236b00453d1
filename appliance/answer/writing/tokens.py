"""The words, numbers and signs of a text, in order, as two texts are compared.

Rules of this module: pure functions of text. Every character that is no space is part of a token: a minus,
a bracket, a comparison, a glyph that nobody knows, and the marks that part sentences and their parts, for
"not in sheds. Elsewhere" is another thing than "not. In sheds elsewhere". A minus touches its number, a dash
between spaces is another token. A raised mark is a token of its own and never a digit of the number beside
it. What may differ without meaning anything else is left out or made one: articles, forms of "be", a final
"s", the capital letter of a word, the mark at the very end. What may be a symbol keeps its case: whatever is
no listed word and has up to three letters, or no vowel, or is printed in capitals ("IS 456").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from appliance.answer.verify import phrases
from appliance.answer.writing.words import lettered, light, linking, plural, powered, short

Word = tuple[str, str]  # as it is compared, as it is written

BESIDE = "_"  # between two numbers with nothing but space between them: "1 200" is not "1, 200"
SEPARATORS = frozenset(".,;:")  # part a text; of those at its end none counts
DASH = "–"  # between spaces: it parts what stands on either side; a minus is "-"
KEPT = 4_096  # texts whose tokens are remembered

_BLOCKS = [chr(code) for code in range(0x80, 0x3000)]
_RAISED = "".join(c for c in _BLOCKS if unicodedata.decomposition(c).startswith("<super>"))
_ODD = "".join(c for c in _BLOCKS if c.isalnum() and not c.isalpha() and not c.isdecimal())  # "½", "①", "₀"
_LETTER = rf"[^\W\d_{re.escape(_RAISED + _ODD)}]"
_LOWERED = "₀-₉"
_UNSEEN = str.maketrans(
    dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)  # what alters nothing on a page
_SPELT = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("⋅∙", "·"),
        "∆": "Δ",
        "⩽": "≤",
        "≦": "≤",
        "⩾": "≥",
        "≧": "≥",
    }
)
_QUOTES = frozenset("\"“”„‟'‘’‚‛«»‹›")
_CAPITALISED = re.compile(r"(?=.*[AEIOUYaeiouy])[^\W\d_a-z][a-z]{3,}(?:-[a-z]+)*")
_ARTICLE = frozenset("aA")


@lru_cache(KEPT)
def words_of(text: str) -> tuple[Word, ...]:
    """Return the words, numbers and signs of a text in order, without what may differ."""
    plain = unicodedata.normalize("NFC", text.translate(_UNSEEN)).translate(_SPELT)
    made = list(_words(plain, list(_pattern().finditer(plain))))
    while made and made[-1][0] in SEPARATORS:
        made.pop()
    return tuple(made)


def tokens(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    return [begin for begin, _ in words_of(text)]


def one(token: str) -> str:
    """Return a word as it is compared: in lower case and without the "s" of a plural or a genitive."""
    token = _folded(token)
    for ending in ("'s", "’s", "s"):
        if len(token) > len(ending) + 2 and token.endswith(ending) and token not in plural():
            return token.removesuffix(ending)
    return token


def _words(text: str, found: list[re.Match[str]]) -> Iterator[Word]:
    for at, here in enumerate(found):
        token, before = here.group(), found[at - 1] if at else None
        behind = found[at + 1] if at + 1 < len(found) else None
        if here["number"] and before and before["number"] and before.end() < here.start():
            yield BESIDE, " "
        if _only_quotes(text, here) or _is_article(text, before, here, behind):
            continue
        if here["dash"] and behind and here.end() < behind.start():
            yield DASH, token
        elif here["raised"]:
            yield f"^{unicodedata.normalize('NFKC', token).translate(_SPELT).removeprefix('^')}", token
        elif here["worded"]:
            spelt = unicodedata.normalize("NFKC", token)
            if token in _ARTICLE or _folded(spelt) not in light():
                yield one(spelt), token
        else:
            yield "…" if token[:2] == ".." else token, token


def _only_quotes(text: str, here: re.Match[str]) -> bool:
    """Tell whether a sign is a quotation mark; one behind a number is a foot, an inch or a minute."""
    return here.group() in _QUOTES and not text[: here.start()][-1:].isdigit()


def _is_article(
    text: str, before: re.Match[str] | None, here: re.Match[str], behind: re.Match[str] | None
) -> bool:
    """Tell whether a letter is an article and no symbol or class: a noun or a number may follow it.

    A capital letter is one where it begins the text; behind words such as "zone" it is none.
    """
    letter = here.group()
    if letter not in _ARTICLE or behind is None or (letter.isupper() and text[: here.start()].strip()):
        return False
    if before is not None and one(before.group()) in lettered():
        return False
    if not text[here.end() : behind.start()].isspace() or text[: here.start()][-1:].isalnum():
        return False
    word = behind.group()
    return bool(behind["number"]) or (bool(behind["worded"]) and word.casefold() not in _no_nouns())


@cache
def _no_nouns() -> frozenset[str]:
    """Return words that stand behind a symbol, not behind an article."""
    modals = {word for phrase in phrases("modals") for word in phrase.split()}
    return frozenset(modals | light() | linking() | {"and", "or"})


def _folded(token: str) -> str:
    """Return a word in lower case; a symbol keeps its letters, for Qk is not qk."""
    if _CAPITALISED.fullmatch(token) or (token[1:].islower() and token.lower() in _openers()):
        return token.lower()
    return token


@cache
def _openers() -> frozenset[str]:
    """Return the short words that may begin a sentence with a capital letter."""
    return short() | linking() | {word for word in light() if len(word) > 1}


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of one token; a power of a unit of length is one with it ("m²" is "m2")."""
    units = "|".join(map(re.escape, sorted(powered(), key=len, reverse=True)))
    letter, raised = _LETTER, re.escape(_RAISED)
    return re.compile(
        rf"(?P<worded>(?<!{letter})(?:{units})[²³](?![{raised}\w])"
        rf"|{letter}+(?:[{_LOWERED}]+(?!\d)|\d+(?![{_LOWERED}]))(?:[.,/-]?(?:{letter}|\d))*"  # "ψ0", "C30/37"
        rf"|{letter}+(?:[-'’]{letter}+)*)"
        rf"|(?P<raised>[{raised}]+|\^[-+]?\d+)"
        r"|(?P<number>[.,]?\d+(?:[.,:/-]\d+)*)"
        r"|\.{2,}|(?P<dash>-)|\S"
    )
