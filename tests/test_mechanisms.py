"""Mechanisms that can be switched off, and what the measurement makes of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.core import mechanisms as register
from appliance.core.errors import BadInput
from appliance.core.mechanisms import VARIABLE, mechanism, mechanisms, watched, without
from appliance.core.settings import Settings
from appliance.evaluation.ablation.call_graph import call_graph
from appliance.evaluation.ablation.run import SEARCHED, ablate, ablation_json, ablation_table, families_of
from appliance.evaluation.questions import Family
from appliance.library import Library


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "_KNOWN", {})
    monkeypatch.setattr(register, "ROOMS", ())


@pytest.mark.usefixtures("trial")
@pytest.mark.parametrize(
    ("off", "result"),
    [((), [2, 4]), (("trial.double",), [1, 2]), (("trial",), [1, 2]), (("trial.other",), [2, 4])],
)
def test_a_mechanism_or_its_group_is_switched_off_for_a_while(
    off: tuple[str, ...], result: list[int]
) -> None:
    @mechanism("trial.double", without=iter)
    def double(numbers: list[int]) -> Iterator[int]:
        yield from (2 * number for number in numbers)

    @mechanism("trial.other", without=lambda: None)
    def other() -> None: ...

    with watched() as calls, without(off):
        assert list(double([1, 2])) == result
        assert os.environ[VARIABLE] == ",".join(sorted(off))
    assert list(double([1, 2])) == [2, 4]
    assert calls.changed == ({"trial.double"} if result == [2, 4] else set())


@pytest.mark.parametrize("name", ["tables.nothing_such", "nothing"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match=f"no mechanism {name}"), without([name]):
        pass


def test_an_unknown_name_in_the_environment_is_told() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "appliance.cli", "models", "list"],
        env={**os.environ, VARIABLE: "nothing.such"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode
    assert "There is no mechanism nothing.such" in told.stderr


def test_every_mechanism_says_in_a_sentence_what_it_does() -> None:
    known = mechanisms()
    assert len(known) > 60
    for one in known:
        assert one.does.endswith(".")
        assert one.name.partition(".")[2]
        assert (Path(__file__).parents[1] / one.module.replace(".", "/")).with_suffix(".py").is_file()


def test_a_mechanism_costs_the_lines_that_it_alone_reaches(tmp_path: Path) -> None:
    package = tmp_path / "trial"
    package.mkdir()
    (package / "main.py").write_text(
        "from trial.parts import own, shared\n\n"
        "def main():\n    entry()\n    shared()\n\n"
        "def entry():\n    own()\n    shared()\n\nmain()\n"
    )
    (package / "parts.py").write_text(
        "class Thing:\n    def inner(self):\n        return 1\n\n"
        "def own():\n    return Thing().inner()\n\ndef shared():\n    return 2\n"
    )
    assert call_graph(package).lines_of([("trial.main", "entry")]) == 3 + 2 + 2


def test_what_is_read_of_the_demo_is_measured_and_kept(tmp_path: Path, demo_pdfs: Path) -> None:
    file = tmp_path / "families.toml"
    truth = demo_pdfs.parent / "structure" / "DC-1-3-2011.structure.json"
    file.write_text(f'[[family]]\nname = "demo"\npdfs = "{demo_pdfs}"\nstructure = "{truth}"\n')
    families = families_of(file)
    asked = ("tables.continuation", "formulas.finder")
    first, again = (ablate(families, Settings(), tmp_path / "work", only=asked) for _ in range(2))
    assert first == again
    lost = {row.name: sum(change.won - change.lost for change in row.changes) for row in first}
    assert lost["formulas.finder"] > 0
    assert all(row.lines for row in first)
    assert [row["name"] for row in ablation_json(first)] == sorted(asked)
    assert list(ablation_table(first))


def test_a_search_and_an_answer_are_judged_with_and_without_a_mechanism(
    tmp_path: Path, demo: Library
) -> None:
    questions = tmp_path / "questions.jsonl"
    lines = (Path(__file__).parents[1] / "data/demo/questions.jsonl").read_text("utf-8").splitlines(True)
    questions.write_text("".join(lines[:6]), "utf-8")
    family = Family("demo", demo.store.path, (questions,))
    asked = ("rank.forest", "answer.cut")
    rows = ablate((family,), Settings(), tmp_path / "work", only=asked, phases=("search", "answer"))
    cut, forest = rows
    judged = {"told rightly whether found", "lead value", "value"}
    assert {change.figure for change in cut.changes} == judged
    assert {change.figure for change in forest.changes} == judged | SEARCHED
    assert any(change.gain for change in forest.changes)
    assert all(0 < change.before <= 1 for row in rows for change in row.changes)
    assert len(list(ablation_table(rows))) == 2


def test_a_file_that_names_no_families_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "families.toml"
    file.write_text('[[family]]\nnome = "x"\n')
    with pytest.raises(BadInput, match="does not name families"):
        families_of(file)
