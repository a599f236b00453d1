"""Definitions: terms, symbols and abbreviations with what they mean and where it is said.

Rules of this module: three forms are read. In the sections whose titles the scheme names: numbered
definitions ("1.5.3 term" with its meaning below), and lists told apart by type or columns
(`term_lines.py`), in which a meaning stays where a scan has lost its symbol. Anywhere: a quoted term that
"means" something, as laws write. A term's label is the term as printed; a second definition of it carries
the place that says it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from appliance.document import Box, Clause, Label, Passage, Term, boxes_between
from appliance.ingest.grammar.words import Words, load_words
from appliance.ingest.page import Line, PageContent, PageLayout, box_on
from appliance.ingest.passage import join_lines, vocabulary
from appliance.ingest.pieces import prefixed, stacked
from appliance.ingest.schemes import Scheme
from appliance.ingest.sentences import sentence_spans
from appliance.ingest.term_lines import Entry, in_columns, set_apart

Kind = Literal["term", "symbol", "abbreviation"]
LONGEST_TERM = 90  # characters
LONGEST_SYMBOL, SYMBOL_WORDS = 24, 4
_QUOTES = ("'", '"', "‘", "’")
LOST = "(sign not read)"  # stands for a symbol that a scan's text layer has not
SEVERAL = 2  # numbered clauses that make a section one of numbered definitions
_TERM = r"[“‘\"'](?P<term>[^“”‘’\"\n]{2,70})[”’\"']"
_QUOTED = rf"{_TERM}[^\w\s(]?(?:\s\([^()]{{2,60}}\))?,?\s+(?:in relation to [^,]{{3,60}},\s+)?"
_NAMED = re.compile(rf"(?<=\w)\s+\({_TERM}\)")
_BROKEN_M = re.compile(r"nl|n1|rn|111|lll")
_TITLE_NUMBER = re.compile(r"^(?:(?:[A-Z][a-z]+\s+)?[A-Z]?[\d.]*[:.]?\s+)?(?=\S)")


def find_terms(clauses: Sequence[Clause], layouts: Sequence[PageLayout], scheme: Scheme) -> tuple[Term, ...]:
    """Return the definitions of a document in the order of their places."""
    words = load_words(scheme.name)
    listed = _Listing(layouts, words, scheme)
    homes = _definition_places(clauses, scheme)
    titles = _titles(scheme)
    found: list[_Found] = []
    for clause in clauses:
        if clause.label in homes and clause.parent not in homes:
            listing = _in_section(clause, clauses, listed, homes)
            found += [one for one in listing if not _is_title(one.term, titles)]
        found += [_Found(clause.label, *entry, "term") for entry in _quoted(clause, words)]
    return _labelled(found, clauses)


class _Found(NamedTuple):
    """A definition and the clause that it stands in, not yet labelled."""

    place: Label
    term: str
    passage: Passage
    boxes: tuple[Box, ...]
    kind: Kind


class _Listing:
    """The printed lines of a document by their box, and what is needed to join them again."""

    def __init__(self, layouts: Sequence[PageLayout], words: Words, scheme: Scheme) -> None:
        titles = _titles(scheme)
        self.words = words
        self.lines = {
            box_on(page.content, line.x0, line.y0, line.x1, line.y1): line
            for page in layouts
            for line in page.lines
            if not _is_title(line.text, titles)
        }
        self.pages: Mapping[int, PageContent] = {page.content.number: page.content for page in layouts}
        self.vocabulary = vocabulary(layouts)

    def within(self, boxes: Sequence[Box]) -> list[Line]:
        """Return the lines that stand in the boxes, in reading order."""
        return [line for box, line in self.lines.items() if any(_inside(box, other) for other in boxes)]

    def entries(self, lines: Sequence[Line], kind: Kind) -> list[Entry]:
        """Return terms with their lines, by columns for symbols, else by type."""
        spoken = self.words.definitions
        scanned = any(self.pages[line.page].trust == "ocr" for line in lines)
        lost = LOST if kind == "symbol" and scanned else ""
        columns = in_columns(lines, lost) if kind != "term" else []
        if kind == "symbol":
            columns = [entry for entry in columns if _like_symbol(entry.term)]
        return columns or set_apart(lines, frozenset(spoken["articles"]), spoken["others"])

    def meaning(self, entry: Entry) -> tuple[str, Passage, tuple[Box, ...]]:
        """Return term, meaning and boxes of an entry."""
        passage = join_lines(entry.meaning, self.pages, self.vocabulary, skip=entry.skip)
        boxes = tuple(box_on(self.pages[line.page], line.x0, line.y0, line.x1, line.y1) for line in entry.own)
        return mended(entry.term, self.vocabulary), passage, boxes


def mended(term: str, vocabulary: Collection[str]) -> str:
    """Return a term without stray marks, its words as the document writes them elsewhere.

    A poor text layer has "structural elenlents" and "'fire compartment"; the meaning stays as printed.
    """
    for mark in _QUOTES:
        if term.count(mark) == 1 and not re.search(rf"\w{mark}\w|s{mark}", term):
            term = term.replace(mark, "")
    for word in set(re.findall(r"\w{4,}", term)):
        whole = _BROKEN_M.sub("m", word)
        if whole != word and whole.casefold() in vocabulary:
            term = term.replace(word, whole)
    return term.strip()


def _like_symbol(term: str) -> bool:
    """Tell whether it can be a symbol, or several: short, and no run of words."""
    return len(term) <= LONGEST_SYMBOL and len(term.split()) <= SYMBOL_WORDS


def _definition_places(clauses: Sequence[Clause], scheme: Scheme) -> dict[Label, Kind]:
    """Return the clauses that are, or stand in, a section of definitions, with what it defines."""
    spoken = load_words(scheme.name).definitions
    titles = _titles(scheme)
    places: dict[Label, Kind] = {}
    for clause in clauses:
        title = _plain_title(_TITLE_NUMBER.sub("", clause.title))
        if title in titles or (clause.title and _plain_title(clause.title) in titles):
            places[clause.label] = _kind_of(title, spoken)
        elif clause.parent in places:
            places[clause.label] = _kind_of(title, spoken, places[clause.parent])
    return places


def _titles(scheme: Scheme) -> frozenset[str]:
    return frozenset(map(_plain_title, scheme.definition_titles))


def _is_title(term: str, titles: Collection[str]) -> bool:
    """Tell whether this is the title of a section of definitions itself: "1602.1 Definitions."."""
    return _plain_title(_TITLE_NUMBER.sub("", term)) in titles


def _plain_title(title: str) -> str:
    """Return a title in lower case, "m" where a poor text layer has "nl" or the like ("Synlbols")."""
    return _BROKEN_M.sub("m", title.casefold()).strip(" .:")


def _kind_of(title: str, spoken: Mapping[str, tuple[str, ...]], parent: Kind = "term") -> Kind:
    words = set(re.findall(r"\w+", title))
    if words & set(spoken["symbols"]) and not words & {"terms", "definitions"}:
        return "symbol"
    return "abbreviation" if words & set(spoken["abbreviations"]) and "symbols" not in words else parent


def _in_section(
    section: Clause, clauses: Sequence[Clause], listed: _Listing, homes: Mapping[Label, Kind]
) -> Iterator[_Found]:
    """Yield the definitions of a section: of its numbered clauses each, else of its lines."""
    family = _family(section, clauses)
    numbered = [clause for clause in family[1:] if clause.kind == "clause" and homes[clause.label] == "term"]
    if len(numbered) >= SEVERAL:
        for clause in numbered:
            for term, passage, places in _titled(clause, clauses):
                yield _Found(clause.label, mended(term, listed.vocabulary), passage, places, "term")
        return
    for kind in ("term", "symbol", "abbreviation"):
        boxes = [box for clause in family if homes[clause.label] == kind for box in clause.boxes]
        lines = listed.within(boxes)
        for entry in listed.entries(lines, kind) if lines else ():
            yield _Found(section.label, *listed.meaning(entry), kind)


def _family(section: Clause, clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clause and all that stands below it, in order."""
    below = {section.label}
    family = [section]
    for clause in clauses:
        if clause.parent in below and clause.label not in below:
            below.add(clause.label)
            family.append(clause)
    return family


def _inside(inner: Box, outer: Box) -> bool:
    """Tell whether the middle of a line stands in a box."""
    across, down = (inner.x0 + inner.x1) / 2, (inner.y0 + inner.y1) / 2
    return inner.page == outer.page and outer.x0 <= across <= outer.x1 and outer.y0 <= down <= outer.y1


def _titled(clause: Clause, clauses: Sequence[Clause]) -> Iterator[tuple[str, Passage, tuple[Box, ...]]]:
    """Yield the definition of a clause whose title, or first line, is the term."""
    below = [other for other in clauses if other.parent == clause.label]
    if clause.kind in ("note", "section") or any(other.title for other in below):
        return
    hanging = [_marked(other) for other in below]
    boxes = tuple(dict.fromkeys([*clause.boxes, *(box for other in below for box in other.boxes)]))
    if clause.title and clause.passage.text:
        yield clause.title.strip(" :*"), stacked([clause.passage, *hanging]), boxes
        return
    first = clause.passage.lines[0] if len(clause.passage.lines) > 1 else None
    term = clause.passage.text[: first.end].strip(" :*") if first else ""
    if first and 0 < len(term) <= LONGEST_TERM and not term.endswith((".", ";", ",")):
        yield term, stacked([_rest(clause.passage, first.end), *hanging]), boxes


def _marked(clause: Clause) -> Passage:
    """Return a note or item below a definition with its number."""
    return prefixed(clause.marker, clause.passage)


def _rest(passage: Passage, start: int) -> Passage:
    """Return the passage from a position on."""
    start += len(passage.text[start:]) - len(passage.text[start:].lstrip())
    lines = tuple(
        type(span)(max(span.start - start, 0), span.end - start, span.box)
        for span in passage.lines
        if span.end > start
    )
    return Passage(passage.text[start:], lines)


def _quoted(clause: Clause, words: Words) -> Iterator[tuple[str, Passage, tuple[Box, ...]]]:
    """Yield the terms that a clause defines in quotation marks.

    “The developer” means what follows in its sentence; (“the developer”) names what stands before.
    """
    text = clause.passage.text
    spans = sentence_spans(text)
    loose = () if clause.kind == "front" else words.definitions["describes"]
    means = "|".join((*words.definitions["means"], *loose))
    for match in (*re.finditer(rf"{_QUOTED}(?P<means>{means})\b", text), *_NAMED.finditer(text)):
        start, end = next(((a, b) for a, b in spans if a <= match.start() < b), (0, len(text)))
        if match.re is not _NAMED:
            start = match.start("means")
        end = max(end, match.end())
        yield (
            match["term"].strip(),
            _cut(clause.passage, start, end),
            boxes_between(clause.passage, start, end),
        )


def _cut(passage: Passage, start: int, end: int) -> Passage:
    return _rest(
        Passage(passage.text[:end], tuple(span for span in passage.lines if span.start < end)), start
    )


def _labelled(found: Sequence[_Found], clauses: Sequence[Clause]) -> tuple[Term, ...]:
    """Return the terms with labels that are unique in the document."""
    used = {clause.label for clause in clauses}
    terms: list[Term] = []
    for place, term, passage, boxes, kind in found:
        label = Label((term,))
        number = 1
        while label in used:
            label = Label((str(place), term) if number == 1 else (str(place), str(number), term))
            number += 1
        used.add(label)
        terms.append(Term(term, passage, label, boxes, kind))
    return tuple(terms)
