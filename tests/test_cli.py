"""The commands as a user types them: output for people, JSON for programs, exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from appliance.cli import main
from appliance.core.errors import ApplianceError
from appliance.core.files import images_folder
from appliance.library_building import occupied

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
ERRORS = (Path(__file__).parents[1] / "docs" / "errors.md").read_text(encoding="utf-8")
QUESTION = "What density should I use for reinforced concrete?"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def run_json(*words: str | Path) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_every_command_has_help_with_an_example_and_is_in_the_readme() -> None:
    for name in main.commands:
        result = run(name, "--help")
        assert result.exit_code == 0
        subcommands = getattr(main.commands[name], "commands", {})
        examples = "".join(run(name, sub, "--help").stdout for sub in subcommands) or result.stdout
        assert f"  appliance {name} " in examples
        assert f".venv/bin/appliance {name} " in README


def test_the_commands_are_known_before_what_they_work_with_is_loaded() -> None:
    code = "import sys, appliance.cli; print({'pymupdf', 'numpy', 'onnxruntime', 'flask'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_table_in_a_file_is_not_cut(demo_library: Path, tmp_path: Path) -> None:
    lines = (Path(__file__).parents[1] / "data" / "demo" / "questions.jsonl").read_text("utf-8").splitlines()
    types = [json.loads(line)["type"] for line in lines]
    judged = tmp_path / "questions.jsonl"  # each type once, and one of them whole
    few = (n for n, kind in enumerate(types) if kind == "applicability" or types.index(kind) == n)
    judged.write_text("\n".join(lines[n] for n in few), encoding="utf-8")
    wide = run("eval", "questions", judged, "--library", demo_library).stdout
    assert "…" not in wide
    assert "applicability  3   1.000" in wide


def test_a_model_that_is_asked_for_and_not_there_is_one_sentence_and_no_success(demo_library: Path) -> None:
    done = run("ask", QUESTION, "--library", demo_library, "--model", "nosuch")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("nosuch") == 1
    assert "late-interaction" not in done.stderr


def test_search_prints_the_contract(demo_library: Path) -> None:
    found = run_json("search", "snow load on a roof", "--library", demo_library, "--limit", "5")
    assert {"query", "intent", "hits", "must_read", "unresolved", "timings_ms"} <= set(found)
    first = found["hits"][0]
    assert {"rank", "document", "label", "labels", "kind", "title", "heading_path", "pages", "boxes", "text",
            "score", "found_by", "path"} <= set(first)  # fmt: skip
    assert first["rank"] == 1
    assert all(0 <= box[side] <= 1 for box in first["boxes"] for side in ("x0", "y0", "x1", "y1"))


def test_ask_prints_the_contract_with_quotes_from_the_page(demo_library: Path) -> None:
    answer = run_json("ask", QUESTION, "--library", demo_library)
    assert answer["outcome"] == "answer"
    assert {"statements", "evidence", "citations", "tables", "figures", "chain", "conflicts", "unresolved",
            "searched", "confidence", "mode", "timings_ms"} <= set(answer)  # fmt: skip
    numbers = {citation["n"] for citation in answer["citations"]}
    assert all(set(statement["citations"]) <= numbers for statement in answer["statements"])
    assert any("24" in citation["quote"] for citation in answer["citations"])


def test_document_prints_everything_that_was_read(demo_library: Path) -> None:
    document = run_json("document", "DC-1-3", "--library", demo_library)
    assert {"clauses", "tables", "figures", "references", "definitions", "problems"} <= set(document)
    assert any(clause["label"] == "5.2" for clause in document["clauses"])
    unnumbered = {clause["label"] for clause in document["clauses"] if clause["label"] == clause["title"]}
    printed = run("document", "DC-1-3", "--library", demo_library).stdout
    assert unnumbered
    assert not [name for name in unnumbered if f"{name} {name}" in printed]


def test_table_looks_up_a_cell(demo_library: Path) -> None:
    found = run_json(
        "table", "DC-1-3", "Table 5.1", "--row", "windswept", "--column", "Ce", "--library", demo_library
    )
    assert found["values"][0] == "0.8"


@pytest.mark.parametrize("name", ["ask", "search"])
def test_a_batch_answers_line_by_line_and_loses_no_line(
    name: str, demo_library: Path, tmp_path: Path
) -> None:
    asked = [{"id": "a", "question": QUESTION}, {"id": "b"}, {"id": "c", "question": "???"}]
    batch, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    batch.write_text("\n".join([*map(json.dumps, asked), "{broken", '"text"', ""]), encoding="utf-8")
    result = run(name, "--batch", batch, "--library", demo_library, "--output", output)
    assert result.exit_code == 1
    assert "4 of 5 lines could not be answered" in result.stderr
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["a", "b", "c", None, None]
    assert all("failed" in (line.get("outcome"), "failed" if "error" in line else "") for line in lines[1:])


def test_a_file_for_the_results_of_a_batch_is_refused_for_one_question(
    demo_library: Path, tmp_path: Path
) -> None:
    result = run("search", QUESTION, "--library", demo_library, "--output", tmp_path / "one.pdf")
    assert result.exit_code == 2
    assert "--output goes with --batch FILE" in result.stderr


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"])
def test_a_line_of_a_batch_ends_at_a_line_feed_alone(mark: str, demo_library: Path, tmp_path: Path) -> None:
    asked = json.dumps({"id": "a", "question": f"snow{mark}load"}, ensure_ascii=False)
    batch, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    batch.write_text(asked + "\r\n", encoding="utf-8", newline="")
    run("search", "--batch", batch, "--library", demo_library, "--output", output)
    (line,) = (json.loads(line) for line in output.read_text(encoding="utf-8").split("\n") if line)
    assert line["id"] == "a"
    assert line["hits"]


def test_a_batch_keeps_to_the_documents_and_kinds_asked_for(demo_library: Path, tmp_path: Path) -> None:
    batch, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    batch.write_text(json.dumps({"id": 1, "question": "snow load"}), encoding="utf-8")

    def answer(*words: str) -> Any:
        result = run(*words, "--batch", batch, "--library", demo_library, "--output", output)
        assert result.exit_code == int("NONE" in words)
        return json.loads(output.read_text(encoding="utf-8"))

    assert {hit["document"] for hit in answer("search")["hits"]} != {"DC-1-3-NA"}
    hits = answer("search", "--document", "DC-1-3-NA", "--kind", "table")["hits"]
    assert {(hit["document"], hit["kind"]) for hit in hits} == {("DC-1-3-NA", "table")}
    places = answer("ask", "--document", "DC-1-3-NA")
    assert {item["document"] for item in places["evidence"] + places["searched"]["nearest"]} == {"DC-1-3-NA"}
    assert "NONE" in answer("search", "--document", "NONE")["error"]
    assert "NONE" in answer("ask", "--document", "NONE")["text"]


def test_a_batch_that_cannot_be_written_says_so_and_keeps_the_requests(
    demo_library: Path, tmp_path: Path
) -> None:
    batch = tmp_path / "in.jsonl"
    batch.write_text(json.dumps({"id": 1, "question": QUESTION}), encoding="utf-8")
    before = batch.read_bytes()
    for output in (batch, tmp_path / "missing" / "out.jsonl"):
        result = run("ask", "--batch", batch, "--library", demo_library, "--output", output)
        assert result.exit_code == 2
        assert "Name another file" in result.stderr
    assert batch.read_bytes() == before


def test_a_batch_of_tables(demo_library: Path, tmp_path: Path) -> None:
    rows = [
        {"id": 1, "document": "DC-1-3", "table": "Table 5.1", "row": "sheltered", "column": "Ce"},
        {"id": 2, "document": "DC-1-3", "table": "Table 99", "row": "x", "column": "y"},
    ]
    batch, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    batch.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run("table", "--batch", batch, "--library", demo_library, "--output", output)
    first, second = (json.loads(line) for line in output.read_text(encoding="utf-8").splitlines())
    assert first["values"][0] == "1.2"
    assert second["values"] == []
    assert "Table 99" in second["error"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("ask", "x", "--library", "{tmp}/none.db"), 3, "appliance build"),
        (("ask", "x", "--library", "{tmp}/text.db"), 4, "appliance build"),
        (("document", "NONE", "--library", "{demo}"), 8, "DC-1-3"),
        (("table", "DC-1-3", "Table 99", "--library", "{demo}"), 8, "Table 99"),
        (("ask", "?!...", "--library", "{demo}"), 9, ""),
        (("ask", "", "--library", "{demo}"), 9, ""),
        (("ask", "--library", "{demo}"), 2, "QUESTION"),
        (("search", "x", "--document", "NONE", "--library", "{demo}"), 8, "NONE"),
        (("build", "{tmp}/nothing", "--library", "{tmp}/new.db"), 7, "no PDF, HTML"),
        (("--settings", "{tmp}/none.toml", "doctor", "--library", "{demo}"), 10, "settings"),
        (("search", "x", "--kind", "tables", "--library", "{demo}"), 2, "'table'"),
        (("build", "{pdfs}", "--library", "{tmp}/text.db/codes.db"), 19, "cannot be written"),
        (("build", "{pdfs}", "--library", "/proc/self/codes.db"), 19, "cannot be written"),
        (("models", "fetch", "no-such-model"), 2, "no-such-model"),
    ],
)
def test_failures_say_what_to_do(
    words: tuple[str, ...], code: int, said: str, demo_library: Path, demo_pdfs: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.db").write_text("hello", encoding="utf-8")
    (tmp_path / "nothing").mkdir()
    result = run(*(word.format(tmp=tmp_path, demo=demo_library, pdfs=demo_pdfs) for word in words))
    assert result.exit_code == code, result.output
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_a_build_of_a_library_that_is_being_built_is_refused(tmp_path: Path, demo_pdfs: Path) -> None:
    with occupied(tmp_path / "codes.db"):
        result = run("build", demo_pdfs, "--library", tmp_path / "codes.db")
    assert result.exit_code == 22
    assert f"process {os.getpid()}" in result.stderr


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    monkeypatch.delitem(sys.modules, "appliance.evaluation.beir", raising=False)
    result = run("eval", "beir", tmp_path)
    assert result.exit_code == 21
    assert "[eval]" in result.stderr


def documented() -> dict[str, list[str]]:
    """The cells of each row of the table of exit codes, by exit code; an exit code stands once."""
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in ERRORS.splitlines() if line[:1] == "|"
    ]
    codes = [row[0] for row in rows]
    assert len(set(codes)) == len(codes)
    return {row[0]: row for row in rows if row[0].isdigit()}


def failures(kind: type[ApplianceError] = ApplianceError) -> list[type[ApplianceError]]:
    """Return the failures that a command can end with; those of the page alone have no exit code."""
    shared = (below for below in kind.__subclasses__() if below.__module__ == ApplianceError.__module__)
    return [kind, *(found for below in shared for found in failures(below))]


def test_every_failure_is_documented_once_with_its_codes() -> None:
    rows = documented()
    for kind in failures():
        assert [code for code, row in rows.items() if kind.__name__ in row[1].split(", ")] == [
            str(kind.exit_code)
        ]
        assert not (printed := rows[str(kind.exit_code)][2]) or str(kind.http_status) in printed.split(", ")


def test_no_failure_is_documented_that_does_not_exist() -> None:
    named = {name for row in documented().values() for name in row[1].split(", ") if name}
    assert named == {kind.__name__ for kind in failures()}


def test_output_for_people(demo_library: Path) -> None:
    assert "[1]" in run("ask", QUESTION, "--library", demo_library).stdout
    assert "page" in run("search", "snow", "--library", demo_library).stdout
    assert "Table 5.1" in run("document", "DC-1-3", "--library", demo_library).stdout
    assert (
        "0.8" in run("table", "DC-1-3", "Table 5.1", "--row", "windswept", "--library", demo_library).stdout
    )


def test_doctor_finds_nothing_wrong_here_and_says_what_is_wrong_elsewhere(
    demo_library: Path, tmp_path: Path
) -> None:
    assert run_json("doctor", "--library", demo_library)["state"] != "wrong"
    result = run("doctor", "--library", tmp_path / "none.db")
    assert result.exit_code == 12
    assert "mend with" in result.stdout


def test_doctor_notices_one_changed_byte(demo_library: Path, tmp_path: Path) -> None:
    own = tmp_path / "codes.db"
    shutil.copy(demo_library, own)
    shutil.copytree(images_folder(demo_library), images_folder(own))
    flip_a_byte(next(images_folder(own).glob("*.jpg")))
    assert "0 are missing" in wrong_of(own)["page images"]
    assert "1 have changed" in wrong_of(own)["page images"]
    flip_a_byte(own)
    assert wrong_of(own).keys() == {"library"}
    assert run("ask", QUESTION, "--library", own).exit_code == 4


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def wrong_of(library: Path) -> dict[str, str]:
    found = json.loads(run("doctor", "--library", library, "--json").stdout)["checks"]
    return {check["name"]: check["message"] for check in found if check["state"] == "wrong"}


def test_a_status_is_kept_beside_the_library(demo_library: Path, tmp_path: Path) -> None:
    own = tmp_path / "codes.db"
    shutil.copy(demo_library, own)
    assert run("document", "DC-0", "--status", "in-force", "--library", own).exit_code == 0
    assert 'status = "in force"' in (tmp_path / "codes.db.documents.toml").read_text(encoding="utf-8")
    assert run("document", "NONE", "--status", "in-force", "--library", own).exit_code == 8


def test_models_are_listed_and_whole() -> None:
    listed = {model["name"]: model["state"] for model in run_json("models", "list")}
    assert listed["minilm-l6-int8"] == "installed"
    assert max(map(len, run("models", "list").output.splitlines())) < 300, "no margin in a file or pipe"
    assert all(not model["fault"] for model in run_json("models", "verify")["models"])
