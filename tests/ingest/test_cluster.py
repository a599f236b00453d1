"""Reading on a cluster: the same bytes as on one machine, whatever happens to workers and scheduler."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest

from appliance.core.errors import ClusterUnusable
from appliance.core.settings import IngestSettings, Settings
from appliance.ingest.batch import Artefact, Broken, Done, Job, Result, read_many
from appliance.ingest.dask_cluster import LOCAL, cluster
from appliance.ingest.worker import Told
from tests.ingest.test_batch import document_of

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
ROOT = Path(__file__).parents[2]
SETTINGS = Settings(ingest=IngestSettings(workers=1))


def slow_reader(job: Job, _settings: Settings, images: Path, _told: Told) -> Artefact:
    """Take a while, so that there is a middle; draw a page whose name tells its content."""
    what = job.path.read_text()
    time.sleep(0.3)
    if what == "raise":
        raise ValueError(what)
    images.mkdir(exist_ok=True)
    (images / f"{what}.jpg").write_text(what)
    return Artefact(document_of(job), ())


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of Dask; it is killed, with what it has started, at the end."""
    command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
            process.kill()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def jobs_of(folder: Path, count: int) -> list[Job]:
    for number in range(count):
        (folder / f"{number}.pdf").write_text(f"page{number}")
    (folder / "bad.pdf").write_text("raise")
    return [Job(folder / f"{name}.pdf", str(name)) for name in (*range(count), "bad")]


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(results: list[Result]) -> dict[str, str]:
    return {r.job.document_id: r.reason if isinstance(r, Broken) else "" for r in results}


@pytest.mark.skipif(not os.environ.get("SOAK"), reason="long form: SOAK=1")
def test_lost_workers_and_a_scheduler_started_again_change_nothing(tmp_path: Path) -> None:
    jobs = jobs_of(tmp_path, 12)
    here = list(read_many(jobs, SETTINGS, tmp_path / "w1", tmp_path / "i1", reader=slow_reader))
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    with ExitStack() as scheduler, ExitStack() as workers:

        def start() -> None:
            options = ("--host", "127.0.0.1", "--port", str(port), "--dashboard-address", "127.0.0.1:0")
            scheduler.enter_context(running("scheduler", *options))

        def worker() -> subprocess.Popen[bytes]:
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
            return workers.enter_context(running("worker", address, *options))

        start()
        first = [worker(), worker()]
        results: list[Result] = []
        with cluster(address, SETTINGS) as there:
            reading = read_many(
                jobs,
                SETTINGS,
                tmp_path / "w2",
                tmp_path / "i2",
                reader=slow_reader,
                apart=there.read_apart,
                at_once=there.at_once,
            )
            for result in reading:
                results.append(result)
                if len(results) == 2:
                    for one in first:
                        one.kill()
                    worker()
                if len(results) == 6:
                    scheduler.close()
                    start()
                    worker()
    assert told(results) == told(here)
    assert kept(tmp_path / "w2") == kept(tmp_path / "w1")
    assert kept(tmp_path / "i2") == kept(tmp_path / "i1")
    assert sum(isinstance(result, Done) for result in results) == 12


def test_processes_of_this_machine_are_a_cluster_too(tmp_path: Path) -> None:
    with cluster(LOCAL, SETTINGS) as there:
        found = list(
            read_many(
                jobs_of(tmp_path, 1),
                SETTINGS,
                tmp_path / "w",
                tmp_path / "i",
                reader=slow_reader,
                apart=there.read_apart,
            )
        )
    assert told(found) == {"0": "", "bad": "bad.pdf was not read: the reader failed on it."}


def test_where_no_scheduler_answers_a_sentence_says_so() -> None:
    import dask

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(ClusterUnusable, match="no scheduler answers there"),
        cluster(f"tcp://127.0.0.1:{free_port()}", SETTINGS),
    ):
        pass
