"""Printed runs that reach over a narrow gutter, cut where the next column begins.

Rules of this module: pure geometry. Where lines of two columns nearly touch, words of both have been
taken for one run. Such a run is cut before a word that stands on the left edge of a column (an x at
which many runs of the page begin), behind a gap that is wider than the run's other gaps; justified
text has even gaps and stays whole. A cut alone parts no line: that is for the reading order to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from appliance.ingest.lines import Segment
from appliance.ingest.page import Word

STARTS = 6  # runs of words that begin at one x and make it the edge of a column
WORDS = 3  # of a run of running text, and gaps that make a usual one
SAME = 1.0  # points between starts at one edge
GAP = 0.45  # ems: the least white between two columns
WIDER = 1.8  # times the usual gap of the run


def cut_at_edges(pieces: Sequence[Segment]) -> list[Segment]:
    """Return the segments of a page, those that run on into another column cut there."""
    edges = _edges(pieces)
    return [part for piece in pieces for part in _cut(piece, edges)] if len(edges) > 1 else list(pieces)


def _edges(pieces: Sequence[Segment]) -> list[float]:
    """Return the x positions at which many runs of running text begin, or go on behind a wide gap."""
    prose = [piece for piece in pieces if len(piece.words) >= WORDS]
    starts = sorted(piece.words[at].x0 for piece in prose for at in (0, *_wide_gaps(piece)))
    groups: list[list[float]] = []
    for start in starts:
        if groups and start - groups[-1][0] <= SAME:
            groups[-1].append(start)
        else:
            groups.append([start])
    return [median(group) for group in groups if len(group) >= STARTS]


def _wide_gaps(piece: Segment) -> list[int]:
    """Return the positions of the words behind gaps that are wider than the usual one of the run."""
    gaps = [after.x0 - before.x1 for before, after in pairwise(piece.words)]
    white = [gap for gap in gaps if gap > 0]
    least = max(GAP * piece.size, WIDER * median(white)) if len(white) >= WORDS else 0.0
    return [at for at, gap in enumerate(gaps, 1) if least and gap >= least]


def _cut(piece: Segment, edges: Sequence[float]) -> list[Segment]:
    """Return the segment as the parts that begin at its own start and at edges."""
    words = piece.words
    wide = [at for at in _wide_gaps(piece) if any(abs(words[at].x0 - edge) <= SAME for edge in edges)]
    if not wide:
        return [piece]
    return [_part(piece, words[start:end]) for start, end in pairwise([0, *wide, len(words)])]


def _part(piece: Segment, words: Sequence[Word]) -> Segment:
    """Return some words of a segment as one of their own."""
    level = [word for word in words if not word.rise] or words
    return replace(
        piece,
        words=list(words),
        x0=min(word.x0 for word in words),
        x1=max(word.x1 for word in words),
        y0=min(word.y0 for word in level),
        y1=max(word.y1 for word in level),
        size=max(word.size for word in level),
    )
