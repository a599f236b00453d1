"""Scanned pages read from their pictures: limits, failures that cost one page, and a real scan."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from PIL import Image, ImageFilter

from appliance.core.document import Document
from appliance.core.settings import IngestSettings
from appliance.ingest.ocr import pages as ocr
from appliance.ingest.ocr import process as ocr_process
from appliance.ingest.ocr.process import ReadFailed, Recogniser, Unavailable
from appliance.ingest.pdf.reader import read
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from tests.ingest.made import BOLD, MUPDF, Print, column, write

LIMITS = IngestSettings(ocr_seconds_per_page=1.0)
PAPER = np.full((1200, 850), 255, dtype=np.uint8)

READY = "import sys, json, time\nprint(json.dumps({'ready': True}), flush=True)\n"
LINE = {"box": [[100, 100], [300, 100], [300, 130], [100, 130]], "words": []}
ANSWERS = f"for line in sys.stdin: print(json.dumps({{'lines': [{LINE}]}}), flush=True)"
HANGS = "for line in sys.stdin: time.sleep(60)"
DIES = "for line in sys.stdin: sys.exit(7)"
KILLED = "import os, signal\nfor line in sys.stdin: os.kill(os.getpid(), signal.SIGKILL)"
REFUSES = "for line in sys.stdin: print(json.dumps({'failed': 'no memory'}), flush=True)"


def recogniser(program: str, *, ready: str = READY) -> Recogniser:
    return Recogniser(LIMITS, (sys.executable, "-c", ready + program))


@pytest.mark.parametrize(
    ("program", "reason"),
    [(HANGS, "more than 1 seconds"), (DIES, "exit code 7"), (KILLED, "SIGKILL"), (REFUSES, "no memory")],
)
def test_a_page_that_fails_says_why_and_the_next_may_be_read(program: str, reason: str) -> None:
    with recogniser(program) as reader:
        with pytest.raises(ReadFailed, match=reason):
            reader.read(PAPER)
        reader.command = (sys.executable, "-c", READY + ANSWERS)
        if program == REFUSES:  # it lives on
            reader.end()
        assert len(reader.read(PAPER)) == 1


@pytest.mark.parametrize(
    "ready", ["import sys; sys.exit(3)\n", 'print(\'{"failed": "no models"}\', flush=True)\n']
)
def test_a_process_that_does_not_start_is_told(ready: str) -> None:
    with recogniser("", ready=ready) as reader, pytest.raises(Unavailable, match="did not start"):
        reader.read(PAPER)


def test_no_process_is_left_at_the_end() -> None:
    with recogniser(ANSWERS) as reader:
        reader.read(PAPER)
        process = reader._process
        assert process is not None
    assert process.poll() is not None


CODE = [
    [
        *column("# 5 Snow load on roofs", y=90, size=13),
        *column(
            "# 5.1 Nature of the load",
            "(1)P The design shall recognise that snow can be deposited on a roof in many ways.",
            "(2) The load should be taken from Table 5.2, see also 5.2(1).",
            "# 5.2 Load arrangements",
            "(1) The two main arrangements are those of 5.1(2) and EN 1991-1-4.",
            "(2) A height of 2,75 m and a load of 1,35 kN/m2 apply.",
            y=130,
            step=20,
        ),
        Print(70, 420, "Table 5.2: Shape coefficients of roofs", font="hebo"),
    ],
    column("# 5.3 Roof shapes", "(1) The coefficients are given in 5.1(2) for each shape of roof.", step=20),
]


def scan(path: Path, pages: list[list[Print]], *, turn: float = 0.0, dpi: int = 200) -> Path:
    """Write the pages as pictures: turned, blurred, with dirt."""
    return pictured(path, write(path.with_suffix(".print.pdf"), pages), turn=turn, dpi=dpi)


def pictured(path: Path, printed: Path, *, turn: float = 0.0, dpi: int = 200) -> Path:
    """Write the pages of a PDF as pictures of them."""
    dirt = np.random.default_rng(5)
    scanned = MUPDF.open()
    for page in MUPDF.open(printed):
        drawn = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
        image = Image.frombytes("L", (drawn.width, drawn.height), drawn.samples)
        image = image.rotate(turn, Image.Resampling.BICUBIC, fillcolor=255).filter(
            ImageFilter.GaussianBlur(0.7)
        )
        pixels = np.asarray(image).astype(np.int16) + dirt.normal(0, 12, (drawn.height, drawn.width)).astype(
            np.int16
        )
        pixels[dirt.random(pixels.shape) < 0.0003] = 0
        file = io.BytesIO()
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=70)
        sheet = scanned.new_page(width=595, height=842)
        sheet.insert_image(sheet.rect, stream=file.getvalue())
    scanned.save(path)
    return path


def document(path: Path, **limits: Any) -> Document:
    return read_document(path, "a", IngestSettings(**limits), load_schemes())


def test_a_missing_package_is_a_problem_with_the_command_that_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr_process, "installed", lambda: False)
    found = document(scan(tmp_path / "a.pdf", CODE, dpi=50))
    messages = " ".join(problem.message for problem in found.problems)
    assert "pip install -e '.[ocr]'" in messages
    assert "pages 1 to 2" in messages
    assert [page.trust for page in found.pages] == ["none", "none"]


@pytest.mark.parametrize(("failing", "left"), [(1, 0), (2, 0), (4, 1)])
def test_pages_that_fail_are_named_and_after_three_the_rest_is_left(
    failing: int, left: int, tmp_path: Path
) -> None:
    path = scan(tmp_path / "a.pdf", [CODE[1]] * failing, dpi=50)
    source = read(path, LIMITS)
    asked: list[float] = []
    found = ocr.with_recognised_pages(
        source, path, LIMITS, waiting=asked.append, recogniser=recogniser(REFUSES)
    )
    assert found.source == source
    assert sum("no memory" in problem.message for problem in found.problems) == failing - left
    assert len(found.problems) == failing
    assert asked == [ocr_process.START_SECONDS + failing * LIMITS.ocr_seconds_per_page]


@pytest.mark.parametrize(("program", "passing"), [(HANGS, True), (KILLED, True), (REFUSES, False)])
def test_what_the_machine_lost_is_told_from_what_the_page_is_to_blame_for(
    program: str, passing: bool, tmp_path: Path
) -> None:
    path = scan(tmp_path / "a.pdf", [CODE[1]], dpi=50)
    source = read(path, LIMITS)
    found = ocr.with_recognised_pages(source, path, LIMITS, recogniser=recogniser(program))
    assert [problem.passing for problem in found.problems] == [passing]


def test_a_missing_package_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = scan(tmp_path / "a.pdf", [CODE[1]], dpi=50)
    source = read(path, LIMITS)
    broken = recogniser("", ready="import sys; sys.exit(3)\n")
    again = ocr.with_recognised_pages(source, path, LIMITS, recogniser=broken)
    assert [problem.passing for problem in again.problems] == [True]
    monkeypatch.setattr(ocr_process, "installed", lambda: False)
    missing = ocr.with_recognised_pages(source, path, LIMITS)
    assert [problem.passing for problem in missing.problems] == [False]


@pytest.mark.parametrize(
    ("cores", "workers", "threads"), [(2, 2, 1), (8, 2, 4), (8, 4, 2), (8, 1, 4), (2, 8, 1), (4, 0, 4)]
)
def test_recognisers_share_the_cores(cores: int, workers: int, threads: int) -> None:
    assert ocr_process.threads_of(cores, workers) == threads


def test_a_document_that_needs_no_reading_starts_nothing(tmp_path: Path) -> None:
    source = read(write(tmp_path / "a.pdf", [*CODE, []]), LIMITS)
    broken = recogniser("", ready="import sys; sys.exit(3)\n")
    found = ocr.with_recognised_pages(source, tmp_path / "a.pdf", LIMITS, recogniser=broken)
    assert found == ocr.Recognised(source)


SOAK = bool(os.environ.get("SOAK"))
needs_rapidocr = pytest.mark.skipif(
    not ocr_process.installed(), reason="rapidocr is not installed: pip install -e '.[ocr]'"
)


@needs_rapidocr
def test_a_turned_and_dirty_scan_is_read_like_a_digital_page(tmp_path: Path) -> None:
    found = document(scan(tmp_path / "a.pdf", CODE, turn=1.0))
    printed = document(tmp_path / "a.print.pdf")
    labels = {str(clause.label): clause for clause in found.clauses}
    assert set(labels) == {str(clause.label) for clause in printed.clauses}
    assert labels["5.1(1)"].principle
    assert "1,35 kN/m2" in labels["5.2(2)"].passage.text
    assert [str(table.label) for table in found.tables] == [str(table.label) for table in printed.tables]
    assert {(str(r.source), str(r.target)) for r in found.references} >= {
        ("5.1(2)", "5.2(1)"),
        ("5.2(1)", "5.1(2)"),
        ("5.3(1)", "5.1(2)"),
    }
    assert [page.trust for page in found.pages] == ["ocr", "ocr"]
    assert any("pages 1 to 2 was read from the picture" in problem.message for problem in found.problems)
    for clause in printed.clauses:  # turned by a degree, a place moves by up to five points
        for ours, theirs in zip(labels[str(clause.label)].boxes, clause.boxes, strict=True):
            assert ours.page == theirs.page
            assert (ours.x0, ours.y0) == pytest.approx((theirs.x0, theirs.y0), abs=0.013)


ZONES = ((*range(1, 30),), (*range(31, 42),)) if SOAK else ((*range(1, 11),), (*range(31, 36),))


def table_over_two_pages(path: Path, again: str) -> Path:
    """Write a table of close rows between rules that goes on over the next page, with text around it."""
    document = MUPDF.open()
    xs = (70, 180, 300, 520)
    for zones, over, under in zip(
        ZONES, ("Table 4.1: Snow loads", again), ("", "6 Loads on walls"), strict=True
    ):
        page = document.new_page(width=595, height=842)
        rows = [("Zone", "Load", "Remark"), *((f"Zone {n}", f"{n},5", f"remark {n}") for n in zones)]
        top = 95 if under else 695 - 20 * len(rows)  # the first page ends with its part
        page.insert_text((70, top - 15), over, fontsize=11, fontname=BOLD)
        for at in range(len(rows) + 1):
            page.draw_line((xs[0], top + 20 * at), (xs[-1], top + 20 * at))
        for x in xs:
            page.draw_line((x, top), (x, top + 20 * len(rows)))
        for at, row in enumerate(rows):
            for x, text in zip(xs, row, strict=False):
                font = "helv" if at else BOLD
                page.insert_text((x + 5, top + 14 + 20 * at), text, fontsize=10, fontname=font)
        page.insert_text((70, top + 55 + 20 * len(rows)), under, fontsize=13, fontname=BOLD)
        for at, text in enumerate(
            ("(1) The load on the wall is the sum of those of the floors.", "(2) It is 2.")
        ):
            below = top + 80 + 20 * (len(rows) + at)
            page.insert_text((70, below), text if under else "", fontsize=10)
    document.save(path)
    return path


@needs_rapidocr
@pytest.mark.parametrize(
    "again",
    ["", pytest.param("Table 4.1 (continued)", marks=pytest.mark.skipif(not SOAK, reason="make soak"))],
)
def test_a_scanned_table_over_two_pages_is_one_and_none_of_its_rows_a_clause(
    tmp_path: Path, again: str
) -> None:
    printed = table_over_two_pages(tmp_path / "a.print.pdf", again)
    found = document(pictured(tmp_path / "a.pdf", printed, turn=0.4))
    (table,) = found.tables
    assert str(table.label) == "Table 4.1"
    assert [box.page for box in table.boxes] == [1, 2]
    rows = [
        [c.text for c in table.cells if c.row == row] for row in range(max(c.row for c in table.cells) + 1)
    ]
    assert rows[0] == ["Zone", "Load", "Remark"]
    assert [row[0] for row in rows[1:]] == [f"Zone {n}" for zones in ZONES for n in zones]
    assert [row[1] for row in rows[1:]] == [f"{n},5" for zones in ZONES for n in zones]
    assert not [clause for clause in found.clauses if "Zone" in str(clause.label)]


@needs_rapidocr
def test_a_picture_too_big_for_the_memory_costs_its_page(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.pdf", CODE[1:], dpi=50)
    found = document(path, ocr_memory_mib=300)
    assert any("character recognition did not start" in problem.message for problem in found.problems)


@needs_rapidocr
def test_signs_without_meaning_are_read_from_the_picture(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pdf", [CODE[1]])
    source = read(path, LIMITS)
    page = source.pages[0]
    garbled = tuple(replace(word, text="\ufffd" * 9) for word in page.words)
    source = replace(source, pages=(replace(page, words=garbled),))
    limits = replace(LIMITS, ocr_seconds_per_page=90.0, ocr_dots_per_inch=120)
    found = ocr.with_recognised_pages(source, path, limits)
    assert [word.text for word in found.source.pages[0].words] == [word.text for word in page.words]
    assert "no known meaning" in found.problems[-1].message
