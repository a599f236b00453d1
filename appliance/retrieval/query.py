"""A question as read: what it wants, the words to search, the labels and documents it names.

Rules of this module: no search and no model; which words mean what comes from the lexicon. Whatever
a user types is either read or refused with a sentence (`BadQuestion`), never passed on raw.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from appliance.errors import BadQuestion
from appliance.evidence import Query
from appliance.retrieval.editions import named_documents, named_editions
from appliance.retrieval.labels import AskedLabel, asked_labels
from appliance.retrieval.lexicon import Lexicon, Words
from appliance.retrieval.spelling import Speller
from appliance.settings import SearchSettings
from appliance.store.channels import Vocabulary, name_terms
from appliance.store.tokenizer import Stem
from appliance.store.values import DocumentInfo
from appliance.store.words import fold, words


@dataclass(frozen=True, slots=True)
class Group:
    """One idea of the question: the stem of its word, and other ways to say it, each a tuple of stems."""

    stem: str
    others: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question ready for the searches; `spelt` is its text with misspelt words put right.

    `incoming` tells a question about references that asks what refers to a place from one that asks
    what the place refers to, `directed` both from all others; `editions` are the documents that it
    names by their year.
    """

    query: Query
    spelt: str
    groups: tuple[Group, ...]
    names: tuple[str, ...]
    labels: tuple[AskedLabel, ...]
    incoming: bool = False
    editions: tuple[str, ...] = ()
    directed: bool = False


def clean(text: str, settings: SearchSettings) -> str:
    """Return the question without control characters and needless spaces.

    Raises:
        BadQuestion: it is empty, too long, or has neither letter nor digit.
    """
    if len(text) > settings.question_characters:
        message = (
            f"The question has {len(text)} characters; at most {settings.question_characters} can be "
            "searched. Ask for one thing at a time."
        )
        raise BadQuestion(message)
    plain = "".join(
        " " if unicodedata.category(char) in {"Cc", "Cf", "Co", "Cs", "Cn"} else char
        for char in unicodedata.normalize("NFC", text)
    )
    plain = " ".join(plain.split())
    if not any(char.isalnum() for char in plain):
        message = "The question has no word to search for. Ask in words, or type a clause number."
        raise BadQuestion(message)
    return plain


@dataclass(frozen=True, slots=True)
class Reader:
    """What a question is read with: the words of the language and those of one library."""

    documents: Sequence[DocumentInfo]
    lexicon: Lexicon
    vocabulary: Vocabulary
    speller: Speller
    stem: Stem


def read_question(text: str, reader: Reader, settings: SearchSettings) -> Question:
    """Return the question as read; raises BadQuestion."""
    plain, lexicon, stem = clean(text, settings), reader.lexicon, reader.stem
    folded = fold(plain)
    asked = [word for word in words(plain) if word not in lexicon.stop]
    corrected = {word: reader.speller.correct(word) for word in dict.fromkeys(asked)}
    stems = tuple(dict.fromkeys(stem(corrected[word]) for word in asked))[: settings.question_terms]
    names = tuple(name for name in name_terms(plain) if name in reader.vocabulary.chunks)
    labels = tuple(asked_labels(plain, lexicon))
    printed = tuple(label.printed for label in labels)
    direction = lexicon.direction(folded) if labels else None
    intent = "reference" if direction else lexicon.intent(folded)
    documents = named_documents(folded, labels, reader.documents)
    spelt = _respelt(plain, corrected)
    query = Query(plain, intent, stems, printed, documents, spelt=spelt)
    editions = named_editions(folded, documents, reader.documents, lexicon)
    groups = tuple(grouped(stems, lexicon, stem))
    return Question(
        query,
        spelt,
        groups,
        names[: settings.question_terms],
        labels,
        direction == "incoming",
        editions,
        direction is not None,
    )


def _respelt(text: str, corrected: dict[str, str]) -> str:
    """Return the text with each misspelt word replaced; all else as typed."""

    def put_right(match: re.Match[str]) -> str:
        word = fold(match.group())
        return corrected.get(word, word) if corrected.get(word, word) != word else match.group()

    return re.sub(r"[^\W\d_]+", put_right, text)


def grouped(stems: Sequence[str], lexicon: Lexicon, stem: Stem) -> Iterable[Group]:
    """Yield a group for each stem, with the aliases of every phrase that starts at it."""
    known = _by_first_stem(lexicon.aliases, tuple(lexicon.narrower.items()), stem)
    for position, first in enumerate(stems):
        others: dict[Words, None] = {}
        for phrase, group in known.get(first, ()):
            if tuple(stems[position : position + len(phrase)]) == phrase:
                others.update(dict.fromkeys(other for other in group if other != (first,)))
        yield Group(first, tuple(others))


@lru_cache(maxsize=8)
def _by_first_stem(
    aliases: tuple[tuple[Words, ...], ...], narrower: tuple[tuple[Words, tuple[Words, ...]], ...], stem: Stem
) -> Mapping[str, Sequence[tuple[Words, tuple[Words, ...]]]]:
    """Return each stemmed phrase with the others that are searched with it, by its first stem."""
    known: dict[str, list[tuple[Words, tuple[Words, ...]]]] = {}

    def put(phrase: Words, group: Iterable[Words]) -> None:
        if phrase:
            known.setdefault(phrase[0], []).append((phrase, tuple(group)))

    for group in aliases:
        stemmed = tuple(tuple(map(stem, phrase)) for phrase in group)
        for phrase in dict.fromkeys(stemmed):
            put(phrase, stemmed)
    for broad, narrow in narrower:
        put(tuple(map(stem, broad)), (tuple(map(stem, phrase)) for phrase in narrow))
    return known
