"""The head of an answer's page, sent while the box still searches: the reader sees at once what was asked.

Rules of this module: what stands before the mark of `base.html` is of the request alone, so that it can be
sent before anything is found; what the search then comes to, a failure too, follows as the rest of the same
page. A status cannot follow. So only a browser, which names text/html, is answered in this way; whoever asks
otherwise gets the whole page with the status that says how it went.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from flask import Response, current_app, render_template, request, stream_with_context
from markupsafe import Markup

from appliance.web import observed

MARK = Markup("<!-- what was found -->")
BROWSER = "text/html"


def wanted() -> bool:
    """Tell whether whoever asks shows a page while it comes; one that reloads itself is sent whole."""
    return BROWSER in request.headers.get("Accept", "") and not request.args.get("job")


def page(question: str, find: Callable[[], Any]) -> Response:
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
