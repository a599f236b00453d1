"""The reports of a library: of its documents, and of the checks kept beside it.

Rules of this module: it reads the store and decides nothing. A file of checks that cannot be read costs
its checks and is told as a problem; the rest of the report stands.
"""

from __future__ import annotations

from dataclasses import replace

from appliance.errors import BadInput
from appliance.ingest.schemes import load_schemes
from appliance.quality.checked import read_checked
from appliance.quality.expected import Words
from appliance.quality.report import report
from appliance.quality.values import Reason, Report
from appliance.store.read import Store


def stored_report(store: Store, document: str) -> Report:
    """Return the report of a loaded document; raises UnknownDocument."""
    info = store.info(document)
    siblings = [
        other.references / other.pages
        for other in store.documents()
        if other.family == info.family and other.id != info.id and other.pages
    ]
    whole, words = store.document(document), _caption_words(info.family)
    try:
        return report(whole, words, read_checked(store.path, document, info.sha256), siblings)
    except BadInput as error:
        found = report(whole, words, {}, siblings)
        return replace(found, whole=(Reason("problem", 0, str(error), 1.0), *found.whole))


def _caption_words(family: str) -> Words:
    """Return what this family calls its tables and figures; without a scheme of its name, what any does."""
    schemes = load_schemes(None)
    own = [scheme.captions for scheme in schemes if scheme.name == family]
    every = own or [scheme.captions for scheme in schemes]
    return {
        kind: tuple(dict.fromkeys(word for words in every for word in words.get(kind, ())))
        for kind in ("table", "figure")
    }
