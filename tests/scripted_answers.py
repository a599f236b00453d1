"""Judged questions answered by scripted models of every kind, one line each: what a bad model cannot do.

    python -m tests.scripted_answers LIBRARY QUESTIONS.jsonl [KIND ...]

`perfect` copies the first sentences, `retelling` leaves out articles and makes a sentence of a cell, `lazy`
writes next to nothing, `lying` changes every number or turns the sense, `twisting` changes one word or leaves
out one condition, `inventing` cites what there is not, `injected` writes what planted orders ask for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.core.errors import ApplianceError
from appliance.core.evidence import Answer
from appliance.core.settings import LlmSettings, Settings
from appliance.evaluation.answers import Pair, cost, evaluate_answers, four_way, share
from appliance.evaluation.questions import load_questions
from appliance.library import Library
from appliance.writing import Asked, Writer
from tests.models.scripted import (
    Script,
    ScriptedGenerator,
    empty,
    injected,
    inventing,
    lazy,
    looping,
    lying,
    perfect,
    retelling,
    twisting,
)

KINDS: dict[str, Script] = {
    "perfect": perfect,
    "lazy": lazy,
    "retelling": retelling,
    "lying": lying,
    "twisting": twisting,
    "inventing": inventing,
    "injected": injected,
    "empty": empty,
    "looping": looping,
}
HEAD = "kind       value    stated   answered missed invented refused failed  confirmed  said most"


@dataclass(frozen=True)
class Both:
    """A library asked without and with a scripted model."""

    writer: Writer

    def plain(self, question: str) -> Answer:
        return self.writer.library.ask(question)

    def written(self, question: str) -> Answer:
        return self.writer.answer(Asked(question, mode="always"))


def asked_once(library: Library) -> Library:
    """Let a library remember its answers: they are the same for every kind of model."""
    known: dict[str, Answer | ApplianceError] = {}
    ask: Callable[..., Answer] = library.ask

    def remembered(question: str, *rest: Any, **more: Any) -> Answer:
        if question not in known:
            try:
                known[question] = ask(question, *rest, **more)
            except ApplianceError as error:
                known[question] = error
        found = known[question]
        if isinstance(found, ApplianceError):
            raise found
        return found

    library.ask = remembered  # type: ignore[method-assign]
    return library


def line(kind: str, pairs: tuple[Pair, ...]) -> str:
    ways, total = four_way(pairs, lambda pair: pair.written), cost(pairs)
    value, stated = (
        share(getattr(pair.written, name) for pair in pairs) or 0 for name in ("value", "stated")
    )
    confirmed = round((total.confirmed or 0) * total.statements)
    said = f"{total.notices[0][0]} ({total.notices[0][1]})" if total.notices else "-"
    return (
        f"{kind:10} {value:.3f}    {stated:.3f}    {ways.answered:8} {ways.missed:6} {ways.invented:8} "
        f"{ways.refused:7} {ways.failed:6}  {confirmed:4}/{total.statements:<4}  {said}"
    )


def main(path: str, questions: str, *kinds: str) -> None:
    settings = Settings(llm=LlmSettings(model="scripted", mode="always", review_rounds=1))
    library, judged = asked_once(Library.open(Path(path), settings)), load_questions([Path(questions)])
    sys.stdout.write(f"{len(judged)} questions\n{HEAD}\n")
    for kind in kinds or KINDS:
        writer = Writer(library, ScriptedGenerator(KINDS[kind]), settings)
        sys.stdout.write(f"{line(kind, evaluate_answers(Both(writer), judged))}\n")
        sys.stdout.flush()
    library.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
