"""A question as a language model understands it, and whether it needs one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import msgspec

from appliance.answer.verify import holds_what_is_asked, particulars
from appliance.answer.write.asking import Asker, Silent
from appliance.answer.write.words import content, content_words, words
from appliance.core.evidence import Answer, Grounded, Query
from appliance.models.prompts import load_prompt

DECIDED = frozenset({"value", "definition", "location", "reference", "figure", "requirement"})


def decides_alone(answer: Answer) -> bool:
    """Tell whether the first statement of an answer answers its question by itself."""
    if not isinstance(answer, Grounded) or not answer.statements:
        return True  # nothing was found, or nothing could be: there is nothing to write about
    query, first = answer.evidence.query, answer.statements[0]
    if answer.evidence.scope is not None:
        return True  # the graph has answered
    if len(answer.parts) > 1 or answer.conflicts or answer.gap or query.intent not in DECIDED:
        return False
    if not first.confirmed or answer.confidence.level == "low":
        return False
    places = {(c.document, c.label.key) for c in answer.citations if c.n in first.citations}
    return len(places) == 1 and (query.intent != "value" or holds_what_is_asked(query, first.text) >= 1)


PARTS, NAMES = 4, 3
NAME_WORDS = 4
UNSURE = 0.5  # chance that the documents bear on a question, below which they may call it otherwise
LONG = 14  # words of a question that may ask for several things without saying so

_NAME = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")


class _Said(msgspec.Struct, frozen=True):
    q: tuple[str, ...] = ()
    w: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Understood:
    """The questions in a question, none where it is one, and other names for what it is about."""

    parts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def worth_splitting(query: Query) -> bool:
    """Tell whether a question may ask for several things that its words did not already tell apart."""
    text = query.text
    return (len(query.parts) < 2 and bool(_several().search(text)) and len(text.split()) >= LONG // 2) or (
        len(query.parts) < 2 and len(text.split()) >= LONG
    )


def worth_renaming(answer: Grounded) -> bool:
    """Tell whether the code may call otherwise what was asked for: something is found, but not surely it."""
    return bool(answer.gap) or answer.confidence.level == "low" or answer.evidence.relevance < UNSURE


def understood(asker: Asker, query: Query, printed: Callable[[str], bool]) -> Understood:
    """Return what a question comes to; `printed` tells whether the library has all words of a name.

    Raises:
        GivenUp: nobody waits for it any more.
    """
    try:
        wrote = asker.ask("questions", load_prompt("understanding").render({"question": query.text}))
        said = msgspec.json.decode(wrote.text.strip().encode(), type=_Said) if wrote.whole else _Said()
    except (Silent, msgspec.DecodeError, UnicodeEncodeError):
        return Understood()
    parts = tuple(part for part in _each_once(said.q[:PARTS]) if _is_of(part, query.text))
    names = tuple(name for name in _each_once(said.w[:NAMES]) if _is_name(name, query.text) and printed(name))
    asker.found("; ".join(filter(None, (" / ".join(parts), ", ".join(names)))) or "nothing of use")
    return Understood(parts if len(parts) > 1 else (), names)


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(text.split()) for text in texts))


def _is_of(part: str, question: str) -> bool:
    """Tell whether a part says nothing that the question does not."""
    own = content(part)
    return (
        bool(own)
        and not set(own) - set(content(question))
        and not set(particulars(part)) - set(particulars(question))
    )


def _is_name(name: str, question: str) -> bool:
    """Tell whether this is a name of something, in words that the question does not hold already."""
    short = bool(_NAME.fullmatch(name)) and len(name.split()) <= NAME_WORDS
    own, asked = ({word for _, word in content_words(text)} for text in (name, question))
    return short and bool(own - asked) and not set(particulars(name))


@cache
def _several() -> re.Pattern[str]:
    """Return what finds a sign that a question asks for several things."""
    said = "|".join(map(re.escape, words()["several"]))
    return re.compile(rf"\b(?:{said})\b|[,;]|\?.+\?", re.IGNORECASE)
