"""The report of one document: expected against found, and the pages to look at, worst first.

Rules of this module: pure; it joins the witnesses. The level is a word for people: "good" where nothing
speaks against the reading, "poor" where a tenth of what should be there is missing or of the pages has no
text, or where the document as a whole was hardly understood (`understood.py`), else "to check". What a
person has checked no longer counts against it, but for the last.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from statistics import median
from types import MappingProxyType

from appliance.document import Document
from appliance.quality.expected import Missing, Words, missing_clauses, missing_items
from appliance.quality.pages import NOTHING, page_reasons, problem_reasons, table_reasons
from appliance.quality.understood import HARDLY, understanding
from appliance.quality.values import Expected, Level, PageQuality, Reason, Report, Yield
from appliance.shipped import shipped

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
    expected = (
        _expected(sum(clause.kind != "note" for clause in document.clauses), clauses),
        _expected(captioned, lost["table"]),
        _expected(len(document.figures), lost["figure"]),
    )
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
    return _measured().get(family)


@cache
def _measured() -> Mapping[str, float]:
    return MappingProxyType(shipped("quality/usual")["references_a_page"])


def _expected(found: int, missing: Missing) -> Expected:
    return Expected(found, tuple(missing.names), tuple(missing.spoken))


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
        usual=usually,
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
