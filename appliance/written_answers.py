"""Questions answered with a language model where one is installed: the facade over library and generator."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

from appliance.answer.write.asking import Asker, Pace
from appliance.answer.write.tool_calling import looked_further
from appliance.answer.write.write import WITHOUT, Desk, decides_alone, write
from appliance.core.errors import (
    ApplianceError,
    BadInput,
    BadSettings,
    ModelDamaged,
    ModelMissing,
    ModelUnusable,
)
from appliance.core.evidence import Answer, Grounded, Written
from appliance.core.jobs import Watch
from appliance.core.settings import Settings
from appliance.figure_descriptions import Describer, open_describer
from appliance.library import Library
from appliance.models.catalogue import load_generator
from appliance.models.llama.service import Turns
from appliance.models.prompts import load_prompt
from appliance.models.protocols import Generator
from appliance.retrieval.search_context import EVERYTHING, Filter, Reading
from appliance.tools import Tools

_LOG = logging.getLogger(__name__)

Mode = Literal["deterministic", "needed", "always"]
MODES: tuple[Mode, ...] = get_args(Mode)
UNFIT = (BadInput, ModelDamaged, ModelMissing, ModelUnusable)  # BadInput: a name that the catalogue lacks


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that decides its answer, `after` the one before; equal ones have one answer."""

    question: str
    documents: tuple[str, ...] = ()
    wanted: Filter = EVERYTHING
    after: str = ""
    reading: Reading | None = None
    mode: Mode = "needed"


class Writer:
    """Answers questions over one library, with its generator where it has one."""

    def __init__(
        self,
        library: Library,
        generator: Generator | None,
        settings: Settings,
        describer: Describer | None = None,
        fault: str = "",
    ) -> None:
        self.library = library
        self.generator = generator
        self.settings = settings
        self.describer = describer
        self.pace = Pace()
        self._tools = Tools(library, settings)
        self.fault = fault  # why there is no generator though the settings name one

    @property
    def mode(self) -> Mode:
        """Return the mode of the settings; without a generator there is one mode alone."""
        return mode_named(self.settings.llm.mode) if self.generator else "deterministic"

    @property
    def version(self) -> str:
        """Return what changes whenever an answer may: the library and the model."""
        return f"{self.library.store.version} {self.generator.name if self.generator else ''}"

    def needs(self, answer: Answer, mode: Mode | None = None) -> bool:
        """Tell whether the model is asked about an answer that was made without it."""
        wanted = self.mode if mode is None else mode
        if self.generator is None or wanted == "deterministic" or not isinstance(answer, Grounded):
            return False
        return wanted == "always" or not decides_alone(answer)

    def answer(self, asked: Asked, watch: Watch | None = None, *, explain: bool = False) -> Answer:
        """Return the answer; raises as `Library.ask` does, and Gone where the watch has stopped."""
        watch = watch or Watch()
        watch.stage("searching")
        ask = partial(self.library.ask, explain=True) if explain else self.library.answered
        answer = ask(
            asked.question, asked.documents, wanted=asked.wanted, after=asked.after, reading=asked.reading
        )
        if not isinstance(answer, Grounded):
            return answer
        if self.fault:
            notice = f"The language model could not be asked ({self.fault}); {WITHOUT}"
            return replace(answer, written=Written(self.settings.llm.model, notice))
        if self.generator is None or not self.needs(answer, asked.mode):
            return answer
        try:
            asker = Asker(self.generator, watch, self.settings.llm, self.pace)
            if self.settings.llm.rounds:
                answer = looked_further(self._tool, self.library.store, asker, answer)
            return write(self.desk(answer, self.generator), answer, asker)
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
            _LOG.exception("nothing written for %r", asked.question)
            notice = f"The language model could not be used ({error}); {WITHOUT}"
            return replace(answer, written=Written(self.generator.name, notice))

    def _tool(self, name: str, arguments: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
        return self._tools.call(name, arguments)["results"]

    def desk(self, answer: Grounded, generator: Generator) -> Desk:
        """Return all that a generator needs to write an answer."""
        library = self.library
        return Desk(
            store=library.store,
            generator=generator,
            judges=library.judges(answer.evidence.query),
            settings=self.settings.llm,
            places=self.settings.answer.places_read,
        )

    def warm(self) -> None:
        """Start the model and evaluate the fixed prompt, for a fast first question; never raises."""
        try:
            if self.generator:
                self.generator.warm(load_prompt("answer").fixed)
        except ApplianceError as error:
            _LOG.warning("the language model cannot be used yet: %s", error)

    def close(self) -> None:
        """End the processes of the models; the library stays open."""
        if self.generator:
            self.generator.close()
        if self.describer:
            self.describer.close()


def open_writer(library: Library, settings: Settings, mode: str | None = None) -> Writer:
    """Return the writer over a library with the generator of the settings, whose process starts when asked.

    `mode` stands in for that of the settings, and asks for a model: one of no use is an error then. A model
    of the settings alone that is unknown, missing, damaged or of no use is no reason to answer nothing: the
    writer goes without it, and says so with every answer.

    Raises:
        BadSettings: the mode is none of the three, or asks for a model where the settings name none.
        BadInput, ModelMissing, ModelDamaged, ModelUnusable: the model that is asked for.
    """
    wanted = mode_named(mode or settings.llm.mode)
    if mode and wanted != "deterministic" and not settings.llm.model:
        raise BadSettings(
            "No language model is installed for this. Name one as model in [llm] of the settings; "
            "`appliance models list` shows them with the memory that each takes."
        )
    settings = replace(settings, llm=replace(settings.llm, mode=wanted))
    turns, generator, fault = Turns(), None, ""  # one model at a time
    if wanted != "deterministic":
        try:
            generator = load_generator(settings.models, settings.llm, turns)
        except UNFIT as error:
            if mode:
                raise
            fault = str(error)
            _LOG.info("answers are quotations: %s", error)
    return Writer(library, generator, settings, _describer(library, settings, turns), fault)


def _describer(library: Library, settings: Settings, turns: Turns) -> Describer | None:
    """Return who describes figures, None where the settings name no model or one that is of no use."""
    try:
        return open_describer(library, settings, turns)
    except UNFIT as error:
        _LOG.info("figures are not described: %s", error)
        return None


def mode_named(name: str) -> Mode:
    """Return a mode by its name; raises BadSettings."""
    if name not in MODES:
        raise BadSettings(
            f"The mode of the language model must be {', '.join(MODES[:-1])} or {MODES[-1]}, not {name!r}."
        )
    return name
