"""The language of the page: the reader's choice, else the browser's, else English; words from one catalogue.

Rules of this module: English stands in templates and modules and is the key of the catalogue; a text that
a catalogue lacks is shown in English. Catalogues are read once, by the standard library's gettext;
`scripts/catalogue.py` gathers, updates and compiles them. The words of a code are never translated.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import cast

from flask import Flask, Response, has_request_context, request

from appliance.ingest.language import language_name, language_of_few

LANGUAGES = {"en": "English", "de": "Deutsch"}  # each by its own name
DEFAULT = "en"
COOKIE = "codes_language"
FOLDER = Path(__file__).parent / "locale"
DOMAIN = "page"
TELLING = 4  # letters from which a word is of one language rather than of several
_WORD = re.compile(r"[^\W\d_]+")


def language() -> str:
    """Return the language of the page being served."""
    if not has_request_context():
        return DEFAULT
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(tuple(LANGUAGES), DEFAULT) or DEFAULT


def say(text: str, /, **values: object) -> str:
    """Return a text of ours in the language of the page, with its values put in."""
    found = _catalogue(language()).gettext(text) if text else ""
    return found % values if values else found


def said_in(name: str, text: str) -> str:
    """Return a text of ours in a language, whatever the page is in."""
    return _catalogue(name).gettext(text)


def say_many(one: str, many: str, number: int) -> str:
    """Return the form that the number takes, with `%(num)s` still in it (gettext)."""
    return _catalogue(language()).ngettext(one, many, number)


def later(text: str) -> str:
    """Mark a text of a constant for the catalogue; `say` translates it where it is shown."""
    return text


def foreign(question: str, languages: Iterable[str], nearest: Iterable[str] = ()) -> str:
    """Return how the language of the documents is called where a question is written in another, else "".

    Where few words do not tell it, it is that of the page, unless one of them stands in the nearest places.
    """
    known = {code for code in languages if code}
    words = {word for word in _WORD.findall(question.casefold()) if len(word) >= TELLING}
    shared = any(not words.isdisjoint(_WORD.findall(text.casefold())) for text in nearest)
    asked = language_of_few(question) or (language() if language() != DEFAULT and not shared else "")
    return "" if not known or not asked or asked in known else ", ".join(sorted(map(_named, known)))


def _named(code: str) -> str:
    name = {"en": later("English"), "de": later("German")}.get(code) or language_name(code)
    return say(name)


def install(app: Flask) -> None:
    """Give the templates `_`, `gettext`, `ngettext` and {% trans %}, and declare what the page varies by."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    ready = cast("Callable[..., None]", app.jinja_env.install_gettext_callables)  # type: ignore[attr-defined]  # of the extension
    ready(say, say_many, newstyle=True)
    app.jinja_env.globals.update(language=language, page_language=language, languages=LANGUAGES)

    @app.after_request
    def vary(response: Response) -> Response:
        if response.mimetype == "text/html":
            response.vary.update(("Accept-Language", "Cookie"))
            response.content_language.add(language())
        return response


@cache
def _catalogue(name: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, FOLDER, [name], fallback=True)
