"""Tables of scans read a second time from their pictures: what the layer lost, and what fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.core.document import Box, Cell, Label, Table
from appliance.core.settings import IngestSettings
from appliance.ingest.ocr.pages import Recognised
from appliance.ingest.ocr.process import Pixels, ReadFailed, ReadLine, ReadWord, Recogniser, Unavailable
from appliance.ingest.ocr.table_reading import with_tables_read_again
from appliance.ingest.page import PageContent, Source, Word
from tests.ingest.made import Print, write

LIMITS = IngestSettings()
WIDTH, HEIGHT = 595.0, 842.0
AREA = Box(1, 100 / WIDTH, 100 / HEIGHT, 400 / WIDTH, 300 / HEIGHT)


class Reader(Recogniser):
    """A recogniser that reads given lines (text, x and baseline in points), or fails."""

    def __init__(self, *lines: tuple[str, float, float], fails: Exception | None = None) -> None:
        super().__init__(LIMITS, ("false",))
        self.lines, self.fails, self.seen = lines, fails, 0

    def read(self, pixels: Pixels) -> tuple[ReadLine, ...]:  # noqa: ARG002 - the signature of what it stands for
        self.seen += 1
        if self.fails:
            raise self.fails
        scale = LIMITS.ocr_dots_per_inch / 72
        found = []
        for text, x, base in self.lines:
            left, low = (x - 96) * scale, (base - 96) * scale
            width, high = 6 * len(text) * scale, 9 * scale
            quad = ((left, low - high), (left + width, low - high), (left + width, low), (left, low))
            found.append(ReadLine(quad, (ReadWord(text, 0.95, quad),)))
        return tuple(found)


def word(text: str, x: float, base: float) -> Word:
    return Word(text, x, base - 8, x + 6 * len(text), base + 2, "f", 10)


def table(*texts: str) -> Table:
    cells = [Cell(row, 1, text, AREA) for row, text in enumerate(texts)]
    return Table(Label(("Table 1",)), "", tuple(cells), (), (AREA,))


def again(folder: Path, reader: Reader, limits: IngestSettings = LIMITS, **change: Any) -> Recognised:
    """Return a scan with "Floors 2,0" and "Stairs 4,0", of which the layer has all but the "4,0"."""
    printed = [("Floors", 120, 150), ("2,0", 300, 150), ("Stairs", 120, 180), ("4,0", 300, 180)]
    path = write(folder / "scan.pdf", [[Print(x, y, text) for text, x, y in printed]])
    words = tuple(word(*one) for one in printed[: change.pop("words", 3)])
    page = PageContent(1, WIDTH, HEIGHT, "", words, (), (), **{"trust": "ocr", **change})
    tables = [table("2,0", "")]
    return with_tables_read_again(Source("", "", (page,), ()), path, tables, limits, recogniser=reader)


def test_a_number_that_the_layer_lost_is_put_in_and_told(tmp_path: Path) -> None:
    found = again(tmp_path, Reader(("2,0", 300, 150), ("4,0", 300, 180)))
    assert [w.text for w in found.source.pages[0].words] == ["Floors", "2,0", "Stairs", "4,0"]
    (problem,) = found.problems
    assert problem.doubt
    assert problem.box is not None
    assert problem.page == 1
    assert "“4,0”" in problem.message
    assert problem.box.x0 * WIDTH == pytest.approx(300, abs=3)
    assert problem.box.y1 * HEIGHT == pytest.approx(182, abs=3)


@pytest.mark.parametrize(
    "change",
    [
        {"words": 4},  # nothing lost
        {"trust": "digital"},
        {"turned": 90.0},
        {"words": 0},  # no layer to compare with
    ],
)
def test_tables_that_need_it_not_are_not_read_again(tmp_path: Path, change: dict[str, Any]) -> None:
    reader = Reader()
    assert again(tmp_path, reader, **change).problems == ()
    assert reader.seen == 0


@pytest.mark.parametrize(
    ("failure", "said", "passing"),
    [
        (
            ReadFailed("it was too much"),
            "A table of page 1 was not read a second time: it was too much.",
            False,
        ),
        (Unavailable("Install it."), "Tables of scanned pages were not read a second time (pages 1).", False),
        (ValueError("bad picture"), "A table of page 1 was not read a second time", False),
    ],
)
def test_a_failure_leaves_the_layer_and_is_told(
    tmp_path: Path, failure: Exception, said: str, *, passing: bool
) -> None:
    found = again(tmp_path, Reader(fails=failure))
    assert [w.text for w in found.source.pages[0].words] == ["Floors", "2,0", "Stairs"]
    assert [(p.message[: len(said)], p.passing) for p in found.problems] == [(said, passing)]


@pytest.mark.parametrize(("seconds", "said"), [(0.0, 0), (1e-9, 1)])
def test_without_time_the_layer_stays_and_what_was_not_compared_is_named(
    tmp_path: Path, seconds: float, said: int
) -> None:
    reader = Reader(("4,0", 300, 180))
    read = again(tmp_path, reader, replace(LIMITS, ocr_tables_seconds=seconds))
    assert reader.seen == 0
    assert [word.text for word in read.source.pages[0].words] == ["Floors", "2,0", "Stairs"]
    assert len(read.problems) == said
    assert all(
        "pages 1" in problem.message and "ocr_tables_seconds" in problem.message for problem in read.problems
    )
