"""Other documents named in a text, and a part named in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, takewhile

from appliance.core.document import Document, Label, ReferenceKind
from appliance.core.mechanisms import mechanism
from appliance.ingest.references.part_words import Words, fold_word
from appliance.ingest.references.resolve import LabelIndex, shorter
from appliance.text.designations import fold_designation

_DIGIT = r"[\dlIO]"  # with the letters that a poor text layer has in place of a digit
_JOINT = r"[-–‑·~]"
_NUMBER = (
    rf"\s{{0,3}}(?:\d|(?<=\s)[lI](?=\d\d)){_DIGIT}{{0,5}}(?![A-Za-z])"
    r"(?:(?<!\d\d\d\d)\.\d{1,2}(?![\d.]))?"  # "ASHRAE 90.1"
    rf"(?:\s?{_JOINT}\s?(?:\d{{1,3}}(?!\d|\.\d)|(?<=[\dlI][-–])[lIS](?!\w|\.\d)))*"
    r"(?:(?<=\d-\d),\d(?![\d.,]))?"  # "EN 1991-1,1", a comma for the hyphen
    r"(?:\s\d{1,2}(?:[-–]\d{1,2})+(?!\d|\.\d))?"  # "EN 1991 1-3", a hyphen lost
    r"(?:\s?:\s?(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2]))?(?!\d)(?:\s?\+\s?A\d{1,2}\s?:\s?\d{4})*)?"
)
LONGEST_RANGE = 20  # codes from the first to the last
_TITLE_GAP = re.compile(r"[\s,(:–-]{0,3}")  # between a designation and the short name of the same code
_WHOLE = re.compile(r"(?P<body>[A-Z][A-Za-z ]*?\s?)(?P<number>\d{1,6})")
_LAST = re.compile(r"\s?[-–]\s?(?P<number>\d{4})(?!\d|[-–]\d)")
_UNLISTED = re.compile(
    r"(?<![\w/-])(?P<body>[A-Z]{2,6})(?:/[A-Z]{2,6})?(?:\s\d{1,5}|\d{1,5}(?=:)|(?<=[A-Z]{3})\d{2,5})"
    r"(?:[.-]\d{1,3}(?!\d))*(?:-(?:19|20)\d\d|(?P<year>\s?:\s?(?:19|20)\d\d))?(?![\w%°]|[.,/-]\d)"
)
_LETTERLESS = re.compile(  # of a list that leaves out the letters of its own series: "875 (Part 3) : 1987"
    r"(?<![\w.,:/-])(?<!\d\s)(?<![A-Z]\s)\d{2,5}(?:\s?\(Part\s?\d{1,2}(?:/Sec\s?\d{1,2})?\))?\s?:\s?(?:19|20)\d\d"
    r"(?=\s+[A-Z]|\s*[,;)]|\s*$)"
)
_PART = re.compile(r"(?<!\w)(?P<word>[^\W\d_]+)\.?\s+(?:[A-Z]|[A-Z]?\d[\w.()-]*)(?=,?\s)")
_BEHIND = re.compile(r",\s+(?P<word>[^\W\d_]+)\.?\s+(?:[A-Z]\.?)?\d")
TOLD = 3  # times that a document names a body that all its numbers are taken for standards
NEAR = 80  # characters between a document and its further volume


@dataclass(frozen=True, slots=True)
class Host:
    """Another document named at [start, end).

    `alone`: a reference by itself; `standard`: no law; `work`: only a host of the parts beside it, so
    that its words are read on their own where it has none (see `works.py`).
    """

    start: int
    end: int
    designation: str
    alone: bool = True
    standard: bool = True
    work: bool = False


def find_hosts(text: str, words: Words, own: str = "") -> dict[int, Host]:
    """Return the documents named in the text by where they start; `own` is the document's designation."""
    hosts: dict[int, Host] = {}
    if not any(char.isupper() for char in text):
        return hosts
    body = re.search(r"(?<![A-Za-z])[A-Z]{2,5}(?=\s?\d)", own)  # "DC" of "DC 1-3:2024"
    own_body = body.group() if body else ""
    bodies = (*words.bodies, own_body)
    pattern = _standards(bodies, words.patterns, words.called, words.annex, words.issue)
    for match in pattern.finditer(text):
        name = _clean(match.group())
        hosts[match.start()] = Host(*match.span(), name, not words.quiet.fullmatch(name))
    _unlisted(text, hosts, words)
    for match in _LETTERLESS.finditer(text) if own_body else ():
        if not _within(*match.span(), hosts):
            hosts[match.start()] = Host(*match.span(), f"{own_body} {_clean(match.group())}")
    _join(text, hosts)
    for match in re.finditer(words.volumes, text) if words.volumes else ():
        # Volumes that follow a document: "Approved Document B, Volume 1 ..., and Volume 2".
        near = [h for h in hosts.values() if h.start < match.start() <= h.end + NEAR]
        if near and not any(host.start <= match.start() < host.end for host in near):
            base = re.sub(rf"[:,]?\s*(?:[\w ]+, )?{words.volumes}.*$", "", near[-1].designation)
            hosts[match.start()] = Host(*match.span(), f"{base} {_clean(match.group())}")
    for match in words.titles.finditer(text):
        start = match.start() if match["law"] else _opened(match, words.instruments, "connectors")
        if (match["noun"] and start >= match.start("noun")) or _within(start, match.end(), hosts):
            continue  # the words before the noun only open the sentence, or a code is named there
        title = _clean(text[start : match.end()])
        alone = bool(match["law"]) or title not in words.instruments["general"]
        hosts[start] = Host(start, match.end(), title, alone, standard=False)
    return hosts


def _within(start: int, end: int, hosts: Mapping[int, Host]) -> list[Host]:
    """Return the documents that are named in [start, end) of a text, or reach into it."""
    return [host for host in hosts.values() if host.start < end and start < host.end]


def _unlisted(text: str, hosts: dict[int, Host], words: Words) -> None:
    """Add standards of bodies that nobody has listed: "Chapter 7 of NSCE 7", "in accordance with NSWC 600".

    Capitals with a number may be anything ("IPE 300"), so only behind a part of theirs or a sure cue, or
    before a clause of theirs ("HTM 05-02, paragraph 1.1.2"), or with a year ("SS 553:2016", "CS2:2012").
    """
    for match in _UNLISTED.finditer(text):
        before = text[max(0, match.start() - NEAR) : match.start()]
        last = (before.split() or [""])[-1]
        named = fold_word(match["body"]) in words.names or (len(last) > 1 and last.isupper())
        if named or _within(*match.span(), hosts):
            continue
        parts = (one for one in _PART.finditer(before) if words.within.fullmatch(before, one.end()))
        part = next(parts, None)
        behind = _BEHIND.match(text, match.end())
        owned = words.names.get(fold_word(behind["word"])) if behind else None
        long = len(match["body"]) > 2  # two letters are more often something else
        if (
            match["year"]
            or (long and words.sure.search(before))
            or (part and fold_word(part["word"]) in words.names)
            or (owned is not None and owned.kind == "clause")
        ):
            name = _clean(match.group())
            hosts[match.start()] = Host(*match.span(), name)


def bodies_told(texts: Iterable[str], words: Words) -> tuple[str, ...]:
    """Return the bodies that nobody has listed, and whose standards the texts surely name again and again."""
    told: Counter[str] = Counter()
    for text in texts:
        hosts: dict[int, Host] = {}
        _unlisted(text, hosts, words)
        told.update(body[0] for host in hosts.values() if (body := re.match(r"[A-Z]{3,}", host.designation)))
    return tuple(body for body, count in told.items() if count >= TOLD)


def _join(text: str, hosts: dict[int, Host]) -> None:
    """Add the end of a range of codes ("EN 1992-1999"); a title is no reference by itself."""
    for host in list(hosts.values()):
        last = _LAST.match(text, host.end)
        whole = _WHOLE.fullmatch(host.designation)
        if last and whole and 0 < int(last["number"]) - int(whole["number"]) <= LONGEST_RANGE:
            name = f"{whole['body']}{last['number']}"
            hosts[last.start("number")] = Host(last.start("number"), last.end(), name)
    for one, other in pairwise(sorted(hosts.values(), key=lambda host: host.start)):
        if _TITLE_GAP.fullmatch(text[one.end : other.start]) and not other.designation.isupper():
            key = fold_designation(other.designation).key
            titled = fold_designation(one.designation).key.startswith(key)
            hosts[other.start] = replace(other, alone=not titled)


@cache
def _standards(
    bodies: tuple[str, ...], patterns: tuple[str, ...], called: str, annex: str, issue: str
) -> re.Pattern[str]:
    """Return the pattern of a standard's designation, with the national annex to it before."""
    body = "|".join(sorted({re.escape(letters) for letters in bodies if letters}, key=len, reverse=True))
    standard = rf"(?:[A-Z]{{2,6}}[/-])?(?:{body})(?:(?:\s+|/)(?:{body}))*(?:\s+(?:{called}))?{_NUMBER}{issue}"
    named = "|".join((*patterns, standard)).replace(" ", r"\s+")
    return re.compile(rf"(?<![\w-]){annex}(?:{named})")


def _opened(match: re.Match[str], instruments: Mapping[str, tuple[str, ...]], small: str) -> int:
    """Return where a title begins behind the words that only open its sentence, and small ones."""
    skipped = {*instruments["openers"], *instruments[small]}
    words = re.finditer(r"\S+\s+", match.string[match.start() : match.start("noun")])
    opening = takewhile(lambda word: word.group().strip().casefold() in skipped, words)
    return match.start() + max((word.end() for word in opening), default=0)


def _clean(text: str) -> str:
    return re.sub(r"\s*([-–‑·:+~])\s*(?=[\dAlIS])", r"\1", re.sub(r"\s+", " ", text)).strip()


_THIS = re.compile(r"\b(?:this|these|present)\s+$", re.IGNORECASE)


@mechanism("references.works", without=lambda hosts, _text, _words, _title: dict(hosts))
def with_works(hosts: Mapping[int, Host], text: str, words: Words, title: str) -> dict[int, Host]:
    """Return the hosts of a text with its titled works and volumes; `title` has all names of the document."""
    found = dict(hosts)
    named: dict[str, str] = {}
    named_here = any(noun in text for noun in words.instruments["works"])
    for match in words.works.finditer(text) if named_here else ():
        start, end = _opened(match, words.instruments, "joints"), match.end()
        name = " ".join(text[start:end].split())
        if name == match["noun"]:  # alone it is the work that was named with it before: "the Manual"
            name = named.get(name, "")
        if not name or name.casefold() in title.casefold() or _THIS.search(text, 0, start):
            continue  # only a noun, or this document itself
        if not any(one.standard or one.start <= start for one in _within(start, end, hosts)):
            found[start] = Host(start, end, name, False, False, work=True)
            named[match["noun"]] = name
    for match in re.finditer(words.volumes, text) if words.volumes else ():
        if not any(host.start <= match.start() < host.end for host in found.values()):
            found[match.start()] = Host(
                *match.span(), " ".join(match.group().split()), False, False, work=True
            )
    return found


LOOKED_BACK = 48  # characters
NATIONAL = "national annex"  # the number of a mention of the national annex without its designation


@dataclass(frozen=True, slots=True)
class Mention:
    """A part named at [start, end) of a text; `designation` is the other document's, "" for its own.

    `part` is the Part, lacking here, that the words put it in: "Part 2" of "clause 1.2 of Part 2".
    """

    start: int
    end: int
    kind: ReferenceKind
    label: str
    number: str
    designation: str = ""
    part: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A text while its references are read; `clause` is the number of the clause it stands in.

    `loose` tells that the text is a list of clause numbers (a table column headed "Clause"), `comma`
    that the document writes its decimals with a comma, `paragraph` is the number that holds list items.
    """

    text: str
    words: Words
    index: LabelIndex
    document: Document
    label: Label
    clause: str = ""
    loose: bool = False
    hosts: Mapping[int, Host] = field(default_factory=dict)
    comma: bool = False
    paragraph: str = ""

    def known(self, kind: ReferenceKind, label: str, number: str) -> bool:
        """Tell whether the document has a part of this kind with this label word and number."""
        return bool(self.index.find(kind, label, number, self.label))

    def before(self, at: int) -> str:
        """Return what stands before a place of the text, as far as its words may tell what it is."""
        return self.text[max(0, at - LOOKED_BACK) : at]

    def has(self, kind: ReferenceKind, label: str, number: str) -> bool:
        """Tell whether the document has such a part, or the one it would be in ("5.2" for "5.2(3)(a)")."""
        while number and not self.known(kind, label, number):
            number = shorter(number)
        return bool(number)
