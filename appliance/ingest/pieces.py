"""Stretches of text with their labels and lines, stacked, cut and measured.

Rules of this module: pure. A piece is never cut inside a sentence, unless one sentence alone is
longer than a whole place may be. Tokens are estimated from words, since ingest knows no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from appliance.document import Box, Label, LineSpan, Passage
from appliance.ingest.sentences import sentence_spans

TOKENS_PER_WORD = 1.35  # of English running text with numbers, WordPiece
SAME_COLUMN = 0.5  # share of the narrower box's width that two lines of one column have in common
NEAR = 1.2  # line heights between lines that are drawn as one box


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text and the labels that it shows; `lead` is the sentence that a list item hangs on."""

    labels: tuple[Label, ...]
    passage: Passage
    lead: str = ""

    @property
    def tokens(self) -> int:
        """Estimated number of tokens."""
        return tokens(self.passage.text)


def tokens(text: str) -> int:
    """Return the estimated number of a model's tokens in a text."""
    return ceil(len(text.split()) * TOKENS_PER_WORD)


def prefixed(prefix: str, passage: Passage) -> Passage:
    """Return the passage with printed words before it (its number), on its first line."""
    if not prefix:
        return passage
    head = f"{prefix} " if passage.text else prefix
    lines = [LineSpan(span.start + len(head), span.end + len(head), span.box) for span in passage.lines]
    if lines:
        lines[0] = replace(lines[0], start=0)
    return Passage(head + passage.text, tuple(lines))


def stacked(passages: Iterable[Passage]) -> Passage:
    """Return passages one below the other."""
    text, lines = "", []
    for passage in passages:
        if not passage.text:
            continue
        shift = len(text) + bool(text)
        text = f"{text}\n{passage.text}" if text else passage.text
        lines += [LineSpan(span.start + shift, span.end + shift, span.box) for span in passage.lines]
    return Passage(text, tuple(lines))


def cut(passage: Passage, start: int, end: int) -> Passage:
    """Return characters [start, end) of a passage with their lines."""
    lines = tuple(
        LineSpan(max(span.start, start) - start, min(span.end, end) - start, span.box)
        for span in passage.lines
        if span.start < end and span.end > start
    )
    return Passage(passage.text[start:end], lines)


def split(piece: Piece, most: int) -> list[Piece]:
    """Return the piece in parts of at most `most` tokens, cut between sentences, of even size."""
    if piece.tokens <= most:
        return [piece]
    spans = [part for span in sentence_spans(piece.passage.text) for part in _halved(piece, span, most)]
    aim = piece.tokens / ceil(piece.tokens / most)
    groups: list[tuple[int, int]] = []
    for start, end in spans:
        first, last = groups[-1] if groups else (0, 0)
        whole = tokens(piece.passage.text[first:end])
        if groups and whole <= most and tokens(piece.passage.text[first:last]) < aim:
            groups[-1] = (first, end)
        else:
            groups.append((start, end))
    return [replace(piece, passage=cut(piece.passage, start, end)) for start, end in groups]


def _halved(piece: Piece, span: tuple[int, int], most: int) -> list[tuple[int, int]]:
    """Return a sentence longer than a whole place cut at spaces, any other as it is."""
    start, end = span
    text = piece.passage.text
    if tokens(text[start:end]) <= most:
        return [span]
    middle = text.find(" ", (start + end) // 2, end)
    if middle < 0:
        return [span]
    return _halved(piece, (start, middle), most) + _halved(piece, (middle + 1, end), most)


def packed(pieces: Sequence[Piece], least: int, most: int) -> list[list[Piece]]:
    """Return consecutive pieces in groups of `least` to `most` tokens; longer pieces are split first."""
    groups: list[list[Piece]] = []
    for piece in (part for whole in pieces for part in split(whole, most)):
        size = sum(other.tokens for other in groups[-1]) if groups else most
        if groups and size < least and size + piece.tokens <= most:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def labels_of(pieces: Iterable[Piece]) -> tuple[Label, ...]:
    """Return the labels of pieces, each once, in order."""
    return tuple(dict.fromkeys(label for piece in pieces for label in piece.labels))


def drawn(passage: Passage) -> tuple[Box, ...]:
    """Return the lines of a passage as boxes of whole paragraphs, per page and column."""
    return merged(span.box for span in passage.lines)


def merged(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """Return boxes with neighbours that stand closely below each other made one."""
    result: list[Box] = []
    for box in dict.fromkeys(boxes):
        last = result[-1] if result else None
        if last and _continues(last, box):
            result[-1] = Box(
                last.page,
                min(last.x0, box.x0),
                min(last.y0, box.y0),
                max(last.x1, box.x1),
                max(last.y1, box.y1),
            )
        else:
            result.append(box)
    return tuple(result)


def _continues(above: Box, below: Box) -> bool:
    if above.page != below.page:
        return False
    common = min(above.x1, below.x1) - max(above.x0, below.x0)
    width = min(above.x1 - above.x0, below.x1 - below.x0)
    gap = below.y0 - above.y1
    height = below.y1 - below.y0
    return common >= SAME_COLUMN * width and -height <= gap <= NEAR * height
