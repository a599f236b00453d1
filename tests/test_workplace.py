"""One build at a time, a sentence where nothing can be written, and only own files removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.core.errors import CannotWrite, LibraryBusy
from appliance.core.files import cache_folder, images_folder
from appliance.library_building import occupied, sweep

HOLD = """
import sys, time
from pathlib import Path
from appliance.library_building import occupied
with occupied(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""
NAME = "ab" * 32


def test_two_builds_exclude_each_other_and_a_killed_one_blocks_nothing(tmp_path: Path) -> None:
    library = tmp_path / "codes.db"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(library)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(LibraryBusy, match=f"process {other.pid}\\b"), occupied(library):
            pass
        with occupied(tmp_path / "other.db"):
            pass
        os.kill(other.pid, signal.SIGKILL)
    with occupied(library):
        pass


def test_an_error_inside_gives_the_place_free(tmp_path: Path) -> None:
    with pytest.raises(KeyError), occupied(tmp_path / "codes.db"):
        raise KeyError
    with occupied(tmp_path / "codes.db"):
        pass


def test_missing_folders_are_made(tmp_path: Path) -> None:
    library = tmp_path / "a" / "b" / "codes.db"
    with occupied(library):
        assert images_folder(library).is_dir()
        assert cache_folder(library).is_dir()


def _file_as_parent(library: Path) -> None:
    library.parent.write_text("a file", encoding="utf-8")


def _file_as_images(library: Path) -> None:
    library.parent.mkdir()
    images_folder(library).write_text("a file", encoding="utf-8")


def _file_as_cache(library: Path) -> None:
    library.parent.mkdir()
    cache_folder(library).write_text("a file", encoding="utf-8")


def _folder_as_lock(library: Path) -> None:
    (cache_folder(library) / "lock").mkdir(parents=True)


def _link_to_a_folder_of_the_kernel(library: Path) -> None:
    library.parent.symlink_to("/proc/self")  # not even root makes a file there


@pytest.mark.parametrize(
    "spoil",
    [
        _file_as_parent,
        _file_as_images,
        _file_as_cache,
        _folder_as_lock,
        _link_to_a_folder_of_the_kernel,
    ],
)
def test_a_place_that_cannot_be_written_is_a_sentence(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    library = tmp_path / "folder" / "codes.db"
    spoil(library)
    with pytest.raises(CannotWrite, match="cannot be written"), occupied(library):
        pytest.fail("nothing can be written here")


def test_a_disk_that_fills_up_later_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="No space left"), occupied(tmp_path / "codes.db"):
        Path("/dev/full").write_text("x", encoding="utf-8")


def test_only_files_with_names_of_a_build_are_removed(tmp_path: Path) -> None:
    kept = f"{NAME}.webp"
    old = (f"{NAME}.jpg", f".{NAME}.jpg.4711", f"{NAME}.new.npz")
    foreign = ("notes.txt", "lock", f"{NAME}0.jpg", ".keep")
    for name in (*old, *foreign, kept):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / f"{NAME}.folder").mkdir()
    sweep(tmp_path, lambda path: path.name == kept)
    assert {path.name for path in tmp_path.iterdir()} == {*foreign, kept, f"{NAME}.folder"}


def test_sweeping_never_fails(tmp_path: Path) -> None:
    sweep(tmp_path / "gone", lambda _: False)
    (tmp_path / f"{NAME}.jpg").write_bytes(b"")

    def gone(_: Path) -> bool:
        raise FileNotFoundError

    sweep(tmp_path, gone)
    assert (tmp_path / f"{NAME}.jpg").exists()
