"""Designations of documents in one form, and the words for editions, annexes and amendments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Protocol

from appliance.core.document import Document, DocumentStatus
from appliance.core.files import data_folder, shipped


@cache
def load_designation_words(key: str) -> tuple[str, ...]:
    """Return the words of designations under that key ("annexes") of all families and languages."""
    folder = data_folder() / "references" / "languages"
    languages = sorted(f"languages/{path.stem}" for path in folder.glob("*.toml"))
    tables = (read_words(name).get("designations", {}) for name in (*_families(), *languages))
    return tuple(dict.fromkeys(word for table in tables for word in table.get(key, ())))


def _families() -> list[str]:
    """Return the names of the families with words of their own, the common ones first."""
    names = (path.stem for path in (data_folder() / "references").glob("*.toml"))
    return sorted(names, key=lambda name: (name != "common", name))


def read_words(name: str) -> dict[str, Any]:
    """Return the file of that name in `data/references`; nothing for a name without one."""
    there = (data_folder() / "references" / f"{name}.toml").is_file()
    return shipped(f"references/{name}") if there else {}


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
    forms = _forms()
    annex = bool(forms.annex.match(upper))
    upper = forms.amendment.sub("", forms.annex.sub("", upper))
    year = _YEAR.search(upper)
    key = _YEAR.sub("", upper)
    for pattern, replacement in forms.rewrites:
        key = pattern.sub(replacement, key)
    return Designation((ANNEX if annex else "") + key, year[1] if year else "")


def amendments(*texts: str) -> frozenset[str]:
    """Return the amendments and corrigenda that designations and editions take in, by their names or years.

    "A1" of "EN 1991-1-3:2003+A1:2015", "2016" of "2015 edition with 2016 amendments".
    """
    found = (match for text in texts for match in re.findall(_TAKEN_IN, re.sub(r"\s+", "", text).upper()))
    told = (match.group() for text in texts for form in _amended() for match in form.finditer(text))
    years = (year for said in told for year in re.findall(r"\d{4}", said))
    return frozenset((*(match[1:].partition(":")[0] for match in found), *years))


def amendments_behind(text: str, end: int) -> frozenset[str]:
    """Return the years of the amendments that are named right behind a designation that ends there."""
    begin = len(text) - len(text[end:].lstrip(" ,;:([–—-"))
    matches = (form.match(text, begin) for form in _amended())
    return frozenset(year for match in matches if match for year in re.findall(r"\d{4}", match.group()))


@cache
def _amended() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form) for form in shipped("editions")["amended"])


class _Forms:
    """What stands in the designations of all families, folded, and in the names of files."""

    def __init__(self) -> None:
        words = {key: load_designation_words(key) for key in ("annexes", "annexed", "issues")}
        folded = {key: _any_of("".join(word.split()).upper() for word in each) for key, each in words.items()}
        # Of the common ones first, else in the order of the names of the files.
        tables = [read_words(name).get("designations", {}) for name in _families()]
        self.rewrites = [(re.compile(old), new) for table in tables for old, new in table.get("rewrites", ())]
        # Before the designation of the code that an annex belongs to.
        self.annex = re.compile(rf"^{folded['annexes']}(?:{_TAKEN_IN})*{folded['annexed']}")
        self.amendment = re.compile(rf"{_TAKEN_IN}|{folded['issues']}\d+.*$")
        # Before the name of the file of an annex: "UK-NA_to_".
        annexes, annexed = (_any_of(words[key]).replace(r"\ ", "[ _-]?") for key in ("annexes", "annexed"))
        self.annex_stem = re.compile(
            rf"{annexes}[ _+-]+(?:{annexed}[ _-]+)?(?=[^\W\d_]+[ _-]?\d|[^\W\d_]+[ _-])", re.IGNORECASE
        )


@cache
def _forms() -> _Forms:
    return _Forms()


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(set(words), key=lambda word: (-len(word), word))))})"


def names_of(document: Named) -> tuple[Designation, ...]:
    """Return all designations of a document, each once; an undated alias takes the edition's year."""
    own = fold_designation(document.designation) if document.designation else stem_name(document.id)
    folded = [own, *(fold_designation(alias) for alias in document.aliases if alias)]
    dated = re.search(r"(?:19|20)\d\d", document.edition)
    year = next((name.year for name in folded if name.year), dated.group() if dated else "")
    return tuple(dict.fromkeys(Designation(name.key, name.year or year) for name in folded))


def stem_name(stem: str) -> Designation:
    """Return the designation that the name of a file is: "na-en1992-1-8" is an annex, never its code."""
    base = _forms().annex_stem.sub("", stem)
    opening = f"{load_designation_words('annexes')[0]} {load_designation_words('annexed')[0]} "
    return fold_designation(base if base == stem else opening + base)


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


Patterns = tuple[re.Pattern[str], ...]


class EditionWords:
    """All patterns of the file of editions, by what they tell."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        annex, amendment, replacing = data["annex"], data["amendment"], data["replacing"]
        table, deciding, numbers = data["table"], data["deciding"], data["numbers"]
        self.incorporating = _all(data["incorporating"])
        self.annexes = _all(annex["designations"])
        self.choosing = _all(annex["headings"])  # names of places of an annex that say on what they decide
        self.amendments = _all(amendment["designations"])
        self.amending = _all(amendment["headings"])
        self.forward = _all(text.replace("<name>", replacing["name"]) for text in replacing["forward"])
        self.backward = _all(text.replace("<name>", replacing["name"]) for text in replacing["backward"])
        self.other = _all(replacing["other"])
        self.places = _all(table["places"])
        self.decisions = _all(table["decisions"])
        self.replacing = _all(deciding["replacing"])
        self.deciding = _all([*deciding["replacing"], *deciding["patterns"]])
        self.citing = _all(deciding["citing"])
        self.adopting = _all(deciding["adopting"])
        self.excepting = _all(deciding["excepting"])
        self.named = re.compile(numbers["named"])
        self.bare = re.compile(numbers["bare"])
        self.more = re.compile(numbers["more"])
        self.own = re.compile(annex["own"])  # a number that an annex gives its own places
        self.kinds: Mapping[str, str] = numbers["kinds"]


@cache
def load_edition_words() -> EditionWords:
    """Return the shipped patterns."""
    return EditionWords(shipped("editions"))


@dataclass(frozen=True, slots=True)
class Belonging:
    """What a document is to another: "national annex" or "amendment", and the other as named."""

    what: str
    parent: str


def belonging(document: Named) -> Belonging | None:
    """Return to what a document belongs by one of its names, None where it stands alone."""
    words = load_edition_words()
    for name in (*document.aliases, document.designation):  # what a person says is an alias
        for what, patterns in (("national annex", words.annexes), ("amendment", words.amendments)):
            for pattern in patterns:
                if match := pattern.search(" ".join(name.split())):
                    return Belonging(what, match["parent"])
    return None


def found(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    """Tell whether any of the patterns occurs in the text."""
    return any(pattern.search(text) for pattern in patterns)


def with_amendments(edition: str, texts: Iterable[str]) -> str:
    """Return an edition with the corrigenda and amendments that the first pages say it takes in.

    Only a line of its own says so: a sentence may speak of another edition. What the edition itself names
    already ("2013 edition incorporating 2018 amendments") is not said twice.
    """
    if found(load_edition_words().incorporating, edition):
        return edition
    said = [
        " ".join(match.group().split()).rstrip(" ,;")
        for text in texts
        for pattern in load_edition_words().incorporating
        if (match := pattern.fullmatch(text.strip())) and re.search(r"\d", text)
    ]
    longest = max(said, key=len, default="")
    if longest[1:2].islower():
        longest = longest[0].lower() + longest[1:]
    return f"{edition}, {longest}" if said else edition


def _all(patterns: Iterable[str]) -> Patterns:
    return tuple(re.compile(pattern) for pattern in patterns)
