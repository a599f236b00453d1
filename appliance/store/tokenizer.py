"""The FTS5 tokenizer `codewords`, the same for building and for asking.

Rules of this module: a piece of text that starts with MARK is one term, taken as it is (names, and
the terms that a question has already been turned into); all else is folded, cut into words and
stemmed with SQLite's own Porter stemmer. A connection must be registered before it touches FTS5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import apsw

from appliance.store.words import MARK, words

NAME = "codewords"
Stem = Callable[[str], str]


def stemmer(connection: apsw.Connection) -> Stem:
    """Return a cached function from a folded word to its stem."""
    porter = connection.fts5_tokenizer("porter", ["unicode61"])

    @lru_cache(maxsize=100_000)
    def stem(word: str) -> str:
        if not word.isascii() or not word.isalpha():
            return word
        found = porter(
            word.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
        )
        return str(next(iter(found), word))

    return stem


def register(connection: apsw.Connection) -> Stem:
    """Make the tokenizer known to the connection and return its stemmer."""
    stem = stemmer(connection)

    def tokenize(utf8: bytes, _reason: int, _locale: str | None) -> Iterable[str]:
        text = utf8.decode(errors="replace")
        return _pieces(text) if MARK in text else map(stem, words(text))

    def _pieces(text: str) -> Iterator[str]:
        for piece in text.split():
            if piece.startswith(MARK):
                yield piece[1:]
            else:
                yield from map(stem, words(piece))

    connection.register_fts5_tokenizer(NAME, lambda _connection, _arguments: tokenize)
    return stem


def marked(terms: Iterable[str]) -> str:
    """Return terms as text that the tokenizer takes as they are."""
    return " ".join(MARK + term for term in terms)
