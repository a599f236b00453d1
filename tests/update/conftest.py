"""What the tests of updates share: two versions on sticks, and a box that serves the first."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from appliance.update import apply
from appliance.update.home import Home
from appliance.update.trial import run
from tests.update import simulator
from tests.update.simulator import SETTINGS, TEXTS, Builder

SOAK = bool(os.environ.get("SOAK"))  # set by `make soak`: the long forms


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a builder with the sticks "one" and "two"; never to be written to."""
    folder = tmp_path_factory.mktemp("office")
    builder = Builder.new(folder)
    builder.bundle(to="one")
    builder.bundle(TEXTS | {"5.2": "Guarding stands 1200 millimetres above the balcony."}, to="two")
    simulator.update(simulator.new_box(folder / "box", builder.root(), "site-1"), folder / "one")
    return folder


@pytest.fixture
def builder(office: Path, tmp_path: Path) -> Builder:
    """A copy of the builder, who may go on from the second version."""
    shutil.copytree(office / "keys", tmp_path / "office" / "keys")
    return Builder(tmp_path / "office")


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one, for what asks nothing of a disk."""
    memory = Path("/dev/shm")
    if not memory.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield Path(name)


@pytest.fixture
def place(tmp_path: Path, quick: Path) -> Path:
    """A folder in memory, for the long forms one on the disk: killing loses nothing in either."""
    return tmp_path if SOAK else quick


@pytest.fixture
def one(office: Path) -> Path:
    return office / "one"


@pytest.fixture
def two(office: Path) -> Path:
    return office / "two"


@pytest.fixture
def box(office: Path, tmp_path: Path) -> apply.Box:
    """A box that serves the first version."""
    return box_in(office, tmp_path / "box")


def box_in(office: Path, folder: Path, tried: Callable[..., run.Verdict] = run.examine) -> apply.Box:
    shutil.copytree(office / "box", folder)
    return apply.Box(Home(folder), SETTINGS, tried)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a figure, past the capture, in the long forms."""

    def tell(figure: str) -> None:
        if SOAK:
            with capsys.disabled():
                sys.stdout.write(f"\n{figure}\n")
                sys.stdout.flush()

    return tell
