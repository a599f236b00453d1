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
from typing import TYPE_CHECKING, Literal

from appliance.models.llama.wire import (
    VERSION,
    Count,
    Counted,
    Done,
    Ear,
    Failed,
    Garbled,
    Open,
    Opened,
    Page,
    Read,
    Said,
    Warm,
    Write,
    Wrote,
    send,
)
from appliance.models.protocols import Piece, Reading

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


if TYPE_CHECKING:  # they load the library, and the restraints come first
    from appliance.models.llama.engine import Engine
    from appliance.models.llama.sight import Sight
    from appliance.models.llama.writer import Writer

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
        message = f"the first message is {type(first).__name__}"
        raise Garbled(message)
    opened = _open(first, page)
    send(pipe, opened if isinstance(opened, Failed) else opened[1])
    while not isinstance(opened, Failed) and (asked := ear.asked()) is not None:
        if isinstance(asked, Open):
            message = "it is open already"
            raise Garbled(message)
        send(pipe, _answer(asked, opened[0], pipe))


def _open(asked: Open, page: Page) -> Failed | tuple[Writer, Opened]:
    """Load the model and return its writer."""
    try:
        from appliance.models.llama.engine import LoadFailed  # noqa: PLC0415 - it loads the library
    except ModuleNotFoundError as error:
        return Failed(0, "absent", str(error))
    except (ImportError, OSError, RuntimeError) as error:
        return Failed(0, "unusable", f"llama.cpp cannot be loaded ({error})")
    from appliance.models.llama.chat import CHATML  # noqa: PLC0415 - as above
    from appliance.models.llama.cores import Budget  # noqa: PLC0415 - as above
    from appliance.models.llama.gguf import NotModel, read_model  # noqa: PLC0415 - as above
    from appliance.models.llama.plan import States  # noqa: PLC0415 - as above
    from appliance.models.llama.writer import Writer  # noqa: PLC0415 - as above

    try:
        head = read_model(Path(asked.path))
        engine, sight = _eyes(asked, page) if asked.projector else (_reader(asked, page), None)
    except (NotModel, LoadFailed) as error:
        return Failed(0, "unusable", str(error))
    except (ImportError, OSError, RuntimeError) as error:
        return Failed(0, "unusable", f"this llama.cpp reads no pictures ({error})")
    except MemoryError:
        return Failed(0, "failed", "there is no memory to load it")
    template = str(head.values.get("tokenizer.chat_template") or CHATML)
    key = f"{asked.sha256}|{engine.library()}|{engine.context}"
    states = States(Path(asked.states), key, asked.states_mib)
    budget = Budget(asked.threads, len(os.sched_getaffinity(0)))
    opened = Opened(VERSION, engine.library(), engine.context, engine.keeps)
    return Writer(engine, template, states, budget, sight), opened


def _reader(asked: Open, page: Page) -> Engine:
    """Load a model that reads."""
    from appliance.models.llama.engine import Engine  # noqa: PLC0415 - as above

    return Engine(Path(asked.path), asked.context, asked.threads, page)


def _eyes(asked: Open, page: Page) -> tuple[Engine, Sight]:
    """Load a model that sees, with its projector."""
    from appliance.models.llama.engine import Engine  # noqa: PLC0415 - as above
    from appliance.models.llama.sight import BATCH, Sight  # noqa: PLC0415 - as above

    engine = Engine(Path(asked.path), asked.context, asked.threads, page, BATCH)
    return engine, Sight(engine, Path(asked.projector), asked.threads)


def _answer(asked: Write | Count | Warm, writer: Writer, pipe: socket.socket) -> Said:
    """Do what is asked and return the last thing to tell of it."""
    from appliance.models.llama.chat import BadTemplate  # noqa: PLC0415 - as above
    from appliance.models.llama.engine import Broken  # noqa: PLC0415 - as above
    from appliance.models.llama.grammar import BadGrammar  # noqa: PLC0415 - as above
    from appliance.models.llama.writer import TooLong  # noqa: PLC0415 - as above

    def tell(event: Reading | Piece) -> None:
        if isinstance(event, Reading):
            send(pipe, Read(asked.number, event.done, event.total))
        else:
            send(pipe, Wrote(asked.number, event.text))

    try:
        if isinstance(asked, Count):
            return Counted(asked.number, tuple(len(writer.words.data(text)) for text in asked.texts))
        if isinstance(asked, Warm):
            finished = writer.warm(asked.messages, tell)
        else:
            finished = writer.write(asked.generation, tell)
        return Done(asked.number, finished)
    except TooLong as error:
        return Failed(asked.number, "too_long", "", error.needed)
    except (BadTemplate, BadGrammar, Broken) as error:
        kind: Literal["unusable", "failed"] = "unusable" if isinstance(error, BadTemplate) else "failed"
        return Failed(asked.number, kind, str(error))
    except MemoryError:
        return Failed(asked.number, "failed", "there is no memory left")


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
