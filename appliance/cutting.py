"""Figures cut out of the page images.

Rules of this module: it reads page images and writes one picture; pages are told by their boxes. A
figure that goes on over several pages is one picture, its parts one under the other.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image

from appliance.document import Box

WHITE = (255, 255, 255)
AIR = 8  # pixels between two parts


def cut_out(boxes: Sequence[Box], image_of: Callable[[int], Path | None]) -> bytes | None:
    """Return what stands in the boxes as one PNG, None where no page has an image.

    `image_of` gives the file of a page's image, None where there is none.
    """
    parts = [part for box in boxes if (part := _part(box, image_of(box.page))) is not None]
    if not parts:
        return None
    height = sum(part.height for part in parts) + AIR * (len(parts) - 1)
    whole = Image.new("RGB", (max(part.width for part in parts), height), WHITE)
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height + AIR
    file = io.BytesIO()
    whole.save(file, "PNG", optimize=True)
    return file.getvalue()


def _part(box: Box, path: Path | None) -> Image.Image | None:
    if path is None:
        return None
    with Image.open(path) as page:
        edges = (box.x0 * page.width, box.y0 * page.height, box.x1 * page.width, box.y1 * page.height)
        left, top, right, bottom = (round(edge) for edge in edges)
        return page.convert("RGB").crop((left, top, max(right, left + 1), max(bottom, top + 1)))
