"""What every address takes and gives: described for programs (OpenAPI 3.1), held against what is sent."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from flask import Flask, current_app, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import Rule

from appliance import __version__
from appliance.contract import answers, documents, found
from appliance.contract.shape import Json
from appliance.core.errors import BadInput
from appliance.core.evidence import PlaceKind
from appliance.keeping import contract as kept
from appliance.keeping.compare import FATES
from appliance.quality import contract as quality
from appliance.tools import TOOLS, Results, parameters, wanted
from appliance.web.api import shapes

PREFIX = "/api/v1/"
REF = "#/components/schemas/{name}"
STATUS = {
    "200": "what was asked for",
    "201": "saved",
    "202": "begun",
    "400": "the request cannot be read; the sentence says why",
    "401": "the box has an access code, and it was not entered",
    "403": "a form of another origin",
    "404": "there is no such thing in the library",
    "405": "a path that is only read, or none",
    "409": "the box keeps as many as it may",
    "413": "too much was sent",
    "421": "the box does not answer to this name",
    "429": "too many requests; Retry-After says when to ask again",
    "500": "something went wrong in the box",
    "503": "not now; Retry-After says when to ask again",
}
TEXT: Json = {"type": "string"}
INTEGER: Json = {"type": "integer", "minimum": 0}
FROM: Json = {"type": "integer", "minimum": 0, "maximum": 999_999}
MANY: Json = {"type": "array", "items": TEXT}


NAME: Json = {"type": "string", "minLength": 1}
QUESTION = {"q": NAME}
NARROWED: dict[str, Json] = {
    "d": MANY,
    "family": MANY,
    "edition": MANY,
    "kind": {"type": "array", "items": msgspec.json.schema(PlaceKind)},
    "tag": MANY,
    "status": {"type": "string", "enum": ["normative", "informative"]},
    "after": TEXT,
    "reading": TEXT,
    "selected": TEXT,
}
ABOUT = {
    "q": "the question, or a label",
    "d": "documents that may be searched, all where none is named",
    "family": "families of documents",
    "edition": "editions",
    "kind": "kinds of places",
    "tag": "tags of documents",
    "status": "only what is binding, or only what is not",
    "after": "the question before, which this one goes on from",
    "reading": "what is open, as DOCUMENT or DOCUMENT:LABEL",
    "selected": "words that are selected in what is open",
    "limit": "how many places",
    "from": "how many to pass over",
    "a": "the older document",
    "b": "the newer document",
    "anyway": "compare them though they are no editions of one code",
    "show": "what became of the things to list",
    "document": "the id of a document",
    "row": "the row whose cells are looked up, in words",
    "column": "the column, in words",
    "key": "the key of a place, unique in its document; a slash in it is sent as %2F",
    "number": "the page of the PDF, from 1",
    "ticket": "the job, as it was told when it was begun",
}
MODES: Json = {"type": "string", "enum": ["deterministic", "needed", "always"]}
WRITTEN = {**QUESTION, **NARROWED, "earlier": MANY, "mode": MODES}
YES: Json = {"type": "string", "enum": ["yes"]}
ANSWERED = {**WRITTEN, "written": YES}
ABOUT |= {"earlier": "the questions before that one", "mode": "whether the language model writes"}
ABOUT |= {"written": "the answer that the language model has written, where one is kept"}
PART: dict[str, Json] = {
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
    "from": FROM,
}
SEARCH = {**QUESTION, **NARROWED, **PART}


@dataclass(frozen=True, slots=True)
class Route:
    """What a route gives and takes: the shape of its answer, parameters, further statuses, form fields."""

    gives: Any
    takes: dict[str, Json] = field(default_factory=dict)
    fails: tuple[str, ...] = ()
    status: str = "200"
    needs: tuple[str, ...] = ()
    form: dict[str, Json] = field(default_factory=dict)
    also: dict[str, Any] = field(default_factory=dict)  # statuses with shapes of their own
    only_with: dict[str, str] = field(default_factory=dict)  # parameters that say nothing without another
    about: dict[str, str] = field(default_factory=dict)  # what parameters mean here, if not as in ABOUT


PICTURE = "image/png"
GOES_ON = {"earlier": "after"}
BEGUN = {"429": shapes.Busy}
FAILED = (answers.Answer, shapes.Failure)  # one or the other
ASKED = ("404", "429", "503")
ROUTES = {
    "api.search": Route((found.Found, found.WithWords), SEARCH, ASKED, needs=("q",)),
    "api.ask": Route(answers.Answer, ANSWERED, ASKED, needs=("q",), also={"503": FAILED}, only_with=GOES_ON),
    "api.suggest": Route(list[shapes.Suggestion], {"q": TEXT}),
    "api.documents": Route(shapes.Loaded),
    "api.document": Route(documents.Document),
    "api.page": Route(shapes.View),
    "api.picture": Route(PICTURE),
    "api.table": Route(documents.TableDecided, {"row": TEXT, "column": TEXT}),
    "api.clause": Route(documents.Opened),
    "api.description": Route(shapes.Description),
    "box.api_box": Route(shapes.About),
    "box.api_figures": Route(shapes.Figures),
    "box.api_quality": Route(quality.Quality),
    "box.api_overview": Route(list[quality.Summary]),
    "health.api_health": Route(shapes.Healthy),
    "comparing.api_compare": Route(
        kept.Comparison,
        {
            "a": NAME,
            "b": NAME,
            "show": {"type": "array", "items": {"type": "string", "enum": list(FATES)}},
            "from": FROM,
            "anyway": YES,
        },
        ("404",),
        needs=("a", "b"),
    ),
    "gaps.api_gaps": Route(shapes.Gaps, {"from": FROM}, ("503",)),
    "saved.api_listing": Route(kept.Saveds, {"from": FROM}, ("503",)),
    "saved.api_one": Route(kept.Saved, fails=("503",)),
    "saved.api_save": Route(
        shapes.Key, QUESTION | NARROWED, (*ASKED, "409"), "201", needs=("q",), form={"note": TEXT}
    ),
    "saved.api_remove": Route(shapes.Removed, fails=("429", "503")),
    "jobs.start": Route(
        shapes.Writing, WRITTEN, ("404",), "202", needs=("q",), also=BEGUN, only_with=GOES_ON
    ),
    "jobs.look": Route(
        shapes.Looked,
        {"after": {**INTEGER, "maximum": 99_999_999}},
        about={"after": "letters of the text that are known already"},
    ),
    "jobs.cancel": Route(shapes.Cancelled),
    "describing.start": Route(shapes.Begun, status="202", also=BEGUN),
    "describing.look": Route(shapes.Looked),
    "describing.cancel": Route(shapes.Cancelled),
}


# tools whose parameters are too long for an address
BY_FORM: frozenset[str] = frozenset({"review_references"})
ROUTES["tools.listing"] = Route(list[shapes.Tool])
for _name in TOOLS:  # from the schema of its parameters
    _known = parameters(_name)
    _takes, _needs = _known["properties"], tuple(_known["required"])
    _about = {key: shape.get("description", "") for key, shape in _takes.items()}
    ROUTES[f"tools.{_name}"] = (
        Route(Results, fails=ASKED, form=_takes)
        if _name in BY_FORM
        else Route(Results, _takes, ASKED, needs=_needs, about=_about)
    )


# The pages that take what an address for programs takes; what else is sent to them is passed over.
PAGES = {
    "pages.ask": "api.ask",
    "pages.search": "api.search",
    "comparing.page": "comparing.api_compare",
    "saved.save": "api.ask",
    **dict.fromkeys(("export.ask_file", "export.ask_print"), "api.ask"),
}


def install(app: Flask) -> None:
    """Refuse parameters that an address does not take, naming what it takes."""

    @app.before_request
    def check() -> None:
        endpoint = request.endpoint or ""
        route = ROUTES.get(PAGES.get(endpoint, endpoint))
        if route is None:
            return
        for name in request.args:
            if name in route.takes:
                _check(name, list(filter(None, request.args.getlist(name))), route.takes[name])
            elif endpoint not in PAGES:
                known = ", ".join(route.takes) or "none"
                raise BadInput(f"{request.path} takes no parameter {name[:40]!r}. Known are: {known}.")
        for name, other in route.only_with.items():
            if any(request.args.getlist(name)) and not request.args.get(other):
                raise BadInput(f"{name} is read only with {other}, which is missing.")


def known_here(error: HTTPException) -> tuple[str, str] | None:
    """Return what to say of an address for programs that is none or is asked wrongly, None for others."""
    if isinstance(error, MethodNotAllowed) and "POST" in (error.valid_methods or ()):
        return "This address takes a form", "Send it by POST."
    if error.code == 404 and error.description != type(error).description:
        return "There is nothing at this address", error.description or ""
    if error.code != 404 or request.url_rule is not None:
        return None
    rules = [str(rule) for rule in current_app.url_map.iter_rules()]
    above = request.path
    while not (known := {rule[len(above) :].partition("/")[0] for rule in rules if rule.startswith(above)}):
        above = above[: above.rstrip("/").rindex("/") + 1]
    words = f"Known right below {above} are: {', '.join(sorted(known - {''}))}."
    return "There is nothing at this address", words


def _check(name: str, values: Sequence[str], shape: Json) -> None:
    """Refuse values that a parameter does not take; raises BadInput."""
    if shape.get("type") == "array":
        shape = shape["items"]
    elif len(values) > 1:
        raise BadInput(f"{name} is given more than once.")
    for value in values:
        fits = value in shape.get("enum", (value,))
        if shape.get("type") == "integer":
            digits = value.isascii() and value.isdecimal() and len(value) <= len(str(shape["maximum"]))
            fits = digits and shape["minimum"] <= int(value) <= shape["maximum"]
        if not fits:
            raise BadInput(f"{name} must be {wanted(shape)}, not {value[:40]!r}.")


def description(app: Flask) -> Json:
    """Return the description of all that an app serves below /api/v1."""
    shown = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith(PREFIX)]
    routes = [ROUTES[rule.endpoint] for rule in shown]
    types = [shapes.Failure]
    for gives in (kind for route in routes for kind in (route.gives, *route.also.values())):
        if gives is not PICTURE:
            types += gives if isinstance(gives, tuple) else (gives,)
    _, components = msgspec.json.schema_components(types, ref_template=REF)
    paths: dict[str, Json] = {}
    for rule in sorted(shown, key=lambda rule: rule.rule):
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        paths.setdefault(path, {}).update(_operations(app, rule))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "appliance",
            "version": __version__,
            "summary": "Questions about the documents of this box, each answer with its proof.",
            "description": "Fields may be added, never renamed. Boxes are fractions of the page as shown,"
            " origin at the top left; pages count from 1. What is sent by POST needs the header Origin of the"
            " box itself.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "paths": _listed(paths),
        "components": {
            "schemas": {name: _listed(_whole(shape)) for name, shape in sorted(components.items())}
        },
    }


def _operations(app: Flask, rule: Rule) -> Json:
    route = ROUTES[rule.endpoint]
    method = "post" if "POST" in (rule.methods or ()) else "get"
    view = app.view_functions[rule.endpoint]
    words = (view.__doc__ or "").strip().partition("\n")[0]
    operation: Json = {"operationId": rule.endpoint.replace(".", "_"), "summary": words}
    about = ABOUT | route.about
    taken = [
        {"name": name, "in": "path", "required": True, "description": ABOUT[name]}
        | {"schema": INTEGER if type(converter).__name__ == "IntegerConverter" else TEXT}
        for name, converter in rule._converters.items()  # noqa: SLF001 - werkzeug tells them in no other way
        if name in rule.arguments
    ] + [
        {"name": name, "in": "query", "required": name in route.needs, "description": about[name]}
        | {"schema": schema}
        for name, schema in route.takes.items()
    ]
    if taken:
        operation["parameters"] = taken
    if route.form:
        form = {"type": "object", "properties": route.form}
        operation["requestBody"] = {"content": {"application/x-www-form-urlencoded": {"schema": form}}}
    given: dict[str, Any] = dict.fromkeys(("400", "401", "421", "500", *route.fails), shapes.Failure)
    if rule.arguments:
        given["404"] = shapes.Failure
    if method == "post":
        given |= dict.fromkeys(("403", "405", "413") if rule.arguments else ("403", "413"), shapes.Failure)
    given |= {route.status: route.gives} | route.also
    operation["responses"] = {status: _answer(status, given[status]) for status in sorted(given)}
    return {method: operation}


def _answer(status: str, gives: Any) -> Json:
    if gives is PICTURE:
        return {"description": STATUS[status], "content": {PICTURE: {}}}
    kinds = gives if isinstance(gives, tuple) else (gives,)
    found, _ = msgspec.json.schema_components(kinds, ref_template=REF)
    schema = {"anyOf": list(found)} if len(found) > 1 else found[0]
    return {"description": STATUS[status], "content": {"application/json": {"schema": schema}}}


def _whole(shape: Json) -> Json:
    """Return a shape without defaults: an answer is always whole, so that what has one is there too."""
    if "properties" not in shape:
        return shape
    plain, required = {}, set(shape.get("required", ()))
    for name, value in shape["properties"].items():
        if "default" in value:
            required.add(name)
        plain[name] = {key: item for key, item in value.items() if key != "default"}
    return shape | {"properties": plain, "required": sorted(required)}


def _listed(part: Any) -> Any:
    """Return a schema with tuples as lists of one length: not every reader of it knows `prefixItems`."""
    if isinstance(part, list):
        return [_listed(item) for item in part]
    if not isinstance(part, dict):
        return part
    found = {name: _listed(value) for name, value in part.items()}
    if kinds := found.pop("prefixItems", None):
        each = [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]]
        found["items"] = {"anyOf": each} if len(each) > 1 else each[0]
    return found


def written(app: Flask) -> str:
    """Return the description as the file has it."""
    return json.dumps(description(app), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    from appliance.web.app import create_app

    sys.stdout.write(written(create_app(None)))  # type: ignore[arg-type]  # its routes need no library
