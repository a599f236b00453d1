# ruff: noqa: INP001 - a script beside its pictures, not a package
"""Take the screenshots of this folder from a served demo library.

Usage: python docs/screens/take.py http://127.0.0.1:8080/
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

COLOURS = 160  # of a picture: a third of the size, no difference to see
LAPTOP, PHONE = (1440, 900), (360, 740)
SHOTS = (
    ("home-laptop", "", LAPTOP, "light"),
    ("answer-laptop", "ask?q=shape coefficient of a duopitch roof of 40 degrees", LAPTOP, "light"),
    ("answer-phone", "ask?q=shape coefficient of a duopitch roof of 40 degrees", PHONE, "light"),
    ("clause-laptop-dark", "d/DC-1-3/c/5.3", LAPTOP, "dark"),
    ("tree-phone-dark", "d/DC-1-3", PHONE, "dark"),
)


def main(base: str) -> None:
    """Write one PNG for each shot beside this file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for name, path, (width, height), scheme in SHOTS:
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]  # one of the literals
                device_scale_factor=1 if width > 600 else 2,
            )
            page.goto(base + path)
            page.wait_for_load_state("networkidle")
            target = Path(__file__).parent / f"{name}.png"
            page.screenshot(path=target)
            Image.open(target).convert("RGB").quantize(COLOURS).save(target, optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
