"""How fast the lexical search is, beside FTS5 asked for any of the words."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict

from appliance.core.errors import ApplianceError
from appliance.evaluation.bench.measures import Measure, Result, in_turn
from appliance.library import Library
from appliance.retrieval.ask import index_of
from appliance.retrieval.channels.searches import WEIGHTS, lexical, wanted_of
from appliance.retrieval.search import read
from appliance.store.bm25 import COLUMNS, Wanted
from appliance.text.terms import MARK

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
        return lexical(store, "child", wanted, settings, None)

    def any_word(wanted: tuple[Wanted, ...]) -> object:
        asked = {"match": expression(wanted), "limit": LIMIT, **asdict(WEIGHTS["child"])}
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
        f"{{{' '.join(item.columns or COLUMNS)}}} : ({' AND '.join(map(quoted, item.terms))})"
        for item in wanted
    )
