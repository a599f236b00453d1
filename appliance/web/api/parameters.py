"""What every address takes, held against what is sent: one check for programs and pages."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, current_app, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from appliance.core.errors import BadInput
from appliance.tools import Json, wanted
from appliance.web.api.openapi import ROUTES

# The pages that take what an address for programs takes; what else is sent to them is passed over.
PAGES = {
    "pages.ask": "api.ask",
    "pages.search": "api.search",
    "comparing.page": "comparing.api_compare",
    "saved.save": "api.ask",
    **dict.fromkeys(("export.ask_pdf", "export.ask_md", "export.ask_print"), "api.ask"),
}


def install(app: Flask) -> None:
    """Refuse parameters that an address does not take, naming what it takes."""

    @app.before_request
    def check() -> None:
        endpoint = request.endpoint or ""
        route = ROUTES.get(PAGES.get(endpoint, endpoint))
        if route is None:
            return
        for name in request.args:
            if name in route.takes:
                _check(name, list(filter(None, request.args.getlist(name))), route.takes[name])
            elif endpoint not in PAGES:
                message = (
                    f"{request.path} takes no parameter {name[:40]!r}. Known are: {_named(route.takes)}."
                )
                raise BadInput(message)
        for name, other in route.only_with.items():
            if any(request.args.getlist(name)) and not request.args.get(other):
                message = f"{name} is read only with {other}, which is missing."
                raise BadInput(message)


def known_here(error: HTTPException) -> tuple[str, str] | None:
    """Return what to say of an address for programs that is none or is asked wrongly, None for others."""
    if isinstance(error, MethodNotAllowed) and "POST" in (error.valid_methods or ()):
        return "This address takes a form", "Send it by POST."
    if error.code != 404 or request.url_rule is not None:
        return None
    rules = [str(rule) for rule in current_app.url_map.iter_rules()]
    above = request.path
    while not (known := {rule[len(above) :].partition("/")[0] for rule in rules if rule.startswith(above)}):
        above = above[: above.rstrip("/").rindex("/") + 1]
    words = f"Known right below {above} are: {', '.join(sorted(known - {''}))}."
    return "There is nothing at this address", words


def _check(name: str, values: Sequence[str], shape: Json) -> None:
    """Refuse values that a parameter does not take; raises BadInput."""
    if shape.get("type") == "array":
        shape = shape["items"]
    elif len(values) > 1:
        message = f"{name} is given more than once."
        raise BadInput(message)
    for value in values:
        if not _fits(value, shape):
            message = f"{name} must be {wanted(shape)}, not {value[:40]!r}."
            raise BadInput(message)


def _fits(value: str, shape: Json) -> bool:
    if shape.get("type") == "integer":
        digits = value.isascii() and value.isdecimal() and len(value) <= len(str(shape["maximum"]))
        return digits and shape["minimum"] <= int(value) <= shape["maximum"]
    return value in shape.get("enum", (value,))


def _named(takes: Json) -> str:
    return ", ".join(takes) or "none"
