"""The page of updates at the box: what is served, what a stick brings, consent, the way back."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, TextIO, cast, get_args

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Redirect

from appliance import __version__
from appliance.core.errors import ApplianceError, PortTaken
from appliance.core.settings import ServeSettings
from appliance.operation import systemd
from appliance.update.changes.report import NOT_HELD
from appliance.update.desk import Desk, Doing, Task
from appliance.update.intake.stick import unmounted
from appliance.update.status import status
from appliance.update.words import MAKES_ROOM, Why, at_page
from appliance.web import access, language, urls
from appliance.web.connections import Server, guarded
from appliance.web.language import later, say
from appliance.web.serve import listen, options, port_of

FATES = {
    "added": later("added"), "changed": later("changed"), "moved": later("renumbered"),
    "withdrawn": later("withdrawn"),
}  # fmt: skip
EVENTS = frozenset(
    {
        later("committed"), later("damaged"), later("exported"), later("made"), later("made room"),
        later("new keys"), later("rebuilt"), later("refused"), later("rolled back"), later("scrubbed"),
        later("staged"), later("tried"), later("went back"),
    }
)  # fmt: skip
STATUSES = (later("superseded"), later("withdrawn"))  # behind an edition that a report names
REASONS = ("why", "name", "versions", "box")  # facts that may be phrases
PHRASES = (  # what is more exact stands first
    # the log
    later("version {n} was removed"),
    later("version {n}"),
    later("{n} of {all} golden questions"),
    later("only {n} of {all} golden questions are answered"),
    later("{n} files are whole"),
    later("{n} notes"),
    later("from {generation}"),
    later("box without a name, keys {keys}"),
    later("box {site}, keys {keys}"),
    later("root {root}, release keys {keys}"),
    later("state.json was lost"),
    later("noted later, for the disk took no line then"),
    # why it was not served
    later("it was tried twice and the box stopped each time"),
    later("what was kept of it cannot be read"),
    later("the keys that signed it are no longer trusted"),
    later("it is not what its signed list of files describes"),
    later("{file} is not what was copied"),
    later("{file} was not read back as it was written"),
    later("{generation} is damaged"),
    later("it did not answer within {n} seconds (setting update.trial_seconds)"),
    later("its process ended with {code} and no answer"),
    later("its library holds no document"),
    later("the image of {document}, page {page} is missing"),
    later("its server ended by itself with {code}: {why}"),
    later("its server did not say within {n} seconds that it is well ({why})"),
    later("it said nothing"),
    later("it says that it is not well"),
    later("its program did not start within {n} seconds"),
    later("its program does not start: {why}"),
    later("{path} cannot be read as a library ({why}). Build it again with: {command}"),
    later("{path} cannot be used as the home of a box ({why}). {command}"),
    # what a bundle should not be
    later("a program that is larger than it says"),
    later("a program that is not what it says"),
    later("a wheel that is none ({kind})"),
    later("a wheel that is none"),
    later("a description that cannot be read"),
    later("a description of another version"),
    later("a list of page images that does not fit them"),
    later("the patch of the library"),
    later("the file of the keys"),
    later("its signed list of files"),
    later(" (version {n} after {floor})"),
    later("without a name"),
    # what a disk or a stick said
    later("it is mounted for reading alone"),
    later("what was written is not what can be read"),
    later("No space left on device"),
    later("Input/output error"),
    later("Read-only file system"),
    later("Permission denied"),
    later("No such file or directory"),
)


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", phrase)
    words = (f"(?P<{part}>.+)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
    return re.compile("".join(words), re.DOTALL)


_KNOWN = tuple((_pattern(phrase), phrase) for phrase in PHRASES)


def in_words(text: str) -> str:
    """Return a phrase of the updater in the language of the page, any other text as it is."""
    for pattern, phrase in _KNOWN:
        if found := pattern.fullmatch(text):
            return say(phrase).format(**_facts(found.groupdict()))
    return text


def _facts(facts: Mapping[str, object]) -> dict[str, object]:
    """Return facts of a sentence, the reasons among them in the language of the page."""
    return {
        name: in_words(fact) if name in REASONS and isinstance(fact, str) else fact
        for name, fact in facts.items()
    }


def sentence(words: str, facts: Mapping[str, object] | None) -> str:
    """Return a sentence with its facts in the language of the page; whatever stands in these is text."""
    return say(words) if facts is None else say(words).format(**_facts(facts))


def told(doing: Doing) -> str:
    """Return what came of a task."""
    return sentence(doing.words, doing.facts)


def edition(name: str) -> str:
    """Return the name of an edition with the status that stands behind it."""
    before, comma, status = name.rpartition(", ")
    return f"{before}, {say(status)}" if comma and status in STATUSES else name


def said_of(line: dict[str, Any]) -> str:
    """Return what a line of the log says."""
    return refusal(line) if line.get("code") else in_words(str(line["said"]))


def refusal(line: dict[str, Any]) -> str:
    """Return the sentence of a refusal in the log."""
    try:
        return sentence(at_page(Why(line["code"])), line["facts"])
    except (ValueError, KeyError):  # a log that another program wrote
        return str(line["said"])


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
    app = Flask("appliance.web")  # where its templates and static files are
    app.extensions["desk"], app.extensions["asked"] = desk, time.monotonic()
    app.extensions["codes"] = f"http://{access.HOST}:{desk.box.settings.serve.port}/"
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    access.local_install(app)
    app.register_blueprint(blueprint)
    language.install(app)
    app.jinja_env.globals.update(
        to=urls.to,
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
        fate_words=lambda fate: say(FATES.get(fate, "")) or fate,
    )

    @app.before_request
    def note() -> None:
        app.extensions["asked"] = time.monotonic()

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Any:
        if error.response is not None or error.code is None or error.code < 400:
            return error
        words = REFUSED.format(port=request.environ.get("SERVER_PORT", access.PORT))
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
        token=access.token(),
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
    return redirect(urls.to("updates.page"), 303)


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


def serve(desk: Desk, port: int = access.PORT, out: TextIO = sys.stderr) -> None:
    """Serve the page on loopback until it is stopped; under systemd on the socket that it hands over.

    Raises:
        PortTaken: the port is taken, or the socket handed over is not of loopback.
    """
    handed_over = systemd.listener()
    server = make_server(desk, handed_over or listen(access.HOST, port))
    if handed_over:  # by systemd, which holds the socket of the codes at the usual port
        server.app.extensions["codes"] = f"http://{access.HOST}/"
    if handed_over is None:
        out.write(f"http://{access.HOST}:{port_of(server)}/ on this machine alone. Stop with Ctrl-C.\n")
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
    if not access.is_loopback(at):
        raise PortTaken(str(at), int(port), "the page of updates answers on loopback alone")
    limits = ServeSettings(threads=THREADS, host=str(at), port=int(port))
    given = options(desk.box.settings) | {
        "threads": THREADS,
        "max_request_body_size": access.BODY,
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
