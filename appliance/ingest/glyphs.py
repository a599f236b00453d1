"""Characters as Unicode: fonts with an encoding of their own, ligatures, control characters.

Rules of this module: pure; the code tables are data (`data/characters.toml`); a character that
cannot be mapped is read as the replacement sign, so that nothing disappears from the text unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from appliance.shipped import shipped

UNKNOWN = "\ufffd"  # what a character without a known meaning is read as
PRIVATE_USE = 0xF000  # where PDF text puts the codes of symbolic fonts

# Signs of Latin-1 that a symbol font really holds: seen there, they are already Unicode.
_SHARED = frozenset("°±×÷¬®©µ")
_LIGATURES = {
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
}
_SPACES = frozenset(
    " \t\r\n\v\f\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"
)
_NOTHING = frozenset("\u200b\u200c\u200d\u2060\ufeff")


@cache
def _families() -> tuple[tuple[tuple[str, ...], Mapping[int, str]], ...]:
    return tuple(
        (tuple(family["fonts"]), {int(code, 16): char for code, char in family["codes"].items()})
        for family in _data().values()
        if "fonts" in family
    )


@cache
def _data() -> Mapping[str, Any]:
    return shipped("characters")


def glyph_meanings() -> Mapping[str, str]:
    """Return glyph name -> character for names that only their makers knew."""
    names: Mapping[str, str] = _data()["glyph_names"]
    return names


@cache
def font_codes(font: str) -> Mapping[int, str]:
    """Return the code table of a font by its name ("ABCDEF+SymbolMT"); empty for ordinary fonts."""
    name = font.rpartition("+")[2].replace(" ", "").lower()
    for starts, codes in _families():
        if name.startswith(starts):
            return codes
    return {}


def is_space(char: str) -> bool:
    """Tell whether the character separates words; control characters do."""
    return char in _SPACES or char < " "


def repaired(char: str, codes: Mapping[int, str]) -> str:
    """Return the character as Unicode text ("" for an invisible one), by its font's code table."""
    code = ord(char)
    if PRIVATE_USE <= code <= PRIVATE_USE + 0xFF:
        table = codes or _families()[0][1]
        return table.get(code - PRIVATE_USE, UNKNOWN)
    if _is_private(code):
        return UNKNOWN
    if codes and code <= 0xFF and char not in _SHARED:
        return codes.get(code, char)
    if 0x80 <= code < 0xA0:  # control characters that no text has: a map that took Windows' codes
        return bytes([code]).decode("cp1252", "replace")
    if char in _NOTHING:
        return ""
    return _LIGATURES.get(char, char)


def _is_private(code: int) -> bool:
    """Tell whether Unicode leaves the meaning of a code point to the font."""
    return 0xE000 <= code <= 0xF8FF or code >= 0xF0000
