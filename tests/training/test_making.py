"""Making examples out of a library, without torch: the demonstration codes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.core.errors import BadInput
from appliance.core.settings import Settings
from appliance.training.examples import read
from appliance.training.recipes import sources_of
from appliance.training.sources import Plan, from_library, read_asked, usable

QUESTIONS = 12
JUDGED = Path(__file__).parents[2] / "data" / "demo" / "questions.jsonl"


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asked") / "questions.jsonl"
    path.write_text("\n".join(JUDGED.read_text(encoding="utf-8").splitlines()[:QUESTIONS]), encoding="utf-8")
    return path


def ignore(done: int, total: int) -> None:
    assert done <= total


def test_questions_become_examples_and_held_out_ones_do_not(
    demo_library: Path, some: Path, tmp_path: Path
) -> None:
    asked = list(read_asked([some]))
    held_out = asked[0].gold[0].document
    plan = Plan(tmp_path, (held_out,), "AGPL-3.0-or-later")
    lost = from_library(plan, demo_library, Settings(), [some], ignore)
    data = read(tmp_path)
    assert lost[f"of {held_out}, which is held out"] == sum(held_out in one.documents for one in asked)
    assert len(data.examples) + sum(lost.values()) == len(asked) == QUESTIONS, "each is counted"
    named = {one.question: set(one.documents) for one in asked}
    assert all(one.documents == named[one.question] for one in data.examples if one.source == "asked")
    assert held_out not in {one.document for one in data.examples}
    assert held_out not in data.named(), "nor is it searched for wrong places"
    assert set(data.documents) == set(data.passages)
    with pytest.raises(BadInput, match="Name another folder"):
        from_library(replace(plan, held_out=(data.named()[0],)), demo_library, Settings(), [some], ignore)
    assert {one["licence"] for one in sources_of(data)} == {"AGPL-3.0-or-later"}
    for one in data.examples:
        assert one.right
        assert not set(one.right) & set(one.wrong)


def test_a_document_that_the_library_lacks_cannot_be_held_out(demo_library: Path, tmp_path: Path) -> None:
    plan = Plan(tmp_path, ("NOSUCH",), "AGPL-3.0-or-later")
    with pytest.raises(BadInput, match="no document NOSUCH to hold out; there are DC-"):
        from_library(plan, demo_library, Settings(), [], ignore)


def _places(*documents: str) -> list[dict[str, object]]:
    return [{"document": one, "label": "1.1", "kind": "clause", "page": 1} for one in documents]


@pytest.mark.parametrize(
    ("line", "documents", "why"),
    [
        ({"gold": _places("A")}, ("A",), None),
        ({"documents": ["B", "A"], "gold": _places("A", "B")}, ("B", "A"), None),
        ({"documents": ["A", "NOSUCH"], "gold": _places("A")}, ("A", "NOSUCH"), None),
        ({"document": "A", "places": [["1.1", 1]]}, ("A",), None),
        ({"gold": [{"label": "1.1", "kind": "clause", "page": 1}]}, ("q",), "answered in q, which"),
        ({"gold": []}, ("q",), "no document answers them"),
        ({"documents": ["A"], "gold": []}, ("A",), "no document answers them"),
        ({"gold": _places("A", "OUT")}, ("A", "OUT"), "of OUT, which is held out"),
        ({"documents": ["A", "OUT"], "gold": _places("A")}, ("A", "OUT"), "of OUT, which is held out"),
        ({"gold": _places("A", "NOSUCH")}, ("A", "NOSUCH"), "answered in NOSUCH, which the library lacks"),
    ],
)
def test_a_line_names_the_documents_of_its_question_and_why_it_cannot_be_used(
    line: dict[str, object], documents: tuple[str, ...], why: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text("\n" + json.dumps({"question": "how wide is a stair", **line}) + "\n", encoding="utf-8")
    (asked,) = read_asked([path])
    assert asked.documents == documents
    kept, lost = usable([asked], ["A", "B", "OUT"], ["OUT"])
    assert kept == ([] if why else [asked])
    assert [key.startswith(why or "") for key in lost] == [True] * bool(why)


def test_the_questions_of_the_demonstration_name_their_documents() -> None:
    asked = list(read_asked([JUDGED]))
    kept, lost = usable(asked, {one for each in asked for one in each.documents}, [])
    assert len(kept) + sum(lost.values()) == len(asked) == len(JUDGED.read_text("utf-8").splitlines())
    assert set(lost) == {"no document answers them"}
    assert len({one.documents[0] for one in kept}) > 3


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([{"question": "how wide is a stair", "gold": []}], "no document answers them: 1 question "),
        ([{"question": "how", "gold": _places("NOSUCH")}] * 2, "which the library lacks: 2 questions "),
    ],
)
def test_where_all_is_left_out_the_command_says_why(
    lines: Sequence[dict[str, object]], says: str, demo_library: Path, tmp_path: Path
) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    into = tmp_path / "into"
    given = [
        "--library",
        str(demo_library),
        "--questions",
        str(path),
        "--licence",
        "CC0",
        "--into",
        str(into),
    ]
    result = CliRunner().invoke(main, ["train", "data", *given])
    said = " ".join(result.output.split())
    assert result.exit_code == 2
    assert says in said
    assert "holds no examples" in said


def test_without_a_licence_nothing_is_made(demo_library: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--licence"):
        from_library(Plan(tmp_path), demo_library, Settings(), [], ignore)


@pytest.mark.parametrize("line", ["{", "{}", '{"question": "x", "document": "A", "places": [1]}', "[]"])
def test_a_broken_question_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(BadInput, match="line 1"):
        list(read_asked([tmp_path / "q.jsonl"]))


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """A small collection in BEIR layout."""
    folder = tmp_path / "small"
    (folder / "qrels").mkdir(parents=True)
    texts = {"a": "snow loads on roofs", "b": "loads of snow drifts", "c": "widths of doors"}
    lines = [json.dumps({"_id": name, "text": text}) for name, text in texts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "snow loads"}', encoding="utf-8")
    (folder / "qrels" / "train.tsv").write_text("q\ta\t1\nq\tb\t0\nq\tlost\t1\n", encoding="utf-8")
    return folder


def test_a_collection_becomes_examples_with_its_licence(collection: Path, tmp_path: Path) -> None:
    into = tmp_path / "into"
    given = ["--collection", str(collection), "--licence", "CC0", "--into", str(into)]
    for _ in range(2):  # going on adds nothing
        result = CliRunner().invoke(main, ["train", "data", *given])
        assert result.exit_code == 0, result.output
    (one,) = read(into).examples
    texts = read(into).passages
    assert (one.source, one.licence, one.document) == ("small", "CC0", "")
    assert [texts[part] for (part,) in one.right] == ["snow loads on roofs"]
    assert {texts[part] for (part,) in one.wrong} <= {"loads of snow drifts", "widths of doors"}


@pytest.mark.parametrize("words", [[], ["--licence", "CC0", "--split", "test"]])
def test_a_collection_without_licence_or_judgements_is_refused(
    words: list[str], collection: Path, tmp_path: Path
) -> None:
    given = ["--collection", str(collection), "--into", str(tmp_path / "into"), *words]
    result = CliRunner().invoke(main, ["train", "data", *given])
    assert result.exit_code == 2
    assert ("qrels/SPLIT.tsv" if words else "--licence") in result.output
