"""The model's process: it loads one model and does what it is asked over the pipe, one thing at a time.

Rules of this module: it is run as `python -m appliance.models.llama.child PIPE PAGE PARENT MIB` by
`process.py` alone, with two descriptors that it inherits. It restrains itself before it loads the
library. What cannot be done is told and the next thing waited for; what is no message ends it.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from appliance.models.llama.confine import confine
from appliance.models.llama.page import Page
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
    Read,
    Said,
    Warm,
    Write,
    Wrote,
    send,
)
from appliance.models.protocols import Piece, Reading

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
    from appliance.models.llama.states import States  # noqa: PLC0415 - as above
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
