"""Rules found in the pixels of a scan: long and thin, straight or a little turned; letters give none."""

from __future__ import annotations

import numpy as np

from appliance.ingest.ocr.process import Pixels
from appliance.ingest.ocr.rules_and_drawings import MANY, strokes_in

SCALE = 0.5  # points per pixel


def paper() -> Pixels:
    return np.full((800, 1200), 255, dtype=np.uint8)


def test_hatching_gives_none() -> None:
    pixels = paper()
    pixels[0 : 3 * MANY + 60 : 3, 100:1100] = 0
    assert strokes_in(pixels, SCALE) == ()
