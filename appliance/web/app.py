"""The page as a Flask app around one opened library."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, jsonify, render_template, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException

from appliance import __version__
from appliance.core.errors import AmbiguousLabel, ApplianceError
from appliance.core.settings import Settings
from appliance.tools import Tools
from appliance.web import access, assets, connections, guard, language, observed, pages, urls
from appliance.web import access as choices
from appliance.web import language as sentences
from appliance.web import language as wording
from appliance.web import pages as early
from appliance.web.answers import asked, filters, payload, view
from appliance.web.answers.writing import Desk, Writes
from appliance.web.api import parameters, routes
from appliance.web.api import tools as api_tools
from appliance.web.box import health
from appliance.web.kept import notes, registry, review
from appliance.web.language import later, say
from appliance.web.reading import figures, outline

if TYPE_CHECKING:
    from appliance.library import Library

log = logging.getLogger(__name__)

WORDS = {
    400: (
        later("This request cannot be read"),
        later("Check the address, or ask again from the first page."),
    ),
    403: (
        later("This page is not for everybody on the network"),
        later("Open it on the box itself, or send the form from its own page."),
    ),
    404: (
        later("There is nothing at this address"),
        later("It may have moved with a new edition. Search for it above."),
    ),
    405: (later("The page only reads"), later("Nothing can be changed from here.")),
    413: connections.TOO_MUCH,
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


def create_app(library: Library, *, settings: Settings | None = None, writer: Writes | None = None) -> Flask:
    """Return the app that serves an opened library; `writer` is its language model, None for none."""
    settings = settings or Settings()
    app = Flask(__name__, static_url_path=f"/static/{assets.version()}")
    app.extensions["library"] = library
    if writer is not None and writer.mode != "deterministic":
        app.extensions["writing"] = Desk(writer, settings.jobs)
    app.config["SETTINGS"] = settings
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.json = Readable(app)
    assets.styles_install(app)
    assets.install(app)  # first to be told is last to run
    observed.install(app, settings)
    guard.install(app, settings)
    access.install(app, settings.serve)
    language.install(app)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(routes.blueprint)
    app.register_blueprint(notes.blueprint)
    app.register_blueprint(review.blueprint)
    app.register_blueprint(routes.jobs_blueprint)
    api_tools.install(app, Tools(library, settings))
    parameters.install(app)
    figures.install(app, writer.describer if writer else None, settings.jobs)
    app.register_blueprint(health.blueprint)
    registry.install(app)
    app.register_blueprint(choices.choices_blueprint)
    _setup_templates(app, settings)
    _setup_errors(app)
    return app


def _setup_templates(app: Flask, settings: Settings) -> None:
    app.jinja_env.globals.update(
        to=urls.to,
        root=urls.root,
        place=urls.place,
        program_version=__version__,
        question_characters=settings.search.question_characters,
        loaded=pages.loaded,
        last_page=pages.last_page,
        scope=pages.scope,
        snippet=outline.snippet,
        payload=payload.stops_json,
        bare_title=wording.bare_title,
        named_in=view.named_in,
        phrase=sentences.said,
        reason_words=lambda text: sentences.worded(text) or text,
        foreign=language.foreign,
        info_of=pages.info_of,
        tongue=pages.tongue,
        about=notes.about_answer,
        milliseconds=wording.milliseconds,
        along=asked.along,
        here=asked.here,
        before=asked.before,
        library_version=pages.library_version,
        lost_context=pages.lost_context,
        filter_groups=filters.groups,
        filter_chips=filters.chips,
        reading_chip=filters.reading_chip,
        theme=choices.theme,
        themes=choices.THEMES,
        theme_media=choices.media,
        mark=early.MARK,
    )


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
        known = parameters.known_here(error) if request.path.startswith("/api/") else None
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
    said = {"heading": say(heading), "words": sentences.worded(words) or say(words)}
    return render_template("error.html", status=status, several=several, **said), status
