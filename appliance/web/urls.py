"""The addresses of the page: short, stable, relative."""

from __future__ import annotations

from typing import Any

from flask import request, url_for

from appliance.core.document import Label

READERS = {"table": "pages.table", "figure": "pages.figure", "formula": "pages.formula"}
# Kinds whose label is that of a clause; whatever is missing here is looked up by label.
CLAUSE_KINDS = frozenset(
    {
        "annex", "clause", "front", "heading", "item",
        "note", "paragraph", "part", "requirement", "section",
    }
)  # fmt: skip


def root() -> str:
    """Return the way from the page being served up to the first page, "../../"."""
    return "../" * (request.path.count("/") - 1)


def to(endpoint: str, **values: Any) -> str:
    """Return the relative address of an endpoint, seen from the page being served."""
    path = url_for(endpoint, **values).removeprefix(request.script_root).lstrip("/")
    return (root() + path) or "./"


def place(document: str, label: Label, kind: str = "") -> str:
    """Return the relative address where this place is read."""
    return to(reader(kind), document=document, key=label.key)


def reader(kind: str) -> str:
    """Return the endpoint that shows places of this kind."""
    return READERS.get(kind, "pages.clause" if kind in CLAUSE_KINDS else "pages.label")
