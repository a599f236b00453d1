"""The page of updates at the box: what is served, what a stick brings, the yes of a person, the way back.

Rules of this module: it is an app and a process of its own (`appliance update page`), with the rights of
the updater. Why not a part of the page on the network that asks the updater: what does not face the network
cannot be asked from there, and the service that does needs no right to ask for anything. GET changes
nothing; every button is a form that works without script.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from typing import Any, TextIO, cast, get_args

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Redirect

from appliance import __version__
from appliance.errors import ApplianceError, PortTaken
from appliance.operation import systemd
from appliance.settings import ServeSettings
from appliance.update.desk import Desk, Doing, Task
from appliance.update.report import NOT_HELD
from appliance.update.status import status
from appliance.update.stick import unmounted
from appliance.update.words import MAKES_ROOM, Why, at_page
from appliance.web import address, language, local
from appliance.web.connections import Server, guarded
from appliance.web.language import later, say
from appliance.web.serve import listen, options, port_of
from appliance.web.update_words import EVENTS, edition, in_words, refusal, said_of, sentence, told

blueprint = Blueprint("updates", __name__)
THREADS = 4
IDLE = 900.0  # seconds without a request, after which a process that systemd started ends: it starts again
LOOKS = 5.0
SHOWN = 40  # items of a document that are shown without being asked for
NAMES = {
    "gaps": later("question without an answer"),
    "feedback": later("feedback"),
    "corrections": later("correction"),
    "answers": later("saved answer"),
}
REFUSED = (
    "This page is for a browser on the box itself: http://127.0.0.1:{port}/ there. Forms are taken from the "
    "page as it was opened last; open it again."
)


def create_app(desk: Desk) -> Flask:
    """Return the app for a desk."""
    app = Flask(__name__)
    app.extensions["desk"], app.extensions["asked"] = desk, time.monotonic()
    app.extensions["codes"] = f"http://{local.HOST}:{desk.box.settings.serve.port}/"
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    local.install(app)
    app.register_blueprint(blueprint)
    language.install(app)
    app.jinja_env.globals.update(
        to=address.to,
        program_version=__version__,
        shown=SHOWN,
        note_names=NAMES,
        not_held=NOT_HELD,
        makes_room=MAKES_ROOM,
        events=EVENTS,
        told=told,
        say=say,
        said_of=said_of,
        in_words=in_words,
        edition=edition,
    )

    @app.before_request
    def note() -> None:
        app.extensions["asked"] = time.monotonic()

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Any:
        if error.response is not None or error.code is None or error.code < 400:
            return error
        words = REFUSED.format(port=request.environ.get("SERVER_PORT", local.PORT))
        return Response(
            f"{words}\n" if error.code == 403 else f"{error.name}\n", error.code, mimetype="text/plain"
        )

    return app


@blueprint.get("/")
def page() -> str:
    """Show how the box is and what can be done."""
    desk = _desk()
    try:
        found, trouble = status(desk.box.home), ""
    except (ApplianceError, OSError) as error:
        found, trouble = None, in_words(str(error))
    if found and found["staged"] and desk.report() is None:
        desk.begin("compare")  # for whoever prepared it by another way; it only reads
    doing = desk.look()
    return render_template(
        "update.html",
        box=found,
        trouble=trouble,
        doing=doing,
        calm=doing.well or doing.code == Why.SAME,
        refused=_refused(found, doing) if found else "",
        stick=_stick(doing),
        report=desk.report() if found else None,
        token=local.token(),
        codes=current_app.extensions["codes"],
    )


@blueprint.get("/look")
def look() -> Response:
    """Tell how far the task under way is."""
    return jsonify(look_json(_desk().look()))


@blueprint.post("/do/<task>")
def do(task: str) -> Redirect:
    """Begin a task; while another is under way nothing is begun, and the page shows that one."""
    if task not in get_args(Task):
        abort(404)
    wanted = cast("Task", task)
    _desk().begin(wanted, request.form.get("generation", ""), again=bool(request.form.get("again")))
    return redirect(address.to("updates.page"), 303)


def _stick(doing: Doing) -> str:
    """Return what is amiss with a stick that cannot be read, "" for nothing and where it is said already."""
    error = unmounted()
    if error is None or (doing.ended and doing.code == error.code):
        return ""
    return sentence(at_page(Why(error.code)), error.facts)


def _refused(found: dict[str, Any], doing: Doing) -> str:
    """Return in the language of the page what was refused last, "" for nothing and what is said already.

    That a stick brings what is served already is no matter of concern.
    """
    line = found["refused"]
    if line is None or line.get("code") == Why.SAME or (doing.ended and doing.code):
        return ""
    return refusal(line)


def look_json(doing: Doing) -> dict[str, Any]:
    """Return how far a task is, as the page's script reads it."""
    share = round(doing.done / doing.total, 4) if doing.total else None
    return {"number": doing.number, "stage": say(doing.stage), "share": share, "ended": doing.ended}


def serve(desk: Desk, port: int = local.PORT, out: TextIO = sys.stderr) -> None:
    """Serve the page on loopback until it is stopped; under systemd on the socket that it hands over.

    Raises:
        PortTaken: the port is taken, or the socket handed over is not of loopback.
    """
    handed_over = systemd.listener()
    server = make_server(desk, handed_over or listen(local.HOST, port))
    if handed_over:  # by systemd, which holds the socket of the codes at the usual port
        server.app.extensions["codes"] = f"http://{local.HOST}/"
    if handed_over is None:
        out.write(f"http://{local.HOST}:{port_of(server)}/ on this machine alone. Stop with Ctrl-C.\n")
        out.flush()
    else:
        threading.Thread(target=_end_when_idle, args=(server, desk), name="idle", daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server.run()
    finally:
        server.close()


def make_server(desk: Desk, listener: socket.socket) -> Server:
    """Return the server on a socket of loopback, and of nothing else; raises PortTaken."""
    at, port = listener.getsockname()[:2]
    if not local.is_loopback(at):
        raise PortTaken(str(at), int(port), "the page of updates answers on loopback alone")
    limits = ServeSettings(threads=THREADS, host=str(at), port=int(port))
    given = options(desk.box.settings) | {
        "threads": THREADS,
        "max_request_body_size": local.BODY,
        "clear_untrusted_proxy_headers": False,  # they are what local.py refuses
    }
    return guarded(create_app(desk), listener, limits, given)


def _end_when_idle(server: Server, desk: Desk, looks: float = LOOKS) -> None:
    """End the process when nobody has looked for a while and nothing is under way."""
    while time.monotonic() - server.app.extensions["asked"] < IDLE or not desk.look().ended:
        time.sleep(looks)
    os.kill(os.getpid(), signal.SIGTERM)


def _desk() -> Desk:
    return cast("Desk", current_app.extensions["desk"])
