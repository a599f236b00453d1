"""The language of the page, and the engine's fixed sentences and kinds of places in it."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import cast

from flask import Flask, Response, has_request_context, request
from markupsafe import Markup, escape

from appliance.core.runs import runs as in_runs
from appliance.text.language import asking_in, language_name, language_of_few

LANGUAGES = {"en": "English", "de": "Deutsch"}  # each by its own name
DEFAULT = "en"
COOKIE = "codes_language"
FOLDER = Path(__file__).parent / "locale"
DOMAIN = "page"
TELLING = 4  # letters from which a word is of one language rather than of several
_FOUND = "appliance.language"  # of the request, in its environment
_WORD = re.compile(r"[^\W\d_]+")


def language() -> str:
    """Return the language of the page being served."""
    if not has_request_context():
        return DEFAULT
    known = request.environ
    if _FOUND not in known:  # each word of a page asks for it
        chosen = request.cookies.get(COOKIE, "")
        best = request.accept_languages.best_match(tuple(LANGUAGES), DEFAULT)
        known[_FOUND] = chosen if chosen in LANGUAGES else best or DEFAULT
    return str(known[_FOUND])


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


def foreign(question: str, languages: Iterable[str], nearest: Iterable[str] = ()) -> tuple[str, str]:
    """Return what tells that the documents are in another language than a question, and its own; else "", "".

    It is told in the language of the question. Where few words do not tell that, it is that of the page. One
    of them in the nearest places tells that the question is none of another language.
    """
    known = {code for code in languages if code}
    words = {word for word in _WORD.findall(question.casefold()) if len(word) >= TELLING}
    shared = any(not words.isdisjoint(_WORD.findall(text.casefold())) for text in nearest)
    asked = "" if shared else language_of_few(question) or (language() if language() != DEFAULT else "")
    if not known or not asked or asked in known:
        return "", ""
    told = asking_in(asked, ", ".join(LANGUAGES.get(code, language_name(code)) for code in sorted(known)))
    names = {"en": later("English"), "de": later("German")}
    named = ", ".join(sorted(say(names.get(code) or language_name(code)) for code in known))
    return told or say(
        "The documents are written in %(language)s: ask in that language.", language=named
    ), asked


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


TEMPLATES = Path(__file__).parent / "locale" / "engine.txt"
INNER = frozenset({"why", "first", "count"})  # values that are sentences themselves
WORDS = frozenset({"kinds", "ways", "state", "event", "what"})  # values that are words of ours, by commas
MEASURED = frozenset({"free", "all"})  # what the box counts itself: never a number of a code
COMMA = frozenset({"de"})  # languages that write a comma before the decimals
REWORDED = {
    "1 references could not be followed": later("1 reference could not be followed"),
    "1 reference could not be followed": later("1 reference could not be followed"),
    "its words": later("its words"),
    "its meaning": later("its meaning"),
    "references": later("references"),
    "its number": later("its number"),
    "lexical": later("its words"),
    "dense": later("its meaning"),
    "graph": later("references"),
    "reference": later("references"),
    "label": later("its number"),
    "query": later("reading the question"),
    "encode": later("turning the question into numbers"),
    "rerank": later("judging the first places"),
    "closure": later("following references"),
    "ranking": later("ordering the places"),
    "fusion": later("joining the searches"),
    "places": later("reading the places"),
}
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_VALUE = re.compile(r"%\((\w+)\)s")


def templates() -> tuple[str, ...]:
    """Return the templates of the sentences that the page knows."""
    lines = TEMPLATES.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def said(text: str) -> Markup:
    """Return a sentence of the engine for the page: in its language, else as it is and marked as English."""
    found = worded(text)
    if found is None and language() != DEFAULT and text:
        return Markup('<span lang="en" data-untold>{}</span>').format(text)
    return escape(text if found is None else found)


def worded(text: str) -> str | None:
    """Return a sentence of the engine in the language of the page, None for one that is not known."""
    if text in REWORDED:
        return say(REWORDED[text])
    for template, pattern in _patterns():
        if found := pattern.fullmatch(text):
            values = {name: _value(name, value) for name, value in found.groupdict().items()}
            if all(value is not None for value in values.values()):
                return say(template, **values)
    return None


def _value(name: str, value: str) -> str | None:
    """Return a value in the language of the page, None where it should be words of ours and is none."""
    if name in INNER:
        return worded(value) or value
    if name in WORDS:
        said = [worded(word) for word in value.split(", ")]
        return ", ".join(dict.fromkeys(word for word in said if word)) if all(said) else None
    if name in MEASURED and language() in COMMA:
        return _POINT.sub(",", value)
    return value


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return every template with its pattern, those with the most fixed words first."""
    made = []
    for template in sorted(templates(), key=lambda template: -len(_VALUE.sub("", template))):
        pieces = enumerate(_VALUE.split(template))  # fixed words and names of values in turn
        pattern = "".join(f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in pieces)
        made.append((template, re.compile(pattern, re.DOTALL)))
    return tuple(made)


SHOWN = 600  # characters of the first statement before it is folded
LATER = 420  # of those behind it
_END = re.compile(r"[.;:](?=\s)|\n")


def runs(numbers: Sequence[int]) -> str:
    """Return numbers as printed in a book: "1", "1, 2", "1-4", "2-4, 7"."""
    spans = in_runs(sorted(set(numbers)), lambda span, number: number == span[-1] + 1)
    return ", ".join(
        f"{span[0]}\N{EN DASH}{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans
    )


def folded(text: str, shown: int = SHOWN) -> tuple[str, str]:
    """Return what of a long text is shown at once, cut behind a sentence, and the rest; "" for none.

    A text is folded only where that hides a good part of it.
    """
    if len(text) <= shown + shown // 3:
        return text, ""
    ends = [found.end() for found in _END.finditer(text, shown // 2, shown)]
    at = ends[-1] if ends else text.rfind(" ", 0, shown) + 1 or shown
    return text[:at].rstrip(), text[at:].lstrip()


def lettered(text: str) -> tuple[str, str]:
    """Return the title of a figure's text, and the lettering in it; "" for none."""
    title, bar, rest = text.partition(" | ")
    return (title, rest) if bar else folded(text)


def bare_title(label: object, title: str) -> str:
    """Return a title without the label that it repeats: "Table 1.1 - Rise" of Table 1.1 is "Rise"."""
    text = " ".join(title.split())
    printed = str(label)
    if text.casefold().startswith(printed.casefold()) and not text[len(printed) : len(printed) + 1].isalnum():
        return text[len(printed) :].lstrip(" ,;.:-\N{EN DASH}\N{EM DASH}")
    return text


CLAUSES = {  # kinds of places whose label is that of a clause
    "part": later("Part"),
    "requirement": later("Requirement"),
    "section": later("Section"),
    "heading": later("Heading"),
    "clause": later("Clause"),
    "paragraph": later("Paragraph"),
    "item": later("Item"),
    "note": later("Note"),
    "annex": later("Annex"),
    "front": later("Front matter"),
}


def of_clause(kind: str) -> str:
    """Return what a clause of this kind is called."""
    return say(CLAUSES[kind]) if kind in CLAUSES else kind.capitalize()
