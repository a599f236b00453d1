"""An answer as its page shows it: what is said and cited, what must be read with it, what else there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from appliance.answer.candidates import CLAIMS, PIECES
from appliance.contract.answers import own_statements
from appliance.core.document import Label, Table
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Citation, Grounded, Place, Statement
from appliance.core.runs import grouped
from appliance.keeping.answer_card import card, cell_of, proof_boxes, proof_of, steps
from appliance.keeping.kept import kept
from appliance.library import Library
from appliance.site.saved import Kept, KeptHeadline, KeptStatement
from appliance.web import language
from appliance.web.answers import cited_places
from appliance.web.answers.cited_places import Drawing, Stop
from appliance.web.reading import tables as grids
from appliance.web.reading.marks import View, crop, strip
from appliance.web.reading.tables import Grid

LAID_OUT = str.maketrans("", "", "_^(),;\N{HORIZONTAL ELLIPSIS}")  # of a formula as text, not as printed
FORMULAS = 3  # pictures of one claim
MOST_HEIGHT = 0.37  # of the page: of what is said over more of it the crop shows the proof with what fits


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
class Finding:
    """A place found with the stop that shows it."""

    place: Place
    stop: Stop


@dataclass(frozen=True, slots=True)
class Proof:
    """A statement and the part of its page with what it cites boxed; no view where the page has no image.

    `steps` are the items of a list that it says, `formulas` the pictures of the formulas that it quotes.
    """

    statement: KeptStatement
    citation: Citation
    stop: Stop
    view: View | None
    steps: tuple[tuple[str, str], ...] = ()
    formulas: tuple[Drawing, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvedCard:
    """A card of `appliance.keeping.answer_card`, each statement with its proof.

    Of `cases` each has its place in words, and the stop that shows it.
    """

    found: bool
    headline: KeptHeadline | None
    cases: tuple[tuple[KeptHeadline, str, Stop], ...]
    proofs: tuple[Proof, ...]
    also: tuple[Proof, ...]
    more: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """All that the answer page shows; `stops` are those that it offers, in their order.

    `tables` have deciding cells and belong to no statement shown, `more_tables` only belong to what is cited;
    `opposed` are places that give different numbers, side by side, with the rule that decides.
    """

    answer: Grounded
    card: ProvedCard
    said: tuple[Said, ...]
    groups: tuple[Group, ...]
    opposed: tuple[tuple[str, tuple[Side, ...]], ...]
    tables: tuple[ShownTable, ...]
    more_tables: tuple[ShownTable, ...]
    must_read: tuple[Finding, ...]
    figures: tuple[Finding, ...]
    others: tuple[tuple[str, tuple[Finding, ...]], ...]
    stops: dict[str, Stop]


def of_answer(library: Library, answer: Grounded) -> AnswerView:
    """Return the parts of the answer page; a place is told by its chunk, for a long table is several."""
    shown_places = answer.evidence.shown
    hits = findings(shown_places, cited_places.of_places(library, shown_places))
    known = {item.place.chunk: item for item in hits}

    def named(places: Iterable[Place], letter: str) -> tuple[Finding, ...]:
        return tuple(
            known.get(place.chunk)
            or Finding(place, cited_places.of_place(library, place, f"{letter}{number}"))
            for number, place in enumerate(places, 1)
        )

    figures = named(answer.figures, "f")
    held = (cited_places.holding(citation, answer.evidence.hits) for citation in answer.citations)
    told = {place.chunk for place in (*held, *answer.figures) if place}
    must_read = named((place for place in answer.evidence.must_read if place.chunk not in told), "m")
    told |= {item.place.chunk for item in must_read}
    others = grouped(  # by document, these in the order of their best place
        (item.place.document, item)
        for item in hits
        if not told.issuperset(part.chunk for part in item.place.parts or (item.place,))
    )

    cited = cited_places.of_citations(library, answer)
    deciding: dict[tuple[str, str], ShownTable] = {}
    more_tables: list[ShownTable] = []
    for marked in answer.tables:
        with suppress(ApplianceError):  # the citation still shows it on its page
            table = library.table(marked.document, marked.label.key)
            shown = ShownTable(
                marked.document,
                table,
                grids.excerpt(table, marked.marked),
                open=grids.columns_open(table, marked.marked),
                unsure=marked.unsure,
            )
            if marked.marked:
                deciding[shown.name] = shown
            else:
                more_tables.append(shown)
    said = []  # each with the tables that it is the first to cite
    for statement in answer.statements:
        one = _said(library, answer, statement, cited)
        names = dict.fromkeys((source.stop.document, source.stop.label.key) for source in one.sources)
        own = tuple(deciding.pop(name) for name in names if name in deciding)
        said.append(replace(one, tables=own))
    left = dict(enumerate(said))
    groups = [  # by the part that they answer, each statement once; then those of no part alone
        Group(
            part.asked,
            tuple(left.pop(at) for at in part.statements if at in left),
            answered=bool(part.statements),
            why=part.why,
        )
        for part in answer.parts
    ]
    if left:
        groups.append(Group("", tuple(left.values())))

    proved_card = card_of(library, answer, cited)
    along = (*must_read, *figures, *(item for group in others.values() for item in group))
    stops = {stop.id: stop for stop in (*cited.values(), *(item.stop for item in along))}
    for proof in proved_card.proofs[:1]:  # just that is boxed strongly which the crop of its card boxes
        views = tuple(
            replace(view, strong=proof.view.strong, faint=proof.view.faint, crop=proof.view.crop)
            if proof.view and view.page == proof.view.page
            else view
            for view in proof.stop.views
        )
        stops[proof.stop.id] = replace(proof.stop, views=views)
    return AnswerView(
        answer=answer,
        card=proved_card,
        said=tuple(said),
        groups=tuple(groups),
        opposed=tuple(
            (
                conflict.rule,
                tuple(
                    Side(side, cited[side.n], at == conflict.decides)
                    for at, side in enumerate(conflict.sides)
                    if side.n in cited
                ),
            )
            for conflict in answer.conflicts
        ),
        tables=tuple(deciding.values()),
        more_tables=tuple(more_tables),
        must_read=must_read,
        figures=figures,
        others=tuple((name, tuple(group)) for name, group in others.items()),
        stops=stops,
    )


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


def _said(library: Library, answer: Grounded, statement: Statement, cited: dict[int, Stop]) -> Said:
    known = {citation.n: citation for citation in answer.citations}
    at = grouped((cited[n].id, n) for n in dict.fromkeys(statement.citations) if n in cited)
    plain = " ".join(statement.text.split())
    sources = tuple(
        Source(
            numbers=language.runs(numbers),
            stop=cited[numbers[0]],
            quotes=tuple(known[n].quote for n in numbers if " ".join(known[n].quote.split()) not in plain),
            pages=tuple(dict.fromkeys(known[n].page for n in numbers)),
            drawings=cited_places.of_quotes(
                library,
                cited[numbers[0]].document,
                tuple(dict.fromkeys(box for n in numbers for box in known[n].boxes)),
            ),
        )
        for numbers in at.values()
    )
    figures = {(place.document, place.label) for place in answer.figures}
    drawn_one = bool(sources) and (sources[0].stop.document, sources[0].stop.label) in figures
    shown = language.SHOWN if statement is answer.statements[0] else language.LATER
    text, more = language.lettered(statement.text) if drawn_one else language.folded(statement.text, shown)
    return Said(statement, sources, text=text, more=more, lettering=drawn_one)


def card_of(library: Library, answer: Grounded, stops: Mapping[int, Stop]) -> ProvedCard:
    """Return the card of an answer; `stops` are those of its citations, by number."""
    whole = kept(answer, library)
    made = card(whole)
    known = {citation.n: citation for citation in answer.citations}

    def proof(statement: KeptStatement, *, first: bool = True) -> Proof:
        """Return a statement with its crop, below the first claim with a strip of it."""
        citation = known[proof_of(whole, statement)]
        stop = stops[citation.n]
        if first:
            view = proved(library, whole, statement)
            drawn = _formulas(library, [known[n] for n in statement.citations if n in known])
            if drawn:  # the pieces that say nothing but the signs of formulas that are shown are left out
                signs = "".join(
                    f"{one.text} {one.where} {one.label}" for one in (item.formula for item in drawn) if one
                ).translate(LAID_OUT)
                lines = [
                    PIECES.join(
                        piece
                        for piece in line.split(PIECES)
                        if not all(word in signs for word in piece.translate(LAID_OUT).split())
                    )
                    for line in statement.text.split(CLAIMS)
                ]
                statement = replace(statement, text=CLAIMS.join(filter(None, lines)))
            return Proof(statement, citation, stop, view, steps(whole, statement), drawn[:FORMULAS])
        views_of = cited_places.views(library, citation.document, citation.boxes, cells=stop.kind == "table")
        return Proof(statement, citation, stop, strip(views_of[0]) if views_of else None)

    return ProvedCard(
        found=made.found,
        headline=made.headline,
        cases=tuple(
            (
                item,
                f"{known[item.citation].document} {known[item.citation].label.named}",
                stops[item.citation],
            )
            for item in made.cases
        ),
        proofs=tuple(proof(item, first=not at) for at, item in enumerate(made.claims)),
        also=tuple(proof(item, first=False) for item in made.also),
        more=tuple(proof(item, first=False) for item in made.more),
    )


def _formulas(library: Library, citations: Iterable[Citation]) -> tuple[Drawing, ...]:
    """Return the formulas that are quoted, each once, as their pages print them."""
    found: dict[Label, Drawing] = {}
    for citation in citations:
        document = citation.document
        for formula in library.formulas_at(document, citation.label):
            if formula.label not in found and any(
                cited_places.within(box, formula) for box in citation.boxes
            ):
                found[formula.label] = cited_places.of_formula(library, document, formula)
    return tuple(found.values())


def proved(library: Library, whole: Kept, claim: KeptStatement) -> View | None:
    """Return the page that proves a claim with all that it says there boxed; None without an image of it."""
    number, cells = proof_of(whole, claim), bool(claim.rows)
    proof = next(item for item in whole.citations if item.n == number)
    said = proof_boxes(whole, claim)
    drawn = next(iter(cited_places.views(library, proof.document, said, cells=cells)), None)
    if drawn is None or not (drawn.large or drawn.phone):
        return None
    if cell := cell_of(whole, number):  # the cell of the value stands out of its row
        own = cited_places.views(library, proof.document, (cell,), said, cells=True)[0]
        drawn = replace(drawn, strong=own.strong, faint=own.faint)
    if drawn.crop.height <= MOST_HEIGHT * drawn.height:
        return drawn
    shown = proof.boxes
    for box in said:
        more = crop((*shown, box), said)
        if box.page == drawn.page and more.y1 - more.y0 <= MOST_HEIGHT:
            shown = (*shown, box)
    return replace(drawn, crop=cited_places.views(library, proof.document, shown, said, cells=cells)[0].crop)
