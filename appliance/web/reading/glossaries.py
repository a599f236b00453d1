"""The terms that a document defines, alphabetically, and where running text uses them."""

from __future__ import annotations

import re
import unicodedata
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
    kind: str
    text: str
    key: str
    page: int


@dataclass(frozen=True, slots=True)
class Glossary:
    """The entries of a document in the order of the alphabet, and how its terms are found in a text."""

    entries: tuple[Entry, ...]
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
    """Return the glossary of some terms; of two that say the same of one name, the first."""
    entries: dict[tuple[str, str], Entry] = {}
    for term in terms:
        entry = _entry(term)
        entries.setdefault((entry.name.casefold(), " ".join(entry.text.split())), entry)
    ordered = sorted(entries.values(), key=lambda entry: (_sorted_by(entry.name), entry.page))
    named: dict[str, Entry] = {}
    for entry in ordered:
        if entry.kind != "symbol" and len(entry.name) >= WORDS_OF_A_TERM:
            named.setdefault(" ".join(entry.name.casefold().split()), entry)
    return Glossary(tuple(ordered), _pattern(named), named)


def used_in(found: Glossary, texts: Iterable[str], but: Collection[str] = ()) -> tuple[Entry, ...]:
    """Return the entries whose names stand in the texts, in the order of the alphabet.

    Those that are defined at the keys `but` are left out: a definition is not explained by itself.
    """
    if found.pattern is None:
        return ()
    met = {found.entry(match.group()) for text in texts for match in found.pattern.finditer(text)}
    used = [entry for entry in found.entries if entry in met and entry.key not in but]
    return tuple(used[:MARKED])


def _entry(term: Term) -> Entry:
    page = term.boxes[0].page if term.boxes else 0
    return Entry(term.term, term.kind, " ".join(term.passage.text.split()), term.label.key, page)


def _pattern(named: dict[str, Entry]) -> re.Pattern[str] | None:
    """Return what finds the names in running text, the longest first; a plural is the name too."""
    if not named:
        return None
    ordered = sorted(named, key=len, reverse=True)
    names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in ordered)
    return re.compile(rf"(?<![\w-])(?:{names})(?:s|es)?(?![\w-])", re.IGNORECASE)


def _sorted_by(name: str) -> tuple[str, str]:
    """Return a name as an alphabet orders it: without accents and case, Greek behind Latin."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold(), name
