"""How the documents of a library relate: editions, national annexes, amendments."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from appliance.core.document import OUT_OF_FORCE, Box, Document, Label, Problem
from appliance.core.graph import Edge, Node, Proof, loop_through
from appliance.ingest.definitions.national_choices import Unmatched, modifies
from appliance.ingest.overrides import Override
from appliance.text.designations import (
    Belonging,
    Designation,
    Named,
    belonging,
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
class _Parent:
    id: str
    same_edition: bool


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


# -- editions


def _by_words(documents: Sequence[Document]) -> Iterator[Edge]:
    """Yield what documents say in their first clauses that they replace or are replaced by."""
    words = load_edition_words()
    forms = [(pattern, True) for pattern in words.forward] + [(pattern, False) for pattern in words.backward]
    for document in documents:
        for clause in document.clauses[:FRONT]:
            text = clause.passage.text
            for match, newer in ((match, newer) for form, newer in forms for match in form.finditer(text)):
                if found(words.other, text[: match.start()]):
                    continue
                proof = Proof(document.id, clause.label, match.start(), match.end(), match.group())
                for other in _called(match["name"], document, documents):
                    pair = (document.id, other.id) if newer else (other.id, document.id)
                    yield _supersedes(*pair, 1.0, "said in the text", proof)


def _by_years(documents: Sequence[Document]) -> Iterator[Edge]:
    """Yield each edition of a work with the one before it."""
    works: dict[str, list[tuple[str, Document]]] = defaultdict(list)
    for document in documents:
        if (name := _own_name(document)) and name.year:
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


def _called(name: str, by: Document, documents: Sequence[Document]) -> list[Document]:
    """Return the only other document with this name or id, none where several have it."""
    chosen = _all_called(name, by, documents)
    return chosen if len(chosen) == 1 else []


def _all_called(name: str, by: Document, documents: Sequence[Document]) -> list[Document]:
    """Return the other document with this id, or else all with this name."""
    own = [d for d in documents if d.id == name and d.id != by.id]
    wanted = fold_designation(_DATED.sub(r":\g<year>", name))
    return own or [
        d
        for d in _all_named(wanted, documents)
        if d.id != by.id
        and (belonging(d) is None) == (belonging(by) is None)
        and any(wanted.year in ("", n.year) for n in names_of(d))
    ]


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


# -- what a build makes of it


def overridden(documents: Sequence[Document], overrides: Mapping[str, Override]) -> tuple[Document, ...]:
    """Return the documents under the names and statuses that a person gives them."""
    found = []
    for document in documents:
        said = overrides.get(document.id, Override())
        before = document.designation if said.designation else ""
        annex = f"NA to {said.national_annex_to}" if said.national_annex_to else ""
        named = replace(
            document,
            designation=said.designation or document.designation,
            edition=said.edition or document.edition,
            status=said.status or document.status,
            aliases=tuple(dict.fromkeys(filter(None, (*document.aliases, before, annex)))),
        )
        found.append(named)
    return tuple(found)


def settle(
    documents: Sequence[Document], overrides: Mapping[str, Override] | None = None
) -> tuple[tuple[Document, ...], tuple[Edge, ...]]:
    """Return the documents with the statuses that follow and their problems, and the edges between them.

    One that another loaded one says it replaces is superseded, whatever it says of itself; to what an
    annex belongs is asked once that is known. References are resolved before.
    """
    given = overrides or {}
    told = {  # by document the ids of those that a person says it supersedes
        document.id: [
            older.id for name in given[document.id].supersedes for older in _called(name, document, documents)
        ]
        for document in documents
        if document.id in given
    }
    by_person = (  # of a circle of three and more nothing can be followed
        _supersedes(newer, older, 1.0, "documents.toml", None)
        for newer, replaced in told.items()
        for older in replaced
        if len(loop_through(newer, older, told)) <= PAIR
    )
    # each pair once: a person's word first, then the text's
    superseding: dict[frozenset[str], Edge] = {}
    for edge in (*by_person, *_by_words(documents), *_by_years(documents)):
        superseding.setdefault(frozenset((edge.source, edge.target)), edge)
    edges = list(superseding.values())
    surely = {edge.target for edge in edges if edge.confidence >= 1.0 and edge.state == "accepted"}
    settled = []
    for document in documents:
        out = document.status in OUT_OF_FORCE or (document.id in given and given[document.id].status)
        replaced = Node("document", document.id, "").id in surely and not out
        settled.append(replace(document, status="superseded") if replaced else document)
    loaded = {document.id: document for document in settled}
    problems = _namesakes(settled)
    for document in settled:
        if belongs := belonging(document):
            parent = parent_of(belongs, document.id, settled)
            if isinstance(parent, str):
                label = document.clauses[0].label if document.clauses else _NOWHERE
                missing: Sequence[Unmatched] = [Unmatched(label, belongs.parent, parent)]
            else:
                made, missing = modifies(
                    document, loaded[parent.id], belongs.what, same_edition=parent.same_edition
                )
                edges += made
            clauses = {clause.label: clause for clause in document.clauses}
            for (
                item
            ) in missing:  # a place of the other document that this one decides on and that is not there
                box = next(iter(clauses[item.label].boxes), None) if item.label in clauses else None
                message = f"What it decides for {item.text} is not shown there: {item.reason}."
                problems[document.id].append(Problem(message, box.page if box else 0, box))
    for document in settled:
        names = given[document.id].supersedes if document.id in given else ()
        problems[document.id] += _unknown(document, names, told, settled)
    whole = tuple(replace(d, problems=(*problems[d.id], *d.problems)) for d in settled)
    return whole, tuple(dict.fromkeys(edges))


def _unknown(
    document: Document, names: Iterable[str], told: Mapping[str, Sequence[str]], documents: Sequence[Document]
) -> Iterator[Problem]:
    """Yield a problem for each name that a person says it replaces and that is not exactly one document's."""
    for name in names:
        found = _all_called(name, document, documents)
        if len(found) == 1:
            loop = loop_through(document.id, found[0].id, told)
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


def _namesakes(documents: Sequence[Document]) -> defaultdict[str, list[Problem]]:
    """Return the problems of the documents that share designation and year with others, by document."""
    problems: defaultdict[str, list[Problem]] = defaultdict(list)
    named: dict[Designation, list[Document]] = defaultdict(list)
    for document in documents:
        belongs = belonging(document)
        if (name := _own_name(document)) and not (belongs and belongs.what == "amendment"):
            named[name].append(document)
    for same in named.values():
        for document in same if len(same) > 1 else ():
            others = ", ".join(other.id for other in same if other is not document)
            message = (
                f"It carries the same designation as {others} ({document.designation}), so a reference "
                "to it cannot be followed. Tell them apart in documents.toml, or remove one."
            )
            box = _printed_name(document)
            problems[document.id].append(Problem(message, box.page if box else 0, box))
    return problems


def _printed_name(document: Document) -> Box | None:
    """Return the box of the first of the front clauses that prints the designation.

    A name that no text prints stands in the head or the picture of the first page.
    """
    wanted = "".join(document.designation.split()).casefold()
    for clause in document.clauses[:FRONT]:
        printed = "".join(f"{clause.title}{clause.passage.text}".split()).casefold()
        if wanted in printed and clause.boxes:
            return clause.boxes[0]
    return Box(document.pages[0].number, 0.0, 0.0, 1.0, 1.0) if document.pages else None
