"""Definitions: terms, symbols and abbreviations with what they mean and where it is stated."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from appliance.core.document import Box, Clause, Label, Passage, Term, boxes_between
from appliance.core.mechanisms import mechanism
from appliance.core.page_boxes import in_box
from appliance.ingest.chunking import cut, prefixed, stacked
from appliance.ingest.layout.lines import join_lines, text_of, vocabulary
from appliance.ingest.layout.typography import gap
from appliance.ingest.page import Line, PageContent, PageLayout, Word, box_of
from appliance.ingest.references.part_words import Words, load_words
from appliance.ingest.structure.schemes import Scheme
from appliance.text.sentences import BULLETS, sentence_spans

WIDE = 1.0  # ems between a term and its meaning in a list of two columns
LONGEST = 9  # words of a term
NEW = 0.15  # ems between lines, beyond the usual of the list, that start a definition
ROWS = 3  # lines with the same second column that make a list of two columns
MARKER = 2  # characters of the mark of a list item: "A."
BRACKET = 24  # characters from a term to the end of a bracket that it opens
_SYMBOL = re.compile(r"\s*(?:\([^\W\d_][a-z]?\)|\[[^][]+\])$")  # "Breadth (b)", "creep [VIM 5.16]"
INDENTED = 0.6  # ems between the starts of two lines, of which one opens an item
_NUMBER = re.compile(r"^[A-Z]?[\d.]+\.?$")
_MARKER = re.compile(rf"^(?:[{BULLETS}]+|\(?(?:\d{{1,3}}|[a-z])[.)])$")
_BEHIND = re.compile(r":|.\s?[:–—-]\s")  # from the last sign of a term in capitals: what parts its meaning
Style = tuple[str, int, bool, bool]  # font, colour, bold, italic
Apart = Literal["weight", "italics", "capitals"]  # what sets a term apart


@dataclass(slots=True)
class Entry:
    """A term while its meaning is gathered; `skip` characters of the first line of meaning are the term's."""

    term: str
    meaning: list[Line] = field(default_factory=list)
    own: list[Line] = field(default_factory=list)
    skip: int = 0

    def take(self, line: Line, skip: int) -> None:
        """Take a line that opens with the term, or goes on it; the meaning may begin behind it."""
        self.own.append(line)
        if rest := line.text[skip:].lstrip(" *:–—-"):
            self.meaning.append(line)
            self.skip = len(line.text) - len(rest)


@mechanism("definitions.set_apart", without=lambda *_: [])
def set_apart(lines: Sequence[Line], articles: frozenset[str], others: tuple[str, ...]) -> list[Entry]:
    """Return the entries whose terms are bold or coloured, else those in italics, or more in capitals."""
    if beside := _beside(lines, articles, others):
        return beside
    found = _entries(lines, articles, others) or _entries(lines, articles, others, by="italics")
    return max(found, _entries(lines, articles, others, by="capitals"), key=len)


def _entries(
    lines: Sequence[Line], articles: frozenset[str], others: tuple[str, ...], *, by: Apart = "weight"
) -> list[Entry]:
    """Return the entries whose terms are set apart; terms in italics open by markers and indents, too.

    Those in capitals open by the dash or colon behind them.
    """
    body = _body(lines)
    usual = _usual_gap(lines, [line for line in lines if not _lead(line, body, articles, by=by)[0]])
    entries: list[Entry] = []
    before: Line | None = None
    for line in lines:
        opens = not before or not _follows(before, line) or gap(before, line) > usual + NEW
        if by == "italics" and before:  # an item opens by its marker, or further in or out than the last line
            marked = _MARKER.match(line.words[0].text) is not None and len(line.words) > 1
            opens = opens or marked or abs(line.x0 - before.x0) > INDENTED * line.size
        lead, skip = _lead(line, body, articles, by=by)
        if by == "capitals":
            opens = bool(_BEHIND.match(line.text[skip - 1 :]))
            lead = lead if opens else []
        last = entries[-1] if entries else None
        if lead and last and not last.meaning and last.own[0].bold and not lead[0].bold:
            lead, skip = [], 0  # the meaning of a bold term opens with a word in colour, a reference
        if lead and lead[0] is line.words[0] and last and not opens and not last.meaning:
            last.term = _plain(f"{last.term} " + " ".join(word.text for word in lead))
            last.take(line, skip)
        elif lead and (opens or _is_next(last, line, lead, skip)) and _is_term(line, lead, lines, others):
            entries.append(_started(line, lead, skip))
        elif last and not (opens and line.bold and len(lead) == len(line.words)):
            last.meaning.append(line)
            last.own.append(line)
        before = line
    return _told(entries)


def _beside(lines: Sequence[Line], articles: frozenset[str], others: tuple[str, ...]) -> list[Entry]:
    """Return the entries of a table of two columns, terms on the left; [] where there is none.

    They are set apart by their type, or by the white between the columns alone.
    """
    body = _body(lines)
    leads = [(line, lead) for line in lines if (lead := _lead(line, body, articles, by="weight")[0])]
    leads = [
        one for one in leads if one[1][0] is one[0].words[0] and _emphasised(one[1][0], body, by="weight")
    ]
    if plain := len(leads) < ROWS:
        splits = [(line, _wide_gap([line])) for line in lines]
        leads = [
            (line, list(line.words[:at])) for line, at in splits if len(text_of(line.words[:at])) > MARKER
        ]
    starts = Counter(round(line.words[len(lead)].x0) for line, lead in leads if len(lead) < len(line.words))
    edge, count = next(iter(starts.most_common(1)), (0, 0))
    below = sum(round(line.x0) == edge for line in lines)
    if count < max(ROWS, len(leads) / 2) or (below < ROWS and count + below < len(lines)):
        return []
    usual = _usual_gap(lines, [line for line in lines if line.x0 >= edge - 1])
    usual_style = Counter(_style(lead[0]) for _, lead in leads).most_common(1)[0][0]
    entries: list[Entry] = []
    before: Line | None = None
    for line in lines:
        left = [word for word in line.words if word.x0 < edge - 1]
        right = [word for word in line.words if word.x0 >= edge - 1]
        apart = right[:1] if plain else [word for word in left if not _emphasised(word, body, by="weight")]
        if left and any(not plain or word.x0 > edge + 1 for word in apart):
            before = None  # a line over both columns
            continue
        alike = all(_emphasised(word, body, by="weight") for word in line.words)
        if left and alike and (right or _style(left[0]) != usual_style):
            continue  # the heads of the columns
        opens = before is None or not _follows(before, line) or gap(before, line) > usual + NEW
        last = entries[-1] if entries else None
        ended = bool(last and last.meaning and last.meaning[-1].text.endswith((".", ";", ":")))
        upper = bool(left) and left[0].text[:1].isupper()
        if upper and (opens or ended) and _is_term(line, left, lines, others):
            entries.append(last := Entry(""))
        if last:
            last.term = _plain(f"{last.term} {text_of(left)}")
            last.own.append(line)
            if right:
                last.meaning.append(replace(line, text=text_of(right), words=tuple(right), x0=right[0].x0))
        before = line
    return _told(entries)


def _told(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that say something of a term, which goes without the number of its place."""
    named = [replace(entry, term=_NUMBERED.sub("", entry.term)) for entry in entries]
    return [entry for entry in named if entry.meaning and entry.term]


@mechanism("definitions.columns", without=lambda *_: [])
def in_columns(lines: Sequence[Line]) -> list[Entry]:
    """Return the entries of a list of two columns, symbols on the left; [] where there is no such list."""
    rows = _rows(lines)
    splits = [_wide_gap(row) for row in rows]
    if sum(map(bool, splits)) < ROWS:
        return []
    entries: list[Entry] = []
    for row, split in zip(rows, splits, strict=True):
        if split:
            term = text_of(_words(row)[:split])
            skip = len(term) if len(row) == 1 else 0
            meaning = [line for line in row if line.x1 > _words(row)[split].x0]
            lettered = term[:1].isalpha() and "." not in term and row is not rows[0]  # "A0", an area
            if lettered or not _NUMBER.match(term):  # the number of the section itself
                entries.append(Entry(_plain(term), meaning, list(row), skip))
        elif entries and _indented(row, entries[-1]):
            entries[-1].meaning += row
            entries[-1].own += row
    return entries


def _body(lines: Sequence[Line]) -> Style:
    counts: Counter[Style] = Counter()
    for line in lines:
        for word in line.words:
            counts[_style(word)] += len(word.text)
    return counts.most_common(1)[0][0] if counts else ("", 0, False, False)


def _follows(before: Line, line: Line) -> bool:
    return (before.page, before.column) == (line.page, line.column) and line.y0 > before.y0


def _usual_gap(lines: Sequence[Line], inner: Sequence[Line]) -> float:
    """Return the gap between the lines of one paragraph: the smallest common one before `inner` lines."""
    inside = set(map(id, inner))
    gaps = Counter(
        round(gap(before, line), 1)
        for before, line in pairwise(lines)
        if id(line) in inside and _follows(before, line)
    )
    common = [gap for gap, count in gaps.items() if count * 4 >= gaps.total()]
    return min(common, default=gaps.most_common(1)[0][0] if gaps else 0.2)


def _style(word: Word) -> Style:
    return word.font, word.colour, word.bold, word.italic


def _lead(line: Line, body: Style, articles: frozenset[str], *, by: Apart) -> tuple[list[Word], int]:
    """Return the emphasised words that open the line, and how many characters they end at."""
    start = 0
    for at, word in enumerate(line.words):
        opening = (at == 0 and len(word.text) == 1 and word.text.isupper()) or (
            at < 3 and word.text.casefold() in articles
        )
        if not _MARKER.match(word.text) and (not opening or _emphasised(word, body, by=by)):
            break
        start = at + 1
    if 0 < start < len(line.words) and line.words[start].glued:
        start -= 1  # the initial of the term, in other type
    end = start + 1
    while end < len(line.words) and _emphasised(line.words[end], body, by=by):
        last = line.words[end - 1]
        if last.text.endswith(":") and _style(last) != _style(line.words[end]):
            break  # the meaning opens with a word that is set apart in another way
        end += 1
        behind = line.words[end + 1 : end + 2]  # "ABOVE COMMERCIAL or RUAC PROPERTIES"
        end += by == "capitals" and any(_emphasised(word, body, by=by) for word in behind)
    if not any(_emphasised(word, body, by=by) for word in line.words[start:end]):
        return [], 0
    characters = 0
    for word in line.words[:end]:
        found = line.text.find(word.text, characters)
        characters = found + len(word.text) if found >= 0 else characters
    return list(line.words[start:end]), characters


def _emphasised(word: Word, body: Style, *, by: Apart) -> bool:
    if by == "capitals":
        return len(word.text) > 1 and word.text == word.text.upper()
    if by == "italics" and word.italic and not body[3] and word.rise == 0:
        return True
    return (word.bold and not body[2]) or (word.colour != body[1] and word.rise == 0)


def _is_term(line: Line, lead: Sequence[Word], lines: Sequence[Line], others: tuple[str, ...]) -> bool:
    text = " ".join(word.text for word in lead)
    sizes = sorted(other.size for other in lines)
    usual = sizes[len(sizes) // 2]
    if (
        sum(not word.glued for word in lead) > LONGEST
        or abs(line.size - usual) > 0.12 * usual
        or (text.rstrip().endswith(":") and len(line.words) == len(lead) > 3)
    ):
        return False
    return any(char.isalpha() for char in text) and not text.casefold().startswith(others)


def _is_next(last: Entry | None, line: Line, lead: Sequence[Word], skip: int) -> bool:
    """Tell whether a line inside the meaning opens the next entry: a colon behind a bold term, as before."""
    if last is None or not last.meaning or lead[0] is not line.words[0]:
        return False
    known = last.own[0]
    return _has_colon(line, skip) and any(
        _has_colon(known, end) for end in range(len(last.term), len(last.term) + 3)
    )


def _has_colon(line: Line, skip: int) -> bool:
    """Tell whether a colon stands behind the first `skip` characters of a line, or ends them."""
    return line.text[:skip].rstrip().endswith(":") or line.text[skip:].lstrip().startswith(":")


def _started(line: Line, lead: Sequence[Word], skip: int) -> Entry:
    """Return the entry that a line opens; a bracket that its term opens is closed, a symbol left out."""
    term = text_of(lead)
    closed = line.text.find(")", skip) + 1
    if term.count("(") > term.count(")") and skip < closed <= skip + BRACKET:
        term, skip = term + line.text[skip:closed], closed
    entry = Entry(_SYMBOL.sub("", _plain(term)))
    entry.take(line, skip)
    return entry


def _plain(term: str) -> str:
    return re.sub(r"\s+", " ", term.replace("*", " ")).strip(' :–—-,;=“”"')


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines grouped by what stands on one height, left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: (item.page, item.column, item.y0, item.x0)):
        last = rows[-1][-1] if rows else None
        if (
            last
            and (last.page, last.column) == (line.page, line.column)
            and line.y0 < last.y1 - 0.4 * (last.y1 - last.y0)
            and line.x0 > last.x0
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _words(row: Sequence[Line]) -> list[Word]:
    return sorted((word for line in row for word in line.words), key=lambda word: word.x0)


def _wide_gap(row: Sequence[Line]) -> int:
    """Return the position of the first word of the meaning, 0 where no wide gap parts a short term."""
    words = _words(row)
    for position, (left, right) in enumerate(pairwise(words), 1):
        if right.x0 - left.x1 > WIDE * max(left.size, right.size):
            return position if any(char.isalpha() for char in right.text) else 0
    return 0


def _indented(row: Sequence[Line], entry: Entry) -> bool:
    first = entry.meaning[0]
    counts = range(len(first.words))  # of words of the first line that are the term, some of them its indices
    skipped = next((n for n in counts if len(text_of(first.words[:n])) >= entry.skip), 0)
    start = min((word.x0 for word in first.words[skipped:]), default=first.x0)
    return row[0].page == first.page and row[0].x0 >= start - first.size


Kind = Literal["term", "symbol", "abbreviation"]
SEVERAL = 2  # numbered clauses that make a section one of numbered definitions
_TERM = r"[“‘\"'](?P<term>[^“”‘’\"\n]{2,70})[”’\"']"
_QUOTED = rf"{_TERM}[^\w\s(]?(?:\s\([^()]{{2,60}}\))?,?\s+(?:in relation to [^,]{{3,60}}?,?\s+)?"
_NAMED = re.compile(rf"(?<=\w)\s+\({_TERM}\)")
_OPENED = re.compile(
    rf"(?:[^\W\d_]+\s){{1,2}}{_QUOTED}(?P<means>)"
)  # a sentence: "The word “farm” shall include"
_PLAIN = rf"(?P<term>[A-Z][\w/&’'-]*(?:\s[\w/&’'-]+){{0,{LONGEST - 1}}}?)"  # "State of emergency shall mean"
_DASHED = re.compile(  # "Beam, built-up-laminated — A beam made by"
    rf"(?P<term>[^\W\d_][^\s.;:]*(?: (?![–—-]\s)[^\s.;:]+){{0,{LONGEST - 1}}})\s[–—-]\s(?P<means>)"
    r"(?=[^\W\d_])"
)
_STOPPED = re.compile(  # "Acceptable risk. Risk that is tolerable", where the places of a section open so
    rf"(?P<term>[A-Z“][^\s.;:]*(?: [^\s.;:]+){{0,{LONGEST - 1}}})[.:]\s+(?P<means>)(?=[A-Z“(])"
)
_NUMBERED = re.compile(  # "Section 202. Well", "3.2.1 test"
    r"^(?:[A-Z]\w+\s+\d[\d.-]*[.:]|\d+(?:\.\d+)+[:.]?)(?:\s+|$)"
)
_TITLE_NUMBER = re.compile(r"^(?:.*\s[–—-]\s+|(?:[A-Z]\w+\s+|§\s*)?[A-Z]?[\d.-]*[:.,]?\s+)?(?=\S)")


def find_terms(clauses: Sequence[Clause], layouts: Sequence[PageLayout], scheme: Scheme) -> tuple[Term, ...]:
    """Return the definitions of a document in the order of their places."""
    words = load_words(scheme.name)
    titles = frozenset(map(_plain_title, scheme.definition_titles))
    listed = _Listing(layouts, words, titles)
    homes = _definition_places(clauses, titles, words.definitions)
    stopped = _opening_with_terms(clauses, homes)
    found: list[_Found] = []
    names = set[str]()  # that the section lists otherwise
    for at, clause in enumerate(clauses):
        if clause.label in homes and clause.parent not in homes:
            section = _in_section(clause, clauses, listed, homes)
            own = [one for one in section if not _defines(_without_number(one.term), titles)]
            names = {_plain_title(one.term) for one in own if one.kind == "term"}
            below = takewhile(lambda other: other.parent in homes, clauses[at + 1 :])
            said = sum(
                any(_said(other, words, home=True, stopped=other.parent in stopped))
                for other in (clause, *below)
            )
            if len(names) < said:
                own, names = [one for one in own if one.kind != "term"], set()
            found += own
        home = clause.label in homes
        plain = home and not names
        quoted = (
            _Found(clause.label, *one, "term")
            for one in _said(clause, words, home=plain, stopped=clause.parent in stopped)
        )
        found += [one for one in quoted if not home or _plain_title(one.term) not in names]
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

    def __init__(self, layouts: Sequence[PageLayout], words: Words, titles: Collection[str]) -> None:
        self.spoken = words.definitions
        self.lines = {
            box_of(page.content, line): line
            for page in layouts
            for line in page.lines
            if not _defines(_without_number(line.text), titles)
        }
        self.pages: Mapping[int, PageContent] = {page.content.number: page.content for page in layouts}
        self.vocabulary = vocabulary(layouts)

    def within(self, boxes: Sequence[Box]) -> list[Line]:
        """Return the lines that stand in the boxes."""
        return [line for box, line in self.lines.items() if any(in_box(box, other) for other in boxes)]

    def entries(self, boxes: Sequence[Box], kind: Kind) -> Iterator[tuple[str, Passage, tuple[Box, ...]]]:
        """Yield the definitions in the boxes: in columns for symbols, else by type."""
        lines = self.within(boxes)
        found = in_columns(lines) if kind != "term" else []
        if lines and not found:
            found = set_apart(lines, frozenset(self.spoken["articles"]), self.spoken["others"])
        for entry in found:
            passage = join_lines(entry.meaning, self.pages, self.vocabulary, skip=entry.skip)
            yield entry.term, passage, tuple(box_of(self.pages[line.page], line) for line in entry.own)


def _definition_places(
    clauses: Sequence[Clause], titles: Collection[str], spoken: Mapping[str, tuple[str, ...]]
) -> dict[Label, Kind]:
    """Return the clauses that are, or stand in, a section of definitions, with what it defines."""
    places: dict[Label, Kind] = {}
    for clause in clauses:
        told = clause.title or clause.passage.text.partition(". ")[0]  # "3.2 Definitions. The following"
        title = _without_number(told)
        parts = re.split(r"[;\[]", told)  # "Applicability; definitions. [Amended 5-29-2013]"
        own = any(
            _defines(name, titles) for part in parts for name in (_without_number(part), _plain_title(part))
        )
        if not own and clause.parent not in places:
            continue
        said = set(re.findall(r"\w+", title))
        if said & set(spoken["symbols"]) and not said & {"terms", "definitions"}:
            places[clause.label] = "symbol"
        elif said & set(spoken["abbreviations"]) and "symbols" not in said:
            places[clause.label] = "abbreviation"
        else:
            places[clause.label] = "term" if own or clause.parent is None else places[clause.parent]
    return places


def _defines(title: str, titles: Collection[str]) -> bool:
    """Tell whether a title is one of definitions, or begins and ends as such: "Glossary of usual terms"."""
    known = {title.rstrip("s") for title in titles}
    words = [word.rstrip("s") for word in re.findall(r"\w+", title)]
    return title in titles or (bool(words) and {words[0], words[-1]} <= known)


def _plain_title(title: str) -> str:
    """Return a title in lower case without the stop or colon at its end."""
    return title.casefold().strip(" .:")


def _without_number(title: str) -> str:
    return _plain_title(_TITLE_NUMBER.sub("", title))


def _in_section(
    section: Clause, clauses: Sequence[Clause], listed: _Listing, homes: Mapping[Label, Kind]
) -> Iterator[_Found]:
    """Yield the definitions of a section: of its numbered clauses each, else of its lines."""
    below = {section.label}
    family = [section]  # and all that stands below it, in order
    for clause in clauses:
        comments = clause.kind == "clause" and clause.normative != section.normative
        if clause.parent in below and clause.label not in below and not comments:
            below.add(clause.label)
            family.append(clause)
    numbered = [clause for clause in family[1:] if clause.kind == "clause" and homes[clause.label] == "term"]
    titled = [
        _Found(clause.label, term, passage, places, "term")
        for clause in numbered
        for title, passage, places in _titled(clause, clauses)
        for term in _names(title, str(clause.label), listed.within(clause.boxes))
    ]
    kinds: tuple[Kind, ...] = ("term", "symbol", "abbreviation")
    places = {
        kind: [box for one in family if homes[one.label] == kind for box in one.boxes] for kind in kinds
    }
    by_line = [
        _Found(section.label, *one, kind) for kind in kinds for one in listed.entries(places[kind], kind)
    ]
    # else numbered paragraphs with lists of terms in them, or some of the numbers are not in the text
    enough = len(titled) >= SEVERAL and 2 * len(titled) >= len(by_line)
    yield from titled if enough else by_line


def _titled(clause: Clause, clauses: Sequence[Clause]) -> Iterator[tuple[str, Passage, tuple[Box, ...]]]:
    """Yield the definition of a clause whose title is the term."""
    below = [other for other in clauses if other.parent == clause.label]
    if clause.kind in ("note", "section") or any(other.title for other in below):
        return
    hanging = [prefixed(other.marker, other.passage) for other in below]
    boxes = tuple(dict.fromkeys([*clause.boxes, *(box for other in below for box in other.boxes)]))
    if clause.title and clause.passage.text:
        yield clause.title.strip(" :*"), stacked([clause.passage, *hanging]), boxes


def _names(title: str, number: str, lines: Sequence[Line]) -> list[str]:
    """Return the terms of a title: each line is one, but where it only goes on a filled one."""
    rows = [(text, line) for line in lines if (text := line.text.removeprefix(number).strip())]
    count = next((n for n in range(2, len(rows)) if " ".join(text for text, _ in rows[:n]) == title), 0)
    edge = max((line.x1 for line in lines), default=0.0)
    names: list[str] = []
    for at, (text, line) in enumerate(rows[:count]):
        before = rows[at - 1][1]
        if at and before.x1 + before.size / 2 + line.words[0].x1 - line.words[0].x0 > edge:
            names[-1] += f" {text}"
        else:
            names.append(text)
    return [_SYMBOL.sub("", name) for name in names or [title]]


def _opening_with_terms(clauses: Sequence[Clause], homes: Collection[Label]) -> frozenset[Label | None]:
    """Return the sections of definitions of whose places half or more open with a term and a stop."""
    opens: dict[Label | None, list[bool]] = defaultdict(list)
    for clause in clauses:
        if clause.label in homes and clause.kind != "note" and clause.passage.text:
            opens[clause.parent].append(_STOPPED.match(clause.passage.text) is not None)
    return frozenset(home for home, of in opens.items() if sum(of) >= max(SEVERAL, len(of) / 2))


def _said(
    clause: Clause, words: Words, *, home: bool, stopped: bool = False
) -> Iterator[tuple[str, Passage, tuple[Box, ...]]]:
    """Yield the terms that a clause defines in a sentence, in quotation marks.

    “The developer” means what follows in its sentence; (“the developer”) names what stands before. In a
    section of definitions that are set in no other way (`home`) the sentence may open with a plain term, or
    with one in quotation marks of which it says something else, and a place with a term before a dash, or
    (`stopped`) before a stop.
    """
    text = clause.passage.text
    spans = sentence_spans(text)
    loose = () if clause.kind == "front" else words.definitions["describes"]
    means = "|".join((*words.definitions["means"], *loose))
    matches = [*re.finditer(rf"{_QUOTED}(?P<means>{means})\b", text), *_NAMED.finditer(text)]
    plain = re.compile(rf"{_PLAIN}\s(?P<means>{'|'.join(words.definitions['means'])})\b")
    for a, b in spans if home else ():
        first = not a and (_DASHED.match(text) or (stopped and _STOPPED.match(text)))
        opened = _OPENED.match(text, a, b) or first or plain.match(text, a, b)
        if opened and not any(a <= match.start() < b for match in matches):
            matches.append(opened)
    for match in matches:
        start, end = next(((a, b) for a, b in spans if a <= match.start() < b), (0, len(text)))
        if match.re is not _NAMED:
            start = match.start("means")
        whole = match.re in {_DASHED, _STOPPED}  # it is all that the place says
        end = len(text) if whole else max(end, match.end())
        yield (
            match["term"].strip(" ,"),
            cut(clause.passage, start, end),
            boxes_between(clause.passage, start, end),
        )


def _labelled(found: Sequence[_Found], clauses: Sequence[Clause]) -> tuple[Term, ...]:
    """Return the terms with labels that are unique in the document."""
    used = {clause.label for clause in clauses}
    terms: list[Term] = []
    for place, term, passage, boxes, kind in found:
        label, number = Label((term,)), 1
        while label in used:
            label = Label((str(place), term) if number == 1 else (str(place), str(number), term))
            number += 1
        used.add(label)
        terms.append(Term(term, passage, label, boxes, kind))
    return tuple(terms)
