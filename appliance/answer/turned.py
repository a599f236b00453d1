"""Statements for one of two cases: "where a hood does not vent outside" beside "where a hood vents outside".

Rules of this module: pure. Read are the conditions of a caption and a heading, and those of the sentences
that give a quantity of the kind asked for. A condition begins with a word such as "where" or "with"; it is
turned by a negation in it ("no", "not") or by the word it begins with ("without"); "not more than" is a bound
and turns nothing, and that something is "provided" or "fitted" says no more than that it is there. A
statement is for the opposite where it turns what the question states, or states what the question turns.
Where a question says nothing of it, one of two statements for the two cases is no sure answer, and the one
whose case is not turned stands first. An exception ("unless") leaves the rule standing, but one in a heading
("for buildings other than houses") says what it is not for. Only questions for a value are looked at. Words:
data/answer/columns.toml, data/answer/fitting.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from appliance.answer.contrary import stated_and_turned
from appliance.answer.findings import Finding, holds_what_is_asked
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.lookup import words
from appliance.tables.ranges import alike
from appliance.text.quantities import quantities
from appliance.text.sentences import sentence_spans

LONG = 3  # letters of a word that may state a condition
READ = 8  # statements among which the other case is looked for
SAME = 0.5  # share of the words about a turned condition that the other case names at least

_END = re.compile(r"[,;:|()\n]|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a condition states and what it turns, by words in the form in which they are compared.

    `excepted`: it is turned by an exception, which has no other side of its own.
    """

    stated: frozenset[str]
    turned: frozenset[str] = frozenset()
    excepted: bool = False


def right_case_first(query: Query, chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, before one for the opposite case or a turned one that for the case asked about."""
    if not chosen or not _is_asked(query) or "exact" in chosen[0].place.found_by:
        return tuple(chosen)
    first, own = chosen[0], _own(query)
    held = _conditions(query, first)
    against, untold = _opposite(own, held), any(_is_open(own, one) for one in held)
    for finding in chosen[1:READ] if against or untold else ():
        fits = not _opposite(own, _conditions(query, finding))
        if fits and (against or _twin(query, first, finding)) and _gives_as_much(query, first, finding):
            return (finding, *(item for item in chosen if item is not finding))
    return tuple(chosen)


def other_case(query: Query, chosen: Sequence[Finding]) -> str:
    """Return in a sentence that the first finding is for another case than asked about, or may well be.

    "" where it is for the case asked about, or for all.
    """
    if not chosen or not _is_asked(query) or "exact" in chosen[0].place.found_by:
        return ""
    first, own = chosen[0], _own(query)
    held = _conditions(query, first)
    if _opposite(own, held):
        return f"{first.place.label} is for another case than asked about"
    for finding in chosen[1:READ]:
        twin = _twin(query, first, finding) or _twin(query, finding, first)
        if twin and not _told(own, twin) and finding.place.label != first.place.label:
            labels = f"{first.place.label} and {finding.place.label}"
            return f"{labels} are for two cases, and the question does not say which"
    return ""


def conditions(text: str, *, heading: bool = False) -> Iterator[Condition]:
    """Yield the conditions that a text states; what a heading excepts ("other than") it is not for."""
    if heading and (excepted := _excepting().search(text)):
        yield Condition(frozenset(), _telling(text[excepted.end() :]), excepted=True)
        return
    for part in _END.split(_bounds().sub(" ", text)):
        opened = ""
        for said in _openings().split(part):
            if _openings().fullmatch(said):
                opened = said.casefold()
            elif opened and opened not in _stating():
                yield from _condition(opened, said)


def _condition(opened: str, said: str) -> Iterator[Condition]:
    if opened in _turning():
        found = Condition(frozenset(), _telling(said))
    else:
        before, *behind = _negation().split(said, maxsplit=1)
        found = Condition(_telling(before), _telling(" ".join(behind)))
    if found.stated or found.turned:
        yield found


def _conditions(query: Query, finding: Finding) -> list[Condition]:
    """Return the conditions of a finding: of what stands over it, and of all its sentences with a value."""
    over = (finding.place.title, *finding.place.heading_path[-1:])
    found = [one for text in over for one in conditions(text, heading=True)]
    if finding.marked or finding.place.kind == "figure":  # rows are told apart where they are chosen
        return found
    kinds = frozenset(query.kinds)
    held = [text for text in _sentences(finding.text) if any(kinds & one.kinds for one in quantities(text))]
    own = [list(conditions(text)) for text in held]
    return [*found, *(one for each in own for one in each)] if all(own) else found


def _sentences(text: str) -> Iterator[str]:
    yield from (text[slice(*span)] for span in sentence_spans(text))


def _own(query: Query) -> Condition:
    """Return what a question states, by other names too, and what it turns: any word may state a case."""
    stated, turned = stated_and_turned(query.spelt or query.text)
    ways = (way for idea in query.concepts for way in idea.others if not _excepting().search(way))
    named = frozenset(word for way in ways for word in _telling(way) if len(way.split()) == 1)
    return Condition(stated | (named - turned), turned)


def _opposite(asked: Condition, held: Iterable[Condition]) -> bool:
    """Tell whether a condition turns what the question states, or states what it turns."""
    for one in held:
        turns = bool(one.turned) and all(_among(word, asked.stated) for word in one.turned)
        if turns or any(_among(word, one.stated) for word in asked.turned - asked.stated):
            return True
    return False


def _is_open(asked: Condition, one: Condition) -> bool:
    """Tell whether a condition is one of two cases of which the question says nothing."""
    return bool(one.turned) and not one.excepted and not _told(asked, one)


def _told(asked: Condition, one: Condition) -> bool:
    """Tell whether a question says whether what a condition turns is so: it says all that sets it apart."""
    said = asked.stated | asked.turned
    return all(_among(word, said) for word in one.turned)


def _twin(query: Query, turned: Finding, other: Finding) -> Condition | None:
    """Return the turned condition of a finding that another one states straight, None where there is none."""
    for one in _conditions(query, turned):
        for straight in _conditions(query, other) if one.turned and not one.excepted else ():
            about = [*one.turned, *one.stated]
            met = sum(_among(word, straight.stated) for word in about)
            all_turned = all(_among(word, straight.stated) for word in one.turned)
            if not straight.turned and all_turned and met >= SAME * len(about):
                return one
    return None


def _gives_as_much(query: Query, first: Finding, finding: Finding) -> bool:
    return holds_what_is_asked(query, finding.text) >= holds_what_is_asked(query, first.text)


def _is_asked(query: Query) -> bool:
    return query.intent == "value" and bool(query.kinds)


def _telling(text: str) -> frozenset[str]:
    stop = load_lexicon().stop | {*_words("present")}
    return frozenset(
        word
        for said in text.casefold().split()
        if said not in stop
        for word in words(said)
        if len(word) >= LONG
    )


def _among(word: str, others: Iterable[str]) -> bool:
    return any(alike(word, other) for other in others)


@cache
def _openings() -> re.Pattern[str]:
    """Return what finds, and keeps, a word that begins a condition or what is required."""
    said = sorted((*_cases(), *_turning(), *_stating()), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, said))})\b", re.IGNORECASE)


@cache
def _cases() -> frozenset[str]:
    return frozenset((*shipped("answer/fitting")["cases"], *_words("having"))) - {*_words("letting")}


@cache
def _turning() -> frozenset[str]:
    return frozenset(_words("turning"))


@cache
def _stating() -> frozenset[str]:
    """Return the words behind which no condition stands: what is required, and what is excepted from it."""
    return frozenset((*shipped("answer/fitting")["stating"], *_words("letting"), *_words("excepting")))


@cache
def _excepting() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _words('excepting')))})\b", re.IGNORECASE)


@cache
def _negation() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _words('negations')))})\b", re.IGNORECASE)


@cache
def _bounds() -> re.Pattern[str]:
    """Return what finds a bound that begins with a negation: "not more than"."""
    limits = (one for one in shipped("answer/particulars")["limits"] if _negation().match(one))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, limits))})\w*\b", re.IGNORECASE)


def _words(name: str) -> Sequence[str]:
    found: Sequence[str] = shipped("answer/columns")["contrary"][name]
    return found
