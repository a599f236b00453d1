"""A question taken apart: the questions in it, and a question that goes on from the one before.

Rules of this module: pure; which words open, join and point stands in data/retrieval/parts.toml. A
part is only cut off where it opens like a question, so that "doors and windows" stays whole. What a
part leaves unsaid ("how do I check this?") is said for it from what came before, in the words used
there; both are shown to the person who asked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from appliance.paths import data_folder
from appliance.store.words import fold, words

MOST = 4  # parts of one question; what is left stays in the last
FEW = 2  # words with meaning below which a part leans on what came before

Content = Callable[[str], Sequence[str]]
"""The words of a text that carry meaning."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A question inside another one: as asked, and as searched with what it leaves unsaid."""

    asked: str
    searched: str


def parts(question: str, content: Content) -> tuple[SubQuestion, ...]:
    """Return the questions in a question, in order; one that cannot be cut is its only part.

    A sentence that asks nothing ("I am designing a bridge.") is said with every part after it.
    """
    sentences = _sentences(question)
    marked = any(sentence.endswith("?") for sentence in sentences)
    asking: list[str] = []
    told: list[str] = []
    for sentence in sentences:
        for piece in [sentence] if marked and not sentence.endswith("?") else _cut(sentence):
            (asking if _asks(piece, marked) else told).append(piece)
    if not asking or len(asking) + len(told) < 2:
        return (SubQuestion(question, question),)
    setting = " ".join(told)
    kept = [*asking[: MOST - 1], " ".join(asking[MOST - 1 :])] if len(asking) > MOST else asking
    return tuple(_resolved(kept, setting, content))


def followed(question: str, before: str, content: Content) -> str:
    """Return a question as it is meant after another one: "and for timber?" with what it was about.

    A question that says enough by itself is returned unchanged.
    """
    folded = fold(question)
    bare = _stripped(folded)
    if not before or (bare == folded and not _leans(question, content)):
        return question
    new = set(content(bare))
    kept = [word for word in content(fold(before)) if word not in new]
    return f"{' '.join(question.split()).rstrip('?. ')} ({' '.join(kept)})" if kept else question


def _resolved(asking: Sequence[str], setting: str, content: Content) -> Iterator[SubQuestion]:
    topic = setting
    for number, piece in enumerate(asking):
        said = set(content(piece))
        lacking = [word for word in content(topic) if word not in said]
        lean = setting if number == 0 else topic
        if lacking and lean and (number == 0 or _leans(piece, content)):
            yield SubQuestion(piece, f"{piece} ({' '.join(lacking)})")
        else:
            yield SubQuestion(piece, piece)
        if number == 0:
            topic = f"{setting} {piece}".strip()


def _leans(piece: str, content: Content) -> bool:
    """Tell whether a part points back, or says too little to be searched alone."""
    return bool(_words("pointing") & set(words(fold(piece)))) or len(content(piece)) < FEW


def _sentences(question: str) -> list[str]:
    found = re.split(r"(?<=[?!;])\s+|(?<=[^\W\d]{2}\.)\s+(?=[A-Z])", question)
    return [part.strip() for part in found if part.strip()]


def _cut(sentence: str) -> Iterator[str]:
    """Yield the parts of a sentence, cut where one that opens like a question is joined to another.

    What stands before a mere comma and opens with a word such as "when" or "if" is a condition of
    what follows.
    """
    start = 0
    for match in _joint().finditer(sentence):
        before = sentence[start : match.start()].strip(" ,;-")
        if len(before.split()) > 1:
            yield before
            start = match.end()
    yield sentence[start:].strip(" ,;-")


def _asks(piece: str, marked: bool) -> bool:
    """Tell whether a part asks; `marked` where the whole has question marks, so that a condition shows."""
    folded = fold(piece)
    if piece.endswith("?"):
        return True
    if _opens_with("conditions", folded):
        return False
    return _opens_with("openings", folded) and (marked or len(folded.split()) > 1)


def _stripped(folded: str) -> str:
    """Return a folded question without the words by which it goes on from another."""
    return _continuing().sub("", folded, count=1)


@cache
def _joint() -> re.Pattern[str]:
    """Return what joins two questions: a joining word or a comma before a word that opens one."""
    joining = "|".join(map(re.escape, _data()["joining"]))
    openings = "|".join(map(re.escape, _data()["openings"]))
    before = rf"(?:,\s*|\s+[-–—]\s+)(?:(?:{joining})\s+)?|\s+(?:{joining})\s+"
    return re.compile(rf"(?:{before})(?=(?:{openings})\b)", re.IGNORECASE)


def _opens_with(name: str, folded: str) -> bool:
    return re.match(rf"(?:{'|'.join(map(re.escape, _data()[name]))})\b", folded) is not None


@cache
def _continuing() -> re.Pattern[str]:
    ways = sorted(_data()["continuing"], key=len, reverse=True)
    return re.compile(rf"^(?:{'|'.join(map(re.escape, ways))})\b,?\s*")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_data()[name])


@cache
def _data() -> dict[str, list[str]]:
    return tomllib.loads((data_folder() / "retrieval" / "parts.toml").read_text(encoding="utf-8"))
