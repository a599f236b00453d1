"""The golden questions of a bundle: what the trial asks before a box serves the new library.

Rules of this module: they come from the library itself (titles of its clauses and tables, its terms)
and from judged questions where some are given; each is put at the builder first and kept only where
its place was found among the first ones, so that a trial that fails tells of the box and not of the
question. Equal libraries give equal questions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TypeVar

from appliance.document import Document
from appliance.errors import ApplianceError, BadInput
from appliance.library import Library
from appliance.update.trial import rank_of
from appliance.update.values import Golden

Item = TypeVar("Item")
MOST = 20
WITHIN = 10
TRIED = 5  # candidates put for each question that is kept
_WORDS = range(2, 13)  # of a title that reads as a question


def golden_questions(library: Library, judged: Path | None = None, most: int = MOST) -> tuple[Golden, ...]:
    """Return questions whose places the library finds among the first ones; raises BadInput."""
    own = _in_turn(_of_document(library.document(info.id)) for info in library.documents())
    candidates = chain(_judged(judged, library) if judged else (), own)
    tried = islice(dict.fromkeys(candidates), most * TRIED)
    return tuple(islice((item for item in tried if _found(library, item)), most))


def _found(library: Library, item: Golden) -> bool:
    try:
        return rank_of(library, item.question, item.document, item.label, item.within) is not None
    except ApplianceError:
        return False


def _of_document(document: Document) -> Iterator[Golden]:
    """Yield candidates, those from all over the document first and each kind in turn."""
    tables = [(table.title, table.label.key) for table in document.tables]
    clauses = [(clause.title, clause.label.key) for clause in document.clauses if clause.kind != "front"]
    for item in _in_turn([_spread(clauses), _spread(tables)]):
        title = " ".join(item[0].split()).rstrip(".:")
        if len(title.split()) in _WORDS:
            yield Golden(title, document.id, item[1], WITHIN)


def _spread(found: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield all items, in an order whose every beginning is spread over the whole list."""
    steps = [1 << power for power in range(len(found).bit_length(), -1, -1)]
    return (found[place] for place in dict.fromkeys(n for step in steps for n in range(0, len(found), step)))


def _in_turn(lists: Iterable[Iterable[Item]]) -> Iterator[Item]:
    return (item for row in zip_longest(*lists) for item in row if item is not None)


def _judged(path: Path, library: Library) -> Iterator[Golden]:
    """Yield the questions of a file of judged questions (one JSON object a line) that name a place of it."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        try:
            row = json.loads(line) if line.strip() else {"gold": []}
            places = [(str(gold["document"]), str(gold["label"])) for gold in row["gold"]]
        except (ValueError, KeyError, TypeError) as error:
            message = f"{path}, line {number}: it is no judged question ({error})."
            raise BadInput(message) from error
        if places and (key := _key(library, *places[0])):
            yield Golden(str(row["question"]), places[0][0], key, WITHIN)


def _key(library: Library, name: str, label: str) -> str:
    """Return the key of a place that is named as it is printed or by its key, "" for none."""
    try:
        document = library.document(name)
    except ApplianceError:
        return ""
    labels = [clause.label for clause in document.clauses] + [table.label for table in document.tables]
    return next((found.key for found in labels if label in {found.key, str(found)}), "")
