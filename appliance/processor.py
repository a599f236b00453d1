"""Whether this processor runs what the program is compiled from, told before anything compiled is loaded.

Rules of this module: standard library only, for numpy and the runtime of the models end a process by an
illegal instruction where SSE4.2 is missing (numpy 2.4, onnxruntime; docs/image.md). Where nothing can be
known (another system, another architecture) nothing is held against a processor.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

NEEDED = ("cx16", "popcnt", "sse4_1", "sse4_2", "ssse3")  # x86-64-v2, as install.sh looks for them
FASTER = "avx2"
CPUINFO = Path("/proc/cpuinfo")
_ENOUGH = 1 << 14  # bytes: the first processor of many


def features(cpuinfo: Path = CPUINFO) -> frozenset[str]:
    """Return what the kernel says that an x86 processor can do; empty where it says nothing."""
    try:
        with cpuinfo.open("rb") as file:
            lines = file.read(_ENOUGH).decode(errors="replace").splitlines()
    except OSError:
        return frozenset()
    for line in lines:
        name, colon, words = line.partition(":")
        if colon and name.strip() == "flags":
            return frozenset(words.split())
    return frozenset()


def refusal(found: Collection[str]) -> str:
    """Return the sentence with which a processor of these features is refused, "" for none."""
    missing = [name for name in NEEDED if name not in found] if found else []
    if not missing:
        return ""
    return (
        f"This processor is too old for the program: it lacks {', '.join(missing)}. "
        "Use a machine with any x86-64 processor made since about 2011."
    )
