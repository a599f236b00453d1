"""A question as read: its words put right, intent, words to search, labels and documents it names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain

from rapidfuzz import process
from rapidfuzz.distance import OSA

from appliance.core.errors import BadQuestion
from appliance.core.evidence import Intent, Query, SubQuestion
from appliance.core.files import data_folder, shipped
from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.retrieval.query.decomposition import Slot, followed, parts
from appliance.retrieval.query.documents import (
    absent,
    mentioned,
    named_documents,
    named_editions,
    replaced_spans,
)
from appliance.retrieval.query.labels import (
    AskedLabel,
    asked_labels,
    asked_pages,
    behind_documents,
    concepts,
    condition_slots,
    conditions,
    stated,
)
from appliance.retrieval.query.lexicon import Frame, Lexicon, Tag, Words, asking_of, frame_of
from appliance.store.channels import Vocabulary
from appliance.store.connection import Stem
from appliance.store.records import DocumentInfo
from appliance.text.language import language_of_few
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
        raise BadQuestion(
            f"The question has {len(text)} characters; at most {settings.question_characters} can be "
            "searched. Ask for one thing at a time."
        )
    plain = "".join(
        " " if unicodedata.category(char) in {"Cc", "Cf", "Co", "Cs", "Cn"} else char
        for char in unicodedata.normalize("NFC", text)
    )
    plain = " ".join(with_plain_digits(plain).split())
    if not any(char.isalnum() for char in plain):
        raise BadQuestion("The question has no word to search for. Ask in words, or type a clause number.")
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
    earlier, _ = translated(before, languages, reader.vocabulary.spellings)
    meant = followed(put, earlier, reader.content, lambda said: slots(said, reader), lexicon.placing)
    plain = meant[: 2 * settings.question_characters]
    asked = [word for word in words(_besides(plain, reader)) if word not in lexicon.stop]
    corrected = _corrected(asked, reader)
    spelt = _respelt(plain, corrected)
    folded = fold(spelt)
    held = tuple(name for name in names(_besides(plain, reader)) if name in reader.vocabulary.chunks)
    labels, spans = tuple(_places_only(plain, reader)), mentioned(plain, reader.documents)
    if not labels and lexicon.relation(folded):  # "what is above 5 in EN 1991-1-3": a bare number is a place
        labels = tuple(asked_labels(replaced_spans(plain, spans), lexicon))
    labels = labels or tuple(behind_documents(plain, spans, lexicon))
    direction = lexicon.direction(folded) if labels else None
    documents = named_documents(folded, labels, reader.documents)
    editions = named_editions(folded, documents, reader.documents, lexicon)
    documents = documents or editions
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
    bearing = (stem(corrected[word]) for word in asked if corrected[word] not in only)
    stems = tuple(dict.fromkeys(bearing))[: settings.question_terms]
    intent = _intent(folded, bool(direction or relation), reader, labels, inside)
    named = [slot.words for slot in (*_label_slots(spelt, labels), *_document_slots(spelt, reader))]
    ideas = concepts(spelt, lexicon.aliases, lexicon.stop | only, stem, tuple(lexicon.instead.items()))
    query = Query(
        text=plain,
        intent="coverage" if frame and frame.form != "where" else intent,
        terms=stems,
        labels=tuple(label.printed for label in labels),
        documents=documents,
        spelt=spelt,
        conditions=conditions(spelt, reader.tags, stem),
        quantities=stated(spelt, named),
        kinds=tuple(sorted(asked_kinds(folded))),
        concepts=tuple(ideas),
        parts=inside,
        pages=asked_pages(spelt, lexicon, reader.vocabulary.chunks),
        typed=typed if typed != plain else "",
        translated=language,
        after=before,
    )
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


@mechanism("query.spelling", without=lambda asked, _reader: {word: word for word in asked})
def _corrected(asked: Iterable[str], reader: Reader) -> dict[str, str]:
    """Return each word as the library spells it; those of the vocabularies are spelt well."""
    known = _known_stems(reader.lexicon, reader.tags, reader.stem)
    return {
        word: word if reader.stem(word) in known else reader.speller.correct(word)
        for word in dict.fromkeys(asked)
    }


@mechanism("query.frames", without=lambda *_: None)
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


def _besides(text: str, reader: Reader) -> str:
    """Return a question without the names of documents, where it says more than those.

    A name ("EN 1991-1-4") and its pieces ("1991") tell no place of the document from another.
    """
    besides = replaced_spans(text, mentioned(text, reader.documents))
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


@mechanism("query.aliases", without=lambda stems, _lexicon, _stem: [Group(one, ()) for one in stems])
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


@mechanism("query.library_words", without=lambda question, _vocabulary, _stem: as_meant(question))
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


# -- misspelt words put right by those of the library

SHORTEST = 4  # letters; shorter words have too many neighbours
DOUBLED = 3  # letters of a word that may lack one of two like letters
USUAL = 0.01  # of the searched chunks hold the word which one of the fewest letters is put right to
SHORT = 5  # letters up to which a letter may be missing, added or swapped, not another one
LONG = 9  # letters from which two edits are allowed


class Speller:
    """Corrects the words of questions against one library; answers are remembered.

    `real` are words that are spelt well, whether the library holds them or not.
    """

    def __init__(self, vocabulary: Vocabulary, stem: Stem, real: Collection[str] = ()) -> None:
        self._vocabulary = vocabulary
        self._stem = stem
        self._real = real
        self.correct = lru_cache(maxsize=10_000)(self._correct)

    def _correct(self, word: str) -> str:
        """Return the word, or the nearest word of the library where the library holds no form of it."""
        known = self._vocabulary.spellings
        if len(word) < DOUBLED or not word.isalpha():
            return word
        if word in known or self._stem(word) in self._vocabulary.chunks:
            return word
        near = process.extract(
            word, known.keys(), scorer=OSA.distance, score_cutoff=2 if len(word) >= LONG else 1, limit=8
        )
        ranked = [
            (distance, -known[other], other) for other, distance, _ in near if self._may_mean(word, other)
        ]
        return min(ranked)[2] if ranked else word

    def _may_mean(self, word: str, other: str) -> bool:
        """Tell whether a word may be a slip of the pen for another one of the library."""
        swapped = sorted(word) == sorted(other)
        if len(word) < SHORTEST:  # the other one is this one with one of its letters twice
            slip = any(word[:at] + sign + word[at:] == other for at, sign in enumerate(word))
        else:  # it begins alike and is no form of it
            form = other.startswith(word) or word.startswith(other)
            slip = other[0] == word[0] and not form
            slip = slip and (len(word) > SHORT or len(word) != len(other) or swapped)
        if slip and len(word) <= SHORTEST:  # only for a usual word: "mars" is no "marks"
            vowels = frozenset(shipped("retrieval/spelling")["vowels"])
            bare = "".join(sign for sign in other if sign not in vowels)
            usual = self._vocabulary.spellings[other] >= USUAL * self._vocabulary.total
            slip = usual or (vowels.isdisjoint(word) and bare == word)  # or without its only vowel
        return slip and (word not in self._real or swapped or _is_variant(word, other))


def _is_variant(word: str, other: str) -> bool:
    """Tell whether two spellings are of one word: many a name is a slip of the pen for a word."""
    pairs: Sequence[tuple[str, str]] = shipped("retrieval/spelling")["variants"]
    return any(word.replace(one, two) == other or word.replace(two, one) == other for one, two in pairs)


# -- a question in a language that no document is in, put into theirs by a table of the words of the trade

INTO = "en"  # the language that the tables lead to
SHARE = 0.5  # of the words of a question that its language knows, at least
PHRASE = 3  # words of an entry at most
LEAST = 3  # letters of a part of a compound
TELLING = 5  # letters of a word that tells of which language a question is
ENDINGS = ("", "n", "en", "e", "s", "es", "er", "em", "ern")  # of an inflected word, and between parts
TYPED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # where a keyboard has no such letters
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@mechanism("query.translation", without=lambda text, _languages, _printed=(): (text, ""))
def translated(text: str, languages: Collection[str], printed: Collection[str] = ()) -> tuple[str, str]:
    """Return a question in English with the language it was in; as it is, and "", where it needs no table.

    `languages` are those of the documents, `printed` their words: one of these tells no other language.
    What the table does not know stays as it was typed.
    """
    told = language_of_few(text)
    if INTO not in languages or told == INTO:
        return text, ""
    for path in sorted((data_folder() / "retrieval" / "translation").glob("*.toml")):
        if path.stem in languages:
            continue
        found = list(_WORD.finditer(text))
        known, own, reached = 0, told == path.stem, 0
        made: list[str] = []
        for at, end, said in _put([fold(word.group()) for word in found], _table(path.stem)):
            if said is None:
                continue
            start, stop = found[at].start(), found[end - 1].end()
            typed = fold(text[start:stop])
            known += end - at
            own |= typed != said and len(typed) >= TELLING and typed not in printed
            made += [text[reached:start], said]
            reached = stop
        if own and known >= SHARE * len(found):
            return " ".join("".join([*made, text[reached:]]).split()), path.stem
    return text, ""


def _put(folded: Sequence[str], table: Mapping[str, str]) -> list[tuple[int, int, str | None]]:
    """Return from which word to which an entry reaches, and what it says, None for nothing."""
    found: list[tuple[int, int, str | None]] = []
    at = 0
    while at < len(folded):
        phrases = (
            (end, " ".join(folded[at:end])) for end in range(min(at + PHRASE, len(folded)), at + 1, -1)
        )
        entries = ((end, said) for end, phrase in phrases if (said := _whole(phrase, table)) is not None)
        end, put = next(entries, (at + 1, _word(folded[at], table)))
        found.append((at, end, put))
        at = end
    return found


def _whole(said: str, table: Mapping[str, str]) -> str | None:
    """Return what an entry says, looked up as it stands or without its ending; None for unknown."""
    tried = (said.removesuffix(ending) for ending in ENDINGS if said.endswith(ending))
    return next((table[one] for one in tried if one in table), None)


def _word(word: str, table: Mapping[str, str]) -> str | None:
    """Return what a word is in English, whole or as a compound of two; None for unknown."""
    if (said := _whole(word, table)) is not None:
        return said
    for at in range(len(word) - LEAST, LEAST - 1, -1):
        first = _whole(word[:at], table) or _whole(f"{word[:at]}e", table)  # "Schulflur": "Schule"
        if first and (second := _word(word[at:], table)):
            return f"{first} {second}"
    return None


@cache
def _table(language: str) -> Mapping[str, str]:
    rows = shipped(f"retrieval/translation/{language}")["words"]
    known = {fold(word): said for said, each in rows.items() for word in each}
    spelt = {fold(word.translate(TYPED)): said for said, each in rows.items() for word in each}
    return spelt | known
