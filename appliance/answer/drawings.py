"""Findings from figures: the caption with the lettering that bears on the question.

Rules of this module: lettering is quoted as printed, whole lines in their order; of much lettering those that
bear on the question most, with the sign that they explain. What gives a quantity of the kind asked for is
not cut off behind another that does: of two clearances the one asked about may be the second. What a figure
shows beyond its lettering is for the eye, so the figure itself is always shown with the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.answer.findings import Finding, Part, Quote, covered, holds_what_is_asked, judge
from appliance.answer.verify import Claim
from appliance.core.document import Figure
from appliance.core.evidence import Query

BETWEEN = " | "  # stands between the lines of quoted lettering
WORDS = 80  # of lettering quoted
MOST = 200  # of lettering quoted where it gives what is asked for
SIGN = 2  # words of a line that is the sign which the next one explains: "h1", "is the clearance"


def from_figure(query: Query, parts: Sequence[Part], figure: Figure) -> Finding | None:
    """Return what a figure says in words, None where it has no lettering."""
    lines = _deciding(query, [line.strip() for line in figure.text.split("\n") if line.strip()])
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


def _deciding(query: Query, lines: Sequence[str]) -> list[str]:
    """Return the lines of the lettering; where they are many those that bear on the question most."""
    counts = [len(line.split()) for line in lines]
    if sum(counts) <= WORDS:
        return list(lines)
    met = [covered(query, line) for line in lines]
    held = [holds_what_is_asked(query, line) for line in lines]
    giving = [share > 0 and holds >= 1 for share, holds in zip(met, held, strict=True)]
    kept, used = set[int](), 0
    for at in sorted(range(len(lines)), key=lambda at: (not giving[at], -met[at])):
        bears = met[at] > 0 or any(map(str.isdigit, lines[at]))
        if bears and used + counts[at] <= (MOST if giving[at] else WORDS):
            kept |= {at, at - 1} if _explains(lines, at) else {at}
            used += counts[at]
    return [line for at, line in enumerate(lines) if at in kept]


def _explains(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line goes on from a sign on the line before."""
    return at > 0 and lines[at][0].islower() and len(lines[at - 1].split()) <= SIGN < len(lines[at].split())
