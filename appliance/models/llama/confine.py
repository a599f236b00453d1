"""What the model's process takes from itself before it loads anything.

Rules of this module: standard library only, and each restraint stands alone: one that the system does
not have is skipped, for the others still hold. The process ends with its parent, yields to everybody
else, is the first to go when memory runs out, holds no core file, and cannot map more than it may.
A model file is mapped, so its size counts as address space though its pages are the system's cache.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
from pathlib import Path

_DEATH_SIGNAL = 1  # prctl(2), PR_SET_PDEATHSIG
_NO_NEW_PRIVILEGES = 38  # prctl(2)
_NICEST = 19
LIBRARIES_MIB = 3072  # address space of interpreter, libraries and thread stacks, hardly any of it filled


def confine(parent: int, address_mib: int) -> None:
    """Restrain this process; raises SystemExit where the parent has gone already."""
    library = ctypes.CDLL(None)
    with contextlib.suppress(AttributeError):  # no prctl outside Linux
        library.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if os.getppid() != parent:
        raise SystemExit(0)
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, _NICEST)
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    _limit(resource.RLIMIT_CORE, 0)
    if address_mib:
        _limit(resource.RLIMIT_AS, (address_mib + LIBRARIES_MIB) << 20)


def _limit(kind: int, wanted: int) -> None:
    """Lower a limit, never past what the system allows."""
    most = resource.getrlimit(kind)[1]
    bound = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (bound, bound))
