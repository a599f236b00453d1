"""What a person sees first of an answer: questions over the demo library with what must be said and shown."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.answer import compose as composing
from appliance.contract.answers import answer_json
from appliance.core.evidence import Failed, Grounded
from appliance.core.files import data_folder
from appliance.evaluation.places import any_found
from appliance.library import Library

MOST_WORDS = 180  # of all statements of one answer

ASKED = [  # question, one of these in the first 60 words, a label cited by the first statement
    ("What density does normal weight concrete have?", ("24.0",), "Table A.1"),
    ("When does snow not need to be considered?", ("1 May", "60°", "slim"), "2.2"),
    ("definition exceptional drift", ("accidental action",), "1.5.10"),
    ("recommended value of slim", ("0.10",), "2.2(2) NOTE"),
    ("partial factor permanent actions unfavourable STR", ("1.35",), "Table A.2"),
    (
        "I am designing a bridge in London UK. Should I consider potential fire damage to my structure?",
        ("not covered by this code and need not be verified",),
        "1.1(4)b",
    ),
]


@pytest.mark.parametrize(
    ("question", "open_rows"), [("density of material", True), ("density of steel", False)]
)
def test_one_of_several_rows_is_not_found_where_the_question_names_none(
    demo: Library, question: str, open_rows: bool
) -> None:
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)
    told = "rows of Table A.1 differ, and the question names none" in answer.confidence.reasons
    assert told == open_rows
    assert not (told and answer.state == "found")


@pytest.mark.parametrize(("question", "values", "label"), ASKED)
def test_what_was_asked_is_said_first(
    demo: Library, question: str, values: tuple[str, ...], label: str
) -> None:
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)
    texts = [statement.text for statement in answer.statements]
    assert any_found(values, " ".join(" ".join(texts).split()[:60])), texts
    cited = {c.n: str(c.label) for c in answer.citations}
    first = [cited[n] for n in answer.statements[0].citations]
    assert any(one.startswith(label) for one in first), first
    assert sum(len(text.split()) for text in texts) <= MOST_WORDS


def test_a_row_whose_unit_stands_in_the_caption_gives_the_kind_asked_for(demo: Library) -> None:
    answer = demo.ask("What is the characteristic snow load on the ground in zone 2 at an altitude of 400 m")
    assert isinstance(answer, Grounded)
    assert any_found(("1.16",), answer.statements[0].text)
    assert not answer.gap


def test_the_steps_are_said_with_what_decides_whether_they_are_needed(demo: Library) -> None:
    answer = demo.ask("Do I need to apply snow loading onto my structure? What steps do I follow?")
    assert isinstance(answer, Grounded)
    steps, decides = (statement.text for statement in answer.statements[:2])
    assert decides.startswith("Snow need not be considered on:")
    wanted = ("within 1.1 and that no waiver of 2.2 applies", "see 4.1", "Table 5.1", "Formula (5.1)")
    assert [words for words in wanted if words not in steps] == []


def test_the_row_of_the_table_that_a_clause_sends_to_is_said_with_the_clause_and_its_note(
    demo: Library,
) -> None:
    answer = demo.ask("What density should I use for reinforced concrete when calculating dead loads?")
    assert isinstance(answer, Grounded)
    said = answer.statements[0].text
    assert any_found(("normal weight concrete: Density γ, in kN/m³ 24.0",), said)
    assert any_found(("increased by 1 kN/m³ for an ordinary amount of reinforcing",), said)
    assert "lightweight" not in said
    labels = {
        str(citation.label) for citation in answer.citations if citation.n in answer.statements[0].citations
    }
    assert {"4.2(1)", "Table A.1"} <= labels


def test_the_edition_that_is_said_first_is_told_apart_from_the_one_asked_for(demo: Library) -> None:
    answer = demo.ask("What roof coefficient did the 2011 snow code use for a monopitch roof?")
    assert isinstance(answer, Grounded)
    first = answer.citations[answer.statements[0].citations[0] - 1]
    assert ("2024 edition" in answer.gap) == (first.document != "DC-1-3-2011")


@pytest.mark.parametrize(
    "question",
    ["?!…", "snow " * 400, "1.35 kN kN kN", "snow load and density and cost of paint", "5.3.2(7)", "μ1"],
)
def test_no_question_ends_in_an_exception(demo: Library, question: str) -> None:
    try:
        answer = demo.ask(question)
    except Exception as error:  # noqa: BLE001
        assert type(error).__name__ == "BadQuestion"  # noqa: PT017
    else:
        assert not isinstance(answer, Failed)


def test_every_statement_is_cited_and_every_citation_number_exists(demo: Library) -> None:
    for question, _, _ in ASKED:
        answer = demo.ask(question)
        assert isinstance(answer, Grounded)
        numbers = {citation.n for citation in answer.citations}
        for statement in (*answer.statements, *answer.also):
            assert statement.citations
            assert set(statement.citations) <= numbers
        if answer.headline:
            assert answer.headline.citation in numbers


def test_the_contract_tells_state_and_headline(demo: Library) -> None:
    said = answer_json(demo.ask("What density does normal weight concrete have?"))
    assert said["outcome"] == "answer"
    assert said["state"] in {"found", "read"}
    if said["headline"] is not None:
        assert {"value", "unit", "what", "conditions", "citation", "trust"} == set(said["headline"])
    missing = answer_json(demo.ask("How much does a lawyer in Paris earn per year?"))
    assert missing["state"] in {"not_found", "read"}
    assert missing["headline"] is None


def test_a_failure_inside_leaves_the_places_found(
    demo: Library, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(composing, "ranked", broken)
    with caplog.at_level(logging.ERROR):
        answer = demo.ask("What density does normal weight concrete have?")
    assert isinstance(answer, Failed)
    assert answer.evidence is not None
    assert answer.evidence.hits
    assert "KeyError" in caplog.text
    said = answer_json(answer)
    assert said["state"] == "failed"
    assert said["evidence"]


def test_an_answer_is_the_same_in_every_process(demo_library: Path, tmp_path: Path) -> None:
    asked = tmp_path / "asked.jsonl"
    lines = (data_folder() / "demo" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked.write_text("\n".join(lines[::16]), encoding="utf-8")
    told = []
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.jsonl"
        command = ["ask", "--batch", str(asked), "--library", str(demo_library), "--output", str(file)]
        subprocess.run(
            [sys.executable, "-m", "appliance.cli", *command],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        answers = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        told.append([{name: one[name] for name in one if name != "timings_ms"} for one in answers])
    assert told[0] == told[1]
    assert len(told[0]) >= 4
