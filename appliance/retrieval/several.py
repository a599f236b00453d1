"""What is said of a label that several places of one document bear: "AD-H has 4 places called 1.17".

Rules of this module: all of them are told, with the page and the heading over each; none is chosen. A
label that one place prints as asked is that place's, whatever the misreading of others may be.
"""

from __future__ import annotations

from collections.abc import Iterator

from appliance.document import Label
from appliance.evidence import Listed, Scoped
from appliance.retrieval.around import Found
from appliance.retrieval.ask import Ask
from appliance.retrieval.exact import Jump, keys_of
from appliance.retrieval.labels import AskedLabel
from appliance.store.bearers import bearers


def several(ask: Ask, named: Jump) -> Found | None:
    """Return the places of the first label of a question that one document has several of."""
    for asked, chunks in named.labels:
        for document, labels in _places(ask, asked, chunks):
            if len(labels) > 1:
                printed = {str(label) for label in labels}
                known = [item for item in bearers(ask.store, document) if str(item.label) in printed]
                listed = tuple(Listed(document, item.label, item.beside, item.page) for item in known)
                text = f"{document} has {len(listed)} places called {known[0].label}."
                return Found(told=Scoped("relation", text, listed))
    return None


def _places(ask: Ask, asked: AskedLabel, chunks: tuple[int, ...]) -> Iterator[tuple[str, set[Label]]]:
    """Yield each document with the labels in it that are the one asked for."""
    found: dict[str, set[Label]] = {}
    for item in ask.store.chunks(chunks):
        keys = keys_of(item, asked)
        found.setdefault(item.document, set()).update(map(Label.from_key, keys))
    for document, labels in found.items():
        printed = {str(label).casefold() for label in labels}
        as_asked = {label for label in labels if str(label).casefold() == asked.number}
        yield document, labels if len(printed) == 1 else as_asked
