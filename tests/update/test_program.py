"""The program in a bundle: unpacked into its generation, tried, launched, and gone back from with it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

import appliance
from appliance import launch
from appliance.core.errors import BadInput, UpdateRefused
from appliance.store import connection
from appliance.store.connection import SCHEMA_VERSION
from appliance.update import apply, audit, bundle, home
from appliance.update.changes.report import PROGRAM, report_staged
from appliance.update.intake.program import unpacked_size, wheels_in
from appliance.update.intake.stick import find_stick
from appliance.update.trial import scrub
from tests.update import power, simulator
from tests.update.conftest import SOAK, box_in
from tests.update.simulator import SETTINGS, TEXTS, Builder, release_of, update, version

PACKAGE = Path(appliance.__file__).parent
NEWER = TEXTS | {"5.2": "Guarding stands 1250 millimetres above the balcony."}
NAME = "appliance-9.9.9-py3-none-any.whl"
LARGE = frozenset({"demo", "models", "fonts"})  # of the data: not needed by a trial without models


def record(files: dict[str, bytes]) -> bytes:
    rows = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join([*rows, "appliance-9.9.9.dist-info/RECORD,,\n"]).encode()


def wheel(path: Path, files: dict[str, bytes], said: bytes | None = None) -> Path:
    """Write a wheel; `said` is a RECORD of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files = files | {"appliance-9.9.9.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr("appliance-9.9.9.dist-info/RECORD", record(files) if said is None else said)
    return path


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A folder with a wheel of three files."""
    wheel(
        tmp_path / "wheels" / NAME,
        {"appliance/__init__.py": b'__version__ = "9.9.9"\n', "appliance/a.py": b"x = 1\n"},
    )
    return tmp_path / "wheels"


def of_itself(path: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """Write a wheel of this very program with a change."""
    files = {
        f"appliance/{file.relative_to(PACKAGE).as_posix()}": file
        for file in PACKAGE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    data = PACKAGE.parent / "data"
    for file in data.rglob("*"):
        inner = file.relative_to(data)
        if file.is_file() and inner.parts[0] not in LARGE and "__pycache__" not in inner.parts:
            files[f"appliance/_data/{inner.as_posix()}"] = file
    return wheel(path, {name: change(name, file.read_bytes()) for name, file in files.items()})


def renamed(name: str, content: bytes) -> bytes:
    return b'"""Changed."""\n\n__version__ = "9.9.9"\n' if name == "appliance/__init__.py" else content


def that_fails(name: str, content: bytes) -> bytes:
    return b"raise SystemError('not today')\n" if name == "appliance/web/serve.py" else renamed(name, content)


def launched(at: Path, *words: str, **env: str) -> str:
    """Return what the command line of a box says, through its launcher."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("APPLIANCE")}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "appliance.launch", *words],
        env=kept | {"APPLIANCE_HOME": str(at), "PYTHONPATH": str(PACKAGE.parent)} | env,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_a_changed_program_is_tried_launched_and_gone_back_from(
    box: apply.Box, builder: Builder, tmp_path: Path
) -> None:
    real = apply.Box(box.home, SETTINGS)
    of_itself(tmp_path / "wheels" / NAME, renamed)
    at = box.home.path
    assert f"version {appliance.__version__}" in launched(at, "--version")
    update(real, builder.bundle(NEWER, program=tmp_path / "wheels"))
    assert home.installed(box.home, home.load_state(box.home).current).release.program == "9.9.9"
    assert "version 9.9.9" in launched(at, "--version")
    assert "serves    version 3" in launched(at, "update", "status"), "also the updater is the new one"
    assert f"version {appliance.__version__}" in launched(at, "--version", APPLIANCE_PROGRAM="base")
    assert launched(at, "update", "rollback", "--yes").startswith("Version 1 is served")
    assert f"version {appliance.__version__}" in launched(at, "--version")
    assert version(box) == 1


def test_a_program_that_does_not_start_is_gone_back_from(
    box: apply.Box, builder: Builder, tmp_path: Path
) -> None:
    of_itself(tmp_path / "wheels" / NAME, that_fails)
    with pytest.raises(UpdateRefused, match="its program does not start: SystemError: not today"):
        update(apply.Box(box.home, SETTINGS), builder.bundle(NEWER, program=tmp_path / "wheels"))
    assert version(box) == 1
    assert [line.event for line in audit.read_log(box.home.audit_file).lines].count("tried") == 3
    assert f"version {appliance.__version__}" in launched(box.home.path, "--version")


def test_each_of_its_files_is_a_file_of_the_generation(box: apply.Box, builder: Builder, tiny: Path) -> None:
    update(box, builder.bundle(NEWER, program=tiny))
    at = home.load_state(box.home).current
    names = {file.name for file in home.installed(box.home, at).files}
    assert {f"wheels/{NAME}", "program/appliance/a.py", "program/appliance-9.9.9.dist-info/RECORD"} <= names
    lying = {path for path in box.home.generation(at).rglob("*") if path.is_file()}
    assert {str(path.relative_to(box.home.generation(at))) for path in lying} == names | {home.INSTALLED}
    assert all(not path.stat().st_mode & 0o111 for path in lying), "nothing is executable by its mode"
    path = box.home.generation(at) / "program" / "appliance" / "a.py"
    path.chmod(0o644)
    path.write_bytes(b"x = 2\n")
    assert scrub.scrub(box).damaged == ("program/appliance/a.py",)
    assert version(box) == 1


def test_the_next_bundle_goes_on_with_the_program_of_the_one_before(
    box: apply.Box, builder: Builder, tiny: Path
) -> None:
    first = builder.bundle(NEWER, program=tiny, to="first")
    update(box, first)
    small = builder.bundle(TEXTS, since=first, small=True, to="small")
    left_off = [path for path, name in simulator.targets(small) if name == f"wheels/{NAME}"]
    assert [path.exists() for path in left_off] == [False]
    update(box, small)
    assert (box.home.generation(home.load_state(box.home).current) / "program/appliance/a.py").is_file()
    update(box, builder.bundle(NEWER, to="without"))
    assert launch.generation(box.home.path) == box.home.generation(home.load_state(box.home).current)
    assert not (box.home.generation(home.load_state(box.home).current) / "program").exists()


def test_killed_at_every_durable_step_the_old_program_or_the_new_is_there(
    office: Path, builder: Builder, tiny: Path, place: Path, told: Callable[[str], None]
) -> None:
    stick = builder.bundle(NEWER, program=tiny)
    box = box_in(office, place / "box")
    steps = power.acts_of(lambda: update(box, stick))
    seen: Counter[int] = Counter()
    for number in range(0, len(steps), 1 if SOAK else 3):
        shutil.rmtree(place / "box")
        box = box_in(office, place / "box")
        watcher = power.at_act(number, power.kill_self)
        assert power.in_child(lambda box=box: update(box, stick), watcher) == -9  # type: ignore[misc]
        with home.alone(box.home):
            apply.recover(box)
        serving = version(box)
        folder = launch.generation(box.home.path)
        assert folder is not None
        assert (folder / "program").is_dir() == (serving == 3)
        seen[serving] += 1
    told(f"killed at {len(steps)} steps of an update of the program: old {seen[1]}, new {seen[3]}, lost 0")
    assert set(seen) == {1, 3}


def test_a_library_for_the_new_program_cannot_be_compared_and_that_is_said(
    box: apply.Box, builder: Builder, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    library = simulator.write_codes(builder.folder / "newer" / "codes.db", NEWER)
    with closing(sqlite3.connect(library)) as newer:
        newer.execute("delete from meta where key = 'seal'")
        newer.commit()
        newer.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    monkeypatch.setattr(connection, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    stick = builder.bundle(library=library, program=tiny)
    alone = builder.bundle(library=library, to="alone")
    monkeypatch.setattr(connection, "SCHEMA_VERSION", SCHEMA_VERSION)
    with pytest.raises(UpdateRefused, match="needs a newer program"):
        apply.prepare(box, find_stick(alone))
    apply.prepare(box, find_stick(stick))
    report = report_staged(box.home, SETTINGS)
    assert (report["unread"], report["changes"]) == (PROGRAM, [])


GOOD = {"appliance/__init__.py": b'__version__ = "9.9.9"\n'}


def linked(path: Path) -> Path:
    wheel(path, GOOD)
    info = zipfile.ZipInfo("appliance/link.py")
    info.external_attr = 0o120777 << 16
    files = GOOD | {"appliance/link.py": b"/etc/passwd"}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(info if name.endswith("link.py") else name, content)
        archive.writestr("appliance-9.9.9.dist-info/RECORD", record(files))
    return path


def not_a_zip(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"PK\x03\x04 and no more")
    return path


HOSTILE: dict[str, Callable[[Path], Path]] = {
    "above": lambda path: wheel(path, GOOD | {"../above.py": b"x"}),
    "far above": lambda path: wheel(path, GOOD | {"appliance/../../../above.py": b"x"}),
    "absolute": lambda path: wheel(path, GOOD | {"/etc/cron.d/x": b"x"}),
    "backslash": lambda path: wheel(path, GOOD | {"..\\above.py": b"x"}),
    "a script": lambda path: wheel(path, GOOD | {"appliance-9.9.9.data/scripts/x": b"#!/bin/sh\n"}),
    "a hidden file": lambda path: wheel(path, GOOD | {".profile": b"x"}),
    "two of one name": lambda path: wheel(path, GOOD | {"appliance/A.py": b"x", "appliance/a.py": b"y"}),
    "a link": linked,
    "no zip": not_a_zip,
    "an empty record": lambda path: wheel(path, GOOD, b""),
    "a record that is none": lambda path: wheel(path, GOOD, b"\xff\xfe,,\n"),
    "another hash": lambda path: wheel(
        path, GOOD, record({"appliance/__init__.py": b'__version__ = "9.9.8"\n'})
    ),
    "another length": lambda path: wheel(
        path, GOOD, record(GOOD | {"appliance-9.9.9.dist-info/WHEEL": b"W" * 9}).replace(b",22\n", b",7\n")
    ),
    "no digits": lambda path: wheel(path, GOOD, record(GOOD).replace(b",22\n", b",many\n")),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_builder_is_told_of_a_wheel_that_a_box_would_refuse(tmp_path: Path, kind: str) -> None:
    HOSTILE[kind](tmp_path / "wheels" / NAME)
    with pytest.raises(BadInput):
        wheels_in(tmp_path / "wheels")


def signed_with(builder: Builder, stick: Path, content: bytes, unpacked: int) -> Path:
    """Return a stick that names a wheel, rightly signed by whoever has the keys."""
    release = release_of(stick) | {"unpacked": unpacked, "version": 9}
    files = {"release.json": msgspec.json.encode(release), f"wheels/{NAME}": content}
    simulator.resign(stick, builder, version=9, files=files)
    return stick


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_wheel_that_is_signed_writes_nothing_outside_and_is_refused(
    box: apply.Box, builder: Builder, tmp_path: Path, two: Path, kind: str
) -> None:
    path = HOSTILE[kind](tmp_path / "wheels" / NAME)
    stick = signed_with(builder, simulator.copy(two, tmp_path / "stick"), path.read_bytes(), 10_000)
    before = {found for found in tmp_path.rglob("*") if "lock" not in found.name}
    with pytest.raises(UpdateRefused, match="has no place on a box"):
        apply.prepare(box, find_stick(stick))
    left = {found for found in tmp_path.rglob("*") if "lock" not in found.name}
    assert left == before, "also the staging is gone"
    assert version(box) == 1


@pytest.mark.parametrize(
    ("unpacked", "said"),
    [(0, "not what it says"), (-1, "not what it says"), (100, "larger than it says"), (1 << 60, "MiB")],
)
def test_no_more_is_unpacked_than_was_signed(
    box: apply.Box, builder: Builder, tmp_path: Path, two: Path, unpacked: int, said: str
) -> None:
    bomb = wheel(tmp_path / "wheels" / NAME, GOOD | {"appliance/zeros.py": bytes(1 << 22)})
    assert bomb.stat().st_size < 10_000 < unpacked_size((bomb,))
    stick = signed_with(builder, simulator.copy(two, tmp_path / "stick"), bomb.read_bytes(), unpacked)
    with pytest.raises(UpdateRefused, match=said):
        apply.prepare(box, find_stick(stick))
    assert version(box) == 1


@pytest.mark.parametrize(
    "name",
    ["wheels/x.tar.gz", "wheels/../x.whl", "wheels/a/b.whl", "wheels/.whl", "program/x.py", "wheels/x.whl/y"],
)
def test_no_other_name_is_taken_for_a_program(
    box: apply.Box, builder: Builder, tmp_path: Path, two: Path, name: str
) -> None:
    stick = simulator.copy(two, tmp_path / "stick")
    simulator.resign(stick, builder, version=9, files={name: b"x"})
    with pytest.raises(UpdateRefused, match="has no place on a box"):
        apply.prepare(box, find_stick(stick))


def test_a_folder_without_the_program_is_refused(tmp_path: Path, builder: Builder) -> None:
    (tmp_path / "wheels").mkdir()
    with pytest.raises(BadInput, match="holds no wheel of the program"):
        builder.bundle(program=tmp_path / "wheels")


def sealed(current: object) -> bytes:
    said = {"current": current}
    return json.dumps(said | {launch.SEAL: launch.seal(said)}).encode()


@pytest.mark.parametrize(
    ("state", "copy", "current"),
    [
        (sealed("3-a"), None, "3-a"),
        (b"{", sealed("2-b"), "2-b"),
        (None, sealed("2-b"), "2-b"),
        (b'{"current": "3-a"}', sealed("2-b"), "2-b"),
        (sealed("../../etc"), None, None),
        (sealed(7), None, None),
        (b"[]", None, None),
        (b"\xff", None, None),
        (None, None, None),
    ],
)
def test_the_launcher_reads_the_pointer_or_its_copy(
    tmp_path: Path, state: bytes | None, copy: bytes | None, current: str | None
) -> None:
    for name, content in (("state.json", state), ("state.bak", copy)):
        if content is not None:
            (tmp_path / name).write_bytes(content)
    assert launch.generation(tmp_path) == (tmp_path / "gen" / current if current else None)


@pytest.mark.parametrize(
    ("words", "env", "found"),
    [
        (["serve", "--home", "/a"], {}, "/a"),
        (["serve", "--home=/a"], {"APPLIANCE_HOME": "/b"}, "/a"),
        (["serve", "--library", "/a"], {}, "/a"),
        (["update", "status"], {"APPLIANCE_HOME": "/b"}, "/b"),
        (["ask", "x"], {"APPLIANCE_LIBRARY": "/c"}, "/c"),
        (["serve", "--home"], {}, "."),
        (["serve"], {}, None),
    ],
)
def test_the_launcher_finds_the_home(words: list[str], env: dict[str, str], found: str | None) -> None:
    assert launch.home_named(words, env) == (Path(found) if found else None)


def test_the_environment_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "program").mkdir()
    plain = {"PYTHONPATH": "/own", "HOME": "/root"}
    inside = launch.environment(tmp_path, plain)
    assert inside["PYTHONPATH"].split(os.pathsep) == [str(tmp_path / "program"), "/own"]
    assert launch.without(inside).items() >= plain.items()
    assert "APPLIANCE_PROGRAM" not in launch.without(inside)
    other = tmp_path / "other"
    assert launch.environment(other, inside)["APPLIANCE_PROGRAM"] == "base"
    assert launch.environment(other, inside)["PYTHONPATH"] == "/own"
