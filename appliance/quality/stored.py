"""The reports of a library: of its documents, and of the checks kept beside it.

Rules of this module: it reads the store and decides nothing; a library never changes while it is open, so
a report is made once and again only when the checks change. A file of checks that cannot be read costs
its checks and is told as a problem; the rest of the report stands.
"""

from __future__ import annotations

from dataclasses import replace

from appliance.document import Document
from appliance.errors import BadInput
from appliance.ingest.schemes import load_schemes
from appliance.quality.checked import checked_file, read_checked
from appliance.quality.expected import Words
from appliance.quality.report import report
from appliance.quality.values import Reason, Report
from appliance.store.read import Store


class Reports:
    """The reports of a store; may be asked from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[str, tuple[int, Report]] = {}

    def of(self, document: str) -> Report:
        """Return the report of a loaded document; raises UnknownDocument."""
        stamp = _stamp(self._store)
        known = self._made.get(document)
        if known is None or known[0] != stamp:
            known = self._made[document] = (stamp, stored_report(self._store, document))
        return known[1]


def stored_report(store: Store, document: str) -> Report:
    """Return the report of a loaded document; raises UnknownDocument."""
    info = store.info(document)
    siblings = [
        other.references / other.pages
        for other in store.documents()
        if other.family == info.family and other.id != info.id and other.pages
    ]
    whole, words = _without_chunks(store, document), _caption_words(info.family)
    try:
        return report(whole, words, read_checked(store.path, document, info.sha256), siblings)
    except BadInput as error:
        found = report(whole, words, {}, siblings)
        return replace(found, whole=(Reason("problem", 0, str(error), 1.0), *found.whole))


def _stamp(store: Store) -> int:
    """Return when the checks were last written, 0 for never."""
    try:
        return checked_file(store.path).stat().st_mtime_ns
    except OSError:
        return 0


def _without_chunks(store: Store, document: str) -> Document:
    """Return a document without its parts to search, formulas and terms, which tell nothing here."""
    info = store.info(document)
    return Document(
        info.id, info.designation, info.title, info.edition, info.status, info.language, info.sha256,
        info.family, tuple(item.page for item in store.pages(document)), store.clauses(document),
        store.tables(document), store.figures(document), references=store.references(document),
        problems=store.problems(document),
    )  # fmt: skip


def _caption_words(family: str) -> Words:
    """Return what this family calls its tables and figures; without a scheme of its name, what any does."""
    schemes = load_schemes(None)
    own = [scheme.captions for scheme in schemes if scheme.name == family]
    every = own or [scheme.captions for scheme in schemes]
    return {
        kind: tuple(dict.fromkeys(word for words in every for word in words.get(kind, ())))
        for kind in ("table", "figure")
    }
