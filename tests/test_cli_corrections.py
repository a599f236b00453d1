"""Corrections on the command line: kept beside the library, exported as judged questions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from appliance.cli import main
from appliance.evaluation.questions import load_questions
from appliance.library import Library


@pytest.fixture
def library(demo: Library, tmp_path: Path) -> Path:
    return Path(shutil.copy(demo.store.path, tmp_path / "codes.db"))


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_a_correction_becomes_a_judged_question(library: Path, tmp_path: Path) -> None:
    said = (
        "--right",
        "DC-1-3:5.2",
        "--right",
        "DC-1-3:Table 5.1",
        "--wrong",
        "DC-1-1:2.1",
        "--comment",
        "It's 5",
    )
    assert run("corrections", "add", "snow on roofs", *said, "--library", library).exit_code == 0
    listed = run("corrections", "list", "--library", library).stdout
    assert all(said in listed for said in ("It's 5", "5.2", "Table 5.1", "2.1"))
    file = tmp_path / "corrections.jsonl"
    run("corrections", "export", file, "--library", library)
    (question,) = load_questions([file])
    assert [(gold.document, gold.label) for gold in question.gold] == [
        ("DC-1-3", "5.2"),
        ("DC-1-3", "Table 5.1"),
    ]
    assert all(gold.page for gold in question.gold)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("snow", "--right", "DC-1-3"), "names no place"),
        (("snow", "--right", "DC-1-3:99.9"), "99.9"),
        (("snow", "--right", "XX:1"), "XX"),
        (("snow",), "Name the place"),
        (("  ", "--right", "DC-1-3:5.2"), "Name the question"),
    ],
)
def test_what_names_nothing_is_refused_with_a_sentence(
    library: Path, words: tuple[str, ...], said: str
) -> None:
    refused = run("corrections", "add", *words, "--library", library)
    assert refused.exit_code != 0
    assert said in refused.output
    assert "Nothing is noted." in run("corrections", "list", "--library", library).output
