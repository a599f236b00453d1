"""Why a wanted place was missed: the first step of the chain that lost it.

Rules of this module: pure. The steps are asked in the order in which a place can be lost: it was
not read from the PDF; read on another page or under another name; in no unit of search; found by no
search; found too low; lost when the searches were joined; lost by the reranker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from appliance.document import Document, Figure, Table, pages_of
from appliance.evaluation.matching import bare, number_of
from appliance.evaluation.metrics import SHOWN, within
from appliance.evaluation.places import PAGES_APART, Gold, normal_label

LATE = "shown after the first 10"
LOST_IN_RERANKING = "in the first 10 when fused, lost by reranking"
LOST_IN_FUSION = "in the first 10 of one search, lost in fusion"
FOUND_LOW = "found by a search, too low"
NOT_FOUND = "found by no search"
NOT_INDEXED = "read, but in no unit of search"
OTHER_NAME = "read under another label"
OTHER_PAGE = "read on another page"
NOT_READ = "not read from the PDF"
NOT_LOADED = "its document is not loaded"
JUDGED = 10


@dataclass(frozen=True, slots=True)
class Index:
    """What a document holds: pages of each label, of each other name, and of each label in a chunk."""

    labels: Mapping[str, frozenset[int]]
    names: Mapping[str, frozenset[int]]
    chunks: Mapping[str, frozenset[int]]


def index_document(document: Document) -> Index:
    """Return where the labels and names of the document stand."""
    items = list(_items(document))
    chunks = [
        (str(label), pages_of(chunk.boxes))
        for chunk in document.chunks
        for label in chunk.labels or (chunk.label,)
    ]
    return Index(
        labels=_gather((label, pages) for label, _, pages in items),
        names=_gather(((name, pages) for _, names, pages in items for name in names), bare),
        chunks=_gather(chunks),
    )


def cause_of(gold: Gold, ranks: Mapping[str, int | None], index: Index | None) -> str:
    """Return why the place is not among the first ten shown; "" where it is."""
    if within(ranks.get(SHOWN), JUDGED):
        return ""
    if all(rank is None for rank in ranks.values()):
        return _never_found(gold, index)
    if ranks.get(SHOWN) is not None:
        return LATE
    if within(ranks.get("fused"), JUDGED):
        return LOST_IN_RERANKING
    if any(within(ranks.get(stage), JUDGED) for stage in ("lexical", "dense")):
        return LOST_IN_FUSION
    return FOUND_LOW


def _never_found(gold: Gold, index: Index | None) -> str:
    if index is None:
        return NOT_LOADED
    if gold.kind == "page":
        return NOT_FOUND
    label = normal_label(gold.label)
    if not _near(index.labels.get(label), gold.page):
        names = (bare(gold.label), number_of(gold.label))
        if any(_near(index.names.get(name), gold.page) for name in names if name):
            return OTHER_NAME
        return OTHER_PAGE if label in index.labels else NOT_READ
    if index.chunks and not _near(index.chunks.get(label), gold.page):
        return NOT_INDEXED
    return NOT_FOUND


def _near(pages: frozenset[int] | None, page: int) -> bool:
    return any(abs(own - page) <= PAGES_APART for own in pages or ())


def _items(document: Document) -> Iterator[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Yield label, other names and pages of everything that carries a label."""
    for clause in document.clauses:
        label = str(clause.label)
        names = (label, clause.title, clause.marker, f"{label} {clause.title}", number_of(label))
        yield label, names, pages_of(clause.boxes)
    titled: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    for item in titled:
        label = str(item.label)
        yield label, (label, item.title, number_of(label)), pages_of(item.boxes)
    for formula in document.formulas:
        yield str(formula.label), (str(formula.label),), pages_of(formula.boxes)
    for term in document.terms:
        yield str(term.label), (term.term,), pages_of(term.boxes)


def _gather(
    pairs: Iterable[tuple[str, tuple[int, ...]]], key: Callable[[str], str] = normal_label
) -> dict[str, frozenset[int]]:
    gathered: dict[str, frozenset[int]] = {}
    for name, pages in pairs:
        if normal := key(name):
            gathered[normal] = gathered.get(normal, frozenset()) | frozenset(pages)
    return gathered
