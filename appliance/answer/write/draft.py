"""What a language model wrote, as statements with the ids of the sentences that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

import msgspec

from appliance.answer.write.checking import refused
from appliance.answer.write.strange import marked_up

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
_SIGN = re.compile(r"[<>\[\]|!]|:/|www", re.IGNORECASE)  # that may begin markup or an address
_SPOKEN = re.compile(r'"t":"([^"\\\x00-\x1f]*)("?)')


def drafts(text: str, known: Collection[str], *, whole: bool) -> tuple[Draft, ...] | None:
    """Return the statements of a text, None where it is none of the form asked for, or of blanks alone."""
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
    return None if items and not found else tuple(dict.fromkeys(found))


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
    """Tells the words of the statements as they are written, each on a line of its own.

    What `refused` is not told; until a statement is whole, nothing of it that could begin markup is.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._text = say, ""
        self._told: list[str] = []  # of each statement

    def add(self, piece: str) -> None:
        """Be given what was written next."""
        self._text += piece
        for at, found in enumerate(_SPOKEN.finditer(self._text)):
            if at == len(self._told):
                self._told.append("")
            words, whole = found.group(1), bool(found.group(2))
            line = _surely_plain(words) if not whole or refused(words) else f"{words}\n"
            if len(line) > len(self._told[at]):
                self._say(line[len(self._told[at]) :])
                self._told[at] = line


def _surely_plain(words: str) -> str:
    """Return the beginning of a statement whose words are whole and hold no sign of markup."""
    begun = _SIGN.split(words, maxsplit=1)[0]
    plain = begun[: begun.rfind(" ") + 1]
    return "" if marked_up(plain) else plain
