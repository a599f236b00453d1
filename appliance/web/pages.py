"""The routes that people open: home, answers, documents, places, page images."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    send_file,
    stream_with_context,
)
from markupsafe import Markup
from werkzeug.wrappers import Response as Redirect

from appliance.core.errors import UnknownPlace
from appliance.core.evidence import Answer, Failed, Grounded, NotFound
from appliance.library import Library
from appliance.web import lan, observed, urls
from appliance.web.answers import cited_places, model_queues, request_filters, view
from appliance.web.assets import ENDPOINTS
from appliance.web.guard import in_pace, keep_cookie, way_back
from appliance.web.language import CLAUSES, COOKIE, LANGUAGES, later, say
from appliance.web.reading import tables, views
from appliance.web.served import library, library_version, loaded

blueprint = Blueprint("pages", __name__)
choices_blueprint = Blueprint("choices", __name__)

MARK = Markup("<!-- what was found -->")
BROWSER = "text/html"
NEAREST = 3  # first places whose documents are named where a filter has left them out
BEARING = 0.5  # relevance from which they are
UNNAMED = ENDPOINTS | {"pages.image", "health.healthz"}  # what is of no library
IMAGE_NAME = re.compile(r"[0-9a-f]{64}\.(jpg|webp|png)")
IMAGE_CACHE = "public, max-age=31536000, immutable"  # the name is the hash of what is in it
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
ROW_DIGITS = 6  # of the number of a row, at most


@blueprint.after_app_request
def name_library(response: Response) -> Response:
    """Tell with every page and answer which library it is of, so that an open page sees a switch."""
    if response.status_code < 400 and request.endpoint not in UNNAMED:
        response.headers.setdefault("X-Library", library_version())
    return response


def keep_gap(answer: Answer) -> None:
    """Note a question without an answer; never raises.

    A page of another origin can make a browser ask, and one address can ask without end: the first is
    never noted, of the second so much in a minute.
    """
    observed.answered(answer)
    if not isinstance(answer, NotFound) or request.headers.get("Sec-Fetch-Site") == "cross-site":
        return
    if in_pace("gaps"):
        library().site.keep_gap(
            answer, loaded().version, beside=request_filters.beside(request.args.get("q", ""))
        )


@blueprint.get("/")
def home() -> str:
    """Show the search box, questions to start with, and what is loaded."""
    addresses = lan.addresses_of_request()
    own_only = all(map(lan.is_own, addresses))
    return render_template("home.html", addresses=addresses, own_only=own_only)


@blueprint.get("/choose")
@blueprint.get("/feedback")
def form() -> Redirect:
    """Lead whoever opens the address of a form to the first page."""
    return redirect(urls.to("pages.home"))


@blueprint.get("/ask")
def ask() -> str | tuple[str, int] | Redirect:
    """Answer a question."""
    return _found(_answered)


def _found(find: Callable[[str], str | tuple[str, int]]) -> str | tuple[str, int] | Redirect | Response:
    """Return the page of a question; a browser sees its head while the box searches."""
    question = request_filters.question()
    if not question:
        return redirect(urls.to("pages.home"))
    if BROWSER not in request.headers.get("Accept", ""):
        return find(question)
    head = render_template("asking.html", question=question).partition(MARK)[0]

    def pieces() -> Iterator[str]:
        yield head
        found: Any
        try:
            found = find(question)
        except Exception as error:  # noqa: BLE001 - the app's own handlers say it in words, as for any page
            found = current_app.handle_user_exception(error)
        text, status = found if isinstance(found, tuple) else (found, 200)
        observed.ended(status)
        yield text.partition(MARK)[2]

    response = Response(stream_with_context(pieces()), mimetype=BROWSER)
    response.vary.add("Accept")
    return response


def _answered(question: str) -> str | tuple[str, int]:
    given = request_filters.given()
    try:
        answer = model_queues.kept() or library().answered(question, **given)
    except UnknownPlace:
        if "reading" not in given:
            raise
        g.lost_context = request.args["reading"].replace(":", " ", 1)  # of the library before, or mistyped
        del given["reading"]
        answer = library().answered(question, **given)
    keep_gap(answer)
    match answer:
        case Grounded():
            shown = view.of_answer(library(), answer)
            return render_template(
                "answer.html",
                question=answer.question,
                offer=model_queues.offer(answer),
                elsewhere=_elsewhere(answer),
                shown=shown,
                stops=shown.stops,
                stop=_selected(shown.stops),
            )
        case NotFound():
            found = cited_places.of_places(library(), answer.evidence.shown)
            return render_template(
                "not_found.html",
                question=answer.question,
                answer=answer,
                narrowed=_narrowed(),
                elsewhere=_elsewhere(answer),
                nearest=view.findings(answer.evidence.shown, found),
                stops=found,
                stop=_selected(found),
            )
        case Failed():
            return render_template("failed.html", question=answer.question, answer=answer), 503


@blueprint.get("/search")
def search() -> str | tuple[str, int] | Redirect:
    """List the places found, best first, without composing an answer."""
    return _found(_listed)


def _listed(question: str) -> str:
    """List the places that the search thinks best, or from the `first` (0) on all that hold its words."""
    first, narrowed = request_filters.first(), request_filters.given()
    shown: dict[str, Any]
    if first is not None:
        listing = library().with_words(question, first, request_filters.LISTED, **narrowed)
        places, total = listing.places, listing.total
        shown = {"choices": (), "more": 0, "first": first, "step": request_filters.LISTED}
    else:
        limit = request_filters.limit()
        evidence = library().search(question, limit=limit, **narrowed)
        observed.searched(evidence)
        places, total = evidence.shown, library().with_words(question, **narrowed).total
        shown = {
            "choices": evidence.choices,
            "evidence": evidence,
            "more": request_filters.more(limit, len(places)),
        }
    found = cited_places.of_places(library(), places)
    return render_template(
        "search.html",
        question=question,
        total=total,
        findings=view.findings(places, found),
        stops=found,
        stop=_selected(found),
        **shown,
    )


@blueprint.get("/d/<document>")
def document(document: str) -> str:
    """Show a document as its tree."""
    return render_template("document.html", **views.document(library(), document))


def _read(view: Callable[[Library, str, str], dict[str, Any]], document: str, key: str) -> str:
    """Show a clause, a table, a figure or a formula."""
    shown = view(library(), document, key)
    return render_template(f"{view.__name__}.html", info=views.info_of(library(), document), **shown)


for _short, _view in {"c": views.clause, "t": views.table, "f": views.figure, "e": views.formula}.items():
    blueprint.add_url_rule(f"/d/<document>/{_short}/<path:key>", _view.__name__, partial(_read, _view))


@blueprint.get("/d/<document>/t/<path:key>.tsv")
def tsv(document: str, key: str) -> Response:
    """Send a table as tab-separated lines, to be put into a spreadsheet; `row` names the rows, none for all.

    Where a cell was read with doubt stands the page to see.
    """
    found = library().table(document, key)
    rows = {int(row) for row in request.args.getlist("row") if row.isdecimal() and len(row) < ROW_DIGITS}
    doubts = {
        (cell.row, cell.column): say("see page %(page)s", page=cell.box.page)
        for cell in views.doubtful(library(), document, found)
    }
    response = Response(tables.tsv(found, rows, doubts), mimetype="text/tab-separated-values")
    name = re.sub(r"[^A-Za-z0-9.]+", "-", f"{document} {found.label}").strip("-.")
    response.headers["Content-Disposition"] = f'inline; filename="{name}.tsv"'
    return response


@blueprint.get("/d/<document>/p/<int:number>")
def page(document: str, number: int) -> str:
    """Show a whole page; `at` names a place to box on it."""
    at = request.args.get("at", "")
    return render_template("page.html", **views.page(library(), document, number, at))


@blueprint.get("/d/<document>/l/<path:key>")
def label(document: str, key: str) -> Redirect:
    """Lead to whatever carries this label: its reading view, or its page where it has none."""
    kind, found, boxes = views.locate(library(), document, key)
    if kind in urls.READERS or kind in CLAUSES:
        return redirect(urls.place(document, found, kind))
    number = boxes[0].page if boxes else 1
    return redirect(urls.to("pages.page", document=document, number=number, at=key))


@blueprint.get("/i/<name>")
def image(name: str) -> Response:
    """Send a page image; its address never means another picture."""
    path = library().image(name) if IMAGE_NAME.fullmatch(name) else None
    if path is None or not path.is_file():
        abort(404)
    response = send_file(path.resolve(), conditional=True)
    response.headers["Cache-Control"] = IMAGE_CACHE
    return response


@blueprint.get("/qr.svg")
def qr() -> Response:
    """Draw the address of the box as a QR code."""
    return Response(lan.qr_svg(lan.addresses_of_request()[0]), mimetype="image/svg+xml")


def _selected(found: dict[str, cited_places.Stop]) -> cited_places.Stop | None:
    """Return the stop that the address asks for, else the first that can be shown."""
    first = next((stop for stop in found.values() if stop.views), None)
    return found.get(request.args.get("s", "")) or first


def _narrowed() -> bool:
    """Tell whether the address leaves a part of the library out."""
    return bool(request_filters.scope() or request_filters.given().get("wanted"))


def _elsewhere(answer: Grounded | NotFound) -> tuple[str, ...]:
    """Return the documents left out by a filter whose places bear more on the question, best first."""
    if not _narrowed() or not {info.id for info in loaded().documents} - set(answer.searched):
        return ()
    given = {name: value for name, value in request_filters.given().items() if name == "after"}
    evidence = library().search(answer.question, limit=NEAREST, **given)
    here = answer.evidence.relevance if isinstance(answer, Grounded) else 0.0
    if evidence.relevance < BEARING or evidence.relevance <= here:
        return ()
    named = dict.fromkeys(hit.document for hit in evidence.shown)
    return tuple(name for name in named if name not in answer.searched)


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
def choose() -> Redirect:
    """Keep a choice, and lead back to the page that it was made on."""
    quiet = "quiet" in request.form  # the script has already changed the page
    back = urls.root() + way_back(request.form.get("back", ""))
    response = Response(status=204) if quiet else redirect(back, 303)
    for cookie, field, known in ((CHOICES_COOKIE, "theme", THEMES), (COOKIE, "language", LANGUAGES)):
        value = request.form.get(field)
        if value and value in known:
            keep_cookie(response, cookie, value, CHOICES_DAYS)
        elif value in known:  # as the device has it
            response.delete_cookie(cookie, path=f"{request.script_root}/", samesite="Lax")
    return response
