"""The formula that leads an answer: where a table gives only what a formula takes, besides a stated number.

Rules of this module: nothing is computed. A table is an input of a formula where the symbols of the formula
are explained by it ("s0 is the ground load, see Table NA.2"). The formula leads where the question states a
number of the unit of another symbol ("A is the altitude, in m"), for which the table has neither row nor
column; the statement of the table then says that it is an input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.answer.findings import Finding, Quote
from appliance.answer.named import takes
from appliance.answer.verify import Claim
from appliance.core.document import Clause, Formula, boxes_between
from appliance.core.evidence import Query
from appliance.retrieval.ask import place
from appliance.store.read import Store
from appliance.tables.rows import flat, rows, unit_of

LEADING = 5  # statements among which the table is looked for


def with_formula(store: Store, query: Query, chosen: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, first the formula that takes the leading table and a number of the question."""
    for finding in chosen[:LEADING]:
        for formula, words in _taking(store, query, finding):
            clause = store.clause(finding.place.document, formula.clause.key) if formula.clause else None
            led = _led(store, clause, formula, words, finding) if clause else None
            if led is not None:
                given = replace(finding, text=f"Input to {_name(formula)}: {finding.text}")
                said = {flat(quote.text) for quote in led.quotes}
                rest = [one for one in chosen if one is not finding and flat(one.text) not in said]
                return (replace(led, score=chosen[0].score), given, *rest)
    return tuple(chosen)


def _taking(store: Store, query: Query, finding: Finding) -> Iterator[tuple[Formula, str]]:
    """Yield the formulas that take the table of a finding, with the stated number that they take too."""
    document, label = finding.place.document, finding.place.label
    table = store.table(document, label.key) if finding.marked else None
    stated = [one for one in query.quantities if one.unit and one.number is not None]
    if table is None or not stated:
        return
    body, named = list(rows(table)), re.compile(rf"(?<!\w){re.escape(str(label))}(?![\w.])")
    free = [one for one in stated if not takes(one.words, table, body)]
    for formula in store.formulas(document):
        explained = [line.strip(" ;.,") for line in formula.where.split("\n")]
        if not any(named.search(line) for line in explained):
            continue
        units = {unit_of(line) for line in explained if not named.search(line)}
        yield from ((formula, one.words) for one in free if one.unit in units)


def _led(store: Store, clause: Clause, formula: Formula, words: str, table: Finding) -> Finding | None:
    """Return the clause of a formula as a finding, None where it is nowhere shown."""
    document = table.place.document
    shown = store.chunks(store.chunks_for(document, clause.label)[:1])
    text = clause.passage.text.strip()
    if not shown or not text:
        return None
    start = clause.passage.text.index(text)
    where = place(shown[0], 0.0, ("reference",), path=(str(table.place.label), str(clause.label)))
    boxes = boxes_between(clause.passage, start, start + len(text)) or formula.boxes
    quote = Quote(document, clause.label, boxes[0].page if boxes else where.pages[0], boxes, text)
    told = f"{_name(formula)} takes the {words} of the question as an input: {flat(text)}"
    return Finding(told, (quote,), table.score, where, claims=(Claim(flat(text), (text,)),))


def _name(formula: Formula) -> str:
    label = str(formula.label)
    return label if label[:1].isalpha() else f"Formula {label}"
