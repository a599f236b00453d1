"""What a user's filter leaves of a library: documents, families, editions, kinds, tags, status.

Rules of this module: a family, an edition or a tag that no document has is refused with those that
there are, and so is a filter that leaves no document or no place at all, so that an empty answer never hides
a typing error, nor is taken for a question that the codes do not answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from appliance.errors import BadInput
from appliance.retrieval.ask import Filter, Scope
from appliance.retrieval.editions import years
from appliance.retrieval.tagging import tagged
from appliance.store.channels import with_status
from appliance.store.read import Store
from appliance.store.values import DocumentInfo
from appliance.store.words import fold


def documents_left(store: Store, wanted: Filter) -> tuple[str, ...]:
    """Return the ids of the documents that a filter leaves, none where it leaves all.

    Raises:
        UnknownDocument: a document is not loaded. BadInput: nothing has the family or edition.
    """
    for name in wanted.documents:
        store.position(name)
    if not wanted.families and not wanted.editions:
        return tuple(wanted.documents)
    infos = store.documents()
    for name in wanted.families:
        if not any(_is_of(info, name) for info in infos):
            raise _refused(name, "family", (info.family for info in infos))
    for name in wanted.editions:
        if not any(_has_edition(info, name) for info in infos):
            raise _refused(name, "edition", (info.edition for info in infos))
    left = tuple(
        info.id
        for info in infos
        if (not wanted.documents or info.id in wanted.documents)
        and (not wanted.families or any(_is_of(info, name) for name in wanted.families))
        and (not wanted.editions or any(_has_edition(info, name) for name in wanted.editions))
    )
    if not left:
        message = "No document is of all that the filter names. Take one of its conditions away."
        raise BadInput(message)
    return left


def chunks_left(store: Store, wanted: Filter, *folders: Path) -> frozenset[int] | None:
    """Return the searched chunks that tags and status leave, None for all; raises BadInput."""
    found = tagged(store, wanted.tags, folders) if wanted.tags else None
    if wanted.normative is None:
        return found
    standing = with_status(store, normative=wanted.normative)
    return standing if found is None else found & standing


def with_places(scope: Scope, wanted: Filter) -> Scope:
    """Return what a filter leaves; raises BadInput where that is no place."""
    if scope.parents is not None and not scope.parents:
        message = (
            f"No place is of all that the filter names ({_named(wanted)}). Take one of its conditions away."
        )
        raise BadInput(message)
    return scope


def _named(wanted: Filter) -> str:
    """Return the conditions of a filter."""
    standing = () if wanted.normative is None else ("normative" if wanted.normative else "informative",)
    named = (*wanted.documents, *wanted.families, *wanted.editions, *wanted.kinds, *wanted.tags, *standing)
    return ", ".join(named)


def _is_of(info: DocumentInfo, family: str) -> bool:
    return fold(family) == fold(info.family)


def _has_edition(info: DocumentInfo, edition: str) -> bool:
    """Tell whether a document is of an edition, told by its year or as its edition is printed."""
    return edition.strip() in years(info) or fold(edition).strip() == fold(info.edition)


def _refused(name: str, what: str, known: Iterable[str]) -> BadInput:
    there = ", ".join(sorted({item for item in known if item}))
    return BadInput(f"No document loaded has the {what} {name!r}. Loaded are: {there}.")
