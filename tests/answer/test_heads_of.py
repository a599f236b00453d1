"""Heads that measure something of another thing than the row names."""

from __future__ import annotations

import pytest
from appliance.answer.heads_of import of_another, owner_of

from appliance.core.evidence import Concept, Query


@pytest.mark.parametrize(
    ("head", "owner"),
    [
        ("Depth of seal (mm of water or equivalent)", "seal"),
        ("Max. length of branch pipe (m)", "branch pipe"),
        (
            "Minimum equivalent area of background ventilators for dwellings with floors",
            "background ventilators",
        ),
        ("Sizes / Diameter of the pipe in mm", "pipe"),
        ("Diameter (mm) of pipe", "pipe"),
        ("Distances from boundaries or sources of ignition", ""),
        ("Diam. of trap (mm)", "trap"),
        ("Number of bedrooms", ""),  # no measure
        ("Depth", ""),
        ("Seal depth (mm)", ""),  # it may as well be "clear width"
        ("Area", ""),
        ("", ""),
        ("of", ""),
        (" of of of ", ""),
    ],
)
def test_the_thing_that_a_head_measures(head: str, owner: str) -> None:
    assert owner_of(head) == owner


@pytest.mark.parametrize(
    ("asked", "heads", "other"),
    [
        ("depth of a washbasin", ["Depth of seal (mm)"], "seal"),
        ("how deep is a washbasin?", ["Depth of seal (mm)"], "seal"),
        ("depth of the seals of a washbasin", ["Depth of seal (mm)"], ""),
        (
            "trap of a washbasin",
            ["Depth of seal (mm)", "Diameter of trap (mm)"],
            "",
        ),  # one of them is asked for
        ("size of a washbasin", ["Depth of seal (mm)", "Diameter of trap (mm)"], "seal"),
        ("size of a washbasin", ["Depth of seal (mm)", "Size"], ""),
        ("length of a washbasin", ["Length of branch pipe", "Gradient limits (mm)"], "branch pipe"),
        ("gradient of a washbasin", ["Length of branch pipe", "Gradient limits (mm)"], ""),
        ("water lock of a washbasin", ["Depth of seal (mm)"], ""),  # known by another name
        ("how steep does wheat lie", ["Angle of repose"], ""),  # a measure, and no thing that has one
        ("depth of a washbasin", [], ""),
        ("", ["Depth of seal"], "seal"),
    ],
)
def test_a_head_of_another_thing(asked: str, heads: list[str], other: str) -> None:
    concepts = (Concept("water lock", ("seal",)),) if "lock" in asked else ()
    query = Query(asked, "value", (), concepts=concepts)
    assert of_another(query, heads, ["Washbasin"]) == other


def test_the_row_may_name_the_thing_itself() -> None:
    query = Query("depth for a washbasin", "value", ())
    assert of_another(query, ["Depth of seal"], ["Seal, washbasin"]) == ""
    assert of_another(query, ["Depth of seal"], []) == "seal"
