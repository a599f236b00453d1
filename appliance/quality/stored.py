"""The reports of a library: of its documents, and of the checks kept beside it.

Rules of this module: it reads the store and decides nothing; a library never changes while it is open, so
a report is made once and again only when the checks change. A file of checks that cannot be read costs
its checks, a wrong numbering scheme of the user the user's schemes; both are told as problems, and the
rest of the report stands. `own` is the user's folder of numbering schemes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from appliance.document import Document
from appliance.errors import BadInput, BadSettings
from appliance.ingest.schemes import Scheme, load_schemes
from appliance.quality.checked import checked_file, read_checked
from appliance.quality.expected import Words
from appliance.quality.report import report
from appliance.quality.values import Reason, Report
from appliance.store.read import Store

Read = TypeVar("Read")


class Reports:
    """The reports of a store; may be asked from any thread."""

    def __init__(self, store: Store, schemes: Path | None = None) -> None:
        self._store = store
        self._schemes = schemes
        self._made: dict[str, tuple[int, Report]] = {}

    def of(self, document: str) -> Report:
        """Return the report of a loaded document; raises UnknownDocument."""
        stamp = _stamp(self._store)
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


def _caption_words(family: str, schemes: Sequence[Scheme]) -> Words:
    """Return what this family calls its tables and figures; without a scheme of its name, what any does."""
    own = [scheme.captions for scheme in schemes if scheme.name == family]
    every = own or [scheme.captions for scheme in schemes]
    return {
        kind: tuple(dict.fromkeys(word for words in every for word in words.get(kind, ())))
        for kind in ("table", "figure")
    }
