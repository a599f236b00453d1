"""How fast texts are encoded and passages judged, beside float32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from appliance.core.settings import ModelSettings
from appliance.evaluation.bench.rounds import Measure, Result, in_turn
from appliance.evaluation.questions import percentile
from appliance.library import Library
from appliance.models.catalogue import embedder_files, load_embedder, load_reranker
from appliance.models.float32_baseline import FloatPeer, Int8Peak, products_of_a_token
from appliance.models.protocols import Candidate, Embedder
from appliance.models.session import open_tokenizer
from appliance.store.rows import passages

TEXTS = 128
PASSAGES = 40  # judged for one question
RERANK_MS = 1000.0  # processor time: 500 ms on two cores
QUERY_MS = 3.0
ROUNDS = 5


def bench_models(library: Library, questions: Sequence[str]) -> Result:
    """Return the measures of the models of the settings on passages of the library, and remarks."""
    settings = replace(library.settings.models, threads=1)
    embedder = load_embedder(settings)
    every = (text for info in library.documents() for text in passages(library.store.document(info.id)))
    texts = list(islice(every, TEXTS))
    if not texts or not questions:
        return (), ("models: not measured, the library holds no text or nothing is asked",)
    measures, notes = _encoding(settings, embedder, texts)
    query = _asking(settings, embedder, [f"{question} {n}" for n, question in enumerate(questions)])
    reranker = load_reranker(settings, embedder)
    if reranker is None:
        return (*measures, query), notes
    encoded, stored = embedder.encode_query(questions[0]), embedder.encode_passages(texts[:PASSAGES])
    candidates = [Candidate(text, item.tokens) for text, item in zip(texts, stored, strict=False)]
    judged = in_turn({"ours": lambda _: reranker.scores(encoded, candidates)}, ROUNDS)["ours"]
    judging = Measure(
        *("models", f"{len(candidates)} passages judged", judged.p(0.5), "ms", "lower"),
        target=RERANK_MS,
        note=f"{reranker.name}; {judged.said}",
    )
    return (*measures, query, judging), notes


def _asking(settings: ModelSettings, embedder: Embedder, questions: Sequence[str]) -> Measure:
    """Return the time of encoding a question that was not asked before, beside that of its products."""
    ways: dict[str, Callable[[int], object]] = {"ours": lambda n: embedder.encode_query(questions[n])}
    entry, folder = embedder_files(settings)
    products = 0
    with suppress(ImportError):
        products, peak = products_of_a_token(folder / entry.model), Int8Peak()
        ways["limit"] = lambda _: peak.run()
    spent = in_turn(ways, len(questions))
    asked, limit, note = spent["ours"], None, spent["ours"].said
    if products:
        tokenizer = open_tokenizer(entry.name, folder / entry.tokenizer)
        tokens = percentile([len(tokenizer.encode(entry.query_prefix + one).ids) for one in questions], 0.5)
        rate = Int8Peak.products / spent["limit"].p(0.0)  # a millisecond
        limit = tokens * products / rate
        note = f"{tokens:g} tokens; {rate / 1e6:.0f} billion products a second are the limit; {note}"
    return Measure(
        *("models", "question encoded p50", asked.p(0.5), "ms", "lower"),
        peer=limit,
        peer_name="products of int8 alone" if products else "",
        target=QUERY_MS,
        note=note,
    )


def _encoding(settings: ModelSettings, embedder: Embedder, texts: Sequence[str]) -> Result:
    """Return the rate of encoding beside the same weights in float32."""
    notes = [f"models: {len(texts)} passages, processor time of one thread"]
    ways: dict[str, Callable[[int], object]] = {"ours": lambda _: embedder.encode_passages(texts)}
    try:
        peer = FloatPeer(*embedder_files(settings))
        ways["peer"] = lambda _: peer.encode(texts)
    except ImportError:
        notes.append("models: the peer in float32 was left out, the package onnx is not installed")
    spent = in_turn(ways, ROUNDS)
    rates = {name: len(texts) / item.p(0.5) * 1000 for name, item in spent.items()}
    measure = Measure(
        *("models", "passages encoded", rates["ours"], "/s per core", "higher"),
        peer=rates.get("peer"),
        peer_name="onnxruntime, float32, batches of 32",
    )
    return (measure,), tuple(notes)
