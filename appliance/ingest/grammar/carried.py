"""Parts whose standard was named before them: "BS 6297: Cesspools. The relevant clauses are in Section 1".

Rules of this module: pure. A part that this document lacks belongs to the standard named shortly
before it, and so does what follows it in the same sentence ("Clauses 3 to 6; Part 2 Pipework,
Clauses 4 and 5": those of Part 2). Words such as "the relevant clauses" tell that all that their
sentence names belongs to that standard, even what this document has as well. Without them it ends with
its sentence, and a bare number ("see also 3.3.6") is this document's own where it has clause 3.3: what it
lacks is then unresolved, and no part of another standard.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from appliance.ingest.grammar.hosts import Host
from appliance.ingest.grammar.mention import Mention, Reading
from appliance.ingest.grammar.names import read_name

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
    if _SENTENCE.search(gap) or _begins_anew(gap, reading):
        return True
    numbers = mention.number.split(".")
    return bare and any(
        reading.known(mention.kind, mention.label, ".".join(numbers[:end])) for end in range(2, len(numbers))
    )


def _begins_anew(gap: str, reading: Reading) -> bool:
    """Tell whether a second place begins behind a standard: "described in BS 1 and in Figure 2"."""
    last = gap.split()[-1:]
    return bool(
        last and reading.words.joins.fullmatch(gap) and reading.words.within.fullmatch(f" {last[0]} ")
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
