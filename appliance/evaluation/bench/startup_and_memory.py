"""What serving costs: memory of the process, and the time from its start to the first answer."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import psutil

from appliance.evaluation.bench.rounds import Measure, Result

RESIDENT_MB = 700.0
FIRST_ANSWER_SECONDS = 5.0
_HOST = "127.0.0.1"
_WAIT_SECONDS = 60.0
_START = "from appliance.cli import main; main()"


def bench_serve(library: Path, questions: Sequence[str]) -> Result:
    """Return the measures of serving the library while the questions are asked, and remarks."""
    started = time.perf_counter()
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port = str(probe.getsockname()[1])
    command = [
        sys.executable,
        "-c",
        _START,
        "serve",
        "--library",
        str(library),
        "--host",
        _HOST,
        "--port",
        port,
    ]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - our own program
    try:
        address = f"http://{_HOST}:{port}"
        problem = _first_answer(child, address, questions[0])
        first = time.perf_counter() - started
        if problem:
            return (), (f"serve: not measured, {problem}",)
        for question in questions[1:]:
            _ask(address, question)
        process = psutil.Process(child.pid)
        family = [one.memory_info() for one in (process, *process.children(recursive=True))]
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    resident = sum(one.rss for one in family) / 1e6  # MB
    own = resident - sum(getattr(one, "shared", 0) for one in family) / 1e6
    measures = (
        Measure("serve", "start to first answer", first, "s", "lower", target=FIRST_ANSWER_SECONDS),
        Measure(
            *("serve", "resident memory", resident, "MB", "lower"),
            target=RESIDENT_MB,
            note=f"after {len(questions)} questions; {own:.0f} MB of it are no pages of files",
        ),
    )
    return measures, ()


def _first_answer(child: subprocess.Popen[bytes], address: str, question: str) -> str:
    """Wait for the first answer; return why none came, "" where one did."""
    deadline = time.perf_counter() + _WAIT_SECONDS
    while time.perf_counter() < deadline:
        if child.poll() is not None:
            return f"the page ended with code {child.returncode}"
        try:
            outcome = _ask(address, question)["outcome"]
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.02)
            continue
        return "" if outcome != "failed" else "the first question failed"
    return f"no answer within {_WAIT_SECONDS:.0f} s"


def _ask(address: str, question: str) -> dict[str, str]:
    with urlopen(f"{address}/api/v1/ask?q={quote(question)}", timeout=30) as response:  # noqa: S310 - loopback
        found: dict[str, str] = json.load(response)
        return found
