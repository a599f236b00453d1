"""What is said of who may read: the truth of the box, whoever asks and however."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.core import settings as all_settings
from appliance.core.settings import Settings
from appliance.operation import health
from appliance.site.gaps_and_feedback import Site
from tests.update.simulator import write_codes

CODE = "asks each device for the access code once"
OPEN = "open to everybody on this network"
UNKNOWN = "not known, for this user cannot read the settings of the box"


@pytest.mark.parametrize(
    ("asks", "there", "readable", "wanted"),
    [
        (True, False, False, ("well", CODE)),
        (True, True, False, ("well", CODE)),  # settings that were named
        (False, False, False, ("well", OPEN)),
        (False, True, True, ("well", OPEN)),
        (False, True, False, ("note", UNKNOWN)),
    ],
)
def test_who_may_read(
    asks: bool, there: bool, readable: bool, wanted: tuple[str, str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    of_box, settings = tmp_path / "settings.toml", Settings()
    if there:
        of_box.touch()
    if asks:
        settings = replace(settings, serve=replace(settings.serve, access_code_file=tmp_path / "code"))
    monkeypatch.setattr(health, "OF_BOX", of_box)
    monkeypatch.setattr(os, "access", lambda *_: readable)
    found = health.points(tmp_path / "codes.db", settings, Site(tmp_path / "notes", settings.site))
    assert {point.name: (point.state, point.words) for point in found}["access"] == wanted


@pytest.mark.parametrize(("there", "wanted"), [(True, CODE), (False, OPEN)])
def test_the_doctor_takes_the_settings_of_the_box_that_it_stands_on(
    there: bool, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_box, code = tmp_path / "settings.toml", tmp_path / "code"
    code.write_text("k7m2p9qr\n")
    of_box.write_text(f'[serve]\naccess_code_file = "{code}"\n[models]\nembedder = ""\nreranker = ""\n')
    monkeypatch.setattr(all_settings, "of_box", lambda: of_box if there else None)
    monkeypatch.delenv("APPLIANCE_SETTINGS", raising=False)
    library = write_codes(tmp_path / "codes.db")
    said = CliRunner().invoke(main, ["doctor", "--library", str(library), "--json"])
    checks = {check["name"]: check["message"] for check in json.loads(said.stdout)["checks"]}
    assert checks["access"] == wanted
