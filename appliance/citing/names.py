"""How specifications name documents, those that are not loaded among them, and short: "ADK", "Part L 2021".

Rules of this module: the names are words of the families (`data/references`, `[designations]`): `bodies` and
`patterns` as the documents print them, `short` as only other people write them;
`parted` are names that hold a part of a document with it. What bodies issue under a number of their own
("SCI P354"), and the letters of national bodies, are in `data/citing/bodies.toml`. A year behind a name is
its edition; "AD K: 1.3" has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from appliance.ingest.designations import ANNEX, fold_designation
from appliance.ingest.grammar.words import load_designation_words
from appliance.paths import data_folder
from appliance.shipped import shipped

_YEAR = re.compile(
    r"(?<=\w)(?:[\s,:(\[]+|(?<=[^\W\d])\s?[-–—]\s?)((?:19|20)\d\d)(?:\s+edition)?[)\]]?$", re.IGNORECASE
)
_EDITION = (  # behind a name; with a blank before it, it may as well count something ("1998 mm")
    r"(?:(?::|(?<=[^\W\d])[-–—])(?:19|20)\d\d(?: edition)?(?!\w|[.,:]\d)"
    r"|(?:\s?[:,–—]?\s?[(\[]|\s?[:,–—]\s|\s)(?:19|20)\d\d(?: edition)?[)\]]?(?!\w|[.,:]\d|{units}))?"
)


@dataclass(frozen=True, slots=True)
class Names:
    """What the documents of every family are called, as patterns, and what tells that a family is named."""

    bodies: tuple[str, ...]
    patterns: tuple[str, ...]
    families: tuple[tuple[str, re.Pattern[str]], ...]
    parted: tuple[tuple[re.Pattern[str], str, str], ...] = ()

    def named(self, text: str) -> tuple[str, ...]:
        """Return the families of which the text names a document by a name that is theirs."""
        return tuple(family for family, pattern in self.families if pattern.search(text))


@cache
def every_name() -> Names:
    """Return the names of all families."""
    known: dict[str, list[str]] = shipped("citing/bodies")
    bodies: list[str] = []
    patterns: list[str] = []
    families = []
    issued = known["patterns"]
    parted: list[tuple[re.Pattern[str], str, str]] = []
    for path in sorted((data_folder() / "references").glob("*.toml")):
        given: dict[str, Any] = shipped(f"references/{path.stem}").get("designations", {})
        own = [*given.get("short", ()), *given.get("patterns", ())]
        if path.stem != "common" and own:
            pattern = rf"(?<![\w-])(?:{'|'.join(own)})".replace(" ", r"\s+")
            families.append((path.stem, re.compile(pattern)))
        parted += [(re.compile(row["name"]), row["document"], row["part"]) for row in given.get("parted", ())]
        bodies += given.get("bodies", ())
        patterns += own
    every = dict.fromkeys(
        with_edition(pattern) for pattern in (*issued, *patterns, _national(known["national"]))
    )
    return Names(tuple(dict.fromkeys(bodies)), tuple(every), tuple(families), tuple(parted))


def _national(letters: Sequence[str]) -> str:
    """Return the pattern of a European or international standard behind the letters of a national body."""
    body = rf"(?:{'|'.join(map(re.escape, letters))})\s(?:pr)?(?:EN|ISO|IEC)(?:[\s/](?:ISO|IEC|TS|TR))*"
    return rf"{body}\s?\d{{2,5}}(?:[-–]\d{{1,3}}){{0,3}}(?!\w)"


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
