"""What a following question adds and a row does not name: its values are not surely those asked for.

Rules of this module: pure but for the titles of documents. A row is named by its own words, by the heads of
its deciding cells, by the caption and all headings over the table and by the title of the document; another
name that the search knows for an idea stands for its words. A number without a unit has to stand there too,
for one with a unit may lie in a range, which the table itself was asked about; an open range ("up to 20
people") is of something else. Every row that is shown has to name all that was added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from appliance.answer.about import spoken_by, stems_of, things
from appliance.answer.findings import Finding
from appliance.core.evidence import Query
from appliance.store.read import Store
from appliance.tables.ranges import Range, tokens


def without_unnamed(store: Store, query: Query, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings; the values of rows that do not name what a following question adds are unsure."""
    if not query.typed:
        return tuple(found)
    words, numbers = _added(query)
    titles = {info.id: info.title for info in store.documents()}
    return tuple(
        replace(item, unsure=f"no row or column of {item.place.label} is for {lacking}")
        if item.marked
        and not item.unsure
        and (lacking := _lacking(query, words, numbers, item, titles.get(item.place.document, "")))
        else item
        for item in found
    )


def _added(query: Query) -> tuple[list[str], list[Range]]:
    """Return the words and the bare numbers that a following question does not take from the one before."""
    before, typed = stems_of(query.after), stems_of(query.typed)
    words = [word for word in things(query) if stems_of(word) & typed and not stems_of(word) & before]
    old = tokens(query.after)
    numbers = [one for one in tokens(query.typed) if isinstance(one, Range) and one.point and not one.unit]
    return words, [one for one in numbers if one not in old]


def _lacking(query: Query, words: Sequence[str], numbers: Sequence[Range], item: Finding, title: str) -> str:
    """Return the first thing added that some row of a finding does not name, in quotes, "" for none."""
    over = " ".join((*item.place.heading_path, title))
    for named in item.named:
        text = f"{named} {over}"
        held = [one for one in tokens(named) if isinstance(one, Range) and isfinite(one.high - one.low)]
        out = [word for word in words if not spoken_by(query, word, text)]
        out += [f"{one.low:g}" for one in numbers if not any(own.holds(one.low) for own in held)]
        if out:
            return f"\u201c{out[0]}\u201d"
    return ""
