"""The addresses of the page: short, stable, relative."""

from __future__ import annotations

from typing import Any

from flask import request, url_for

from appliance.core.document import Label
from appliance.web.language import CLAUSES

READERS = {"table": "pages.table", "figure": "pages.figure", "formula": "pages.formula"}


def root() -> str:
    """Return the way from the page being served up to the first page, "../../"."""
    return "../" * (request.path.count("/") - 1)


def to(endpoint: str, **values: Any) -> str:
    """Return the relative address of an endpoint, seen from the page being served."""
    path = url_for(endpoint, **values).removeprefix(request.script_root).lstrip("/")
    return (root() + path) or "./"


def rooted(endpoint: str, **values: Any) -> str:
    """Return the address of an endpoint, seen from the first page."""
    return to(endpoint, **values).removeprefix(root())


def place(document: str, label: Label, kind: str = "") -> str:
    """Return the relative address where this place is read."""
    other = "pages.clause" if kind in CLAUSES else "pages.label"  # which looks it up by its label
    reader = READERS.get(kind, other)
    return to(reader, document=document, key=label.key)
