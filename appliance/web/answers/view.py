"""An answer as its page shows it: what is said and cited, what must be read with it, what else there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from appliance.contract.answers import own_statements
from appliance.core.document import Table
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Citation, Grounded, MarkedTable, Place, Statement
from appliance.keeping.kept import parted
from appliance.web import language as wording
from appliance.web.answers import cited_places, deciding
from appliance.web.answers.card import Card, Proof, card_of
from appliance.web.answers.cited_places import Drawing, Stop
from appliance.web.reading import tables as grids
from appliance.web.reading.tables import Grid

if TYPE_CHECKING:
    from appliance.library import Library


@dataclass(frozen=True, slots=True)
class Source:
    """The citations of a statement that stand in one place; `numbers` prints them ("1-3").

    `quotes` are those that the statement does not already say in full; `drawings` show what of any of
    them was read with doubt.
    """

    numbers: str
    stop: Stop
    quotes: tuple[str, ...]
    pages: tuple[int, ...]
    drawings: tuple[Drawing, ...] = ()

    @property
    def printed(self) -> str:
        """Return the number that its first page prints, which need not be its number in the file."""
        return next((view.printed for view in self.stop.views if view.page == self.pages[0]), "")

    @property
    def counted(self) -> bool:
        """Tell whether no number is printed on its page, so that it is counted in the file."""
        return bool(self.stop.views) and not self.stop.views[0].printed


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of the answer as a grid with its deciding cells marked.

    `open` heads the columns of which none is told, `unsure` says why none of its values is surely the one
    asked for.
    """

    document: str
    table: Table
    grid: Grid
    open: tuple[str, ...] = ()
    unsure: str = ""

    @property
    def name(self) -> tuple[str, str]:
        """Return what tells it from others."""
        return self.document, self.table.label.key


@dataclass(frozen=True, slots=True)
class Said:
    """A statement with its sources, in the order of its citations, and the tables that decide it.

    `more` is the rest of a long text, folded; it is told that there is more. `lettering` tells that the rest
    is what is written in a figure, which is shown.
    """

    statement: Statement
    sources: tuple[Source, ...]
    tables: tuple[ShownTable, ...] = ()
    text: str = ""
    more: str = ""
    lettering: bool = False

    @property
    def told_by_tables(self) -> bool:
        """Tell whether all of it stands in the tables shown, so that the words repeat them."""
        names = {table.name for table in self.tables}
        return bool(names) and all((s.stop.document, s.stop.label.key) in names for s in self.sources)


@dataclass(frozen=True, slots=True)
class Group:
    """Statements under the part of the question that they answer; none: nothing was found for it.

    `asked` is "" where the question has no parts, and for what answers none of them alone; `answered` tells
    whether anything was said for the part, here or above, `why` what is missing where nothing was.
    """

    asked: str
    said: tuple[Said, ...]
    answered: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict with the stop that shows it; `decides` where a rule prefers it."""

    citation: Citation
    stop: Stop
    decides: bool


@dataclass(frozen=True, slots=True)
class Opposed:
    """Two places that give different numbers, side by side, with the rule that decides."""

    sides: tuple[Side, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A place found with the stop that shows it."""

    place: Place
    stop: Stop


@dataclass(frozen=True, slots=True)
class AnswerView:
    """All that the answer page shows; `stops` are those that it offers, in their order.

    `tables` have deciding cells and belong to no statement shown, `more_tables` only belong to what is cited.
    """

    answer: Grounded
    card: Card
    said: tuple[Said, ...]
    groups: tuple[Group, ...]
    opposed: tuple[Opposed, ...]
    tables: tuple[ShownTable, ...]
    more_tables: tuple[ShownTable, ...]
    must_read: tuple[Finding, ...]
    figures: tuple[Finding, ...]
    others: tuple[tuple[str, tuple[Finding, ...]], ...]
    stops: dict[str, Stop]


def of_answer(library: Library, answer: Grounded) -> AnswerView:
    """Return the parts of the answer page; a place is told by its chunk, for a long table is several."""
    hits = findings(answer.evidence.hits, cited_places.of_places(library, answer.evidence.hits))
    figures = _figures(library, answer, hits)
    used = _cited(answer) | {item.place.chunk for item in figures}
    rest = [item for item in hits if item.place.chunk not in used]
    demanded = {place.chunk for place in answer.evidence.must_read}
    must_read = tuple(item for item in rest if item.place.chunk in demanded)
    others = by_document(item for item in rest if item.place.chunk not in demanded)
    cited = cited_places.of_citations(library, answer)
    along = (*must_read, *figures, *(item for _, group in others for item in group))
    decided = tuple(_tables(library, [item for item in answer.tables if item.marked]))
    said = tuple(_said(library, answer, statement, cited) for statement in answer.statements)
    said, left = _with_tables(said, decided)
    card = card_of(library, answer, cited)
    stops = {stop.id: stop for stop in (*cited.values(), *(item.stop for item in along))}
    return AnswerView(
        answer=answer,
        card=card,
        said=said,
        groups=tuple(_groups(answer, said)),
        opposed=tuple(_opposed(answer, cited)),
        tables=left,
        more_tables=tuple(_tables(library, [item for item in answer.tables if not item.marked])),
        must_read=must_read,
        figures=figures,
        others=others,
        stops=stops | {item.stop.id: _as_on(item) for item in card.proofs[:1]},
    )


def _as_on(proof: Proof) -> Stop:
    """Return the stop of a claim with just that boxed strongly which the crop of its card boxes."""
    views = (
        replace(view, strong=proof.view.strong, crop=proof.view.crop)
        if proof.view and view.page == proof.view.page
        else view
        for view in proof.stop.views
    )
    return replace(proof.stop, views=tuple(views))


def written_by_model(shown: AnswerView) -> AnswerView:
    """Return what a language model wrote of an answer, to stand beneath it: all its words with their sources.

    The tables and figures stand above already, so that no word is folded away for them.
    """
    own = [id(item) for item in own_statements(shown.answer)]
    said = tuple(
        replace(item, tables=(), text=item.statement.text, more="", lettering=False)
        for item in shown.said
        if id(item.statement) in own
    )
    cited = {source.stop.id: source.stop for item in said for source in item.sources}
    return replace(shown, said=said, figures=(), stops=cited)


def named_in(said: Sequence[Said], stop: str) -> bool:
    """Tell whether an address that names a stop means one of these statements: they are then unfolded."""
    return any(source.stop.id == stop for item in said for source in item.sources)


def findings(places: Sequence[Place], found: dict[str, Stop]) -> tuple[Finding, ...]:
    """Return places by rank with their stops."""
    return tuple(Finding(place, found[f"h{rank}"]) for rank, place in enumerate(places, 1))


def by_document(items: Iterable[Finding]) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    """Return findings grouped by document; documents in the order of their best place."""
    items = tuple(items)
    order = {name: at for at, name in reversed(tuple(enumerate(item.place.document for item in items)))}
    ordered = sorted(items, key=lambda item: order[item.place.document])
    return tuple((name, tuple(group)) for name, group in groupby(ordered, lambda item: item.place.document))


def _cited(answer: Grounded) -> set[int]:
    held = (cited_places.holding(citation, answer.evidence.hits) for citation in answer.citations)
    return {place.chunk for place in held if place}


def _said(library: Library, answer: Grounded, statement: Statement, cited: dict[int, Stop]) -> Said:
    known = {citation.n: citation for citation in answer.citations}
    at: dict[str, list[int]] = {}
    for n in dict.fromkeys(statement.citations):
        if n in cited:
            at.setdefault(cited[n].id, []).append(n)
    sources = tuple(
        Source(
            numbers=wording.runs(numbers),
            stop=cited[numbers[0]],
            quotes=tuple(known[n].quote for n in numbers if not wording.same(known[n].quote, statement.text)),
            pages=tuple(dict.fromkeys(known[n].page for n in numbers)),
            drawings=_drawings(library, [known[n] for n in numbers]),
        )
        for numbers in at.values()
    )
    figures = {(place.document, place.label) for place in answer.figures}
    drawn_one = bool(sources) and (sources[0].stop.document, sources[0].stop.label) in figures
    shown = wording.SHOWN if statement is answer.statements[0] else wording.LATER
    lines = parted(statement.text, (known[n].quote for n in statement.citations if n in known))
    text, more = wording.lettered(statement.text) if drawn_one else wording.folded(lines, shown)
    return Said(statement, sources, text=text, more=more, lettering=drawn_one)


def _with_tables(
    said: Sequence[Said], tables: Sequence[ShownTable]
) -> tuple[tuple[Said, ...], tuple[ShownTable, ...]]:
    """Return the statements, each with the tables that it is the first to cite, and the tables left."""
    left = {table.name: table for table in tables}
    held = []
    for item in said:
        cited = ((source.stop.document, source.stop.label.key) for source in item.sources)
        held.append(
            replace(item, tables=tuple(left.pop(name) for name in dict.fromkeys(cited) if name in left))
        )
    return tuple(held), tuple(left.values())


def _drawings(library: Library, citations: Sequence[Citation]) -> tuple[Drawing, ...]:
    """Return what is printed where citations of one place rest on what was read with doubt."""
    boxes = tuple(dict.fromkeys(box for citation in citations for box in citation.boxes))
    return cited_places.of_quotes(library, citations[0].document, boxes)


def _groups(answer: Grounded, said: Sequence[Said]) -> Iterable[Group]:
    """Yield the statements by the part that they answer, each once; then those of no part alone."""
    left = dict(enumerate(said))
    for part in answer.parts:
        said_here = tuple(left.pop(at) for at in part.statements if at in left)
        yield Group(part.asked, said_here, answered=bool(part.statements), why=part.why)
    if left:
        yield Group("", tuple(left.values()))


def _opposed(answer: Grounded, cited: dict[int, Stop]) -> Iterable[Opposed]:
    for conflict in answer.conflicts:
        sides = (
            Side(side, cited[side.n], at == conflict.decides)
            for at, side in enumerate(conflict.sides)
            if side.n in cited
        )
        yield Opposed(tuple(sides), conflict.rule)


def _figures(library: Library, answer: Grounded, hits: Iterable[Finding]) -> tuple[Finding, ...]:
    known = {item.place.chunk: item for item in hits}
    return tuple(
        known.get(place.chunk) or Finding(place, cited_places.of_place(library, place, f"f{number}"))
        for number, place in enumerate(answer.figures, 1)
    )


def _tables(library: Library, marked: Iterable[MarkedTable]) -> Iterable[ShownTable]:
    for item in marked:
        try:
            table = library.table(item.document, item.label.key)
        except ApplianceError:
            continue  # the citation still shows it on its page
        named = deciding.columns_open(table, item.marked)
        yield ShownTable(
            item.document, table, grids.excerpt(table, item.marked), open=named, unsure=item.unsure
        )
