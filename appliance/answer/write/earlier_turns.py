"""What was asked before, as it is read with a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import shorten

from appliance.answer.write.numbered_evidence import Count

TURNS = 8  # of a conversation that are looked at, the last ones
ASKED, ANSWERED = 400, 160  # characters of a question and of what was said to it


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked before, and what the answer said first ("" where that is not known)."""

    question: str
    answer: str = ""

    @property
    def said(self) -> str:
        """Return the turn as a line."""
        answer = shorten(self.answer, ANSWERED, placeholder=" …")
        return f"Q: {shorten(self.question, ASKED, placeholder=' …')}" + (f" A: {answer}" if answer else "")


def before(turns: Sequence[Turn], count: Count, tokens: int) -> str:
    """Return the last turns in at most so many tokens; one that does not fit with its answer, without it."""
    kept: list[str] = []
    for turn in reversed(turns[-TURNS:]):
        lines = (turn.said, replace(turn, answer="").said)
        sizes = dict(zip(lines, count(lines), strict=True))
        line = next((line for line in lines if sizes[line] <= tokens), None)
        if line is None:
            break
        kept.insert(0, line)
        tokens -= sizes[line]
    return "\n".join(kept)
