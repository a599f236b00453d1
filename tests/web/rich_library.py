"""The library in memory with answers that hold everything an answer can: for the tests that look at pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from appliance.core.document import Label
from appliance.core.evidence import (
    Answer,
    Citation,
    Conflict,
    Grounded,
    Listed,
    ModelStep,
    Scoped,
    Subanswer,
    Written,
)
from appliance.written_answers import Asked, Mode
from tests.web.fake_library import EVIL, FakeLibrary

GAP = "No document gives the load of a roof on mars."


class RichLibrary(FakeLibrary):
    """Answers "conflict", "partial", "where" and "written" with what these words say."""

    def ask(self, question: str, *given: Any, **wanted: Any) -> Answer:
        answer = super().ask(question, *given, **wanted)
        if not isinstance(answer, Grounded):
            return answer
        if "conflict" in question:
            answer = replace(answer, conflicts=self._conflicts(answer))
        if "partial" in question:
            parts = (Subanswer("the coefficient", (0, 1)), Subanswer("the load on mars", ()))
            answer = replace(answer, parts=parts, gap="" if "half" in question else GAP)
        if "where" in question:
            listed = Listed("SNOW", Label(("5.2(1)",)), f"Load arrangements {EVIL}", 2, "in its words")
            scope = Scoped("coverage", "2 documents speak of it.", (listed,), ("SNOW", "BASIS"))
            answer = replace(answer, evidence=replace(answer.evidence, scope=scope))
        if "written" in question:
            step = ModelStep("answer", "answer 1", "whole", "2 statements", 900, 700, 120)
            answer = replace(answer, mode="model", written=Written("small-1b", "One was left out.", (step,)))
        return answer

    def _conflicts(self, answer: Grounded) -> tuple[Conflict, ...]:
        old = self.loaded["BASIS"].clauses[1]
        other = Citation(9, "BASIS", old.label, 1, old.boxes, f"the coefficient is 0.9 {EVIL}", "superseded")
        sides = (answer.citations[2], other)
        rule = "The newer edition counts."
        return (Conflict(sides, "edition", rule, 0), Conflict(sides, "undecided", "Ask the designer."))


class QuickWriter:
    """A language model that has nothing to wait for, offered beside every answer."""

    mode: Mode = "needed"
    version = "1"
    describer = None

    def __init__(self, library: FakeLibrary) -> None:
        self.library = library

    def needs(self, answer: Answer, mode: Mode | None = None) -> bool:
        return isinstance(answer, Grounded) and mode == "always"

    def answer(self, asked: Asked, watch: Any = None) -> Answer:
        watch.stage("answer")
        return self.library.ask(asked.question)
