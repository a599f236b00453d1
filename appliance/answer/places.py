"""Which clause a quotation belongs to: the label that a reader finds beside it on the page.

Rules of this module: a label is taken from the clause whose own text holds the words, never guessed
from the part that was searched. A quotation over several clauses belongs to the nearest place above
all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.answer.findings import Quote
from appliance.document import Clause, Label
from appliance.store.read import Store

ENOUGH = 12  # characters of a printed line that tell its clause


def labelled(store: Store, quote: Quote, labels: Sequence[Label]) -> Quote:
    """Return the quote under the label of the clause that it was taken from; `labels` are the candidates."""
    clauses = [clause for label in labels if (clause := store.clause(quote.document, label.key))]
    if len(clauses) < 2:
        return quote
    owners = list(dict.fromkeys(_owners(quote.text, clauses)))
    if not owners:
        return quote
    if len(owners) == 1:
        return replace(quote, label=owners[0])
    lines = [[clause.label for clause in store.lineage(quote.document, owner.key)] for owner in owners]
    shared = [label for label in lines[0] if all(label in line for line in lines)]
    return replace(quote, label=shared[-1] if shared else owners[0])


def _owners(text: str, clauses: Sequence[Clause]) -> Iterator[Label]:
    """Yield the label of each line of the text, where a clause holds it."""
    for line in text.split("\n"):
        printed = line.strip()
        owner = next((clause for clause in reversed(clauses) if _holds(clause, printed)), None)
        if owner is not None:
            yield owner.label


def _holds(clause: Clause, printed: str) -> bool:
    """Tell whether a printed line is of the clause's own text, with or without its number before it."""
    own = clause.passage.text
    bare = printed.removeprefix(clause.marker).lstrip() if clause.marker else printed
    if any(len(line) >= ENOUGH and line in own for line in (printed, bare)) or (bare and own.strip() == bare):
        return True
    return bool(clause.title) and printed.endswith(clause.title)
