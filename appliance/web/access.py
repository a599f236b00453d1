"""Access codes for the LAN, and what a device chose."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Reply

from appliance.core.errors import BadSettings
from appliance.core.settings import ServeSettings
from appliance.web import urls
from appliance.web.assets import ENDPOINTS
from appliance.web.connections import origin_of
from appliance.web.guard import Pace
from appliance.web.language import COOKIE as LANGUAGE_COOKIE
from appliance.web.language import LANGUAGES, later

blueprint = Blueprint("access", __name__)

COOKIE = "codes_access"
DAYS = 90
LEAST = 6  # characters of a code
TRIES, ALL_TRIES = 5, 60  # in a minute: of one address; of all, besides the first of each
OPEN = ENDPOINTS | {"access.form", "access.enter", "choices.choose", "health.healthz"}  # what needs no code
_SALT = b"appliance access code, 1"
_WRONG = "This is not the code. It stands on the label of the box, or whoever keeps the box knows it."


def read_code(limits: ServeSettings) -> str:
    """Return the code that the settings name the file of, "" for none; raises BadSettings."""
    path = limits.access_code_file
    if not path.parts:
        return ""
    try:
        code = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        message = f"serve.access_code_file: {path} cannot be read ({error}). Write the code into it."
        raise BadSettings(message) from None
    if len(code) < LEAST or any(sign.isspace() for sign in code):
        message = f"serve.access_code_file: {path} must hold one word of {LEAST} characters at least."
        raise BadSettings(message)
    return code


def install(app: Flask, limits: ServeSettings) -> None:
    """Ask for the code on every page of the app, where one is set; raises BadSettings."""
    app.register_blueprint(blueprint)
    code = read_code(limits)
    if not code:
        return
    app.extensions["access key"] = key_of(code)
    app.extensions["access tries"] = (Pace(TRIES), Pace(1), Pace(ALL_TRIES))

    @app.before_request
    def check() -> tuple[Response | str, int] | None:
        if request.endpoint in OPEN or may_read():
            return None
        if request.path.startswith("/api/"):
            words = "Enter the access code of this box on its page first."
            return jsonify({"error": {"status": 401, "message": words}}), 401
        return _page(request.full_path if request.method == "GET" else "", "", 401)


def key_of(code: str) -> bytes:
    """Return what stands for a code in a cookie: as slow to guess from it as a passphrase."""
    return hashlib.scrypt(code.encode(), salt=_SALT, n=2**14, r=8, p=1, dklen=32)


def may_read() -> bool:
    """Tell whether the request carries the cookie of the present code."""
    key = cast("bytes | None", current_app.extensions.get("access key"))
    sent = request.cookies.get(COOKIE, "").encode("utf-8", "surrogateescape")
    return key is None or hmac.compare_digest(sent, _token(key))


@blueprint.get("/enter")
def form() -> tuple[str, int] | Reply:
    """Show where the code is entered."""
    return redirect(urls.to("pages.home")) if may_read() else _page("", "", 200)


@blueprint.post("/enter")
def enter() -> tuple[str, int] | Reply:
    """Let a device in that sends the code."""
    key = cast("bytes | None", current_app.extensions.get("access key"))
    if key is None:
        return redirect(urls.to("pages.home"))
    back = request.form.get("back", "")
    each, first, later = cast("tuple[Pace, Pace, Pace]", current_app.extensions["access tries"])
    origin = origin_of(request.remote_addr or "")
    if not each.allows(origin) or not (first.allows(origin) or later.allows("")):
        abort(429)
    if not hmac.compare_digest(key_of(request.form.get("code", "").strip()[:200]), key):
        return _page(back, _WRONG, 403)
    response = redirect(urls.root() + way_back(back), 303)
    _keep(response, COOKIE, _token(key).decode(), DAYS)
    return response


def way_back(text: str) -> str:
    """Return an address of ours relative to the first page, "./" for anything else."""
    path = text.removeprefix("/").removesuffix("?")
    plain = text.startswith("/") and path.isprintable() and not path.startswith(("/", "\\"))
    return path if plain and path and ":" not in path.partition("?")[0] and "\\" not in path else "./"


def _page(back: str, why: str, status: int) -> tuple[str, int]:
    return render_template("enter.html", back=back, why=why), status


def _token(key: bytes) -> bytes:
    return base64.urlsafe_b64encode(hmac.digest(key, b"cookie", "sha256"))


choices_blueprint = Blueprint("choices", __name__)

CHOICES_COOKIE = "codes_theme"
THEMES = {
    "": later("As the device"),
    "light": later("Light"),
    "dark": later("Dark"),
    "sunlight": later("Sunlight"),
}
CHOICES_DAYS = 400  # the longest that browsers keep a cookie
MEDIA = {
    "dark": "(prefers-color-scheme: dark)",
    "sunlight": "(prefers-contrast: more) and (prefers-color-scheme: light)",
}


def theme() -> str:
    """Return the theme chosen on this device, "" for the system's."""
    chosen = request.cookies.get(CHOICES_COOKIE, "")
    return chosen if chosen in THEMES else ""


def media(sheet: str) -> str:
    """Return when the sheet of a theme applies; paper is always printed light."""
    if theme() == "":
        return f"screen and {MEDIA[sheet]}"
    return "screen" if theme() == sheet else "not all"


@choices_blueprint.post("/choose")
def choose() -> Reply:
    """Keep a choice, and lead back to the page that it was made on."""
    quiet = "quiet" in request.form  # the script has already changed the page
    back = urls.root() + way_back(request.form.get("back", ""))
    response = Response(status=204) if quiet else redirect(back, 303)
    for cookie, field, known in ((CHOICES_COOKIE, "theme", THEMES), (LANGUAGE_COOKIE, "language", LANGUAGES)):
        value = request.form.get(field)
        if value and value in known:
            _keep(response, cookie, value, CHOICES_DAYS)
        elif value in known:  # as the device has it
            response.delete_cookie(cookie, path=f"{request.script_root}/", samesite="Lax")
    return response


def _keep(response: Reply, cookie: str, value: str, days: int) -> None:
    response.set_cookie(
        *(cookie, value), max_age=days * 86_400, path=f"{request.script_root}/", httponly=True, samesite="Lax"
    )
