"""What the glyphs of a font mean by their names, where the PDF itself gives no Unicode for them.

Rules of this module: pure; the names are those that a font's encoding lists ("Differences", ISO
32000-1, 9.6.6) and the meanings are data (`data/characters.toml`). What they mean is added to the
font's map to Unicode as a CMap has it (ISO 32000-1, 9.10.3), so that the text is read right at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from appliance.ingest.glyphs import glyph_meanings

LAST_CODE = 0xFF  # of a font with one byte for a character
_TOKEN = re.compile(r"/(?P<name>[^\s/\[\]<>()]+)|(?P<code>\d+)")
_SINGLE = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_PAIR = re.compile(rb"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]{4})\s*>")
_EMPTY = b"""begincmap
1 begincodespacerange
<00> <FF>
endcodespacerange
endcmap
"""


def meant(differences: str) -> dict[int, str]:
    """Return code -> character for the glyphs of an encoding's differences whose names are known."""
    known = glyph_meanings()
    found: dict[int, str] = {}
    code = 0
    for token in _TOKEN.finditer(differences):
        if token["code"]:
            code = int(token["code"])
            continue
        if token["name"] in known and code <= LAST_CODE:
            found[code] = known[token["name"]]
        code += 1
    return found


def with_meanings(cmap: bytes, meanings: Mapping[int, str]) -> bytes:
    """Return the map to Unicode (b"" where the font has none) with the meanings of these codes on top."""
    before, _, after = (cmap if b"endcmap" in cmap else _EMPTY).partition(b"endcmap")
    rows = "".join(
        f"<{code:02X}> <{char.encode('utf-16-be').hex().upper()}>\n" for code, char in meanings.items()
    )
    return before + f"{len(meanings)} beginbfchar\n{rows}endbfchar\nendcmap".encode("ascii") + after


def doubled(cmap: bytes) -> frozenset[str]:
    """Return the characters that several codes of a map to Unicode mean (its single mappings)."""
    counts = Counter(
        pair[1].upper()
        for block in _SINGLE.findall(cmap)
        for pair in {(code, meaning) for code, meaning in _PAIR.findall(block)}
    )
    return frozenset(chr(int(meaning, 16)) for meaning, count in counts.items() if count > 1)
