"""Lists of symbols stand behind the places that rule, unless they are asked for."""

from __future__ import annotations

import pytest

from appliance.core.document import Chunk, Label, Passage
from appliance.core.evidence import Intent, Query
from appliance.retrieval.rank.additions import lists_behind
from appliance.store.values import StoredChunk
from tests.factories import box

DIVISION = ("A code", "1.7 Symbols")
CLAUSES = list(range(10, 18))


def item(chunk: int, kind: str, context: tuple[str, ...], title: str, *labels: str) -> StoredChunk:
    names = tuple(map(Label.from_key, labels))
    place = Chunk(names[0], names, kind, title, context, Passage("text"), (box(),))  # type: ignore[arg-type]
    return StoredChunk(chunk, "code", None, place)


CHUNKS = {
    1: item(1, "definition", DIVISION, "", "A", "Ce", "sk", "mu1"),
    2: item(2, "clause", DIVISION, "Symbols", "1.7", "1.7(1)"),
    3: item(3, "definition", DIVISION, "", "site", "altitude", "exposure"),
    4: item(4, "clause", DIVISION, "More", "1.8"),
    **{n: item(n, "clause", ("A code", "5 Roofs"), "", f"5.{n}") for n in CLAUSES},
}


@pytest.mark.parametrize(
    ("text", "intent", "first"),
    [
        ("exposure of a windswept site", "value", [3, 4, 10, 11, 12, 1, 2, 13]),
        ("what is exposure", "definition", [1, 2, 3, 4, 10, 11, 12, 13]),
        ("value of Ce?", "value", [1, 2, 3, 4, 10, 11, 12, 13]),  # a symbol that the question prints
    ],
)
def test_lists_of_symbols_come_behind_what_rules(text: str, intent: Intent, first: list[int]) -> None:
    ranked = [1, 2, 3, 4, *CLAUSES]
    moved = lists_behind(Query(text, intent, ()), CHUNKS, ranked)
    assert moved[:8] == first
    assert sorted(moved) == sorted(ranked)


LISTS = {
    **{n: item(n, "clause", ("A code", "5 Roofs"), "", f"5.{n}") for n in CLAUSES},
    1: item(1, "clause", ("A code", "1.2 Normative references"), "Normative references", "1.2"),
    2: item(2, "heading", ("A code", "Appendix B Standards referred to"), "Standards referred to", "B"),
    3: item(3, "clause", ("A code", "List of Approved Documents"), "", "List of Approved Documents"),
    4: item(4, "clause", ("A code", "1.4 Standards of workmanship"), "", "1.4"),
}


@pytest.mark.parametrize(
    ("text", "intent", "first"),
    [
        ("do I need snow loading", "applicability", [4, 10, 11, 12, 13, 1, 2, 3]),
        ("which standard covers glass", "general", [2, 4, 10, 11, 12, 1, 3, 13]),
        ("list the documents", "coverage", [3, 4, 10, 11, 12, 1, 2, 13]),
    ],
)
def test_lists_of_documents_come_behind_what_rules(text: str, intent: Intent, first: list[int]) -> None:
    ranked = [1, 2, 3, 4, *CLAUSES]
    assert lists_behind(Query(text, intent, ()), LISTS, ranked)[:8] == first


SCANNED = {
    **{n: item(n, "clause", ("A code", "5 Roofs"), "", f"5.{n}") for n in CLAUSES},
    1: item(1, "definition", ("A code", "1.6 Synlbols"), "", "(sign not read)", "Ant", "Ofi,k,i", "d", "tfi"),
    2: item(2, "clause", ("A code", "1.6 Symbols"), "Synlbols", "1.6"),
    3: item(3, "clause", ("A code", "1.8 Symmetrical loads"), "Symmetrical loads", "1.8"),
    4: item(4, "clause", ("A code", "2 Basis"), "", "2.1"),
}


@pytest.mark.parametrize(
    ("text", "intent", "first"),
    [
        ("fire load of a library", "value", [3, 4, 10, 11, 12, 1, 2, 13]),
        ("what is d", "definition", [1, 2, 3, 4, 10, 11, 12, 13]),
        (
            "value of tfi",
            "value",
            [1, 3, 4, 10, 11, 2, 12, 13],
        ),  # of a symbol that is printed, its list stays
    ],
)
def test_a_scanned_list_of_symbols_is_one(text: str, intent: Intent, first: list[int]) -> None:
    moved = lists_behind(Query(text, intent, ()), SCANNED, [1, 2, 3, 4, *CLAUSES])
    assert moved[:8] == first


def test_a_list_of_symbols_alone_stays() -> None:
    assert lists_behind(Query("snow", "general", ()), CHUNKS, [1, 2]) == [1, 2]
