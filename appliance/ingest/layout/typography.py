"""What the type of a document says: body size and colour, what stands out, where paragraphs start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from appliance.ingest.page import Line, PageLayout

Key = TypeVar("Key")

LARGER = 1.08  # of the body size: a line that stands out
SMALLER = 0.93  # of the body size: notes, legal extracts, lettering
GAP = 0.35  # ems between lines, beyond the usual, that start a paragraph
SPREAD = 0.06  # of a size: how far the lines of one type may be measured apart in a scan
COVER = 2  # first pages that are left out of the measuring when there are more than a few


@dataclass(frozen=True, slots=True)
class Typography:
    """The type of the body text: size in points, colour, whether bold, and its usual line gap (ems)."""

    size: float
    colour: int
    bold: bool
    gap: float

    def larger(self, line: Line) -> bool:
        """Tell whether the line is set larger than the body."""
        return line.size > self.size * LARGER

    def only_larger(self, line: Line) -> bool:
        """Tell whether nothing but its size sets the line off from the body."""
        coloured = bool(line.words) and all(word.colour != self.colour for word in line.words)
        return self.larger(line) and not coloured and not (line.bold and not self.bold)

    def small(self, line: Line) -> bool:
        """Tell whether the line is set smaller than the body."""
        return line.size < self.size * SMALLER

    def stands_out(self, line: Line) -> bool:
        """Tell whether the line is set as a heading: bold, larger, or in another colour throughout."""
        if self.small(line):
            return False
        if (line.bold and not self.bold) or self.larger(line):
            return True
        return bool(line.words) and all(word.colour != self.colour for word in line.words)


def measure(layouts: Sequence[PageLayout]) -> Typography:
    """Return the typography of the document's running text (lines of at least four words)."""
    pages = layouts[COVER:] if len(layouts) > 3 * COVER else layouts
    sizes: Counter[float] = Counter()
    colours: Counter[int] = Counter()
    bold: Counter[bool] = Counter()
    gaps: Counter[float] = Counter()
    for page in pages:
        before: Line | None = None
        for line in page.lines:
            if line.upright and len(line.words) >= 4:
                sizes[round(line.size * 4) / 4] += len(line.text)
                colours[line.words[1].colour] += len(line.text)
                bold[line.bold] += len(line.text)
            if before and before.column == line.column and line.y0 > before.y0 and line.size:
                gaps[round(_gap(before, line), 1)] += 1
            before = line
    return Typography(_densest(sizes, 10.0), _top(colours, 0), _top(bold, False), _top(gaps, 0.2))


def _densest(sizes: Counter[float], default: float) -> float:
    """Return the size round which most characters are set: a scan measures one type at many sizes.

    Each size counts for those near it the less, the farther they are off (a triangular kernel, `SPREAD`
    to each side), so that the body is not lost to notes of one exact size because its own is spread.
    """
    if not sizes:
        return default
    return max(sorted(sizes), key=lambda size: sum(_near(size, other) * n for other, n in sizes.items()))


def _near(size: float, other: float) -> float:
    return max(0.0, 1 - abs(other - size) / (SPREAD * max(size, 1.0)))


def _top(counts: Counter[Key], default: Key) -> Key:
    return counts.most_common(1)[0][0] if counts else default


def _gap(before: Line, line: Line) -> float:
    return (line.y0 - before.y1) / max(line.size, 1.0)


def starts_paragraph(before: Line | None, line: Line, usual: float) -> bool:
    """Tell whether white space above the line parts it from the line before in reading order."""
    if before is None or before.page != line.page or before.column != line.column:
        return True
    return abs(line.size - before.size) > 0.15 * line.size or _gap(before, line) > usual + GAP
