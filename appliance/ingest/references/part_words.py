"""The words with which codes name their parts, from the reference files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from appliance.core.document import Clause, ReferenceKind
from appliance.ingest.structure.series import kinds as kinds_of_words
from appliance.text.designations import read_words

_WORDED = re.compile(r"(?P<word>[^\W\d_]{2,}\.?) (?:(?P<figures>\d+)|\S*\d\S*|(?P<letter>[A-Z]{1,2}))")
_SIGNED = re.compile(r"(?:§+\s?)?(?P<figures>\d+)")
_CODED = re.compile(r"[A-Z]{1,2}\d{1,3}")
LONGEST_TITLE = 8  # words before the noun of a title, and after it
OWN = "en"  # the language of the common words


@dataclass(frozen=True, slots=True)
class Named:
    """A word that names a kind of part: "tables" stands for "Table", with numbers of these shapes.

    `capital`: only where it is written so; `foreign`: only with the document that the part belongs to;
    `own`: a part of this document, whatever standard the text has named before; `digits`: how many figures
    its numbers without a dot have in this document.
    """

    kind: ReferenceKind
    label: str
    shapes: frozenset[str]
    plural: bool
    capital: bool = False
    foreign: bool = False
    own: bool = False
    digits: int = 0


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a part is when the sentence is silent, or names the owner by one of the names in `same`.

    A part that this document has is its own. `series` reads from a designation in its folded
    form what the part completes to a designation: "Part 1-2" beside "EN 1993" is EN 1993-1-2.
    """

    label: str
    number: re.Pattern[str]
    designation: str
    same: tuple[str, ...]
    series: re.Pattern[str] | None


class Words:
    """All that the grammar knows of one family.

    `digits` is how many figures a part's number without a dot has at most; `code` is the label of parts
    that are named by their codes alone ("K1"), "" where it has none, `formula` that of formulas;
    `groups` are the kinds of item that a label or kind can mean, `grouped` the group of an item by the
    first word of its label. `apart`: every part named behind a document is a mention of its own, also one
    that a finer part stands in. `coded`: "C2D4" names a clause, whatever stands before it.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        bare, designations, joins = data["bare"], data["designations"], data["joins"]
        listed, ranged, articles = joins["list"], joins["range"], _any(joins["articles"])
        joined, code = _any(listed + ranged), r"[A-Z]{0,2}\d{0,2}[a-z]?"
        annexed, national = _any(designations["annexed"]), data["relative"]["national"]
        self.names = _names(data["words"])
        self.code: str = next((row["label"] for row in data["words"] if "code" in row["shapes"]), "")
        self.formula: str = next((row["label"] for row in data["words"] if "formula" in row["shapes"]), "")
        self.groups: dict[str, tuple[str, ...]] = {key: tuple(value) for key, value in data["groups"].items()}
        self.grouped: dict[str, str] = data["grouped"]
        self.joins = re.compile(
            rf"\s*[,;]\s*(?:{_any(listed)}\s+)?|\.?\s+{_any(listed)}\s+|&(?=\d)", re.IGNORECASE
        )
        self.ranges = re.compile(rf"\s*(?:[–—]|(?<=[\d)])-(?=[\d(])|\s{_any(ranged)}(?=\s))\s*")
        self.within = re.compile(
            rf"(?:\s*\([^()]{{3,160}}\))?,?\s+{_any(joins['within'])}\s+(?:{articles}\s+)?(?:(?:19|20)\d\d\s+)?"
        )
        self.cues = _before([*bare["cues"], *bare["sure"]], r"[\s(\[]+")
        self.sure = _before(bare["sure"], r"[\s(\[]+")
        self.weak = _before(bare["weak"], rf"\s+(?:{articles}\s+)?")
        self.placing = _before(bare["placing"], r"\s+")
        self.opening = _before(bare["opening"], r"\s+")
        self.doing = re.compile(rf"\s+{_any(bare['doing'])}(?!\w)")
        self.following = re.compile(rf"\s+{_any(bare['after'])}(?!\w)")
        self.quantities: frozenset[str] = frozenset(bare["quantities"])
        # A list of things with codes, up to the next of its codes: "cases A, B1 and ".
        self.things = re.compile(
            rf"\b{_any(bare['things'])}\s+(?:{code}(?:\s*,\s*(?:{joined}\s+)?|\s+{joined}\s+))*$",
            re.IGNORECASE,
        )
        self.units = re.compile(rf"\s?{_any(bare['units'])}(?![\w])")
        self.columns: frozenset[str] = frozenset(bare["columns"])
        self.foreign = re.compile(rf"(?:^|\W){_any(bare['foreign'])}\s*$", re.IGNORECASE)
        self.relative: dict[str, Any] = data["relative"]
        self.placed = re.compile(rf"\s+{_any(list(data['relative']['after']))}\b")
        self.national = re.compile(  # the national annex, named without its designation
            rf"{_any(national)}(?!\w)(?!\s+{annexed}\s+[A-Z])" if national else r"(?!)"
        )
        self.bodies: tuple[str, ...] = tuple(designations["bodies"])
        self.called = "|".join(re.escape(word) for word in designations["called"])
        self.patterns: tuple[str, ...] = (*designations["patterns"], *designations["quiet"])
        self.quiet = re.compile("|".join(designations["quiet"]) or r"(?!)")
        self.annexes: tuple[str, ...] = tuple(designations["annexes"])
        annexes = "|".join(re.escape(name) for name in self.annexes).replace(r"\ ", r"\s+")
        self.annex = rf"(?:(?:{annexes})\s+{annexed}\s+)?"  # before the designation of its code
        self.issue = rf"(?:\s+{_any(designations['issues'])} \d{{1,2}}(?::\d{{4}})?)?"
        self.told = re.compile(rf"\b{_any(designations['told'])}\b", re.IGNORECASE)
        self.volumes: str = designations["volumes"]
        self.digits: int = data["numbers"]["digits"]
        self.instruments: dict[str, tuple[str, ...]] = {
            key: tuple(value) for key, value in data["instruments"].items()
        }
        self.owners = tuple(
            Owner(
                row["label"],
                re.compile(row["number"]),
                row["designation"],
                tuple(row.get("same", ())),
                re.compile(row["series"]) if "series" in row else None,
            )
            for row in data["owners"]
        )
        self.definitions: dict[str, tuple[str, ...]] = {
            key: tuple(value) for key, value in data["definitions"].items()
        }
        self.legend = re.compile(rf"{_any(data['formulas']['legend'])}\b\s*:?", re.IGNORECASE)
        self.means: frozenset[str] = frozenset(data["formulas"]["means"])
        # The sheets of a table behind its number: "(sheet 2 of 3)", ", sheets 1 and 2".
        self.sheets = re.compile(
            rf"[\s,]*[(\[]?\s*{_any(data['numbers']['sheets'])}\s+(?P<first>\d{{1,2}})"
            rf"(?:\s*(?P<join>{_any([*listed, *ranged, ','])})\s*(?P<last>\d{{1,2}})(?!\.?\d))?"
            r"(?:\s*(?:/|[^\W\d]+)\s*\d{1,2})?(?:\s*[)\]])?",
            re.IGNORECASE,
        )
        self.coded: bool = data["numbers"]["coded"]
        self.laws = re.compile(rf"(?:{'|'.join(self.instruments['nouns'])})\b")
        self.titles = _titles(self.instruments)
        self.works = _works(self.instruments)
        self.phrases = _phrases(self.relative)
        self.apart = False


@lru_cache(4_096)
def fold_word(word: str) -> str:
    """Return a word as a poor text layer might have read it: "Tabie", "TabIe" and "Table" are one."""
    return word.casefold().replace("rn", "m").translate(str.maketrans("i1|05", "lllos"))


@cache
def load_words(family: str, language: str = OWN) -> Words:
    """Return the words of a family in a language; unknown families and languages get the common ones."""
    own, words = read_words(family), read_words("common")
    for code in dict.fromkeys((language, *own.get("languages", ()))):
        words = _laid(words, read_words(f"languages/{code}"))
    return Words(_laid(words, own))


def with_own(words: Words, clauses: Iterable[Clause]) -> Words:
    """Return the words with those that the labels of a document print: its "Article 5" is of no law."""
    names = dict(words.names)
    kinds = {str(clause.label): clause.kind for clause in clauses}
    for label in filter(None, map(_WORDED.fullmatch, kinds)):
        form = fold_word(label["word"])
        kind: ReferenceKind = "annex" if label["letter"] or kinds[label[0]] == "annex" else "clause"
        usual = names.get(form, Named(kind, label["word"], frozenset(), plural=False))
        shape = "letter" if label["letter"] else "number"
        digits = max(usual.digits, len(label["figures"] or ""))
        names[form] = replace(usual, foreign=False, shapes=usual.shapes | {shape}, digits=digits)
        names.setdefault(form + "s", replace(names[form], plural=True))  # "Schedules A and B"
    if any(map(_CODED.fullmatch, kinds)):  # "Requirement R1"
        works = {*words.instruments["works"], *words.instruments["nouns"]}  # "Standard A100" is one of those
        spoken = (word for word, kind in kinds_of_words().items() if kind == "clause" and word.isalpha())
        for word in (word for word in spoken if word.capitalize() not in works):
            named = Named("clause", word.capitalize(), frozenset({"number"}), plural=False)
            names.setdefault(fold_word(word), named)
            names.setdefault(fold_word(word + "s"), replace(named, plural=True))
    signed = [len(label["figures"]) for label in filter(None, map(_SIGNED.fullmatch, kinds))]
    for form, named in names.items():  # "Section 130" is a part of a document that has "§ 130"
        if named.kind == "clause" and max(signed, default=0) > named.digits:
            names[form] = replace(named, digits=max(signed))
    own = copy(words)
    own.names = names
    return own


def has_words(language: str) -> bool:
    """Tell whether the words of this language are known."""
    return language == OWN or bool(read_words(f"languages/{language}"))


def _laid(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return the two tables as one: tables merged, lists joined, values of `over` winning."""
    result = dict(base)
    for key, value in over.items():
        if isinstance(value, dict):
            result[key] = _laid(base.get(key, {}), value)
        elif isinstance(value, list):
            result[key] = [*base.get(key, []), *value]
        else:
            result[key] = value
    return result


def _names(rows: list[dict[str, Any]]) -> dict[str, Named]:
    names: dict[str, Named] = {}
    for row in rows:
        for forms, plural in ((row["forms"], False), (row.get("plurals", ()), True)):
            for form in map(fold_word, forms):
                shapes = frozenset(row["shapes"]) | (names[form].shapes if form in names else frozenset())
                marks = {mark: row[mark] for mark in ("capital", "foreign", "own") if mark in row}
                names[form] = Named(row["kind"], row["label"], shapes, plural, **marks)
    return names


def _titles(instruments: dict[str, tuple[str, ...]]) -> re.Pattern[str]:
    """Return the pattern of the title of a law."""
    nouns, small = ("|".join(instruments[key]) for key in ("nouns", "connectors"))
    word = r"(?:[A-Z][A-Za-z’'-]*,?|\([A-Z(][^()]{1,60}\))"
    title = rf"(?P<title>{word}(?:(?:\s+(?:{small})){{0,2}}\s+{word}){{0,12}}?)\s+(?P<noun>{nouns})\b"
    number = rf"(?:\s+\((?:{'|'.join(map(re.escape, instruments['series']))}|\d)[^()]{{3,40}}\))?"
    year = rf"(?:\s+\d{{2,4}}/\d{{1,5}}/[A-Z]{{2,4}})?(?:\s+(?:19|20)\d\d(?!\d))?{number}"
    numbered = (  # "Directive 2015/1535/EU", "Regulation (EU) No 305/2011"
        rf"(?P<law>{nouns})\s+(?:\([A-Z]{{2,5}}\)\s+)?(?:[Nn]o\.?\s+)?"
        r"\d{1,4}/\d{1,4}(?:/[A-Z]{2,4})?(?![\w/])"
    )
    return re.compile(rf"(?<![\w-])(?:{title}(?P<year>{year})|{numbered})")


def _works(instruments: dict[str, tuple[str, ...]]) -> re.Pattern[str]:
    """Return the pattern of a title: capitalised words, its noun, what it is of, its letter or year."""
    word, small = r"[A-Z][\w’'&-]*", "|".join(re.escape(joint) for joint in instruments["joints"])
    before = rf"(?:{word}\s+(?:(?:{small})\s+){{0,2}}){{0,{LONGEST_TITLE}}}?"
    after = rf"(?:\s+(?:(?:{small})\s+){{1,2}}{word}(?:\s+{word}){{0,{LONGEST_TITLE}}}){{0,4}}"
    return re.compile(
        rf"(?<![\w-]){before}(?P<noun>{'|'.join(instruments['works'])})\b(?:{after})"
        r"(?:\s+(?:[A-Z]|\d|(?:19|20)\d\d)(?![\w.(-]))?"
    )


def _phrases(relative: dict[str, Any]) -> re.Pattern[str]:
    """Return the pattern of a place told from here: "this clause", "the table above"."""
    ways = (f"(?P<{way}>{'|'.join(relative[way])})" for way in ("this", "next", "previous"))
    before, noun, places = (
        "|".join(ways).replace(" ", r"\s+"),
        "|".join(relative["named"]),
        "|".join(relative["after"]),
    )
    return re.compile(
        rf"(?<!\w)(?:(?:{before})\s+(?P<noun>{noun})\b(?!\s+[A-Z]?\.?\d)"
        rf"|(?P<placed>{noun})\s+(?P<place>{places})\b)",
        re.IGNORECASE,
    )


def _before(words: list[str], gap: str) -> re.Pattern[str]:
    """Return the pattern of one of the words at the end of a text, with what may stand behind it."""
    return re.compile(rf"(?:^|[\s(\[]){_any(words)}{gap}$", re.IGNORECASE)


def _any(words: list[str]) -> str:
    """Return a pattern for one of the words, the longest first, spaces of any kind between."""
    longest = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest) + ")"
