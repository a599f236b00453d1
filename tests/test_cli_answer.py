"""How an answer is printed to people."""

from __future__ import annotations

import pytest

from appliance.cli.terminal_output import print_answer
from appliance.core.document import Label
from appliance.core.evidence import Citation, Conflict, Grounded, Subanswer
from appliance.library import Library
from tests.answer.builders import box


def citation(n: int, quote: str) -> Citation:
    return Citation(n, "C", Label((f"{n}.1",)), 3, (box(),), quote)


def test_conflicts_gaps_and_parts_are_printed(demo: Library, capsys: pytest.CaptureFixture[str]) -> None:
    from dataclasses import replace

    answer = demo.ask("What density does normal concrete have?")
    assert isinstance(answer, Grounded)
    sides = (citation(98, "It is 3 m."), citation(99, "It is 4 m."))
    conflict = Conflict(sides, "edition", "The later edition decides: 99.1.", 1)
    parts = (Subanswer("What density?", (0,)), Subanswer("And who pays?", ()))
    print_answer(replace(answer, conflicts=(conflict,), parts=parts, gap="No place found gives a light."))
    printed = " ".join(capsys.readouterr().out.split())
    assert "No place found gives a light." in printed
    assert "What density? •" in printed
    assert "Nothing was found for: And who pays?" in printed
    assert "[98] C 98.1, page 3: “It is 3 m.” [99] C 99.1, page 3: “It is 4 m.” (decides)" in printed
    assert "The later edition decides: 99.1." in printed
