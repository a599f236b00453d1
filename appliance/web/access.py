"""The access code: whoever enters it once on a device may read; without one set, everybody on the LAN may.

Rules of this module: the code is posted, never part of an address, and written nowhere; it is compared in
constant time and tried at a bounded pace. The cookie holds no code but a key stretched from it: it lasts when
the box starts again, and ends when the code is changed. It keeps strangers on a shared network out; it is no
secrecy, for the page is plain HTTP.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Reply

from appliance.errors import BadSettings
from appliance.settings import ServeSettings
from appliance.web import address
from appliance.web.connections import origin_of
from appliance.web.pace import Pace
from appliance.web.styles import ENDPOINTS

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
    return redirect(address.to("pages.home")) if may_read() else _page("", "", 200)


@blueprint.post("/enter")
def enter() -> tuple[str, int] | Reply:
    """Let a device in that sends the code."""
    key = cast("bytes | None", current_app.extensions.get("access key"))
    back = request.form.get("back", "")
    if key is None:
        return redirect(address.to("pages.home"))
    each, first, later = cast("tuple[Pace, Pace, Pace]", current_app.extensions["access tries"])
    origin = origin_of(request.remote_addr or "")
    if not each.allows(origin) or not (first.allows(origin) or later.allows("")):
        abort(429)
    if not hmac.compare_digest(key_of(request.form.get("code", "").strip()[:200]), key):
        return _page(back, _WRONG, 403)
    response = redirect(address.root() + way_back(back), 303)
    response.set_cookie(
        *(COOKIE, _token(key).decode()),
        max_age=DAYS * 86_400,
        path=f"{request.script_root}/",
        httponly=True,
        samesite="Lax",
    )
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
