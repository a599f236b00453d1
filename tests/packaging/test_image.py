"""What making a bundle and a disk reckons with: locked requirements, sectors of GRUB, mounts of the image."""

from __future__ import annotations

import hashlib
import runpy
import struct
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADER = runpy.run_path(str(ROOT / "scripts" / "image" / "bios.py"))["loader"]
REQUIREMENTS = ROOT / "scripts" / "image" / "requirements.py"
LOCKED = """\
# made by a program
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:aa \\
    --hash=sha256:bb
numpy==2.5.0 ; python_full_version >= '3.12' \\
    --hash=sha256:cc
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:dd
Flask==3.1.3 \\
    --hash=sha256:ee
    # via nothing
"""


def requirements(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(REQUIREMENTS), *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_requirements_are_those_of_a_box_with_their_hashes(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_text(LOCKED)
    said = requirements(file).stdout
    assert "numpy==2.4.6" in said
    assert "--hash=sha256:bb" in said
    assert "2.5.0" not in said
    assert "colorama" not in said
    assert "Flask==3.1.3" in said
    only = requirements(file, "--only", "flask").stdout
    assert "Flask" in only
    assert "numpy" not in only
    assert requirements(file, "--only", "flask", "--beside", file).stdout.strip() == ""


def test_a_name_that_is_not_locked_is_told(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text(LOCKED)
    done = requirements(tmp_path / "run.txt", "--only", "llama-cpp-python")
    assert done.returncode
    assert "does not have llama-cpp-python" in done.stderr


def test_wheels_become_requirements_with_their_hash_and_pip_is_none_of_them(tmp_path: Path) -> None:
    for name in ("pip-26.0-py3-none-any.whl", "a_b-1.0-py3-none-any.whl"):
        (tmp_path / name).write_bytes(name.encode())
    hashed = hashlib.sha256(b"a_b-1.0-py3-none-any.whl").hexdigest()
    assert requirements("--of", tmp_path).stdout.split() == ["a-b==1.0", f"--hash=sha256:{hashed}"]


def test_the_lock_of_the_project_has_what_a_box_needs() -> None:
    run, dev = ROOT / "requirements" / "run.txt", ROOT / "requirements" / "dev.txt"
    said = requirements(run).stdout
    assert "onnxruntime==" in said
    assert "pywin32" not in said
    assert requirements(dev, "--only", "llama-cpp-python,diskcache,jinja2").returncode == 0


def boot_image() -> bytes:
    return bytes(510) + b"\x55\xaa"


def core_image(sectors: int = 40) -> bytes:
    first = bytearray(512)
    struct.pack_into("<QHH", first, 500, 1, sectors, 0x820)
    return bytes(first) + bytes(range(256)) * 2 * (sectors - 1)


def test_both_sectors_of_the_loader_are_told_where_the_next_is() -> None:
    head, tail = LOADER(boot_image(), core_image(), 2048)
    assert len(head) == 440, "the table of partitions begins after it"
    assert struct.unpack_from("<Q", head, 0x5C) == (2048,)
    assert struct.unpack_from("<QHH", tail, 500) == (2049, 40, 0x820)
    assert tail[512:] == core_image()[512:]


@pytest.mark.parametrize(
    ("boot", "core", "said"),
    [
        (b"short", core_image(), "not a boot sector"),
        (bytes(512), core_image(), "not a boot sector"),
        (boot_image(), b"", "core.img has 0 bytes"),
        (boot_image(), bytes(2 << 20), "core.img has"),
        (boot_image(), bytes(40 * 512), "does not say its own length"),
    ],
)
def test_what_is_no_loader_is_refused(boot: bytes, core: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        LOADER(boot, core, 2048)


def test_the_system_of_an_image_is_not_written_and_no_device_is_given_up_on_early() -> None:
    lines = (ROOT / "packaging" / "image" / "fstab").read_text().splitlines()
    mounts = {parts[1]: parts[3].split(",") for line in lines if (parts := line.split()) and parts[0] != "#"}
    assert "ro" in mounts["/"]
    assert {"nosuid", "nodev", "x-systemd.growfs"} <= set(mounts["/var"])
    assert all("x-systemd.device-timeout=15min" in mounts[place] for place in ("/", "/var"))
