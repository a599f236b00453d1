"""Lines of log: one JSON object each on stderr, with the id of the request that they belong to."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

from appliance.core.settings import LogSettings

QUIET = ("waitress.queue",)  # a line for each request that waits: the figures hold how many did
FRAMES = 12  # of a traceback, innermost
_OWN = Path(__file__).parents[1]


def configure(settings: LogSettings, out: TextIO = sys.stderr) -> None:
    """Let everything that is logged, by us and by libraries, come out as such lines."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        trace_with(questions=settings.questions),
    ]
    last: Processor = (
        structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0)
        if out.isatty()
        else structlog.processors.JSONRenderer(default=str)
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)


def trace_with(*, questions: bool) -> Processor:
    """Return the step that turns an exception into its kind and places; its words only with `questions`."""

    def step(_logger: Any, _method: str, event: EventDict) -> EventDict:
        found = event.pop("exc_info", None)
        if found is True:
            found = sys.exc_info()
        error = found[1] if isinstance(found, tuple) else found
        if isinstance(error, BaseException):
            kind = type(error)
            own = kind.__module__ == "builtins"
            event["error"] = kind.__name__ if own else f"{kind.__module__}.{kind.__name__}"
            event["at"] = []
            for frame in traceback.extract_tb(error.__traceback__)[-FRAMES:]:
                path = Path(frame.filename)
                short = path.relative_to(_OWN) if path.is_relative_to(_OWN) else path.name
                event["at"].append(f"{short}:{frame.lineno} {frame.name}")
            if questions:
                event["said"] = str(error)
        return event

    return step
