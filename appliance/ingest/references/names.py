"""Parts with a name: "paragraphs 1.2 to 1.6", "Tables 3, 4 and 7", "Annex ND in BS EN 752 Part 4"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_lowercase

from appliance.core.mechanisms import mechanism
from appliance.ingest.references.hosts import Host, Mention, Reading
from appliance.ingest.references.numbers import Element, ascends, borrowed, expand, read_list, read_number
from appliance.ingest.references.words import Named, fold_word

_WORD = re.compile(r"(?:[^\W\d_]|[1|])(?:[^\W\d_]|[1|]|-(?!\d))*\.?")
_TO_NUMBER = re.compile(r"\s+(?:[Nn]os?\.?\s*|[~§@©]\s?(?=[A-Z]?\.?\d))?|\s?(?=\()")
_DASHED = re.compile(r"\s?[–-](?=\d)")  # "Table-1"
_COMMA = re.compile(r"\s*[,:]?\s*(?=\S)")
_BRACKET = re.compile(r"\s*[,:(]?\s*(?=\S)")  # "the Design Guide for Drains (Table 3)"
_MID_SENTENCE = re.compile(r"[\w,;()]\s?$")
_ASIDE = re.compile(r"\s*\([^()]{3,160}\)")
LISTED = 8  # parts of a list, each with its own name, before the document that they belong to
_NUMBER = frozenset({"number"})

_PARAGRAPHED = frozenset({"clause", "requirement"})
_LETTER = frozenset({"letter"})
_SPACED = frozenset({"spaced"})
_PLACED = frozenset({"table", "figure", "formula"})
_JOINED = frozenset({"joined"})
_IN_TITLE = re.compile(r"[–—-]\s$")  # "Eurocode 1: Actions on structures – Part 1-3: Snow loads"
_CODE = re.compile(r"^[A-Z]{1,2}\d")


def read_name(reading: Reading, at: int) -> tuple[int, Named] | None:
    """Return where a word that names a kind of part ends ("appendix paragraph"), and what it names."""
    first = _WORD.match(reading.text, at)
    if not first:
        return None
    second = _WORD.match(reading.text, first.end() + 1)
    for word in ([second] if second else []) + [first]:
        text = " ".join(reading.text[at : word.end()].split())
        named = reading.words.names.get(fold_word(text))
        if named and not (named.capital and text[0].islower()) and not _opens_note(reading, at, named):
            return word.end(), named
    return None


def _opens_note(reading: Reading, at: int, named: Named) -> bool:
    """Tell whether a note begins here ("NOTE 1 ...") rather than being referred to."""
    return named.kind == "note" and (at == 0 or not _MID_SENTENCE.search(reading.text, 0, at))


@mechanism("references.named", "A place called by its name is a reference.", without=lambda *_: [])
def read_named(reading: Reading, at: int) -> list[Mention]:
    """Return the parts that are named here, with the document they belong to where the text says so."""
    name = read_name(reading, at)
    gap = _TO_NUMBER.match(reading.text, name[0]) if name else None
    if name and name[1].kind in _PLACED:
        gap = gap or _DASHED.match(reading.text, name[0])
    if not name or not gap or (name[1].kind == "part" and _IN_TITLE.search(reading.text, 0, at)):
        return []
    named = name[1]
    ranged = _is_range(reading, gap.end(), named)
    shapes = named.shapes if ranged or not named.shapes >= _NUMBER else named.shapes | _JOINED
    own = () if ranged else reading.numbered(named.kind, named.label)
    elements = _spaced(reading, gap.end(), named) or read_list(reading, gap.end(), shapes, own)
    elements = _trusted(reading, named, elements)
    if not elements:
        return []
    mentions = hosted(reading, _mentions(reading, at, named, elements))
    if named.foreign and not mentions[0].designation:  # of a law, unless this document has it
        return [one for one in mentions if _has_such(reading, named, one.number)]
    return mentions


def _has_such(reading: Reading, named: Named, number: str) -> bool:
    """Tell whether the document has a part of this number, which no law would number so: "Article 5.2"."""
    return "." in number and reading.known(named.kind, named.label, number)


def _spaced(reading: Reading, at: int, named: Named) -> list[Element]:
    """Return "Annex A 1" as the one number that the document has, [] where it has none such.

    A number with a dot ("Table A 1.1") is one in any case.
    """
    number = read_number(reading.text, at, _SPACED) if named.shapes >= _NUMBER else None
    spellings = (number[1], f"{number[1][0]}.{number[1][1:]}") if number else ()
    if not number or not (
        "." in number[1] or any(reading.known(named.kind, named.label, each) for each in spellings)
    ):
        return []
    rest = reading.words.joins.match(reading.text, number[0])
    more = read_list(reading, rest.end(), named.shapes) if rest else []
    return [Element(at, number[0], number[1]), *more]


def _is_range(reading: Reading, at: int, named: Named) -> bool:
    """Tell whether figures with a hyphen between them are the ends of a range ("Tables 3-5"), no one number.

    The document's own labels decide, then the shape of its numbers; where it has neither, a word in the
    singular names one number ("Equation 16-23"), and so does one that cannot be counted.
    """
    number = read_number(reading.text, at, _JOINED)
    if not number or reading.known(named.kind, named.label, number[1]):
        return False
    first, _, last = number[1].partition("-")
    letters = re.match(r"[A-Z]*\.?", first)
    ends = (first, f"{letters.group() if letters else ''}{last}")
    if all(reading.known(named.kind, named.label, end) for end in ends):
        return True
    if any(own.fullmatch(number[1]) for own in reading.numbered(named.kind, named.label)):
        return False
    dashed = "–" in reading.text[at : number[0]]
    return ascends(*ends) and "." not in first and (named.plural or dashed)


def _trusted(reading: Reading, named: Named, elements: list[Element]) -> list[Element]:
    """Return the elements, those of a list in the singular only as far as the document has them.

    "Figure B1 and B2(2)" names a figure and a clause, where the document has clause B2(2).
    """
    first = elements[0].first if elements else ""
    doubtful = (first.isalpha() and first.islower()) or (
        first.isdigit() and len(first) > reading.words.digits
    )
    if doubtful and not reading.known(named.kind, named.label, first):
        return []  # "a table 800 mm high", "a diagram i"
    kept = elements[:1]
    for element in elements[1:]:
        if reading.text[element.start] in "(" + ascii_lowercase and named.kind in _PARAGRAPHED:
            kept.append(element)  # "regulation 20(1) and (4) of the ... Regulations", "9.1(1)a) and b)"
            continue
        if not (
            named.plural or _is_formula(named, element) or reading.has(named.kind, named.label, element.first)
        ):
            break
        if "(" in element.first[named.kind == "formula" :] and _is_paragraph(reading, named, element.first):
            break
        kept.append(element)
    return kept


def _is_formula(named: Named, element: Element) -> bool:
    """Tell whether a number is written as those of formulas alone are: "Eq. (5.3.1d) and (5.3.1f)"."""
    return named.kind == "formula" and element.first.startswith("(") and "." in element.first


def _is_paragraph(reading: Reading, named: Named, number: str) -> bool:
    """Tell whether the document has a clause of this very number and nothing of the kind that is named."""
    return reading.known("clause", "", number) and not reading.known(named.kind, named.label, number)


def _mentions(reading: Reading, at: int, named: Named, elements: Sequence[Element]) -> list[Mention]:
    whole = named.plural and not any(element.last or _CODE.match(element.first) for element in elements)
    mentions = []
    for position, element in enumerate(elements):
        start = at if whole or position == 0 else element.start
        end = elements[-1].end if whole else element.end
        for number in expand(element.first, element.last):
            full = _in_clause(reading, number) if named.kind == "clause" else number
            mentions.append(Mention(start, end, named.kind, named.label, full))
    return mentions


def _in_clause(reading: Reading, number: str) -> str:
    """Return the number of a part of this clause in full: "(2)" is "5.2(2)", "A" may be "1.2.A"."""
    if number.startswith("("):
        return borrowed(number, reading.clause)
    within = f"{reading.clause}.{number}"
    return within if number.isalpha() and reading.known("clause", "", within) else number


def hosted(reading: Reading, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions with the document that the following words say they belong to."""
    if not mentions:
        return mentions
    end = mentions[-1].end
    through = not (reading.words.apart and mentions[-1].kind == "note")
    host, host_end = _host_after(reading, end, through=through)
    if not host:
        host = _host_of_list(reading, mentions[-1])
        return [replace(each, designation=host.designation) for each in mentions] if host else mentions
    whole = len({(mention.start, mention.end) for mention in mentions}) == 1
    return [
        replace(
            mention,
            designation=host.designation,
            end=host_end if whole or mention.end == end else mention.end,
        )
        for mention in mentions
    ]


def _host_after(reading: Reading, end: int, *, through: bool = True) -> tuple[Host | None, int]:
    """Return the document named after "of the", also through its part: "of Schedule 1 to the Act"."""
    within = reading.words.within.match(reading.text, end)
    if not within:
        return None, end
    host = reading.hosts.get(within.end())
    if host:
        return _whole(reading, host) or (host, _with_part(reading, host))
    law = re.compile(rf"(?:{'|'.join(reading.words.instruments['nouns'])})\b").match(
        reading.text, within.end()
    )
    if law:  # "of that Act": the one named last
        named = [other for other in reading.hosts.values() if not other.standard and other.end <= end]
        title = named[-1].designation if named else law.group()
        return Host(law.start(), law.end(), title, standard=False), law.end()
    middle = read_name(reading, within.end()) if through else None
    gap = _TO_NUMBER.match(reading.text, middle[0]) if middle else None
    number = read_number(reading.text, gap.end(), middle[1].shapes) if middle and gap else None
    return _host_after(reading, number[0]) if number else (None, end)


def _whole(reading: Reading, volume: Host) -> tuple[Host, int] | None:
    """Return the work that a volume is one of, and where the words end that are read with it.

    "Volume 1 of the Manual", "Volume 1 and Chapter C in Volume 2 of the Manual".
    """
    if not re.fullmatch(reading.words.volumes or r"(?!)", volume.designation):
        return None
    host, end = _host_after(reading, volume.end, through=False)
    if host:
        return (replace(host, designation=f"{host.designation} {volume.designation}"), end)
    joined = reading.words.joins.match(reading.text, volume.end)
    name = read_name(reading, joined.end()) if joined else None
    gap = _TO_NUMBER.match(reading.text, name[0]) if name else None
    listed = read_list(reading, gap.end(), name[1].shapes | _LETTER) if name and gap else []
    further = _host_after(reading, listed[-1].end, through=False)[0] if listed else None
    if not further:
        return None
    title = re.sub(rf"\s*{reading.words.volumes}$", "", further.designation)
    return replace(further, designation=f"{title} {volume.designation}".strip()), volume.end


def part_after(reading: Reading, end: int) -> Mention | None:
    """Return the Part that the words behind a number put it in: "B(a) of Part 1"."""
    within = reading.words.within.match(reading.text, end)
    name = read_name(reading, within.end()) if within else None
    gap = _TO_NUMBER.match(reading.text, name[0]) if name and name[1].kind == "part" else None
    number = read_number(reading.text, gap.end(), name[1].shapes) if name and gap else None
    if not within or not name or not number:
        return None
    return Mention(within.end(), number[0], "part", name[1].label, number[1])


def _host_of_list(reading: Reading, mention: Mention) -> Host | None:
    """Return the document named at the end of a list of parts that this document lacks.

    "Section 46 (Waste) and Section 47 (Trade waste) of the Act" are both sections of the Act.
    """
    end = mention.end
    for _ in range(LISTED):
        aside = _ASIDE.match(reading.text, end)
        joined = reading.words.joins.match(reading.text, aside.end() if aside else end)
        name = read_name(reading, joined.end()) if joined else None
        gap = _TO_NUMBER.match(reading.text, name[0]) if name and name[1].label == mention.label else None
        number = read_number(reading.text, gap.end(), name[1].shapes) if name and gap else None
        if not number or reading.has(mention.kind, mention.label, mention.number):
            return None
        end = number[0]
        host, _ = _host_after(reading, end)
        if host:
            return host
    return None


def _with_part(reading: Reading, host: Host) -> int:
    """Return where the host ends, its own part included: "in BS EN 752 Part 4"."""
    name = read_name(reading, host.end + 1)
    gap = _TO_NUMBER.match(reading.text, name[0]) if name and name[1].kind == "part" else None
    number = read_number(reading.text, gap.end(), _NUMBER) if gap else None
    return number[0] if number else host.end


def read_hosted(reading: Reading, host: Host) -> list[Mention]:
    """Return the parts of another document that are named after it: "EN 1990:2002, 4.1.1 (4)"."""
    mentions = _tail(reading, host, host.end)
    if not mentions:
        return [Mention(host.start, host.end, "document", "", "", host.designation)] if host.alone else []
    if reading.words.apart:
        return _apart(reading, host, mentions)
    finer = _tail(reading, host, mentions[-1].end) if mentions[-1].label else []
    if not finer or finer[0].designation:
        return [replace(mention, start=host.start, designation=host.designation) for mention in mentions]
    return [replace(mention, start=host.start, designation=host.designation) for mention in finer]


def _apart(reading: Reading, host: Host, mentions: list[Mention]) -> list[Mention]:
    """Return all the parts named behind a document, however many kinds, each with its own stretch."""
    every: list[Mention] = []
    while mentions and not (every and mentions[0].designation):
        every += [replace(mention, designation=host.designation) for mention in mentions]
        mentions = _tail(reading, host, mentions[-1].end)
    first = every[:1] and (every[0].start, every[0].end)
    return [
        replace(
            mention,
            start=host.start if (mention.start, mention.end) == first else mention.start,
        )
        for mention in every
    ]


def _tail(reading: Reading, host: Host, end: int) -> list[Mention]:
    gap = (_BRACKET if host.work else _COMMA).match(reading.text, end)
    if not gap or gap.end() == end or gap.end() in reading.hosts:
        return []
    named = read_named(reading, gap.end())
    if named:
        return named
    elements = read_list(reading, gap.end(), _NUMBER) if host.standard else []
    if (
        not elements
        or not _like_clause(elements[0].first)
        or reading.words.units.match(reading.text, elements[0].end)
    ):
        return []
    elements = [element for element in elements if _like_clause(element.first)]
    return [
        Mention(element.start, element.end, "clause", "", number)
        for element in elements
        for number in expand(element.first, element.last)
    ]


def _like_clause(number: str) -> bool:
    return "." in number or "(" in number
