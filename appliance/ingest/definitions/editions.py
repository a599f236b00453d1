"""How the documents of a library relate: editions, national annexes, amendments."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from appliance.core.document import OUT_OF_FORCE, Box, Clause, Document, DocumentStatus, Label, Problem
from appliance.core.graph import Edge, Node, Proof, loop_through
from appliance.ingest.definitions.national_choices import Unmatched, modifies
from appliance.ingest.overrides import Override
from appliance.text.designations import (
    Designation,
    Named,
    fold_designation,
    found,
    load_edition_words,
    names_of,
    stem_name,
)

PAIR = 2  # documents that are said to supersede one another
FRONT = 12  # clauses that may say what a document replaces, from its first
_DATED = re.compile(r"(?<=[\w)]),?\s+\(?(?P<year>(?:19|20)\d\d)(?: edition)?\)?$")
_NOWHERE = Label(("front",))
_NOBODY = "no other is so named"
_Named = TypeVar("_Named", bound=Named)


@dataclass(frozen=True, slots=True)
class Belonging:
    """What a document is to another: "national annex" or "amendment", and the other as named."""

    what: str
    parent: str


@dataclass(frozen=True, slots=True)
class Relations:
    """How documents stand to one another, and what of it could not be followed."""

    edges: tuple[Edge, ...]
    unmatched: tuple[Unmatched, ...]


@dataclass(frozen=True, slots=True)
class _Parent:
    id: str
    same_edition: bool


def belonging(document: Named) -> Belonging | None:
    """Return to what a document belongs by one of its names, None where it stands alone."""
    words = load_edition_words()
    for name in (*document.aliases, document.designation):  # what a person says is an alias
        for what, patterns in (("national annex", words.annexes), ("amendment", words.amendments)):
            for pattern in patterns:
                if match := pattern.search(" ".join(name.split())):
                    return Belonging(what, match["parent"])
    return None


def parent_of(belongs: Belonging, document: str, documents: Iterable[Named]) -> _Parent | str:
    """Return the loaded document to which one belongs, or why there is none."""
    wanted = fold_designation(belongs.parent)
    named = [d for d in _all_named(wanted, documents) if d.id != document and belonging(d) is None]
    dated = [d for d in named if not wanted.year or any(n.year == wanted.year for n in names_of(d))]
    valid = [d for d in named if d.status not in OUT_OF_FORCE]
    for chosen in (dated, [d for d in dated if d in valid], [] if dated else valid or named):
        if len(chosen) == 1:
            return _Parent(chosen[0].id, chosen[0] in dated)
    if not named:
        annexes = sorted(d.id for d in _all_named(wanted, documents))
        if annexes:
            return f"{', '.join(annexes)} itself belongs to another document, so nothing can belong to it"
        return f"{belongs.parent} is not loaded"
    return "several documents: " + ", ".join(sorted(d.id for d in dated or named))


def _with_modifying(documents: Sequence[Document], superseding: Iterable[Edge]) -> Relations:
    """Return the edges between editions and all that annexes and amendments change."""
    edges = list(superseding)
    unmatched: list[Unmatched] = []
    loaded = {document.id: document for document in documents}
    for document in documents:
        belongs = belonging(document)
        if belongs is None:
            continue
        parent = parent_of(belongs, document.id, documents)
        if isinstance(parent, str):
            unmatched.append(Unmatched(document.id, _first_label(document), belongs.parent, parent))
            continue
        made, missing = modifies(document, loaded[parent.id], belongs.what, same_edition=parent.same_edition)
        edges += made
        unmatched += missing
    return Relations(tuple(dict.fromkeys(edges)), tuple(unmatched))


# -- editions


def _superseding(documents: Sequence[Document], overrides: Mapping[str, Override]) -> Iterator[Edge]:
    """Yield the edges between editions, each pair once: a person's word first, then the text's."""
    seen: set[tuple[str, str]] = set()
    for edge in (*_by_person(documents, overrides), *_by_words(documents), *_by_years(documents)):
        if (edge.source, edge.target) not in seen and (edge.target, edge.source) not in seen:
            seen.add((edge.source, edge.target))
            yield edge


def _by_person(documents: Sequence[Document], overrides: Mapping[str, Override]) -> Iterator[Edge]:
    """Yield what a person says; of a circle of three and more nothing can be followed."""
    said = _told(documents, overrides)
    for newer, replaced in said.items():
        for older in replaced:
            if len(loop_through(newer, older, said)) <= PAIR:
                yield _supersedes(newer, older, 1.0, "documents.toml", None)


def _told(documents: Sequence[Document], overrides: Mapping[str, Override]) -> dict[str, list[str]]:
    """Return the ids of the documents that a person says each one supersedes."""
    return {
        document.id: [
            older.id
            for name in overrides[document.id].supersedes
            for older in _called(name, document, documents)
        ]
        for document in documents
        if document.id in overrides
    }


def _by_words(documents: Sequence[Document]) -> Iterator[Edge]:
    words = load_edition_words()
    for document in documents:
        for clause in document.clauses[:FRONT]:
            for patterns, newer in ((words.forward, True), (words.backward, False)):
                for name, proof in _named(document, clause, patterns):
                    for other in _called(name, document, documents):
                        pair = (document.id, other.id) if newer else (other.id, document.id)
                        yield _supersedes(*pair, 1.0, "said in the text", proof)


def _named(
    document: Document, clause: Clause, patterns: Iterable[re.Pattern[str]]
) -> Iterator[tuple[str, Proof]]:
    """Yield the designations that this document says it replaces or is replaced by, with the words."""
    text = clause.passage.text
    for pattern in patterns:
        for match in pattern.finditer(text):
            if found(load_edition_words().other, text[: match.start()]):
                continue
            yield (
                match["name"],
                Proof(document.id, clause.label, match.start(), match.end(), match.group()),
            )


def _by_years(documents: Sequence[Document]) -> Iterator[Edge]:
    """Yield each edition of a work with the one before it."""
    works: dict[str, list[tuple[str, Document]]] = defaultdict(list)
    for document in documents:
        name = _own_name(document)
        if name and name.year:
            works[name.key].append((name.year, document))
    for editions in works.values():
        ordered = sorted(editions, key=lambda entry: (entry[0], entry[1].id))
        for (earlier, older), (later, newer) in pairwise(ordered):
            if earlier < later:
                alike = _plain(older.title) == _plain(newer.title)
                edge = _supersedes(newer.id, older.id, 0.9 if alike else 0.6, "year of the edition", None)
                yield edge if alike else replace(edge, state="to review")


def _supersedes(newer: str, older: str, confidence: float, rule: str, proof: Proof | None) -> Edge:
    source, target = (Node("document", name, "").id for name in (newer, older))
    return Edge(source, "SUPERSEDES", target, confidence, rule, proof)


def _called(name: str, by: Document, documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the only other document with this name or id, none where several have it."""
    chosen = _all_called(name, by, documents)
    return chosen if len(chosen) == 1 else ()


def _all_called(name: str, by: Document, documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the other document with this id, or else all with this name."""
    documents = tuple(documents)
    own = [d for d in documents if d.id == name and d.id != by.id]
    wanted = fold_designation(_DATED.sub(r":\g<year>", name))
    dated = [
        d
        for d in _all_named(wanted, documents)
        if d.id != by.id
        and (belonging(d) is None) == (belonging(by) is None)
        and any(wanted.year in ("", n.year) for n in names_of(d))
    ]
    return tuple(own or dated)


def _own_name(document: Document) -> Designation | None:
    if not document.designation:
        return None
    folded = fold_designation(document.designation)
    year = folded.year or next((name.year for name in names_of(document) if name.year), "")
    return Designation(folded.key, year)


def _all_named(wanted: Designation, documents: Iterable[_Named]) -> list[_Named]:
    """Return the documents of that name, as they print it; only else those whose file is so named."""
    every = tuple(documents)
    printed = [document for document in every if any(n.key == wanted.key for n in names_of(document))]
    return printed or [document for document in every if stem_name(document.id).key == wanted.key]


def _plain(title: str) -> str:
    return re.sub(r"\W+", " ", title.casefold()).strip()


def _first_label(document: Document) -> Label:
    return document.clauses[0].label if document.clauses else _NOWHERE


# -- what a build makes of it


def overridden(documents: Sequence[Document], overrides: Mapping[str, Override]) -> tuple[Document, ...]:
    """Return the documents under the names and statuses that a person gives them."""
    return tuple(_overridden(document, overrides.get(document.id)) for document in documents)


def settle(
    documents: Sequence[Document], overrides: Mapping[str, Override] | None = None
) -> tuple[tuple[Document, ...], tuple[Edge, ...]]:
    """Return the documents with the statuses that follow and their problems, and the edges between them.

    One that another loaded one says it replaces is superseded, whatever it says of itself; to what an
    annex belongs is asked once that is known. References are resolved before.
    """
    given = overrides or {}
    superseding = tuple(_superseding(documents, given))
    surely = [edge for edge in superseding if edge.confidence >= 1.0 and edge.state == "accepted"]
    replaced = {edge.target for edge in surely}
    settled = [replace(d, status=_status(d, given.get(d.id), replaced)) for d in documents]
    said = _with_modifying(settled, superseding)
    problems = _problems(settled, said)
    for document in settled:
        problems[document.id] += _unknown(document, given, settled)
    whole = tuple(replace(d, problems=(*problems[d.id], *d.problems)) for d in settled)
    return whole, said.edges


def _unknown(
    document: Document, overrides: Mapping[str, Override], documents: Sequence[Document]
) -> Iterator[Problem]:
    """Yield a problem for each name that a person says it replaces and that is not exactly one document's."""
    given = overrides.get(document.id)
    said = _told(documents, overrides)
    for name in given.supersedes if given else ():
        found = _all_called(name, document, documents)
        if len(found) == 1:
            loop = loop_through(document.id, found[0].id, said)
            if len(loop) == PAIR:
                yield Problem(
                    f"documents.toml says that it supersedes “{name}” and that “{name}” supersedes it: "
                    "one of the two must be wrong. Take one out."
                )
            elif loop:
                circle = ", ".join(f"{a} supersedes {b}" for a, b in pairwise((*loop, loop[0])))
                yield Problem(
                    f"documents.toml says in a circle that {circle}: none of it is followed. Take one out."
                )
            continue
        several = ", ".join(sorted(other.id for other in found))
        why = f"several documents have this name ({several}); write an id" if several else _NOBODY
        yield Problem(f"documents.toml says that it supersedes “{name}”, and nothing comes of it: {why}.")


def _status(document: Document, given: Override | None, replaced: Collection[str]) -> DocumentStatus:
    if (given and given.status) or document.status in OUT_OF_FORCE:
        return document.status
    return "superseded" if Node("document", document.id, "").id in replaced else document.status


def _overridden(document: Document, override: Override | None) -> Document:
    if override is None:
        return document
    aliases = document.aliases
    if override.designation and document.designation:
        aliases = (*aliases, document.designation)
    if override.national_annex_to:
        aliases = (*aliases, f"NA to {override.national_annex_to}")
    return replace(
        document,
        designation=override.designation or document.designation,
        edition=override.edition or document.edition,
        status=override.status or document.status,
        aliases=tuple(dict.fromkeys(aliases)),
    )


def _problems(documents: Sequence[Document], said: Relations) -> dict[str, list[Problem]]:
    problems: dict[str, list[Problem]] = defaultdict(list)
    for same in _namesakes(documents):
        for document in same:
            others = ", ".join(other.id for other in same if other is not document)
            message = (
                f"It carries the same designation as {others} ({document.designation}), so a reference "
                "to it cannot be followed. Tell them apart in documents.toml, or remove one."
            )
            box = _printed_name(document) or _first_page(document)
            problems[document.id].append(Problem(message, box.page if box else 0, box))
    clauses = {document.id: {item.label: item for item in document.clauses} for document in documents}
    for item in said.unmatched:
        clause = clauses[item.document].get(item.label)
        box = clause.boxes[0] if clause and clause.boxes else None
        message = f"What it decides for {item.text} is not shown there: {item.reason}."
        problems[item.document].append(Problem(message, box.page if box else 0, box))
    return problems


def _printed_name(document: Document) -> Box | None:
    """Return the box of the first of the front clauses that prints the designation, None where none does."""
    wanted = "".join(document.designation.split()).casefold()
    for clause in document.clauses[:FRONT]:
        printed = "".join(f"{clause.title}{clause.passage.text}".split()).casefold()
        if wanted in printed and clause.boxes:
            return clause.boxes[0]
    return None


def _first_page(document: Document) -> Box | None:
    """Return the whole of the first page: a name that no text prints stands in its head or its picture."""
    return Box(document.pages[0].number, 0.0, 0.0, 1.0, 1.0) if document.pages else None


def _namesakes(documents: Sequence[Document]) -> list[list[Document]]:
    """Return the documents that one designation and year names, two or more each."""
    named: dict[Designation, list[Document]] = defaultdict(list)
    for document in documents:
        if (name := _own_name(document)) and (belonging(document) or Belonging("", "")).what != "amendment":
            named[name].append(document)
    return [same for same in named.values() if len(same) > 1]
