"""What a reader chooses for this device: the theme and the language, kept in two cookies.

Rules of this module: a plain form, so that it works without script; nothing is kept on the box. An unknown
value chooses nothing. "" means as the system says.
"""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as Reply

from appliance.web import address
from appliance.web.access import way_back
from appliance.web.language import COOKIE as LANGUAGE_COOKIE
from appliance.web.language import LANGUAGES, later

blueprint = Blueprint("choices", __name__)

COOKIE = "codes_theme"
THEMES = {
    "": later("As the device"),
    "light": later("Light"),
    "dark": later("Dark"),
    "sunlight": later("Sunlight"),
}
DAYS = 400  # the longest that browsers keep a cookie
_DARK = "(prefers-color-scheme: dark)"
_SUNLIGHT = "(prefers-contrast: more) and (prefers-color-scheme: light)"


def theme() -> str:
    """Return the theme chosen on this device, "" for the system's."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in THEMES else ""


def media(sheet: str) -> str:
    """Return when the sheet of a theme applies; paper is always printed light."""
    if theme() == "":
        return "screen and " + {"dark": _DARK, "sunlight": _SUNLIGHT}[sheet]
    return "screen" if theme() == sheet else "not all"


@blueprint.get("/choose")
def chosen() -> Reply:
    """Lead whoever opens the address of the form to the first page, where the form stands."""
    return redirect(address.to("pages.home"))


@blueprint.post("/choose")
def choose() -> Reply:
    """Keep a choice, and lead back to the page that it was made on."""
    quiet = "quiet" in request.form  # the script has already changed the page
    back = address.root() + way_back(request.form.get("back", ""))
    response = Response(status=204) if quiet else redirect(back, 303)
    for cookie, field, known in ((COOKIE, "theme", THEMES), (LANGUAGE_COOKIE, "language", LANGUAGES)):
        value = request.form.get(field)
        if value is not None and value in known:
            _keep(response, cookie, value)
    return response


def _keep(response: Reply, cookie: str, value: str) -> None:
    path = f"{request.script_root}/"
    if not value:
        response.delete_cookie(cookie, path=path, samesite="Lax")
        return
    response.set_cookie(cookie, value, max_age=DAYS * 86_400, path=path, httponly=True, samesite="Lax")
