"""How fast the lexical search is, beside FTS5 asked for any of the words, and tantivy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from appliance.core.errors import ApplianceError
from appliance.evaluation.bench.measures import Measure, Spent, in_turn
from appliance.library import Library
from appliance.retrieval.ask import index_of
from appliance.retrieval.channels.searches import WEIGHTS, WORDS, lexical, wanted_of
from appliance.retrieval.search import read
from appliance.store.bm25 import Wanted
from appliance.store.channels import expression, index_terms, search_words
from appliance.store.read import Store
from appliance.store.rows import passages

TARGET_MS = 8.0
SAME_TARGET = 95.0  # percent of questions
FIRST, LIMIT = 10, 50
TIE = 1e-4  # of a score: what BM25 gives all the words together that half of the passages hold
PEER_QUESTIONS = 40  # FTS5 takes about half a second of each
WRITER_BYTES = 128_000_000
Result = tuple[tuple[Measure, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is searched of a question, that with common words of the library, that with every word typed."""

    ours: tuple[Wanted, ...]
    read: tuple[Wanted, ...]
    typed: tuple[Wanted, ...]


def bench_words(library: Library, questions: Sequence[str]) -> Result:
    """Return the measures of the search by words in a library, and remarks.

    All but the last questions are asked before anything counts, for a box has been asked before; those
    that count are new to it.
    """
    read_ones = list(_read(library, questions))
    count = min(PEER_QUESTIONS, len(read_ones) // 2)
    if not count:
        return (), ("words: not measured, fewer than two questions could be read",)
    before, after = read_ones[:-count], read_ones[-count:]
    first = in_turn({"ours": lambda n: _ours(library, before[n][1].ours)}, len(before))["ours"]
    ways = _ways(library, after)
    spent = in_turn(ways, count)
    others = f"{len(before)} others (p50 {first.p(0.5):.2f} ms, p95 {first.p(0.95):.2f} ms)"
    notes = [f"words: {count} questions of {library.store.chunk_count:,} passages, after {others}"]
    if "tantivy" not in ways:
        notes.append("words: the peer tantivy is not installed")
    typed = [_as_good(library, asked.ours, asked.typed) for _, asked in after]
    same = [_as_good(library, asked.ours, asked.read) for _, asked in after]
    return tuple(_measures(library.store.chunk_count, spent, typed, same)), tuple(notes)


def _as_good(library: Library, ours: tuple[Wanted, ...], everything: tuple[Wanted, ...]) -> bool:
    """Tell whether our first are the first by all words, or as good: among equals any may come first.

    Chunks that hold none but the commonest words have no score to speak of and need not be there.
    """
    right = [hit for hit in _all_words(library.store, everything) if hit[1] > TIE]
    scores, least = dict(right), right[:FIRST][-1][1] if right else 0.0
    found = [chunk for chunk, _ in _ours(library, ours)[:FIRST]]
    return len(found) == min(FIRST, len(right)) and all(
        scores.get(chunk, 0.0) >= least - TIE for chunk in found
    )


def _ways(library: Library, asked: Sequence[tuple[str, Asked]]) -> dict[str, Callable[[int], object]]:
    ways: dict[str, Callable[[int], object]] = {
        "ours": lambda n: _ours(library, asked[n][1].ours),
        "FTS5, any word": lambda n: _all_words(library.store, asked[n][1].read),
    }
    if find_spec("tantivy"):
        index = _tantivy_index(library.store)
        ways["tantivy"] = lambda n: _by_tantivy(index, asked[n][0])
    return ways


def _measures(
    count: int, spent: dict[str, Spent], typed: Sequence[bool], same: Sequence[bool]
) -> Iterator[Measure]:
    ours = spent.pop("ours")
    for number, (peer, theirs) in enumerate(spent.items()):
        yield Measure(
            *("words", f"best {LIMIT} of {count:,} p50", ours.p(0.5), "ms", "lower"),
            peer=theirs.p(0.5),
            peer_name=peer,
            target=None if number else TARGET_MS,
            note="" if number else f"p95 {ours.p(0.95):.2f} ms; {ours.said}",
        )
    yield Measure(
        *("words", f"first {FIRST} as of every word typed", 100 * sum(typed) / len(typed), "%", "higher"),
        target=SAME_TARGET,
        note=f"of {len(typed)} questions, by any word, function words too; these are not searched",
    )
    yield Measure(
        *("words", f"first {FIRST} as of all words searched", 100 * sum(same) / len(same), "%", "higher"),
        note=f"of {len(same)} questions; equal scores in any order; function words left out of both",
    )


def _read(library: Library, questions: Sequence[str]) -> Iterator[tuple[str, Asked]]:
    """Yield each question that can be read with what is searched of it, and what could be."""
    store, settings = library.store, library.settings.search
    everything = replace(settings, common_term_share=1.0)
    vocabulary = index_of(store).vocabulary
    for question in questions:
        try:
            asked = read(store, question, settings)
        except ApplianceError:
            continue
        held = [term for term in index_terms(store, question) if term in vocabulary.chunks]
        words = wanted_of(asked, vocabulary, everything)
        typed = dict.fromkeys((*words, *(Wanted((term,), WORDS) for term in held)))
        yield question, Asked(wanted_of(asked, vocabulary, settings), words, tuple(typed))


def _ours(library: Library, wanted: tuple[Wanted, ...]) -> list[tuple[int, float]]:
    return lexical(library.store, "child", wanted, library.settings.search, None)


def _all_words(store: Store, wanted: tuple[Wanted, ...]) -> list[tuple[int, float]]:
    return search_words(store, "child", expression(wanted), WEIGHTS["child"], LIMIT)


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
