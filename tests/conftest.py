"""What all tests share."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright
from werkzeug.routing import Rule

from appliance.core.files import data_folder
from appliance.core.settings import Settings
from appliance.ingest.html.printing import INSTALLED_AS
from appliance.library import Library
from appliance.library_building import build
from appliance.models import encoder
from appliance.models.catalogue import Entry, shipped_folder

# Program and tests are compiled once: not by each worker, nor by each process that a test starts.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes tells of the machine's other work, not of the program.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


gc.disable()  # while tests are collected: hardly anything of it is garbage


def pytest_collection_finish() -> None:
    """Leave the thousands of collected tests out of every later search for garbage: they all stay."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def templates_compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all applications of the tests share the compiled templates of the page: most of a test's time."""
    compiled = jinja2.FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    plain = Flask.create_jinja_environment

    def cached(app: Flask) -> jinja2.Environment:
        made = plain(app)
        made.bytecode_cache = compiled
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "create_jinja_environment", cached)
        yield


@pytest.fixture(scope="session", autouse=True)
def addresses_compiled_once() -> Iterator[None]:
    """Let all applications share the functions that write their addresses: most of the time to make one."""
    plain: Callable[[Rule, bool], Any] = Rule._compile_builder
    made: dict[tuple[str, str, str, bool], Any] = {}

    def cached(rule: Rule, append_unknown: bool = True) -> Any:
        key = (rule.rule, repr(rule._trace), repr(rule.defaults), append_unknown)
        if key not in made:
            made[key] = plain(rule, append_unknown)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", cached)
        yield


@pytest.fixture(scope="session", autouse=True)
def models_loaded_once() -> Iterator[None]:
    """Let all libraries of a process share the shipped encoder: most of the time to open one."""
    load = encoder.OnnxEmbedder
    once = cache(load)

    def shared(entry: Entry, folder: Path, fingerprint: str, threads: int) -> encoder.OnnxEmbedder:
        make = once if folder.parent == shipped_folder() else load
        return make(entry, folder, fingerprint, threads)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "OnnxEmbedder", shared)
        yield


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of real codes beside the checkout; skip where it is absent."""
    folder = Path(__file__).parents[2] / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip(f"the real codes are not at {folder}")
    return folder


@pytest.fixture(scope="session")
def demo_pdfs() -> Path:
    """Return the folder of the demo codes."""
    return data_folder() / "demo" / "pdfs"


@pytest.fixture(scope="session")
def demo_library(tmp_path_factory: pytest.TempPathFactory, demo_pdfs: Path) -> Path:
    """Return a library built from the demo codes, once for all tests of all processes; never written to."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # of all the workers of this run
    path = folder / "demo" / "library.db"
    path.parent.mkdir(exist_ok=True)
    with (folder / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            build([demo_pdfs], path, Settings())
    return path


@pytest.fixture(scope="session")
def demo(demo_library: Path) -> Iterator[Library]:
    """Return the demo library, opened."""
    library = Library.open(demo_library)
    yield library
    library.close()


def installed_chromium() -> str:
    """Return the file of this machine's Chromium; skip where there is none."""
    found = next(filter(None, map(shutil.which, INSTALLED_AS)), None)
    if found is None:
        pytest.skip(f"no Chromium on this machine (looked for {', '.join(INSTALLED_AS)})")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return the one browser of all tests: Playwright starts once in a process."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=installed_chromium())
        yield running
        running.close()
