"""Two documents side by side, the editions of one code first."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import cast

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from appliance.core.errors import BadInput
from appliance.keeping.compare import FATES, Comparison, Pair, are_editions, compare, editions
from appliance.keeping.contract import comparison_json
from appliance.store.records import DocumentInfo
from appliance.web.answers import request_filters
from appliance.web.reading.views import info_of
from appliance.web.served import library, loaded

blueprint = Blueprint("comparing", __name__)

PAGE = 100  # items shown at once
HELD = 6  # comparisons held
_MAKING = Lock()


@blueprint.get("/compare")
def page() -> str:
    """Show what two documents have in common and what not; without any, the editions that are loaded."""
    a, b = request.args.get("a", ""), request.args.get("b", "")
    named = [info_of(library(), name) if name else None for name in (a, b)]
    asks = bool(a and b) and not (are_editions(a, b, loaded().documents) or request.args.get("anyway"))
    found = compared(a, b) if a and b and not asks else None
    shown, pairs = _shown(found)
    # What is not numbered, as title pages, comes last: changes of rules come first.
    pairs.sort(key=lambda pair: pair.item.kind == "front" or not any(map(str.isdigit, str(pair.item.label))))
    first = request_filters.number("from")
    return render_template(
        "compare.html",
        a=named[0],
        b=named[1],
        asks=asks,
        anyway=request.args.get("anyway"),
        found=found,
        pairs=pairs[first : first + PAGE],
        total=len(pairs),
        first=first,
        page=PAGE,
        shown=shown,
        fates=FATES,
        editions=editions(loaded().documents),
    )


@blueprint.get("/api/v1/compare")
def api_compare() -> Response:
    """Return the differences of documents `a` (older) and `b`; `show` names fates, else all but `same`.

    Those of two that are no editions of one code only with `anyway`.
    """
    a, b = request.args.get("a", ""), request.args.get("b", "")
    if not a or not b:
        raise BadInput("Name two documents: a (the older) and b (the newer).")
    for name in (a, b):
        info_of(library(), name)  # which knows it, or raises
    if not (are_editions(a, b, loaded().documents) or request.args.get("anyway")):
        message = f"{a} and {b} are no editions of one code. Add anyway=yes to list all in which they differ."
        raise BadInput(message)
    found = compared(a, b)
    _, pairs = _shown(found)
    return jsonify(comparison_json(a, b, found, pairs, first=request_filters.number("from"), most=PAGE))


def compared(a: str, b: str) -> Comparison:
    """Return the comparison of two loaded documents; raises UnknownDocument."""
    made = lru_cache(HELD)(lambda *names: compare(*map(library().document, names)))
    with _MAKING:  # one after the other
        return cast("Comparison", current_app.extensions.setdefault("comparisons", made)(a, b))


def editions_of(info: DocumentInfo) -> list[tuple[DocumentInfo, DocumentInfo]]:
    """Return the pairs of loaded editions that a document belongs to."""
    return [pair for pair in editions(loaded().documents) if info.id in (pair[0].id, pair[1].id)]


def _shown(found: Comparison | None) -> tuple[tuple[str, ...], list[Pair]]:
    """Return the fates that the address asks for, all but `same` where it names none, with their pairs."""
    wanted = request.args.getlist("show")
    fates = tuple(fate for fate in FATES if fate in wanted) or tuple(fate for fate in FATES if fate != "same")
    return fates, [pair for pair in found.pairs if pair.fate in fates] if found else []
