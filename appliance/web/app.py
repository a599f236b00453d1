"""The page as a Flask app around one opened library."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, g, jsonify, render_template, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException

from appliance import __version__
from appliance.core.errors import AmbiguousLabel, ApplianceError
from appliance.core.settings import Settings
from appliance.keeping.answer_card import in_sight
from appliance.library import Library
from appliance.operation.meter import Meter
from appliance.tools import Tools
from appliance.web import assets, box, connection_limits, guard, language, observed, pages, served, urls
from appliance.web.answers import model_queues, request_filters, view
from appliance.web.api import openapi, routes
from appliance.web.kept import citation_check, comparing, feedback, saved
from appliance.web.language import later, say
from appliance.web.reading import outline
from appliance.written_answers import Writer

log = logging.getLogger(__name__)

WORDS = {
    400: connection_limits.BROKEN,
    403: (
        later("This page is not for everybody on the network"),
        later("Open it on the box itself, or send the form from its own page."),
    ),
    404: (
        later("There is nothing at this address"),
        later("It may have moved with a new edition. Search for it above."),
    ),
    405: (later("The page only reads"), later("Nothing can be changed from here.")),
    413: connection_limits.TOO_MUCH,
    429: (later("That was a lot in one minute"), later("Wait a little, then send it again.")),
    421: (
        later("The box does not answer to this name"),
        later("Use its address as numbers, as printed when it started."),
    ),
}
SEVERAL = later("Several places have this label")
UNEXPECTED = (
    later("Something went wrong in the box"),
    later(
        "Nothing is lost. Ask again; if it happens twice, tell the person who keeps the box what you asked."
    ),
)


class Readable(DefaultJSONProvider):
    """JSON in the order of the contract, letters of every script as they are."""

    sort_keys = False
    ensure_ascii = False


def create_app(library: Library, *, settings: Settings | None = None, writer: Writer | None = None) -> Flask:
    """Return the app that serves an opened library; `writer` is its language model, None for none."""
    settings = settings or Settings()
    app = Flask(__name__, static_url_path=f"/static/{assets.version()}")
    app.extensions["library"] = library
    meter = app.extensions["meter"] = Meter()
    if writer is not None and writer.mode != "deterministic":
        app.extensions["writing"] = model_queues.Desk(writer, settings.jobs, meter.add)
    if writer is not None and writer.describer:
        app.extensions["describing"] = model_queues.FigureDesk(writer.describer, settings.jobs)
    app.extensions["tools"] = Tools(library, settings)
    app.config["SETTINGS"] = settings
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.json = Readable(app)
    assets.install(app)  # first to be told is last to run
    observed.install(app, settings)
    guard.install(app, settings)
    guard.install_code(app, settings.serve)
    language.install(app)
    openapi.install(app)
    for module in (pages, routes, feedback, citation_check, saved, comparing, box):
        app.register_blueprint(module.blueprint)
    app.register_blueprint(pages.choices_blueprint)
    app.register_blueprint(routes.tools_blueprint)
    app.register_blueprint(routes.jobs_blueprint)
    app.register_blueprint(routes.figures_blueprint)
    app.register_blueprint(saved.export_blueprint)
    app.register_blueprint(box.health_blueprint)
    for shown in (  # what the templates call by its own name
        *(urls.to, urls.root, urls.place, language.bare_title, language.foreign),
        *(served.loaded, served.info_of, served.tongue, served.library_version),
        *(
            request_filters.scope,
            request_filters.along,
            request_filters.here,
            request_filters.before,
            request_filters.reading_chip,
        ),
        *(outline.snippet, view.named_in, pages.theme, model_queues.described, box.is_box),
        *(saved.day, comparing.editions_of, in_sight),
    ):
        app.jinja_env.globals[shown.__name__] = shown
    app.jinja_env.globals.update(
        program_version=__version__,
        question_characters=settings.search.question_characters,
        payload=routes.stops_json,
        phrase=language.said,
        lost_context=lambda: g.get("lost_context", ""),  # what was open and is not in this library
        reason_words=lambda text: language.worded(text) or text,
        about=feedback.about_answer,
        filter_groups=request_filters.groups,
        filter_chips=request_filters.chips,
        themes=pages.THEMES,
        theme_media=pages.media,
        mark=pages.MARK,
        clause_kinds=language.of_clause,
        box_standing=box.standing,
        file_standing=served.standing,
        saved_lately=saved.lately,
    )
    _setup_errors(app)
    return app


def _setup_errors(app: Flask) -> None:
    """Map each failure to a status and plain words, as a page or as JSON."""

    @app.errorhandler(ApplianceError)
    def ours(error: ApplianceError) -> tuple[Response | str, int]:
        if error.http_status >= 500:
            log.error("%s %s", type(error).__name__, error)
        heading = later("Not in the library") if error.http_status == 404 else later("This cannot be done")
        return _failure(heading, str(error), error.http_status)

    @app.errorhandler(AmbiguousLabel)
    def several(error: AmbiguousLabel) -> tuple[Response | str, int]:
        if request.path.startswith("/api/"):
            return _failure(SEVERAL, str(error), error.http_status)
        return _failure(SEVERAL, error.said, error.http_status, error)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Any:
        if error.response is not None or error.code is None or error.code < 400:
            return error  # a redirect
        known = openapi.known_here(error) if request.path.startswith("/api/") else None
        heading, words = known or WORDS.get(error.code, (error.name, error.description or ""))
        return _failure(heading, words, error.code)

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> tuple[Response | str, int]:
        log.error("unexpected failure at %s", request.path, exc_info=error)
        return _failure(*UNEXPECTED, 500)


def _failure(
    heading: str, words: str, status: int, several: AmbiguousLabel | None = None
) -> tuple[Response | str, int]:
    if request.path.startswith("/api/"):
        return jsonify({"error": {"status": status, "message": f"{heading}. {words}"}}), status
    said = {"heading": say(heading), "words": language.worded(words) or say(words)}
    return render_template("error.html", status=status, several=several, **said), status
