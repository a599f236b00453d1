"""Whose part a mention names, where the document is named before it or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from appliance.core.document import Document
from appliance.core.mechanisms import mechanism
from appliance.ingest.references.hosts import NATIONAL, Host, Mention, Reading
from appliance.ingest.references.names import read_name
from appliance.ingest.references.words import Owner
from appliance.text.designations import fold_designation, load_edition_words, same_document_part

FAR = 120  # characters between a standard, or a part of it, and the parts that follow a title
TOLD = 240  # the same where words tell that the sentence names parts of that standard
LONGEST_HOST = 120  # characters of a designation
_OF_STANDARDS = frozenset({"clause", "annex", "part", "table", "figure"})
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])")
_PART = re.compile(r"\d+(?:-\d+)*")
_WHOLE = re.compile(r"[A-Za-z /]+\d+")  # a designation without Part and year


@dataclass(frozen=True, slots=True)
class Carried:
    """The standard of what stands at [start, end), its Part by number, and if words told so."""

    start: int
    end: int
    designation: str
    part: str = ""
    told: bool = False


@mechanism(
    "references.context",
    "The document named before carries over to the next reference.",
    without=lambda mention, _reading, carried: (mention, carried),
)
def in_context(mention: Mention, reading: Reading, carried: Carried | None) -> tuple[Mention, Carried | None]:
    """Return a mention with the standard that the text before gives it, and what is carried on."""
    if mention.kind not in _OF_STANDARDS or not mention.label + mention.number:
        return mention, carried
    if mention.designation:
        named = {host.designation for host in reading.hosts.values() if host.standard}
        return mention, _carry(mention, None) if mention.designation in named else None
    name = read_name(reading, mention.start)
    if name and name[1].own:
        return mention, carried
    source = _source(mention, reading, carried)
    if not source or (not source.told and reading.has(mention.kind, mention.label, mention.number)):
        return mention, carried
    if not source.told and _is_own(mention, reading, source, bare=not name):
        return mention, carried
    part = source.part if mention.kind != "part" and _has_parts(source, reading) else ""
    designation = f"{source.designation}-{part}" if part else source.designation
    return replace(mention, designation=designation), _carry(mention, source)


def _is_own(mention: Mention, reading: Reading, source: Carried, *, bare: bool) -> bool:
    """Tell whether a part that this document lacks is its own all the same, and not the standard's."""
    gap = reading.text[max(0, source.end) : mention.start]
    if _SENTENCE.search(gap):
        return True
    numbers = mention.number.split(".")
    return bare and any(
        reading.known(mention.kind, mention.label, ".".join(numbers[:end])) for end in range(2, len(numbers))
    )


def _has_parts(source: Carried, reading: Reading) -> bool:
    """Tell whether the Part carried completes the designation: that of a standard, by a number."""
    volume = reading.words.volumes and re.search(reading.words.volumes, source.designation)
    return not volume and bool(_WHOLE.fullmatch(source.designation) and _PART.fullmatch(source.part))


def over_line(reading: Reading) -> Carried | None:
    """Return the standard that a line leaves to the next one: it ends in "The relevant clauses are"."""
    end = len(reading.text)
    hosts = [host for host in reading.hosts.values() if host.standard and host.end + TOLD >= end]
    if hosts and _told(reading, max(host.end for host in hosts), end):
        host = max(hosts, key=lambda host: host.end)
        return Carried(-1, 0, host.designation, told=True)
    return None


def hosts_before(mention: Mention, reading: Reading, reach: int = FAR) -> list[Host]:
    """Return the documents named shortly before, nearest last."""
    near = range(max(0, mention.start - reach - LONGEST_HOST), mention.start)
    hosts = [reading.hosts[at] for at in near if at in reading.hosts]
    return [host for host in hosts if host.end <= mention.start <= host.end + reach]


def _source(mention: Mention, reading: Reading, carried: Carried | None) -> Carried | None:
    """Return the nearer of the standard named before and of what is carried."""
    if carried and (carried.start, carried.end) == (mention.start, mention.end):
        return carried
    near = [host for host in hosts_before(mention, reading, TOLD) if host.standard]
    host = max(near, key=lambda host: host.end, default=None)
    follows = carried and _follows(carried, mention, reading)
    if carried and follows and not (host and host.end > carried.end):
        return carried
    told = host is not None and _told(reading, host.end, mention.start)
    if not host or not (told or mention.start <= host.end + FAR):
        return None
    return Carried(host.start, host.end, host.designation, told=told)


def _follows(carried: Carried, mention: Mention, reading: Reading) -> bool:
    gap = reading.text[max(0, carried.end) : mention.start]
    return carried.end <= mention.start and len(gap) <= FAR and not _SENTENCE.search(gap)


def _told(reading: Reading, start: int, end: int) -> bool:
    """Tell whether the sentence that ends here says that it names the parts that matter of a standard."""
    told = [match.end() for match in reading.words.told.finditer(reading.text, start, end)]
    return bool(told) and not _SENTENCE.search(reading.text, told[-1], end)


def _carry(mention: Mention, source: Carried | None) -> Carried:
    """Return what goes on from a mention: a Part is that of the clauses behind it."""
    named = mention.kind == "part" and mention.label
    designation = source.designation if source else mention.designation
    part = mention.number if named else (source.part if source else "")
    return Carried(mention.start, mention.end, designation, part, told=bool(source and source.told))


_PARTED = re.compile(r"^(?P<part>[A-Z]{1,2}\d{1,2})-(?P<number>[A-Z]?\.?\d.*)$")
_CODE = re.compile(r"^[A-Z]{1,2}\d")


def settle(mention: Mention, document: Document, reading: Reading) -> Mention | None:
    """Return the mention with its document made plain, "" for this one; None if it names only itself."""
    if mention.kind == "relative":
        return _national(mention, document, reading)
    if mention.part:
        mention = _in_other_part(mention, document, reading)
    mention = _in_series(mention, document, reading)
    mention = _own(mention, document)
    if mention.kind == "document" and not mention.designation:
        return None
    mention = _parted(mention, reading)
    if _is_requirement(mention, reading):
        mention = replace(mention, kind="requirement", label=reading.words.code)
    for owner in reading.words.owners:
        fits = owner.label == mention.label and not owner.series
        match = owner.number.fullmatch(mention.number) if fits else None
        if match and _applies(owner, mention, reading):
            return replace(mention, designation=match.expand(owner.designation))
        if match and _is_owner(mention.designation, owner):
            return replace(mention, designation="")
    return _of_parent(mention, document, reading)


def _in_other_part(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a part of a Part that is another document, or that nothing here is: "clause 1.2 of Part 2"."""
    label, number = mention.part or ("", "")
    whole = settle(Mention(mention.start, mention.end, "part", label, number), document, reading)
    if whole and whole.designation:
        return replace(mention, designation=whole.designation, part=None)
    return replace(mention, label="", number=f"{label} {number} {mention.number}", part=None)


def _national(mention: Mention, document: Document, reading: Reading) -> Mention | None:
    """Return the national annex named without a designation as that of this document, None if it is one."""
    if mention.number != NATIONAL:
        return mention
    if re.match("|".join(map(re.escape, reading.words.annexes)), document.designation):
        return None
    undated = document.designation.partition(":")[0]
    return replace(mention, designation=reading.words.relative["own"].format(undated)) if undated else None


def _in_series(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a Part as the document of the series that it is: "Part 1-2", "EN 1993 Part 1-2"."""
    for owner in reading.words.owners:
        match = owner.number.fullmatch(mention.number) if owner.label == mention.label else None
        if not match or not owner.series:
            continue
        whole = fold_designation(mention.designation or document.designation).key
        series = owner.series.match(whole)
        if series and not (mention.designation and series.end() < len(whole)):
            if not mention.designation and reading.has(mention.kind, mention.label, mention.number):
                continue
            designation = match.expand(owner.designation).format(series=series[1])
            return Mention(mention.start, mention.end, "document", "", "", designation)
    return mention


def _of_parent(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a part that a national annex names and does not have as one of the code it is an annex to."""
    parent = _parent(document.designation)
    if not parent or mention.designation or mention.kind in ("relative", "note", "requirement"):
        return mention
    if mention.number.startswith(reading.words.annexes) or reading.has(
        mention.kind, mention.label, mention.number
    ):
        return mention
    return replace(mention, designation=parent)


@lru_cache(maxsize=64)
def _parent(designation: str) -> str:
    """Return the code that "NA to BS EN 1990:2002" and "DIN EN 1990/NA" belong to, "" for no annex."""
    found = (pattern.search(" ".join(designation.split())) for pattern in load_edition_words().annexes)
    return next((match["parent"] for match in found if match), "")


def _is_requirement(mention: Mention, reading: Reading) -> bool:
    """Tell whether "Parts K1 and K2" or "paragraph H2" names a requirement by its code."""
    label = reading.words.code
    if not label or not _CODE.match(mention.number) or mention.kind not in ("part", "clause"):
        return False
    return reading.has("requirement", label, mention.number) and not reading.has(
        mention.kind, mention.label, mention.number
    )


def _applies(owner: Owner, mention: Mention, reading: Reading) -> bool:
    if mention.designation and not _is_owner(mention.designation, owner):
        return False
    if mention.designation and mention.kind == "part":
        return True  # "Part D of Schedule 1 to the ... Regulations"
    return not reading.has(mention.kind, mention.label, mention.number)


def _is_owner(designation: str, owner: Owner) -> bool:
    return bool(designation) and (designation in owner.same or owner.designation.startswith(designation))


def _own(mention: Mention, document: Document) -> Mention:
    """Return a mention of this document's own part as internal, with the Part that the name adds."""
    part = same_document_part(mention.designation, document) if mention.designation else None
    if part is None or (part and not mention.number):
        return mention
    return replace(mention, designation="", number=f"{part} {mention.number}".strip())


def _parted(mention: Mention, reading: Reading) -> Mention:
    """Return "H1-2.17" as clause 2.17 of Part H1, where the document has such a one."""
    match = _PARTED.match(mention.number) if mention.kind == "clause" else None
    if match and not mention.designation and reading.has("clause", "", f"{match['part']} {match['number']}"):
        return replace(mention, number=f"{match['part']} {match['number']}")
    return mention
