"""The figures of written answers: what counts as said, as complete, as rightly not found."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.answer.write.write import UNREAD
from appliance.cli import main
from appliance.cli.show import OUT
from appliance.core.document import Label
from appliance.core.errors import QueryTooSlow
from appliance.core.evidence import (
    Answer,
    Citation,
    Confidence,
    Evidence,
    Failed,
    Grounded,
    ModelStep,
    NotFound,
    Own,
    Query,
    Statement,
    Written,
)
from appliance.evaluation.answers import (
    FourWay,
    answers_json,
    answers_tables,
    cost,
    evaluate_answers,
    four_way,
    share,
)
from appliance.evaluation.places import Gold
from appliance.evaluation.questions import Question
from tests.answer.builders import box, place

EVIDENCE = Evidence(Query("?", "value", ()), (place(label="1.1"),), (), (), (), 1.0, {})
GOLD = Gold("C", "1.1", "clause", 3)
THERE = Question("q1", "how wide?", documents=("C",), gold=(GOLD,), values=("1200 mm",))
NOWHERE = Question("q2", "how blue?")
STEP = ModelStep("answer", "answer@1", "stop", "", 900, 300, 40, first_seconds=2.0)


def said(text: str, quote: str = "", *, confirmed: bool = True, written: Written | None = None) -> Grounded:
    citation = Citation(1, "C", Label(("1.1",)), 3, (box(),), quote)
    statements = (Statement(text, (1,), confirmed),)
    sure = Confidence("high", ())
    return Grounded("?", statements, (citation,), EVIDENCE, (), (), sure, written=written)


@dataclass
class Scripted:
    """Answers by question, without and with a model."""

    without: dict[str, Answer]
    given: dict[str, Answer] = field(default_factory=dict)

    def plain(self, question: str) -> Answer:
        return self._of(self.without, question)

    def written(self, question: str) -> Answer:
        return self._of(self.given or self.without, question)

    def _of(self, answers: dict[str, Answer], question: str) -> Answer:
        if question not in answers:
            raise QueryTooSlow(2.0)
        return answers[question]


def judged(answer: Answer, question: Question = THERE) -> tuple[object, ...]:
    (pair,) = evaluate_answers(Scripted({question.question: answer}), [question])
    return pair.plain.outcome, pair.plain.value, pair.plain.stated, pair.plain.complete


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (said("At least 1200 mm."), ("answer", True, True, True)),
        (said("As quoted.", "at least 1,200 mm"), ("answer", True, False, True)),
        (
            said("At least 1200 mm.", confirmed=False),
            ("answer", False, False, True),
        ),  # not confirmed: not said
        (said("At least 900 mm."), ("answer", False, False, True)),
        (NotFound("?", EVIDENCE, ("C",), ()), ("not_found", False, False, False)),
        (Failed("?", "broken"), ("failed", False, False, False)),
    ],
)
def test_an_answer_is_judged_by_what_is_confirmed_and_shown(
    answer: Answer, expected: tuple[object, ...]
) -> None:
    assert judged(answer) == expected


def test_a_place_that_is_not_shown_is_not_complete() -> None:
    elsewhere = replace(THERE, gold=(GOLD, Gold("C", "9.9", "clause", 9)))
    assert judged(said("At least 1200 mm."), elsewhere)[3] is False
    assert judged(said("Blue."), NOWHERE)[1:] == (None, None, None)


def test_the_four_ways_are_counted_and_failures_apart() -> None:
    lost = Question("q3", "too slow?", gold=(GOLD,))
    missed = Question("q4", "how long?", gold=(GOLD,))
    refused = Question("q5", "how red?")
    nothing = NotFound("?", EVIDENCE, ("C",), ())
    answers: dict[str, Answer] = {THERE.question: said("1200 mm"), NOWHERE.question: said("blue")}
    answers |= {missed.question: nothing, refused.question: nothing}
    pairs = evaluate_answers(Scripted(answers), [THERE, NOWHERE, lost, missed, refused])
    assert four_way(pairs, lambda pair: pair.written) == FourWay(1, 1, 1, 1, 1)


def test_what_the_model_did_is_counted_beside_the_answers_without_it() -> None:
    notice = "The language model took too long; what stands here is quoted without it."
    given: dict[str, Answer] = {
        THERE.question: said(
            "1200 mm", written=Written("m", "", (STEP, replace(STEP, what="summary")), (), 4, 3)
        ),
        NOWHERE.question: said("blue", written=Written("m", notice, (replace(STEP, first_seconds=4.0),))),
    }
    pairs = evaluate_answers(Scripted(given), [THERE, NOWHERE])
    total = cost(pairs)
    assert (total.asked, total.wrote, total.statements, total.confirmed) == (2, 1, 4, 0.75)
    assert (total.fresh_tokens, total.restored_tokens, total.written_tokens) == (900, 450, 60)
    assert (total.first_seconds, total.notices) == (3.0, ((notice, 1),))
    content = json.loads(json.dumps(answers_json(pairs)))
    assert content["written"]["value"] == 1.0
    assert content["results"][1]["written"]["notice"] == notice


def test_a_good_model_is_told_from_a_bad_one_and_from_one_that_fails() -> None:
    (hit,) = EVIDENCE.hits
    good = Own("At least 1200 mm.", confirmed=True, chunks=(hit.chunk,))
    ways: dict[str, Written] = {
        "good": Written("m", steps=(STEP,), own=(good,)),
        "elsewhere": Written("m", steps=(STEP,), own=(replace(good, chunks=(hit.chunk + 99,)),)),
        "unconfirmed": Written("m", steps=(STEP,), own=(replace(good, confirmed=False),)),
        "silent": Written("m", steps=(STEP,)),
        "too long": Written("m", "see [llm]", steps=(replace(STEP, ending="failed"),)),
        "cannot be asked": Written("m"),
        "never ends": Written("m", steps=(replace(STEP, ending="tokens"),)),
        "unreadable": Written("m", steps=(replace(STEP, found=UNREAD),)),
        "cut short": Written("m", steps=(replace(STEP, ending="tokens"),), statements=1, own=(good,)),
    }
    told = {}
    for name, written in ways.items():
        total = cost(evaluate_answers(Scripted({THERE.question: said("1200 mm", written=written)}), [THERE]))
        told[name] = (total.value, total.complete, total.failed)
    assert told == {
        "good": (1.0, 1.0, 0),
        "elsewhere": (1.0, 0.0, 0),
        "unconfirmed": (0.0, 0.0, 0),
        "silent": (0.0, 0.0, 0),
        "too long": (0.0, 0.0, 1),
        "cannot be asked": (0.0, 0.0, 1),
        "never ends": (0.0, 0.0, 1),
        "unreadable": (0.0, 0.0, 1),
        "cut short": (1.0, 1.0, 0),
    }


def test_nothing_judged_gives_no_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert share([]) is None
    assert share([None]) is None
    assert cost([]).confirmed is None
    pairs = evaluate_answers(
        Scripted({NOWHERE.question: said("blue", written=Written("m", "see [llm]"))}), [NOWHERE]
    )
    OUT.print(*answers_tables(pairs), sep="\n")
    printed = capsys.readouterr().out
    assert "answered, and it is not there" in printed
    assert "see [llm]" in printed


def test_without_a_model_the_command_says_what_to_do(demo_library: Path) -> None:
    questions = Path(__file__).parents[2] / "data" / "demo" / "questions.jsonl"
    result = CliRunner().invoke(main, ["eval", "answers", str(questions), "--library", str(demo_library)])
    assert result.exit_code != 0
    assert "models recommend" in result.output
