"""Answers that people save, with their notes: what was said, quoted and shown, as it was that day."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from appliance.core.decoding import decode
from appliance.core.document import Box, DocumentStatus
from appliance.core.errors import BadInput, SavedFull, UnknownSaved
from appliance.core.evidence import Statement
from appliance.site.database import patient, sql, writing
from appliance.site.gaps_and_feedback import COMMENT, LABEL, PLACES, QUESTION, Site, clean

NOTE = COMMENT  # characters of a note
PAGE = 50  # saved answers listed at once
KEY = 12  # hexadecimal digits of the name of a saved answer


@dataclass(frozen=True, slots=True)
class KeptCitation:
    """A quotation with all that names its place; `key` is the label key, `printed` the printed page.

    `address` is that on the web of a place in what was a web page.
    """

    n: int
    document: str
    designation: str
    edition: str
    status: DocumentStatus
    label: str
    key: str
    page: int
    printed: str
    boxes: tuple[Box, ...]
    quote: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row of a table, a cell over several columns or rows repeated in each; `marked` are deciding columns.

    `skipped` tells how many rows are left out just before it.
    """

    cells: tuple[str, ...]
    marked: tuple[int, ...] = ()
    skipped: int = 0

    @property
    def spans(self) -> bool:
        """Tell whether it is one cell over all columns: a heading, or a sentence under the rows."""
        return len(self.cells) > 1 and len(set(self.cells)) == 1


@dataclass(frozen=True, slots=True)
class KeptStatement(Statement):
    """A statement of an answer as it is shown on paper.

    Where it says rows of a table, `rows` are these, the one that answers best first, each with its name
    before the deciding cells, under `columns`; `beside` is what it says besides.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[KeptRow, ...] = ()
    beside: str = ""


@dataclass(frozen=True, slots=True)
class KeptHeadline:
    """The value that answers, as it is shown large: what it is the value of, its conditions, its citation.

    `box` is that of its cell, None where it stands in words.
    """

    value: str
    unit: str
    what: str
    conditions: tuple[str, ...]
    citation: int
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A table of an answer; `columns` are the headers over each, from the outside in, as one line.

    `citations` are the numbers of the quotations that come from it, `left` the rows left out at its end,
    `focus` where the deciding cells stand: on paper they are framed, the rest of what is quoted is not.
    `notes` are those, with their marks, that the rows shown bear a mark of.
    """

    document: str
    label: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[KeptRow, ...]
    citations: tuple[int, ...] = ()
    left: int = 0
    focus: tuple[Box, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class KeptConflict:
    """Two quotations by number that disagree; `decides` is the number of the one that counts, 0 for none."""

    sides: tuple[int, int]
    rule: str
    decides: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was given; `resolved` is the question as meant where it went on from another.

    `asked` are the filters of the question as (name, value), `library` the version that was asked,
    `read_with` the places to be read with it, in words. `state` is "found" where one claim is vouched for,
    else its statements are places to read; `headline` is the value to show large, never one in doubt, `cases`
    are the values to show side by side where the question leaves the case open.
    """

    question: str
    outcome: Literal["answer", "not_found"]
    statements: tuple[KeptStatement, ...]
    citations: tuple[KeptCitation, ...]
    library: str
    resolved: str = ""
    gap: str = ""
    confidence: str = ""
    reasons: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    mode: str = "deterministic"
    program: str = ""
    tables: tuple[KeptTable, ...] = ()
    conflicts: tuple[KeptConflict, ...] = ()
    read_with: tuple[str, ...] = ()
    state: str = ""
    headline: KeptHeadline | None = None
    also: tuple[KeptStatement, ...] = ()
    cases: tuple[KeptHeadline, ...] = ()

    def focus(self, citations: Iterable[KeptCitation]) -> tuple[Box, ...]:
        """Return where the cells stand that decide, of the tables that the citations come from."""
        numbers = {item.n for item in citations}
        return tuple(box for table in self.tables if numbers & set(table.citations) for box in table.focus)


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved answer with its key, its note, and when it was saved (seconds since 1970)."""

    key: str
    at: float
    kept: Kept
    note: str = ""


def save(site: Site, kept: Kept, said: str = "") -> str:
    """Keep an answer and return its key, a part of its hash; the same answer twice is kept once.

    Raises:
        SavedFull: there are as many as the settings allow. BadInput: this one is too long.
        SiteUnusable: it cannot be written.
    """
    content = msgspec.json.encode(kept)
    if len(content) > site.limits.saved_kib * 1024:
        raise BadInput(f"This answer is longer than {site.limits.saved_kib} KiB. Print it instead.")
    digest = hashlib.sha256(content).hexdigest()
    places = [
        {"document": item.document, "label": item.key, "page": item.page}
        for item in kept.citations
        if len(item.key) <= LABEL
    ]
    row = {
        "request": digest[:KEY],
        "question": clean(kept.question, QUESTION),
        "evidence": json.dumps(places[:PLACES]),
        "library": clean(kept.library, 64),
        "at": time.time(),
        "sha256": digest,
        "kept": content.decode(),
        "note": tidy(said),
    }
    with writing(site.path, patient(site.limits)) as connection:
        if not connection.execute(sql("saved answer"), {"key": row["request"]}).fetchall():
            held: Any = connection.execute(sql("count answers")).get
            if held >= site.limits.saved_answers:
                raise SavedFull(site.limits.saved_answers)
            connection.execute(sql("save answer"), row)
    return digest[:KEY]


def saved(site: Site, key: str) -> Saved:
    """Return a saved answer; raises UnknownSaved, SiteUnusable."""
    return _one(site.found("saved answer", key=key), key)


def listed(site: Site, first: int = 0, most: int = PAGE) -> tuple[Saved, ...]:
    """Return saved answers, youngest first, all for a `most` of -1; raises SiteUnusable."""
    return tuple(map(_read, site.found("saved answers", first=first, most=most)))


def note(site: Site, key: str, text: str, seen: str) -> bool:
    """Write the note of a saved answer where the one that its writer saw still stands; tell whether.

    `seen` is the `mark` of that one. A note that says the same already is written.

    Raises:
        UnknownSaved: there is no such answer. SiteUnusable: it cannot be written.
    """
    said = tidy(text)
    with writing(site.path, patient(site.limits)) as connection:
        found = _one(connection.execute(sql("saved answer"), {"key": key}), key)
        if seen != mark(found.note):
            return found.note == said
        connection.execute(sql("note answer"), {"key": key, "note": said, "at": time.time()})
    return True


def mark(text: str) -> str:
    """Return what a form carries of a note in its place."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def tidy(text: str) -> str:
    """Return a note as it is kept: cut, its lines ended as here."""
    return clean(text.replace("\r\n", "\n"), NOTE)


def remove(site: Site, key: str) -> None:
    """Remove a saved answer; raises UnknownSaved, SiteUnusable."""
    with writing(site.path, patient(site.limits)) as connection:
        connection.execute(sql("remove answer"), {"key": key})
        if not connection.changes():
            raise UnknownSaved(key)


def _one(rows: Any, key: str) -> Saved:
    for row in rows:
        return _read(row)
    raise UnknownSaved(key)


def _read(row: Any) -> Saved:
    key, at, kept, said = row
    return Saved(key, at, decode(kept, Kept), said)
