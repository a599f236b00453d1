"""What a request says of its question beside its words: filters, what is open, the question before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qs, urlencode

from flask import current_app, request

from appliance.retrieval.query.documents import years
from appliance.retrieval.search import parse_reading
from appliance.retrieval.search_context import Filter
from appliance.site.gaps_and_feedback import FIELDS, NORMATIVE
from appliance.web import urls
from appliance.web.language import later, say
from appliance.web.served import info_of, library, loaded

# Beside `q`; `earlier` are the questions before the one of `after`, for a language model alone.
NAMES = ("d", "family", "edition", "kind", "tag", "status", "after", "earlier", "reading", "selected")
EARLIER = 6  # questions of a conversation that its next address carries
STEPS = (20, 50, 100)  # places that a page lists
LISTED = 50  # places of a page that lists all
DIGITS = 6  # of the number of the first of them
KEPT = frozenset({"pages.ask", "pages.search"})  # the pages whose addresses carry them
KINDS = {
    "clause": later("Clauses"),
    "table": later("Tables"),
    "figure": later("Figures"),
    "formula": later("Formulas"),
    "definition": later("Definitions"),
}
STATUS = {"normative": later("Normative"), "informative": later("Informative")}
FAMILIES = {"decimal": later("other codes, numbered 1.2.3")}  # in other words than its name
GROUPS = {
    "d": later("Documents"),
    "edition": later("Edition"),
    "family": later("Family"),
    "kind": later("Kind of place"),
    "tag": later("About"),
    "status": later("Status"),
}


def along(question: str) -> dict[str, Any]:
    """Return the question with all that the request says beside it, for another address of the same."""
    kept = {name: found for name in NAMES if (found := list(filter(None, request.args.getlist(name))))}
    return {"q": question, **kept}


def beside(question: str) -> str:
    """Return how the request asked its question, "" where it said nothing beside it."""
    kept = along(question)
    return urlencode(kept, doseq=True) if len(kept) > 1 else ""


def narrowed_by(question: str, wanted: Filter, after: str = "") -> str:
    """Return in the same way how a question was asked elsewhere than on a page, "" where it was bare."""
    status = [name for name, normative in NORMATIVE.items() if wanted.normative is normative]
    values = (wanted.documents, wanted.families, wanted.editions, wanted.kinds, wanted.tags, status, [after])
    kept = {
        name: found for name, value in zip(NAMES, values, strict=False) if (found := [*filter(None, value)])
    }
    return urlencode({"q": question, **kept}, doseq=True) if kept else ""


def read_beside(written: str) -> dict[str, list[str]]:
    """Return what `beside` wrote, as arguments of an address; of a stranger's text only what it may hold."""
    try:
        found = parse_qs(written, max_num_fields=FIELDS)
    except ValueError:
        return {}
    return {name: found[name] for name in ("q", *NAMES) if name in found} if found.get("q") else {}


def here(question: str) -> dict[str, Any]:
    """Return what `along` does and what is shown of it, for another place of the same list or answer."""
    part = {name: found for name in ("limit", "from") if (found := request.args.get(name, "")).isdecimal()}
    written = {"written": "yes"} if request.args.get("written") else {}  # its sources have numbers of its own
    return {**along(question), **part, **written}


def before() -> list[str]:
    """Return the questions before the one of this request, the last ones, in their order."""
    said = (*request.args.getlist("earlier"), request.args.get("after", ""))
    return [text for text in map(str.strip, said) if text][-EARLIER:]


def limit() -> int:
    """Return how many places are listed: as many as the address asks for, else the first step."""
    return number("limit") or STEPS[0]


def number(name: str, digits: int = DIGITS) -> int:
    """Return a whole number of the address, 0 where it has none of at most so many digits."""
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else 0


def more(now: int, found: int) -> int:
    """Return the next step where a list is full, 0 where there is no more to show."""
    return next((step for step in STEPS if step > now), 0) if found >= now else 0


def first() -> int | None:
    """Return from which place on (0) all that hold the words are listed, None where the best are."""
    text = request.args.get("from", "")
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None


def question() -> str:
    """Return the question of the address, "" for none."""
    return request.args.get("q", "").strip()


def scope() -> tuple[str, ...]:
    """Return the documents that the request is narrowed to, none for all."""
    return tuple(filter(None, request.args.getlist("d")))


def given() -> dict[str, Any]:
    """Return the arguments of a search that the request carries, its documents too; raises BadInput."""
    found: dict[str, Any] = {"documents": scope()}
    if after := request.args.get("after", "").strip():
        found["after"] = after
    reading = parse_reading(request.args.get("reading", ""), request.args.get("selected", ""))
    if reading:
        found["reading"] = reading
    families, editions, kinds, tags = (
        tuple(filter(None, map(str.strip, request.args.getlist(name))))
        for name in ("family", "edition", "kind", "tag")
    )
    status = request.args.get("status", "").strip()
    if families or editions or kinds or tags or status:
        found["wanted"] = Filter(
            kinds=kinds, tags=tags, families=families, editions=editions, normative=NORMATIVE.get(status)
        )
    return found


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, with the address without it."""

    what: str
    words: str
    without: str


def groups() -> list[tuple[str, str, list[tuple[str, str, str, bool]]]]:
    """Return what the search may be narrowed by: each parameter, its words, and the values that it may have.

    Of a value are told its words, a little more about it, and whether it is chosen. A choice of one is none.
    """
    infos = loaded().documents
    if "tags" not in current_app.extensions:  # looked up once, for a library never changes while it is open
        current_app.extensions["tags"] = tuple(dict.fromkeys(name for _, name in library().tags()))
    tags = cast("tuple[str, ...]", current_app.extensions["tags"])
    offered: dict[str, list[tuple[str, ...]]] = {
        "d": [(info.id, info.designation or info.id, info.edition) for info in infos],
        "edition": [
            (year, year) for year in sorted({year for info in infos for year in years(info)}, reverse=True)
        ],
        "family": [
            (name, say(FAMILIES.get(name, name.replace("_", " "))))
            for name in sorted({info.family for info in infos})
            if name
        ],
        "kind": [(name, say(words)) for name, words in KINDS.items()],
        "tag": [(name, name) for name in tags],
        "status": [(name, say(words)) for name, words in STATUS.items()],
    }
    made = []
    for name, items in offered.items():
        chosen = request.args.getlist(name)
        options = [(value, words, "".join(more), value in chosen) for value, words, *more in items]
        if len(options) > 1 or any(option[-1] for option in options):
            made.append((name, say(GROUPS[name]), options))
    return made


def chips() -> tuple[Chip, ...]:
    """Return the filters that are set, and the place that is open, each once."""
    said = {"kind": KINDS, "status": STATUS}
    made = []
    for name, group in GROUPS.items():
        for value in dict.fromkeys(filter(None, request.args.getlist(name))):
            info = info_of(value) if name == "d" else None
            words = (info.designation if info else "") or say(said.get(name, {}).get(value, "")) or value
            made.append(Chip(say(group), words, _without(name, value)))
    return tuple(made)


def reading_chip() -> Chip | None:
    """Return the place that is open as the address has it, None where it has none."""
    given = request.args.get("reading", "").strip()
    return Chip(say("Reading"), given.replace(":", " ", 1), _without("reading", given)) if given else None


def _without(name: str, value: str) -> str:
    """Return the address of this page without one value of a filter."""
    kept: dict[str, Any] = {}
    for key in (*NAMES, "q"):
        left = [item for item in request.args.getlist(key) if not (key == name and item == value)]
        if left and not (name == "reading" and key == "selected"):
            kept[key] = left
    endpoint = request.endpoint if request.endpoint in KEPT else "pages.ask"
    return urls.to(endpoint, **kept)
