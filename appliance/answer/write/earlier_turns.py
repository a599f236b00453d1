"""What was asked before, as it is read with a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import shorten

import msgspec

from appliance.answer.verify import particulars
from appliance.answer.write.asking import Asker, Silent
from appliance.answer.write.numbered_evidence import Count
from appliance.models.prompts import load_prompt

TURNS = 8  # of a conversation that are looked at, the last ones
ASKED, ANSWERED = 400, 160  # characters of a question and of what was said to it


class _Summary(msgspec.Struct, frozen=True):
    s: str


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


def before(asker: Asker, turns: Sequence[Turn], count: Count, tokens: int) -> str:
    """Return what was said before in at most so many tokens, "" where nothing was; raises GivenUp."""
    turns = turns[-TURNS:]
    said = [turn.said for turn in turns]
    if not said:
        return ""
    if sum(count(said)) <= tokens:
        return "\n".join(said)
    summary = _summary(asker, said)
    if summary and sum(count([summary])) <= tokens:
        asker.found(summary)
        return summary
    return _last_that_fit(turns, count, tokens)


def _summary(asker: Asker, said: Sequence[str]) -> str:
    """Return the conversation in short, "" where the model makes nothing of it that was said."""
    try:
        wrote = asker.ask("summary", load_prompt("summary").render({"turns": "\n".join(said)}))
        made = msgspec.json.decode(wrote.text.strip().encode(), type=_Summary).s if wrote.whole else ""
    except (Silent, msgspec.DecodeError, UnicodeEncodeError):
        return ""
    invented = set(particulars(made)) - set(particulars("\n".join(said)))
    return "" if invented else " ".join(made.split())


def _last_that_fit(turns: Sequence[Turn], count: Count, tokens: int) -> str:
    """Return the last turns as they were said; one that does not fit with its answer, without it."""
    kept: list[str] = []
    for turn in reversed(turns):
        lines = (turn.said, replace(turn, answer="").said)
        sizes = dict(zip(lines, count(lines), strict=True))
        line = next((line for line in lines if sizes[line] <= tokens), None)
        if line is None:
            break
        kept.insert(0, line)
        tokens -= sizes[line]
    return "\n".join(kept)
