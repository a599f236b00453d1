"""The pages that keep and compare, registered in one place."""

from __future__ import annotations

from flask import Flask

from appliance.web import language, observed
from appliance.web.box import box
from appliance.web.kept import comparing, export, saved
from appliance.web.reading import lists


def install(app: Flask) -> None:
    """Add the pages of saved answers, exports, comparisons, tables as text, and the box."""
    for module in (saved, export, comparing, lists, box):
        app.register_blueprint(module.blueprint)
    app.jinja_env.globals.update(
        savable=saved.savable,
        day=saved.day,
        editions_of=comparing.editions_of,
        clause_kinds=language.of_clause,
        is_box=box.is_box,
        box_standing=box.standing,
        file_standing=observed.standing,
        saved_lately=saved.lately,
    )
