"""How far a scan is turned, and its picture turned back.

Rules of this module: pure; pixels in, degrees or pixels out. Lines of text that lie straight make rows
that are full or empty, so the angle is the one at which the ink of the rows differs most (projection
profile: Postl, "Detection of linear oblique structures", ICPR 1986). Positive angles are turned back
clockwise. What stands on a straightened page is boxed where it is printed: `page.box_on` turns back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

Pixels = npt.NDArray[np.uint8]

WIDEST = 700  # pixels of the picture in which the angle is looked for
MOST = 4.0  # degrees that a feeder or a hand turns a sheet
LEAST = 0.15  # degrees: two points over a line of text; less is left as it is
CLEAR = 1.05  # the best angle must part the rows so much better than none


def angle_of(pixels: Pixels) -> float:
    """Return the degrees by which the page is turned anticlockwise, 0.0 where nothing tells."""
    step = max(1, round(pixels.shape[1] / WIDEST))
    small = Image.fromarray(255 - pixels).reduce(step)
    if min(small.size) < 20:
        return 0.0
    best = _best(small, np.arange(-MOST, MOST + 0.01, 0.5))
    best = _best(small, best + np.arange(-0.4, 0.41, 0.1))
    if abs(best) < LEAST or _parted(small, best) <= CLEAR * _parted(small, 0.0):
        return 0.0
    return round(float(best), 2)


def _best(picture: Image.Image, angles: npt.NDArray[np.float64]) -> float:
    return float(max(angles, key=lambda angle: _parted(picture, float(angle))))


def _parted(picture: Image.Image, angle: float) -> float:
    """Return how much neighbouring rows differ in ink once the picture is turned by the angle."""
    turned = picture.rotate(-angle, Image.Resampling.BILINEAR) if angle else picture
    rows = np.asarray(turned, dtype=np.float64).sum(axis=1)
    return float(np.square(np.diff(rows)).sum())


def turned_back(pixels: Pixels, angle: float) -> Pixels:
    """Return the picture with its lines level, white where the sheet's corners were."""
    if not angle:
        return pixels
    image = Image.fromarray(pixels).rotate(-angle, Image.Resampling.BICUBIC, fillcolor=255)
    return np.asarray(image, dtype=np.uint8)
