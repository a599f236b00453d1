"""Noise of a text layer made by character recognition: found, folded for search, flagged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from appliance.core.document import Chunk, Document, Problem
from appliance.core.mechanisms import mechanism
from appliance.ingest.page import PageContent, Source, Word, box_on
from appliance.text.folding import comma_digits, language_words, pieces, units, value_digits
from appliance.text.numbers import unit_pattern

SHORTEST = 4  # signs: a shorter word has too many neighbours
FAMILIAR = 3  # times a word must stand in a document to be one of its words
OFTEN = 2  # times as often as the unknown word the known one must stand there, if no language knows it
PAIRS = 40  # places in a word where pieces may be exchanged; with more only one is at a time
NOISY = 0.01  # of the words: with fewer misread ones the layer is not called noisy
NAMED = 20  # doubtful values of one page that are named one by one

_TOKEN = re.compile(r"[^\s,;:.()\[\]{}/\\=<>+\"“”‘’–—-]+")
_WORD = re.compile(r"(?=.*[^\W\d_]{2})[^\W_|!~^'·•]*(?:[^\W_]|[|!~^'·•_])+")
_FIGURE = "0-9" + re.escape("".join(value_digits()))
_COMMA = re.escape("".join(comma_digits()))
_VALUE = re.compile(
    rf"""[<>=≥≤±~+−(-]*
    (?P<number>[{_FIGURE}]{{1,4}}[.,][{_FIGURE}]{{1,4}}  # "O,7", "I.35", "1.S"
    |[{_COMMA}],[{_COMMA}{_FIGURE}]{{2,3}})  # "a,a5"
    (?P<unit>(?:[^\W\d_]{{1,3}}(?:/[^\W\d_]{{1,3}}[23²³]?)?|%|°C?)?)[),.;:'’]*""",
    re.VERBOSE,
)
_WHOLE = re.compile(
    rf"(?P<number>(?![SBZ])(?=[{_FIGURE}]*\d)[{_FIGURE}]{{2,6}})"
)  # "1O", "5OO"; not the grade "S275"
_LETTERS = re.compile(r"\D,\D{1,2}")  # "O,S": no other word has a comma inside
_DEGREES = re.compile(rf"(?P<number>\d[{_FIGURE}]{{1,3}})[°ºo0]C[),.;:]*")  # "1SoC" for 15°C
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "al", "er", "ness", "ment")


@dataclass(frozen=True, slots=True)
class Noise:
    """What is misread in a document: word as read -> word meant, and how much of the text that is."""

    meant: Mapping[str, str]
    share: float


def find_noise(texts: Iterable[str]) -> Noise:
    """Return the misread words of texts that belong together, measured against each other and a language."""
    counts = Counter(token for text in texts for token in tokens(text))
    familiar = Counter[str]()
    for token, count in counts.items():
        familiar[token.lower()] += count
    meant = {}
    for token, count in counts.items():
        reading = None if is_known(token.lower()) else _meant(token, count, familiar)
        if reading is not None:
            meant[token] = reading
    misread = sum(counts[token] for token in meant)
    return Noise(meant, misread / max(1, counts.total()))


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text that are long enough to be told from one another, misread or not."""
    for found in _TOKEN.findall(text):
        token = re.sub(r"['’]s$", "", found).strip("|!~^'·•_")
        if len(token) >= SHORTEST and _WORD.fullmatch(token):
            yield token


def is_known(word: str) -> bool:
    """Tell whether the language has the word, or the word without a usual ending."""
    words = language_words()
    if word in words:
        return True
    stems = (word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= SHORTEST)
    return any(stem in words or stem + "e" in words for stem in stems)


def _meant(token: str, count: int, familiar: Mapping[str, int]) -> str | None:
    """Return the known word that the token is most likely a misreading of, None where there is none.

    What looks like a word, only an unknown one, must be a misreading of a word of the same document.
    """
    words = language_words()
    odd = not (token.isalpha() and (token.islower() or token.isupper() or token.istitle()))
    once = list(_exchanged(token))
    for candidates in (once, _again(once)):
        found = {word.lower() for word in candidates if word.isalpha()} - {token.lower()}
        good = [
            word
            for word in found
            if len(word) >= SHORTEST
            and (familiar.get(word, 0) >= max(FAMILIAR, OFTEN * count) or (odd and is_known(word)))
        ]
        if good:
            return max(good, key=lambda word: (word in words, familiar.get(word, 0), word))
    return None


def _exchanged(token: str) -> Iterator[str]:
    """Yield the token with one piece exchanged for what it is taken for."""
    for read, printed in pieces():
        at = token.find(read)
        while at >= 0:
            yield token[:at] + printed + token[at + len(read) :]
            at = token.find(read, at + 1)


def _again(once: Sequence[str]) -> Iterator[str]:
    """Yield the tokens with a second piece exchanged, where they are not too many."""
    if len(once) <= PAIRS:
        for word in once:
            yield from _exchanged(word)


@mechanism(
    "ocr.folded_words",
    "Words of a poor text layer are folded to words of the document.",
    without=lambda document: document,
)
def with_folded_words(document: Document) -> Document:
    """Return the document with what misread words and values mean added to what is searched of its scans."""
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    own = [at for at, chunk in enumerate(document.chunks) if any(box.page in scanned for box in chunk.boxes)]
    if not own:
        return document
    noise = find_noise(chunk.passage.text for chunk in (document.chunks[at] for at in own))
    chunks = list(document.chunks)
    for at in own:
        chunks[at] = _with_extra(chunks[at], noise)
    said: tuple[Problem, ...] = ()
    if noise.share > NOISY:
        message = (
            f"The text layer of this scan is noisy: about {noise.share:.1%} of its words are misread. "
            "They are shown as they were read, and found as they were probably printed."
        )
        said = (Problem(message),)
    return replace(document, chunks=tuple(chunks), problems=(*document.problems, *said))


def _with_extra(chunk: Chunk, noise: Noise) -> Chunk:
    meant = [noise.meant[token] for token in tokens(chunk.passage.text) if token in noise.meant]
    for token, after in pairwise([*chunk.passage.text.split(), ""]):
        value = likely_value(token, after)
        unit = units().get(after.strip(".,;:()"), "")
        if value or (unit and token[-1:].isdigit()):
            meant.append(f"{value or token} {unit}".strip())
    added = " ".join(dict.fromkeys(meant))
    return replace(chunk, extra=f"{chunk.extra}\n{added}".strip()) if added else chunk


def likely_value(token: str, after: str = "") -> str:
    """Return the value that a token with letters among its figures probably prints, "" for any other.

    What is a label as it stands ("B.4", "A.1") is none, unless a unit follows; a whole number is a value
    only then.
    """
    unit = after.strip(".,;:()")
    measured = unit in {*units(), *units().values()} or unit_pattern().fullmatch(unit) is not None
    match = _VALUE.fullmatch(token)
    if match is None:
        warm, whole = _DEGREES.fullmatch(token), _WHOLE.fullmatch(token) if measured else None
        found = warm or whole
        said = _figures(found["number"]) if found else ""
        return said + "°C" * (warm is not None) if found and said != found["number"] else ""
    number = match["number"]
    figures = _figures(number)
    if figures == number or not (any(char.isdigit() for char in number) or _LETTERS.fullmatch(number)):
        return ""
    label = re.fullmatch(r"[A-Z]\.\d+", number) and number[0] not in "OIS"
    if label and not (match["unit"] or measured):
        return ""
    return figures + (f" {match['unit']}" if match["unit"] else "")


def _figures(number: str) -> str:
    """Return a number with the figures that its letters are taken for."""
    read = {**value_digits(), **comma_digits()}
    return "".join(read.get(char, char) for char in number)


@mechanism("ocr.doubtful_values", "Values in a poor text layer are doubtful.", without=lambda *_: iter(()))
def doubtful_values(source: Source) -> Iterator[Problem]:
    """Yield a problem with its box for each value of a scan's text layer with a letter among its figures."""
    for page in source.pages:
        if page.trust != "ocr":
            continue
        doubtful = [
            (word, value)
            for word, after in zip(page.words, (*page.words[1:], None), strict=True)
            if (value := likely_value(word.text, after.text if after else ""))
        ]
        for word, value in doubtful[:NAMED]:
            yield _doubt(page, word, value)
        if len(doubtful) > NAMED:
            message = f"{len(doubtful) - NAMED} more values of page {page.number} hold letters."
            yield Problem(message, page.number, doubt=True)


def _doubt(page: PageContent, word: Word, value: str) -> Problem:
    message = f"“{word.text}” on page {page.number} was read with doubt and may be {value}: "
    box = box_on(page, word.x0, word.y0, word.x1, word.y1)
    return Problem(message + "compare it with the image.", page.number, box, doubt=True)
