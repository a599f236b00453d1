"""A report of references as one page to print, whole in itself.

Rules of this module: no address in it leads anywhere, so that it can be sent and kept as a file.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from appliance.citing.values import Report

_TEMPLATES = Path(__file__).parent / "templates"


def page(report: Report) -> str:
    """Return the report as HTML."""
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return templates.get_template("review_print.html").render(report=report)
