"""A kept answer as it goes on paper: its statements, its sources each with one picture, its imprint."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from appliance.core.document import Box
from appliance.core.errors import ApplianceError
from appliance.core.page_boxes import meet
from appliance.core.runs import grouped
from appliance.keeping.answer_card import Card, card, cell_of, proof_boxes, proof_of, steps
from appliance.keeping.crops import crops
from appliance.keeping.kept import UNDER
from appliance.keeping.recheck import Recheck
from appliance.library import Library
from appliance.site.saved import Kept, KeptCitation, KeptConflict, KeptHeadline, KeptStatement, KeptTable


def english(text: str, /, **values: object) -> str:
    """Return a text of ours with its values put in."""
    return text % values if values else text


@dataclass(frozen=True, slots=True)
class Speech:
    """How a paper speaks: `say` words of ours, `phrase` a sentence of the engine, in `language`."""

    language: str = "en"
    say: Callable[..., str] = english
    phrase: Callable[[str], str] = str


ENGLISH = Speech()


def later(text: str) -> str:
    """Mark a text of a constant for the catalogue; it is said where it is written."""
    return text


PICTURES = 12  # of one answer

OUTCOMES = {
    "answer": later("Answer"),
    "not_found": later("Not found in the documents loaded"),
}
READ = later("Read these places")
GRADES = {
    "high": later("confidence high"),
    "medium": later("confidence medium"),
    "low": later("confidence low"),
}
STATES = {
    "same": later("unchanged"),
    "moved": later("moved"),
    "changed": later("changed"),
    "gone": later("no longer there"),
}
STANDING = {"superseded": later("superseded"), "withdrawn": later("withdrawn")}
DISAGREE = later("The documents disagree")
ALSO = later("Also says something")
WHOLE = later("Quotations, tables and why")
UNCITED = later("Found with it, cited by no statement")
DOUBT = later("it could not be confirmed")
LEFT_OUT = later("… rows left out: %(number)s")
HEADERS = later("Headers, one after the other:")
_PAGE = re.compile(r", page (\d+)(?: \(printed (.+)\))?$")
ROW = " | "  # between the cells of a row that is quoted


@dataclass(frozen=True, slots=True)
class Source:
    """The quotations of one place, with the pages that show it as (number, JPEG).

    `doubt` is why what was stated from it could not be confirmed, "" where it was; `stated` tells whether a
    statement cites it at all, `address` leads to it on the box ("" without one).
    """

    citations: tuple[KeptCitation, ...]
    pictures: tuple[tuple[int, bytes], ...] = ()
    doubt: str = ""
    stated: bool = True
    speech: Speech = ENGLISH
    address: str = ""

    @property
    def first(self) -> KeptCitation:
        """Return the citation that names the place."""
        return self.citations[0]

    @property
    def numbers(self) -> str:
        """Return the numbers of the citations, as they stand behind a statement."""
        return ", ".join(str(item.n) for item in self.citations)

    @property
    def place(self) -> str:
        """Return document, edition, label and page in words."""
        first, say = self.first, self.speech.say
        other = first.printed not in ("", str(first.page))
        printed = " " + say("(printed %(number)s)", number=first.printed) if other else ""
        named = f"{first.designation} {first.edition}".strip()
        standing = f" [{say(STANDING[first.status])}]" if first.status in STANDING else ""
        boxes = (box for item in self.citations for box in item.boxes)
        numbers = sorted({item.page for item in self.citations} | {box.page for box in boxes})
        if first.address:
            pages, printed = first.address, ""
        elif len(numbers) > 1:
            pages = say("pages %(numbers)s", numbers=", ".join(map(str, numbers)))
        elif not first.printed:
            pages = say("page %(page)s of the file", page=first.page)
        else:
            pages = say("page %(page)s", page=first.page)
        return f"{named}{standing}, {first.label}, {pages}{printed}"


@dataclass(frozen=True, slots=True)
class Paper:
    """An answer to print: `at` is when it was given, `address` leads to it on the box ("" without one).

    `issued` is the day of the library that gave it, "" where that is not known.
    """

    kept: Kept
    at: float
    sources: tuple[Source, ...]
    address: str = ""
    note: str = ""
    recheck: Recheck | None = field(default=None)
    speech: Speech = ENGLISH
    issued: str = ""

    @property
    def date(self) -> str:
        """Return the day and time in UTC, as ISO 8601 writes them."""
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.at))

    def tables_of(self, statement: KeptStatement) -> tuple[KeptTable, ...]:
        """Return the tables whose rows a statement gives, which say them under their own headers."""
        if ROW not in statement.text:
            return ()
        cited = set(statement.citations)
        return tuple(table for table in self.kept.tables if cited & set(table.citations))

    def quoted(self, citation: KeptCitation) -> str:
        """Return a quotation in quotes as it is printed: what are the headers of a table is said to be that.

        They are quoted as they stand, which is not one over each value where they have several levels.
        """
        pieces = citation.quote.split(ROW)
        mine = [table for table in self.kept.tables if citation.n in table.citations]
        heads = {
            " ".join(part.split()) for table in mine for text in table.columns for part in text.split(UNDER)
        }
        if len(pieces) > 1 and all(" ".join(piece.split()) in heads for piece in pieces):
            return f"{self.speech.say(HEADERS)} “{citation.quote}”"
        return f"“{citation.quote}”"

    @property
    def other_tables(self) -> tuple[KeptTable, ...]:
        """Return the tables that decide and that no statement gives a row of."""
        given = {table for said in self.kept.statements for table in self.tables_of(said)}
        return tuple(table for table in self.kept.tables if table not in given)

    def sides(self, conflict: KeptConflict) -> tuple[tuple[KeptCitation, bool], ...]:
        """Return the two quotations that disagree, each with whether it is the one that counts."""
        known = {item.n: item for item in self.kept.citations}
        return tuple((known[n], n == conflict.decides) for n in conflict.sides if n in known)

    @property
    def read_with(self) -> tuple[str, ...]:
        """Return the places to be read with it, their pages named in the language of the paper."""
        say = self.speech.say

        def page(found: re.Match[str]) -> str:
            printed = " " + say("(printed %(number)s)", number=found[2]) if found[2] else ""
            return ", " + say("page %(page)s", page=found[1]) + printed

        return tuple(_PAGE.sub(page, place) for place in self.kept.read_with)

    @property
    def cited(self) -> tuple[Source, ...]:
        """Return the sources that a statement cites."""
        return tuple(source for source in self.sources if source.stated)

    @property
    def uncited(self) -> tuple[Source, ...]:
        """Return the sources that no statement cites: found with the others, and shown as that."""
        return tuple(source for source in self.sources if not source.stated)

    @property
    def imprint(self) -> str:
        """Return what it was answered with."""
        kept, say = self.kept, self.speech.say
        model = kept.mode == "model"
        by = say("written by a language model from these quotations") if model else say("quoted")
        library, program = kept.library[:12], kept.program or "?"
        if self.issued:
            library = say("%(library)s issued on %(day)s", library=library, day=self.issued)
        made = say("library %(library)s, program %(program)s", library=library, program=program)
        return f"{made}, {by}"

    @property
    def outcome(self) -> str:
        """Return what came of the question, with how sure it is."""
        say, kept = self.speech.say, self.kept
        if kept.state == "read":
            return say(READ)
        grade = f", {say(GRADES[kept.confidence])}" if kept.confidence in GRADES else ""
        return f"{say(OUTCOMES[kept.outcome])}{grade}"

    @property
    def card(self) -> Card:
        """Return what is seen of the answer before anything else."""
        return card(self.kept)

    def proof(self, claim: KeptStatement) -> Source:
        """Return the source that a claim of the card is shown with."""
        return self._source(proof_of(self.kept, claim))

    @property
    def cases(self) -> tuple[tuple[KeptHeadline, str, None], ...]:
        """Return the cases that the question leaves open, each with its place in words, and no address."""
        return tuple((case, self._source(case.citation).place, None) for case in self.card.cases)

    def _source(self, number: int) -> Source:
        return next(one for one in self.sources if any(item.n == number for item in one.citations))

    def steps(self, claim: KeptStatement) -> tuple[tuple[str, str], ...]:
        """Return the items of a list that a claim says, each with its printed mark."""
        return steps(self.kept, claim)

    def words(self, claim: KeptStatement) -> str:
        """Return what a claim says, items of a list on lines of their own."""
        items = (
            f"{mark}) {text}" if mark.isalnum() else f"{mark} {text}".strip()
            for mark, text in self.steps(claim)
        )
        return "\n".join(items) or claim.text

    def rows(self, claim: KeptStatement) -> KeptTable | None:
        """Return the rows of a table that a claim says, as a table of their own; None for words."""
        if not claim.rows:
            return None
        first = self.proof(claim).first
        return KeptTable(first.designation, first.label, "", claim.columns, claim.rows)

    @property
    def changed(self) -> str:
        """Return how many quotations no longer stand as they stood, "" where all do."""
        if self.recheck is None or self.recheck.state == "same":
            return ""
        say = self.speech.say
        counts = ", ".join(
            f"{number} {say(STATES[state])}" for state, number in self.recheck.counts.items() if number
        )
        return say("Checked against the library of today: %(counts)s.", counts=counts)

    def doubt(self, statement: KeptStatement) -> str:
        """Return that a statement is not confirmed, with the reason; "" for one that is."""
        if statement.confirmed:
            return ""
        why = f": {self.speech.phrase(statement.why).rstrip('.')}" if statement.why else ""
        return self.speech.say("Not confirmed") + why

    def doubts(self, source: Source) -> str:
        """Return that all that was stated from a source is in doubt, with the reasons; "" where it is not."""
        said = self.speech.say("In doubt")
        return f"{said}: {source.doubt.rstrip('.')}" if source.doubt else ""


def paper(
    kept: Kept,
    at: float,
    library: Library | None = None,
    *,
    address: str = "",
    note: str = "",
    checked: Recheck | None = None,
    speech: Speech = ENGLISH,
    issued: str = "",
    place: Callable[[KeptCitation], str] | None = None,
) -> Paper:
    """Return an answer as it goes on paper, with pictures where a library is given that has the pages.

    A picture is only taken from the library that was asked: in another one the page may be another. `place`
    returns the address of the page that a quotation stands on.
    """
    sources = _sources(kept, library, speech)
    if place is not None:
        sources = [replace(source, address=place(source.first)) for source in sources]
    return Paper(kept, at, tuple(sources), address, note, checked, speech, issued)


def without_rows(text: str) -> str:
    """Return a statement without the rows of a table, which are printed as a table."""
    return "\n".join(line for line in text.splitlines() if ROW not in line)


def _sources(kept: Kept, library: Library | None, speech: Speech) -> list[Source]:
    places = grouped(((item.document, item.key, item.page), item) for item in kept.citations)
    found, left = [], PICTURES if library is not None else 0
    first = next(iter(card(kept).claims), None)
    for group in places.values():
        numbers = {item.n for item in group}
        claimed = proof_boxes(kept, first) if first and proof_of(kept, first) in numbers else ()
        boxes = tuple(dict.fromkeys((*claimed, *(box for item in group for box in item.boxes))))
        name, focus = group[0].document, kept.focus(group)
        if cell := next(filter(None, (cell_of(kept, number) for number in sorted(numbers))), None):
            focus = (cell,)
        elif claimed and kept.headline:
            focus = tuple(box for box in focus if any(meet(box, own) for own in claimed))
        shown = _pictures(name, boxes, focus, library)[:left] if library is not None and left else ()
        left -= len(shown)
        said = [each for each in kept.statements if numbers & set(each.citations)]
        doubts = [
            speech.phrase(each.why) if each.why else speech.say(DOUBT) for each in said if not each.confirmed
        ]
        doubt = "; ".join(dict.fromkeys(doubts)) if said and len(doubts) == len(said) else ""
        found.append(Source(tuple(group), tuple(shown), doubt, bool(said), speech))
    return found


def _pictures(
    document: str, boxes: tuple[Box, ...], focus: tuple[Box, ...], library: Library
) -> tuple[tuple[int, bytes], ...]:
    def image_of(number: int) -> Path | None:
        with suppress(ApplianceError):
            name = library.page(document, number).large
            return library.image(name) if name else None
        return None

    with suppress(OSError):  # a picture that cannot be read
        return crops(boxes, image_of, focus)
    return ()
