"""Two questions in one that have nothing in common: each finds its own places."""

from __future__ import annotations

import pytest

from appliance.core.evidence import SubQuestion
from appliance.library import Library
from appliance.retrieval.search import BEHIND, EACH, standing_alone

LOAD, SNOW, WIND = "load of office floors", "zones of snow maps", "speed of wind gusts"


@pytest.mark.parametrize(
    ("parts", "alone"),
    [
        ([(LOAD, LOAD), (SNOW, SNOW)], (LOAD, SNOW)),
        ([(LOAD, LOAD), (SNOW, f"{SNOW} ({LOAD})"), (WIND, WIND)], (LOAD, WIND)),
        ([(LOAD, LOAD), (SNOW, f"{SNOW} ({LOAD})")], ()),  # the second leans on the first
        ([(LOAD, f"{LOAD} (told)"), (SNOW, f"{SNOW} (told)")], ()),
        ([(LOAD, LOAD), ("what steps do I follow", "what steps do I follow")], ()),  # says too little
        ([(LOAD, LOAD)], ()),
        ([], ()),
    ],
)
def test_parts_that_stand_alone(parts: list[tuple[str, str]], alone: tuple[str, ...]) -> None:
    stop = {"of", "what", "do", "i"}
    assert standing_alone([SubQuestion(*part) for part in parts], stop) == alone


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "what is the imposed load of an office floor and which table gives the snow shape coefficient",
            {"DC-1-1 Table 6.2", "DC-1-3 Table 5.2"},
        ),
        (
            "imposed load of an office floor and which figure shows the snow zones",
            {"DC-1-1 Table 6.2", "DC-1-3-NA Figure NA.1"},
        ),
    ],
)
def test_each_part_has_its_places(demo: Library, question: str, wanted: set[str]) -> None:
    found = demo.search(question)
    first = [f"{hit.document} {hit.label}" for hit in found.hits[: BEHIND + 2 * EACH]]
    assert wanted <= set(first)
    assert len(found.hits) == len({hit.chunk for hit in found.hits})
    assert all(hit.found_by for hit in found.hits)
    answer = demo.ask(question)
    assert all(part.statements for part in answer.parts)  # type: ignore[union-attr]  # a Grounded one
