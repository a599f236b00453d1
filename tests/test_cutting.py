"""Figures cut out of page images."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from appliance.core.document import Box
from appliance.library import cut_out

SIZE = (200, 400)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.png"
    image = Image.new("RGB", SIZE, "white")
    image.paste((255, 0, 0), (20, 40, 100, 200))
    image.save(path)
    return path


def opened(content: bytes | None) -> Image.Image:
    assert content is not None
    return Image.open(io.BytesIO(content))


def test_the_box_alone_is_cut(page: Path) -> None:
    cut = opened(cut_out([Box(1, 0.1, 0.1, 0.5, 0.5)], lambda _: page))
    assert (cut.format, cut.size) == ("PNG", (80, 160))
    assert cut.getcolors() == [(80 * 160, (255, 0, 0))]


def test_parts_on_several_pages_stand_one_below_the_other(page: Path) -> None:
    boxes = [Box(1, 0.1, 0.1, 0.5, 0.5), Box(2, 0.0, 0.9, 1.0, 1.0), Box(3, 0.0, 0.0, 1.0, 1.0)]
    cut = opened(cut_out(boxes, lambda number: page if number < 3 else None))
    assert cut.size == (200, 160 + 8 + 40)


@pytest.mark.parametrize("box", [Box(1, 0.5, 0.5, 0.5, 0.5), Box(1, 1.0, 1.0, 1.0, 1.0)])
def test_an_empty_box_is_no_failure(box: Box, page: Path) -> None:
    assert opened(cut_out([box], lambda _: page)).size == (1, 1)


def test_without_images_there_is_no_picture() -> None:
    assert cut_out([Box(1, 0, 0, 1, 1)], lambda _: None) is None
    assert cut_out([], lambda _: None) is None
