"""What a request says of its question beside its words: filters, what is open, the question before."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode

from flask import request

from appliance.retrieval.ask import Filter
from appliance.retrieval.rank.boosts import parse_reading

STATUS = {"normative": True, "informative": False}
NAMES = (  # beside `q`; `earlier` are the questions before the one of `after`, for a language model alone
    "d",
    "family",
    "edition",
    "kind",
    "tag",
    "status",
    "after",
    "earlier",
    "reading",
    "selected",
)
FIELDS = 100  # of an address that is read
EARLIER = 6  # questions of a conversation that its next address carries
STEPS = (20, 50, 100)  # places that a page lists
LISTED = 50  # places of a page that lists all
DIGITS = 6  # of the number of the first of them
KEPT = frozenset({"pages.ask", "pages.search"})  # the pages whose addresses carry them


def along(question: str) -> dict[str, Any]:
    """Return the question with all that the request says beside it, for another address of the same."""
    kept = {name: found for name in NAMES if (found := list(filter(None, request.args.getlist(name))))}
    return {"q": question, **kept}


def beside(question: str) -> str:
    """Return how the request asked its question, "" where it said nothing beside it."""
    kept = along(question)
    return urlencode(kept, doseq=True) if len(kept) > 1 else ""


def narrowed_by(question: str, wanted: Filter, after: str = "") -> str:
    """Return in the same way how a question was asked elsewhere than on a page, "" where it was bare."""
    status = [name for name, normative in STATUS.items() if wanted.normative is normative]
    values = (wanted.documents, wanted.families, wanted.editions, wanted.kinds, wanted.tags, status, [after])
    kept = {
        name: found for name, value in zip(NAMES, values, strict=False) if (found := [*filter(None, value)])
    }
    return urlencode({"q": question, **kept}, doseq=True) if kept else ""


def read_beside(written: str) -> dict[str, list[str]]:
    """Return what `beside` wrote, as arguments of an address; of a stranger's text only what it may hold."""
    try:
        found = parse_qs(written, max_num_fields=FIELDS)
    except ValueError:
        return {}
    return {name: found[name] for name in ("q", *NAMES) if name in found} if found.get("q") else {}


def here(question: str) -> dict[str, Any]:
    """Return what `along` does and what is shown of it, for another place of the same list or answer."""
    part = {name: found for name in ("limit", "from") if (found := request.args.get(name, "")).isdecimal()}
    written = {"written": "yes"} if request.args.get("written") else {}  # its sources have numbers of its own
    return {**along(question), **part, **written}


def before() -> list[str]:
    """Return the questions before the one of this request, the last ones, in their order."""
    said = (*request.args.getlist("earlier"), request.args.get("after", ""))
    return [text for text in map(str.strip, said) if text][-EARLIER:]


def limit() -> int:
    """Return how many places are listed: as many as the address asks for, else the first step."""
    return number("limit") or STEPS[0]


def number(name: str, digits: int = DIGITS) -> int:
    """Return a whole number of the address, 0 where it has none of at most so many digits."""
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else 0


def more(now: int, found: int) -> int:
    """Return the next step where a list is full, 0 where there is no more to show."""
    return next((step for step in STEPS if step > now), 0) if found >= now else 0


def first() -> int | None:
    """Return from which place on (0) all that hold the words are listed, None where the best are."""
    text = request.args.get("from", "")
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None


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
    """Return the filter by family, edition, kind, tag and status, None where the address has none."""
    families, editions, kinds, tags = (
        tuple(filter(None, map(str.strip, request.args.getlist(name))))
        for name in ("family", "edition", "kind", "tag")
    )
    status = request.args.get("status", "").strip()
    if not (families or editions or kinds or tags or status):
        return None
    return Filter(kinds=kinds, tags=tags, families=families, editions=editions, normative=STATUS.get(status))
