"""Notes of tables and figures as a specification cites them: "Table 1 note 3", "note 2 to Table 6"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from appliance.core.document import Label, Reference, TableNote
from appliance.core.files import shipped

HOLDING = frozenset({"table", "figure"})
_MARK = r"(?:\d{1,2}|[A-Za-z]|[*†‡§])"
_OF = re.compile(rf"(?P<item>\S+ \S+) (?P<note>\S+ {_MARK})")
_EACH = re.compile(rf"(\()?(?P<mark>{_MARK})(?(1)\)|\)?)(?![\w’'-])")
_LEADING = re.compile(r"(?:[A-Za-z]+\.?\s+)?(\d+)(?!\w|\.\d)")


def lettered(text: str, start: int, end: int) -> Iterator[Reference]:
    """Yield the notes named by letters or signs, and footnotes, in a part of a text: "notes a and b"."""
    said = _said()
    for named in said.named.finditer(text, start, end):
        begin, at = named.start(), named.end()
        while match := _EACH.match(text, at, end):
            mark = match["mark"]
            if mark in "aAI" and not match[1] and not said.letter.match(text, match.end()):
                break
            yield Reference(
                Label((f"note {begin}",)), begin, match.end(), text[begin : match.end()], "note", (),
                number=f"Note {mark}",
            )  # fmt: skip
            join = said.joint.match(text, match.end(), end)
            if not join:
                break
            begin = at = join.end()


@dataclass(frozen=True, slots=True)
class _Said:
    """What finds the words of a note, what joins two or an item and its note, and what is a letter."""

    named: re.Pattern[str]
    joint: re.Pattern[str]
    beside: re.Pattern[str]
    before: re.Pattern[str]
    letter: re.Pattern[str]


@cache
def _said() -> _Said:
    known: dict[str, list[str]] = shipped("citing/notes")
    said = {name: "|".join(map(re.escape, words)) for name, words in known.items()}
    return _Said(
        re.compile(rf"(?<![\w-])(?:{said['names']})\s+(?=\(?{_MARK})", re.IGNORECASE),
        re.compile(rf"\s*(?:,?\s*(?:{said['joining']})\b|[,&–-])\s*", re.IGNORECASE),
        re.compile(rf"[\s,;:(\[–-]{{0,4}}(?:(?:{said['joining']}|&)\s+)?"),
        re.compile(rf"\s+(?:{said['placing']})\s+(?:(?:{said['articles']})\s+)?"),
        re.compile(rf"(?!\s+\w)|\s+(?:{said['behind']})\b"),
    )


def with_items(text: str, read: Sequence[Reference]) -> list[Reference]:
    """Return the references (in the order of the text) with the notes named as those of their items."""
    done: list[Reference] = []
    for at, one in enumerate(read):
        item = _item(text, one, done, read[at + 1 :]) if one.kind == "note" else None
        number = f"{item.number} {one.number}" if item else ""
        done.append(replace(one, number=number, designation=item.designation) if item else one)
    return done


def _item(
    text: str, note: Reference, before: Sequence[Reference], after: Sequence[Reference]
) -> Reference | None:
    """Return the table or figure that a note stands beside, through the notes named with it."""
    if not re.fullmatch(rf"\S+ {_MARK}", note.number):
        return None
    behind, last = _behind(text, note, after)
    if behind and behind.kind in HOLDING and _said().before.fullmatch(text[last : behind.start]):
        return behind
    start = note.start
    for one in reversed(before):
        if one.end > start and one.kind != "note":
            return None
        if one.end <= start and not _said().beside.fullmatch(text[one.end : start]):
            return None
        if one.kind != "note":
            return one if one.kind in HOLDING else None
        start = min(start, one.start)
    return None


def _behind(text: str, note: Reference, after: Sequence[Reference]) -> tuple[Reference | None, int]:
    """Return what is named behind a list of notes, and where the list ends."""
    last = note.end
    for one in after:
        if one.kind != "note":
            return one, last
        if one.start >= last and not _said().beside.fullmatch(text[last : one.start]):
            return None, last
        last = max(last, one.end)
    return None, last


def item_of(number: str) -> tuple[str, str]:
    """Return the item and the number of the note of a citation: "Table 1 Note 3" is ("Table 1", "3")."""
    match = _OF.fullmatch(number)
    return (match["item"], match["note"].rsplit(" ", 1)[-1]) if match else ("", "")


def numbered(note: TableNote) -> str:
    """Return the number of a note of a table, by its mark or its first words ("NOTE 2: ..."), "" for none."""
    if re.fullmatch(_MARK, note.mark):
        return note.mark.casefold()
    match = _LEADING.match(note.mark or note.text)
    return match[1] if match else ""
