"""The drawing of a training: lines on one scale, names escaped, nothing to draw is a drawing."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from appliance.training.recipes import curve_svg, lines_svg

LINE = "{http://www.w3.org/2000/svg}polyline"


@pytest.mark.parametrize("lines", [{}, {"": []}, {"a": [(0, 1.0)]}])
def test_a_drawing_of_nothing_is_still_one(lines: dict[str, list[tuple[int, float]]]) -> None:
    assert len(ET.fromstring(lines_svg("t", lines)).findall(LINE)) == len(lines)


def test_lines_share_one_scale() -> None:
    drawn = ET.fromstring(lines_svg("a < b", {"in & out": [(0, 0.5), (10, 0.75)], "off": [(5, 0.25)]}))
    first, second = (line.get("points", "").split() for line in drawn.findall(LINE))
    assert (first, second) == (["60.0,150.0", "620.0,40.0"], ["340.0,260.0"])
    assert "in & out" in "".join(drawn.itertext())
    assert curve_svg("t", [(1, 2.0), (2, 1.0)]).count("<polyline") == 1
