"""What waitress refuses before the page sees it, said as a page: too long an address, a broken request.

Rules of this module: nothing of the request is trusted, so nothing of it is shown, and the words stand in
every language of the page. No script, no style: the page may belong to any address.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from waitress.task import ErrorTask  # type: ignore[import-untyped]  # waitress publishes no types

from appliance.web.language import LANGUAGES, later, said_in

_TEMPLATES = Path(__file__).parent / "templates"
TOO_LONG = (
    later("This question is too long to be sent"),
    later("Nothing was searched. Go back, shorten it to a few sentences, and ask one thing at a time."),
)
BROKEN = (
    later("This request cannot be read"),
    later("Check the address, or ask again from the first page."),
)
LARGE = frozenset({413, 414, 431})


class Refusal(ErrorTask):  # type: ignore[misc]  # waitress publishes no types
    """Answers what cannot be taken with a page of ours, and closes."""

    def execute(self) -> None:
        """Send the page with the status that waitress chose."""
        error = self.request.error
        body = page(error.code).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Security-Policy", "default-src 'none'"),
            ("Cache-Control", "no-store"),
        ]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


@cache
def page(status: int) -> str:
    """Return the page of a status, in all languages."""
    heading, words = TOO_LONG if status in LARGE else BROKEN
    said = [
        (name, said_in(name, heading), said_in(name, words), said_in(name, later("First page")))
        for name in LANGUAGES
    ]
    templates = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True)
    return templates.get_template("refused.html").render(status=status, said=said)
