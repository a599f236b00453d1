"""The routes that people open: home, answers, documents, places, page images."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

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
from appliance.store.values import DocumentInfo
from appliance.web import lan, observed, urls
from appliance.web.answers import asked, cited_places, writing
from appliance.web.answers import view as answers
from appliance.web.assets import ENDPOINTS
from appliance.web.guard import pace
from appliance.web.language import language
from appliance.web.reading import views
from appliance.web.reading.views import locate

MARK = Markup("<!-- what was found -->")
BROWSER = "text/html"


def wanted() -> bool:
    """Tell whether whoever asks shows a page while it comes."""
    return BROWSER in request.headers.get("Accept", "")


def early_page(question: str, find: Callable[[], Any]) -> Response:
    """Return the page of a question whose search begins when its head is on the way."""
    head = render_template("asking.html", question=question).partition(MARK)[0]
    response = Response(stream_with_context(_pieces(head, find)), mimetype=BROWSER)
    response.vary.add("Accept")
    return response


def _pieces(head: str, find: Callable[[], Any]) -> Iterator[str]:
    yield head
    try:
        found = find()
    except Exception as error:  # noqa: BLE001 - the app's own handlers say it in words, as for any page
        found = current_app.handle_user_exception(error)
    text, status = found if isinstance(found, tuple) else (found, 200)
    observed.ended(status)
    yield text.partition(MARK)[2]


if TYPE_CHECKING:
    from appliance.library import Library
    from appliance.views import Overview

NEAREST = 3  # first places whose documents are named where a filter has left them out
BEARING = 0.5  # relevance from which they are

blueprint = Blueprint("pages", __name__)

SHORT = 12  # digits of the version
UNNAMED = ENDPOINTS | {"pages.image", "health.healthz"}  # what is of no library
IMAGE_NAME = re.compile(r"[0-9a-f]{64}\.(jpg|webp|png)")
IMAGE_CACHE = "public, max-age=31536000, immutable"  # the name is the hash of what is in it


def library() -> Library:
    """Return the library that the app serves."""
    return cast("Library", current_app.extensions["library"])


def loaded() -> Overview:
    """Return what is loaded; read once, for a library never changes while it is open."""
    if "overview" not in current_app.extensions:
        current_app.extensions["overview"] = library().overview()
    return cast("Overview", current_app.extensions["overview"])


def library_version() -> str:
    """Return the version of the library, short: an open page tells by it that another one is served."""
    return loaded().version[:SHORT]


def lost_context() -> str:
    """Return the place that the question named as open and that is not in this library, "" for none."""
    return str(g.get("lost_context", ""))


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
    if pace("gaps").allows(request.remote_addr or ""):
        library().site.keep_gap(answer, loaded().version, beside=asked.beside(request.args.get("q", "")))


def info_of(document: str) -> DocumentInfo | None:
    """Return what is known of a document, None when it is not loaded."""
    return next((info for info in loaded().documents if info.id == document), None)


def tongue(document: str) -> Markup:
    """Return the language of a document's words as an attribute, nothing where it is that of the page."""
    info = info_of(document)
    written = info.language if info else ""
    return Markup(' lang="{}"').format(written) if written and written != language() else Markup()


def last_page(document: str) -> int:
    """Return the number of the last page of a document."""
    info = info_of(document)
    return info.pages if info else 0


@blueprint.get("/")
def home() -> str:
    """Show the search box, questions to start with, and what is loaded."""
    addresses = lan.addresses_of_request()
    own_only = all(map(lan.is_own, addresses))
    return render_template("home.html", addresses=addresses, own_only=own_only)


@blueprint.get("/ask")
def ask() -> str | tuple[str, int] | Redirect:
    """Answer a question."""
    return _found(_answered)


def _found(find: Callable[[str], str | tuple[str, int]]) -> str | tuple[str, int] | Redirect:
    """Return the page of a question; a browser sees its head while the box searches."""
    question = request.args.get("q", "").strip()
    if not question:
        return redirect(urls.to("pages.home"))
    return early_page(question, partial(find, question)) if wanted() else find(question)


def _answered(question: str) -> str | tuple[str, int]:
    given = asked.given()
    try:
        answer = writing.kept() or library().ask(question, documents=scope(), **given)
    except UnknownPlace:
        if "reading" not in given:
            raise
        g.lost_context = request.args["reading"].replace(":", " ", 1)  # of the library before, or mistyped
        del given["reading"]
        answer = library().ask(question, documents=scope(), **given)
    keep_gap(answer)
    return _answer_page(answer)


@blueprint.get("/search")
def search() -> str | tuple[str, int] | Redirect:
    """List the places found, best first, without composing an answer."""
    return _found(_listed)


def _listed(question: str) -> str:
    first = asked.first()
    return _every(question, first) if first is not None else _best(question)


def _every(question: str, first: int) -> str:
    """List places that hold words of the question, from the first (0) on, by the search by words."""
    listing = library().with_words(question, first, asked.LISTED, documents=scope(), **asked.given())
    found = cited_places.of_places(library(), listing.places)
    return render_template(
        "search.html",
        choices=(),
        question=question,
        more=0,
        first=first,
        total=listing.total,
        step=asked.LISTED,
        findings=answers.findings(listing.places, found),
        stops=found,
        stop=_selected(found),
    )


def _best(question: str) -> str:
    """List the places that the search thinks best, and say how many hold words of the question."""
    limit = asked.limit()
    evidence = library().search(question, limit=limit, documents=scope(), **asked.given())
    observed.searched(evidence)
    found = cited_places.of_places(library(), evidence.hits)
    return render_template(
        "search.html",
        choices=evidence.choices,
        question=question,
        evidence=evidence,
        more=asked.more(limit, len(evidence.hits)),
        total=library().with_words(question, documents=scope(), **asked.given()).total,
        findings=answers.findings(evidence.hits, found),
        stops=found,
        stop=_selected(found),
    )


@blueprint.get("/d/<document>")
def document(document: str) -> str:
    """Show a document as its tree."""
    return render_template("document.html", **views.document(library(), document))


@blueprint.get("/d/<document>/c/<path:key>")
def clause(document: str, key: str) -> str:
    """Show a clause with all that stands under it and the references both ways."""
    return render_template("clause.html", **views.clause(library(), document, key))


@blueprint.get("/d/<document>/t/<path:key>")
def table(document: str, key: str) -> str:
    """Show a table as data beside its page."""
    return render_template("table.html", **views.table(library(), document, key))


@blueprint.get("/d/<document>/f/<path:key>")
def figure(document: str, key: str) -> str:
    """Show a figure, large."""
    return render_template("figure.html", **views.figure(library(), document, key))


@blueprint.get("/d/<document>/e/<path:key>")
def formula(document: str, key: str) -> str:
    """Show a formula as it is printed, with what explains its symbols."""
    return render_template("formula.html", **views.formula(library(), document, key))


@blueprint.get("/d/<document>/p/<int:number>")
def page(document: str, number: int) -> str:
    """Show a whole page; `at` names a place to box on it."""
    at = request.args.get("at", "")
    return render_template("page.html", **views.page(library(), document, number, at))


@blueprint.get("/d/<document>/l/<path:key>")
def label(document: str, key: str) -> Redirect:
    """Lead to whatever carries this label: its reading view, or its page where it has none."""
    found = locate(library(), document, key)
    if found.kind in urls.READERS or found.kind in urls.CLAUSE_KINDS:
        return redirect(urls.place(document, found.label, found.kind))
    number = found.boxes[0].page if found.boxes else 1
    return redirect(urls.to("pages.page", document=document, number=number, at=key))


@blueprint.get("/i/<name>")
def image(name: str) -> Response:
    """Send a page image; its address never means another picture."""
    if not IMAGE_NAME.fullmatch(name):
        abort(404)
    path = library().image(name)
    if not path.is_file():
        abort(404)
    response = send_file(path.resolve(), conditional=True)
    response.headers["Cache-Control"] = IMAGE_CACHE
    return response


@blueprint.get("/qr.svg")
def qr() -> Response:
    """Draw the address of the box as a QR code."""
    return Response(lan.qr_svg(lan.addresses_of_request()[0]), mimetype="image/svg+xml")


def scope() -> tuple[str, ...]:
    """Return the documents that the request is narrowed to, none for all."""
    return tuple(filter(None, request.args.getlist("d")))


def _selected(found: dict[str, cited_places.Stop]) -> cited_places.Stop | None:
    """Return the stop that the address asks for, else the first that can be shown."""
    first = next((stop for stop in found.values() if stop.views), None)
    return found.get(request.args.get("s", "")) or first


def _narrowed() -> bool:
    """Tell whether the address leaves a part of the library out."""
    return bool(scope() or asked.given().get("wanted"))


def _elsewhere(answer: Grounded | NotFound) -> tuple[str, ...]:
    """Return the documents left out by a filter whose places bear more on the question, best first."""
    if not _narrowed() or not {info.id for info in loaded().documents} - set(answer.searched):
        return ()
    given = {name: value for name, value in asked.given().items() if name == "after"}
    evidence = library().search(answer.question, limit=NEAREST, **given)
    here = answer.evidence.relevance if isinstance(answer, Grounded) else 0.0
    if evidence.relevance < BEARING or evidence.relevance <= here:
        return ()
    named = dict.fromkeys(hit.document for hit in evidence.hits)
    return tuple(name for name in named if name not in answer.searched)


def _answer_page(answer: Answer) -> str | tuple[str, int]:
    match answer:
        case Grounded():
            shown = answers.of_answer(library(), answer)
            return render_template(
                "answer.html",
                question=answer.question,
                offer=writing.offer(answer),
                elsewhere=_elsewhere(answer),
                shown=shown,
                stops=shown.stops,
                stop=_selected(shown.stops),
            )
        case NotFound():
            found = cited_places.of_places(library(), answer.evidence.hits)
            nearest = answers.findings(answer.evidence.hits, found)
            return render_template(
                "not_found.html",
                question=answer.question,
                answer=answer,
                narrowed=_narrowed(),
                elsewhere=_elsewhere(answer),
                nearest=nearest,
                stops=found,
                stop=_selected(found),
            )
        case Failed():
            return render_template("failed.html", question=answer.question, answer=answer), 503
