"""The marks of notes that the cells of a table carry.

Rules of this module: pure; a mark is what is raised, a star or dagger, what stands in square brackets behind
a word, and a bare letter where it may be one (`table_marks`).
"""

from __future__ import annotations

import re

from appliance.ingest.cells import paragraph
from appliance.ingest.grid import Grid
from appliance.ingest.table_marks import behind, glued
from appliance.ingest.table_notes import bare

_SIGNS = re.compile(r"[*†‡§]{2,3}")
_BRACKETED = re.compile(r"(?<=\s)\[(\d{1,2}|[a-z])\]")  # "9 [1]"


def marks_carried(grid: Grid) -> frozenset[str]:
    """Return the marks of footnotes that the cells carry."""
    marks = set()
    for cell in grid.cells:
        marks |= {bare(mark) for w in cell.words if w.rise > 0 for mark in (w.text, *w.text.split(")"))} - {
            ""
        }
        text = paragraph(cell.lines)
        marks |= set(_SIGNS.findall(text)) | {char for char in text if char in "*†‡§"}
        marks |= set(_BRACKETED.findall(text))
        marks |= set(behind(text)[1])
    for column in range(1, grid.columns):
        texts = [paragraph(cell.lines) for cell in grid.cells if cell.column == column]
        marks |= {letter for _, letter in glued(texts).values()}
    return frozenset(marks)
