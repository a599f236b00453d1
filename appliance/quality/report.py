"""The quality reports of a library: expected against found, and the pages to look at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TypeVar

from appliance.core.document import Document
from appliance.core.errors import BadInput, BadSettings
from appliance.core.files import shipped
from appliance.ingest.structure.schemes import load_schemes
from appliance.quality.checked import checked_file, read_checked
from appliance.quality.contract import Doubt, Expected, Level, Page, Quality, Reason, References, Trust
from appliance.quality.expected import Missing, Words, missing_clauses, missing_items
from appliance.quality.pages import NOTHING, page_reasons, problem_reasons, table_reasons
from appliance.quality.understood import HARDLY, understanding
from appliance.store.read import Store

POOR = 0.1  # of what should be there is missing: a poor reading
SIBLINGS = 3  # documents of a family that tell what it usually yields
TRUSTS: tuple[Trust, ...] = ("digital", "ocr", "none", "checked")


def report(
    document: Document, words: Words, checked: Mapping[int, str], siblings: Sequence[float] = ()
) -> Quality:
    """Return the report.

    `words` are the caption words, `checked` the days of checks by page, `siblings` the references a page
    of other documents of the family.
    """
    lost = {kind: missing_items(document, kind, words) for kind in ("table", "figure")}
    clauses = missing_clauses(document)
    reasons = [*problem_reasons(document), *page_reasons(document), *table_reasons(document.tables)]
    reasons += [reason for missing in (*lost.values(), clauses) for reason in missing.reasons]
    of: dict[int, dict[str, Doubt]] = defaultdict(dict)  # the weightiest first, the same words only once
    for reason in sorted(reasons, key=lambda reason: -reason.weight):
        of[reason.page].setdefault(reason.words, reason)
    weights: dict[int, float] = {}
    pages = []
    for page in document.pages:
        day, own = checked.get(page.number, ""), of[page.number].values()
        weights[page.number] = 0.0 if day else sum(reason.weight for reason in own)
        weight = round(weights[page.number], 2)
        pages.append(
            Page(page.number, "checked" if day else page.trust, day, weight, tuple(one.reason for one in own))
        )
    worth = (page for page in pages if weights[page.page])
    look_at = tuple(sorted(worth, key=lambda page: (-weights[page.page], page.page)))
    expected = (
        _expected(sum(clause.kind != "note" for clause in document.clauses), clauses),
        _expected(sum(table.captioned for table in document.tables), lost["table"]),
        _expected(len(document.figures), lost["figure"]),
    )
    found = _references(document, usual(document.family, siblings))
    doubts = understanding(document, expected[0], found)
    whole = (*doubts, *(reason for reason in reasons if not reason.page))
    level, why = _level(pages, look_at, expected[1:], whole)
    missed = (one.reason or "no reason given" for one in document.references if one.status != "resolved")
    trusts = Counter(page.trust for page in pages)
    return Quality(
        document.id, document.designation, document.title, document.family, level, why,
        *expected, found, {trust: trusts[trust] for trust in TRUSTS}, tuple(page.page for page in look_at),
        dict(Counter(missed).most_common()), tuple(one.reason for one in whole), look_at, tuple(pages),
    )  # fmt: skip


def _expected(found: int, missing: Missing) -> Expected:
    return Expected(found, found + len(missing.names), tuple(missing.names), tuple(missing.spoken))


def usual(family: str, siblings: Sequence[float]) -> float | None:
    """Return the references that a page of this family usually has, by its documents or as measured."""
    if len(siblings) >= SIBLINGS:
        return round(median(siblings), 2)
    measured: Mapping[str, float] = shipped("quality/usual")["references_a_page"]
    return measured.get(family)


def _references(document: Document, usually: float | None) -> References:
    states = Counter(reference.status for reference in document.references)
    read = sum(page.trust != "none" for page in document.pages)
    a_page = round(states.total() / max(read, 1), 2)
    return References(
        found=states.total(),
        resolved=states["resolved"],
        not_loaded=states["not_loaded"],
        unresolved=states["unresolved"],
        a_page=a_page,
        usual_a_page=usually,
        low=usually is not None and a_page < usually / 3,
    )


def _level(
    pages: Sequence[Page], look_at: Sequence[Page], expected: Sequence[Expected], whole: Sequence[Doubt]
) -> tuple[Level, str]:
    """Return how well the document was read, and why: the first of these that holds."""
    silent = sum(page.trust == "none" for page in pages)
    missing, of = sum(len(item.missing) for item in expected), sum(item.expected for item in expected)
    unchecked = any(reason.kind in {"caption", "gap"} for page in look_at for reason in page.reasons)
    doubtful = sum(page.weight > NOTHING for page in look_at)
    verb = "is" if doubtful == 1 else "are"
    first = next((reason for reason in whole[:1] if reason.kind == "structure"), None)
    words, hardly = (first.words, first.weight >= HARDLY) if first else ("", False)
    lost = unchecked and missing > max(1.0, POOR * of)
    verdicts: tuple[tuple[object, Level, str], ...] = (
        (not pages, "poor", "It has no pages."),
        (silent > POOR * len(pages), "poor", f"{silent} of {len(pages)} pages have no text."),
        (hardly, "poor", words),
        (lost, "poor", f"{missing} of {of} tables and figures are missing."),
        (first, "to check", words),
        (doubtful, "to check", f"{doubtful} of {len(pages)} pages {verb} worth a look."),
        (whole, "to check", "See what was reported."),
        (any(page.checked for page in pages), "good", "What was doubtful has been checked by a person."),
    )
    held = ((level, why) for holds, level, why in verdicts if holds)
    return next(held, ("good", "Nothing speaks against the reading."))


Read = TypeVar("Read")


class Reports:
    """The reports of a store; may be asked from any thread."""

    def __init__(self, store: Store, schemes: Path | None = None) -> None:
        self._store = store
        self._schemes = schemes
        self._made: dict[str, tuple[int, Quality]] = {}

    def of(self, document: str) -> Quality:
        """Return the report of a loaded document; raises UnknownDocument."""
        file = checked_file(self._store.path)
        stamp = file.stat().st_mtime_ns if file.is_file() else 0  # when the checks were last written
        known = self._made.get(document)
        if known is None or known[0] != stamp:
            known = self._made[document] = (stamp, stored_report(self._store, document, self._schemes))
        return known[1]


def stored_report(store: Store, document: str, own: Path | None = None) -> Quality:
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
    # what this family calls its tables and figures; without a scheme of its name, what any does
    own_words = [scheme.captions for scheme in schemes if scheme.name == info.family]
    every = own_words or [scheme.captions for scheme in schemes]
    words = {
        kind: tuple(dict.fromkeys(word for words in every for word in words.get(kind, ())))
        for kind in ("table", "figure")
    }
    # without its parts to search, formulas and terms, which tell nothing here
    whole = Document(
        info.id, info.designation, info.title, info.edition, info.status, info.language, info.sha256,
        info.family, tuple(item.page for item in store.pages(document)), store.clauses(document),
        store.tables(document), store.figures(document), references=store.references(document),
        problems=store.problems(document),
    )  # fmt: skip
    found = report(whole, words, checked, siblings)
    return replace(found, whole=(*wrong, *found.whole)) if wrong else found


def _or_said(read: Callable[[], Read], otherwise: Callable[[], Read], wrong: list[Reason]) -> Read:
    """Return what is read, or the other where the file of a person is wrong, and say so."""
    try:
        return read()
    except (BadInput, BadSettings) as error:
        wrong.append(Reason("problem", str(error), 1.0, None))
        return otherwise()
