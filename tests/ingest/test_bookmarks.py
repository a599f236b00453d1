"""Bookmarks that are malformed or of another text, and texts whose numbers follow no known pattern."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.pdf.reader import read
from appliance.ingest.structure.build import build_clauses
from tests.ingest.made import LIMITS, MUPDF, Print, column, layouts, scheme, write

TITLES = ("General rules", "Loads on roofs", "Snow on roofs", "Wind on walls", "Heat in rooms", "Rain water")


def _text(page: int, title: str) -> list[Print]:
    text = f"Text number {page} stands under the title of its page and is no other."
    return column(f"# {page} {title}", f"# {page}.1 First of {title.lower()}", text)


def _read(path: Path) -> tuple[list[str], list[str]]:
    source = read(path, LIMITS)
    clauses, problems = build_clauses(arrange(source), frozenset(), scheme("decimal"), source.outline)
    return [str(clause.label) for clause in clauses], [problem.message for problem in problems]


@pytest.mark.parametrize(
    ("bookmarks", "said"),
    [
        ([[1, title, at] for at, title in enumerate(TITLES, 1)], ""),
        ([[1, "General rules", 1], [1, "Lost", -1], [1, " ", 2]], "2 bookmarks name no page"),
        (
            [[1, "1 General rules", 1], [1, "2 Loads on roofs", 2], [1, "9 Missing section", 3]],
            "“9 Missing section”",
        ),
        ([[1, f"Chapter on bridges {at}", at] for at in range(1, 7)], "do not fit its text: 0 of 6"),
    ],
    ids=["sound", "to no page and without a title", "one of no place", "of another text"],
)
def test_bookmarks_that_are_amiss_are_said_and_change_nothing(
    tmp_path: Path, bookmarks: list[list[object]], said: str
) -> None:
    plain = write(tmp_path / "plain.pdf", [_text(at, title) for at, title in enumerate(TITLES, 1)])
    before, _ = _read(plain)
    document = MUPDF.open(plain)
    document.set_toc(bookmarks)
    document.save(tmp_path / "marked.pdf")
    after, problems = _read(tmp_path / "marked.pdf")
    assert after == before
    assert len(problems) == bool(said)
    assert all(said in problem for problem in problems)


def test_bookmarks_that_run_in_a_circle_end(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.pdf", [_text(at, title) for at, title in enumerate(TITLES, 1)])
    before, _ = _read(plain)
    document = MUPDF.open(plain)
    document.set_toc([[1, title, at] for at, title in enumerate(TITLES, 1)])
    marks = [x for x in range(1, document.xref_length()) if "/Next" in document.xref_object(x)]
    document.xref_set_key(marks[2], "Next", f"{marks[0]} 0 R")
    document.save(tmp_path / "circle.pdf")
    after, _ = _read(tmp_path / "circle.pdf")
    assert after == before
    assert len(read(tmp_path / "circle.pdf", LIMITS).outline) <= len(TITLES)


@pytest.mark.parametrize(("number", "said"), [("{0}.1", False), ("[{0}~a]", True)])
def test_a_long_text_with_hardly_a_number_is_said(tmp_path: Path, number: str, said: bool) -> None:
    pages = []
    for page in range(1, 13):
        lines = [f"line {at} of text {page} of the code goes on from here to there" for at in range(12)]
        pages.append(column(f"{number.format(page)} The rule of text {page} is its first line.", *lines))
    _, problems = build_clauses(layouts(tmp_path, *pages), frozenset(), scheme("decimal"))
    assert any("numbering of this document" in problem.message for problem in problems) is said
