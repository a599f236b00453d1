"""How fast a question is searched and answered without a language model, and the search by words alone."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from appliance.core.errors import ApplianceError
from appliance.core.evidence import Failed
from appliance.evaluation.bench.rounds import Measure, Result, in_turn
from appliance.evaluation.questions import percentile
from appliance.library import Library
from appliance.retrieval.channels.gather import wanted_of
from appliance.retrieval.search import read
from appliance.retrieval.search_context import index_of
from appliance.store.channels import COLUMN_WEIGHTS, Wanted, search_terms
from appliance.store.rows import passages
from appliance.text.terms import MARK

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


TARGET_MS = 8.0
LIMIT = 50
PEER_QUESTIONS = 40  # FTS5 takes about half a second of each


def bench_words(library: Library, questions: Sequence[str]) -> Result:
    """Return the measures of the search by words in a library, and remarks.

    All but the last questions are asked before anything counts, for a box has been asked before; those
    that count are new to it.
    """
    store, settings = library.store, library.settings.search
    read_ones: list[tuple[str, tuple[Wanted, ...]]] = []
    for question in questions:
        with suppress(ApplianceError):
            read_ones.append(
                (question, wanted_of(read(store, question, settings), index_of(store).vocabulary, settings))
            )
    count = min(PEER_QUESTIONS, len(read_ones) // 2)
    if not count:
        return (), ("words: not measured, fewer than two questions could be read",)
    before, after = read_ones[:-count], read_ones[-count:]

    def search(wanted: tuple[Wanted, ...]) -> object:
        return search_terms(store, "child", wanted, settings.lexical_candidates)

    def any_word(wanted: tuple[Wanted, ...]) -> object:
        asked = {"match": expression(wanted), "limit": LIMIT, **COLUMN_WEIGHTS}
        return store.connections.rows("words_by_fts5", **asked)

    first = in_turn({"ours": lambda n: search(before[n][1])}, len(before))["ours"]
    spent = in_turn({"ours": lambda n: search(after[n][1]), "peer": lambda n: any_word(after[n][1])}, count)
    ours = spent["ours"]
    measure = Measure(
        *("words", f"best {LIMIT} of {store.chunk_count:,} p50", ours.p(0.5), "ms", "lower"),
        peer=spent["peer"].p(0.5),
        peer_name="FTS5, any word",
        target=TARGET_MS,
        note=f"p95 {ours.p(0.95):.2f} ms; {ours.said}",
    )
    others = f"{len(before)} others (p50 {first.p(0.5):.2f} ms, p95 {first.p(0.95):.2f} ms)"
    return (measure,), (f"words: {count} questions of {store.chunk_count:,} passages, after {others}",)


def expression(wanted: Sequence[Wanted]) -> str:
    """Return the FTS5 expression for any of the things wanted, "" for none."""

    def quoted(term: str) -> str:
        """Return a term as a string that the tokenizer takes as it is."""
        safe = "".join(char for char in term if char.isprintable()).replace('"', '""')
        return f'"{MARK}{safe}"'

    return " OR ".join(
        f"{{{' '.join(item.columns)}}} : ({' AND '.join(map(quoted, item.terms))})" for item in wanted
    )
