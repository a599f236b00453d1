"""What a language model wrote, as statements with the ids that they name; also while it is being written.

Rules of this module: the text is read as the JSON that the grammar of the prompt allows, and nothing else:
an id that is not in the evidence is no citation. Text that a limit cut short gives the statements that were
finished before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

import msgspec

MOST = 12  # statements of one answer


class Item(msgspec.Struct, frozen=True):
    """A statement as the model writes it: ids first, then the words."""

    i: tuple[str, ...]
    t: str


class _Whole(msgspec.Struct, frozen=True):
    a: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement with the ids that it names and that there are; `unknown` are those that there are not."""

    text: str
    ids: tuple[str, ...]
    unknown: tuple[str, ...] = ()


_ITEM = re.compile(r'\{"i":\[("[^"]*"(?:,"[^"]*")*)?\],"t":"[^"\\\x00-\x1f]*"\}')
_SPOKEN = re.compile(r'"t":"([^"\\\x00-\x1f]*)("?)')


def drafts(text: str, known: Collection[str], *, whole: bool) -> tuple[Draft, ...] | None:
    """Return the statements of a text, None where it is none of the form asked for."""
    items = _items(text) if whole else _finished(text)
    if items is None:
        return None
    found = []
    for item in items[:MOST]:
        ids = tuple(dict.fromkeys(item.i))
        words = " ".join(item.t.split())
        if words:
            cited = tuple(name for name in ids if name in known)
            found.append(Draft(words, cited, tuple(name for name in ids if name not in known)))
    return tuple(dict.fromkeys(found))


def _items(text: str) -> tuple[Item, ...] | None:
    try:
        return msgspec.json.decode(text.strip().encode(), type=_Whole).a
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def _finished(text: str) -> tuple[Item, ...] | None:
    """Return the statements that stand whole in a text that breaks off."""
    found = tuple(msgspec.json.decode(match.group().encode(), type=Item) for match in _ITEM.finditer(text))
    return found or None


class Spoken:
    """Tells the words of the statements as they are written, each on a line of its own."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._text, self._told = say, "", ""

    def add(self, piece: str) -> None:
        """Be given what was written next."""
        self._text += piece
        lines = [match.group(1) + ("\n" if match.group(2) else "") for match in _SPOKEN.finditer(self._text)]
        spoken = "".join(lines)
        if len(spoken) > len(self._told):
            self._say(spoken[len(self._told) :])
            self._told = spoken
