"""Which machine a figure was measured on: without it a figure says nothing.

Rules of this module: it reads what the system says of itself and sends it nowhere; no host name.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

_CPU_INFO = Path("/proc/cpuinfo")
_MEMORY_INFO = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """Processor, usable cores, memory in GiB, system and interpreter; load is the mean of one minute."""

    processor: str
    cores: int
    memory_gib: float
    system: str
    python: str
    load: float

    def __str__(self) -> str:
        return (
            f"{self.processor}, {self.cores} cores, {self.memory_gib:.0f} GiB, {self.system}, "
            f"Python {self.python}, load {self.load:.1f} at the start"
        )


def this_machine() -> Machine:
    """Return the machine that the program runs on."""
    return Machine(
        processor=_field(_CPU_INFO, "model name") or platform.processor() or platform.machine(),
        cores=usable_cores(),
        memory_gib=round(_memory_kib() / 2**20, 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        load=round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0,
    )


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_kib() -> int:
    value = _field(_MEMORY_INFO, "MemTotal").split()
    return int(value[0]) if value and value[0].isdigit() else 0


def _field(path: Path, name: str) -> str:
    """Return the value of the first "name : value" line, "" where the system has no such file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    pairs = (line.partition(":") for line in lines)
    return next((value.strip() for key, _, value in pairs if key.strip() == name), "")
