"""The tools of a library over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from flask import Blueprint, Flask, Response, current_app, jsonify, request

from appliance.tools import TOOLS, Tools, about, described, from_pairs
from appliance.web.api.openapi import BY_FORM, PREFIX
from appliance.web.kept.review import turn

blueprint = Blueprint("tools", __name__, url_prefix=f"{PREFIX}tools")


@blueprint.get("")
def listing() -> Response:
    """Return the tools that a program may use, each with the JSON schema of its parameters."""
    return jsonify(described())


def _call(name: str) -> Response:
    """Return what a tool finds."""
    sent = request.form if name in BY_FORM else request.args
    tools = cast("Tools", current_app.extensions["tools"])
    arguments = from_pairs(name, sent.items(multi=True))
    if name not in BY_FORM:
        return jsonify(tools.call(name, arguments))
    with turn():
        return jsonify(tools.call(name, arguments))


def _view(name: str) -> Callable[[], Response]:
    view = partial(_call, name)
    view.__doc__ = about(name)
    return view


for _name in TOOLS:
    blueprint.add_url_rule(
        f"/{_name}", _name, _view(_name), methods=["POST"] if _name in BY_FORM else ["GET"]
    )


def install(app: Flask, tools: Tools) -> None:
    """Serve the tools."""
    app.extensions["tools"] = tools
    app.register_blueprint(blueprint)
