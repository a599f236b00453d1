"""The queue: bounded, shared, looked at, given up; with a clock that the tests turn."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from appliance.core.jobs import TABS, Gone, Job, Jobs, Look, Refused
from appliance.core.settings import JobSettings
from tests.waiting import until

Queue = Jobs[str, str]
LIMITS = JobSettings(waiting=2, lease_seconds=6, waiting_seconds=60, seconds=30, kept=2)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Worker:
    """Works until it is told to end; "quick" tasks end by themselves."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.worked: list[str] = []
        self.given_up: list[str] = []

    def __call__(self, task: str, job: Job[str, str]) -> str:
        self.worked.append(task)
        job.stage("answer")
        if task == "broken":
            message = "it died"
            raise RuntimeError(message)
        job.say(f"{task} is ")
        job.read(3, 10)
        while not (task.startswith("quick") or self.release.is_set()):
            if job.stopped:
                self.given_up.append(task)
                raise Gone
            time.sleep(0.005)
        job.say("done")
        return task.upper()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
def queue(worker: Worker, clock: Clock) -> Iterator[Queue]:
    made = Jobs(worker, LIMITS, clock)
    yield made
    made.close()


def looked(queue: Queue, ticket: str, after: int = 0) -> Look:
    found = queue.look(ticket, after)
    assert found is not None
    return found


def running(queue: Queue, ticket: str) -> bool:
    return looked(queue, ticket).text != ""


def test_a_job_tells_how_it_is_and_what_is_new(queue: Queue, worker: Worker) -> None:
    ticket = queue.submit("k", "a", "slow")
    until(lambda: running(queue, ticket))
    first = looked(queue, ticket)
    assert (first.state, first.stage, first.done, first.total, first.position) == (
        "running",
        "answer",
        3,
        10,
        0,
    )
    assert first.text == "slow is "
    assert looked(queue, ticket, first.told).text == ""
    worker.release.set()
    until(lambda: looked(queue, ticket).state == "done")
    assert looked(queue, ticket, first.told).text == "done"
    assert looked(queue, ticket, 10_000).text == ""
    assert looked(queue, ticket, -5).text == "slow is done"
    assert queue.result("k") == "SLOW"


def test_places_in_the_queue_and_estimates_follow_the_median(
    queue: Queue, worker: Worker, clock: Clock
) -> None:
    tickets = [queue.submit(name, name, name) for name in ("one", "two", "three")]
    until(lambda: running(queue, tickets[0]))
    assert [looked(queue, ticket).position for ticket in tickets] == [0, 1, 2]
    clock.now += 5
    first, second, third = (looked(queue, ticket).seconds for ticket in tickets)
    assert (first, second - first, third - second) == (25.0, 30.0, 30.0)  # nothing has ended: the first guess
    worker.release.set()
    until(lambda: looked(queue, tickets[2]).state == "done")
    worker.release.clear()
    again = queue.submit("four", "four", "four")
    assert looked(queue, again).seconds < 30


def test_what_the_worker_tells_of_the_time_left_is_the_estimate(clock: Clock) -> None:
    release = threading.Event()

    def work(task: str, job: Job[str, str]) -> str:
        job.left(12)
        job.say("begun")
        release.wait(30)
        return task

    queue: Queue = Jobs(work, LIMITS, clock)
    ticket = queue.submit("one", "a", "one")
    until(lambda: running(queue, ticket))
    clock.now += 5
    assert looked(queue, ticket).seconds == 7
    release.set()
    queue.close()


def test_a_full_queue_says_when_to_try_again(queue: Queue) -> None:
    first = queue.submit("one", "1", "one")
    until(lambda: running(queue, first))
    for name in ("two", "three"):
        queue.submit(name, name, name)
    with pytest.raises(Refused, match="full") as refused:
        queue.submit("four", "4", "four")
    assert refused.value.seconds >= 1


def test_a_client_holds_no_more_than_a_few_tickets_for_its_job(queue: Queue, worker: Worker) -> None:
    other = queue.submit("one", "b", "one")
    tickets = [queue.submit("one", "a", "one") for _ in range(300)]
    known = [ticket for ticket in tickets if queue.look(ticket) is not None]
    assert known == tickets[-TABS:]
    worker.release.set()
    until(lambda: looked(queue, other).state == "done")
    assert looked(queue, tickets[-1]).state == "done"


def test_one_unfinished_question_for_each_client(queue: Queue, worker: Worker) -> None:
    first = queue.submit("one", "a", "one")
    with pytest.raises(Refused, match="one each"):
        queue.submit("two", "a", "two")
    assert queue.submit("one", "a", "one") != first  # the same one again, in another tab
    assert queue.submit("two", "b", "two")
    worker.release.set()
    until(lambda: looked(queue, first).state == "done")
    assert queue.submit("three", "a", "three")


def test_the_same_question_is_one_job_until_nobody_waits(queue: Queue, worker: Worker) -> None:
    one, other = queue.submit("k", "a", "slow"), queue.submit("k", "b", "slow")
    until(lambda: running(queue, one))
    assert queue.cancel(one)
    assert looked(queue, other).state == "running"
    assert queue.look(one) is None
    assert not queue.cancel(one)
    assert queue.cancel(other)
    until(lambda: worker.given_up == ["slow"])
    assert worker.worked == ["slow"]


def test_results_are_kept_the_least_used_makes_room(queue: Queue, worker: Worker) -> None:
    for name in ("quick one", "quick two"):
        ticket = queue.submit(name, "a", name)
        until(lambda ticket=ticket: looked(queue, ticket).state == "done")  # type: ignore[misc]
    assert queue.result("quick one") == "QUICK ONE"
    at_once = queue.submit("quick one", "b", "quick one")
    assert looked(queue, at_once).state == "done"
    third = queue.submit("quick three", "a", "quick three")
    until(lambda: looked(queue, third).state == "done")
    assert queue.result("quick two") is None
    assert queue.result("quick one") == "QUICK ONE"
    assert worker.worked == ["quick one", "quick two", "quick three"]


def test_a_result_that_does_not_last_is_shown_and_made_again(worker: Worker, clock: Clock) -> None:
    queue: Queue = Jobs(worker, LIMITS, clock, lasting=lambda _: False)
    for _ in range(2):
        ticket = queue.submit("quick", "a", "quick")
        until(lambda ticket=ticket: looked(queue, ticket).state == "done")  # type: ignore[misc]
        assert queue.result("quick") == "QUICK"
    assert worker.worked == ["quick", "quick"]
    queue.close()


def test_nobody_looks_for_the_lease_and_it_is_given_up(queue: Queue, worker: Worker, clock: Clock) -> None:
    running_one, waiting = queue.submit("one", "a", "one"), queue.submit("two", "b", "two")
    until(lambda: running(queue, running_one))
    clock.now += 4
    looked(queue, waiting)
    clock.now += 4
    until(lambda: worker.given_up == ["one"])  # by the watch alone
    until(lambda: looked(queue, waiting).state == "running")
    assert queue.look(running_one) is None


def test_what_waits_or_runs_too_long_is_said(queue: Queue, clock: Clock) -> None:
    first, second = queue.submit("one", "a", "one"), queue.submit("two", "b", "two")
    until(lambda: running(queue, first))
    for _ in range(8):
        clock.now += 4
        looked(queue, first)
        looked(queue, second)
    until(lambda: looked(queue, first).state == "failed")
    assert looked(queue, first).message == "It took too long."
    queue.cancel(second)


def test_work_that_breaks_fails_alone(queue: Queue) -> None:
    broken, following = queue.submit("b", "a", "broken"), queue.submit("q", "b", "quick")
    until(lambda: looked(queue, following).state == "done")
    assert (looked(queue, broken).state, looked(queue, broken).message) == ("failed", "it died")
    assert queue.result("b") is None


def test_a_hundred_abandoned_jobs_are_all_freed(worker: Worker, clock: Clock) -> None:
    queue: Queue = Jobs(worker, JobSettings(waiting=200, lease_seconds=6), clock)
    tickets = [queue.submit(f"k{number}", f"c{number}", f"slow {number}") for number in range(100)]
    until(lambda: bool(worker.worked))
    clock.now += 6.5
    until(lambda: worker.given_up == worker.worked)
    assert all(queue.look(ticket) is None for ticket in tickets)
    assert worker.worked == ["slow 0"]
    fresh = queue.submit("quick", "a", "quick")
    until(lambda: looked(queue, fresh).state == "done")
    queue.close()


def test_what_is_under_way_is_cancelled_from_without(clock: Clock) -> None:
    class Writing:
        cancelled = False

        def cancel(self) -> None:
            self.cancelled = True

    writing = Writing()

    def work(_: str, job: Job[str, str]) -> str:
        job.begin(writing)
        until(lambda: writing.cancelled)
        raise Gone

    queue: Queue = Jobs(work, LIMITS, clock)
    ticket = queue.submit("k", "a", "x")
    until(lambda: looked(queue, ticket).state == "running")
    queue.cancel(ticket)
    until(lambda: writing.cancelled)
    queue.close()


def test_text_of_one_job_is_bounded(clock: Clock) -> None:
    def work(_: str, job: Job[str, str]) -> str:
        for letter in "x" * 50:
            job.say(letter * 1000)
        return "done"

    queue: Queue = Jobs(work, LIMITS, clock)
    ticket = queue.submit("k", "a", "x")
    until(lambda: looked(queue, ticket).state == "done")
    assert looked(queue, ticket).told == 20_000
    queue.close()


def test_what_becomes_of_jobs_is_told(worker: Worker, clock: Clock) -> None:
    told: list[tuple[str, float]] = []
    queue: Queue = Jobs(worker, LIMITS, clock, told=lambda name, value: told.append((name, value)))
    first = queue.submit("a", "one", "slow")
    until(lambda: running(queue, first))
    assert queue.load() == (1, 0)
    second = queue.submit("b", "two", "quick b")
    queue.submit("c", "three", "broken")
    assert queue.load() == (1, 2)
    with pytest.raises(Refused):
        queue.submit("d", "four", "quick d")
    clock.now += 4.0
    queue.cancel(second)
    worker.release.set()
    until(lambda: len([name for name, _ in told if name in {"jobs done", "jobs failed"}]) == 2)
    queue.close()
    assert ("jobs waiting", 1) in told
    assert ("jobs waiting", 2) in told
    assert ("jobs refused", 0.0) in told
    assert ("jobs cancelled", 4000.0) in told
    assert ("jobs done", 4000.0) in told
    assert ("time job waited", 0.0) in told
    assert queue.load() == (0, 0)
