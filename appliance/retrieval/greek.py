"""Symbols that a question spells out, as codes print them: "psi 2" is ψ2.

Rules of this module: pure. Only the name of a Greek letter with an index of figures, or one behind a low
line, is a symbol; by itself it may be a name ("alpha", "delta"). Names and signs: data/tables.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from appliance.shipped import shipped


def with_signs(text: str) -> str:
    """Return a question with the symbols that it spells out as printed."""
    return _spelt().sub(lambda found: f"{_signs()[found[1].lower()]}{found[2] or found[3]}", text)


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
