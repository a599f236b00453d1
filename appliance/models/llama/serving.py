"""What the model's process does when it is confined: load one model, then what it is asked over the pipe."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Literal

from appliance.models.llama.chat import CHATML, BadTemplate
from appliance.models.llama.cores import Budget
from appliance.models.llama.engine import BATCH, Broken, Engine, LoadFailed
from appliance.models.llama.gguf import NotModel, read_model
from appliance.models.llama.grammar import BadGrammar
from appliance.models.llama.plan import States
from appliance.models.llama.wire import (
    VERSION,
    Count,
    Counted,
    Done,
    Failed,
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
from appliance.models.llama.writer import TooLong, Writer
from appliance.models.protocols import Piece, Reading


def load(asked: Open, page: Page) -> tuple[Writer | None, Said]:
    """Load the model; return its writer, None where it cannot be loaded, and what to tell of it."""
    try:
        head = read_model(Path(asked.path))
        sight = None
        if asked.projector:  # it sees
            from appliance.models.llama import sight as seeing  # noqa: PLC0415 - not every llama.cpp has it

            engine = Engine(Path(asked.path), asked.context, asked.threads, page, seeing.BATCH)
            sight = seeing.Sight(engine, Path(asked.projector), asked.threads)
        else:
            engine = Engine(Path(asked.path), asked.context, asked.threads, page, BATCH)
    except (NotModel, LoadFailed) as error:
        return None, Failed(0, "unusable", str(error))
    except (ImportError, OSError, RuntimeError) as error:
        return None, Failed(0, "unusable", f"this llama.cpp reads no pictures ({error})")
    except MemoryError:
        return None, Failed(0, "failed", "there is no memory to load it")
    template = str(head.values.get("tokenizer.chat_template") or CHATML)
    key = f"{asked.sha256}|{engine.library()}|{engine.context}"
    states = States(Path(asked.states), key, asked.states_mib)
    budget = Budget(asked.threads, len(os.sched_getaffinity(0)))
    opened = Opened(VERSION, engine.library(), engine.context, engine.keeps)
    return Writer(engine, template, states, budget, sight), opened


def answer(asked: Write | Count | Warm, writer: Writer, pipe: socket.socket) -> Said:
    """Do what is asked and return the last thing to tell of it."""

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
