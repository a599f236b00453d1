# ruff: noqa: INP001 - a script
"""Put GRUB's BIOS loader into the file of a disk, without the block device that grub-install wants.

    python scripts/image/bios.py DISK BOOT.IMG CORE.IMG --sector 2048

boot.img goes before the partition table (the first 440 bytes; Microsoft's signature of the disk, the
protective table and its magic stay), and is told where core.img begins; the first sector of core.img is
told where its rest is. Both places are those of GRUB 2's own sources: `kernel_sector` of boot.S at 0x5C,
and `firstlist` of diskboot.S, the last 12 bytes of its sector: start (8), length (2), segment (2),
little-endian.
"""

from __future__ import annotations

import argparse
import struct
import sys
from pathlib import Path

SECTOR = 512
CODE = 440  # bytes of a master boot record that are code
KERNEL_SECTOR = 0x5C
FIRST_LIST = SECTOR - 12
ROOM = 1 << 20  # of the partition that core.img lies in
TABLE = b"\x55\xaa"


def loader(boot: bytes, core: bytes, sector: int) -> tuple[bytes, bytes]:
    """Return boot.img and core.img for a core.img that lies at this sector; raises ValueError."""
    if len(boot) != SECTOR or boot[-2:] != TABLE:
        message = "boot.img is not a boot sector"
        raise ValueError(message)
    if not SECTOR < len(core) <= ROOM:
        message = f"core.img has {len(core)} bytes; it may have {ROOM}"
        raise ValueError(message)
    length = struct.unpack_from("<H", core, FIRST_LIST + 8)[0]
    if length * SECTOR < len(core) - SECTOR:
        message = "core.img does not say its own length where GRUB 2 does"
        raise ValueError(message)
    head, tail = bytearray(boot[:CODE]), bytearray(core)
    struct.pack_into("<Q", head, KERNEL_SECTOR, sector)
    struct.pack_into("<Q", tail, FIRST_LIST, sector + 1)
    return bytes(head), bytes(tail)


def main() -> None:
    """Write both into the disk."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("disk", type=Path)
    parser.add_argument("boot", type=Path)
    parser.add_argument("core", type=Path)
    parser.add_argument("--sector", type=int, required=True, help="where the BIOS partition begins")
    given = parser.parse_args()
    try:
        head, tail = loader(given.boot.read_bytes(), given.core.read_bytes(), given.sector)
    except ValueError as error:
        sys.exit(f"bios.py: {error}.")
    with given.disk.open("r+b") as disk:
        disk.write(head)
        disk.seek(given.sector * SECTOR)
        disk.write(tail)


if __name__ == "__main__":
    main()
