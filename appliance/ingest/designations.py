"""Designations of documents in one form: "BS EN 1991-1-3:2003" and "EC1-1-3" name the same code.

Rules of this module: pure; the rewrites of the families are data (`data/references`). A designation
splits into its key and its year, "" where it is undated; amendments are left out of both. What is printed
goes before the name of the file: that counts where no designation is printed or nothing else is called so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

from appliance.document import Document, DocumentStatus
from appliance.ingest.grammar.words import load_designation_words, load_rewrites

_TAKEN_IN = r"\+A(?:\d{1,2}|C\d?)(?::\d{2,4}(?:-\d\d)?)?"  # amendments and corrigenda: "+A1:2014", "+AC"
ANNEX = "NA+"  # before the key of a code: that of its national annex
KEPT = 4_000  # texts whose designations are remembered
_YEAR = re.compile(r":((?:19|20)\d\d)(?:-(?:0[1-9]|1[0-2]))?(?!\d)")  # with the month, as DIN has it


@dataclass(frozen=True, slots=True)
class Designation:
    """What a document is called, folded; `year` is "" where it is undated."""

    key: str
    year: str = ""


class Named(Protocol):
    """What carries the names of a document: one as read, or one as a library lists it."""

    @property
    def id(self) -> str: ...
    @property
    def designation(self) -> str: ...
    @property
    def edition(self) -> str: ...
    @property
    def status(self) -> DocumentStatus: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...


@lru_cache(maxsize=KEPT)
def fold_designation(text: str) -> Designation:
    """Return the one form of a designation, as key and year."""
    upper = re.sub(r"\s+", "", text).upper().replace("–", "-").replace("·", "-").replace("‑", "-")
    upper = re.sub(r"—(?=(?:19|20)\d\d(?!\d))", ":", upper)  # as Australian standards print it
    annex = bool(_annex().match(upper))
    upper = _amendment().sub("", _annex().sub("", upper))
    year = _YEAR.search(upper)
    key = _YEAR.sub("", upper)
    for pattern, replacement in load_rewrites():
        key = pattern.sub(replacement, key)
    return Designation((ANNEX if annex else "") + key, year[1] if year else "")


@cache
def _annex() -> re.Pattern[str]:
    """Return the pattern of what stands before the designation of the code that an annex belongs to."""
    return re.compile(rf"^{_folded('annexes')}(?:{_TAKEN_IN})*{_folded('annexed')}")


@cache
def _amendment() -> re.Pattern[str]:
    return re.compile(rf"{_TAKEN_IN}|{_folded('issues')}\d+.*$")


def _folded(key: str) -> str:
    """Return a pattern for one of the words under that key as a folded designation has them."""
    words = {"".join(word.split()).upper() for word in load_designation_words(key)}
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))})"


def names_of(document: Named) -> tuple[Designation, ...]:
    """Return all designations of a document, each once; an undated alias takes the edition's year."""
    own = fold_designation(document.designation) if document.designation else stem_name(document.id)
    folded = [own, *(fold_designation(alias) for alias in document.aliases if alias)]
    year = next((name.year for name in folded if name.year), "") or _year_in(document.edition)
    return tuple(dict.fromkeys(Designation(name.key, name.year or year) for name in folded))


def stem_name(stem: str) -> Designation:
    """Return the designation that the name of a file is: "na-en1992-1-8" is an annex, never its code."""
    base = _annex_stem().sub("", stem)
    opening = f"{load_designation_words('annexes')[0]} {load_designation_words('annexed')[0]} "
    return fold_designation(base if base == stem else opening + base)


@cache
def _annex_stem() -> re.Pattern[str]:
    """Return the pattern of what opens the name of the file of an annex: "UK-NA_to_"."""
    annexes, annexed = (
        "|".join(sorted(re.escape(word).replace(r"\ ", "[ _-]?") for word in load_designation_words(key)))
        for key in ("annexes", "annexed")
    )
    return re.compile(
        rf"(?:{annexes})[ _+-]+(?:(?:{annexed})[ _-]+)?(?=[^\W\d_]+[ _-]?\d|[^\W\d_]+[ _-])", re.IGNORECASE
    )


def same_document_part(designation: str, document: Document) -> str | None:
    """Return the Part that a designation adds to this document's own ("H1" of "Approved Document H1").

    "" where it names the document as a whole, None where it names another.
    """
    other = fold_designation(designation)
    for name in names_of(document):
        if other.key == name.key and other.year in ("", name.year):
            return ""
        if re.fullmatch(re.escape(name.key) + r"\d", other.key) and name.key[-1].isalpha():
            return name.key[-1] + other.key[-1]
    return None


def _year_in(edition: str) -> str:
    match = re.search(r"(?:19|20)\d\d", edition)
    return match.group() if match else ""
