"""Which clause a quotation belongs to: the label that a reader finds beside it on the page.

Rules of this module: a label is taken from the clause whose own text holds the words, never guessed
from the part that was searched. A quotation over several clauses belongs to the nearest place above
all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from appliance.answer.findings import Quote
from appliance.core.document import Clause, Label
from appliance.store.read import Store

ENOUGH = 12  # characters of a printed line that tell its clause


def labelled(store: Store, quote: Quote, labels: Sequence[Label]) -> Quote:
    """Return the quote under the label of the clause that it was taken from; `labels` are the candidates."""
    clauses = [clause for label in labels if (clause := store.clause(quote.document, label.key))]
    if len(clauses) < 2:
        return quote
    lines = [line.strip() for line in quote.text.split("\n")]
    owners = list(dict.fromkeys(_owners(lines, clauses, _holds) or _owners(lines, clauses, _is_title)))
    if not owners:
        return quote
    if len(owners) == 1:
        return replace(quote, label=owners[0])
    above = [[clause.label for clause in store.lineage(quote.document, owner.key)] for owner in owners]
    shared = [label for label in above[0] if all(label in line for line in above)]
    return replace(quote, label=shared[-1] if shared else owners[0])


def _owners(
    lines: Sequence[str], clauses: Sequence[Clause], owns: Callable[[Clause, str], bool]
) -> list[Label]:
    """Return the label of each line that belongs to one of the clauses, the innermost where several do."""
    found = (next((c for c in reversed(clauses) if owns(c, line)), None) for line in lines)
    return [clause.label for clause in found if clause is not None]


def _holds(clause: Clause, printed: str) -> bool:
    """Tell whether a printed line is of the clause's own text, with or without its number before it."""
    own = clause.passage.text
    bare = printed.removeprefix(clause.marker).lstrip() if clause.marker else printed
    if any(len(line) >= ENOUGH and line in own for line in (printed, bare)):
        return True
    return bool(bare) and own.strip() == bare


def _is_title(clause: Clause, printed: str) -> bool:
    return bool(clause.title) and printed.endswith(clause.title)
