"""The terms that a document defines, and where running text uses them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from appliance.core.document import Term

if TYPE_CHECKING:
    from appliance.library import Library

WORDS_OF_A_TERM = 3  # letters: what is shorter is a symbol and not marked in running text
MARKED = 24  # terms marked in one text
_MAKING = Lock()
_HELD: WeakKeyDictionary[Library, dict[str, Glossary]] = WeakKeyDictionary()  # as long as its library is open


@dataclass(frozen=True, slots=True)
class Entry:
    """A term of a document; `page` is where it stands."""

    name: str
    text: str
    key: str
    page: int


@dataclass(frozen=True, slots=True)
class Glossary:
    """The terms of a document by their folded names, and what finds them in a text."""

    pattern: re.Pattern[str] | None
    named: dict[str, Entry]

    def entry(self, words: str) -> Entry | None:
        """Return what words of a text are defined as, in the plural too; None for what is not defined."""
        name = " ".join(words.casefold().split())
        forms = (name, name.removesuffix("s"), name.removesuffix("es"))
        return next((self.named[form] for form in forms if form in self.named), None)


def glossary(library: Library, document: str) -> Glossary:
    """Return what a document defines; read once. Raises UnknownDocument."""
    with _MAKING:
        held = _HELD.setdefault(library, {})
        if document not in held:
            held[document] = made(library.document(document).terms)
        return held[document]


def made(terms: Sequence[Term]) -> Glossary:
    """Return the glossary of some terms, of two with one name the first; symbols are not marked in text."""
    named: dict[str, Entry] = {}
    for term in terms:
        if term.kind != "symbol" and len(term.term) >= WORDS_OF_A_TERM:
            page = term.boxes[0].page if term.boxes else 0
            entry = Entry(term.term, " ".join(term.passage.text.split()), term.label.key, page)
            named.setdefault(" ".join(term.term.casefold().split()), entry)
    return Glossary(_pattern(named), named)


def used_in(found: Glossary, texts: Iterable[str], but: Collection[str] = ()) -> tuple[Entry, ...]:
    """Return the entries whose names stand in the texts, in the order of the alphabet.

    Those that are defined at the keys `but` are left out: a definition is not explained by itself.
    """
    if found.pattern is None:
        return ()
    words = {match.group() for text in texts for match in found.pattern.finditer(text)}
    met = {entry for word in words if (entry := found.entry(word)) and entry.key not in but}
    return tuple(sorted(met, key=lambda entry: entry.name.casefold())[:MARKED])


def _pattern(named: dict[str, Entry]) -> re.Pattern[str] | None:
    """Return what finds the names in running text, the longest first; a plural is the name too."""
    if not named:
        return None
    ordered = sorted(named, key=len, reverse=True)
    names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in ordered)
    return re.compile(rf"(?<![\w-])(?:{names})(?:s|es)?(?![\w-])", re.IGNORECASE)
