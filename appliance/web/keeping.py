"""The parts of the page that keep and compare, put into the app in one place.

Rules of this module: it names blueprints and what templates ask of them, nothing else.
"""

from __future__ import annotations

from flask import Flask

from appliance.web import box, comparing, export, keeper, kinds, lists, opened, saved


def install(app: Flask) -> None:
    """Add the pages of saved answers, exports, comparisons, lists of words, the box and its keeper."""
    for module in (saved, export, comparing, lists, box, keeper):
        app.register_blueprint(module.blueprint)
    app.jinja_env.globals.update(
        savable=saved.savable,
        day=saved.day,
        editions_of=comparing.editions_of,
        clause_kinds=kinds.of_clause,
        keeper_allowed=keeper.allowed,
        updates_at=box.updates_at,
        box_standing=box.standing,
        file_standing=opened.standing,
        saved_lately=saved.lately,
    )
