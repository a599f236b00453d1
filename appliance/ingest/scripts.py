"""Writing systems: the script that a letter or a whole word is written in.

Rules of this module: pure; a script is called as Unicode's names of its letters begin.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=4096)
def script_of(sign: str) -> str:
    """Return the script of a letter as its Unicode name begins ("LATIN", "GREEK"), "" for other signs."""
    return unicodedata.name(sign, "").split(" ")[0] if sign.isalpha() else ""


def one_script(word: str) -> str:
    """Return the script that all letters of a word are of, "" where there is none or several."""
    found = {script_of(sign) for sign in word if sign.isalpha()}
    return found.pop() if len(found) == 1 else ""
