"""What the last update of a box changed, as its page tells it: read from the versions that the box holds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from appliance.library import Library
from appliance.update import apply, home
from appliance.update.home import home_of
from appliance.update.last import last_update
from appliance.update.values import LIBRARY
from appliance.web.app import create_app
from tests.update.simulator import SETTINGS, update


def served(box: apply.Box) -> Path:
    return box.home.generation(home.load_state(box.home).current) / LIBRARY


def test_the_first_version_has_none_before_it(box: apply.Box) -> None:
    found = last_update(served(box), SETTINGS)
    assert found
    assert (found.before, found.now, found.changes) == (0, 1, ())
    assert "before" in found.trouble


def test_an_update_is_told_by_its_clauses_and_reading_it_changes_nothing(box: apply.Box, two: Path) -> None:
    update(box, two)
    before = box.home.state_file.read_bytes()
    found = last_update(served(box), SETTINGS)
    assert found
    assert (found.before, found.now, found.trouble) == (1, 2, "")
    assert [(item.fate, item.label) for change in found.changes for item in change.items] == [
        ("changed", "5.2")
    ]
    assert box.home.state_file.read_bytes() == before


def test_a_version_that_is_gone_or_spoilt_is_said(box: apply.Box, two: Path) -> None:
    update(box, two)
    old = box.home.generation(home.load_state(box.home).previous)
    (old / LIBRARY).chmod(0o600)
    (old / LIBRARY).write_bytes(b"no library")
    found = last_update(served(box), SETTINGS)
    assert found
    assert found.trouble
    shutil.rmtree(old)
    found = last_update(served(box), SETTINGS)
    assert found
    assert found.trouble


@pytest.mark.parametrize("of_a_box", [True, False])
@pytest.mark.parametrize("page", ["/box", "/changes", "/keeper"])
def test_where_the_keeper_looks_it_stands_where_updates_are_made(
    page: str, of_a_box: bool, box: apply.Box, tmp_path: Path
) -> None:
    file = home.serving(box.home)
    if not of_a_box:
        file = Path(shutil.copytree(file.parent, tmp_path / "elsewhere")) / LIBRARY
    library = Library.open(file, home.settings_at(box.home, SETTINGS, file))
    app = create_app(library)
    app.extensions["library path"] = file
    found = app.test_client().get(page, environ_overrides={"REMOTE_ADDR": "127.0.0.1"})
    library.close()
    assert found.status_code == 200
    assert ("Updates are made at the box itself, on its screen." in found.text) == of_a_box


def test_a_library_outside_of_a_home_came_by_no_update(tmp_path: Path) -> None:
    assert last_update(None, SETTINGS) is None
    assert last_update(Path("codes.db"), SETTINGS) is None
    assert last_update(tmp_path / "gen" / "1" / LIBRARY, SETTINGS) is None
    assert home_of(Path("/codes.db")) is None
