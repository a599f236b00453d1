"""The page on which a specification is pasted or uploaded, and the report of what it cites."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import PurePosixPath, PureWindowsPath
from typing import cast

from flask import Blueprint, Response, current_app, render_template, request

from appliance.citing.check import review
from appliance.citing.reading import read_text, read_upload
from appliance.citing.values import Proof, Report
from appliance.core.errors import ApplianceError, UnreadableUpload
from appliance.keeping.citation_report import report_pdf
from appliance.keeping.kept import printed_number
from appliance.tools import Tools
from appliance.web import guard, urls
from appliance.web.kept.saved import speech
from appliance.web.served import library

blueprint = Blueprint("review", __name__)

PATIENCE = 5.0  # seconds that a request waits for its turn
NAME = 120  # characters of a file name
PASTED = "the pasted text"


class Busy(ApplianceError):
    """As many documents as the settings allow are being read."""

    http_status = 503

    def __init__(self) -> None:
        super().__init__("Another document is being read just now. Send yours again in half a minute.")


@blueprint.get("/review")
def form() -> str:
    """Show the form."""
    return render_template("review.html", limits=guard.settings().citing, text="", why="")


@blueprint.post("/review")
def check() -> Response:
    """Show what the document cites, each citation with its status and proof."""

    def page(report: Report) -> Response:
        text = request.form.get("text", "") if report.name == PASTED else ""  # a file is forgotten by now
        shown = {"report": report, "text": text, "link": link, "printed": printed}
        return Response(render_template("review_report.html", **shown))

    return _checked(page)


@blueprint.post("/review.pdf")
def check_pdf() -> Response:
    """Send the report of what the document cites as PDF."""
    return _checked(
        lambda report: Response(report_pdf(report, speech(), printed), mimetype="application/pdf")
    )


def _checked(show: Callable[[Report], Response]) -> Response:
    """Return the report as it is shown, else the form with why there is none."""
    limits, sent = guard.settings().citing, request.files.get("file")
    try:
        with turn():
            if sent is not None and sent.filename:
                name = PureWindowsPath(PurePosixPath(sent.filename).name).name[:NAME]
                read = read_upload(name, sent.stream.read(limits.upload_kib * 1024 + 1), limits)
            else:
                read = read_text(PASTED, request.form.get("text", ""), limits)
            report = review(read, cast("Tools", current_app.extensions["tools"]).shelf, limits)
        return show(report)
    except (UnreadableUpload, Busy) as error:
        text = request.form.get("text", "")
        form = render_template("review.html", limits=limits, text=text, why=str(error))
        return Response(form, error.http_status)


def link(proof: Proof) -> str:
    """Return the address of the place that a citation was held against."""
    if proof.label is None:
        return urls.to("pages.document", document=proof.document)
    return urls.place(proof.document, proof.label, proof.kind)


def printed(proof: Proof) -> str:
    """Return the number that the page of a proof prints, "" for none."""
    return printed_number(library(), proof.document, proof.page)


def turn() -> AbstractContextManager[None]:
    """Wait until a document may be read; raises Busy."""
    return guard.turn("review", guard.settings().citing.at_once, PATIENCE, Busy())
