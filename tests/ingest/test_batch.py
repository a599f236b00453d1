"""Workers: every kind of bad file or bad end is one sentence, and the rest goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from appliance.core.document import Document, Page, PageImage, Problem
from appliance.core.settings import IngestSettings, Settings
from appliance.ingest.batch import (
    Artefact,
    Broken,
    Done,
    Job,
    Progress,
    Result,
    key_of,
    load,
    read_many,
    save,
)
from appliance.ingest.worker import Told, seconds_for
from tests.waiting import until

LIMITS = IngestSettings(seconds_per_page=0.5, seconds_per_document=3.0, memory_mib=1024, workers=2)
SETTINGS = Settings(ingest=LIMITS)
ROOT = Path(__file__).parents[2]


def document_of(job: Job, pages: int = 1) -> Document:
    numbers = tuple(Page(n + 1, 100.0, 100.0) for n in range(pages))
    return Document(job.document_id, "", "", "", "unknown", "en", "0" * 64, "", numbers)


def fake_reader(job: Job, settings: Settings, images: Path, told: Told) -> Artefact:
    """Behave as the file's content says; runs in the worker."""
    what = job.path.read_text()
    if what == "hang":
        time.sleep(60)
    if what == "slow but long":
        told(20)
        time.sleep(13.0)
    while what == "spin":
        pass
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "swell":
        return Artefact(document_of(job, len(bytearray(4 * 1024**3))), ())
    if what == "raise":
        message = "no such glyph"
        raise ValueError(message)
    if what == "leave":
        os._exit(3)
    if what == "unlucky":
        lost = replace(document_of(job), problems=(Problem("busy", 1, passing=True),))
        return Artefact(lost, ())
    if what == "how many":
        (images / f"{settings.ingest.workers}.workers").touch()
    (images / "a.jpg").write_bytes(b"image")
    return Artefact(document_of(job), (PageImage(1, "a.jpg", "a.jpg", 10, 10),))


@pytest.fixture
def folders(tmp_path: Path) -> Callable[[dict[str, str]], tuple[list[Job], Path, Path]]:
    def make(files: dict[str, str]) -> tuple[list[Job], Path, Path]:
        images = tmp_path / "images"
        images.mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return [Job(tmp_path / name, Path(name).stem) for name in files], tmp_path / "work", images

    return make


def test_each_bad_end_is_one_sentence_and_the_rest_goes_on(
    folders: Callable[[dict[str, str]], tuple[list[Job], Path, Path]], tmp_path: Path
) -> None:
    kinds = ("good", "hang", "spin", "slow but long", "crash", "swell", "raise", "leave", "")
    jobs, work, images = folders({f"{kind or 'empty'}.pdf": kind for kind in kinds})
    (tmp_path / "folder.pdf").mkdir()
    jobs += [Job(tmp_path / "folder.pdf", "folder"), Job(tmp_path / "absent.pdf", "absent")]
    results = {r.job.document_id: r for r in read_many(jobs, SETTINGS, work, images, reader=fake_reader)}
    reasons = {name: r.reason for name, r in results.items() if isinstance(r, Broken)}
    assert reasons == {
        "hang": "hang.pdf was not read: it took more than 3 seconds.",
        "spin": "spin.pdf was not read: it took more than 3 seconds.",
        "crash": "crash.pdf was not read: the reader was ended by the system (SIGSEGV).",
        "swell": "swell.pdf was not read: it needs more than 1024 MiB of memory (memory_mib in [ingest]).",
        "raise": "raise.pdf was not read: the reader failed on it.",
        "leave": "leave.pdf was not read: the reader ended without a result (exit code 3).",
        "empty": "empty.pdf was not read: the file is empty (0 bytes).",
        "folder": "folder.pdf was not read: it is a folder.",
        "absent": "absent.pdf was not read: there is no such file.",
    }
    assert {name for name, r in results.items() if isinstance(r, Done)} == {"good", "slow but long"}


def run(jobs: list[Job], work: Path, images: Path, settings: Settings = SETTINGS) -> list[Result]:
    return list(read_many(jobs, settings, work, images, reader=fake_reader))


def test_an_unchanged_file_is_not_read_again_and_a_changed_one_is(
    folders: Callable[[dict[str, str]], tuple[list[Job], Path, Path]],
) -> None:
    jobs, work, images = folders({"a.pdf": "one", "b.pdf": "two"})
    assert [isinstance(r, Done) and r.reused for r in run(jobs, work, images)] == [False, False]
    jobs[1].path.write_text("three")
    again = {r.job.document_id: r for r in run(jobs, work, images)}
    assert {name: isinstance(r, Done) and r.reused for name, r in again.items()} == {"a": True, "b": False}
    (images / "a.jpg").unlink()
    assert not any(isinstance(r, Done) and r.reused for r in run(jobs, work, images)[:1])


def test_what_was_lost_by_bad_luck_is_read_again(
    folders: Callable[[dict[str, str]], tuple[list[Job], Path, Path]],
) -> None:
    jobs, work, images = folders({"a.pdf": "unlucky"})
    for _ in range(2):
        (found,) = run(jobs, work, images)
        assert isinstance(found, Done)
        assert not found.reused
        assert [problem.message for problem in found.document.problems] == ["busy"]


def test_a_worker_knows_how_many_there_are(
    folders: Callable[[dict[str, str]], tuple[list[Job], Path, Path]],
) -> None:
    jobs, work, images = folders({"a.pdf": "how many"})
    many = replace(SETTINGS, ingest=replace(LIMITS, workers=6))
    assert [type(result) for result in run(jobs, work, images, many)] == [Done]
    assert (images / "1.workers").exists()


def test_a_batch_left_early_ends_its_workers_and_resumes(
    folders: Callable[[dict[str, str]], tuple[list[Job], Path, Path]],
) -> None:
    jobs, work, images = folders({"long-name-first.pdf": "good enough", "h.pdf": "hang"})
    patient = replace(SETTINGS, ingest=replace(LIMITS, seconds_per_document=600.0))
    results = read_many(jobs, patient, work, images, reader=fake_reader)
    first = next(results)
    results.close()  # type: ignore[attr-defined] # it is a generator
    assert isinstance(first, Done)
    again = run(jobs[:1], work, images, patient)
    assert [r.reused for r in again if isinstance(r, Done)] == [True]


def endless_reader(_job: Job, _settings: Settings, images: Path, _told: Told) -> Artefact:
    (images / "pid.part").write_text(str(os.getpid()))
    (images / "pid.part").rename(images / "pid")
    while True:  # at work, not asleep
        pass


ONE_BUILD = """
import sys
from pathlib import Path
from tests.ingest.test_batch import IngestSettings, Job, Settings, endless_reader, read_many
file, work, images = map(Path, sys.argv[1:])
list(read_many([Job(file, "a")], Settings(ingest=IngestSettings()), work, images, reader=endless_reader))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_build_that_is_ended_leaves_no_worker(
    folders: Callable[[dict[str, str]], tuple[list[Job], Path, Path]], number: signal.Signals
) -> None:
    (job,), work, images = folders({"a.pdf": "endless"})
    arguments = [sys.executable, "-c", ONE_BUILD, str(job.path), str(work), str(images)]
    with subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.DEVNULL) as build:
        try:
            until((images / "pid").exists)
            worker = psutil.Process(int((images / "pid").read_text()))
        finally:
            build.send_signal(number)
    try:
        until(lambda: not worker.is_running())
    finally:
        with suppress(psutil.NoSuchProcess):
            worker.kill()


def test_progress_counts_to_the_end(
    folders: Callable[[dict[str, str]], tuple[list[Job], Path, Path]],
) -> None:
    jobs, work, images = folders({"a.pdf": "good", "b.pdf": ""})
    told: list[Progress] = []
    list(read_many(jobs, SETTINGS, work, images, progress=told.append, reader=fake_reader))
    assert told[0].running == ("a.pdf",)
    assert told[-1] == Progress(2, 2, 4, 4, 1, ())


@pytest.mark.parametrize(
    ("pages", "seconds"), [(0, 120.0), (60, 240.0), (500, 1120.0), (10_000_000, 20_120.0)]
)
def test_time_grows_with_the_pages_up_to_the_limit_of_pages(pages: int, seconds: float) -> None:
    assert seconds_for(pages, IngestSettings()) == seconds


def test_a_damaged_artefact_is_as_good_as_absent(tmp_path: Path) -> None:
    artefact = Artefact(document_of(Job(Path("x.pdf"), "x")), ())
    save(tmp_path, "k", artefact)
    assert load(tmp_path, "k", tmp_path) == artefact
    (tmp_path / "k.msgpack").write_bytes(b"\xc1not msgpack")
    assert load(tmp_path, "k", tmp_path) is None


def test_the_key_changes_with_all_that_decides_the_result() -> None:
    keys = {
        key_of("aa", "x", LIMITS),
        key_of("ab", "x", LIMITS),
        key_of("aa", "y", LIMITS),
        key_of("aa", "x", replace(LIMITS, pages=5)),
    }
    assert len(keys) == 4
