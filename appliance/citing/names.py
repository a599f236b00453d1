"""How specifications name documents, and the titles that they print beside designations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rapidfuzz import fuzz, utils

from appliance.citing.sentence_of_reference import names_part
from appliance.core.files import data_folder, shipped
from appliance.text.designations import ANNEX, fold_designation, load_designation_words

_YEAR = re.compile(
    r"(?<=\w)(?:[\s,:(\[]+|(?<=[^\W\d])\s?[-–—]\s?)((?:19|20)\d\d)(?:\s+edition)?[)\]]?$", re.IGNORECASE
)
_EDITION = (  # behind a name; with a blank before it, it may as well count something ("1998 mm")
    r"(?:(?::|(?<=[^\W\d])[-–—])(?:19|20)\d\d(?: edition)?(?!\w|[.,:]\d)"
    r"|(?:\s?[:,–—]?\s?[(\[]|\s?[:,–—]\s|\s)(?:19|20)\d\d(?: edition)?[)\]]?(?!\w|[.,:]\d|{units}))?"
)


class Names:
    """What the documents of every family are called, as patterns, and what tells that a family is named."""

    def __init__(self, issued: Mapping[str, Sequence[str]]) -> None:
        # A European or international standard behind the letters of a national body.
        national = (
            rf"(?:{'|'.join(map(re.escape, issued['national']))})\s(?:pr)?(?:EN|ISO|IEC)"
            r"(?:[\s/](?:ISO|IEC|TS|TR))*\s?\d{2,5}(?:[-–]\d{1,3}){0,3}(?!\w)"
        )
        bodies: list[str] = []
        patterns: list[str] = []
        self._families: list[tuple[str, re.Pattern[str]]] = []
        self.parted: list[tuple[re.Pattern[str], str, str]] = []
        for path in sorted((data_folder() / "references").glob("*.toml")):
            given: dict[str, Any] = shipped(f"references/{path.stem}").get("designations", {})
            own = [*given.get("short", ()), *given.get("patterns", ())]
            if path.stem != "common" and own:
                pattern = rf"(?<![\w-])(?:{'|'.join(own)})".replace(" ", r"\s+")
                self._families.append((path.stem, re.compile(pattern)))
            for row in given.get("parted", ()):
                self.parted.append((re.compile(row["name"]), row["document"], row["part"]))
            bodies += given.get("bodies", ())
            patterns += own
        self.bodies = tuple(dict.fromkeys(bodies))
        self.patterns = tuple(dict.fromkeys(map(with_edition, (*issued["patterns"], *patterns, national))))

    def named(self, text: str) -> tuple[str, ...]:
        """Return the families of which the text names a document by a name that is theirs."""
        return tuple(family for family, pattern in self._families if pattern.search(text))


@cache
def every_name() -> Names:
    """Return the names of all families."""
    return Names(shipped("citing/bodies"))


def with_edition(pattern: str) -> str:
    """Return the pattern of a name with the year that may stand behind it."""
    units = "|".join(map(re.escape, shipped("references/common")["bare"]["units"]))
    return f"(?:{pattern}){_EDITION.replace('{units}', rf'{chr(92)}s?(?:{units})(?!{chr(92)}w)')}"


def document_and_part(designation: str) -> tuple[str, str]:
    """Return a name with a part in it as both: "Approved Document H3" is ("Approved Document H", "H3")."""
    for pattern, document, part in every_name().parted:
        match = pattern.fullmatch(" ".join(designation.split()))
        if match:
            return match.expand(document), match.expand(part)
    return "", ""


def dated(designation: str) -> str:
    """Return a designation with the year behind it as its edition: "Part L, 2021" is "Part L:2021"."""
    return _YEAR.sub(r":\1", designation)


def annex_of(designation: str) -> tuple[str, str]:
    """Return a code without its edition, and what its national annex is called, "" for an annex."""
    code = dated(designation).partition(":")[0]
    annexes, annexed = (load_designation_words(key)[0] for key in ("annexes", "annexed"))
    return code, "" if fold_designation(code).key.startswith(ANNEX) else f"{annexes} {annexed} {code}"


@cache
def annex_place() -> re.Pattern[str]:
    """Return what the number of a place of a national annex begins with: "NA.2.7"."""
    opening = "|".join(map(re.escape, shipped("retrieval/editions")["annexed"]))
    return re.compile(rf"(?:{opening})[.\d]", re.IGNORECASE)


SAME = 75.0  # likeness (0-100) of a title to the loaded one
LONGEST = 110  # characters of a title
WORDS = 14
_QUOTED = re.compile(r"[\s,:;(–—-]{0,4}[\"“‘«'](?P<title>[A-Z][^\"”’»'\n]{3,110})[\"”’»']")
_BRACKETED = re.compile(r"\s?\((?P<title>[A-Z][^()\n]{3,110})\)")
_BEHIND = re.compile(r"(?:\s?[:,]|\s[–—-])\s+(?P<title>[A-Z][^.;()\"“”\n]{3,140})")
_DATED = re.compile(r"\s+(?P<title>[A-Z][^.;:,()\"“”\n]{3,110}?)(?=\s[(\[](?:19|20)\d\d(?: edition)?[)\]])")
_TITLES_YEAR = re.compile(
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
    found = _TITLES_YEAR.match(text, at) if at >= end else None
    return (found["year"] or (found["bare"] if title else "") or "") if found else ""


def same_title(printed: str, *titles: str) -> bool:
    """Tell whether a printed title is one of these, shortened or with more words before or behind."""
    known = [title for title in titles if title.strip()]
    begun = printed.rpartition(":")[2].strip().casefold()  # it is cut where its sentence may go on
    return not known or any(
        fuzz.token_set_ratio(printed, title, processor=utils.default_process) >= SAME
        or fuzz.ratio(printed, title, processor=utils.default_process) >= SAME
        or (begun and title.casefold().startswith(begun))
        for title in known
    )


def _is_title(text: str) -> bool:
    words = re.findall(r"[^\W\d_][\w’'-]*", text)
    if not words or len(words) > WORDS or len(text) > LONGEST:
        return False
    known = shipped("citing/words")
    spoken = {word.casefold() for word in words}
    letters = sum(len(word) for word in words)
    return (
        words[0].casefold() not in known["openers"]
        and not names_part(words[0])
        and spoken.isdisjoint(known["sentence"])
        and not any(word.isupper() and len(word) <= 4 for word in words[:1])
        and letters > len(text) / 2
    )


@cache
def _end() -> re.Pattern[str]:
    """Return what ends a title behind a colon or comma: the next designation, a comma, a dash."""
    joining = "|".join(map(re.escape, shipped("citing/words")["joining"]))
    return re.compile(rf"\s+(?:{joining})\s+[A-Z]{{2,}}[\s\d]|,\s|\s[–—-]\s(?=[a-z])")
