"""What references point to: an index of labels, and exactly one place, or unresolved with the reason."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from string import ascii_uppercase, digits
from urllib.parse import unquote, urlsplit

from appliance.core.document import (
    OUT_OF_FORCE,
    Clause,
    Document,
    Figure,
    Formula,
    Label,
    Reference,
    ReferenceKind,
    Table,
)
from appliance.core.runs import grouped
from appliance.ingest.references.part_words import fold_word, load_words
from appliance.text.designations import Designation, fold_designation, names_of, stem_name

# and no item of a list
_NUMBER = re.compile(r"(?=.*\d)\(?[A-Z]{0,3}\d*(?:[.:/–-][A-Z]?\d+)*(?:[.–-]?[A-Z]|\s?[a-z])?\)?")
_PIECE = re.compile(r"\d+|[A-Z]+|\s+|.")
_LEADING_WORDS = re.compile(r"^(?:(?:[A-Za-z][a-z]+|[A-Z]{3,})\.?\s+|§+\s?)+(?=[A-Z0-9(]|[ivx]{1,4}$)")
_PARTED = re.compile(r"^[A-Z]{1,2}\d{1,2}-(?P<letter>[A-Z])$")
_SCOPE = re.compile(
    r"^(?P<part>[A-Z]{1,2}\d{1,2}(?=[\s-])|[A-Z](?=\s+\d)|\d{1,2}(?=\s+(?:[A-Z]{1,2}\(|\d+\.\d|[A-Z]$)))"
    r"(?:\s+(?=\S)|-(?=[A-Z]?\.?\d))"
)  # "H1 2.17": clause 2.17 of Part H1; "1 B(a)": of Part 1; "B 3": of Part B


class LabelIndex:
    """Labels of one document by group ("clause", "table", ...) and folded number, and what they stand in."""

    def __init__(self, document: Document) -> None:
        words = load_words(document.family, document.language)
        self.groups = words.groups
        self.parents = {clause.label: clause.parent for clause in document.clauses}
        self._holding = frozenset(self.parents.values())
        placed: tuple[Table | Figure | Formula, ...] = (
            *document.tables,
            *document.figures,
            *document.formulas,
        )
        self.homes = {item.label: item.clause for item in placed}
        self.notes = _notes(document)
        self.signed = any(str(clause.label).startswith("§") for clause in document.clauses)
        printed = {
            figure.label: fold_word(str(figure.label).partition(" ")[0]) for figure in document.figures
        }
        # "Figure" for "Fig. 2", "Diagram" for "Diagram 2".
        self._printed = {at: words.names[word].label for at, word in printed.items() if word in words.names}
        exact: dict[tuple[str, str], dict[Label, None]] = defaultdict(dict)
        spelled: dict[tuple[str, str], dict[Label, None]] = defaultdict(dict)
        shapes: dict[str, set[str]] = defaultdict(set)
        for group, number, label in _pairs(document, words.grouped):
            exact[group, fold(number)][label] = None
            spelled[group, fold(_dotless(number))][label] = None
            if _NUMBER.fullmatch(number):
                shapes[group].add(_PIECE.sub(_shape, number.strip("()")))
        self.numbers = {key: tuple(labels) for key, labels in exact.items()}
        self._spelled = {key: tuple(labels) for key, labels in spelled.items()}
        # A whole number of each group, in the shapes that its numbers have: "2-4.4" is one of figures, "A-5"
        # one of a letter and figures, also where a line ends behind the hyphen, "1 a" one with a letter.
        # The part of a figure has a letter more.
        self.series = {
            group: re.compile(
                rf"(?:{'|'.join(sorted(found, key=len, reverse=True))})"
                rf"{'[A-Z]?' if group == 'figure' else ''}(?![^\W_])(?![.:/–-]\w)"
            )
            for group, found in shapes.items()
        }

    def find(
        self, kind: ReferenceKind, label: str, number: str, near: Label | None, *, spelled: bool = False
    ) -> tuple[Label, ...]:
        """Return the items that fit, those of the same Part alone if it has any.

        `spelled`: also when the dot behind a letter is left out, "A4" and "A.4".
        """
        numbers, number = (self._spelled, _dotless(number)) if spelled else (self.numbers, number)
        number = fold(number)
        part, _, rest = number.rpartition("@")
        for group in self.groups.get(label) or self.groups.get(kind) or (kind,):
            found = numbers.get((group, number), ())
            for joint in ("-", "", ".") if part else ():  # formula (B3-1), no 1 of a Part B3; "Annex A 1"
                found = found or numbers.get((group, f"{part}{joint}{rest}"), ())
            if part and not found:
                found = tuple(one for one in numbers.get((group, rest), ()) if part in self._parts_over(one))
            if kind == "annex" and group == "clause" and (number.isdecimal() or number.isalpha()):
                # "Annex A.1" is a clause, "Schedule 15" is not clause 15
                found = tuple(one for one in found if label and str(one).startswith(label))
            found = self._worded(found, label)
            if found:
                return _nearest(found, near)
        return ()

    def note(self, number: str, near: Label | None) -> Label | None:
        """Return the note of that number of the place itself or of what it stands in."""
        while near is not None and (near, number) not in self.notes:
            near = self.parents.get(near) or self.homes.get(near)
        return self.notes[near, number] if near is not None else None

    def listed(self, home: str, number: str) -> list[Label]:
        """Return the numbered items of the place so labelled: "1607.9 Exception" and "2"."""
        ends = re.compile(rf"(?<![\d.]){re.escape(number)}$")
        return [
            label
            for label, above in self.parents.items()
            if above is not None and str(above) == home and ends.search(str(label))
        ]

    def likely(self, found: tuple[Label, ...]) -> tuple[Label, ...]:
        """Return the candidates that hold something; of one inside another, the outer one.

        A list of contents inside the text, or a title printed twice, repeats numbers that hold nothing.
        """
        above = {label: set(self._above(label)) for label in found}
        outer = tuple(label for label in found if not above[label] & set(found))
        full = tuple(label for label in outer if label in self._holding)
        return full or outer

    def _above(self, label: Label) -> Iterator[Label]:
        """Yield the places that an item stands in, the nearest first."""
        at = self.parents.get(label)
        while at is not None:
            yield at
            at = self.parents.get(at)

    def numbered(self, kind: ReferenceKind, label: str) -> tuple[re.Pattern[str], ...]:
        """Return the patterns of the whole numbers that the document's items of a kind have."""
        groups = self.groups.get(label) or self.groups.get(kind) or (kind,)
        return tuple(self.series[group] for group in groups if group in self.series)

    def _parts_over(self, label: Label) -> set[str]:
        """Return the numbers of the places that a label names before its own and that it stands in."""
        over = {number_in(above) for above in label.parts[:-1]}
        for above in self._above(label):
            if (number := number_in(str(above))) in over:
                break
            over.add(number)
        return over

    def _worded(self, found: tuple[Label, ...], word: str) -> tuple[Label, ...]:
        """Return the items of the word that is printed: "Diagram 2", not "Figure 2"; "SECTION 2", not 2."""
        named = tuple(one for one in found if word and str(one).casefold().startswith(f"{word.casefold()} "))
        if named:
            return named
        if not found or word not in self._printed.values() or len(set(self._printed.values())) == 1:
            return found
        return tuple(label for label in found if self._printed.get(label, word) == word)


def _shape(piece: re.Match[str]) -> str:
    text = piece[0]
    if text.isdigit():
        return rf"\d{{1,{max(4, len(text))}}}"
    if text.isspace():
        return r"\s?"
    if text.isalpha():
        return "[a-z]" if text.islower() else "[A-Z]" if len(text) == 1 else text
    return r"[-–]\s?" if text in "-–" else re.escape(text)


def _notes(document: Document) -> dict[tuple[Label, str], Label]:
    """Return the numbered notes by what they belong to; those of a table stand in the table itself."""
    notes = {
        (clause.parent, number[0]): clause.label
        for clause in document.clauses
        if clause.kind == "note" and clause.parent and (number := re.search(r"\d+$", str(clause.label)))
    }
    bare = {clause.label: clause.parent for clause in document.clauses if clause.kind == "note"}
    for clause in document.clauses:  # "NOTES:" over "1 ..." and "2 ..."
        home = bare.get(clause.parent) if clause.kind == "item" and clause.parent else None
        if home and (number := re.search(r"\d+$", str(clause.label))):
            notes.setdefault((home, number[0]), clause.label)
    for table in document.tables:
        numbers = (note.mark or re.match(r"\D*(\d*)", note.text).group(1) for note in table.notes)  # type: ignore[union-attr]  # matches every text
        notes |= {(table.label, number): table.label for number in numbers if number}
    return notes


def number_in(label: str) -> str:
    """Return the number of a printed label: "Requirement K1" has "K1", "Appendix H1-C" "H1-C"."""
    return _LEADING_WORDS.sub("", label)


def fold(number: str) -> str:
    """Return one form for numbers printed alike: "1.42b" and "1.42(b)", "4.1.1 (4)P" and "4.1.1(4)".

    So is "(1)B", a rule for buildings.
    """
    number = _SCOPE.sub(r"\g<part>@", number)
    number = re.sub(r"\s+", "", number).rstrip(".:").replace("–", "-").replace(".(", "(")
    if number.startswith("(") and number.endswith(")") and "(" not in number[1:]:
        number = number[1:-1]  # of a formula: "(6.10a)"
    number = re.sub(r"(?<=\))(?:PB?|BP?)(?![A-Za-z](?!\)))", "", number)
    number = re.sub(r"(?<=[\d)])([a-z])$", r"(\1)", number)
    number = re.sub(r"(?<=[\d)P])([a-z])(?:\)|(?=\())", r"(\1)", number)
    number = re.sub(r"(?<=\))(\d{1,2}|[ivx]{2,4})\)", r"(\1)", number)  # "22.2a)1)ii)"
    return number.upper()


def _dotless(number: str) -> str:
    """Return a number whose letter and figure stand together: "B.4" as "B4", which is read as "84"."""
    return re.sub(r"(?<=[A-Z])\.(?=\d)", "", number)


def shorter(number: str) -> str:
    """Return the number without its last bracket, "" where it has none: "5.2(3)(a)" is in "5.2(3)"."""
    folded = fold(number)
    return folded[: folded.rindex("(")] if "(" in folded[1:] else ""


def _pairs(document: Document, grouped: Mapping[str, str]) -> Iterator[tuple[str, str, Label]]:
    """Yield the group, number and label of every item; `grouped` is the group by a label's first word."""
    for clause in document.clauses:
        text = str(clause.label)
        number = number_in(text)
        if clause.kind in ("clause", "paragraph", "item"):
            yield "clause", number, clause.label
        elif clause.kind in ("section", "annex", "requirement", "part", "note"):
            yield grouped.get(text.split(" ", 1)[0], clause.kind), number, clause.label
            if number == text:  # a section printed "5" is clause 5, one printed "Section 5" is not
                yield "clause", number, clause.label
        elif re.match(r"^[A-Z]?\.?\d", number) or text != number:
            yield text.split(maxsplit=1)[0].casefold(), number, clause.label
        parted = _PARTED.match(number)
        if parted and clause.kind == "annex":  # "Appendix H1-C" is cited as "Appendix C" in its Part
            yield "annex", parted["letter"], clause.label
    yield from (("table", number_in(str(one.label)), one.label) for one in document.tables if one.captioned)
    yield from (("figure", number_in(str(figure.label)), figure.label) for figure in document.figures)
    yield from (("formula", number_in(str(formula.label)), formula.label) for formula in document.formulas)


def _nearest(found: tuple[Label, ...], near: Label | None) -> tuple[Label, ...]:
    """Return those of the same Part as `near`, all of them where it has none."""
    if near is None or len(found) == 1:
        return found
    for depth in range(len(near.parts) - 1, -1, -1):
        same = tuple(label for label in found if label.parts[:depth] == near.parts[:depth])
        if len(same) == 1 or (same and depth == 0):
            return same
        exact = tuple(label for label in same if len(label.parts) == depth + 1)
        if len(exact) == 1:
            return exact
    return found


_NONE = "no such"
SHOWN = 4  # candidates named in a reason
_PART = re.compile(r"(?<=\d)(?:[A-Z]|\([A-Z]\))$")  # of a figure: "5.1B", and "5.1b" and "5.1 b)", folded
_NOTE_OF = re.compile(r"^(?P<base>\S*\d\S*) \w+ (?P<number>\d+)$")
_NOTE_OF_ITEM = re.compile(r"^(?P<word>[A-Z][a-z]+) (?P<base>\S+) \w+ (?P<number>\d+)$")
_NAMED = re.compile(r"^(?P<label>[A-Z][a-z]+|[A-Z]{3,}|§)\s+(?P<number>\S.*)$")


@dataclass(frozen=True, slots=True)
class Loaded:
    """One document as references from others see it."""

    id: str
    names: tuple[Designation, ...]
    superseded: bool
    labels: LabelIndex


DocumentIndex = tuple[Loaded, ...]


def resolve_internal(references: Iterable[Reference], document: Document) -> tuple[Reference, ...]:
    """Return the references with the targets of those that point inside the document."""
    places = Places(document)
    done: list[Reference] = []
    for reference in references:
        found = reference if reference.external else _inside(reference, places)
        if found.kind == "relative" and not found.external and found.target is None:
            found = _named_before(found, done, places)
        done.append(found)
    return tuple(done)


def _named_before(reference: Reference, before: Sequence[Reference], places: Places) -> Reference:
    """Return "this table" as the table that the same text has named just before, where it has."""
    way, _, noun = reference.number.partition(" ")
    kind = places.kind_of(noun)
    for other in reversed(before):
        in_annex = kind == "annex" and str(reference.source)[:1].isalpha()
        if way != "this" or other.source != reference.source or in_annex:
            break
        if other.kind == kind and other.target and not other.external:
            return _found(reference, other.target, places.document.id, f"the {noun} named before")
    return reference


def index_documents(documents: Iterable[Document]) -> DocumentIndex:
    """Return what `resolve_external` needs to know of the documents loaded together."""
    return tuple(
        Loaded(one.id, names_of(one), one.status in OUT_OF_FORCE, LabelIndex(one)) for one in documents
    )


def resolve_external(references: Iterable[Reference], index: DocumentIndex) -> tuple[Reference, ...]:
    """Return the references with the targets of those that point into another loaded document."""
    return tuple(_outside(reference, index) if reference.external else reference for reference in references)


def resolve_on_sites(documents: Sequence[Document], index: DocumentIndex) -> tuple[Document, ...]:
    """Return the documents, the links of web pages followed.

    What a page names and lacks is looked for on the other pages of its site.
    """
    sites = _Sites(documents, index)
    return tuple(sites.followed(one) if one.address else one for one in documents)


class _Sites:
    """The web pages that are read together, by their sites and addresses."""

    def __init__(self, documents: Iterable[Document], index: DocumentIndex) -> None:
        self._pages: dict[str, tuple[Document, tuple[str, ...]]] = {}  # with its site, and the steps to it
        for document in documents:
            if document.address:
                parts = urlsplit(document.address)
                below = filter(None, (*parts.path.split("/"), parts.query, parts.fragment))
                self._pages[document.id] = document, (parts.netloc, *below)
        self._loaded = {one.id: one for one in index if one.id in self._pages}
        self._at = {_bare(document.address): document for document, _ in self._pages.values()}
        self._holding: dict[tuple[str, str], dict[str, Loaded]] = defaultdict(dict)  # by site and number
        for one in self._loaded.values():
            for _, number in one.labels.numbers:
                self._holding[self._pages[one.id][1][0], number][one.id] = one

    def followed(self, document: Document) -> Document:
        """Return a page with its links as references: what their words name as such, and each other link."""
        references = list(document.references)
        for link, address in document.links:
            own = [
                number
                for number, one in enumerate(references)
                if one.source == link.source and one.start < link.end and link.start < one.end
            ]
            for number in own:
                references[number] = self._led(references[number], address, document) or references[number]
            if not own and (target := self._led(link, address, document)):
                references.append(target)
        steps = self._pages[document.id][1]
        return replace(
            document, references=tuple(self._elsewhere(one, steps) for one in references), links=()
        )

    def _led(self, said: Reference, address: str, here: Document) -> Reference | None:
        """Return words that are a link as a reference to where it leads, None for a page that is not read."""
        to, _, anchor = address.partition("#")
        there = self._at.get(_bare(address)) or (self._at.get(_bare(to)) if to else here)
        if there is None or (there is here and not anchor):
            return None
        named = _target(said, self._loaded[there.id].labels, there.id, None) if said.number else said
        if named.status == "resolved":
            return named
        key = dict(there.anchored).get(unquote(anchor), "" if there is here else _subject(there))
        return _found(said, Label.from_key(key), there.id, "a link of the page leads there") if key else None

    def _elsewhere(self, reference: Reference, steps: tuple[str, ...]) -> Reference:
        """Return what a page of these steps names and lacks as found on another page of its site."""
        named = _NAMED.match(reference.number)
        if not named or not steps[0] or not reference.reason.startswith(_NONE):
            return reference
        numbers = (named["number"], shorter(named["number"]))
        there = next(filter(None, (self._holding.get((steps[0], fold(number))) for number in numbers)), {})
        targets = [_target(reference, one.labels, one.id, None) for one in there.values()]
        targets = [target for target in targets if target.status == "resolved"]
        near = _nearest_page([(self._pages[target.document or ""], target) for target in targets], steps)
        if near or not targets:
            return near or reference
        return _open(reference, f"{len(targets)} pages of the site have it")


def _bare(address: str) -> str:
    """Return one form for the addresses of a page: without an anchor, however its signs are coded."""
    path, _, anchor = address.partition("#")
    routed = f"#{anchor}" if anchor.startswith(("/", "!")) else ""  # a path that a script of the site reads
    return unquote(path).rstrip("/") + unquote(routed)


def _subject(page: Document) -> str:
    """Return the key of the place that a page is about: what its title names.

    Else the first that holds text or others: places above that hold nothing else are the levels of its site.
    """
    titled = _letters(page.title)
    held = grouped((clause.parent, clause) for clause in page.clauses)
    named = ((clause, _letters(f"{clause.label} {clause.title}")) for clause in page.clauses if titled)
    alike = [clause for clause, name in named if name.startswith(titled) or titled.startswith(name)]

    def holds(clause: Clause) -> bool:
        return bool(clause.passage.text or held[clause.label])

    if alike:
        return next(filter(holds, alike), alike[0]).label.key  # not its bare heading
    at = next(filter(holds, held[None]), next(iter(held[None]), None))
    while at and not at.passage.text and len(held[at.label]) == 1 and holds(held[at.label][0]):
        at = held[at.label][0]
    return at.label.key if at else ""


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _nearest_page(
    found: Sequence[tuple[tuple[Document, tuple[str, ...]], Reference]], here: tuple[str, ...]
) -> Reference | None:
    """Return what is found on the page that shares most steps with this one, and is above others that do.

    A page on which a place is a title with no text and at most one place in it only announces it.
    """

    def shared(steps: tuple[str, ...]) -> int:
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(steps, here, strict=False)))

    def holds(target: Label | None, document: Document) -> bool:
        own = next((clause for clause in document.clauses if clause.label == target), None)
        below = sum(one.parent == target for one in document.clauses)
        return not own or bool(own.passage.text) or below > 1

    full = [one for one in found if holds(one[1].target, one[0][0])] or found
    most = max((shared(steps) for (_, steps), _ in full), default=0)
    nearest = sorted(
        ((steps, target) for (_, steps), target in full if shared(steps) == most), key=lambda one: len(one[0])
    )
    top = nearest[0][0] if nearest else ()
    whole = nearest and all(steps[: len(top)] == top != steps for steps, _ in nearest[1:])
    return nearest[0][1] if whole else None


def _inside(reference: Reference, places: Places) -> Reference:
    if reference.kind == "relative":
        target = resolve_relative(reference, places)
        if target is None:
            return _open(reference, "nothing of the kind near")
        return _found(reference, target, places.document.id)
    found = _target(reference, places.labels, places.document.id, reference.source)
    inner = reference.text.split()[0].casefold() in places.words.relative["inner"]
    if inner and reference.kind == "clause" and found.reason.startswith(_NONE):
        home = resolve_relative(replace(reference, number="this clause"), places)
        if home == reference.source:  # else its paragraphs are numbered, and this number is not there
            return _found(reference, home, places.document.id, f"the place that holds {reference.text}")
    return found


def _target(reference: Reference, labels: LabelIndex, document: str, near: Label | None) -> Reference:
    """Return the reference resolved to the only item that fits, else open with the reason."""
    named = _NAMED.match(reference.number)
    label, number = (named["label"], named["number"]) if named else ("", reference.number)
    if reference.kind == "note" and (note := _note(reference, number, labels, near)):
        return _found(reference, note, document, f"a note of {note}" if note == near else "")
    if reference.kind == "note" and (number.isdigit() or _NOTE_OF_ITEM.match(reference.number)):
        return _open(reference, "no such note in this document")  # no note of another place will do
    if reference.kind == "requirement" and "(" in number and not labels.find("requirement", "", number, near):
        paragraphs = labels.find("clause", "", number, near)  # "G4(2)", named by the requirement's number
        if len(paragraphs) == 1:
            return _found(reference, paragraphs[0], document)
    tried = number
    while tried:
        for exact in (True, False):
            found = labels.find(reference.kind, label, tried, near, spelled=not exact)
            found = labels.likely(found) if len(found) > 1 else found
            if len(found) == 1:
                part = reference.kind == "figure" and fold(tried) == _without_part(number)
                drawn = part and not any(  # a part by its letter, where none has its own
                    labels.find("figure", label, f"{tried}{end}", near)
                    for letter in ascii_uppercase
                    for end in (letter, f"({letter})")
                )
                plain = exact and (tried == number or drawn)
                how = f"the place that holds {number}" if exact else "spelled with a dot or without one"
                return _found(reference, found[0], document, "" if plain else how)
            if found:
                shown = ", ".join(one.key for one in found[:SHOWN]) + (", ..." if len(found) > SHOWN else "")
                return _open(reference, f"{len(found)} candidates: {shown}")
        above = shorter(tried) or (_without_part(tried) if reference.kind == "figure" else "")
        wanted = reference.kind in PLACED and fold(tried).endswith(")") and above
        ends = (*ascii_uppercase, *digits[1:]) if wanted else ()
        if any(labels.find(reference.kind, label, f"{above}({end})", near) for end in ends):
            break  # where 5.3(A) is one, 5.3(B) is none of 5.3
        tried = above
    return _open(reference, f"{_NONE} {label.casefold() or reference.kind} in this document")


def _without_part(number: str) -> str:
    """Return the number of the figure of which a number with a letter is a part, "" where it is of none."""
    folded = fold(number)
    whole = _PART.sub("", folded)
    return whole if whole != folded else ""


def _note(reference: Reference, number: str, labels: LabelIndex, near: Label | None) -> Label | None:
    """Return the note of that number here, or in the clause named with it ("4.2(1) Note 2")."""
    item = _NOTE_OF_ITEM.match(reference.number)
    if item:  # the notes of a table or figure stand with it
        word, base = item["word"], item["base"]
        placed = {*labels.find("table", word, base, near), *labels.find("figure", word, base, near)}
        return placed.pop() if len(placed) == 1 else None
    of = _NOTE_OF.match(reference.number)
    if not of:
        return labels.note(number, near)
    homes = labels.find("clause", "", of["base"], near)
    found = labels.find("clause", "", number, near) or labels.find("note", "", number, near)
    listed = [] if found else labels.listed(number.rpartition(" ")[0], of["number"])
    if len(found or listed) == 1:
        return (*found, *listed)[0]
    return labels.notes.get((homes[0], of["number"])) if len(homes) == 1 else None


def _found(reference: Reference, target: Label | None, document: str, reason: str = "") -> Reference:
    return replace(reference, target=target, document=document, status="resolved", reason=reason)


def _open(reference: Reference, reason: str) -> Reference:
    return replace(reference, target=None, status="unresolved", reason=reason)


def _outside(reference: Reference, index: DocumentIndex) -> Reference:
    reference = replace(reference, target=None, document=None, reason="")  # it may come from an older build
    wanted = fold_designation(reference.designation)
    # As they print their names; only else those whose file is so named.
    printed = [loaded for loaded in index if any(wanted.key in _keys(name) for name in loaded.names)]
    named = printed or [loaded for loaded in index if wanted.key in _keys(stem_name(loaded.id))]
    if not named:
        return replace(reference, status="not_loaded", reason=f"{reference.designation} is not loaded")
    dated = [loaded for loaded in named if any(wanted.year in ("", name.year) for name in loaded.names)]
    if not dated:
        years = sorted({name.year for loaded in named for name in loaded.names if name.year})
        reason = f"edition {wanted.year} is not loaded, only {', '.join(years)}"
        return replace(reference, status="not_loaded", reason=reason)
    chosen = dated if len(dated) == 1 else [loaded for loaded in dated if not loaded.superseded]
    if len(chosen) != 1:
        return _open(reference, "several documents: " + ", ".join(loaded.id for loaded in dated[:SHOWN]))
    (loaded,) = chosen
    part = fold_designation(reference.number).key  # "Part M" is Approved Document M
    whole = reference.kind == "part" and any(part in _keys(name) for name in loaded.names)
    if whole or reference.kind in ("document", "relative"):
        return _found(reference, None, loaded.id)
    resolved = _target(reference, loaded.labels, loaded.id, None)
    return resolved if resolved.status == "resolved" else replace(resolved, document=loaded.id)


def _keys(name: Designation) -> tuple[str, str]:
    """Return the folded designation, with its volume and without."""
    return name.key, name.key.partition("VOLUME")[0]


REACH = 2  # pages between a phrase and what it points to
PLACED: tuple[ReferenceKind, ...] = ("table", "figure", "formula")  # with a caption or number of its own


@dataclass(frozen=True, slots=True)
class _Placed:
    label: Label
    order: tuple[int, float]  # its page, and how far down it begins


class Places:
    """The items of one document by where they stand: sorted once for each noun, not for each reference."""

    def __init__(self, document: Document) -> None:
        self.document, self.labels = document, LabelIndex(document)
        self.words = load_words(document.family, document.language)
        self.clauses = {clause.label: clause for clause in document.clauses}
        self._sorted: dict[str, list[_Placed]] = {}

    def of(self, noun: str) -> Sequence[_Placed]:
        """Return the items that the noun may name as they stand on the pages; at one height, as read."""
        if noun not in self._sorted:
            document, other, kinds = self.document, self.words.relative["other"], self.kinds(noun)
            placed: dict[str, Sequence[Clause | Table | Figure | Formula]] = {
                "table": document.tables,
                "figure": document.figures,
                "formula": document.formulas,
            }
            called = [clause for clause in document.clauses if noun in other and _word(clause) == noun]
            kept = [one for one in document.clauses if one.kind in kinds and _may_be(one, noun, other)]
            items = placed.get(self.kind_of(noun), called or kept)
            found = (
                _Placed(each.label, (each.boxes[0].page, each.boxes[0].y0)) for each in items if each.boxes
            )
            self._sorted[noun] = sorted(found, key=lambda item: item.order)
        return self._sorted[noun]

    def kinds(self, noun: str) -> tuple[str, ...]:
        """Return the kinds of item that a noun may name."""
        return tuple(self.words.relative["named"].get(noun, (noun,)))

    def kind_of(self, noun: str) -> ReferenceKind:
        """Return the kind of reference that names such a thing: "equation" is a formula."""
        first = self.kinds(noun)[0]
        kinds: tuple[ReferenceKind, ...] = (*PLACED, "annex")
        return next((kind for kind in kinds if kind == first), "clause")


def resolve_relative(reference: Reference, places: Places) -> Label | None:
    """Return what a reference by position points to, None where nothing or more than one thing fits."""
    way, _, noun = reference.number.partition(" ")
    if way == "this":
        return _enclosing(reference.source, noun, places)
    if not reference.boxes:
        return None
    here = (reference.boxes[0].page, reference.boxes[0].y0)
    items, source = places.of(noun), reference.source
    if way in ("next", "near"):
        first = bisect_right(items, here, key=lambda item: item.order)
        near = next((item for item in items[first : first + 2] if item.label != source), None)
        if near and near.order[0] - here[0] <= REACH:
            return near.label
        if way == "next":
            return None
    end = bisect_left(items, here, key=lambda item: item.order)
    near = next((item for item in reversed(items[max(0, end - 2) : end]) if item.label != source), None)
    if near is None or here[0] - near.order[0] > REACH:
        return None
    level = items[bisect_left(items, near.order, key=lambda item: item.order) : end]
    return next(item.label for item in level if item.label != source)  # of several at one height, the first


def _word(clause: Clause) -> str:
    """Return the word of a printed label ("chapter" of "Chapter 16"), "" where it has none."""
    word, _, number = str(clause.label).partition(" ")
    return word.casefold() if number and word.isalpha() else ""


def _may_be(clause: Clause, noun: str, other: Mapping[str, str]) -> bool:
    """Tell whether the print calls the place by no other noun: "Section 1601" is no chapter."""
    return noun not in other or _word(clause) != other[noun]


def _enclosing(source: Label, noun: str, places: Places) -> Label | None:
    """Return the nearest node above (or at) the source that the print calls so, else of the kind named."""
    clauses, homes, words = places.clauses, places.labels.homes, places.words
    kinds, other = places.kinds(noun), words.relative["other"]
    if source in homes and kinds[0] in PLACED:
        return source
    above: list[Clause] = []
    at: Label | None = homes.get(source, source)
    while at in clauses and clauses[at] not in above:
        above.append(clauses[at])
        at = clauses[at].parent
    if named := next((clause for clause in above if noun in other and _word(clause) == noun), None):
        return named.label
    for tried in (kinds, words.relative["wider"].get(noun, ())):
        for clause in above:
            if clause.kind in tried and _may_be(clause, noun, other):
                return clause.label
    return None
