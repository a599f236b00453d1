"""The facade: everything that the command line and the page may ask of a built library."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from PIL import Image

from appliance.answer.chosen_statements import doubts_at, with_doubts
from appliance.answer.compose import compose
from appliance.answer.reading.question import Judges
from appliance.core.document import (
    Box,
    Clause,
    ClauseView,
    Document,
    Figure,
    Formula,
    Label,
    PageView,
    Problem,
    Table,
)
from appliance.core.errors import LibraryMissing, ModelMismatch, UnknownImage, UnknownPage
from appliance.core.evidence import Answer, Decided, Evidence, Failed, Listing, NotFound, Query
from appliance.core.files import images_folder
from appliance.core.graph import EdgeKind
from appliance.core.settings import Settings
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.models.protocols import Embedder, EncodedQuery, Reranker
from appliance.quality.contract import Quality
from appliance.quality.report import Reports
from appliance.quality.review import load_decisions
from appliance.retrieval.channels.gather import every_place
from appliance.retrieval.exploring import Walk, around, named
from appliance.retrieval.follow.references import choices_of, without_repeats
from appliance.retrieval.query.lexicon import load_lexicon, load_tags, own_vocabularies
from appliance.retrieval.search import prepare, read, search
from appliance.retrieval.search_context import (
    EVERYTHING,
    Filter,
    Reading,
    documents_left,
    index_of,
    places_about,
)
from appliance.retrieval.typed_labels import (
    formula_named,
    label_typed,
    labels_to_suggest,
    others_called,
    several,
    tables_in,
    tables_named,
    told_of,
    unknown_place,
)
from appliance.site.gaps_and_feedback import Site, site_file
from appliance.store.read import Store
from appliance.store.records import DocumentInfo
from appliance.tables.lookup import LookedUp, best_lookup
from appliance.text.terms import fold, fold_label, words

WHITE = (255, 255, 255)
AIR = 8  # pixels between two parts


def cut_out(boxes: Sequence[Box], image_of: Callable[[int], Path | None]) -> bytes | None:
    """Return what stands in the boxes as one PNG, None where no page has an image.

    `image_of` gives the file of a page's image, None where there is none.
    """
    parts = []
    for box in boxes:
        if (path := image_of(box.page)) is not None:
            with Image.open(path) as page:
                left, right = round(box.x0 * page.width), round(box.x1 * page.width)
                top, bottom = round(box.y0 * page.height), round(box.y1 * page.height)
                edges = (left, top, max(right, left + 1), max(bottom, top + 1))
                parts.append(page.convert("RGB").crop(edges))
    if not parts:
        return None
    height = sum(part.height for part in parts) + AIR * (len(parts) - 1)
    whole = Image.new("RGB", (max(part.width for part in parts), height), WHITE)
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height + AIR
    file = io.BytesIO()
    whole.save(file, "PNG", optimize=True)
    return file.getvalue()


_LOG = logging.getLogger(__name__)
NO_ANSWER = "The answer could not be made. The search still works; these places were found."
ANSWERS_KEPT = 128
TAGGED = 3  # places that are about what a filter offers, at least
_IMAGE = re.compile(r"[0-9a-f]{64}\.[a-z]{3,4}")


@dataclass(frozen=True, slots=True)
class Overview:
    """What is loaded, for the first page and `doctor`; `issued` is its day, "" where unknown.

    `examples` are questions that it was seen to answer when it was built.
    """

    documents: tuple[DocumentInfo, ...]
    version: str
    embedder: str
    reranker: str
    issued: str = ""
    examples: tuple[str, ...] = ()


class Library:
    """A built library with the models that search it."""

    def __init__(
        self, store: Store, embedder: Embedder | None, reranker: Reranker | None, settings: Settings
    ) -> None:
        self.store = store
        self.settings = settings
        self._embedder = embedder
        self._reranker = reranker
        self._reports = Reports(store, settings.ingest.schemes)
        # the notes of the site: questions without an answer, what people say of answers
        self.site = Site(site_file(store.path, settings.site), settings.site)

    @classmethod
    def open(cls, path: Path, settings: Settings | None = None, threads: int = 0) -> Library:
        """Return the library at the path with its models loaded, ready for so many further threads.

        Raises:
            LibraryMissing, LibraryUnreadable, SchemaMismatch: the file cannot be served.
            ModelMissing, ModelDamaged, ModelMismatch: the models cannot search it.
        """
        settings = settings or Settings()
        if not path.is_file():
            raise LibraryMissing(path)
        store = open_store(path, settings, threads)
        try:
            return cls(store, *_models(store, settings), settings)
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    # -- questions

    def search(
        self,
        question: str,
        limit: int = 20,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        after: str = "",
        reading: Reading | None = None,
        keep_stages: bool = False,
    ) -> Evidence:
        """Return the places that bear on a question, best first.

        `documents` join what `wanted` says; `after` is the question before, which this one may go on
        from; `reading` is what the user has open, which raises what belongs to it.

        Raises:
            BadQuestion: there is nothing to search for. UnknownDocument: a filter names none loaded.
            BadInput: a filter names what there is not. UnknownPlace: no such place is open.
        """
        wanted = replace(wanted, documents=(*wanted.documents, *documents))
        models, settings = (self._embedder, self._reranker), self.settings.search
        ask = prepare(self.store, *models, question, settings, wanted=wanted, after=after, reading=reading)
        return search(ask, limit=limit, keep_stages=keep_stages)

    def with_words(
        self,
        question: str,
        first: int = 0,
        count: int = 0,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        after: str = "",
        reading: Reading | None = None,
    ) -> Listing:
        """Return `count` of all the places that hold words of a question, from the `first` (0) on.

        The arguments and errors beside are those of `search`.
        """
        wanted, settings = replace(wanted, documents=(*wanted.documents, *documents)), self.settings.search
        ask = prepare(self.store, None, None, question, settings, wanted=wanted, after=after, reading=reading)
        return every_place(ask, first, count)

    def ask(
        self,
        question: str,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        after: str = "",
        reading: Reading | None = None,
        explain: bool = False,
    ) -> Answer:
        """Return an answer, that nothing was found, or that it failed; raises as `search` does.

        With `explain` its evidence keeps the first places of every search.
        """
        wanted = replace(wanted, documents=(*wanted.documents, *documents))
        evidence = self.search(question, wanted=wanted, after=after, reading=reading, keep_stages=explain)
        return self.answer_from(question, evidence, wanted)

    def answer_from(self, question: str, evidence: Evidence, wanted: Filter = EVERYTHING) -> Answer:
        """Return what `ask` returns, of evidence that was found for the question as narrowed by `wanted`."""
        searched = documents_left(self.store, wanted)
        start = perf_counter()
        try:
            answer = compose(
                self.store, evidence, self.judges(evidence.query), self.settings.answer, searched
            )
        except Exception:  # noqa: BLE001 - whatever fails inside, a person gets the places found
            _LOG.exception("an answer could not be made")
            return Failed(question, NO_ANSWER, evidence)
        timings = {**answer.evidence.timings_ms, "answer": 1000 * (perf_counter() - start)}
        evidence = replace(answer.evidence, timings_ms=MappingProxyType(timings))
        if isinstance(answer, NotFound):
            return replace(answer, evidence=evidence)
        cited = (replace(c, address=self.address(c.document, c.label)) for c in answer.citations)
        return replace(answer, evidence=evidence, citations=tuple(cited))

    def answered(
        self,
        question: str,
        documents: Sequence[str] = (),
        *,
        wanted: Filter = EVERYTHING,
        after: str = "",
        reading: Reading | None = None,
    ) -> Answer:
        """Return what `ask` returns, out of the last answers where it is there; raises as `search` does.

        People come back to an answer, print it, save it, have it written and take it along as PDF, and each
        of these asks for it again; a library never changes while it is open. What failed is tried again.
        """
        answer: Answer = self._last_answers(
            question, tuple(documents), wanted=wanted, after=after, reading=reading
        )
        if isinstance(answer, Failed):
            self._last_answers.cache_clear()
        return answer

    @cached_property
    def _last_answers(self) -> Any:
        return lru_cache(ANSWERS_KEPT)(self.ask)

    def judges(self, query: Query) -> Judges:
        """Return what the parts of places are judged with for a question."""
        return Judges(self._encoded(query.spelt or query.text), self._reranker, self._read, self._encoded)

    def _encoded(self, question: str) -> EncodedQuery | None:
        return self._embedder.encode_query(question) if self._embedder else None

    def _read(self, question: str) -> tuple[Query, EncodedQuery | None]:
        """Return a question as read and encoded; raises BadQuestion."""
        query = read(self.store, question, self.settings.search).query
        return query, self._encoded(query.spelt or query.text)

    def tags(self) -> tuple[tuple[str, str], ...]:
        """Return (kind, name) of the tags of the vocabularies that places are about, for a filter.

        A thing is there by its own name: other names of it may be of something else. Of two names of the same
        places the first stands.
        """
        printed, stem = index_of(self.store).vocabulary.chunks, self.store.connections.stem
        told: dict[tuple[str, frozenset[int]], str] = {}
        for tag in load_tags(*own_vocabularies(self.settings.search)):
            named = tag.kind == "discipline" or all(stem(word) in printed for word in words(fold(tag.name)))
            about = places_about(self.store, tag)
            if named and len(about) >= TAGGED:
                told.setdefault((tag.kind, about), tag.name)
        return tuple((kind, name) for (kind, _), name in told.items())

    def suggest(self, prefix: str, limit: int = 8) -> tuple[tuple[str, Label, str], ...]:
        """Return items whose label begins like this, as (document, label, title), shortest first."""
        wanted = fold_label(prefix)
        if not wanted:
            return ()
        found = [item for folded, item in self._labels if any(own.startswith(wanted) for own in folded)]
        return tuple(sorted(found, key=lambda item: (len(item[1].named), item[0], item[1]))[:limit])

    @cached_property
    def _labels(self) -> tuple[tuple[frozenset[str], tuple[str, Label, str]], ...]:
        return tuple(labels_to_suggest(self.store))

    # -- places

    def overview(self) -> Overview:
        """Return what is loaded."""
        return Overview(
            self.store.documents(),
            self.store.version,
            self.store.embedder,
            self._reranker.name if self._reranker else "",
            self.store.meta.get("issued", ""),
            tuple(filter(None, self.store.meta.get("examples", "").split("\n"))),
        )

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Return the documents, in the order of the build."""
        return self.store.documents()

    def document(self, document: str) -> Document:
        """Return all that was read out of one document; raises UnknownDocument."""
        return self.store.document(document)

    def tree(self, document: str) -> tuple[Clause, ...]:
        """Return the clauses of a document in its order; raises UnknownDocument."""
        return self.store.clauses(document)

    def address(self, document: str, label: Label | None = None) -> str:
        """Return the address on the web of what was a web page, or of a place in it; "" for a PDF."""
        return self.store.address(document, label.key if label else "")

    def clause(self, document: str, key: str) -> ClauseView:
        """Return a clause with its surroundings, by its key or as an answer shows its label.

        Raises:
            UnknownDocument, UnknownPlace: there is none. AmbiguousLabel: there are several.
        """
        clause = self.store.clause(document, key)
        if clause is None:
            key = label_typed(self.store, document, key, ("clause",)).key
            clause = self.store.lineage(document, key)[-1]
        before, after = self.store.around(document, key)
        return ClauseView(
            clause=clause,
            path=self.store.lineage(document, key)[:-1],
            children=self.store.children(document, key),
            references=self.store.references_from(document, key),
            cited_by=self.store.references_to(document, key),
            previous=before[-1] if before else None,
            following=after[0] if after else None,
            tables=self.store.tables(document, clause=key),
            figures=self.store.figures(document, clause=key),
            formulas=self.store.formulas(document, clause=key),
        )

    def table(self, document: str, key: str) -> Table:
        """Return a table by its key, an anchor of the web page, or a printed label that only one has.

        Raises:
            UnknownDocument, UnknownPlace: there is none. AmbiguousLabel: there are several.
        """
        anchored = self.store.anchored(document, key.strip().removeprefix("#"))
        found = self.store.table(document, key) or (
            self.store.table(document, anchored) if anchored else None
        )
        if found is not None:
            return found
        same = tables_named(self.store, document, key)
        if not same:
            raise unknown_place(self.store, document, key)
        if len(same) > 1:
            raise several(self.store, document, key, [table.label for table in same])
        return same[0]

    def table_lookup(self, document: str, label: str, row: str, column: str) -> LookedUp:
        """Return the cells that answer to row and column in words; raises as `table` does.

        Of several tables that print this label, it is the one that answers best; without words to
        choose by, they are ambiguous. Words of the vocabularies are tried where the asked ones find nothing.
        """
        same = tables_named(self.store, document, label) if f"{row}{column}".strip() else ()
        aliases = load_lexicon(*own_vocabularies(self.settings.search)).aliases
        found = best_lookup(same or (self.table(document, label),), row, column, aliases)
        return with_doubts(self.store, document, found)

    def graph(
        self, name: str, kinds: Sequence[EdgeKind] = (), direction: str = "both", depth: int = 1
    ) -> list[dict[str, Any]]:
        """Return what bears a name, each with its neighbours as a tree; raises UnknownNode."""
        walk = Walk(kinds, direction, depth)  # type: ignore[arg-type]  # whoever asks has checked the word
        return [around(self.store, node, walk) for node in named(self.store, name)]

    def quality(self, document: str) -> Quality:
        """Return what was expected of a document against what was found; raises UnknownDocument."""
        return self._reports.of(document)

    def picture(self, document: str, key: str) -> bytes | None:
        """Return a figure or formula cut out of its page images as PNG, None where they are not there.

        Raises:
            UnknownDocument, UnknownPlace: there is no such figure or formula.
        """
        boxes = self.drawn(document, key).boxes
        names = {box.page: self.page(document, box.page).large for box in boxes}
        return cut_out(boxes, lambda page: self.image(names[page]) if names[page] else None)

    def picture_problems(self, document: str, key: str) -> tuple[Problem, ...]:
        """Return what is amiss with a figure or formula as a whole; raises as `drawn` does."""
        boxes = self.drawn(document, key).boxes
        return tuple(problem for problem in self.store.problems(document) if problem.box in boxes)

    def doubts(self, document: str, boxes: Sequence[Box]) -> tuple[Problem, ...]:
        """Return what was read with doubt in these boxes, each with its own; raises UnknownDocument."""
        return doubts_at(self.store, document, boxes)

    def national_choices(self, document: str, *keys: str) -> Decided:
        """Return what annexes and amendments decide about these places, and what these decide.

        Without keys: about the document as a whole. Raises UnknownDocument.
        """
        self.store.info(document)
        choices = choices_of(self.store)
        if not keys:
            return choices.of_document(document)
        governing = without_repeats(choices.on(document, keys, listed=True))
        return Decided(governing, without_repeats(choices.by(document, keys)))

    def figure(self, document: str, key: str) -> Figure:
        """Return a figure; raises as `clause` does."""
        found = self.drawn(document, key)
        if not isinstance(found, Figure):
            raise unknown_place(self.store, document, key)
        return found

    def tables_in(self, document: str, key: str) -> tuple[Table, ...]:
        """Return the tables that stand in a figure or formula; raises as `drawn` does."""
        return tables_in(self.store.tables(document), self.drawn(document, key).boxes)

    def drawn(self, document: str, key: str) -> Figure | Formula:
        """Return a figure, or a formula by its number; raises as `clause` does."""
        found = self.store.figure(document, key) or formula_named(self.store, document, key)
        if found is None:
            label = label_typed(self.store, document, key, ("figure", "formula"))
            found = self.store.figure(document, label) or self.store.formula(document, label)
        if found is None:
            raise unknown_place(self.store, document, key)
        return found

    def formulas_at(self, document: str, label: Label) -> tuple[Formula, ...]:
        """Return the formula of exactly this label, else those that stand in the clause of it."""
        own = self.store.formula(document, label)
        return (own,) if own else self.store.formulas(document, clause=label)

    def others_called(self, document: str, label: Label) -> tuple[tuple[str, str], ...]:
        """Return the other places that print a label, each as the way to write it and what tells of it."""
        found = others_called(self.store, document, label)
        return tuple((way, told_of(item)) for way, item in found)

    def page(self, document: str, number: int) -> PageView:
        """Return one page; raises UnknownDocument, UnknownPage."""
        info = self.store.page(document, number)
        if info is None:
            last = next(info.pages for info in self.store.documents() if info.id == document)
            raise UnknownPage(document, number, last)
        page, folder = info.page, images_folder(self.store.path)
        large, phone = (name if (folder / name).is_file() else "" for name in (info.large, info.phone))
        return PageView(page.number, page.width, page.height, page.printed, page.trust, large, phone)

    def missing_images(self) -> int:
        """Return how many page images are not in their folder."""
        folder = images_folder(self.store.path)
        there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        pages = (page for info in self.store.documents() for page in self.store.pages(info.id))
        return len({name for page in pages for name in (page.large, page.phone) if name} - there)

    def image(self, name: str) -> Path:
        """Return the file of a page image; raises UnknownImage."""
        path = images_folder(self.store.path) / name
        if not _IMAGE.fullmatch(name) or not path.is_file():
            raise UnknownImage(name)
        return path


def open_store(path: Path, settings: Settings | None = None, threads: int = 0) -> Store:
    """Return the library at the path without models, under what people decided (see review.py).

    Raises:
        LibraryMissing, LibraryUnreadable, SchemaMismatch: the file cannot be served.
        BadInput: the decisions beside it cannot be read.
    """
    settings = settings or Settings()
    decided = {number: kept.decision for number, kept in load_decisions(path).kept.items()}
    return Store(path, settings.search.query_seconds, threads, decided)


def _models(store: Store, settings: Settings) -> tuple[Embedder | None, Reranker | None]:
    if not store.embedder:
        return None, None
    embedder = load_embedder(settings.models)
    if embedder.fingerprint != store.embedder:
        raise ModelMismatch(store.embedder, embedder.fingerprint)
    return embedder, load_reranker(settings.models, embedder)
