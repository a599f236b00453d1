"""Findings from figures: the caption with the lettering that bears on the question.

Rules of this module: lettering is quoted as printed, whole lines in their order; what a figure shows
beyond its lettering is for the eye, so the figure itself is always shown with the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.answer.findings import Finding, Part, Quote, covered, judge
from appliance.answer.verify import Claim
from appliance.document import Figure
from appliance.evidence import Query

BETWEEN = " | "  # stands between the lines of quoted lettering
WORDS = 80  # of lettering quoted


def from_figure(query: Query, parts: Sequence[Part], figure: Figure) -> Finding | None:
    """Return what a figure says in words, None where it has no lettering."""
    lines = list(_deciding(query, [line.strip() for line in figure.text.split("\n") if line.strip()]))
    if not lines or not parts:
        return None
    lettering = BETWEEN.join(lines)
    caption = f"{figure.label} {figure.title}".strip()
    place, boxes = parts[0].place, figure.boxes
    quotes = tuple(
        Quote(place.document, figure.label, boxes[0].page, boxes, text) for text in (caption, lettering)
    )
    text = f"{caption}: {lettering}"
    score = max(judge(query, part, text) for part in parts)
    met = max(part.met for part in parts)
    return Finding(text, quotes, score, place, claims=(Claim(text, (caption, lettering)),), met=met)


def _deciding(query: Query, lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the lettering, where they are many only those with a number or an asked word."""
    room = WORDS
    crowded = sum(len(line.split()) for line in lines) > WORDS
    for line in lines:
        if crowded and not (any(map(str.isdigit, line)) or covered(query, line)):
            continue
        room -= len(line.split())
        if room < 0:
            return
        yield line
