"""How the box is: what it serves, what its updates say, and what room it has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil

from appliance.core.errors import ApplianceError
from appliance.core.settings import OF_BOX, Settings
from appliance.operation.update_health import updates
from appliance.operation.values import Point
from appliance.site.gaps_and_feedback import Site

GIB = 2**30
NOTES = "notes of the site"
LOW_DISK, LOW_MEMORY = 1.0, 0.25  # GiB, below which work may fail


def points(library: Path, settings: Settings, site: Site) -> tuple[Point, ...]:
    """Return what there is to say of the box around a library that is open."""
    try:
        site.check()
        notes = Point(NOTES, "well", "can be written")
    except ApplianceError:
        notes = Point(NOTES, "note", "nothing can be written down now", "appliance doctor")
    access = Point("access", "well", "open to everybody on this network")
    if settings.serve.access_code_file.parts:
        access = Point("access", "well", "asks each device for the access code once")
    elif OF_BOX.exists() and not os.access(OF_BOX, os.R_OK):
        words = "not known, for this user cannot read the settings of the box"
        access = Point("access", "note", words, "sudo appliance doctor")
    return (*updates(library), *_room(library), notes, access)


def _room(library: Path) -> Iterator[Point]:
    try:
        disk = shutil.disk_usage(library.parent)
    except OSError as error:
        yield Point("disk", "wrong", error.strerror or str(error))
    else:
        low = disk.free / GIB < LOW_DISK
        words = f"{disk.free / GIB:.1f} of {disk.total / GIB:.1f} GiB free"
        yield Point("disk", "wrong" if low else "well", words, "remove files of your own" if low else "")
    memory = psutil.virtual_memory()
    low = memory.available / GIB < LOW_MEMORY
    words = f"{memory.available / GIB:.1f} of {memory.total / GIB:.1f} GiB free"
    yield Point("memory", "note" if low else "well", words)
