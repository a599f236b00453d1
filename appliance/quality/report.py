"""The quality reports of a library: expected against found, and the pages to look at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import TypeVar

from appliance.core.document import Document
from appliance.core.errors import BadInput, BadSettings
from appliance.core.files import shipped
from appliance.ingest.structure.schemes import Scheme, load_schemes
from appliance.quality.checked import checked_file, read_checked
from appliance.quality.expected import Words, missing_clauses, missing_items
from appliance.quality.pages import NOTHING, page_reasons, problem_reasons, table_reasons
from appliance.quality.understood import HARDLY, understanding
from appliance.quality.values import Expected, Level, PageQuality, Reason, Report, Yield
from appliance.store.read import Store

POOR = 0.1  # of what should be there is missing: a poor reading
SIBLINGS = 3  # documents of a family that tell what it usually yields


def report(
    document: Document, words: Words, checked: Mapping[int, str], siblings: Sequence[float] = ()
) -> Report:
    """Return the report.

    `words` are the caption words, `checked` the days of checks by page, `siblings` the references a page
    of other documents of the family.
    """
    lost = {kind: missing_items(document, kind, words) for kind in ("table", "figure")}
    clauses = missing_clauses(document)
    reasons = [*problem_reasons(document), *page_reasons(document), *table_reasons(document.tables)]
    reasons += [reason for missing in (*lost.values(), clauses) for reason in missing.reasons]
    pages = _pages(document, reasons, checked)
    look_at = tuple(sorted((p for p in pages if p.weight), key=lambda p: (-p.weight, p.number)))
    captioned = sum(table.captioned for table in document.tables)
    counted = (
        (sum(clause.kind != "note" for clause in document.clauses), clauses),
        (captioned, lost["table"]),
        (len(document.figures), lost["figure"]),
    )
    expected = [Expected(many, tuple(some.names), tuple(some.spoken)) for many, some in counted]
    found = _references(document, usual(document.family, siblings))
    doubts = understanding(document, expected[0], found)
    whole = (*doubts, *(reason for reason in reasons if not reason.page))
    level, why = _level(pages, look_at, expected[1:], whole)
    return Report(
        document.id, document.designation, document.title, document.family, level, why,
        *expected, found, whole, pages, look_at,
    )  # fmt: skip


def usual(family: str, siblings: Sequence[float]) -> float | None:
    """Return the references that a page of this family usually has, by its documents or as measured."""
    if len(siblings) >= SIBLINGS:
        return round(median(siblings), 2)
    measured: Mapping[str, float] = shipped("quality/usual")["references_a_page"]
    return measured.get(family)


def _references(document: Document, usually: float | None) -> Yield:
    states = Counter(reference.status for reference in document.references)
    reasons = Counter(
        reference.reason or "no reason given"
        for reference in document.references
        if reference.status != "resolved"
    )
    read = sum(page.trust != "none" for page in document.pages)
    total = len(document.references)
    return Yield(
        found=total,
        resolved=states["resolved"],
        not_loaded=states["not_loaded"],
        unresolved=states["unresolved"],
        reasons=MappingProxyType(dict(reasons.most_common())),
        a_page=round(total / max(read, 1), 2),
        usual_a_page=usually,
    )


def _pages(
    document: Document, reasons: Iterable[Reason], checked: Mapping[int, str]
) -> tuple[PageQuality, ...]:
    """Return the pages, each with its own reasons, the weightiest first; the same words only once."""
    of: dict[int, dict[str, Reason]] = defaultdict(dict)
    for reason in sorted(reasons, key=lambda reason: -reason.weight):
        of[reason.page].setdefault(reason.words, reason)
    return tuple(
        PageQuality(
            page.number,
            "checked" if page.number in checked else page.trust,
            tuple(of[page.number].values()),
            checked.get(page.number, ""),
        )
        for page in document.pages
    )


def _level(
    pages: Sequence[PageQuality],
    look_at: Sequence[PageQuality],
    expected: Sequence[Expected],
    whole: Sequence[Reason],
) -> tuple[Level, str]:
    poor = _poor(pages, look_at, expected, whole)
    if poor:
        return "poor", poor
    if whole and whole[0].kind == "structure":
        return "to check", whole[0].words
    doubtful = sum(page.weight > NOTHING for page in look_at)
    if doubtful:
        verb = "is" if doubtful == 1 else "are"
        return "to check", f"{doubtful} of {len(pages)} pages {verb} worth a look."
    if whole:
        return "to check", "See what was reported."
    if any(page.checked for page in pages):
        return "good", "What was doubtful has been checked by a person."
    return "good", "Nothing speaks against the reading."


def _poor(
    pages: Sequence[PageQuality],
    look_at: Sequence[PageQuality],
    expected: Sequence[Expected],
    whole: Sequence[Reason],
) -> str:
    """Return why the document was read poorly, "" where it was not."""
    silent = sum(page.trust == "none" for page in pages)
    missing, of = sum(len(item.missing) for item in expected), sum(item.expected for item in expected)
    unchecked = any(reason.kind in {"caption", "gap"} for page in look_at for reason in page.reasons)
    if not pages:
        return "It has no pages."
    if silent > POOR * len(pages):
        return f"{silent} of {len(pages)} pages have no text."
    if whole and whole[0].kind == "structure" and whole[0].weight >= HARDLY:
        return whole[0].words
    if unchecked and missing > max(1.0, POOR * of):
        return f"{missing} of {of} tables and figures are missing."
    return ""


Read = TypeVar("Read")


class Reports:
    """The reports of a store; may be asked from any thread."""

    def __init__(self, store: Store, schemes: Path | None = None) -> None:
        self._store = store
        self._schemes = schemes
        self._made: dict[str, tuple[int, Report]] = {}

    def of(self, document: str) -> Report:
        """Return the report of a loaded document; raises UnknownDocument."""
        file = checked_file(self._store.path)
        stamp = file.stat().st_mtime_ns if file.is_file() else 0  # when the checks were last written
        known = self._made.get(document)
        if known is None or known[0] != stamp:
            known = self._made[document] = (stamp, stored_report(self._store, document, self._schemes))
        return known[1]


def stored_report(store: Store, document: str, own: Path | None = None) -> Report:
    """Return the report of a loaded document; raises UnknownDocument."""
    info = store.info(document)
    siblings = [
        other.references / other.pages
        for other in store.documents()
        if other.family == info.family and other.id != info.id and other.pages
    ]
    wrong: list[Reason] = []
    schemes = _or_said(lambda: load_schemes(own), load_schemes, wrong)
    checked: Mapping[int, str] = _or_said(
        lambda: read_checked(store.path, document, info.sha256), dict, wrong
    )
    found = report(_without_chunks(store, document), _caption_words(info.family, schemes), checked, siblings)
    return replace(found, whole=(*wrong, *found.whole)) if wrong else found


def _or_said(read: Callable[[], Read], otherwise: Callable[[], Read], wrong: list[Reason]) -> Read:
    """Return what is read, or the other where the file of a person is wrong, and say so."""
    try:
        return read()
    except (BadInput, BadSettings) as error:
        wrong.append(Reason("problem", 0, str(error), 1.0))
        return otherwise()


def _without_chunks(store: Store, document: str) -> Document:
    """Return a document without its parts to search, formulas and terms, which tell nothing here."""
    info = store.info(document)
    return Document(
        info.id, info.designation, info.title, info.edition, info.status, info.language, info.sha256,
        info.family, tuple(item.page for item in store.pages(document)), store.clauses(document),
        store.tables(document), store.figures(document), references=store.references(document),
        problems=store.problems(document),
    )  # fmt: skip


def _caption_words(family: str, schemes: Sequence[Scheme]) -> Words:
    """Return what this family calls its tables and figures; without a scheme of its name, what any does."""
    own = [scheme.captions for scheme in schemes if scheme.name == family]
    every = own or [scheme.captions for scheme in schemes]
    return {
        kind: tuple(dict.fromkeys(word for words in every for word in words.get(kind, ())))
        for kind in ("table", "figure")
    }
