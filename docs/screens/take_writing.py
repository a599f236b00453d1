# ruff: noqa: INP001, T201 - a script beside its pictures, not a package
"""Take the screenshots of an answer that waits, is written, is stopped, is done: part of `make screens`.

Usage: python docs/screens/take_writing.py LIBRARY [FOLDER]

The page is the real one with the real queue; in place of weights a script names the first two sentences
that it is shown, so that the pictures are the same each time. It halts in the middle until the picture is
taken.
"""

from __future__ import annotations

import logging
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright
from take import PATIENCE, QUALITY, SIZES
from werkzeug.serving import make_server

from appliance.core.settings import JobSettings, LlmSettings, Settings
from appliance.library import Library
from appliance.models.protocols import Event, Generation, Piece
from appliance.web.answers.model_queues import Desk
from appliance.web.app import create_app
from appliance.written_answers import Asked, Writer

sys.path.append(str(Path(__file__).parents[2]))
from tests.models.scripted import ScriptedGenerator, ScriptedWriting, perfect

QUESTION = "When may snow be left out of the design?"
OTHER = "How is drifted snow found?"  # of somebody else, asked before
LOOKS = ((360, "sunlight"), (1440, "light"))
TEXT = 12  # characters after which the script halts: behind the first id
ENOUGH = 60  # characters of the draft on the page when its picture is taken


@dataclass
class Halting(ScriptedGenerator):
    """It halts in the middle of an answer until it may go on."""

    def __post_init__(self) -> None:
        self.script, self.goes_on = perfect, threading.Event()

    def begin(self, generation: Generation) -> ScriptedWriting:
        """Begin to write; halt after some text of an answer."""
        return HaltingWriting(self, generation)


class HaltingWriting(ScriptedWriting):
    """One text of it."""

    def __init__(self, model: Halting, generation: Generation) -> None:
        super().__init__(model, generation)
        self._goes_on = model.goes_on

    def __iter__(self) -> Iterator[Event]:
        """Yield the pieces, halting in the middle of an answer; cancelled, it goes on to its end."""
        told = 0
        for event in super().__iter__():
            told += len(event.text) if isinstance(event, Piece) else 0
            while told > TEXT and not self._goes_on.wait(0.1) and not self._cancelled.is_set():
                pass
            yield event


@contextmanager
def served(library: Path) -> Iterator[tuple[str, Desk, threading.Event]]:
    """Serve a library with the script; a job is not given up while its picture is taken."""
    settings = Settings(
        llm=LlmSettings(model="scripted", mode="always"),
        jobs=JobSettings(lease_seconds=3600.0, seconds=3600.0, waiting_seconds=3600.0),
    )
    opened, model = Library.open(library, settings), Halting()
    app = create_app(opened, settings=settings, writer=Writer(opened, model, settings))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", app.extensions["writing"], model.goes_on
    model.goes_on.set()
    server.shutdown()


def states(page: Page, desk: Desk, goes_on: threading.Event) -> Iterator[str]:
    """Bring the page from one state to the next, and yield the name of each."""
    goes_on.clear()
    before = desk.jobs.submit("other", "somebody else", Asked(OTHER, mode="always"))
    page.goto(f"ask?q={quote(QUESTION)}&mode=always")
    page.get_by_text(re.compile("Waiting, 1 before")).wait_for()
    yield "waiting"
    desk.jobs.cancel(before)
    page.locator(".draft").filter(has_text=re.compile(f".{{{ENOUGH}}}")).wait_for()
    yield "writing"
    page.get_by_role("button", name="Stop").click()
    page.get_by_text(re.compile("Stopped")).wait_for()
    yield "stopped"
    goes_on.set()
    page.goto(f"ask?q={quote(QUESTION)}&mode=always")
    page.locator(".writing .checked").wait_for()
    yield "written"


def saved(page: Page, target: Path) -> int:
    """Write what is in sight of a page; return the bytes."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.save(target, "WEBP", quality=QUALITY, method=6)
    return target.stat().st_size


def main(library: Path, folder: Path) -> None:
    """Write the pictures into the folder, and say how large they are together."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    folder.mkdir(parents=True, exist_ok=True)
    sizes: list[int] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for width, theme in LOOKS:
            view: ViewportSize = {"width": width, "height": SIZES[width][1]}
            with (
                served(library) as (base, desk, goes_on),
                browser.new_context(viewport=view, base_url=base) as context,
            ):
                context.set_default_timeout(PATIENCE)
                context.add_cookies([{"name": "codes_theme", "value": theme, "url": base}])
                page = context.new_page()
                for name in states(page, desk, goes_on):
                    place = page.locator(".writing .checked" if name == "written" else "[data-writing]")
                    place.evaluate(
                        "item => item.scrollIntoView({block: innerWidth < 600 ? 'start' : 'center'})"
                    )
                    target = folder / f"{name}-{width}-{theme}.webp"
                    sizes.append(saved(page, target))
        browser.close()
    print(f"{len(sizes)} pictures, {sum(sizes) / 2**20:.1f} MiB, in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent)
