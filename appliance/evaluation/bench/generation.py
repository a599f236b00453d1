"""What writing costs: instructions restored, tokens decoded, a word to stop heard."""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from appliance.evaluation.bench.rounds import Measure, Result
from appliance.models.llama.handle import LlamaGenerator
from appliance.models.llama.plan import Plan
from appliance.models.protocols import Finished, Generation, Limits, Message, Piece, Reading

CONTEXT = 2048
PREFIX = 536  # tokens of fixed instructions
TOKENS = 48  # written for each figure of decoding
ROUNDS = 3
STOPS = 20
_WORDS = (
    "the characteristic value of the load on the roof shall be taken from the table unless the clause says "
)


def bench_generation(model: Path) -> Result:
    """Return the measures of a model file, and remarks."""
    try:
        from appliance.models.llama.engine import Engine, LoadFailed  # noqa: PLC0415 - an extra of the program
    except ImportError as error:
        return (), (f"generate: not measured, llama.cpp is not installed ({error})",)
    from appliance.models.llama.wire import Page  # noqa: PLC0415 - as above

    try:
        engine = Engine(model, CONTEXT, 1, Page())
    except LoadFailed as error:
        return (), (f"generate: not measured, {error}",)
    with tempfile.TemporaryDirectory() as folder:
        try:
            measures = [_prefix(engine, Path(folder)), _decoding(engine, Path(folder))]
        finally:
            engine.close()
        plan = Plan(model.stem, model, "bench", CONTEXT, 1, 0, Path(folder), 4096, 120.0, 60.0)
        with closing(LlamaGenerator(plan)) as generator:
            return (*measures, _stopping(generator)), ()


def _prefix(engine: Any, folder: Path) -> Measure:
    """Restoring the fixed instructions, by the clock, beside evaluating them, in processor seconds."""
    from appliance.models.llama.engine import BATCH, Words  # noqa: PLC0415 - as above
    from appliance.models.llama.plan import States  # noqa: PLC0415 - as above

    tokens = (Words(engine).data(_WORDS * PREFIX))[:PREFIX]
    states = States(folder, "bench", 4096)
    evaluated, restored = [], []
    for _ in range(ROUNDS):
        began = time.process_time()
        engine.forget()
        for start in range(0, PREFIX, BATCH):
            engine.evaluate(tokens[start : start + BATCH])
        evaluated.append(1000 * (time.process_time() - began))
    states.keep(engine)
    for _ in range(ROUNDS * 3):
        began = time.perf_counter()
        states.restore(engine, tokens)
        restored.append(1000 * (time.perf_counter() - began))
    return Measure(
        *("generate", f"{PREFIX} fixed tokens", min(restored), "ms", "lower"),
        peer=min(evaluated),
        peer_name="evaluating",
        target=min(evaluated) / 50,
        note="the peer in processor seconds of one thread: the least that the clock could show",
    )


def _decoding(engine: Any, folder: Path) -> Measure:
    """Our writing beside the plainest loop, in processor seconds a token, the prompt left out."""
    from appliance.models.llama.chat import CHATML  # noqa: PLC0415 - as above
    from appliance.models.llama.plan import States  # noqa: PLC0415 - as above
    from appliance.models.llama.writer import Budget, Writer  # noqa: PLC0415 - as above

    writer = Writer(engine, CHATML, States(folder, "bench", 0), Budget(1, 1))
    prompt, limits = writer.words.data(_WORDS), Limits(tokens=TOKENS, repeats=0)
    plain, ours, read = [], [], [0.0]

    def tell(event: Reading | Piece) -> None:
        if isinstance(event, Reading) and event.done == event.total:
            read.append(time.process_time())

    for _ in range(ROUNDS):
        engine.forget()
        engine.evaluate(prompt)
        began = time.process_time()
        for _ in range(TOKENS):
            engine.evaluate([int(engine.scores().argmax())])
        plain.append((time.process_time() - began) / TOKENS)
        finished = writer.write(Generation((Message("user", _WORDS),), limits=limits), tell)
        ours.append((time.process_time() - read[-1]) / max(1, finished.tokens))
    return Measure(
        *("generate", "decoding", 1 / min(ours), "tokens/s", "higher"),
        peer=1 / min(plain),
        peer_name="the plain loop",
        target=0.8 / min(plain),
        note="one thread, processor seconds",
    )


def _stopping(generator: LlamaGenerator) -> Measure:
    """From the word to stop, said in the middle of a prompt, until the process is free again."""
    long = _WORDS * (CONTEXT * 3 // 4 // generator.count([_WORDS])[0])
    waited = []
    for number in range(STOPS):
        prompt = (Message("user", f"{number} {long}"),)
        writing = generator.begin(Generation(prompt, limits=Limits(tokens=1)))
        events = iter(writing)
        next(events)  # the first batch is read
        time.sleep(0.01 * number)
        began = time.perf_counter()
        writing.cancel()
        last = [event for event in events if isinstance(event, Finished)][-1]
        if last.reason == "cancelled":  # else the generation had come to its own end
            waited.append(1000 * (time.perf_counter() - began))
    name = "stopping within a prompt"
    if not waited:
        note = "every prompt was read before the word came"
        return Measure("generate", name, 0.0, "ms", "lower", note=note)
    note = f"the worst of {len(waited)}; the median is {statistics.median(waited):.0f} ms"
    return Measure("generate", name, max(waited), "ms", "lower", target=250.0, note=note)
