"""What a search may be narrowed by, and what it is narrowed by now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from flask import current_app, request

from appliance.retrieval.query.documents import years
from appliance.web import urls
from appliance.web.answers.asked import KEPT, NAMES
from appliance.web.language import later, say
from appliance.web.pages import library, loaded

KINDS = {
    "clause": later("Clauses"),
    "table": later("Tables"),
    "figure": later("Figures"),
    "formula": later("Formulas"),
    "definition": later("Definitions"),
}
STATUS = {"normative": later("Normative"), "informative": later("Informative")}
GROUPS = {
    "d": later("Documents"),
    "edition": later("Edition"),
    "family": later("Family"),
    "kind": later("Kind of place"),
    "tag": later("About"),
    "status": later("Status"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """A value of a filter as it is offered; `more` says a little about it."""

    value: str
    words: str
    chosen: bool
    more: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """The values of one parameter."""

    name: str
    words: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, with the address without it."""

    what: str
    words: str
    without: str


def groups() -> tuple[Group, ...]:
    """Return what the search may be narrowed by; a choice of one is no choice."""
    made = (
        Group(name, say(GROUPS[name]), tuple(_option(name, *item) for item in items))
        for name, items in _offered()
    )
    return tuple(
        group for group in made if len(group.options) > 1 or any(option.chosen for option in group.options)
    )


def chips() -> tuple[Chip, ...]:
    """Return the filters that are set, and the place that is open, each once."""
    return tuple(
        Chip(say(GROUPS[name]), _words(name, value), _without(name, value))
        for name in GROUPS
        for value in dict.fromkeys(request.args.getlist(name))
        if value
    )


def reading_chip() -> Chip | None:
    """Return the place that is open as the address has it, None where it has none."""
    given = request.args.get("reading", "").strip()
    return Chip(say("Reading"), given.replace(":", " ", 1), _without("reading", given)) if given else None


def _offered() -> Iterator[tuple[str, Iterable[tuple[str, ...]]]]:
    infos = loaded().documents
    yield "d", [(info.id, info.designation or info.id, info.edition) for info in infos]
    found = sorted({year for info in infos for year in years(info)}, reverse=True)
    yield "edition", [(year, year) for year in found]
    yield (
        "family",
        [(name, name.replace("_", " ")) for name in sorted({info.family for info in infos}) if name],
    )
    yield "kind", [(name, say(words)) for name, words in KINDS.items()]
    yield "tag", [(name, name) for name in _tags()]
    yield "status", [(name, say(words)) for name, words in STATUS.items()]


def _option(name: str, value: str, words: str, more: str = "") -> Option:
    return Option(value, words, value in request.args.getlist(name), more)


def _words(name: str, value: str) -> str:
    known = {**KINDS, **STATUS} if name in {"kind", "status"} else {}
    if name == "d":
        return next((info.designation or value for info in loaded().documents if info.id == value), value)
    return say(known[value]) if value in known else value


def _without(name: str, value: str) -> str:
    """Return the address of this page without one value of a filter."""
    kept: dict[str, Any] = {}
    for key in (*NAMES, "q"):
        left = [item for item in request.args.getlist(key) if not (key == name and item == value)]
        if left and not (name == "reading" and key == "selected"):
            kept[key] = left
    endpoint = request.endpoint if request.endpoint in KEPT else "pages.ask"
    return urls.to(endpoint, **kept)


def _tags() -> tuple[str, ...]:
    """Return the names of the tags; looked up once, for a library never changes while it is open."""
    if "tags" not in current_app.extensions:
        found = dict.fromkeys(name for _, name in library().tags())
        current_app.extensions["tags"] = tuple(found)
    return cast("tuple[str, ...]", current_app.extensions["tags"])
