"""A process that may compute and speak through what is open already, and what it may read."""

from __future__ import annotations

import ctypes
import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

MIB = 1024 * 1024
_NO_NEW_PRIVILEGES = 38  # prctl(2)
_CREATE_RULESET, _RESTRICT_SELF = 444, 446  # the same numbers on every architecture
_VERSION = 1  # flag: tell the version of the interface
_FILES = (0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF)  # what versions 1 to 5 can forbid of files
_CONNECTIONS = 0b11  # bind and connect, from version 4
_SCOPES = 0b11  # abstract sockets and signals to others, from version 6


class _Ruleset(ctypes.Structure):
    """struct landlock_ruleset_attr of linux/landlock.h."""

    _fields_ = (
        ("files", ctypes.c_uint64),
        ("connections", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class Refused(Exception):
    """The document cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may have."""

    seconds: float
    memory_mib: int
    characters: int
    pages: int
    unpacked_mib: int


def cut(found: list[tuple[str, int]], limits: Limits, problems: list[str]) -> dict[str, Any]:
    """Return the paragraphs as far as the limit of characters goes, and say where it ended."""
    left, kept = limits.characters, []
    for text, number in found:
        if len(text) > left:
            problems = [*problems, f"Only the first {limits.characters} characters were read."]
            break
        left -= len(text)
        kept.append((text, number))
    return {"paragraphs": kept, "problems": problems}


def lock(seconds: float, memory_mib: int) -> bool:
    """Give up everything but computing, within these limits; there is no way back.

    Return whether files are out of reach now, by one lock or the other.
    """
    forbidden = _forbid()
    bounds = {
        resource.RLIMIT_CPU: int(seconds) + 1,
        resource.RLIMIT_AS: memory_mib * MIB,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_NOFILE: 0,
    }
    for kind, bound in bounds.items():
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (bound, bound))
    return forbidden or resource.getrlimit(resource.RLIMIT_NOFILE) == (0, 0)


def _forbid() -> bool:
    """Forbid files and connections with Landlock where the kernel has it; tell whether it does."""
    system = ctypes.CDLL(None, use_errno=True)
    version = system.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)
    if version < 1:
        return False
    rules = _Ruleset(
        _FILES[min(version, len(_FILES)) - 1],
        _CONNECTIONS if version >= 4 else 0,
        _SCOPES if version >= 6 else 0,
    )
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = system.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    held = system.syscall(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return bool(held)
