"""The words with which codes name their parts, from the reference files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from appliance.core.document import ReferenceKind
from appliance.text.designations import read_words

_WORDED = re.compile(r"(?P<word>[^\W\d_]{2,}\.?) (?:(?P<figures>\d+)|\S*\d\S*|(?P<letter>[A-Z]{1,2}))")
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


@dataclass(frozen=True, slots=True)
class Words:
    """All that the grammar knows of one family.

    `digits` is how many figures a part's number without a dot has at most; `code` is the label of parts
    that are named by their codes alone ("K1"), "" where it has none, `formula` that of formulas;
    `groups` are the kinds of item that a label or kind can mean, `grouped` the group of an item by the
    first word of its label. `apart`: every part named behind a document is a mention of its own, also one
    that a finer part stands in.
    `coded`: "C2D4" names a clause, whatever stands before it.
    """

    names: dict[str, Named]
    code: str
    formula: str
    groups: dict[str, tuple[str, ...]]
    grouped: dict[str, str]
    joins: re.Pattern[str]
    ranges: re.Pattern[str]
    within: re.Pattern[str]
    cues: re.Pattern[str]
    sure: re.Pattern[str]
    weak: re.Pattern[str]
    placing: re.Pattern[str]
    opening: re.Pattern[str]
    doing: re.Pattern[str]
    following: re.Pattern[str]
    quantities: frozenset[str]
    things: re.Pattern[str]
    units: re.Pattern[str]
    columns: frozenset[str]
    foreign: re.Pattern[str]
    relative: dict[str, Any]
    placed: re.Pattern[str]
    national: re.Pattern[str]
    bodies: tuple[str, ...]
    patterns: tuple[str, ...]
    called: tuple[str, ...]
    quiet: re.Pattern[str]
    annexes: tuple[str, ...]
    annexed: str
    issues: str
    told: re.Pattern[str]
    volumes: str
    digits: int
    instruments: dict[str, tuple[str, ...]]
    owners: tuple[Owner, ...]
    definitions: dict[str, tuple[str, ...]]
    legend: re.Pattern[str]
    means: frozenset[str]
    sheets: re.Pattern[str]
    apart: bool = False
    coded: bool = False


def fold_word(word: str) -> str:
    """Return a word as a poor text layer might have read it: "Tabie", "TabIe" and "Table" are one."""
    return word.casefold().replace("rn", "m").translate(str.maketrans("i1|05", "lllos"))


@cache
def load_words(family: str, language: str = OWN) -> Words:
    """Return the words of a family in a language; unknown families and languages get the common ones."""
    own, words = read_words(family), read_words("common")
    for code in dict.fromkeys((language, *own.get("languages", ()))):
        words = _laid(words, read_words(f"languages/{code}"))
    return _compile(_laid(words, own))


def with_own(words: Words, labels: Iterable[str]) -> Words:
    """Return the words with those that the labels of a document print: its "Article 5" is of no law."""
    names = dict(words.names)
    for label in filter(None, map(_WORDED.fullmatch, labels)):
        form = fold_word(label["word"])
        usual = names.get(
            form, Named("annex" if label["letter"] else "clause", label["word"], frozenset(), plural=False)
        )
        shape = "letter" if label["letter"] else "number"
        digits = max(usual.digits, len(label["figures"] or ""))
        names[form] = replace(usual, foreign=False, shapes=usual.shapes | {shape}, digits=digits)
    return replace(words, names=names)


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


def _compile(data: dict[str, Any]) -> Words:
    bare, designations, joins = data["bare"], data["designations"], data["joins"]
    listed, ranged, articles = joins["list"], joins["range"], _any(joins["articles"])
    joined, code = _any(listed + ranged), r"[A-Z]{0,2}\d{0,2}[a-z]?"
    annexed, national = _any(designations["annexed"]), data["relative"]["national"]
    return Words(
        names=_names(data["words"]),
        code=next((row["label"] for row in data["words"] if "code" in row["shapes"]), ""),
        formula=next((row["label"] for row in data["words"] if "formula" in row["shapes"]), ""),
        groups={key: tuple(value) for key, value in data["groups"].items()},
        grouped=data["grouped"],
        joins=re.compile(rf"\s*[,;]\s*(?:{_any(listed)}\s+)?|\.?\s+{_any(listed)}\s+", re.IGNORECASE),
        ranges=re.compile(rf"\s*(?:[–—]|(?<=[\d)])-(?=[\d(])|\s{_any(ranged)}(?=\s))\s*"),
        within=re.compile(
            rf"(?:\s*\([^()]{{3,160}}\))?,?\s+{_any(joins['within'])}\s+(?:{articles}\s+)?(?:(?:19|20)\d\d\s+)?"
        ),
        cues=_before([*bare["cues"], *bare["sure"]], r"[\s(\[]+"),
        sure=_before(bare["sure"], r"[\s(\[]+"),
        weak=_before(bare["weak"], rf"\s+(?:{articles}\s+)?"),
        placing=_before(bare["placing"], r"\s+"),
        opening=_before(bare["opening"], r"\s+"),
        doing=re.compile(rf"\s+{_any(bare['doing'])}(?!\w)"),
        following=re.compile(rf"\s+{_any(bare['after'])}(?!\w)"),
        quantities=frozenset(bare["quantities"]),
        # A list of things with codes, up to the next of its codes: "cases A, B1 and ".
        things=re.compile(
            rf"\b{_any(bare['things'])}\s+(?:{code}(?:\s*,\s*(?:{joined}\s+)?|\s+{joined}\s+))*$",
            re.IGNORECASE,
        ),
        units=re.compile(rf"\s?{_any(bare['units'])}(?![\w])"),
        columns=frozenset(bare["columns"]),
        foreign=re.compile(rf"(?:^|\W){_any(bare['foreign'])}\s*$", re.IGNORECASE),
        relative=data["relative"],
        placed=re.compile(rf"\s+{_any(list(data['relative']['after']))}\b"),
        national=re.compile(  # the national annex, named without its designation
            rf"{_any(national)}(?!\w)(?!\s+{annexed}\s+[A-Z])" if national else r"(?!)"
        ),
        bodies=tuple(designations["bodies"]),
        called=tuple(designations["called"]),
        patterns=(*designations["patterns"], *designations["quiet"]),
        quiet=re.compile("|".join(designations["quiet"]) or r"(?!)"),
        annexes=tuple(designations["annexes"]),
        annexed=annexed,
        issues=_any(designations["issues"]),
        told=re.compile(rf"\b{_any(designations['told'])}\b", re.IGNORECASE),
        volumes=designations["volumes"],
        digits=data["numbers"]["digits"],
        instruments={key: tuple(value) for key, value in data["instruments"].items()},
        owners=tuple(
            Owner(
                row["label"],
                re.compile(row["number"]),
                row["designation"],
                tuple(row.get("same", ())),
                re.compile(row["series"]) if "series" in row else None,
            )
            for row in data["owners"]
        ),
        definitions={key: tuple(value) for key, value in data["definitions"].items()},
        legend=re.compile(rf"{_any(data['formulas']['legend'])}\b\s*:?", re.IGNORECASE),
        means=frozenset(data["formulas"]["means"]),
        # The sheets of a table behind its number: "(sheet 2 of 3)", ", sheets 1 and 2".
        sheets=re.compile(
            rf"[\s,]*[(\[]?\s*{_any(data['numbers']['sheets'])}\s+(?P<first>\d{{1,2}})"
            rf"(?:\s*(?P<join>{_any([*listed, *ranged, ','])})\s*(?P<last>\d{{1,2}})(?!\.?\d))?"
            r"(?:\s*(?:/|[^\W\d]+)\s*\d{1,2})?(?:\s*[)\]])?",
            re.IGNORECASE,
        ),
        coded=data["numbers"]["coded"],
    )


def _names(rows: list[dict[str, Any]]) -> dict[str, Named]:
    names: dict[str, Named] = {}
    for row in rows:
        for forms, plural in ((row["forms"], False), (row.get("plurals", ()), True)):
            for form in map(fold_word, forms):
                shapes = frozenset(row["shapes"]) | (names[form].shapes if form in names else frozenset())
                names[form] = Named(
                    row["kind"],
                    row["label"],
                    shapes,
                    plural,
                    row.get("capital", False),
                    row.get("foreign", False),
                    row.get("own", False),
                )
    return names


def _before(words: list[str], gap: str) -> re.Pattern[str]:
    """Return the pattern of one of the words at the end of a text, with what may stand behind it."""
    return re.compile(rf"(?:^|[\s(\[]){_any(words)}{gap}$", re.IGNORECASE)


def _any(words: list[str]) -> str:
    """Return a pattern for one of the words, the longest first, spaces of any kind between."""
    longest = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest) + ")"
