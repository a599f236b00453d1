"""Lists of one document to look things up in: definitions, symbols, a table as lines of text."""

from __future__ import annotations

import re

from flask import Blueprint, Response, jsonify, render_template, request

from appliance.contract.shape import shaped
from appliance.web.api.shapes import Word
from appliance.web.language import say
from appliance.web.pages import library
from appliance.web.reading import tables
from appliance.web.reading.glossaries import glossary
from appliance.web.reading.views import doubtful, info_of

blueprint = Blueprint("lists", __name__)

DIGITS = 6  # of the number of a row
KINDS = ("term", "symbol", "abbreviation")


@blueprint.get("/d/<document>/definitions")
def definitions(document: str) -> str:
    """List what a document defines, with its abbreviations."""
    return _page(document, "definitions", "term", "abbreviation")


@blueprint.get("/d/<document>/symbols")
def symbols(document: str) -> str:
    """List the symbols of a document with their units."""
    return _page(document, "symbols", "symbol")


@blueprint.get("/d/<document>/t/<path:key>.tsv")
def tsv(document: str, key: str) -> Response:
    """Send a table as tab-separated lines, to be put into a spreadsheet; `row` names the rows, none for all.

    Where a cell was read with doubt stands the page to see.
    """
    found = library().table(document, key)
    rows = {int(text) for text in request.args.getlist("row") if text.isdecimal() and len(text) < DIGITS}
    doubts = {
        (cell.row, cell.column): say("see page %(page)s", page=cell.box.page)
        for cell in doubtful(library(), document, found)
    }
    response = Response(tables.tsv(found, rows, doubts), mimetype="text/tab-separated-values")
    name = re.sub(r"[^A-Za-z0-9.]+", "-", f"{document} {found.label}").strip("-.")
    response.headers["Content-Disposition"] = f'inline; filename="{name}.tsv"'
    return response


@blueprint.get("/api/v1/document/<document>/terms")
def api_terms(document: str) -> Response:
    """Return what a document defines; `kind` (term, symbol, abbreviation) narrows it."""
    kind = request.args.get("kind", "")
    entries = glossary(library(), document).of(*((kind,) if kind else KINDS))
    return jsonify({"document": document, "terms": [shaped(Word, entry) for entry in entries]})


def _page(document: str, which: str, *kinds: str) -> str:
    info = info_of(library(), document)
    return render_template(
        "terms.html", info=info, which=which, entries=glossary(library(), document).of(*kinds)
    )
