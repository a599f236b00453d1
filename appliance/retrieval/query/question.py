"""A question as read: intent, words to search, labels and documents it names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from appliance.core.errors import BadQuestion
from appliance.core.evidence import Intent, Query, SubQuestion
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.retrieval.query.conditions import concepts, condition_slots, conditions, stated
from appliance.retrieval.query.decomposition import Slot, followed, parts
from appliance.retrieval.query.documents import (
    absent,
    mentioned,
    named_documents,
    named_editions,
    replaced_spans,
)
from appliance.retrieval.query.labels import AskedLabel, asked_labels, asked_pages, behind_documents
from appliance.retrieval.query.lexicon import Frame, Lexicon, Tag, Words, asking_of, frame_of
from appliance.retrieval.query.wording import Speller, translated
from appliance.store.channels import Vocabulary
from appliance.store.connection import Stem
from appliance.store.values import DocumentInfo
from appliance.text.numbers import with_plain_digits
from appliance.text.quantities import asked_kinds
from appliance.text.terms import fold, names, words
from appliance.text.vocabularies import Relation

LOOSE = frozenset({"general", "requirement"})  # intents that a word anywhere shows, or none
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d\d(?!\d|\.\d|-\d)")


@dataclass(frozen=True, slots=True)
class Group:
    """One idea of the question: the stem of its word, and other ways to say it, each a tuple of stems."""

    stem: str
    others: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question ready for the searches; `spelt` is its text with misspelt words put right.

    `incoming` tells a question about references that asks what refers to a place from one that asks
    what the place refers to, `directed` both and those about what stands around it (`relation`) from all
    others; `editions` are the documents that it names by their year, `frame` tells whether it asks what
    documents speak of; `besides` is it as spelt, without the names of documents where it says more.
    """

    query: Query
    spelt: str
    groups: tuple[Group, ...]
    names: tuple[str, ...]
    labels: tuple[AskedLabel, ...]
    incoming: bool = False
    editions: tuple[str, ...] = ()
    directed: bool = False
    relation: Relation | None = None
    frame: Frame | None = None
    besides: str = ""


def asked_of(question: Question) -> tuple[str, ...]:
    """Return the documents that a question names to be answered from: "handrail height in AD-K".

    Not those in which it names a place that others refer to.
    """
    return () if question.incoming else question.query.documents


def clean(text: str, settings: SearchSettings) -> str:
    """Return the question without control characters and needless spaces, its digits those of codes.

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
    plain = " ".join(with_plain_digits(plain).split())
    if not any(char.isalnum() for char in plain):
        message = "The question has no word to search for. Ask in words, or type a clause number."
        raise BadQuestion(message)
    return plain


@dataclass(frozen=True, slots=True)
class Reader:
    """What a question is read with: the words of the language and those of one library."""

    documents: tuple[DocumentInfo, ...]
    lexicon: Lexicon
    vocabulary: Vocabulary
    speller: Speller
    stem: Stem
    tags: tuple[Tag, ...] = ()

    def content(self, text: str) -> list[str]:
        """Return the words of a text that carry meaning, without the ends of contractions ("it's")."""
        endings = "|".join(map(re.escape, shipped("retrieval/parts")["contracted"]))
        whole = re.sub(rf"['\u2019](?:{endings})\b", "", text, flags=re.IGNORECASE)
        return [word for word in words(whole) if word not in self.lexicon.stop]


def read_question(text: str, reader: Reader, settings: SearchSettings, after: str = "") -> Question:
    """Return the question as read, as it is meant after the one before; raises BadQuestion."""
    typed, lexicon, stem = clean(text, settings), reader.lexicon, reader.stem
    before = clean(after, settings) if after.strip() else ""
    languages = {info.language for info in reader.documents}
    put, language = translated(typed, languages, reader.vocabulary.spellings)
    plain = followed(put, before, reader.content, lambda said: slots(said, reader))[
        : 2 * settings.question_characters
    ]
    asked = [word for word in words(_besides(plain, reader)) if word not in lexicon.stop]
    known = _known_stems(lexicon, reader.tags, stem)
    corrected = _corrected(asked, known, reader)
    spelt = _respelt(plain, corrected)
    folded = fold(spelt)
    held = tuple(name for name in names(_besides(plain, reader)) if name in reader.vocabulary.chunks)
    labels = tuple(_places_only(plain, reader))
    if not labels and lexicon.relation(folded):  # "what is above 5 in EN 1991-1-3": a bare number is a place
        labels = tuple(asked_labels(_without_documents(plain, reader), lexicon))
    labels = labels or tuple(behind_documents(plain, mentioned(plain, reader.documents), lexicon))
    direction = lexicon.direction(folded) if labels else None
    documents = named_documents(folded, labels, reader.documents)
    relation = lexicon.relation(folded)  # from a place, or of editions where it names no place
    if not (documents and not labels if relation == "replaced" else labels):
        relation = None
    inside = tuple(
        replace(part, intent=lexicon.intent(fold(part.asked)))
        for part in parts(plain, reader.content, lexicon.placing)
    )
    placed = relation or any(label.kind != "part" or not documents for label in labels)
    frame = None if placed or len(inside) > 1 else _frame(_respelt(inside[0].asked, corrected), reader)
    only = frame.asking if frame else asking_of(folded)
    only = only if {corrected[word] for word in asked} - only else frozenset()
    meant = (stem(corrected[word]) for word in asked if corrected[word] not in only)
    stems = tuple(dict.fromkeys(meant))[: settings.question_terms]
    intent = _intent(folded, bool(direction or relation), reader, labels, inside)
    query = replace(
        _details(spelt, labels, reader, only),
        text=plain,
        intent="coverage" if frame and frame.form != "where" else intent,
        terms=stems,
        documents=documents,
        parts=inside,
        typed=typed if typed != plain else "",
        translated=language,
        after=before,
    )
    editions = named_editions(folded, documents, reader.documents, lexicon)
    return Question(
        query,
        spelt,
        tuple(grouped(stems, lexicon, stem)),
        held[: settings.question_terms],
        labels,
        direction == "incoming",
        editions,
        direction is not None or relation is not None,
        relation,
        frame,
        _besides(spelt, reader),
    )


@mechanism(
    "query.spelling",
    "Misspelt words are corrected by the words of the library.",
    without=lambda asked, _known, _reader: {word: word for word in asked},
)
def _corrected(asked: Iterable[str], known: Collection[str], reader: Reader) -> dict[str, str]:
    """Return each word as the library spells it; `known` are stems that are spelt well."""
    return {
        word: word if reader.stem(word) in known else reader.speller.correct(word)
        for word in dict.fromkeys(asked)
    }


@mechanism(
    "query.frames",
    "A question whether, what or where documents speak of a subject is read as one.",
    without=lambda *_: None,
)
def _frame(text: str, reader: Reader) -> Frame | None:
    """Return how a question asks for what documents speak of, None where it names no subject of it."""
    folded = fold(text)
    frame = frame_of(folded, mentioned(folded, reader.documents))
    return frame if frame and set(reader.content(" ".join(frame.subject))) - reader.lexicon.placing else None


def _intent(
    folded: str, following: bool, reader: Reader, labels: Sequence[AskedLabel], asked: Sequence[SubQuestion]
) -> Intent:
    """Return what is wanted; a question that says no more than pages wants what stands there."""
    if following:
        return "reference"
    if not labels and (pages := asked_pages(folded, reader.lexicon, reader.vocabulary.chunks)):
        said = [slot.words for slot in _document_slots(folded, reader)]
        own = set(reader.content(folded)) - {*words(" ".join(said)), *pages, "p", *reader.lexicon.placing}
        if not own - reader.lexicon.page_words:
            return "location"
    found = reader.lexicon.intent(folded)
    if found in LOOSE and len(asked) == 1 and asked[0].intent != "general":
        return asked[0].intent  # the case is told first, the one question behind it decides
    return found


def _places_only(text: str, reader: Reader) -> Iterator[AskedLabel]:
    """Yield the labels but the numbers of documents, loaded or not ("1-3" of "DC 1-3", "1991-1-7")."""
    named = " ".join(fold(slot.words) for slot in _document_slots(text, reader))
    others = [fold(text[start:end]) for start, end in absent(text, reader.documents)]
    for label in asked_labels(text, reader.lexicon):
        series = re.fullmatch(r"(?:19|20)\d\d(?:-\d+)+", label.number)
        inside = re.fullmatch(r"[^\W\d_]*\d+(?:-\d+)+", label.number) and label.number in named
        short = any(fold(label.printed) in other for other in others)  # "EC2" is no place
        if label.kind or not (series or inside or short):
            yield label


def _without_documents(text: str, reader: Reader) -> str:
    """Return a text without the names of documents in it."""
    return replaced_spans(text, mentioned(text, reader.documents))


def _besides(text: str, reader: Reader) -> str:
    """Return a question without the names of documents, where it says more than those.

    A name ("EN 1991-1-4") and its pieces ("1991") tell no place of the document from another.
    """
    besides = _without_documents(text, reader)
    return besides if set(words(besides)) - reader.lexicon.stop - reader.lexicon.placing else text


def _known_stems(lexicon: Lexicon, tags: tuple[Tag, ...], stem: Stem) -> frozenset[str]:
    """Return the stems of the vocabularies' words, which no library has to hold to be spelt well."""
    loose = [*lexicon.placing, *lexicon.listing, *lexicon.page_words, *lexicon.edition_words]
    loose += [word for known in lexicon.label_words.values() for word in known]
    return _stems_of(lexicon.aliases, (*lexicon.narrower, tuple(sorted(loose))), tags, stem)


@lru_cache(maxsize=8)
def _stems_of(
    aliases: tuple[tuple[Words, ...], ...], phrases: tuple[Words, ...], tags: tuple[Tag, ...], stem: Stem
) -> frozenset[str]:
    named = (tuple(words(name)) for tag in tags for name in tag.names)
    return frozenset(stem(word) for phrase in chain(*aliases, named, phrases) for word in phrase)


def _details(spelt: str, labels: Sequence[AskedLabel], reader: Reader, only: frozenset[str]) -> Query:
    """Return what a question says of its case and what it wants measured; its text is not in it yet.

    Words that `only` ask name no idea.
    """
    lexicon, stem = reader.lexicon, reader.stem
    named = [slot.words for slot in (*_label_slots(spelt, labels), *_document_slots(spelt, reader))]
    ideas = concepts(spelt, lexicon.aliases, lexicon.stop | only, stem, tuple(lexicon.instead.items()))
    return Query(
        text="",
        intent="general",
        terms=(),
        labels=tuple(label.printed for label in labels),
        spelt=spelt,
        conditions=tuple(conditions(spelt, reader.tags, stem)),
        quantities=stated(spelt, named),
        kinds=tuple(sorted(asked_kinds(fold(spelt)))),
        concepts=tuple(ideas),
        pages=asked_pages(spelt, lexicon, reader.vocabulary.chunks),
    )


def slots(text: str, reader: Reader) -> tuple[Slot, ...]:
    """Return what a text names that a following question may replace, in order, none inside another."""
    placed = _document_slots(text, reader)
    placed += [Slot("edition", *match.span(), match.group()) for match in _YEAR.finditer(text)]
    placed += _label_slots(text, asked_labels(text, reader.lexicon))
    named = [slot.words for slot in placed]
    placed += [
        Slot("quantity " + " ".join(item.kinds), match.start(), match.end(), item.words)
        for item in stated(text, named)
        if (match := re.search(re.escape(item.words), text))
    ]
    placed += condition_slots(text, reader.tags, reader.stem)
    kept: list[Slot] = []
    for slot in placed:  # labels, documents and quantities go before conditions that stand in them
        if slot.kind == "edition" or not any(slot.start < o.end and o.start < slot.end for o in kept):
            kept.append(slot)
    return tuple(sorted(kept, key=lambda slot: slot.start))


def _label_slots(text: str, labels: Iterable[AskedLabel]) -> Iterator[Slot]:
    for label in labels:
        pattern = r"[\s.]*".join(map(re.escape, label.printed.split()))
        if match := re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
            yield Slot("label", *match.span(), match.group())


def _document_slots(text: str, reader: Reader) -> list[Slot]:
    spans = mentioned(text, reader.documents)
    return [Slot("document", start, end, text[start:end]) for start, end in spans]


def _respelt(text: str, corrected: dict[str, str]) -> str:
    """Return the text with each misspelt word replaced; all else as typed."""
    changed = {word: put for word, put in corrected.items() if put != word}
    return re.sub(r"[^\W\d_]+", lambda found: changed.get(fold(found.group()), found.group()), text)


@mechanism(
    "query.aliases",
    "Other names of an idea, from the vocabularies, are searched with it.",
    without=lambda stems, _lexicon, _stem: [Group(one, ()) for one in stems],
)
def grouped(stems: Sequence[str], lexicon: Lexicon, stem: Stem) -> Iterable[Group]:
    """Yield a group for each stem, with the aliases of every phrase that starts at it.

    The stems are those of words with meaning: phrases are met without their small words ("block of flats").
    """
    directed = (*lexicon.narrower.items(), *lexicon.instead.items())
    known = _by_first_stem(lexicon.aliases, directed, lexicon.stop, stem)
    for position, first in enumerate(stems):
        others: dict[Words, None] = {}
        for phrase, group in known.get(first, ()):
            if tuple(stems[position : position + len(phrase)]) == phrase:
                others.update(dict.fromkeys(other for other in group if other != (first,)))
        yield Group(first, tuple(others))


@lru_cache(maxsize=8)
def _by_first_stem(
    aliases: tuple[tuple[Words, ...], ...],
    narrower: tuple[tuple[Words, tuple[Words, ...]], ...],
    stop: frozenset[str],
    stem: Stem,
) -> Mapping[str, Sequence[tuple[Words, tuple[Words, ...]]]]:
    """Return each stemmed phrase with the others that are searched with it, by its first stem."""
    known: dict[str, list[tuple[Words, tuple[Words, ...]]]] = {}

    def put(phrase: Words, group: Iterable[Words]) -> None:
        meant = [word for word in phrase if word not in stop]
        asked = tuple(map(stem, meant if len(meant) > 1 else phrase))  # "sign" is no "sign off"
        if asked:
            known.setdefault(asked[0], []).append((asked, tuple(group)))

    for group in aliases:
        stemmed = tuple(tuple(map(stem, phrase)) for phrase in group)
        for phrase in dict.fromkeys(group):
            put(phrase, stemmed)
    for broad, narrow in narrower:
        put(broad, (tuple(map(stem, phrase)) for phrase in narrow))
    return known


PREFERRED = 2.0  # times more chunks must hold another name than the one asked with
FEWEST = 2  # chunks more, so that in a small library one mention decides nothing


def as_meant(question: Question) -> str:
    """Return the question as spelt, without names of documents and the verb that only asks what they say."""
    verb = question.frame.verb if question.frame else frozenset()
    said = (question.besides or question.spelt).split()
    return " ".join(word for word in said if verb.isdisjoint(words(word)))


@mechanism(
    "query.library_words",
    "The names that the library has for the ideas of a question are encoded with it.",
    without=lambda question, _vocabulary, _stem: as_meant(question),
)
def in_own_words(question: Question, vocabulary: Vocabulary, stem: Stem) -> str:
    """Return the question with the names that the library has for its ideas behind it."""

    def held(name: str) -> int:
        return min((vocabulary.chunks.get(stem(word), 0) for word in words(name)), default=0)

    preferred: dict[str, None] = {}
    for idea in question.query.concepts:
        best = max(idea.others, key=held, default="")
        if held(best) > PREFERRED * held(idea.words) + FEWEST:
            preferred[best] = None
    return f"{as_meant(question)} ({', '.join(preferred)})" if preferred else as_meant(question)
