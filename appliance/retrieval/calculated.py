"""Where a quantity is calculated: the places with a formula that are named after it, or say that it gives it.

Rules of this module: only a question that asks how a quantity is found is looked at, and only places that
hold a numbered formula. What such a place gives is its title and what stands before "shall be determined".
It leads where that says most of what is asked and little else, signs for the quantity apart; of places alike
a few lead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from appliance.document import Label
from appliance.retrieval.around import Found
from appliance.retrieval.ask import Ask
from appliance.retrieval.covering import is_inside, match_of, stems_of, subject_of
from appliance.retrieval.exact import Jump
from appliance.retrieval.frames import calculating_of, given_by_formula
from appliance.retrieval.lexical import WORDS
from appliance.store.bm25 import Wanted
from appliance.store.channels import ColumnWeights, expression, search_words
from appliance.store.values import StoredChunk
from appliance.store.words import fold

READ = 120  # places that hold the words of the subject, best first
ENOUGH = 0.5  # share of the subject that is said, times the share of what is said that belongs to it
NEAR = 0.8  # of the best such place from which another leads beside it
LEADING = 3
SYMBOL = 2  # letters of a sign that stands for a quantity, at most, unless it is written in both cases
_FORMULA = re.compile(r"\([A-Z]?\.?\d+(?:\.\d+)*[a-z]?\)")


def asks_how_calculated(ask: Ask) -> bool:
    """Tell whether a question asks how a quantity is found, and names no place."""
    return not ask.question.labels and bool(calculating_of(fold(ask.question.spelt)))


def calculated(ask: Ask, _: Jump) -> Found | None:
    """Return the places whose formula gives the quantity that a question asks for, None for none."""
    subject = subject_of(ask)
    if not subject:
        return None
    held = [group.stem for group in subject if group.stem in ask.index.vocabulary.chunks]
    match = expression([Wanted((stem,), WORDS) for stem in held])
    ranked = search_words(ask.store, "parent", match, ColumnWeights(), READ, within=ask.scope.parents)
    scored = [
        (max(share * precise for share, precise in (match_of(ask, subject, head) for head in heads)), item.id)
        for item in ask.store.chunks(chunk for chunk, _ in ranked)
        if is_inside(ask, item.document) and any(map(_is_formula, item.chunk.labels))
        for heads in [list(_heads(ask, item))]
        if heads
    ]
    best = max((score for score, _ in scored), default=0.0)
    scored.sort(key=lambda one: -one[0])
    leading = [chunk for score, chunk in scored if score >= max(ENOUGH, NEAR * best)]
    return Found(leading=tuple(leading[:LEADING])) if leading else None


def _heads(ask: Ask, item: StoredChunk) -> Iterator[frozenset[str]]:
    """Yield what a place gives, each as stems."""
    for head in (item.chunk.title, *given_by_formula(item.chunk.passage.text)):
        if stems := stems_of(ask, _without_signs(head)):
            yield stems


def _without_signs(head: str) -> str:
    """Return a text without the signs in it: "Structural factor CsCd" is about a structural factor."""
    said = re.findall(r"[^\W\d_]+(?![\w(])", head)
    return " ".join(word for word in said if len(word) > SYMBOL and (word[1:].islower() or word.isupper()))


def _is_formula(label: Label) -> bool:
    return _FORMULA.fullmatch(str(label)) is not None
