"""What a program may ask of a library, as tools with JSON schemas: for the command line, HTTP and MCP.

Each tool is a struct of its parameters; its docstring is what a caller is told of it. Whatever it finds
carries document, label, page, box and quote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypedDict

import msgspec
from msgspec import Meta

from appliance.citing.check import review
from appliance.citing.reading import read_text
from appliance.citing.shelf import Shelf
from appliance.contract.documents import cells_json
from appliance.contract.shape import Json, plain
from appliance.core.decoding import convert
from appliance.core.document import (
    Box,
    Clause,
    ClauseView,
    Figure,
    Formula,
    Label,
    Table,
    pages_of,
)
from appliance.core.errors import ApplianceError, BadInput, UnknownPlace
from appliance.core.evidence import Failed, NotFound, Place
from appliance.core.graph import EdgeKind
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.tables.rows import flat

QUOTED = 2000  # characters of a quote; a longer place says that it is cut
RESULTS = 60  # results of one call
TEXT = 1_000_000  # characters of a text whose references are reviewed


class Result(TypedDict):
    """Something found: where it is printed, its words there, and what it has to do with what was asked.

    `page` counts from 1 and `box` is a part of it, both null for what stands nowhere itself; a found place is
    quoted whole, and its box is that of the part that matched best. `value` is the
    text of a cell, `cut` tells that the quote is only the beginning.
    """

    document: str
    label: str
    key: str
    kind: str
    title: str
    page: int | None
    box: Box | None
    quote: str
    cut: bool
    value: str
    note: str


class Results(TypedDict):
    """What a tool returns; `notes` are sentences about the whole, `left_out` counts what is not shown."""

    tool: str
    results: list[Result]
    notes: list[str]
    left_out: int


Item = Clause | Table | Figure | Formula
Found = tuple[Iterable[Result], Iterable[str]]  # results, and notes about them
Question = Annotated[str, Meta(min_length=1, max_length=2000, description="the question in words")]
DocumentId = Annotated[str, Meta(min_length=1, max_length=200, description="the id of a document")]
Documents = Annotated[
    tuple[DocumentId, ...], Meta(max_length=100, description="only these documents; all where none is named")
]
LabelText = Annotated[
    str, Meta(min_length=1, max_length=300, description='a label as printed: "5.3.2(1)", "Table 4.1"')
]
Words = Annotated[str, Meta(max_length=300, description="in words as printed or near them")]


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool with its parameters."""

    name: ClassVar[str]

    def run(self, tools: Tools) -> Found:
        """Return what is found; raises ApplianceError."""
        raise NotImplementedError


class Search(Tool, frozen=True):
    """Find the places that bear on a question, best first, with those that must be read with them."""

    name: ClassVar[str] = "search"
    question: Question
    documents: Documents = ()
    limit: Annotated[int, Meta(ge=1, le=50, description="how many places")] = 10

    def run(self, tools: Tools) -> Found:
        evidence = tools.library.search(self.question, self.limit, self.documents)
        demanded = {place.chunk for place in evidence.must_read}
        results = (
            of_place(place, "must be read with the others" if place.chunk in demanded else "")
            for place in evidence.shown
        )
        return results, evidence.not_run


class _OfPlace(Tool, frozen=True):
    """A tool about one place of a document."""

    document: DocumentId
    label: LabelText


class OpenPlace(_OfPlace, frozen=True):
    """Open a clause, table, figure or formula by its label, with what stands below it."""

    name: ClassVar[str] = "open_place"

    def run(self, tools: Tools) -> Found:
        found = tools.opened(self.document, self.label)
        if isinstance(found, Table):
            whole = [of_item(self.document, found, f"{len(found.cells)} cells")]
            for cell in found.cells:  # as printed, each with its own box
                where, value = f"row {cell.row}, column {cell.column}", flat(cell.text)
                whole.append(
                    result(
                        self.document, found.label, "cell", (cell.box,), cell.text, value=value, note=where
                    )
                )
            return whole, ()
        if not isinstance(found, ClauseView):
            return [of_item(self.document, found)], ()
        below = (of_item(self.document, item, "stands below it") for item in found.children)
        return [of_item(self.document, found.clause), *below], ()


class Neighbours(_OfPlace, frozen=True):
    """Show what stands round a clause: above, before, behind and below it, in it, and who refers to it."""

    name: ClassVar[str] = "neighbours"

    def run(self, tools: Tools) -> Found:
        view = tools.holder(self.document, self.label)
        standing: Mapping[str, Sequence[Item | None]] = {
            "above it": view.path,
            "before it": (view.previous,),
            "behind it": (view.following,),
            "below it": view.children,
            "in it": (*view.tables, *view.figures, *view.formulas),
        }
        found = [
            of_item(self.document, item, f"stands {how}")
            for how, items in standing.items()
            for item in items
            if item
        ]
        return [
            *found,
            *(tools.place(name, one.source, f"refers to it: {one.text}") for name, one in view.cited_by),
        ], ()


class MustRead(_OfPlace, frozen=True):
    """Show what must be read with a place: what decides about it, what it refers to, what stands in it."""

    name: ClassVar[str] = "must_read"

    def run(self, tools: Tools) -> Found:
        view = tools.holder(self.document, self.label)
        below = (tools.library.clause(self.document, child.label.key) for child in view.children)
        references = [*view.references, *(one for part in below for one in part.references)]
        decided = tools.library.national_choices(self.document, *view.keys).governing
        found = [tools.place(one.document, one.label, f"decides about it: {one.rule}") for one in decided]
        notes: dict[str, None] = {}
        for one in references:
            if one.target is None:
                notes[f"Not followed: {one.text} ({one.reason or one.status})."] = None
            else:
                place = one.document or self.document
                found.append(tools.place(place, one.target, f"referred to: {one.text}"))
        inside: tuple[Item, ...] = (*view.tables, *view.figures, *view.formulas)
        return [*found, *(of_item(self.document, item, "stands in it") for item in inside)], notes


class TableLookup(_OfPlace, frozen=True):
    """Look up the cells of a table by its row and column in words."""

    name: ClassVar[str] = "table_lookup"
    row: Words = ""
    column: Words = ""

    def run(self, tools: Tools) -> Found:
        found = tools.library.table_lookup(self.document, self.label, self.row, self.column)
        told = cells_json(found)
        notes = [] if told["exact"] else ["No cell answers to all of these words; these are the nearest."]
        notes += [f"Read as other words for the same: {asked} = {read}." for asked, read in found.read_as]
        notes += [f"Cells that answer as well: {found.more}. Name a row or a column."] if found.more else []
        notes += told["notes"]
        results = []
        for item in found.cells:
            sides = (" > ".join(item.row_headers), " > ".join(item.column_headers))
            heads = " / ".join(filter(None, sides))
            note = f"{heads} (read with doubt: {item.doubt})" if item.doubt else heads
            cell, table = item.cell, found.table
            results.append(result(
                self.document, table.label, "cell", (cell.box,), cell.text,
                title=table.title, value=flat(cell.text), note=note,
            ))  # fmt: skip
        return results, notes


class FigureTool(_OfPlace, frozen=True):
    """Show a figure or formula: its caption, the words in it, and where its picture is printed."""

    name: ClassVar[str] = "figure"

    def run(self, tools: Tools) -> Found:
        return [of_item(self.document, tools.library.drawn(self.document, self.label))], ()


class Graph(Tool, frozen=True):
    """Walk the graph from a thing or a place to what it is joined with, each edge with its proof."""

    name: ClassVar[str] = "graph"
    node: Annotated[
        str, Meta(min_length=1, max_length=300, description='"timber", "DOC Table 1.1", or an id')
    ]
    kinds: Annotated[tuple[EdgeKind, ...], Meta(description="only edges of these kinds")] = ()
    direction: Annotated[Literal["out", "in", "both"], Meta(description="which way the edges run")] = "both"
    depth: Annotated[int, Meta(ge=1, le=3, description="steps from the node")] = 1

    def run(self, tools: Tools) -> Found:
        trees = tools.library.graph(self.node, self.kinds, self.direction, self.depth)
        stopped = (tree["stopped"] for tree in trees if "stopped" in tree)
        return (one for tree in trees for one in _edges(tree)), stopped


class ReviewReferences(Tool, frozen=True):
    """Check every standard, clause, table and figure that a text cites against the library."""

    name: ClassVar[str] = "review_references"
    text: Annotated[str, Meta(min_length=1, max_length=TEXT, description="the text that cites")]

    def run(self, tools: Tools) -> Found:
        limits = tools.settings.citing
        report = review(read_text("the text", self.text, limits), tools.shelf, limits)
        counted = ", ".join(f"{number} {status}" for status, number in report.counts.items())
        notes = (f"{counted or 'Nothing is cited'}.", *report.problems)
        return (_cited(tools, one) for one in report.checked), notes


class NotFoundSoFar(Tool, frozen=True):
    """Tell what of a question the documents leave open, and why, with the places that were looked at."""

    name: ClassVar[str] = "not_found_so_far"
    question: Question
    documents: Documents = ()

    def run(self, tools: Tools) -> Found:
        answer = tools.library.ask(self.question, self.documents)
        if isinstance(answer, Failed):
            return (), (answer.message,)
        if isinstance(answer, NotFound):
            notes = list(answer.reasons)
        else:
            left = (part for part in answer.parts if not part.statements)
            notes = [answer.gap, *(f"Not answered: {part.asked} ({part.why.rstrip('.')})." for part in left)]
            notes += ["Places to read, no sure answer."] if answer.state == "read" else []
        looked = (of_place(place, "looked at") for place in answer.evidence.shown)
        notes = list(filter(None, notes))
        return (looked, notes) if notes else ((), ("Nothing of it is open.",))


KINDS: tuple[type[Tool], ...] = (
    Search, OpenPlace, Neighbours, MustRead, TableLookup, FigureTool, Graph, ReviewReferences, NotFoundSoFar,
)  # fmt: skip
TOOLS: Mapping[str, type[Tool]] = {kind.name: kind for kind in KINDS}


class Tools:
    """The tools over one opened library."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self.library = library
        self.settings = settings

    @cached_property
    def shelf(self) -> Shelf:
        """The documents as a review of references sees them; a library never changes while it is open."""
        listed = self.library.overview()
        return Shelf(listed.documents, listed.version, self.library.document)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Results:
        """Return what a tool finds; numbers may be written as text.

        Raises:
            BadInput: there is no such tool, or it does not take these arguments.
            ApplianceError: as the library does.
        """
        found, notes = checked(name, arguments).run(self)
        results = list(found)
        return {
            "tool": name,
            "results": results[:RESULTS],
            "notes": list(notes),
            "left_out": max(0, len(results) - RESULTS),
        }

    def opened(self, document: str, label: str) -> ClauseView | Item:
        """Return what bears a label, of whatever kind; raises as `Library.clause` does."""
        try:
            return self.library.clause(document, label)
        except UnknownPlace as error:
            unknown = error
        for kind in (self.library.table, self.library.drawn):
            try:
                return kind(document, label)
            except UnknownPlace:
                continue
        raise unknown

    def holder(self, document: str, label: str) -> ClauseView:
        """Return the clause that a label names, or in which what it names stands."""
        found = self.opened(document, label)
        if isinstance(found, ClauseView):
            return found
        if isinstance(found, Clause) or found.clause is None:
            raise UnknownPlace(document, f"that holds {label}")
        return self.library.clause(document, found.clause.key)

    def place(self, document: str, label: Label, note: str) -> Result:
        """Return what a reference leads to; where it is not loaded, its name alone."""
        try:
            found = self.opened(document, label.key)
        except ApplianceError:
            return result(document, label, "unknown", (), "", note=note)
        return of_item(document, found.clause if isinstance(found, ClauseView) else found, note)


def checked(name: str, arguments: Mapping[str, Any]) -> Tool:
    """Return a tool with its arguments; raises BadInput with what is known where one is wrong."""
    if name not in TOOLS:
        raise BadInput(f"There is no tool {name[:40]!r}. Known are: {', '.join(TOOLS)}.")
    known = parameters(name)
    for given in arguments:
        if given not in known["properties"]:
            raise BadInput(f"{name} takes no {given[:40]!r}. Known are: {', '.join(known['properties'])}.")
    for missing in (one for one in known["required"] if one not in arguments):
        raise BadInput(f"{name} needs {missing}: {wanted(known['properties'][missing])}.")
    for given, value in arguments.items():
        field = next(one for one in msgspec.structs.fields(TOOLS[name]) if one.name == given)
        try:
            msgspec.json.encode(convert(value, field.type, strict=False))
        except (msgspec.ValidationError, UnicodeEncodeError):
            raise BadInput(f"{given} of {name} must be {wanted(known['properties'][given])}.") from None
    return convert(dict(arguments), TOOLS[name], strict=False)


def parameters(name: str) -> Json:
    """Return the JSON schema of the parameters of a tool."""
    kind = TOOLS[name]
    _, shapes = msgspec.json.schema_components([kind])
    shape = shapes[kind.__name__]
    return {
        "type": "object",
        "properties": shape["properties"],
        "required": shape.get("required", []),
        "additionalProperties": False,
    }


def about(name: str) -> str:
    """Return what a tool does, in a sentence."""
    return " ".join((TOOLS[name].__doc__ or "").split())


def described() -> list[Json]:
    """Return all tools with what they do and their parameters."""
    return [{"name": name, "about": about(name), "parameters": parameters(name)} for name in TOOLS]


def from_pairs(name: str, pairs: Iterable[tuple[str, str]]) -> Json:
    """Return arguments from pairs of texts: those of a list stand once for each of its items."""
    known = parameters(name)["properties"] if name in TOOLS else {}
    given: Json = {}
    for key, value in pairs:
        if known.get(key, {}).get("type") == "array":
            given.setdefault(key, []).append(value)
        elif key in given:
            raise BadInput(f"{key} is given twice.")
        else:
            given[key] = value
    return given


def of_place(place: Place, note: str = "") -> Result:
    """Return a place that was found; the box is that of the part that matched best."""
    boxes = place.focus or place.boxes
    made = result(place.document, place.label, place.kind, boxes, place.text, title=place.title, note=note)
    made["page"] = made["page"] or next(iter(place.pages), None)
    return made


def of_item(document: str, item: Item, note: str = "") -> Result:
    """Return a clause, table, figure or formula."""
    if isinstance(item, Clause):
        quote, title, kind = item.passage.text or item.title, item.title, str(item.kind)
    elif isinstance(item, Formula):
        quote, title, kind = item.text, "", "formula"
    else:
        quote, title, kind = item.title, item.title, "table" if isinstance(item, Table) else "figure"
    return result(document, item.label, kind, item.boxes, quote, title=title, note=note)


def result(
    document: str,
    label: Label | None,
    kind: str,
    boxes: Sequence[Box],
    quote: str,
    *,
    title: str = "",
    value: str = "",
    note: str = "",
) -> Result:
    """Return one result; `label` None for a whole document and for what is printed nowhere."""
    return {
        "document": document,
        "label": str(label or ""),
        "key": label.key if label else "",
        "kind": kind,
        "title": title,
        "page": next(iter(pages_of(tuple(boxes))), None),
        "box": plain(boxes[0]) if boxes else None,
        "quote": quote[:QUOTED],
        "cut": len(quote) > QUOTED,
        "value": value,
        "note": note,
    }


def _edges(tree: Json) -> Iterator[Result]:
    """Yield the edges of a walk, those of the first step first."""
    level = list(tree.get("neighbours", ()))
    while level:
        below: list[Json] = []
        for edge in level:
            if "node" in edge:
                yield _edge(edge)
            below += edge.get("neighbours", ())
        level = below


def _edge(edge: Json) -> Result:
    node, proof = edge["node"], edge["proof"] or {}
    boxes = [Box(**box) for box in proof.get("boxes", ())]
    label = Label.from_key(node["key"]) if node["key"] else None
    arrow = "→" if edge["direction"] == "out" else "←"
    made = result(
        proof.get("document") or node["document"], label, node["kind"], boxes, proof.get("quote", ""),
        title=node["name"], note=f"{edge['kind']} {arrow} ({edge['state']})",
    )  # fmt: skip
    made["label"] = proof.get("label") or made["label"]
    return made


def _cited(tools: Tools, one: Any) -> Result:
    """Return a citation of a reviewed text, at the place that it was held against."""
    note = "; ".join((f"{one.status}: {one.cited.text}", *one.reasons))
    proof = one.proof
    if proof is None:
        return result(one.cited.designation, None, one.cited.kind, (), "", note=note)
    if proof.label is None:
        made = result(proof.document, None, proof.kind, (), proof.title, title=proof.title, note=note)
        made["page"] = proof.page
        return made
    return tools.place(proof.document, proof.label, note)


def wanted(shape: Json) -> str:
    """Return in words what a parameter must be."""
    if "enum" in shape:
        known = ", ".join(map(str, shape["enum"]))
        return f"one of {known}" if len(shape["enum"]) > 1 else known
    if shape.get("type") == "integer":
        return f"a number from {shape['minimum']} to {shape['maximum']}"
    if shape.get("type") == "array":
        return f"a list, each {wanted(shape['items'])}"
    return f"text of {shape.get('minLength', 0)} to {shape.get('maxLength')} characters"
