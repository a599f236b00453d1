"""A language model that calls the tools before an answer is written, to open or search for what is missing.

In: an answer with its evidence. Out: the same with the places behind it that the model asked for, in at most
`llm.rounds` rounds. A call is held to the tools and the numbers of places by the grammar; what comes of it
is what the library holds, in the documents that were searched. No word of the model is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec

from appliance.answer.lacking import with_round
from appliance.answer.write.asking import Asker, Silent
from appliance.answer.write.suspicious_text import suspicious
from appliance.core.decoding import decode
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Evidence, Grounded, Place, Round
from appliance.models.prompts import load_prompt
from appliance.retrieval.search_context import place
from appliance.store.read import Store
from appliance.tables.rows import flat

FIRST, LAST = 6, 6  # places that the model is shown: the first found, the last added
TITLE_WORDS = 12  # of a place
ADDED = 4  # places of one call
CALL_TOKENS = 20  # of one call, about
DONE = "done"

Tool = Callable[[str, Mapping[str, str]], Sequence[Mapping[str, Any]]]
"""From the name of a tool and its arguments to results (`appliance.tools`); raises ApplianceError."""


class Call(msgspec.Struct, frozen=True):
    """What a model calls: a tool with the number of a place, or with words to search for."""

    tool: str
    place: str = ""
    question: str = ""


def looked_further(tool: Tool, store: Store, asker: Asker, answer: Grounded) -> Grounded:
    """Return the answer with the places that the model asked for behind its evidence; raises Gone."""
    prompt, calls, tried = load_prompt("tools"), dict[str, str](), set[Place]()
    for _ in range(asker.limits.rounds):
        lines = {one: line for one in _listed(answer.evidence) if not suspicious(line := _line(one))}
        numbers = {f"P{number}": one for number, one in enumerate(lines, 1)}
        ids = [number for number, one in numbers.items() if one not in tried]  # each place once
        if not ids:
            break
        texts = {
            "places": "\n".join(f"{number} {lines[one]}" for number, one in numbers.items()),
            "calls": "\n".join(f"{name}: {found}" for name, found in calls.items()) or "nothing",
            "question": answer.evidence.query.text,
        }
        try:
            generation = prompt.render(texts, {"ids": ids})
            call = decode(asker.ask(generation, lambda _: None, CALL_TOKENS, "tool").encode(), Call)
        except (Silent, msgspec.DecodeError, UnicodeEncodeError):
            break
        on = numbers.get(call.place)
        name = f"{call.tool} {_name(on) if on else call.question}"
        if call.tool == DONE or name in calls:
            break
        tried |= {on} if on else set()
        found = tuple(islice(_found(tool, store, answer, call, on), ADDED))
        calls[name] = ", ".join(map(_name, found)) or "nothing new"
        asker.found(calls[name])
        if found:
            made = Round(f"called by the language model: {name}", found)
            answer = replace(answer, evidence=with_round(answer.evidence, made))
    return answer


def _listed(evidence: Evidence) -> Iterator[Place]:
    """Yield the places that the model is shown, each once."""
    added = [one for made in evidence.rounds for one in made.added]
    yield from dict.fromkeys((*evidence.hits[:FIRST], *added[-LAST:]))


def _found(tool: Tool, store: Store, answer: Grounded, call: Call, on: Place | None) -> Iterator[Place]:
    """Yield what a call finds in the documents searched and is not among the evidence yet."""
    given = {"document": on.document, "label": on.label.key} if on else {"question": call.question}
    try:
        results = tool(call.tool, given)
    except ApplianceError:  # a formula has no neighbours
        return
    known = {hit.chunk for hit in answer.evidence.hits}
    for one in (one for one in results if one["document"] in answer.searched):
        for item in store.chunks(store.chunks_for(one["document"], one["key"])[:1]):
            if item.id not in known:
                known.add(item.id)
                yield place(item, 0.0, ("reference",), path=(str(on.label),) if on else ())


def _line(one: Place) -> str:
    words = flat(one.title or one.text).split()
    return f"[{_name(one)}] {' '.join(words[:TITLE_WORDS])}"


def _name(one: Place) -> str:
    return f"{one.document} {one.label.named}"
