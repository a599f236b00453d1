"""A report of references as one page to print, whole in itself.

Rules of this module: no address in it leads anywhere, so that it can be sent and kept as a file. It is in
English, for it is made at the command line.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from appliance.citing.values import Report

_TEMPLATES = Path(__file__).parent / "templates"


def page(report: Report) -> str:
    """Return the report as HTML."""
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    templates.install_null_translations(newstyle=True)  # type: ignore[attr-defined]  # of the extension
    templates.globals["phrase"] = str
    return templates.get_template("review_print.html").render(report=report)
