"""What writing costs the rest: searches beside it, jobs that nobody waits for, a process that dies at work.

Rules of this module: the real process of the model, the real queue, a library as it is searched; everything
by the clock, for it is what people wait for. Other work on the machine weighs on both sides of a ratio, so
rounds without and with writing follow one another. Any model file will do, random weights too.
"""

from __future__ import annotations

import os
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from appliance.errors import ApplianceError
from appliance.evaluation.measures import Measure
from appliance.job import Gone, Job
from appliance.jobs import Jobs
from appliance.library import Library
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.llama.plan import Plan
from appliance.models.protocols import Finished, Generation, Limits, Message
from appliance.models.session import thread_count
from appliance.settings import JobSettings

CONTEXT = 2048
ABANDONED = 100
ROUNDS = 3
SEARCHES = 60  # of a round
LEASE = 6.0
PATIENCE = 60.0  # seconds after which something counts as never
FREED_SECONDS, BACK_SECONDS, SLOWER = 7.0, 30.0, 2.5  # what is asked for
FAULTS = {"SEGV": signal.SIGSEGV, "STOP": signal.SIGSTOP, "out of memory": signal.SIGKILL}
_LONG = Generation(
    (Message("user", "the load on the roof shall be taken from the table " * 100),),
    limits=Limits(tokens=100_000, seconds=PATIENCE, repeats=0),
)
_SHORT = Generation((Message("user", "snow"),), limits=Limits(tokens=1))


def bench_jobs(
    library: Library, questions: Sequence[str], model: Path
) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """Return the measures of writing beside searching, and remarks."""
    with _generator(model) as generator:
        try:
            generator.count(["snow"])
        except ApplianceError as error:
            return (), (f"jobs: not measured, {error}",)
        measures = [_beside(library, questions, generator), _abandoned(generator)]
        measures += [_fault(library, questions, generator, name) for name in FAULTS]
    return tuple(measures), ()


def _beside(library: Library, questions: Sequence[str], generator: LlamaGenerator) -> Measure:
    """The 95th of a hundred searches while something is written, beside the same without."""
    library.search(questions[0])
    idle: list[float] = []
    busy: list[float] = []
    for _ in range(ROUNDS):
        idle += _searched(library, questions)
        with _writing(generator):
            busy += _searched(library, questions)
    alone, beside = _p95(idle), _p95(busy)
    load = os.getloadavg()[0]
    return Measure(
        *("generate", "search p95 while writing", beside * 1000, "ms", "lower"),
        peer=alone * 1000,
        peer_name="without",
        target=alone * 1000 * SLOWER,
        note=f"{beside / alone:.2f} times; load of the machine {load:.1f} on {os.cpu_count()} cores",
    )


def _searched(library: Library, questions: Sequence[str]) -> list[float]:
    """Return the seconds of each search of a round."""
    seconds = []
    for at in range(SEARCHES):
        began = time.perf_counter()
        library.search(questions[at % len(questions)])
        seconds.append(time.perf_counter() - began)
    return seconds


def _p95(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]


@contextmanager
def _writing(generator: LlamaGenerator) -> Iterator[None]:
    """Keep the model writing, again and again, as long as the block lasts."""
    leave = threading.Event()
    begun = threading.Event()

    def write() -> None:
        while not leave.is_set():
            writing = generator.begin(_LONG)
            for _ in writing:
                begun.set()
                if leave.is_set():
                    writing.cancel()

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    begun.wait(PATIENCE)
    try:
        yield
    finally:
        leave.set()
        thread.join(PATIENCE)


def _abandoned(generator: LlamaGenerator) -> Measure:
    """From the last of many jobs that nobody looks at until the queue is empty and the model at rest."""

    def work(task: str, job: Job[str, str]) -> str:
        job.stage("answer")
        writing = generator.begin(_LONG)
        job.begin(writing)
        for event in writing:
            if isinstance(event, Finished) and event.reason == "cancelled":
                raise Gone
        return task

    queue: Jobs[str, str] = Jobs(work, JobSettings(waiting=ABANDONED, lease_seconds=LEASE))
    for number in range(ABANDONED):
        queue.submit(str(number), f"client {number}", str(number))
    began = time.perf_counter()
    try:
        while queue.load() != (0, 0) or generator.status().state != "idle":
            if time.perf_counter() - began > PATIENCE:
                break
            time.sleep(0.02)
        seconds = time.perf_counter() - began
    finally:
        queue.close()
    name = f"{ABANDONED} abandoned jobs, all freed"
    note = f"of them the lease is {LEASE:g} s"
    return Measure("generate", name, seconds, "s", "lower", target=FREED_SECONDS, note=note)


def _fault(library: Library, questions: Sequence[str], generator: LlamaGenerator, name: str) -> Measure:
    """From the end of a process at work to the first token of the next one, searches going on beside it."""
    failed, done = 0, 0
    over = threading.Event()

    def search() -> None:
        nonlocal failed, done
        while not over.is_set():
            try:
                library.search(questions[done % len(questions)])
            except ApplianceError:
                failed += 1
            done += 1

    generator.count(["snow"])
    beside = threading.Thread(target=search, daemon=True)
    writing = iter(generator.begin(_LONG))
    next(writing)
    beside.start()
    began = time.perf_counter()
    os.kill(generator.status().process, FAULTS[name])
    with suppress(ApplianceError):
        list(writing)
    last = list(generator.begin(_SHORT))[-1]
    seconds = time.perf_counter() - began
    over.set()
    beside.join(PATIENCE)
    note = f"{failed} of {done} searches failed"
    if not isinstance(last, Finished) or not last.tokens:
        note += "; nothing was written"
    return Measure(
        "generate",
        f"{name} at work, to the next token",
        seconds,
        "s",
        "lower",
        target=BACK_SECONDS,
        note=note,
    )


@contextmanager
def _generator(model: Path) -> Iterator[LlamaGenerator]:
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(
            *(model.stem, model, "bench", CONTEXT, thread_count(0), 0),
            *(Path(folder), 4096, 120.0, 60.0),
        )
        generator = LlamaGenerator(plan)
        try:
            yield generator
        finally:
            generator.close()
