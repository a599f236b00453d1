"""A question made easier to answer: its parts as searches of their own, a conversation in two sentences.

Rules of this module: what the model makes of a question is only ever searched besides it, and what it
makes of a conversation only read before it; neither replaces what was asked. Words, numbers and labels
that the question does not hold are not taken over. Whatever fails is left out at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from appliance.answer.verify import particulars
from appliance.answer.writing.asking import Asker, Silent
from appliance.answer.writing.sentences import Count
from appliance.answer.writing.words import content
from appliance.evidence import Query
from appliance.models.prompts import load_prompt

PARTS = 4
LONG = 14  # words of a question that may ask for several things without saying so
TURNS = 8  # of a conversation that are looked at, the last ones
TURN_CHARACTERS = 400

_SEVERAL = re.compile(r"\b(?:and|or|as well as|both|also)\b|[,;]|\?.+\?", re.IGNORECASE)


class _Parts(msgspec.Struct, frozen=True):
    q: tuple[str, ...]


class _Summary(msgspec.Struct, frozen=True):
    s: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked before, and what the answer said first ("" where that is not known)."""

    question: str
    answer: str = ""


def worth_splitting(query: Query) -> bool:
    """Tell whether a question may ask for several things that its words did not already tell apart."""
    text = query.text
    return (len(query.parts) < 2 and bool(_SEVERAL.search(text)) and len(text.split()) >= LONG // 2) or (
        len(query.parts) < 2 and len(text.split()) >= LONG
    )


def parts_of(asker: Asker, query: Query) -> tuple[str, ...]:
    """Return the questions in a question, none where it is one; raises GivenUp."""
    try:
        wrote = asker.ask("questions", load_prompt("subquestions").render({"question": query.text}))
        asked = msgspec.json.decode(wrote.text.strip().encode(), type=_Parts).q if wrote.whole else ()
    except (Silent, msgspec.DecodeError, UnicodeEncodeError):
        return ()
    found = tuple(dict.fromkeys(" ".join(part.split()) for part in asked[:PARTS] if _is_of(part, query.text)))
    asker.found(" / ".join(found) or "nothing of use")
    return found if len(found) > 1 else ()


def _is_of(part: str, question: str) -> bool:
    """Tell whether a part says nothing that the question does not."""
    own = content(part)
    return (
        bool(own)
        and not set(own) - set(content(question))
        and not set(particulars(part)) - set(particulars(question))
    )


def before(asker: Asker, turns: Sequence[Turn], count: Count, tokens: int) -> str:
    """Return what was said before in at most so many tokens, "" where nothing was; raises GivenUp."""
    said = [_said(turn) for turn in turns[-TURNS:]]
    if not said:
        return ""
    if sum(count(said)) <= tokens:
        return "\n".join(said)
    try:
        wrote = asker.ask("summary", load_prompt("summary").render({"turns": "\n".join(said)}))
        summary = msgspec.json.decode(wrote.text.strip().encode(), type=_Summary).s if wrote.whole else ""
    except (Silent, msgspec.DecodeError, UnicodeEncodeError):
        summary = ""
    known = set(particulars("\n".join(said)))
    if summary.strip() and not set(particulars(summary)) - known and sum(count([summary])) <= tokens:
        asker.found(summary)
        return " ".join(summary.split())
    return _last_that_fit(said, count, tokens)


def _last_that_fit(said: Sequence[str], count: Count, tokens: int) -> str:
    kept: list[str] = []
    for line, size in zip(reversed(said), count(list(reversed(said))), strict=True):
        if size > tokens:
            break
        tokens -= size
        kept.insert(0, line)
    return "\n".join(kept)


def _said(turn: Turn) -> str:
    question = " ".join(turn.question.split())[:TURN_CHARACTERS]
    answer = " ".join(turn.answer.split())[:TURN_CHARACTERS]
    return f"Q: {question}" + (f" A: {answer}" if answer else "")
