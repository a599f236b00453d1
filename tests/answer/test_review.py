"""What the evidence lacks for its question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.review import review
from appliance.document import Label
from appliance.evidence import Intent, Link, Place, Query
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
