"""The document that the text itself sends a question to, where it is not loaded: said before all else.

Rules of this module: only what the first places say counts. A reference sends a question away where the name
of the document, or the title printed behind it, holds a word of the question ("Fire safety"), the sentence
around it holds another one, and it says so ("see", "refer to"; data/answer/sought.toml).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from appliance.core.evidence import Evidence, Place, Query, Unresolved
from appliance.core.files import shipped
from appliance.text.sentences import sentence_spans

LEADING = 3  # places that may send a question away
WORDS = 2  # of the question in the sentence, with the name of the document
AWAY = " is not loaded"

_TITLE = re.compile(r"\s?(?:[,:(–—-]\s?)+[“\"‘']?(?P<title>[A-Z][^,;:.()]{3,80})")  # begins with a capital
_WORD = re.compile(r"[^\W\d_]{2,}")


def sent_away(evidence: Evidence) -> str:
    """Return in a sentence to which documents, not loaded, the first places send a question, "" for none."""
    found = dict.fromkeys(
        name for hit in evidence.hits[:LEADING] for name in _sending(evidence.query, hit, evidence.unresolved)
    )
    if not found:
        return ""
    return f"The text refers to another document for this: see {', '.join(found)}, not loaded."


def _sending(query: Query, hit: Place, unresolved: tuple[Unresolved, ...]) -> Iterator[str]:
    keys = {label.key for label in (hit.label, *hit.labels)}
    asked = {term.casefold()[:5] for term in query.terms if len(term) > 1}
    for one in unresolved:
        if one.document != hit.document or one.source.key not in keys or not one.reason.endswith(AWAY):
            continue
        name = one.reason.removesuffix(AWAY)
        sentence = _sentence(hit.text, one.text)
        named = f"{name} {_title_behind(sentence, one.text)}"
        if not _sends().search(sentence) or not asked & _stems(named):
            continue
        if len(asked & _stems(f"{sentence} {name}")) >= WORDS:
            yield name


def _title_behind(sentence: str, words: str) -> str:
    """Return what is printed behind a name up to the end of its part of the sentence, "" for no title."""
    behind = sentence.partition(" ".join(words.split()))[2]
    found = _TITLE.match(behind)
    return found["title"] if found else ""


def _sentence(text: str, words: str) -> str:
    """Return the sentence of a text that holds the words of a reference, "" for none."""
    flat = " ".join(text.split())
    at = flat.find(" ".join(words.split()))
    return next((flat[a:b] for a, b in sentence_spans(flat) if a <= at < b), "") if at >= 0 else ""


def _stems(text: str) -> set[str]:
    return {word.casefold()[:5] for word in _WORD.findall(text)}


@cache
def _sends() -> re.Pattern[str]:
    data = shipped("answer/sought")
    return re.compile("|".join(data["sending"]["words"]), re.IGNORECASE)
