"""What a request says of its question beside its words: filters, what is open, the question before.

Rules of this module: only what the address carries is passed on, so that a bare question stays bare.
"""

from __future__ import annotations

from typing import Any

from flask import request

from appliance.errors import BadInput
from appliance.retrieval.ask import Filter
from appliance.retrieval.boosts import parse_reading

STATUS = {"normative": True, "informative": False}


def given() -> dict[str, Any]:
    """Return the arguments of a search that the request carries; raises BadInput."""
    found: dict[str, Any] = {}
    if after := request.args.get("after", "").strip():
        found["after"] = after
    reading = parse_reading(request.args.get("reading", ""), request.args.get("selected", ""))
    if reading:
        found["reading"] = reading
    if wanted := _filter():
        found["wanted"] = wanted
    return found


def _filter() -> Filter | None:
    """Return the filter by family, edition, tag and status, None where the address has none."""
    families, editions, tags = (
        tuple(filter(None, map(str.strip, request.args.getlist(name))))
        for name in ("family", "edition", "tag")
    )
    status = request.args.get("status", "").strip()
    if status and status not in STATUS:
        message = f"status must be normative or informative, not {status[:20]!r}."
        raise BadInput(message)
    if not (families or editions or tags or status):
        return None
    return Filter(tags=tags, families=families, editions=editions, normative=STATUS.get(status))
