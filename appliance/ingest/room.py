"""How much memory this process may still take, asked before the system has to refuse it.

Rules of this module: it reads and never sets; a process without a limit, or a system that does not
tell, has room without end. The PDF library is written in C and is ended by the system where its memory
is refused; a Python reader that asks first ends with a sentence.
"""

from __future__ import annotations

import math
import os
import resource
from pathlib import Path

LOW = 384  # MiB: what is only kept to be quick is given back
LEAST = 128  # MiB: a page of dense text takes some tens
_MIB = 1024 * 1024
_SIZES = Path("/proc/self/statm")  # proc(5): the first number is the address space, in memory pages


def room() -> float:
    """Return the MiB of address space that are left below the limit of this process."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return math.inf
    try:
        taken = int(_SIZES.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return math.inf
    return (limit - taken) / _MIB
