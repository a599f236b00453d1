"""Symbols that a question spells out, as codes print them: "psi 2" is ψ2.

Rules of this module: pure. Only the name of a Greek letter with an index of figures, or one behind a low
line, is a symbol; by itself it may be a name ("alpha", "delta"). Names and signs: data/tables.toml.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from appliance.shipped import shipped

# a Greek letter with its index
_SIGN = re.compile(r"(?<![^\W_])[\u0391-\u03a9\u03b1-\u03c9][^\W_]{0,4}(?![^\W_])")


def with_signs(text: str) -> str:
    """Return a question with the symbols that it spells out as printed."""
    return _spelt().sub(lambda found: f"{_signs()[found[1].lower()]}{found[2] or found[3]}", text)


def signs_in(text: str) -> tuple[str, ...]:
    """Return the symbols of a text that begin with a Greek letter, their index as figures: "ψ0"."""
    return tuple(match.group() for match in _SIGN.finditer(unicodedata.normalize("NFKC", text)))


def is_sign(text: str) -> bool:
    """Tell whether a text is such a symbol and nothing else."""
    return signs_in(text) == (unicodedata.normalize("NFKC", text.strip()),)


@cache
def _spelt() -> re.Pattern[str]:
    names = "|".join(sorted(_signs(), key=len, reverse=True))
    return re.compile(
        rf"(?<![^\W_])({names})(?:[ _-]?(\d{{1,2}})(?![\w.,:/]|\s?[^\W\d_]{{1,2}}\b)|_([^\W_]{{1,4}}))",
        re.IGNORECASE,
    )


@cache
def _signs() -> Mapping[str, str]:
    """Return each name of a Greek letter with its sign."""
    groups = (group for group in shipped("tables")["same"] if group[0].isascii() and len(group[0]) > 1)
    return {
        group[0]: sign for group in groups for sign in group[1:2] if len(sign) == 1 and "α" <= sign <= "ω"
    }
