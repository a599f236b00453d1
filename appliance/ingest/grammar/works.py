"""Titled works that are no standard and no law, and volumes: "the Manual for Streets", "Volume 2".

Rules of this module: find only. Such a title is a host of the parts beside it ("Table 3 of the Design
Guide for Drains") and no reference by itself. It has more than its noun ("the Code" may be this very one),
is not the document's own title, and no "this" stands before it. A volume that goes on with the title of
its work ("Volume 2 of the Manual to the Building Regulations") belongs to that work.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from appliance.ingest.grammar.hosts import Host
from appliance.ingest.grammar.words import Words

LONGEST = 8  # words before the noun of a title, and after it
_THIS = re.compile(r"\b(?:this|these|present)\s+$", re.IGNORECASE)


def with_works(hosts: Mapping[int, Host], text: str, words: Words, title: str) -> dict[int, Host]:
    """Return the hosts of a text with its titled works and volumes; `title` has all names of the document."""
    found = dict(hosts)
    nouns = words.instruments["works"]
    named: dict[str, str] = {}
    for match in _works(nouns, words.instruments["joints"]).finditer(text) if _any_in(nouns, text) else ():
        host = _work(match, words, title, named)
        inside = [one for one in hosts.values() if host and one.start < host.end and host.start < one.end]
        if host and not any(one.standard or one.start <= host.start for one in inside):
            found[host.start] = host
            named[match["noun"]] = host.designation
    for match in re.finditer(words.volumes, text) if words.volumes else ():
        if not any(host.start <= match.start() < host.end for host in found.values()):
            name = " ".join(match.group().split())
            found[match.start()] = Host(match.start(), match.end(), name, False, False, work=True)
    return found


def _any_in(nouns: tuple[str, ...], text: str) -> bool:
    return any(noun in text for noun in nouns)


def _work(match: re.Match[str], words: Words, title: str, named: Mapping[str, str]) -> Host | None:
    """Return the work whose title this is, None where it is only a noun or this document itself.

    A noun alone is the work that was `named` with it before: "the Manual".
    """
    start, skipped = match.start(), {*words.instruments["openers"], *words.instruments["joints"]}
    for word in re.finditer(r"\S+\s+", match.string[start : match.start("noun")]):
        if word.group().strip().casefold() not in skipped:
            break
        start = match.start() + word.end()
    name = " ".join(match.string[start : match.end()].split())
    if _THIS.search(match.string, 0, start):
        return None
    if name == match["noun"]:
        name = named.get(name, "")
    if not name or name.casefold() in title.casefold():
        return None
    return Host(start, match.end(), name, False, False, work=True)


@cache
def _works(nouns: tuple[str, ...], joints: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of a title: capitalised words, its noun, what it is of, its letter or year."""
    word, small = r"[A-Z][\w’'&-]*", "|".join(re.escape(joint) for joint in joints)
    before = rf"(?:{word}\s+(?:(?:{small})\s+){{0,2}}){{0,{LONGEST}}}?"
    after = rf"(?:\s+(?:(?:{small})\s+){{1,2}}{word}(?:\s+{word}){{0,{LONGEST}}}){{0,4}}"
    return re.compile(
        rf"(?<![\w-]){before}(?P<noun>{'|'.join(nouns)})\b(?:{after})(?:\s+(?:[A-Z]|\d|(?:19|20)\d\d)(?![\w.(-]))?"
    )
