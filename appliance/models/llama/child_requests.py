"""What the model's process does when it is confined: load one model, then what it is asked over the pipe."""

from __future__ import annotations

import os
import socket
import sys
from typing import Literal

from appliance.models.llama.chat import CHATML, BadTemplate
from appliance.models.llama.engine import Broken, Engine, LoadFailed
from appliance.models.llama.gguf import NotModel, read_model
from appliance.models.llama.grammar_sampling import BadGrammar
from appliance.models.llama.plan import Plan, States
from appliance.models.llama.wire import (
    Count,
    Counted,
    Failed,
    Happened,
    Opened,
    Page,
    Said,
    Warm,
    Write,
    send,
)
from appliance.models.llama.writer import Budget, TooLong, Writer
from appliance.models.protocols import Event


def load(plan: Plan, page: Page) -> tuple[Writer | None, Said]:
    """Load the model; return its writer, None where it cannot be loaded, and what to tell of it."""
    try:
        head = read_model(plan.path)
        sight = None
        if plan.projector:  # it sees
            from appliance.models.llama import sight as seeing  # noqa: PLC0415 - not every llama.cpp has it

            engine = Engine(plan.path, plan.context, plan.threads, page, seeing.BATCH)
            sight = seeing.Sight(engine, plan.projector, plan.threads)
        else:
            engine = Engine(plan.path, plan.context, plan.threads, page)
    except NotModel as error:
        return None, Failed(0, "unusable", str(error))
    except LoadFailed as error:
        sys.stderr.write(" ".join((*error.args, "of the architecture", head.architecture, "\n")))
        return None, Failed(0, "unusable", f"{error.args[0]} (its architecture is {head.architecture})")
    except (ImportError, OSError, RuntimeError) as error:
        return None, Failed(0, "unusable", f"this llama.cpp reads no pictures ({error})")
    except MemoryError:
        return None, Failed(0, "failed", "there is no memory to load it")
    template = str(head.values.get("tokenizer.chat_template") or CHATML)
    key = f"{plan.sha256}|{engine.library()}|{engine.context}"
    states = States(plan.states, key, plan.states_mib)
    budget = Budget(plan.threads, len(os.sched_getaffinity(0)))
    return Writer(engine, template, states, budget, sight), Opened(engine.context)


def answer(asked: Write | Count | Warm, writer: Writer, pipe: socket.socket) -> Said:
    """Do what is asked and return the last thing to tell of it."""

    def tell(event: Event) -> None:
        send(pipe, Happened(asked.number, event))

    try:
        if isinstance(asked, Count):
            return Counted(asked.number, tuple(len(writer.words.data(text)) for text in asked.texts))
        if isinstance(asked, Warm):
            finished = writer.warm(asked.messages, tell)
        else:
            finished = writer.write(asked.generation, tell)
        return Happened(asked.number, finished)
    except TooLong as error:
        return Failed(asked.number, "too_long", "", error.needed)
    except (BadTemplate, BadGrammar, Broken) as error:
        sys.stderr.write(f"{error.__cause__ or error}\n")
        kind: Literal["unusable", "failed"] = "unusable" if isinstance(error, BadTemplate) else "failed"
        return Failed(asked.number, kind, str(error))
    except MemoryError:
        return Failed(asked.number, "failed", "there is no memory left")
