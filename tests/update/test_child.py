"""A process whose work is not trusted takes its own time and nothing else."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc

import psutil
import pytest

from appliance.core import child

ENDLESS = "import os\nwhile True: os.write({handle}, b'still here\\n' * 9000)"


def _gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.mark.parametrize("handle", [1, 2])
def test_one_that_prints_without_end_is_ended_in_time_and_little_of_it_kept(handle: int) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            child.run([sys.executable, "-c", ENDLESS.format(handle=handle)], seconds=1.0)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("code", "given", "out", "err", "ended"),
    [
        ("print('a' * 9000); print('last')", b"", "last", "", 0),
        ("import sys; sys.exit('no soup')", b"x" * 1_000_000, "", "no soup", 1),
        ("print(len(input()))", b"x" * 1_000_000, "1000000", "", 0),
        ("import os; os.close(0); os.close(1); os.close(2)", b"x" * 1_000_000, "", "", 0),
        ("print('é\\n\\n  ')", b"", "é", "", 0),
    ],
)
def test_of_one_that_ends_the_last_words_are_known(
    code: str, given: bytes, out: str, err: str, ended: int
) -> None:
    done = child.run([sys.executable, "-X", "utf8", "-c", code], seconds=60.0, given=given)
    assert (child.last_line(done.out), child.last_line(done.err), done.code) == (out, err, ended)
    assert max(len(done.out), len(done.err)) <= child.WORDS


def test_what_it_leaves_behind_ends_with_it_and_keeps_no_pipe_open() -> None:
    done = child.run(["/bin/sh", "-c", "sleep 600 & echo $!"], seconds=60.0)
    by = time.monotonic() + 30  # the signal was sent; a busy machine delivers it when it comes to it
    while not (gone := _gone(int(done.out))) and time.monotonic() < by:
        time.sleep(0.02)
    assert gone


def test_it_may_take_no_more_memory_than_it_is_given() -> None:
    arguments = [sys.executable, "-c", "import time; time.sleep(0.5); x = bytearray(1 << 30)"]
    with child.started(arguments, 1 << 29, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = child.Tail(process.stderr)
        assert process.wait(60) == 1
        assert b"MemoryError" in said.last()
