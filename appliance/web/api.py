"""The same library as JSON, in the shapes of the contract.

Rules of this module: one route, one call, one shape of `appliance.contract`; what only the page's own script
needs (`payload.py`) is not part of the contract. Every route has its line in `openapi.py`.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, request

from appliance.contract import (
    clause_json,
    decided_json,
    document_json,
    evidence_json,
    place_json,
    table_json,
)
from appliance.contract_answer import answer_json
from appliance.errors import BadInput
from appliance.evidence import Failed
from appliance.web import address, asked, marks, observed, openapi, writing
from appliance.web.pages import keep_gap, library, loaded, scope
from appliance.web.payload import view_json

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")

LIMIT = 100  # places that one request may ask for
SUGGESTIONS = 8


@blueprint.get("/search")
def search() -> Response:
    """Return the places found for `q`; `limit`, `d` (document) and `kind` narrow it.

    So do `family`, `edition`, `tag` and `status`; `after` is the question before, `reading`
    (DOCUMENT:LABEL) and `selected` tell what is open. With `from` it goes through all places that hold words
    of the question, as the page does; `total` tells how many there are.
    """
    question, limit = request.args.get("q", ""), _number("limit", 1, LIMIT, asked.STEPS[0])
    given: dict[str, Any] = {"documents": scope(), **asked.given()}
    if "from" in request.args:
        first = _number("from", 0, 10**asked.DIGITS - 1, 0)
        listing = library().with_words(question, first, limit, **given)
        hits = [place_json(place, rank) for rank, place in enumerate(listing.places, first + 1)]
        return jsonify({"query": question, "from": first, "total": listing.total, "hits": hits})
    evidence = library().search(question, limit=limit, **given)
    observed.searched(evidence)
    total = library().with_words(question, **given).total
    return jsonify(evidence_json(evidence) | {"total": total})


@blueprint.get("/ask")
def ask() -> tuple[Response, int]:
    """Return the answer to `q`, one of three outcomes; `d` narrows it to documents.

    With `written` it is the one that the language model has written, where that is kept (`mode` "model"); a
    job for it is begun by POST to `jobs`.
    """
    answer = writing.kept() or library().ask(request.args.get("q", ""), documents=scope(), **asked.given())
    keep_gap(answer)
    return jsonify(answer_json(answer)), 503 if isinstance(answer, Failed) else 200


@blueprint.get("/suggest")
def suggest() -> Response:
    """Return exact labels that begin with `q`, each with the address that reads it."""
    found = library().suggest(request.args.get("q", "")[:80], limit=SUGGESTIONS)
    return jsonify(
        [
            {
                "document": document,
                "label": label.named,
                "title": title,
                "address": address.to("pages.label", document=document, key=label.key).removeprefix(
                    address.root()
                ),
            }
            for document, label, title in found
        ]
    )


@blueprint.get("/documents")
def documents() -> Response:
    """Return what is loaded."""
    now = loaded()
    return jsonify(
        {
            "version": now.version,
            "embedder": now.embedder,
            "reranker": now.reranker,
            "documents": [_info(info) for info in now.documents],
        }
    )


@blueprint.get("/document/<document>")
def document(document: str) -> Response:
    """Return everything read out of one PDF."""
    return jsonify(document_json(library().document(document), library().national_choices(document)))


@blueprint.get("/clause/<document>/<path:key>")
def clause(document: str, key: str) -> Response:
    """Return a clause with what stands in it, its references both ways, and what decides about it."""
    opened = library().clause(document, key)
    boxes = [box for formula in opened.formulas for box in formula.boxes]
    decided = library().national_choices(document, *opened.keys)
    return jsonify(clause_json(opened, decided, library().doubts(document, boxes)))


@blueprint.get("/document/<document>/page/<int:number>")
def page(document: str, number: int) -> Response:
    """Return one page: its size, printed number and images."""
    return jsonify(view_json(marks.view(document, library().page(document, number))))


@blueprint.get("/picture/<document>/<path:key>")
def picture(document: str, key: str) -> Response:
    """Return a figure or formula as it is printed, as PNG."""
    content = library().picture(document, key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/png")


@blueprint.get("/table/<document>/<path:key>")
def table(document: str, key: str) -> Response:
    """Return one table as data, with what decides about it."""
    found = library().table(document, key)
    return jsonify(table_json(found) | decided_json(library().national_choices(document, found.label.key)))


@blueprint.get("/openapi.json")
def description() -> Response:
    """Return the description of all this for programs (OpenAPI 3.1)."""
    if "description" not in current_app.extensions:
        current_app.extensions["description"] = openapi.description(current_app)
    return jsonify(current_app.extensions["description"])


def _number(name: str, least: int, most: int, usual: int) -> int:
    """Return a number of the address, `usual` where it has none; raises BadInput."""
    text = request.args.get(name, str(usual))
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not digits or not least <= int(text) <= most:
        message = f"{name} must be a number from {least} to {most}, not {text[:20]!r}."
        raise BadInput(message)
    return int(text)


def _info(info: Any) -> dict[str, Any]:
    names = (
        "id", "designation", "title", "edition", "status", "language",
        "pages", "clauses", "tables", "figures", "references", "problems",
    )  # fmt: skip
    return {name: getattr(info, name) for name in names}
