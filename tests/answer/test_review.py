"""What the evidence lacks for its question."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import cast

import pytest

from appliance.answer import lacking as reading
from appliance.answer.lacking import review, reviewed
from appliance.core.document import Label
from appliance.core.evidence import Evidence, Intent, Link, Place, Query
from appliance.store.read import Store
from tests.answer import builders

HERE, TABLE = Label(("1.1",)), Label(("Table 2",))


def link(target: Label = TABLE) -> Link:
    return Link("C", HERE, "C", target, "see")


def asked(text: str, intent: Intent) -> Query:
    return builders.query(text, intent)


@pytest.mark.parametrize(
    ("intent", "text", "links", "reasons"),
    [
        ("general", "Plain text.", (), []),
        ("general", "Sizes are in Table 2.", (link(),), ["refer to Table 2"]),
        ("general", "Sizes are in 1.1.", (link(HERE),), []),  # it is shown itself
        ("value", "The width is 900 mm.", (), []),
        ("value", "The width is in Table 2.", (link(),), ["no first place holds", "refer to Table 2"]),
        ("value", "The width is wide.", (), []),  # nothing to follow
        ("applicability", "Doors open.", (), ["scope"]),
        ("general", "The sizes are as given below", (), ["stands beside"]),
        ("general", "As described above, doors open.", (), ["stands beside"]),
    ],
)
def test_what_is_needed(intent: Intent, text: str, links: tuple[Link, ...], reasons: list[str]) -> None:
    hit = builders.place(text=text)
    needs = review(asked("how wide in mm is a door", intent), [hit], {hit.chunk: links})
    assert len(needs) == len(reasons)
    assert all(reason in need.why for need, reason in zip(needs, reasons, strict=True))


def test_the_scope_is_not_needed_where_it_leads() -> None:
    scope: Place = replace(builders.place(text="This code covers doors."), title="Scope")
    assert review(asked("is my door covered", "applicability"), [scope], {}) == ()


def test_only_the_deciding_places_are_followed() -> None:
    hits = [builders.place(chunk=number, label=f"1.{number}") for number in range(1, 9)]
    assert review(asked("doors", "general"), hits, {8: (link(),)}) == ()
    assert review(asked("doors", "general"), [], {}) == ()


class Slow(Iterator[float]):
    """A clock that stands still for nobody."""

    now = 0.0

    def __next__(self) -> float:
        """Return a time long after the last one."""
        self.now += 100.0
        return self.now


@pytest.mark.parametrize(("each", "rounds", "stopped"), [(1, 2, False), (6, 2, False), (40, 2, False)])
def test_a_busy_machine_finds_the_same(
    monkeypatch: pytest.MonkeyPatch, each: int, rounds: int, *, stopped: bool
) -> None:
    monkeypatch.setattr(time, "perf_counter", Slow().__next__)
    found = followed(monkeypatch, each, reading.PLACES)
    assert len(found.rounds) == rounds
    assert len(found.hits) == 1 + rounds * min(each, reading.ADDED)
    assert (reading.STOPPED in found.rounds[-1].why) is stopped


@pytest.mark.parametrize(
    ("most", "added", "stopped"), [(12, 12, False), (11, 11, True), (6, 6, True), (3, 3, True)]
)
def test_a_review_that_is_full_says_so(
    monkeypatch: pytest.MonkeyPatch, most: int, added: int, *, stopped: bool
) -> None:
    found = followed(monkeypatch, 6, most)
    assert len(found.hits) == 1 + added
    assert (reading.STOPPED in found.rounds[-1].why) is stopped


def followed(monkeypatch: pytest.MonkeyPatch, each: int, most: int) -> Evidence:
    """Return what is reached where every place leads to so many new ones."""
    numbers = count(2)

    def fresh(*_: object) -> Iterator[Place]:
        return (builders.place(chunk=next(numbers), text="Sizes are in Table 2.") for _ in range(each))

    monkeypatch.setattr(reading, "PLACES", most)
    monkeypatch.setattr(reading, "follow", fresh)
    monkeypatch.setattr(reading, "links_of", lambda _, hits: {hit.chunk: (link(),) for hit in hits})
    evidence = Evidence(asked("doors", "general"), (builders.place(),), (), (), (), 1.0, {})
    return reviewed(cast("Store", None), evidence, frozenset({"C"}))[0]
