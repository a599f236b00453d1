"""The title that a text prints beside a designation, and whether it is the title of the document.

Rules of this module: pure. A title stands right behind: in quotation marks, in brackets, or behind a
colon, comma or dash, or before a year in brackets, and begins with a capital; a sentence is none. A
shortened title is the title. A year right behind it is that of the edition.
What is not surely a title is none: a wrong alarm costs more trust than a slip that is not seen.
"""

from __future__ import annotations

import re
from functools import cache

from rapidfuzz import fuzz, utils

from appliance.citing.languages import names_part
from appliance.shipped import shipped

SAME = 75.0  # likeness (0-100) of a title to the loaded one
LONGEST = 110  # characters of a title
WORDS = 14
_QUOTED = re.compile(r"[\s,:;(–—-]{0,4}[\"“‘«'](?P<title>[A-Z][^\"”’»'\n]{3,110})[\"”’»']")
_BRACKETED = re.compile(r"\s?\((?P<title>[A-Z][^()\n]{3,110})\)")
_BEHIND = re.compile(r"(?:\s?[:,]|\s[–—-])\s+(?P<title>[A-Z][^.;:()\"“”\n]{3,140})")
_DATED = re.compile(r"\s+(?P<title>[A-Z][^.;:,()\"“”\n]{3,110}?)(?=\s[(\[](?:19|20)\d\d(?: edition)?[)\]])")
_YEAR = re.compile(
    r"[\"”’»')]{0,2}(?:,?\s[(\[](?P<year>(?:19|20)\d\d)(?: edition)?[)\]]|,\s(?P<bare>(?:19|20)\d\d)"
    r"(?: edition)?(?=[.;,)]?(?:\s|$)(?!\s?[^\W\d]{1,3}\b)))"
)


def title_behind(text: str, end: int, *, loose: bool = True) -> str:
    """Return the title printed behind a citation that ends there, "" where none surely is.

    `loose` also takes one behind a mere colon, comma or dash, or before a year, as a document has it.
    """
    for pattern in (_QUOTED, _BRACKETED, _BEHIND, _DATED) if loose else (_QUOTED, _BRACKETED):
        match = pattern.match(text, end)
        if match:
            title = match["title"] if pattern is not _BEHIND else _end().split(match["title"], maxsplit=1)[0]
            return title.strip() if _is_title(title.strip()) else ""
    return ""


def year_behind(text: str, end: int, title: str) -> str:
    """Return the year behind a citation that ends there, or behind its title; "" for none.

    Without a title only one in brackets is surely the year of the edition.
    """
    at = text.find(title, end) + len(title)
    found = _YEAR.match(text, at) if at >= end else None
    return (found["year"] or (found["bare"] if title else "") or "") if found else ""


def same_title(printed: str, *titles: str) -> bool:
    """Tell whether a printed title is one of these, shortened or with more words before or behind."""
    known = [title for title in titles if title.strip()]
    return not known or any(_likeness(printed, title) >= SAME for title in known)


def _likeness(printed: str, title: str) -> float:
    return max(
        fuzz.token_set_ratio(printed, title, processor=utils.default_process),
        fuzz.ratio(printed, title, processor=utils.default_process),
    )


def _is_title(text: str) -> bool:
    words = re.findall(r"[^\W\d_][\w’'-]*", text)
    if not words or len(words) > WORDS or len(text) > LONGEST:
        return False
    known = _words()
    spoken = {word.casefold() for word in words}
    letters = sum(len(word) for word in words)
    return (
        words[0].casefold() not in known["openers"]
        and not names_part(words[0])
        and not spoken & known["sentence"]
        and not any(word.isupper() and len(word) <= 4 for word in words[:1])
        and letters > len(text) / 2
    )


@cache
def _words() -> dict[str, frozenset[str]]:
    data = shipped("citing/words")
    return {name: frozenset(words) for name, words in data.items()}


@cache
def _end() -> re.Pattern[str]:
    """Return what ends a title behind a colon or comma: the next designation, a comma, a dash."""
    joining = "|".join(map(re.escape, shipped("citing/words")["joining"]))
    return re.compile(rf"\s+(?:{joining})\s+[A-Z]{{2,}}[\s\d]|,\s|\s[–—-]\s(?=[a-z])")
