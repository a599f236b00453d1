"""How fast a question is searched and answered without a language model."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from appliance.core.errors import ApplianceError
from appliance.core.evidence import Answer, Failed
from appliance.evaluation.bench.measures import Measure
from appliance.evaluation.metrics import percentile
from appliance.library import Library
from appliance.store.rows import passages

P50_MS = 150.0
P95_MS = 400.0
PEER_NAME = "FTS5, all words by OR"
_WORD = re.compile(r"\w+")
Given = ParamSpec("Given")
Result = TypeVar("Result")


def bench_search(library: Library, questions: Sequence[str]) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
    """Return the measures of searching and answering the questions, and remarks."""
    peer = _peer_index(library)
    ours: list[float] = []
    worked: list[float] = []
    answers: list[float] = []
    peers: list[float] = []
    stages: dict[str, list[float]] = {}
    failed = 0
    with suppress(ApplianceError):
        library.search(questions[0])  # what is read once per library is not counted
    for question in questions:
        started = time.process_time()
        try:
            milliseconds, evidence = _timed(library.search, question)
            spent = (time.process_time() - started) * 1000
            answer = library.ask(question)
        except ApplianceError:
            failed += 1
            continue
        ours.append(milliseconds)
        worked.append(spent)
        answers.append(milliseconds + _writing(answer))
        for stage, spent in evidence.timings_ms.items():
            stages.setdefault(stage, []).append(spent)
        if peer is not None:
            peers.append(_timed(_ask_peer, peer, question)[0])
    notes = [f"search: {len(ours)} questions, one at a time"]
    if failed:
        notes.append(f"search: {failed} questions could not be searched")
    if peer is None:
        notes.append("search: this Python's SQLite has no FTS5, so there is no peer")
    work = Measure("search", "search p50, processor time", percentile(worked, 0.5), "ms", "lower")
    measures = _measures(ours, answers, peers, stages)
    return (work, *measures), tuple(notes)


def _writing(answer: Answer) -> float:
    """Return the milliseconds from evidence to answer; its own search is not counted a second time."""
    return 0.0 if isinstance(answer, Failed) else answer.evidence.timings_ms.get("answer", 0.0)


def _timed(work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> tuple[float, Result]:
    """Return the milliseconds that the work took, and its result."""
    started = time.perf_counter()
    result = work(*given, **named)
    return (time.perf_counter() - started) * 1000, result


def _measures(
    ours: Sequence[float], answers: Sequence[float], peers: Sequence[float], stages: dict[str, list[float]]
) -> tuple[Measure, ...]:
    measures = []
    for name, share, target in (("p50", 0.5, P50_MS), ("p95", 0.95, P95_MS)):
        other: dict[str, Any] = {}
        if peers:
            other = {"peer": percentile(peers, share), "peer_name": PEER_NAME}
        measures.append(
            Measure(
                *("search", f"search {name}", percentile(ours, share), "ms", "lower"), **other, target=target
            )
        )
        measures.append(Measure("search", f"answer {name}", percentile(answers, share), "ms", "lower"))
    measures += [
        Measure("search", f"stage {stage} p50", percentile(spent, 0.5), "ms", "lower")
        for stage, spent in stages.items()
    ]
    return tuple(measures)


def _peer_index(library: Library) -> sqlite3.Connection | None:
    """Return an index in memory over the same passages; None where SQLite lacks FTS5."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("create virtual table passages using fts5(text)")
    except sqlite3.OperationalError:
        connection.close()
        return None
    for info in library.documents():
        rows = [(text,) for text in passages(library.document(info.id))]
        connection.executemany("insert into passages values (?)", rows)
    return connection


def _ask_peer(connection: sqlite3.Connection, question: str) -> list[tuple[int]]:
    words = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
    if not words:
        return []
    statement = "select rowid from passages where passages match ? order by rank limit 20"
    return connection.execute(statement, (words,)).fetchall()
