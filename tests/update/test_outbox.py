"""Notes to the stick: at once where it may be written, else through the unit that may make it writable."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from appliance.core.errors import UpdateRefused
from appliance.site.gaps_and_feedback import About, Shown, Site
from appliance.update import apply, returned_notes
from appliance.update import returned_notes as outbox
from appliance.update.returned_notes import ANSWERED, ASKED
from tests.update.simulator import SETTINGS

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "packaging" / "box" / "notes-to-stick"


@pytest.fixture
def noted(box: apply.Box) -> apply.Box:
    """A box on which somebody said something."""
    site = Site(box.home.site_file, SETTINGS.site)
    site.add_feedback(About("", "how high is guarding", (Shown("DC-1-3", "5.2", 1),), ""), "helpful")
    return box


@pytest.fixture
def sticks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose folders count as mounted sticks."""
    monkeypatch.setattr(Path, "is_mount", lambda path: path.parent.name == "sticks")
    (tmp_path / "sticks").mkdir()
    return tmp_path / "sticks"


def for_reading(monkeypatch: pytest.MonkeyPatch, sticks: Path) -> None:
    """Let no stick be written by the one who asks, and let the box have mounted them."""
    monkeypatch.setattr(outbox, "OURS", f"{sticks}/*")
    monkeypatch.setattr(os, "access", lambda *_: False)


def refused(box: apply.Box, stick: Path | None, places: tuple[str, ...], seconds: float = 20.0) -> str:
    with pytest.raises(UpdateRefused) as error:
        outbox.send(box.home, stick, places=places, seconds=seconds)
    return error.value.code


def left(box: apply.Box) -> list[str]:
    return [name for name in (ASKED, ANSWERED) if (box.home.path / name).exists()]


def test_a_stick_without_a_bundle_is_found_and_written(noted: apply.Box, sticks: Path) -> None:
    (sticks / "a").mkdir()
    assert outbox.send(noted.home, places=(f"{sticks}/*",)) == 1
    assert {path.name for path in (sticks / "a" / returned_notes.FOLDER).iterdir()} == {
        returned_notes.NOTES, returned_notes.SIGNATURE, "box.pub"
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["link", "file"])
def test_notes_follow_no_link_out_of_the_stick(kind: str, noted: apply.Box, tmp_path: Path) -> None:
    stick, away = tmp_path / "stick", tmp_path / "away"
    stick.mkdir()
    (away / "notes.sig.new").mkdir(parents=True)
    (away / "notes.json").write_text("mine")
    if kind == "link":
        (stick / returned_notes.FOLDER).symlink_to(away)
    else:
        (stick / returned_notes.FOLDER).touch()
    assert refused(noted, stick, ()) == "no folder"
    assert (away / "notes.json").read_text() == "mine"
    assert sorted(path.name for path in away.iterdir()) == ["notes.json", "notes.sig.new"]


def test_a_link_in_the_folder_of_notes_is_replaced_and_not_followed(noted: apply.Box, tmp_path: Path) -> None:
    folder, away = tmp_path / returned_notes.FOLDER, tmp_path / "mine"
    folder.mkdir()
    away.write_text("mine")
    (folder / "notes.json").symlink_to(away)
    (folder / "notes.json.new").symlink_to(away)
    assert outbox.send(noted.home, tmp_path) == 1
    assert away.read_text() == "mine"
    assert not (folder / "notes.json").is_symlink()


@pytest.mark.parametrize(
    ("names", "code"), [((), "no target"), (("a", "b"), "several targets")], ids=["none", "two"]
)
def test_none_or_several_sticks_are_refused(
    noted: apply.Box, sticks: Path, names: tuple[str, ...], code: str
) -> None:
    for name in names:
        (sticks / name).mkdir()
    assert refused(noted, None, (f"{sticks}/*",)) == code


def test_a_stick_that_somebody_else_mounted_for_reading_is_refused(
    noted: apply.Box, sticks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sticks / "a").mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert refused(noted, None, (f"{sticks}/*",)) == "no writing"
    assert left(noted) == []


@pytest.mark.parametrize("trouble", ["", "file in the way", "two sticks"])
def test_the_unit_is_asked_and_what_it_says_is_told(
    noted: apply.Box, sticks: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    (sticks / "a").mkdir()
    if trouble == "file in the way":
        (sticks / "a" / returned_notes.FOLDER).write_text("a file")
    for_reading(monkeypatch, sticks)
    done = threading.Event()

    def unit() -> None:
        while not (noted.home.path / ASKED).exists() and not done.is_set():
            time.sleep(0.01)
        if trouble == "two sticks":
            (sticks / "b").mkdir()
        outbox.answer(noted.home)

    thread = threading.Thread(target=unit)
    thread.start()
    try:
        if trouble:
            assert refused(noted, None, (f"{sticks}/*",)) == "no writing"
        else:
            assert outbox.send(noted.home, places=(f"{sticks}/*",)) == 1
            assert json.loads((sticks / "a" / returned_notes.FOLDER / returned_notes.NOTES).read_bytes())[
                "notes"
            ]
    finally:
        done.set()
        thread.join(30)
    assert left(noted) == [], "nothing stays that would ask again at the next start"


def test_where_no_unit_answers_that_is_said_and_nothing_stays(
    noted: apply.Box, sticks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sticks / "a").mkdir()
    for_reading(monkeypatch, sticks)
    assert refused(noted, None, (f"{sticks}/*",), 0.3) == "no writer"
    assert left(noted) == []


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"number": 7}', b"\xff" * 70_000])
def test_a_word_that_is_none_asks_for_nothing(
    noted: apply.Box, sticks: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    (sticks / "a").mkdir()
    for_reading(monkeypatch, sticks)
    (noted.home.path / ASKED).write_bytes(content)
    outbox.answer(noted.home)
    assert left(noted) == []
    assert list((sticks / "a").iterdir()) == []


# In a mount namespace of its own: a stick for reading, a word left, the script, and what is so then.
IN_NAMESPACE = """
set -eu
mount -t tmpfs -o ro,nosuid,nodev,noexec stick "$STICKS/sda1"
printf '{"number": "7"}' > "$BOX/notes-asked"
if touch "$STICKS/sda1/before" 2>/dev/null; then echo "it could be written before"; fi
"$UNIT"
grep -q " $STICKS/sda1 tmpfs ro,nosuid,nodev,noexec" /proc/self/mounts || echo "it can be written still"
cp -r "$STICKS/sda1/." "$OUT"
"""


def test_the_script_of_the_unit_makes_the_stick_writable_for_this_act_alone(
    noted: apply.Box, tmp_path: Path
) -> None:
    namespace = ["unshare", "--mount", "--propagation", "private"]
    able = shutil.which("unshare") and os.geteuid() == 0
    if not able or subprocess.run([*namespace, "true"], check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here (unshare --mount)")
    program, sticks, out = tmp_path / "opt", tmp_path / "sticks", tmp_path / "out"
    for folder in (program / "bin", sticks / "sda1", out):
        folder.mkdir(parents=True)
    runs = program / "bin" / "appliance"
    ours = f"from appliance.update import returned_notes; returned_notes.OURS = '{sticks}/*'"
    runs.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n{ours}\n"
        "from appliance.cli import main\nmain()\n"
    )
    runs.chmod(0o755)
    places = {"PREFIX": program, "BOX": noted.home.path, "STICKS": sticks, "OUT": out, "UNIT": UNIT}
    done = subprocess.run(
        [*namespace, "bash", "-c", IN_NAMESPACE],
        env=os.environ | {name: str(path) for name, path in places.items()} | {"OWNER": "0"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert (out / returned_notes.FOLDER / returned_notes.SIGNATURE).is_file()
    assert not (out / "before").exists()
    told = json.loads((noted.home.path / ANSWERED).read_bytes())
    assert (told["number"], told["notes"], told["words"]) == ("7", 1, "")
    assert not (noted.home.path / ASKED).exists()
