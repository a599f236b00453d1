"""The page about a box tells where updates are made."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from appliance.library import Library
from appliance.update import apply, home
from appliance.update.values import LIBRARY
from appliance.web import served
from appliance.web.app import create_app
from tests.update.simulator import SETTINGS


@pytest.mark.parametrize("of_a_box", [True, False])
def test_where_the_keeper_looks_it_stands_where_updates_are_made(
    of_a_box: bool, box: apply.Box, tmp_path: Path
) -> None:
    file = home.serving(box.home)
    if not of_a_box:
        file = Path(shutil.copytree(file.parent, tmp_path / "elsewhere")) / LIBRARY
    library = Library.open(file, home.settings_at(box.home, SETTINGS, file))
    app = create_app(library)
    served.remember(app, file)
    found = app.test_client().get("/box")
    library.close()
    assert found.status_code == 200
    assert ("Updates are made at the box itself, on its screen." in found.text) == of_a_box
