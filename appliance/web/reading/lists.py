"""A table of a document as lines of text, for a spreadsheet."""

from __future__ import annotations

import re

from flask import Blueprint, Response, request

from appliance.web.language import say
from appliance.web.pages import library
from appliance.web.reading import tables
from appliance.web.reading.views import doubtful

blueprint = Blueprint("lists", __name__)

DIGITS = 6  # of the number of a row


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
