# ruff: noqa: INP001 - a script beside its pictures, not a package
"""Take the screenshots of this folder from a served demo library.

Usage: python docs/screens/take.py http://127.0.0.1:8080/ [FOLDER]
"""

from __future__ import annotations

import shutil
import socket
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

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


def wait_for(base: str, seconds: float = 60) -> None:
    """Wait until the page listens; its models take a moment to load."""
    at = urlsplit(base)
    until = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((at.hostname or "", at.port or 80), timeout=5).close()
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return


def main(base: str, folder: Path) -> None:
    """Write one PNG for each shot into the folder."""
    wait_for(base)
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
            target = folder / f"{name}.png"
            page.screenshot(path=target)
            Image.open(target).convert("RGB").quantize(COLOURS).save(target, optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent)
