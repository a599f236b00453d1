"""Finding an item of a document by the kind and number that a reference names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from appliance.core.document import Document, Figure, Formula, Label, ReferenceKind, Table
from appliance.ingest.references.words import fold_word, load_words

_NUMBER = re.compile(
    r"(?=.*\d)\(?[A-Z]{0,3}\d*(?:[.:/–-][A-Z]?\d+)*(?:[.–-][A-Z]|\s?[a-z])?\)?"
)  # and no item of a list
_PIECE = re.compile(r"\d+|[A-Z]+|\s+|.")
_LEADING_WORDS = re.compile(r"^(?:(?:[A-Za-z][a-z]+|[A-Z]{3,})\.?\s+)+(?=[A-Z0-9(]|[ivx]{1,4}$)")
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
        self.series = {
            group: re.compile(rf"(?:{'|'.join(sorted(found, key=len, reverse=True))})(?![^\W_])(?![.:/–-]\w)")
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
        return r"\d{1,4}"
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
