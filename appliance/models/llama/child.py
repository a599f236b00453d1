"""The model's process: it confines itself, loads one model and does what it is asked over the pipe."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import socket
import sys
from pathlib import Path

from appliance.models.llama.wire import VERSION, Ear, Failed, Garbled, Open, Page, send

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
    limits = {resource.RLIMIT_CORE: 0}
    if address_mib:
        limits[resource.RLIMIT_AS] = (address_mib + LIBRARIES_MIB) << 20
    for kind, wanted in limits.items():  # lowered, never past what the system allows
        most = resource.getrlimit(kind)[1]
        bound = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (bound, bound))


GARBLED = 3  # exit status


def main(pipe: int, page: int, parent: int, address_mib: int) -> int:
    """Serve until the other side goes; return the exit status."""
    confine(parent, address_mib)
    with socket.socket(fileno=pipe) as joined:
        try:
            _serve(joined, Page(page))
        except Garbled as error:
            sys.stderr.write(f"{error}\n")
            return GARBLED
        except OSError:
            return 0  # nobody listens any more
    return 0


def _serve(pipe: socket.socket, page: Page) -> None:
    ear = Ear(pipe)
    first = ear.asked()
    if first is None:
        return
    if not isinstance(first, Open) or first.version != VERSION:
        raise Garbled(f"the first message is {type(first).__name__}")
    try:
        from appliance.models.llama import child_requests  # noqa: PLC0415 - it loads the library: restraints come first
    except ModuleNotFoundError as error:
        send(pipe, Failed(0, "absent", str(error)))
        return
    except (ImportError, OSError, RuntimeError) as error:
        send(pipe, Failed(0, "unusable", f"llama.cpp cannot be loaded ({error})"))
        return
    writer, told = child_requests.load(first.plan, page)
    send(pipe, told)
    while writer is not None and (asked := ear.asked()) is not None:
        if isinstance(asked, Open):
            raise Garbled("it is open already")
        send(pipe, child_requests.answer(asked, writer, pipe))


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
