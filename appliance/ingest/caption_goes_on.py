"""What a caption says of its table or figure beside the title: that it goes on, or which sheet of it this is.

Rules of this module: pure, text only; the words come from the scheme (`continued`, `sheet`). "(sheet 1 of 3)"
is no part of a title; every sheet but the first goes on with the one before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MORE = r"(?:\s+[^\s()\[\]]+){0,4}"  # "(continued from the previous page)"


@dataclass(frozen=True, slots=True)
class Told:
    """A title without what tells that it goes on; `sheet` is the number of the sheet, 0 for none."""

    title: str
    continued: bool = False
    sheet: int = 0


def goes_on(title: str, words: Mapping[str, Sequence[str]]) -> Told:
    """Return a title without a word that says it goes on, and without the number of its sheet."""
    title, sheet = without_sheet(title, words.get("sheet", ()))
    title, continued = _without_continued(title, words.get("continued", ()))
    return Told(title, continued or sheet > 1, sheet)


def without_sheet(title: str, sheets: Sequence[str]) -> tuple[str, int]:
    """Return a title without the number of its sheet, and that number, 0 for none."""
    if not sheets:
        return title, 0
    said = "|".join(re.escape(word) for word in sheets)
    named = rf"\b(?:{said})\s+(\d{{1,2}})\s*(?:/|\w{{1,4}}\s)\s*\d{{1,2}}\b"
    for form in (
        rf"^[(\[]\s*{named}\s*[)\]][\s.:–—-]*",
        rf"^{named}[\s.:–—-]*",
        rf"[\s–—-]*[(\[]\s*{named}\s*[)\]]$",
    ):
        if found := re.search(form, title, flags=re.IGNORECASE):
            return title[: found.start()] + title[found.end() :], int(found[1])
    return title, 0


def _without_continued(title: str, said: Sequence[str]) -> tuple[str, bool]:
    """Return the title without a word that says it goes on, and whether there was one."""
    if not said:
        return title, False
    words = "|".join(re.escape(word) for word in said)
    for form in (
        rf"[\s–—-]*[(\[]?\s*\b(?:{words})\s*[)\]]?\s*\.?$",
        rf"(?:[\s–—-]*[(\[]|(?:^|\s)[–—-])\s*(?:{words}){_MORE}\s*[)\]]?\s*\.?$",
        rf"^[(\[]\s*(?:{words}){_MORE}\s*[)\]][\s:–—-]*",
        rf"^(?:{words})\b{_MORE}\.?$",
        rf"^(?-i:{words})\s+(?=\S)",  # "TABLE 1607.1-continued LIVE LOADS"
    ):
        cut = re.sub(form, "", title, flags=re.IGNORECASE)
        if cut != title:
            break
    return cut, cut != title
