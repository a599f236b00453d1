"""What is counted and logged of each request."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import Any, cast

import structlog
from flask import Flask, Response, current_app, g, request

from appliance.core.evidence import Answer, Evidence
from appliance.core.settings import Settings
from appliance.operation.meter import Meter
from appliance.site.gaps_and_feedback import new_request
from appliance.web.assets import ENDPOINTS

QUIET = ENDPOINTS | {"pages.image", "health.healthz", "jobs.look"}  # no line unless they fail
HEADER = "X-Request-Id"
_LOG = logging.getLogger("appliance.requests")


def install(app: Flask, settings: Settings) -> None:
    """Give every request of the app its id, and count it."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()
        g.request_id = new_request()
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request=g.request_id)

    @app.after_request
    def end(response: Response) -> Response:
        response.headers[HEADER] = g.request_id
        meter().add("requests")
        g.told = {"page": request.endpoint or "unknown", "method": request.method}
        if settings.log.questions:
            g.told["question"] = request.args.get("q", "")
        ended(response.status_code)
        if response.status_code in {413, 421, 429}:
            meter().add("refused")
        if settings.log.requests:
            response.call_on_close(partial(_write, g.told, g.request_id, g.began))
        return response


def _write(told: dict[str, Any], name: str, began: float) -> None:
    """Write the line of a request whose last byte is on its way: what is sent in pieces ends only then."""
    if told["page"] in QUIET and told["status"] < 400:
        return
    with structlog.contextvars.bound_contextvars(request=name):
        _LOG.info("answered", extra={**told, "ms": round(1000 * (time.perf_counter() - began), 1)})


def meter() -> Meter:
    """Return the meter of the app."""
    return cast("Meter", current_app.extensions["meter"])


def ended(status: int) -> None:
    """Tell how the request ended, of a page in pieces once more; count a failure of the box."""
    g.told["status"] = status
    if status >= 500:
        meter().add("errors")


def answered(answer: Answer) -> None:
    """Count the answer that this request gives."""
    meter().answered(answer, 1000 * (time.perf_counter() - g.began))


def searched(evidence: Evidence) -> None:
    """Count the search that this request makes."""
    meter().add("searches")
    meter().stages(evidence)
    meter().add("time whole search", 1000 * (time.perf_counter() - g.began))
