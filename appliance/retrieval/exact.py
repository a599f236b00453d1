"""The exact jump: the places whose label the question names.

Rules of this module: a label is looked up as folded text, whole before in parts ("5.3.2(7)", then
"5.3.2"); a document that the question names decides among places of one label. What a question
names but the library lacks is said, never guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from appliance.retrieval.query import AskedLabel, Question
from appliance.store.read import Store
from appliance.store.values import Labelled

FEW = 3  # places of one label that may all come first when no document is named


@dataclass(frozen=True, slots=True)
class Jump:
    """Chunks that a question names: `first` go before all else, `others` share the label."""

    first: tuple[int, ...]
    others: tuple[int, ...]
    missing: tuple[str, ...]


def jump(
    store: Store, question: Question, standing: Mapping[int, float], within: Collection[int] | None
) -> Jump:
    """Return the places named; `standing` are the fused scores of the other searches."""
    first: dict[int, None] = {}
    others: dict[int, None] = {}
    missing: list[str] = []
    for asked in question.labels:
        found = [item for item in _lookup(store, asked) if within is None or item.chunk in within]
        named = [item for item in found if item.document in question.query.documents]
        absent = not found or (bool(question.query.documents) and not named)
        if asked.sure and absent and asked.kind != "part":  # "Part K" may be what people call a document
            missing.append(asked.printed)
        chosen = _choose(named or found, standing, sure=asked.sure)
        first.update(dict.fromkeys(chosen))
        others.update(dict.fromkeys(item.chunk for item in found if item.rank == 0))
    return Jump(tuple(first), tuple(chunk for chunk in others if chunk not in first), tuple(missing))


def _lookup(store: Store, asked: AskedLabel) -> list[Labelled]:
    """Return the chunks that hold the label in its first form that exists, the item itself before others."""
    by_form: dict[str, list[Labelled]] = {}
    for item in store.labelled(asked.forms):
        by_form.setdefault(item.folded, []).append(item)
    for form in asked.forms:
        if form in by_form:
            least = min(item.rank for item in by_form[form])
            return [item for item in by_form[form] if item.rank == least]
    return []


def _choose(found: Sequence[Labelled], standing: Mapping[int, float], *, sure: bool) -> list[int]:
    """Return the chunks of a label that come first: all of a few, else those that other searches found."""
    chunks = list(dict.fromkeys(item.chunk for item in found))
    documents = {item.document for item in found}
    ranked = sorted(chunks, key=lambda chunk: -standing.get(chunk, 0.0))
    if sure and len(documents) == 1:
        return chunks[:FEW]
    supported = [chunk for chunk in ranked if chunk in standing]
    if sure:
        return (supported or ranked)[:FEW]
    return supported[:1]
