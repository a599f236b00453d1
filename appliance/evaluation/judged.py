"""Judged questions as files hold them: one JSON object a line, checked when read.

Rules of this module: a file that is not as `eval/README.md` describes it is a `BadInput` that names
file, line and what is wrong; a question without gold places is one that no document answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from appliance.errors import BadInput
from appliance.evaluation.places import Gold
from appliance.retrieval.ask import EVERYTHING, Filter


@dataclass(frozen=True, slots=True)
class Question:
    """A judged question; `gold` are the places that are all needed, `values` what must be said.

    `filter` is what it is asked with: of the part of the library that it leaves the question is judged.
    """

    id: str
    question: str
    style: str = ""
    type: str = ""
    documents: tuple[str, ...] = ()
    gold: tuple[Gold, ...] = ()
    values: tuple[str, ...] = ()
    filter: Filter = EVERYTHING

    @property
    def answerable(self) -> bool:
        """Tell whether the documents answer it."""
        return bool(self.gold)


def load_questions(files: Iterable[Path]) -> tuple[Question, ...]:
    """Return the questions of all files in order.

    Raises:
        BadInput: a file is missing, a line is not a question, an id stands twice, or nothing is left.
    """
    questions: list[Question] = []
    seen: set[str] = set()
    for path in files:
        for number, line in enumerate(_lines(path), 1):
            if not line.strip():
                continue
            question = _parse(path, number, line)
            if question.id in seen:
                message = f"{path}, line {number}: the id {question.id} stands twice."
                raise BadInput(message)
            seen.add(question.id)
            questions.append(question)
    if not questions:
        message = "There are no judged questions in the given files."
        raise BadInput(message)
    return tuple(questions)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")  # JSON may hold other line ends
    except FileNotFoundError:
        message = f"There is no file {path}."
        raise BadInput(message) from None
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read as text: {error}."
        raise BadInput(message) from None


def _parse(path: Path, number: int, line: str) -> Question:
    try:
        return msgspec.json.decode(line, type=Question)
    except msgspec.DecodeError as error:
        message = f"{path}, line {number} is not a judged question: {error}."
        raise BadInput(message) from None
