"""Parts of a document as a text names them: by a word, by a bare number, by where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import takewhile
from string import ascii_lowercase

from appliance.core.document import ReferenceKind
from appliance.core.mechanisms import mechanism
from appliance.ingest.references.named_documents import NATIONAL, Host, Mention, Reading
from appliance.ingest.references.numbers import Element, ascends, borrowed, expand, read_list, read_number
from appliance.ingest.references.part_words import Named, fold_word

_WORD = re.compile(r"(?:[^\W\d_]|[1|])(?:[^\W\d_]|[1|]|-(?!\d))*\.?")
_TO_NUMBER = re.compile(r"\s+(?:[Nn]os?\.?\s*|[~§@©]\s?(?=[A-Z]?\.?\d))?|\s?(?=\()")
_DASHED = re.compile(r"\s?[–-](?=\d)")  # "Table-1"
_COMMA = re.compile(r"\s*[,:]?\s*(?=\S)")
_BRACKET = re.compile(r"\s*[,:(]?\s*(?=\S)")  # "the Design Guide for Drains (Table 3)"
_MID_SENTENCE = re.compile(r"[\w,;()]\s?$")

_PARAGRAPHED = frozenset({"clause", "requirement"})
_PLACED = frozenset({"table", "figure", "formula"})
_IN_TITLE = re.compile(r"[–—-]\s$")  # "Eurocode 1: Actions on structures – Part 1-3: Snow loads"
_CODE = re.compile(r"^[A-Z]{1,2}\d")


def read_name(reading: Reading, at: int) -> tuple[int, Named] | None:
    """Return where a word that names a kind of part ends ("appendix paragraph"), and what it names."""
    first = _WORD.match(reading.text, at)
    if not first:
        return None
    second = _WORD.match(reading.text, first.end() + 1)
    for word in filter(None, (second, first)):
        text = " ".join(reading.text[at : word.end()].split())
        named = reading.words.names.get(fold_word(text))
        if named and not (named.capital and text[0].islower()):
            if named.kind == "note" and (at == 0 or not _MID_SENTENCE.search(reading.text, 0, at)):
                continue  # a note begins here ("NOTE 1 ..."): none is referred to
            return word.end(), named
    return None


def _named_number(
    reading: Reading, at: int, shapes: AbstractSet[str] = frozenset()
) -> tuple[int, Named, str] | None:
    """Return where a part that is named by a word and a number ends, what the word names, and the number.

    The number is of these shapes, or of those that the word asks for.
    """
    name = read_name(reading, at)
    gap = _TO_NUMBER.match(reading.text, name[0]) if name else None
    number = read_number(reading.text, gap.end(), shapes or name[1].shapes) if name and gap else None
    return (number[0], name[1], number[1]) if name and number else None


@mechanism("references.named", without=lambda *_: [])
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
    shapes = named.shapes if ranged or "number" not in named.shapes else named.shapes | {"joined"}
    own = () if ranged else reading.index.numbered(named.kind, named.label)
    elements = _spaced(reading, gap.end(), named) or read_list(reading, gap.end(), shapes, own)
    elements = _trusted(reading, named, elements)
    if not elements:
        return []
    mentions = hosted(reading, _mentions(reading, at, named, elements))
    if not named.foreign or mentions[0].designation:
        return mentions
    # Of a law, unless this document has it; no law would number so: "Article 5.2".
    return [m for m in mentions if "." in m.number and reading.known(named.kind, named.label, m.number)]


def _spaced(reading: Reading, at: int, named: Named) -> list[Element]:
    """Return "Annex A 1" as the one number that the document has, [] where it has none such.

    A number with a dot ("Table A 1.1") is one in any case.
    """
    read = read_number(reading.text, at, {"spaced"}) if "number" in named.shapes else None
    if not read:
        return []
    end, number = read
    spellings = (number, f"{number[0]}.{number[1:]}")
    if "." not in number and not any(reading.known(named.kind, named.label, each) for each in spellings):
        return []
    rest = reading.words.joins.match(reading.text, end)
    return [Element(at, end, number), *(read_list(reading, rest.end(), named.shapes) if rest else ())]


def _is_range(reading: Reading, at: int, named: Named) -> bool:
    """Tell whether figures with a hyphen between them are the ends of a range ("Tables 3-5"), no one number.

    The document's own labels decide, then the shape of its numbers; where it has neither, a word in the
    singular names one number ("Equation 16-23"), and so does one that cannot be counted.
    """
    number = read_number(reading.text, at, {"joined"})
    if not number or reading.known(named.kind, named.label, number[1]):
        return False
    first, _, last = number[1].partition("-")
    letters = re.match(r"[A-Z]*\.?", first)
    ends = (first, f"{letters.group() if letters else ''}{last}")
    if all(reading.known(named.kind, named.label, end) for end in ends):
        return True
    if any(own.fullmatch(number[1]) for own in reading.index.numbered(named.kind, named.label)):
        return False
    dashed = "–" in reading.text[at : number[0]]
    return ascends(*ends) and "." not in first and (named.plural or dashed)


def _trusted(reading: Reading, named: Named, elements: list[Element]) -> list[Element]:
    """Return the elements, those of a list in the singular only as far as the document has them.

    "Figure B1 and B2(2)" names a figure and a clause, where the document has clause B2(2).
    """
    first = elements[0].first if elements else ""
    doubtful = (first.isalpha() and first.islower()) or (
        first.isdigit() and len(first) > max(reading.words.digits, named.digits)
    )
    if doubtful and not reading.known(named.kind, named.label, first):
        return []  # "a table 800 mm high", "a diagram i"
    kept = elements[:1]
    for element in elements[1:]:
        if reading.text[element.start] in "(" + ascii_lowercase and named.kind in _PARAGRAPHED:
            kept.append(element)  # "regulation 20(1) and (4) of the ... Regulations", "9.1(1)a) and b)"
            continue
        number, kind = element.first, named.kind
        # Those of formulas alone are written so: "Eq. (5.3.1d) and (5.3.1f)".
        is_formula = kind == "formula" and number.startswith("(") and "." in number
        if not (named.plural or is_formula or reading.has(kind, named.label, number)):
            break
        own_clause = "(" in number[kind == "formula" :] and reading.known("clause", "", number)
        if own_clause and not reading.known(kind, named.label, number):
            break
        kept.append(element)
    return kept


def _mentions(reading: Reading, at: int, named: Named, elements: Sequence[Element]) -> list[Mention]:
    whole = named.plural and not any(element.last or _CODE.match(element.first) for element in elements)
    mentions = []
    for position, element in enumerate(elements):
        start = at if whole or position == 0 else element.start
        end = elements[-1].end if whole else element.end
        for number in expand(element.first, element.last):
            full, within = number, f"{reading.clause}.{number}"
            if named.kind == "clause" and number.startswith("("):  # of this clause: "(2)" is "5.2(2)"
                full = borrowed(number, reading.clause)
            elif named.kind == "clause" and number.isalpha() and reading.known("clause", "", within):
                full = within  # "A" may be "1.2.A"
            mentions.append(Mention(start, end, named.kind, named.label, full))
    return mentions


def hosted(reading: Reading, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions with the document that the following words say they belong to."""
    if not mentions:
        return mentions
    end = mentions[-1].end
    through = not (reading.words.apart and mentions[-1].kind == "note")
    host, host_end = _host_after(reading, end, through=through)
    if not host:
        return mentions
    whole = len({(mention.start, mention.end) for mention in mentions}) == 1
    return [
        replace(one, designation=host.designation, end=host_end if whole or one.end == end else one.end)
        for one in mentions
    ]


def _host_after(reading: Reading, end: int, *, through: bool = True) -> tuple[Host | None, int]:
    """Return the document named after "of the", also through its part: "of Schedule 1 to the Act"."""
    within = reading.words.within.match(reading.text, end)
    if not within:
        return None, end
    host = reading.hosts.get(within.end())
    if host:
        part = _named_number(reading, host.end + 1, {"number"})  # its own: "in BS EN 752 Part 4"
        return _whole(reading, host) or (host, part[0] if part and part[1].kind == "part" else host.end)
    law = reading.words.laws.match(reading.text, within.end())
    if law:  # "of that Act": the one named last
        named = [other for other in reading.hosts.values() if not other.standard and other.end <= end]
        title = named[-1].designation if named else law.group()
        return Host(law.start(), law.end(), title, standard=False), law.end()
    middle = _named_number(reading, within.end()) if through else None
    return _host_after(reading, middle[0]) if middle else (None, end)


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
    listed = read_list(reading, gap.end(), name[1].shapes | {"letter"}) if name and gap else []
    further = _host_after(reading, listed[-1].end, through=False)[0] if listed else None
    if not further:
        return None
    title = re.sub(rf"\s*{reading.words.volumes}$", "", further.designation)
    return replace(further, designation=f"{title} {volume.designation}".strip()), volume.end


def part_after(reading: Reading, end: int) -> Mention | None:
    """Return the Part that the words behind a number put it in: "B(a) of Part 1"."""
    within = reading.words.within.match(reading.text, end)
    part = _named_number(reading, within.end()) if within else None
    if not within or not part or part[1].kind != "part":
        return None
    return Mention(within.end(), part[0], "part", part[1].label, part[2])


def read_hosted(reading: Reading, host: Host) -> list[Mention]:
    """Return the parts of another document that are named after it: "EN 1990:2002, 4.1.1 (4)"."""
    mentions = _tail(reading, host, host.end)
    if not mentions:
        return [Mention(host.start, host.end, "document", "", "", host.designation)] if host.alone else []
    if not reading.words.apart:
        finer = _tail(reading, host, mentions[-1].end) if mentions[-1].label else []
        finest = mentions if not finer or finer[0].designation else finer
        return [replace(mention, start=host.start, designation=host.designation) for mention in finest]
    every: list[Mention] = []  # however many kinds, each with its own stretch
    while mentions and not (every and mentions[0].designation):
        every += [replace(mention, designation=host.designation) for mention in mentions]
        mentions = _tail(reading, host, mentions[-1].end)
    first = (every[0].start, every[0].end)
    return [replace(one, start=host.start) if (one.start, one.end) == first else one for one in every]


def _tail(reading: Reading, host: Host, end: int) -> list[Mention]:
    gap = (_BRACKET if host.work else _COMMA).match(reading.text, end)
    if not gap or gap.end() == end or gap.end() in reading.hosts:
        return []
    named = read_named(reading, gap.end())
    if named:
        return named
    elements = read_list(reading, gap.end(), {"number"}) if host.standard else []
    marked = [element for element in elements if set(element.first) & set(".(")]
    if marked[:1] != elements[:1] or not marked or reading.words.units.match(reading.text, marked[0].end):
        return []
    return _bare_mentions(marked, "clause")


BACK = 3  # words before a preposition that may tell of a quantity
_SENTENCE = re.compile(r"(?:^|[.;:!?]\s|[(\[])\s*$")
_PHRASE_END = re.compile(r"\s*(?:$|[.,;:!?)\]](?!\d)|[A-Z(\[])")
_ENDS_AS_PLACE = re.compile(r"(?:[\d)\]][A-Za-z]?|\b[A-Z])\s*,?\s*$")
_IN_LIST = re.compile(r"\d(?:,\s|,?\s[^\W\d]+\s)$")  # the list before was no list of places
_PHRASE = re.compile(r"[.,;:]\s")


def stands_as_place(reading: Reading, before: str, elements: Sequence[Element]) -> bool:
    """Tell whether numbers that are labels of the document stand as the names of these places."""
    end = elements[-1].end
    opens = _SENTENCE.search(before) or reading.words.opening.search(before) or before.endswith(", ")
    does = opens and not _IN_LIST.search(before) and reading.words.doing.match(reading.text, end)
    if does:  # what provisions do: "4.1 applies", "except where 3.2 permits"
        return True
    return stands_alone(reading, end) and _follows_weak(reading, before)


def stands_alone(reading: Reading, end: int) -> bool:
    """Tell whether nothing that is counted follows a number: its phrase ends there."""
    return bool(_PHRASE_END.match(reading.text, end) or reading.words.following.match(reading.text, end))


def _follows_weak(reading: Reading, before: str) -> bool:
    """Tell whether a preposition stands before a number and no word that measures before that."""
    weak = reading.words.weak.search(before)
    if not weak:
        return False
    ahead = before[: weak.start()]
    joins = reading.words.joins.fullmatch(before[weak.start() :])
    if joins and not _ENDS_AS_PLACE.search(ahead):
        return False  # "1.5 above the floor and 2.2 below it"
    words = re.findall(r"[\w’'-]+", _PHRASE.split(ahead.casefold())[-1])[-BACK:]
    return not any(word in reading.words.quantities or word.isdigit() for word in words)


SIGN = 4  # characters before a number in which its sign stands: "§§ "
_SIGNED = re.compile(r"§+\s?$")
_WHOLE = re.compile(r"\w(?:[^\s,;]{0,40}[\w)\]])?")
_SIGN_BEFORE = re.compile(r"(?:[=<>≤≥±£$€×+−~≈]|\d)\s?$|[-/.,:]$")
_SIGN_AFTER = re.compile(r"\s?[=<>≤≥±×/%°²³]")
_PLAIN_CODE = re.compile(r"[A-Z]{1,2}\d{0,2}[a-z]?(?!\w|\.\d|\s?\(\s?(?:\d|[a-z]\)))")
_DECIMAL = re.compile(r"\d+\.\d+")  # "1.5" could as well be a quantity
_COMPOUND = re.compile(r"[A-Z]{2,}\d+")  # "CO2", no place unless it is one
_PUBLISHED = re.compile(r"[A-Z]{3,}\d{2,}")  # "HSG274", a publication unless it is a place
_GRADE = re.compile(r"[A-Z]{1,2}\d{3,4}[A-Z]{0,2}\d?")  # "S355 to EN 10025-2" names a steel
_DEEP = re.compile(r"[1-9]\d?(?:\.[1-9lIS]\d?){2,}")  # "9.9.9", "9.S.9", no date such as "01.04.14"
_LEADERS = re.compile(r"(?:…|\.{3,}|(?:\s\.){3,})\s*$")
_MIXED = re.compile(r"[A-Z]\d{1,2}[A-Z]\d{1,2}(?!\w)")
_WITHIN = r"P?(?:\([a-z]{1,4}\)|[a-z]\)?)*"  # the items of a paragraph: "(a)(ii)", "b)", "b"
_CODED = re.compile(r"(?:\b[A-Z]|\w*\d\w*|[.)])\s?$")  # a number right before: "A (5)", "FA (1)" for F.4(1)
_PLAIN_SUB = re.compile(rf"\(\d{{1,2}}\){_WITHIN}")
_PARAGRAPH = re.compile(rf"(?:\d{{1,2}}|[A-Z])(?:\.\d{{1,2}})+\(\d{{1,2}}\){_WITHIN}")


@mechanism("references.bare", without=lambda *_: [])
def read_bare(reading: Reading, at: int) -> list[Mention]:
    """Return the clauses, requirements or paragraphs whose bare numbers start here."""
    if reading.text[at] == "(":
        elements = read_list(reading, at, {"sub"})  # of the same clause: "see (4)", "(1) and (2) above"
        holders = (reading.clause, reading.paragraph)
        held = next(filter(None, (_held(reading, elements, holder) for holder in holders)), [])
        if held:
            return held
        elements = read_list(reading, at, {"formula"})  # of this document: "(6.5a) and (6.5b)"
        cued = bool(reading.words.cues.search(reading.before(at)))
        own = [e for e in elements if ("." in e.first or cued) and reading.known("formula", "", e.first)]
        return _bare_mentions(own, "formula", reading.words.formula) if own[:1] == elements[:1] else []
    before = reading.before(at)
    if _PLAIN_CODE.match(reading.text, at) and reading.words.things.search(before):
        return []  # "cases A, B1 and B3"
    if reading.text[at].isalpha():
        elements, code = read_list(reading, at, {"code"}), reading.words.code  # requirements: "J2 to J5"
        own = [element for element in elements if code and reading.has("requirement", code, element.first)]
        if own and own[0] == elements[0]:
            return _bare_mentions(own, "requirement", code)
        if reading.text[at].islower():
            return _held(reading, read_list(reading, at, {"item"}), reading.paragraph)
    return hosted(reading, _read_annexed(reading, at)) or _read_numbers(reading, at)


def _read_numbers(reading: Reading, at: int) -> list[Mention]:
    """Return the clauses, and the sections behind a sure cue or their sign, whose numbers start here."""
    elements = read_list(reading, at, {"number"}, reading.index.numbered("clause", ""))
    signed = _SIGNED.search(reading.text, max(at - SIGN, 0), at) if reading.index.signed else None
    whole = _WHOLE.match(reading.text, at) if signed else None
    ends = range(whole.end(), at, -1) if whole else ()
    end = next((end for end in ends if reading.known("clause", "§", reading.text[at:end])), 0)
    read = elements[0] if elements else Element(at, at, "")
    if read.end < end or (read.last and read.end == end):  # "§ 629-19C(7)" is one number and no range
        elements = [Element(at, end, reading.text[at:end])]
    if elements and signed:
        named = hosted(reading, _bare_mentions(elements, "clause", "§"))
        return [replace(named[0], start=signed.start()), *named[1:]]
    if not elements or not _countable(elements[0].first):
        return []
    first, *more = elements
    listed = takewhile(lambda one: "(" in one.first or reading.has("clause", "", one.first), more)
    sure = bool(reading.words.sure.search(reading.before(at)))
    elements = [
        element
        for element in (first, *listed)
        if _countable(element.first) or (sure and stands_alone(reading, element.end))
    ]
    if _GRADE.fullmatch(first.first) and not reading.known("clause", "", first.first):
        return []
    mentions = hosted(reading, _bare_mentions(elements, "clause"))
    return mentions if mentions[0].designation or _is_clause(reading, at, elements) else []


def _read_annexed(reading: Reading, at: int) -> list[Mention]:
    """Return the paragraphs of annexes "C(5)", and "A 1.3" with a space that print or scan has put in."""
    elements = read_list(reading, at, {"spaced", "annexed"}) if reading.text[at].isalpha() else []
    cued = reading.words.cues.search(reading.before(at))
    dotted = bool(elements) and "." in elements[0].first
    if not elements or not (dotted or "(" in elements[0].first):
        return []
    if not reading.has("clause", "", elements[0].first) and not (dotted and cued):
        return []
    return _bare_mentions([element for element in elements if len(element.first) > 1], "clause")


def _countable(number: str) -> bool:
    return "." in number or "(" in number or number.count("-") > 1 or number[0].isalpha()


def _is_clause(reading: Reading, at: int, elements: Sequence[Element]) -> bool:
    element, text = elements[0], reading.text
    before, number = reading.before(at), element.first
    cued = bool(reading.words.cues.search(before))
    if (
        reading.words.foreign.search(before)
        or _LEADERS.search(before)
        or reading.words.units.match(text, element.end)
        or _SIGN_AFTER.match(text, element.end)
    ):
        return False
    if _PUBLISHED.fullmatch(number):
        return reading.known("clause", "", number)
    if _PARAGRAPH.fullmatch(number) or (reading.words.coded and _MIXED.match(number)):
        return True  # "5.3.3(4)" is nothing else, nor is "C2D4" in a code that numbers so
    if number[-1].islower() and reading.words.units.match(text, element.end - 1):
        return cued  # "1.2m" is a length, "see 1.2m" an item
    if _SIGN_BEFORE.search(before) and "(" not in number:
        return False
    return _believed(reading, before, elements, cued=cued)


def _believed(reading: Reading, before: str, elements: Sequence[Element], *, cued: bool) -> bool:
    """Tell whether a number that nothing speaks against is a clause."""
    number = elements[0].first
    known = reading.has("clause", "", number)
    plain = number.count(".") > 1 or number.count("-") > 1 or "(" in number
    if reading.comma and known:
        return True
    if cued:
        surely = bool(reading.words.sure.search(before)) and stands_alone(reading, elements[0].end)
        placed = not _DECIMAL.fullmatch(number) and not _COMPOUND.fullmatch(number)
        return known or plain or reading.comma or placed or surely
    if not known and _DEEP.fullmatch(number):
        words = reading.words
        leads = words.weak.search(before) or words.placing.search(before) or words.opening.search(before)
        return bool(leads) and stands_alone(reading, elements[0].end)
    lettered = number[0].isalpha() and ("." in number or "-" in number)  # "A.2", "H1-2.17", not "D2"
    return known and (plain or lettered or reading.loose or stands_as_place(reading, before, elements))


def _held(reading: Reading, elements: Sequence[Element], holder: str) -> list[Mention]:
    """Return what a cue or a word of place tells to be parts of the holder."""
    kept = []
    for element in elements:
        numbers = [holder + number for number in expand(element.first, element.last)]
        known = any(reading.known("clause", "", number) for number in numbers)
        if not holder or not known:
            break
        kept.append((element, numbers))
    if not kept:
        return []
    start, end = kept[0][0].start, kept[-1][0].end
    placed = reading.words.placed.match(reading.text, end)
    before = reading.before(start)
    cued = reading.words.cues.search(before)
    if not placed and not cued and not _named_alone(reading, before, kept):
        return []
    mentions = [Mention(e.start, e.end, "clause", "", number) for e, numbers in kept for number in numbers]
    return [*mentions[:-1], replace(mentions[-1], end=placed.end() if placed else end)]


def _named_alone(reading: Reading, before: str, kept: Sequence[tuple[Element, Sequence[str]]]) -> bool:
    """Tell whether numbers in brackets that the holder has are places: "(1)P and (2)", "(3) applies".

    Letters are none without a cue: "in (a)", "a) or b)" and "(a) to (g)" mostly belong to what the sentence
    itself counts by letters, and their list stands in the same provision, so that nothing is missed.
    """
    elements = [element for element, _ in kept]
    known = all(reading.known("clause", "", number) for _, numbers in kept for number in numbers)
    plain = all(_PLAIN_SUB.fullmatch(element.first) for element in elements)
    if _CODED.search(before) or not known or not plain:
        return False
    if len(elements) > 1 or elements[0].last or elements[0].first.endswith("P"):
        return True
    return not reading.known("formula", "", elements[0].first) and stands_as_place(reading, before, elements)


def _bare_mentions(elements: Sequence[Element], kind: ReferenceKind, label: str = "") -> list[Mention]:
    return [
        Mention(element.start, element.end, kind, label, number)
        for element in elements
        for number in expand(element.first, element.last)
    ]


@mechanism("references.relative", without=lambda *_: [])
def read_relative(reading: Reading, at: int) -> list[Mention]:
    """Return the position-word reference that starts here, in a list for its neighbours' sake."""
    national = reading.words.national.match(reading.text, at)
    if national:
        return [Mention(at, national.end(), "relative", "", NATIONAL)]
    relative = reading.words.relative
    match = reading.words.phrases.match(reading.text, at)
    if not match or (match["this"] and match["noun"].casefold() in relative["only_after"]):
        return []
    way = next((way for way in ("this", "next", "previous") if match[way]), "")
    noun = match["noun"] or match["placed"]
    way = way or relative["after"][match["place"].casefold()]
    return [Mention(at, match.end(), "relative", "", f"{way} {noun.casefold()}")]
