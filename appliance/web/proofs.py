"""Which statement of an answer carries the values of a table that are shown large, and what quotes them.

Rules of this module: pure functions. A value is shown at a statement that quotes its very cell, with the
citations that do: another row of the same table proves nothing of it. Of several statements the first that
is confirmed and says the value carries it. Where no cell can be told apart, the first statement that cites
the table carries all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.document import Box
from appliance.evidence import Citation, Statement
from appliance.web.deciding import Row


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that a statement carries, by its place in the answer; `numbers` are the citations that quote them.

    No numbers: it cites the table, and which of its citations quote these rows cannot be told.
    """

    statement: int
    rows: tuple[Row, ...]
    numbers: tuple[int, ...] = ()


def parts(
    table: tuple[str, str],
    rows: Sequence[Row],
    statements: Sequence[Statement],
    citations: Sequence[Citation],
) -> tuple[Part, ...]:
    """Return the rows of a table (document, key of its label) by what carries them, in order."""
    own = {item.n: item.boxes for item in citations if (item.document, item.label.key) == table}
    citing = [at for at, item in enumerate(statements) if own.keys() & set(item.citations)]
    if not citing:
        return ()
    found: dict[int, Part] = {}
    for row in rows:
        at, numbers = _carrier(row, statements, own) or (citing[0], ())
        before = found.get(at, Part(at, ()))
        numbers = tuple(dict.fromkeys((*before.numbers, *numbers)))
        found[at] = replace(before, rows=(*before.rows, row), numbers=numbers)
    return tuple(found[at] for at in sorted(found)) or (Part(citing[0], ()),)


def _carrier(
    row: Row, statements: Sequence[Statement], own: dict[int, tuple[Box, ...]]
) -> tuple[int, tuple[int, ...]] | None:
    """Return the statement that carries a row, with the citations that quote its cells; None for none."""
    carriers = []
    for at, statement in enumerate(statements):
        held = [_quoting(box, statement.citations, own) for box in row.boxes]
        if held and all(held):
            says = all(value.text in statement.text for value in row.values)
            rank = (not statement.confirmed, not says, at)
            carriers.append((rank, at, tuple(dict.fromkeys(n for numbers in held for n in numbers))))
    return min(carriers)[1:] if carriers else None


def _quoting(box: Box, numbers: Sequence[int], own: dict[int, tuple[Box, ...]]) -> tuple[int, ...]:
    """Return the citations with a frame around the middle of a cell."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return tuple(
        n
        for n in numbers
        if any(f.page == box.page and f.x0 <= x <= f.x1 and f.y0 <= y <= f.y1 for f in own.get(n, ()))
    )
