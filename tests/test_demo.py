"""The demo library: its questions and structure files say what its PDFs say."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

# a script outside the package: loaded by name, so that type checkers know it under one name only
CHECK: Any = importlib.import_module("data.demo.check_demo")
Json = dict[str, Any]


@pytest.fixture(scope="module")
def pdfs() -> dict[str, Any]:
    read: dict[str, Any] = CHECK.read_pdfs()
    return read


@pytest.fixture
def question() -> Json:
    """Return a question with gold places of several kinds and with values."""
    questions: list[Json] = CHECK.read_questions()
    return next(q for q in questions if q["values"] and len(q["gold"]) > 1)


@pytest.fixture
def structures() -> dict[str, Json]:
    read: dict[str, Json] = CHECK.read_structures()
    return read


def test_the_demo_library_has_no_errors(pdfs: dict[str, Any], structures: dict[str, Json]) -> None:
    questions = CHECK.read_questions()
    assert len(pdfs) == len(structures) == 5
    assert len(questions) > 50
    assert list(CHECK.check_questions(questions, pdfs)) == []
    assert list(CHECK.check_structures(structures, pdfs)) == []
    assert list(CHECK.check_text(pdfs)) == []
    assert list(CHECK.check_size()) == []


def gold(**changes: object) -> Callable[[Json], None]:
    return lambda question: question["gold"][0].update(changes)


def fields(**changes: object) -> Callable[[Json], None]:
    return lambda question: question.update(changes)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (gold(page=1), "not on page 1"),
        (gold(page=999), "not on page 999"),
        (gold(kind="clause", label="99.9(9)"), "99.9(9) (clause) not on page"),
        (gold(kind="clause", label="nothing"), "nothing (clause) not on page"),
        (gold(kind="table", label="Table 99"), "Table 99 (table) not on page"),
        (gold(kind="heading", label="99"), "99 (heading) not on page"),
        (gold(kind="definition", label="9.9.9"), "9.9.9 (definition) not on page"),
        (gold(kind="song"), "unknown kind song"),
        (fields(values=["123456.789"]), "value '123456.789' not on the pages"),
        (fields(gold=[]), "no gold place"),
        (fields(documents=[]), "gold outside its documents"),
        (fields(style="verse"), "style or type unknown"),
        (fields(type="unanswerable"), "unanswerable, but has gold or values"),
    ],
)
def test_a_wrong_question_is_reported(
    pdfs: dict[str, Any], question: Json, spoil: Callable[[Json], None], sentence: str
) -> None:
    assert list(CHECK.check_questions([question], pdfs)) == []
    spoil(question)
    assert any(sentence in wrong for wrong in CHECK.check_questions([question], pdfs))


def test_an_id_used_twice_is_reported(pdfs: dict[str, Any], question: Json) -> None:
    assert list(CHECK.check_questions([question, question], pdfs)) == [f"{question['id']}: id used twice"]


def test_a_clause_is_not_found_under_the_next_heading(
    pdfs: dict[str, Any], structures: dict[str, Json]
) -> None:
    """Each section has a paragraph (1): that of another section must not stand in for it."""
    pdf, place = pdfs["DC-1-3"], {"document": "DC-1-3", "kind": "clause", "label": "1.1(1)"}
    first = {p["page"] for p in structures["DC-1-3"]["paragraphs"] if p["label"].endswith("(1)")}
    assert len(first) > 5
    found = [page for page in sorted(first) if CHECK.find_place(pdf, {**place, "page": page}) is None]
    assert found == [5]


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("tables", {"title": "Weights of clouds"}, "title not on page"),
        ("tables", {"continued_on": [1]}, "not continued on page 1"),
        ("tables", {"rows": None}, "number of rows not given"),
        ("figures", {"page": 1}, "(figure) not on page 1"),
        ("formulas", {"label": "(99.9)"}, "formula (99.9) not on page"),
        ("cells", {"value": "123456.789"}, "'123456.789' not found"),
        ("cells", {"table": "Table 99"}, "cell: no Table 99"),
        ("references", {"text": "DC 99-9"}, "reference 'DC 99-9' not found"),
        ("references", {"external": False, "target": "99.9"}, "'99.9', which does not exist"),
    ],
)
def test_a_wrong_structure_is_reported(
    pdfs: dict[str, Any], structures: dict[str, Json], name: str, changes: Json, sentence: str
) -> None:
    spoilt = copy.deepcopy(structures)
    spoilt["DC-1-3"][name][0].update(changes)
    assert any(sentence in wrong for wrong in CHECK.check_structures(spoilt, pdfs))


def test_a_bad_text_layer_is_reported(pdfs: dict[str, Any]) -> None:
    pdf = pdfs["DC-0"]
    wide = (0.0, 100.0, 200.0, 110.0, "too far to the left")
    page = replace(pdf.pages[0], raw="a \ufb01ne ligature", blocks=(wide,))
    assert list(CHECK.check_text({"X": replace(pdf, title="", pages=(page,))})) == [
        "X: no title or no outline",
        "X page 1: characters {'\ufb01'} in the text layer",
        "X page 1: text outside the margins: 'too far to the left'",
    ]


def test_pdfs_that_grow_too_large_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "large.pdf").write_bytes(b"12345")
    monkeypatch.setattr(CHECK, "PDFS", tmp_path)
    monkeypatch.setattr(CHECK, "LIMIT", 4)
    assert list(CHECK.check_size()) == ["the PDFs have 5 bytes together"]
