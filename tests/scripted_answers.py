"""Judged questions answered by scripted models of every kind, one line each: what a bad model cannot do.

    python -m tests.scripted_answers LIBRARY QUESTIONS.jsonl [KIND ...]

`perfect` copies the first sentences, `retelling` leaves out articles and makes a sentence of a cell, `lazy`
writes next to nothing, `lying` changes every number or turns the sense, `twisting` changes one word or leaves
out one condition, `inventing` cites what there is not, `injected` writes what planted orders ask for.

`hold` is a second opinion about each confirmed statement that shares no code with the first (`holds`).
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.core.document import Cell, Table
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Answer, Citation, Grounded
from appliance.core.settings import LlmSettings, Settings
from appliance.evaluation.places import all_found
from appliance.evaluation.questions import Question, load_questions, said
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
HEAD = "kind       value    outcomes  confirmed  hold"
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[<>≤≥=±%]")
_LIGHT = frozenset(["a", "an", "the", "is", "are", "be", "been", "was", "were", "of"])
_TURNING = frozenset(
    ["not", "no", "never", "nor", "unless", "except", "only", "without", "neither", "if", "where"]
)


def _words(text: str) -> list[str]:
    plain = "".join(sign for sign in text.casefold() if "<super>" not in unicodedata.decomposition(sign))
    return [word.removesuffix("s") for word in _WORD.findall(plain) if word not in _LIGHT]


def holds(statement: str, quotes: Sequence[str], tables: Sequence[Table] = ()) -> bool:
    """Tell whether what is cited prints the words of a statement.

    Each part of it (between semicolons and colons) must stand in one quotation in its order, articles, forms
    of "be" and a final "s" apart, with no word skipped that negates or restricts; or all of it in the cells
    of one row of a table, with its heads.
    """
    parts = list(filter(None, map(_words, re.split("[:;]", statement))))
    printed = [_words(quote) for quote in quotes]
    return all(any(_holds(part, quote) for quote in printed) for part in parts) or any(
        _in_a_row(set(_words(statement)), table) for table in tables
    )


def _in_a_row(said: set[str], table: Table) -> bool:
    over = {word for cell in table.cells if cell.header for word in _words(cell.text)}
    over.update(_words(f"{table.label} {table.title}"))
    groups = {word for cell in table.cells if not cell.column for word in _words(cell.text)}
    return any(
        said
        <= over | groups | {word for cell in table.cells if _covers(cell, row) for word in _words(cell.text)}
        for row in {cell.row for cell in table.cells if not cell.header}
    )


def _covers(cell: Cell, row: int) -> bool:
    return cell.row <= row < cell.row + cell.row_span


def _holds(said: Sequence[str], printed: Sequence[str]) -> bool:
    for start in (at for at, word in enumerate(printed) if [word] == said[:1]):
        at = start
        for word in said:
            while at < len(printed) and printed[at] != word and printed[at] not in _TURNING:
                at += 1
            if at == len(printed) or printed[at] != word:
                break
            at += 1
        else:
            return True
    return False


@dataclass(frozen=True)
class Both:
    """A library asked without and with a model; `sure` is confirmed, `doubted` of it does not hold."""

    writer: Writer
    sure: list[str] = field(default_factory=list)
    doubted: list[str] = field(default_factory=list)

    def written(self, question: str) -> Answer:
        answer = self.writer.answer(Asked(question, mode="always"))
        if isinstance(answer, Grounded) and answer.written:
            own = {item.text for item in answer.written.own if item.confirmed}
            cited = {citation.n: citation for citation in answer.citations}
            for item in answer.statements:
                if item.confirmed and item.text in own:
                    sources = [cited[n] for n in item.citations]
                    quotes = [source.quote for source in sources]
                    if not holds(item.text, [*quotes, " ".join(quotes)], self._tables(sources)):
                        self.doubted.append(item.text)
                    self.sure.append(item.text)
        return answer

    def _tables(self, sources: Sequence[Citation]) -> list[Table]:
        keys = {(source.document, source.label.key) for source in sources}
        return [
            table
            for document, key in keys
            for table in self.writer.library.document(document).tables
            if table.label.key == key
        ]


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


def line(kind: str, judged: Sequence[Question], answers: Sequence[Answer], held: int) -> str:
    values = [
        all_found(one.values, said(answer)) for one, answer in zip(judged, answers, strict=True) if one.values
    ]
    written = [answer.written for answer in answers if isinstance(answer, Grounded) and answer.written]
    confirmed, statements = sum(one.confirmed for one in written), sum(one.statements for one in written)
    outcomes = Counter(type(answer).__name__ for answer in answers)
    return f"{kind:10} {sum(values) / len(values):.3f}    {dict(outcomes)}  {confirmed}/{statements}  {held}"


def main(path: str, questions: str, *kinds: str) -> None:
    settings = Settings(llm=LlmSettings(model="scripted", mode="always"))
    library, judged = asked_once(Library.open(Path(path), settings)), load_questions([Path(questions)])
    sys.stdout.write(f"{len(judged)} questions\n{HEAD}\n")
    for kind in kinds or KINDS:
        both = Both(Writer(library, ScriptedGenerator(KINDS[kind]), settings))
        answers = [both.written(one.question) for one in judged]
        sys.stdout.write(f"{line(kind, judged, answers, len(both.sure) - len(both.doubted))}\n")
        sys.stdout.writelines(f"    to be looked at: {text}\n" for text in both.doubted)
        sys.stdout.flush()
    library.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
