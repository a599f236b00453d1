"""The commands over references and notes as a user types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pymupdf
import pytest
from click.testing import CliRunner, Result

from appliance.cli import main
from appliance.evaluation.questions import load_questions

SPECIFICATION = Path(__file__).parent / "citing" / "specification.md"
NOWHERE = "how loud may the horn of a tram be in the desert"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def library(demo_library: Path, tmp_path: Path) -> Path:
    """Return a copy of the demo library, with notes of its own."""
    return Path(shutil.copy(demo_library, tmp_path / "codes.db"))


def test_a_review_for_people_for_programs_and_to_print(library: Path, tmp_path: Path) -> None:
    people = run("review-references", SPECIFICATION, "--library", library)
    assert people.exit_code == 33
    assert "line 19: DC 1-3:2011, Table 1  –  withdrawn (DC-1-3-2011 Table 1" in people.stdout
    statuses = [line.partition("  –  ")[2].partition(" (")[0] for line in people.stdout.splitlines()]
    told = list(filter(None, statuses))  # what is wrong first, what was not checked last
    assert told.index("wrong title") < told.index("ambiguous") < told.index("found")
    assert told[-1] == "not in the library"
    programs = run("review-references", SPECIFICATION, "--library", library, "--json",
                   "--print", tmp_path / "report.pdf")  # fmt: skip
    assert json.loads(programs.stdout)["counts"]["found"] == 14
    with pymupdf.open(tmp_path / "report.pdf") as report:  # type: ignore[no-untyped-call]  # it has no types
        page = " ".join("".join(sheet.get_text() for sheet in report).split())
    assert programs.exit_code == 33
    assert page.index("Wrong") < page.index("– wrong title") < page.index("Found") < page.index("Not checked")


@pytest.mark.parametrize("text", ["See DC 1-3, Table 5.1.", "See DC 9-9, clause 5.", "No citation."])
def test_a_document_without_a_wrong_citation_is_no_failure(library: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "spec.txt").write_text(text)
    assert run("review-references", tmp_path / "spec.txt", "--library", library).exit_code == 0


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [(None, 2, "cannot be read"), (b"", 24, "it is empty"), (b"PK\x03\x04", 24, "no DOCX")],
)
def test_a_document_that_cannot_be_read_is_one_sentence(
    library: Path, tmp_path: Path, content: bytes | None, code: int, words: str
) -> None:
    file = tmp_path / "spec.docx"
    if content is not None:
        file.write_bytes(content)
    result = run("review-references", file, "--library", library)
    assert result.exit_code == code
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_a_question_without_an_answer_becomes_a_judged_question(library: Path, tmp_path: Path) -> None:
    assert "Nothing is noted" in run("gaps", "list", "--library", library).stderr
    run("ask", NOWHERE, "--library", library)
    assert NOWHERE in run("gaps", "list", "--library", library).stdout
    file = tmp_path / "gaps.jsonl"
    assert run("gaps", "export", file, "--library", library).exit_code == 0
    (question,) = load_questions([file])
    assert (question.question, question.gold) == (NOWHERE, ())
    assert run("gaps", "clear", "--library", library).exit_code == 1  # asked, and not answered
    assert "1 question removed" in run("gaps", "clear", "--yes", "--library", library).stderr
    assert json.loads(run("gaps", "list", "--json", "--library", library).stdout) == []


def test_a_filter_that_leaves_no_place_is_refused_and_is_no_gap(library: Path) -> None:
    said = run("ask", "density of hay", "--document", "DC-1-1", "--kind", "formula", "--library", library)
    assert said.exit_code == 2
    assert "No place is of all that the filter names (DC-1-1, formula)" in said.stderr
    assert "density of hay" not in run("gaps", "list", "--library", library).stdout


def test_a_question_is_noted_with_the_filter_that_it_was_asked_with(library: Path, tmp_path: Path) -> None:
    run("ask", NOWHERE, "--document", "DC-1-1", "--library", library)
    (gap,) = json.loads(run("gaps", "list", "--json", "--library", library).stdout)
    assert "d=DC-1-1" in gap["beside"]
    assert gap["filter"] == {"documents": ["DC-1-1"]}
    assert "DC-1-1" in run("gaps", "list", "--library", library).stdout
    file = tmp_path / "gaps.jsonl"
    run("gaps", "export", file, "--library", library)
    (question,) = load_questions([file])
    assert list(question.filter.documents) == ["DC-1-1"]
    run("gaps", "clear", "--yes", "--library", library)


def test_feedback_is_kept_listed_and_exported(library: Path, tmp_path: Path) -> None:
    assert (
        run("feedback", "add", "missing", "how wide", "--comment", "Table 3", "--library", library).exit_code
        == 0
    )
    assert "comment: Table 3" in run("feedback", "list", "--library", library).stdout
    file = tmp_path / "feedback.jsonl"
    run("feedback", "export", file, "--library", library)
    assert [question.id for question in load_questions([file])] == ["feedback-1"]
    refused = run("feedback", "export", tmp_path, "--library", library)
    assert refused.exit_code == 2


def test_doctor_says_what_is_wrong_with_the_notes_and_makes_none(library: Path) -> None:
    notes = library.with_name("codes.db.site")
    well = json.loads(run("doctor", "--json", "--library", library).stdout)["checks"]
    assert [check["message"] for check in well if check["name"] == "notes"] == ["none yet"]
    assert not notes.exists()
    notes.write_bytes(b"no database" * 99)
    (check,) = [
        check
        for check in json.loads(run("doctor", "--json", "--library", library).stdout)["checks"]
        if check["name"] == "notes"
    ]
    assert check["state"] == "note"
    assert "damaged" in check["message"]
    assert run("ask", NOWHERE, "--library", library).exit_code == 0
