"""How fast a question is searched and answered without a language model."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from appliance.core.errors import ApplianceError
from appliance.core.evidence import Failed
from appliance.evaluation.bench.measures import Measure, Result
from appliance.evaluation.metrics import percentile
from appliance.library import Library
from appliance.store.rows import passages

TARGETS_MS = {"p50": (0.5, 150.0), "p95": (0.95, 400.0)}
PEER_NAME = "FTS5, all words by OR"
_WORD = re.compile(r"\w+")


def bench_search(library: Library, questions: Sequence[str]) -> Result:
    """Return the measures of searching and answering the questions, and remarks."""
    peer = _peer_index(library)
    taken: dict[str, list[float]] = {"search": [], "processor": [], "answer": [], "peer": []}  # milliseconds
    stages: dict[str, list[float]] = {}
    failed = 0
    with suppress(ApplianceError):
        library.search(questions[0])  # what is read once per library is not counted
    for question in questions:
        worked, started = time.process_time(), time.perf_counter()
        try:
            evidence = library.search(question)
            searched = (time.perf_counter() - started) * 1000
            processor = (time.process_time() - worked) * 1000
            answer = library.ask(question)
        except ApplianceError:
            failed += 1
            continue
        taken["search"].append(searched)
        taken["processor"].append(processor)
        # From evidence to answer: its own search is not counted a second time.
        writing = 0.0 if isinstance(answer, Failed) else answer.evidence.timings_ms.get("answer", 0.0)
        taken["answer"].append(searched + writing)
        for stage, spent in evidence.timings_ms.items():
            stages.setdefault(stage, []).append(spent)
        if peer is not None:
            started = time.perf_counter()
            if words := " OR ".join(f'"{word}"' for word in _WORD.findall(question)):
                peer.execute(_PEER_SEARCH, (words,)).fetchall()
            taken["peer"].append((time.perf_counter() - started) * 1000)
    notes = [f"search: {len(taken['search'])} questions, one at a time"]
    if failed:
        notes.append(f"search: {failed} questions could not be searched")
    if peer is None:
        notes.append("search: this Python's SQLite has no FTS5, so there is no peer")

    def measure(name: str, milliseconds: Sequence[float], share: float = 0.5, **more: Any) -> Measure:
        return Measure("search", name, percentile(milliseconds, share), "ms", "lower", **more)

    measures = [measure("search p50, processor time", taken["processor"])]
    for name, (share, target) in TARGETS_MS.items():
        other = {"peer": percentile(taken["peer"], share), "peer_name": PEER_NAME} if taken["peer"] else {}
        measures.append(measure(f"search {name}", taken["search"], share, target=target, **other))
        measures.append(measure(f"answer {name}", taken["answer"], share))
    measures += [measure(f"stage {stage} p50", spent) for stage, spent in stages.items()]
    return tuple(measures), tuple(notes)


_PEER_SEARCH = "select rowid from passages where passages match ? order by rank limit 20"


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
