"""A stick that the box does not mount is told of, by what udev found out about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.update import wayback
from appliance.update.intake import stick as plugged
from appliance.update.intake.stick import MOUNT, SETTLE, Strange, find_stick, strange
from appliance.update.words import Why

USB = {"ID_BUS": "usb"}
Blocks = dict[str, dict[str, str]]
NTFS, VFAT, EXT4 = (USB | {"ID_FS_TYPE": kind} for kind in ("ntfs", "vfat", "ext4"))


def machine(root: Path, blocks: Blocks, mounted: tuple[str, ...] = (), seen: float = 100.0) -> Path:
    """Write what kernel and udev say of such block devices; "sda/sda1" is a part of "sda"."""
    for number, (place, said) in enumerate(blocks.items()):
        device = root / "devices" / place
        device.mkdir(parents=True, exist_ok=True)
        (device / "dev").write_text(f"8:{number}\n")
        (device / "size").write_text("0\n" if "empty" in said else "1000\n")
        if "held" in said:
            (device / "holders" / "dm-0").mkdir(parents=True)
        if "/" in place:
            (device / "partition").write_text("1\n")
        link = root / "sys/class/block" / device.name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(device)
        data = root / "run/udev/data" / f"b8:{number}"
        data.parent.mkdir(parents=True, exist_ok=True)
        lines = (f"E:{name}={value}\n" for name, value in said.items())
        data.write_text(f"S:disk/by-id/x\nI:{int(seen * 1e6)}\n" + "".join(lines))
    numbers = {place.split("/")[-1]: f"8:{number}" for number, place in enumerate(blocks)}
    (root / "proc/self").mkdir(parents=True)
    lines = (f"30 1 {numbers[name]} / /run/codes-stick/{name} ro - vfat x ro\n" for name in mounted)
    (root / "proc/self/mountinfo").write_text("".join(lines))
    return root


@pytest.mark.parametrize(
    ("blocks", "mounted", "found"),
    [
        ({"sda": USB, "sda/sda1": NTFS}, (), [Strange("sda1", "ntfs")]),
        ({"sda": USB, "sda/sda1": VFAT}, (), [Strange("sda1", "vfat")]),
        ({"sda": EXT4}, (), [Strange("sda", "ext4")]),
        ({"sda": USB}, (), [Strange("sda", "")]),
        ({"sda": USB, "sda/sda1": VFAT, "sda/sda2": USB}, ("sda1",), []),  # can be read
        ({"sda": USB, "sda/sda1": EXT4, "sda/sda2": VFAT}, ("sda1",), []),  # the box itself, from a stick
        ({"sda": USB, "sda/sda1": USB | {"ID_FS_TYPE": "crypto_LUKS", "held": "1"}}, (), []),  # so it is here
        ({"sda": USB, "sda/sda1": USB | {"ID_FS_TYPE": "crypto_LUKS"}}, (), [Strange("sda1", "crypto_LUKS")]),
        ({"sda": {"ID_BUS": "ata", "ID_FS_TYPE": "ntfs"}}, (), []),
        ({"sda": USB | {"empty": "1"}}, (), []),  # a reader of cards without a card
        ({}, (), []),
    ],
)
def test_what_is_plugged_in_and_cannot_be_read(
    blocks: Blocks, mounted: tuple[str, ...], found: list[Strange], tmp_path: Path
) -> None:
    root = machine(tmp_path, blocks, mounted)
    assert list(strange(root, 101.0 + MOUNT)) == found
    soon = [one for one in found if not one.is_broken]
    assert list(strange(root, 101.0 + SETTLE)) == soon, "it may be mounted in a moment"
    assert strange(root, 100.0 + SETTLE / 2) == ()
    for one in found:
        (root / plugged.PLUGGED_PLACES / one.name).mkdir(parents=True)
    assert strange(root, 101.0 + MOUNT) == (), "its unit is at it"


@pytest.mark.parametrize(
    ("kind", "code", "said"),
    [
        ("ntfs", Why.OTHER_KIND, "another file system (ntfs)"),
        ("", Why.NO_KIND, "has no file system"),
        ("exfat", Why.BROKEN_STICK, "is damaged"),
    ],
)
def test_it_is_said_where_a_stick_is_looked_for(
    kind: str, code: Why, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugged, "strange", lambda: (Strange("sda1", kind),))
    for look in (lambda: find_stick(None, ()), lambda: wayback.only_stick(())):
        with pytest.raises(Exception, match=r"Format|formatted") as caught:
            look()
        assert getattr(caught.value, "code", "") == code
        assert said in str(caught.value)
