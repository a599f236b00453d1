"""Boxes on a page: neighbouring lines are one frame, other columns and pages are not."""

from __future__ import annotations

import pytest

from appliance.core.document import Box, PageView
from appliance.core.page_boxes import PADDING
from appliance.web.reading.marks import CROP_HEIGHT, CROP_WIDTH, crop, regions, view

A4 = PageView(3, 600.0, 800.0, "1", "digital", "large.jpg", "phone.webp")


def line(y: float, x0: float = 0.1, x1: float = 0.5, page: int = 3) -> Box:
    return Box(page, x0, y, x1, y + 0.015)


@pytest.mark.parametrize(
    ("boxes", "frames"),
    [
        ([], 0),
        ([line(0.1)], 1),
        ([line(0.1), line(0.12), line(0.14)], 1),
        ([line(0.14), line(0.1), line(0.12)], 1),
        ([line(0.1), line(0.3)], 2),
        ([line(0.1), line(0.12, 0.55, 0.9)], 2),  # the neighbour column
        ([line(0.1), line(0.1, 0.55, 0.9), line(0.12), line(0.12, 0.55, 0.9)], 2),
        ([line(0.1), line(0.12, 0.1, 0.9)], 1),  # a heading above two columns
        ([line(0.1, 0.1, 0.3), line(0.1, 0.302, 0.5), line(0.1, 0.5, 0.9)], 1),  # cells of one row
        ([line(0.1, 0.1, 0.3), line(0.1, 0.32, 0.5)], 2),  # apart in one row
        ([line(0.1, 0.1, 0.3), Box(3, 0.3, 0.1, 0.5, 0.2)], 2),  # a taller cell beside it
        ([line(0.1), line(0.1)], 1),  # twice the same
        ([line(0.1), line(0.1, page=4)], 1),  # another page
        ([line(0.1, 0.5, 0.5), Box(3, 0.1, 0.4, 0.5, 0.2)], 0),  # without width, upside down
    ],
)
def test_lines_of_one_column_become_one_frame(boxes: list[Box], frames: int) -> None:
    assert len(regions(boxes, 3)) == frames


def test_frames_cover_their_lines_and_stay_on_the_page() -> None:
    (frame,) = regions([Box(3, 0.0, 0.0, 1.0, 0.02), Box(3, 0.0, 0.025, 1.0, 0.99)], 3)
    assert (frame.x0, frame.y0, frame.x1, frame.y1) == (0.0, 0.0, 1.0, 0.99 + PADDING)


@pytest.mark.parametrize(
    "shown",
    [
        Box(3, 0.1, 0.5, 0.3, 0.52),
        Box(3, 0.0, 0.0, 0.1, 0.02),
        Box(3, 0.9, 0.98, 1.0, 1.0),
        Box(3, 0.0, 0.0, 1.0, 1.0),
    ],
    ids=["middle", "first corner", "last corner", "everything"],
)
def test_the_crop_holds_what_is_shown_on_the_page_and_is_never_a_sliver(shown: Box) -> None:
    part = crop((shown,), (shown,))
    assert part.x0 <= shown.x0 <= shown.x1 <= part.x1
    assert part.y0 <= shown.y0 <= shown.y1 <= part.y1
    assert min(part.x0, part.y0) >= 0.0
    assert max(part.x1, part.y1) <= 1.0
    assert part.x1 - part.x0 >= CROP_WIDTH - 1e-9
    assert part.y1 - part.y0 >= CROP_HEIGHT - 1e-9


def test_without_a_box_the_whole_page_is_shown() -> None:
    shown = view("X", A4)
    assert (shown.crop.width, shown.crop.height) == (600.0, 800.0)
    assert shown.strong == shown.faint == ()


def test_a_view_is_in_points_and_leaves_other_pages_out() -> None:
    shown = view(
        "X", A4, [Box(3, 0.1, 0.1, 0.5, 0.2), Box(4, 0.1, 0.1, 0.5, 0.2)], [Box(3, 0.1, 0.1, 0.5, 0.4)]
    )
    assert len(shown.strong) == len(shown.faint) == 1
    assert shown.strong[0].x == pytest.approx((0.1 - PADDING) * 600, abs=0.1)
    assert shown.strong[0].height == pytest.approx((0.1 + 2 * PADDING) * 800, abs=0.1)


@pytest.mark.parametrize("pitch", [1.0, 1.25, 1.4, 1.6, 2.0])  # at 1.0 they are cells, whose edges touch
@pytest.mark.parametrize("height", [0.006, 0.009, 0.012, 0.02])
def test_no_frame_takes_or_touches_a_row_that_is_not_cited(pitch: float, height: float) -> None:
    rows = [Box(3, 0.1, 0.2 + i * pitch * height, 0.5, 0.2 + (i * pitch + 1) * height) for i in range(5)]
    found = regions([rows[1], rows[3]], 3, cells=pitch == 1.0)
    assert len(found) == 2
    for row in (rows[0], rows[2], rows[4]):
        assert not any(frame.y0 < row.y1 - 1e-9 and row.y0 < frame.y1 - 1e-9 for frame in found)


def test_all_rows_that_are_cited_side_by_side_stand_in_one_frame() -> None:
    rows = [Box(3, 0.1, 0.2 + i * 0.013, 0.5, 0.209 + i * 0.013) for i in range(5)]
    assert len(regions(rows, 3)) == 1
