"""Benchmarks that meet trouble: no peer, a peer that fails, a page that never comes. No timing is judged."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import Popen
from typing import Any, cast

import pymupdf
import pytest

from appliance.core.document import Box, Chunk, Document, Label, Passage
from appliance.core.errors import BadInput
from appliance.core.settings import Settings
from appliance.evaluation.bench import build, peer_converter, run, search
from appliance.evaluation.bench import startup_and_memory as serve
from appliance.evaluation.bench.rounds import Measure
from appliance.library import Library
from tests.evaluation.fake_library import FakeLibrary

MUPDF: Any = pymupdf  # it has no types
DEMO = Path(__file__).parents[2] / "data" / "demo" / "pdfs"


def named(measures: tuple[Measure, ...]) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures}


def test_a_build_is_measured_step_by_step_with_a_broken_file_among_the_rest(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 and no more")
    short = tmp_path / "short.pdf"
    with MUPDF.open(min(DEMO.glob("*.pdf"), key=lambda path: path.stat().st_size)) as whole:
        whole.select([0, whole.page_count - 1])
        whole.save(short)
    measures, notes = build.bench_build([broken, short], Settings(), seconds=60)
    found = named(measures)
    assert set(found) == {"whole build", "read (structure from PDF)", "draw", "embed", "write"}
    assert all(measure.ours > 0 for measure in measures)
    assert found["whole build"].ours < found["read (structure from PDF)"].ours
    assert any("broken.pdf was left out" in note for note in notes)


def test_no_time_means_no_figure_and_a_remark(tmp_path: Path) -> None:
    measures, notes = build.bench_build([tmp_path / "a.pdf"], Settings(), seconds=-1)
    assert {measure.ours for measure in measures} == {0.0}
    assert "stopped after 0 of 1 files" in notes[0]


def test_a_peer_that_fails_is_left_out_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = build.Peer()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    other.read(tmp_path / "none.pdf", 3)
    assert other.problem == "the peer failed on none.pdf (CalledProcessError)"
    other.read(tmp_path / "none.pdf", 3)  # asked no more
    assert other.pages == 0
    monkeypatch.setattr(peer_converter, "PACKAGE", "no_such_package_at_all")
    assert not peer_converter.available()


@pytest.mark.skipif(not peer_converter.available(), reason="pymupdf4llm is not installed")
def test_the_peer_reads_a_sample_of_the_pages() -> None:
    other = build.Peer()
    other.read(next(DEMO.glob("*.pdf")), 2)
    assert (other.problem, other.pages) == ("", 2)
    assert other.seconds > 0


def test_a_page_that_ends_is_not_waited_for() -> None:
    with Popen([sys.executable, "-c", "raise SystemExit(3)"]) as child:
        child.wait()
        assert serve._first_answer(child, "http://127.0.0.1:9", "why") == "the page ended with code 3"


def test_serving_without_a_library_is_a_remark(tmp_path: Path) -> None:
    measures, notes = serve.bench_serve(tmp_path / "none.db", ["why"])
    assert measures == ()
    assert notes == ("serve: not measured, the page ended with code 3",)


class SmallLibrary(FakeLibrary):
    """One document of one searched passage."""

    def documents(self) -> tuple[Document, ...]:
        label = Label(("1",))
        chunk = Chunk(label, (label,), "clause", "", (), Passage("a private stair"), (Box(1, 0, 0, 1, 1),))
        self.loaded = {"K": Document("K", "", "", "", "unknown", "", "", "", (), chunks=(chunk,))}
        return tuple(self.loaded.values())


def test_searching_is_measured_beside_the_peer_whatever_is_asked() -> None:
    library = cast("Library", SmallLibrary(texts={"stair": "42 degrees"}))
    measures, notes = search.bench_search(library, ["stair", "?!", 'a" OR (b*', "broken"])
    found = named(measures)
    assert {"search p50", "search p95", "answer p50", "search p50, processor time"} <= set(found)
    assert found["search p50"].peer_name == search.PEER_NAME
    assert notes[0] == "search: 3 questions, one at a time"
    assert notes[1] == "search: 1 questions could not be searched"


def test_a_part_that_fails_is_a_remark_and_each_is_told_as_it_ends(
    demo_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "no words here"

    def broken(*_: object, **__: object) -> None:
        raise BadInput(reason)

    one = Measure("serve", "resident memory", 1.0, "MB", "lower")
    for name in ("bench_search", "bench_models", "bench_recall"):
        monkeypatch.setattr(run, name, lambda *_: ((), ()))
    monkeypatch.setattr(run, "bench_words", broken)
    monkeypatch.setattr(run, "bench_scan", lambda: ((), ()))
    monkeypatch.setattr(run, "bench_serve", lambda *_: ((one,), ()))
    told: list[str] = []
    report = run.run_bench(demo_library, [], ["snow load"], Settings(), told=told.append)
    assert report.measures == (one,)
    assert report.notes == (f"words: not measured, {reason}",)
    assert told[-2:] == ["serving …", "  resident memory: 1.00 MB"]
