"""What writing costs: instructions restored, tokens decoded, a word to stop heard."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from appliance.evaluation.bench.measures import Measure
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


def bench_generation(model: Path) -> tuple[tuple[Measure, ...], tuple[str, ...]]:
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
    try:
        measures = [*_prefix(engine), *_decoding(engine)]
    finally:
        engine.close()
    with _generator(model) as generator:
        measures.append(_stopping(generator))
    return tuple(measures), ()


def _prefix(engine: Any) -> Iterator[Measure]:
    """Restoring the fixed instructions, by the clock, beside evaluating them, in processor seconds."""
    from appliance.models.llama.engine import BATCH, Words  # noqa: PLC0415 - as above
    from appliance.models.llama.plan import States  # noqa: PLC0415 - as above

    tokens = (Words(engine).data(_WORDS * PREFIX))[:PREFIX]

    def evaluate() -> None:
        engine.forget()
        for start in range(0, PREFIX, BATCH):
            engine.evaluate(tokens[start : start + BATCH])

    with tempfile.TemporaryDirectory() as folder:
        states = States(Path(folder), "bench", 4096)
        evaluated = min(_processor(evaluate) for _ in range(ROUNDS))
        states.keep(engine)
        restored = min(_clock(lambda: states.restore(engine, tokens)) for _ in range(ROUNDS * 3))
    yield Measure(
        *("generate", f"{PREFIX} fixed tokens", restored * 1000, "ms", "lower"),
        peer=evaluated * 1000,
        peer_name="evaluating",
        target=evaluated * 1000 / 50,
        note="the peer in processor seconds of one thread: the least that the clock could show",
    )


def _decoding(engine: Any) -> Iterator[Measure]:
    """Our writing beside the plainest loop."""
    from appliance.models.llama.chat import CHATML  # noqa: PLC0415 - as above
    from appliance.models.llama.cores import Budget  # noqa: PLC0415 - as above
    from appliance.models.llama.plan import States  # noqa: PLC0415 - as above
    from appliance.models.llama.writer import Writer  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(engine, CHATML, States(Path(folder), "bench", 0), Budget(1, 1))
        plain, ours = [], []
        for _ in range(ROUNDS):
            plain.append(_plain(engine, writer.words.data(_WORDS)))
            ours.append(_written(writer))
        yield Measure(
            *("generate", "decoding", 1 / min(ours), "tokens/s", "higher"),
            peer=1 / min(plain),
            peer_name="the plain loop",
            target=0.8 / min(plain),
            note="one thread, processor seconds",
        )


def _plain(engine: Any, prompt: list[int]) -> float:
    """Return processor seconds a token of nothing but evaluating and taking the best."""
    engine.forget()
    engine.evaluate(prompt)
    began = time.process_time()
    for _ in range(TOKENS):
        engine.evaluate([int(engine.scores().argmax())])
    return (time.process_time() - began) / TOKENS


def _written(writer: Any) -> float:
    """Return processor seconds a token of a whole generation, its prompt left out."""
    begun: list[float] = []

    def tell(event: Reading | Piece) -> None:
        if isinstance(event, Reading) and event.done == event.total:
            begun.append(time.process_time())

    limits = Limits(tokens=TOKENS, repeats=0)
    finished = writer.write(Generation((Message("user", _WORDS),), limits=limits), tell)
    return float((time.process_time() - begun[-1]) / max(1, finished.tokens))


@contextmanager
def _generator(model: Path) -> Iterator[LlamaGenerator]:
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(model.stem, model, "bench", CONTEXT, 1, 0, Path(folder), 4096, 120.0, 60.0)
        generator = LlamaGenerator(plan)
        try:
            yield generator
        finally:
            generator.close()


def _stopping(generator: LlamaGenerator) -> Measure:
    """From the word to stop, said in the middle of a prompt, until the process is free again."""
    long = _WORDS * (CONTEXT * 3 // 4 // generator.count([_WORDS])[0])
    waited = [seconds for i in range(STOPS) if (seconds := _stopped(generator, f"{i} {long}", 0.01 * i))]
    if not waited:
        note = "every prompt was read before the word came"
        return Measure("generate", "stopping within a prompt", 0.0, "ms", "lower", note=note)
    worst, median = max(waited) * 1000, statistics.median(waited) * 1000
    note = f"the worst of {len(waited)}; the median is {median:.0f} ms"
    return Measure("generate", "stopping within a prompt", worst, "ms", "lower", target=250.0, note=note)


def _stopped(generator: LlamaGenerator, prompt: str, after: float) -> float:
    """Return the seconds from the word to the end, 0 where the generation had come to its own."""
    writing = generator.begin(Generation((Message("user", prompt),), limits=Limits(tokens=1)))
    events = iter(writing)
    next(events)  # the first batch is read
    time.sleep(after)
    began = time.perf_counter()
    writing.cancel()
    last = [event for event in events if isinstance(event, Finished)][-1]
    return time.perf_counter() - began if last.reason == "cancelled" else 0.0


def _clock(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _processor(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
