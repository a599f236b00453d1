"""The language model as the rest of the program has it: a `Generator` whose work is done elsewhere."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec

from appliance.core.errors import GenerationFailed, ModelUnusable, PromptTooLong
from appliance.core.settings import LlmSettings
from appliance.models.catalogue import Entry
from appliance.models.llama.gguf import NotModel, read_model, read_projector
from appliance.models.llama.plan import Plan
from appliance.models.llama.service import Asked, Service, Turns
from appliance.models.llama.wire import Count, Counted, Failed, Happened, Stop, Told, Warm, Write
from appliance.models.protocols import Event, Finished, Generation, Message, Piece
from appliance.models.session import physical_cores

NumberedMessage = Callable[[int], Asked]
StopAsked = Callable[[], Stop]
Turn = AbstractContextManager[bool]
SEEING_IDLE = 60.0  # seconds: drawings are seldom described, and the memory is wanted by the other model


def open_generator(
    entry: Entry,
    path: Path,
    sha256: str,
    llm: LlmSettings,
    *,
    projector: Path | None = None,
    turns: Turns | None = None,
) -> LlamaGenerator:
    """Return the generator of a model file that has been checked; nothing is started.

    With `projector`, checked as well, it sees pictures; its process ends when it has been idle for a while.
    Generators that share `turns` write one at a time.

    Raises:
        ModelUnusable: the file holds no language model, the projector is not for it, or the context is more
            than it was trained for.
    """
    try:
        head = read_model(path)
        if projector:
            read_projector(projector, head)
    except NotModel as error:
        raise ModelUnusable(entry.name, str(error)) from None
    if head.context and llm.context_tokens > head.context:
        why = (
            f"context_tokens in [llm] is {llm.context_tokens}, and it was trained for {head.context}, "
            "the most that may stand there"
        )
        raise ModelUnusable(entry.name, why)
    plan = Plan(
        name=entry.name,
        path=path,
        sha256=sha256,
        context=llm.context_tokens,
        threads=llm.threads or physical_cores(),  # a search comes before it: see `confine` and `Budget`
        memory_mib=llm.memory_mib or entry.ram_mib * 3 // 2,
        states=llm.states if llm.states != Path() else cache_folder() / "states",
        states_mib=llm.states_mib,
        start_seconds=llm.start_seconds,
        silent_seconds=llm.silent_seconds,
        projector=projector,
    )
    return LlamaGenerator(plan, llm.idle_seconds or (SEEING_IDLE if projector else 0.0), turns)


def cache_folder() -> Path:
    """Return the user's cache folder of this program (XDG Base Directory Specification)."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "appliance"


class LlamaGenerator:
    """A `Generator` over one model's process."""

    def __init__(self, plan: Plan, idle_seconds: float = 0.0, turns: Turns | None = None) -> None:
        self._service = Service(plan)
        self._turns = Turns() if turns is None else turns  # an empty row is false
        self._numbers = 0
        self._idle_seconds = idle_seconds
        self._idle: threading.Timer | None = None
        self._closed = threading.Event()
        self._word = threading.Lock()  # held while the word to stop is said, for the right one
        self._under_way: LlamaWriting | None = None

    @property
    def name(self) -> str:
        return self._service.plan.name

    @property
    def context(self) -> int:
        opened = self._service.opened
        return opened.context if opened else self._service.plan.context

    @property
    def closed(self) -> bool:
        return self._closed.is_set()

    def begin(self, generation: Generation) -> LlamaWriting:
        messages, grammar = _whole_messages(generation.messages), _whole(generation.grammar)
        return LlamaWriting(self, replace(generation, messages=messages, grammar=grammar))

    def count(self, texts: Sequence[str]) -> list[int]:
        with self._turns.turn():
            for told in self.ask(lambda number: Count(number, tuple(map(_whole, texts))), self._stop):
                if isinstance(told, Counted):
                    return list(told.tokens)
        raise GenerationFailed(self.name, "it was closed")

    def warm(self, messages: Sequence[Message]) -> None:
        with self._turns.turn():
            for _ in self.ask(lambda number: Warm(number, _whole_messages(messages)), self._stop):
                pass

    def close(self) -> None:
        self._closed.set()
        with self._turns.turn():
            self._rest()
            self._service.close()

    def ask(self, message: NumberedMessage, stop: StopAsked) -> Iterator[Told]:
        """Yield what is told of one message, the last thing included; the turn must be the caller's."""
        self._rest()
        self._numbers += 1
        try:
            for told in self._service.exchange(message(self._numbers), stop):
                if isinstance(told, Failed):
                    if told.kind == "too_long":
                        raise PromptTooLong(self.name, told.needed, self.context)
                    kind = ModelUnusable if told.kind == "unusable" else GenerationFailed
                    raise kind(self.name, told.why)
                yield told
        finally:
            if self._idle_seconds and not self._closed.is_set():
                self._idle = threading.Timer(self._idle_seconds, self._end_idle)
                self._idle.daemon = True
                self._idle.start()

    @contextmanager
    def under_way(self, writing: LlamaWriting) -> Iterator[None]:
        """Let this one be what the process works for, which alone may stop it."""
        with self._word:
            self._under_way = writing
        try:
            yield
        finally:
            with self._word:
                self._under_way = None

    def stop(self, writing: LlamaWriting) -> None:
        """Stop the process at once where it works for this one."""
        with self._word:
            if self._under_way is writing:
                self._service.stop()

    def turn(self, stop: StopAsked) -> Turn:
        return self._turns.turn(lambda: bool(stop()))

    def _stop(self) -> Stop:
        return "cancelled" if self._closed.is_set() else ""

    def _rest(self) -> None:
        if self._idle:
            self._idle.cancel()
            self._idle = None

    def _end_idle(self) -> None:
        """Free the memory of a process that nobody has needed for a while."""
        if not len(self._turns):
            with self._turns.turn():
                self._service.end()


class LlamaWriting:
    """A `Writing`; the clock of its limit starts when its turn comes."""

    def __init__(self, generator: LlamaGenerator, generation: Generation) -> None:
        self._generator, self._generation = generator, generation
        self._cancelled = threading.Event()
        self._deadline: float | None = None

    def cancel(self) -> None:
        self._cancelled.set()
        self._generator.stop(self)

    def __iter__(self) -> Iterator[Event]:
        began = time.monotonic()
        with self._generator.turn(self._stop) as come:
            turn = time.monotonic()
            waited = turn - began
            if not come:
                yield Finished("cancelled", waited_seconds=waited)
                return
            self._deadline = turn + self._generation.limits.seconds
            text: list[str] = []
            asked = self._generator.ask(lambda number: Write(number, self._generation), self._stop)
            try:
                with self._generator.under_way(self), closing(asked):  # type: ignore[type-var]  # it has `close`
                    for told in asked:
                        if not isinstance(told, Happened):
                            continue
                        if isinstance(told.event, Finished):
                            yield msgspec.structs.replace(told.event, waited_seconds=waited)
                            return
                        if isinstance(told.event, Piece):
                            text.append(told.event.text)
                        yield told.event
            finally:
                self._cancelled.set()  # whoever leaves early has cancelled it
            yield Finished("cancelled", text="".join(text), waited_seconds=waited)

    def _stop(self) -> Stop:
        if self._cancelled.is_set() or self._generator.closed:
            return "cancelled"
        return "seconds" if self._deadline is not None and time.monotonic() > self._deadline else ""


def _whole(text: str) -> str:
    """Return a text without halves of characters, which some PDFs hold and no encoding takes."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _whole_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(replace(message, text=_whole(message.text)) for message in messages)
