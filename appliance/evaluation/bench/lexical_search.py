"""How fast the lexical search is, beside FTS5 asked for any of the words, and tantivy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from appliance.core.errors import ApplianceError
from appliance.evaluation.bench.measures import Measure, in_turn
from appliance.library import Library
from appliance.retrieval.ask import index_of
from appliance.retrieval.channels.searches import WEIGHTS, lexical, wanted_of
from appliance.retrieval.search import read
from appliance.store.bm25 import Wanted
from appliance.store.channels import expression, search_words
from appliance.store.read import Store
from appliance.store.rows import passages

TARGET_MS = 8.0
LIMIT = 50
PEER_QUESTIONS = 40  # FTS5 takes about half a second of each
WRITER_BYTES = 128_000_000
Result = tuple[tuple[Measure, ...], tuple[str, ...]]


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
        return search_words(store, "child", expression(wanted), WEIGHTS["child"], LIMIT)

    first = in_turn({"ours": lambda n: search(before[n][1])}, len(before))["ours"]
    ways: dict[str, Callable[[int], object]] = {
        "ours": lambda n: search(after[n][1]),
        "FTS5, any word": lambda n: any_word(after[n][1]),
    }
    others = f"{len(before)} others (p50 {first.p(0.5):.2f} ms, p95 {first.p(0.95):.2f} ms)"
    notes = [f"words: {count} questions of {store.chunk_count:,} passages, after {others}"]
    if find_spec("tantivy"):
        index = _tantivy_index(store)
        ways["tantivy"] = lambda n: _by_tantivy(index, after[n][0])
    else:
        notes.append("words: the peer tantivy is not installed")
    spent = in_turn(ways, count)
    ours = spent.pop("ours")
    measures = [
        Measure(
            *("words", f"best {LIMIT} of {store.chunk_count:,} p50", ours.p(0.5), "ms", "lower"),
            peer=theirs.p(0.5),
            peer_name=peer,
            target=None if number else TARGET_MS,
            note="" if number else f"p95 {ours.p(0.95):.2f} ms; {ours.said}",
        )
        for number, (peer, theirs) in enumerate(spent.items())
    ]
    return tuple(measures), tuple(notes)


def _tantivy_index(store: Store) -> Any:
    """Return an index in memory over the same passages."""
    import tantivy  # noqa: PLC0415 - a peer, not needed elsewhere

    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", stored=True)
    builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer(heap_size=WRITER_BYTES, num_threads=1)
    for info in store.documents():
        for number, text in enumerate(passages(store.document(info.id))):
            writer.add_document(tantivy.Document(id=number, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def _by_tantivy(index: Any, question: str) -> list[Any]:
    words = "".join(char if char.isalnum() else " " for char in question)
    found: list[Any] = index.searcher().search(index.parse_query(words, ["text"]), LIMIT).hits
    return found
