"""What a person should look at, and what people decided: accepted or rejected, each with its reason."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from appliance.core.document import Problem, first_page
from appliance.core.errors import BadInput, CannotWrite
from appliance.core.graph import (
    Decision,
    Edge,
    Kept,
    Node,
    ReviewItem,
    edge_id,
    edge_number,
    problem_number,
    reference_number,
)
from appliance.core.runs import grouped
from appliance.store.read import Store

Verdict = Literal["accepted", "rejected"]
# What is looked at first: numbers that decide, then what changes a code, what it demands, where it leads.
ORDER = ("HAS_VALUE", "VALID_WHEN", "SUPERSEDES", "MODIFIES", "REQUIRES", "PROBLEM", "REFERENCES")
SHOWN = 8  # things named of several that are decided together
_VALUES = frozenset({"HAS_VALUE", "VALID_WHEN"})
SHORTEST = 4  # letters of an id that may be typed in place of the whole


@dataclass(frozen=True, slots=True)
class Decisions:
    """All that people decided; `broken` are the numbers of lines that could not be read."""

    kept: Mapping[int, Kept]
    broken: tuple[int, ...] = ()


def review_file(library: Path) -> Path:
    """Return where the decisions of a library stand ("codes.db" -> "codes.db.review.jsonl")."""
    return library.with_name(f"{library.name}.review.jsonl")


def load_decisions(library: Path) -> Decisions:
    """Return what people decided about a library; nothing where nobody has."""
    try:
        text = review_file(library).read_text(encoding="utf-8-sig", errors="replace")
    except FileNotFoundError:
        return Decisions({})
    except OSError as error:
        message = f"{review_file(library)} cannot be read ({error.strerror}). Make it readable, or remove it."
        raise BadInput(message) from error
    kept: dict[int, Kept] = {}
    broken: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        edge = state = None
        with suppress(KeyError, TypeError, ValueError, AttributeError, RecursionError):
            row = json.loads(line)
            json.dumps(row, ensure_ascii=False).encode()  # half a character can be read, but never be printed
            edge, state = edge_number(row["id"]), row["state"]
        if edge is None or state not in ("accepted", "rejected"):  # what is read may have no hash
            broken.append(number)
        else:
            kept[edge] = Kept(Decision(edge, state, str(row.get("why", ""))), row)
    return Decisions(kept, tuple(broken))


def items(
    store: Store,
    *,
    document: str | None = None,
    kinds: Sequence[str] = (),
    decided: bool = False,
    apart: bool = False,
) -> list[ReviewItem]:
    """Return what is to look at, what matters most first; `decided` also returns what is decided.

    What one look answers is one item: the doubtful values of a table or clause, the same reference in
    several places, the doubts of a page. `apart` returns each by itself.

    Of one kind what is likelier comes first, so a reference that leads somewhere with doubt before those
    that lead nowhere; else they stand in the order of the documents.

    Raises:
        UnknownDocument: the filter names none that is loaded.
    """
    if document is not None:
        store.position(document)
    known = store.graph.decisions

    def undecided(given: Iterable[ReviewItem]) -> Iterator[ReviewItem]:
        return (item for item in given if decided or edge_number(item.id) not in known)

    def place(item: ReviewItem) -> tuple[str, ...]:
        """Return what the doubtful values of one place share, () for what stands alone."""
        return (item.kind, item.document, item.place) if item.kind in _VALUES and item.place else ()

    def cited(item: ReviewItem) -> tuple[str, ...]:
        """Return what one reference printed in several places shares."""
        return (item.document, item.target, item.why)

    def rank(item: ReviewItem) -> tuple[int, float, int, int]:
        kind = ORDER.index(item.kind) if item.kind in ORDER else len(ORDER)
        return kind, -item.confidence, order.get(item.document, len(order)), item.page

    edges, references = undecided(_edges(store, document)), undecided(_references(store, document))
    if not apart:
        edges, references = _together(edges, place, "values"), _together(references, cited, "places")
    order = {info.id: position for position, info in enumerate(store.documents())}
    found = sorted((*edges, *references, *undecided(_problems(store, document, apart=apart))), key=rank)
    return [item for item in found if not kinds or item.kind in kinds]


def _together(
    found: Iterable[ReviewItem], key: Callable[[ReviewItem], tuple[str, ...]], noun: str
) -> Iterator[ReviewItem]:
    """Yield the items, those of one key as one: the first, whose `why` tells what they say.

    So one look at the page decides.
    """
    for group in grouped((key(item) or (item.id,), item) for item in found).values():
        first, *others = sorted(group, key=lambda item: -item.confidence)
        if not others:
            yield first
            continue
        said = [item.place if noun == "places" else item.target for item in (first, *others)]
        more = f" and {len(said) - SHOWN} more" if len(said) > SHOWN else ""
        shown = "; ".join(dict.fromkeys(said[:SHOWN])) + more
        where = f" of {first.place}" if noun == "values" else ""
        belongs = [n for item in others for n in (edge_number(item.id), *item.belongs) if n is not None]
        yield replace(
            first,
            why=f"{len(group)} {noun}{where}: {shown}. {first.why[:1].upper()}{first.why[1:]}",
            boxes=tuple(dict.fromkeys(box for item in (first, *others) for box in item.boxes)),
            belongs=(*first.belongs, *belongs),
        )


def _edges(store: Store, document: str | None) -> Iterator[ReviewItem]:
    """Yield the edges to review; the conditions of a value are looked at with the value."""
    rows = store.graph.edges(state="to review", document=document)
    conditions = grouped((row[1].source, row) for row in rows if row[1].kind == "VALID_WHEN")
    valued = {edge.target for _, edge, _, _ in rows if edge.kind == "HAS_VALUE"}
    for number, edge, source, target in rows:
        if edge.kind == "VALID_WHEN" and edge.source in valued:
            continue
        own = conditions.get(edge.target, []) if edge.kind == "HAS_VALUE" else []
        names = [node.name or node.key for _, said, _, node in own if said.rule == "condition"]
        item = _item(edge_id(number), edge, source, target)
        yield replace(
            item,
            document=item.document or target.document,
            target=(target.name or target.key) + (f" ({'; '.join(names)})" if names else ""),
            belongs=tuple(row[0] for row in own),
            place=str(edge.proof.label) if edge.proof else "",
        )


def _item(name: str, edge: Edge, source: Node, target: Node) -> ReviewItem:
    proof = edge.proof
    boxes = proof.boxes if proof else ()
    sure = f"found by the rule {edge.rule!r}, {edge.confidence:.0%} sure"
    return ReviewItem(
        name, edge.kind, proof.document if proof else source.document, first_page(boxes), _called(source),
        _called(target), proof.quote if proof else "",
        "a model proposes it" if edge.rule == "model" else sure, edge.confidence, boxes,
    )  # fmt: skip


def _references(store: Store, document: str | None) -> Iterator[ReviewItem]:
    for owner, reference in store.graph.doubtful(document):
        aim = f"{reference.document or owner} {reference.target}"
        if reference.target is None:
            aim = f"{reference.designation} {reference.number}".strip()
        yield ReviewItem(
            edge_id(reference_number(owner, reference)),
            "REFERENCES",
            owner,
            first_page(reference.boxes),
            f"{owner} {reference.source}",
            aim,
            reference.text,
            reference.reason or reference.status,
            0.5 if reference.status == "resolved" else 0.0,
            reference.boxes,
            place=str(reference.source),
        )


def _problems(store: Store, document: str | None, *, apart: bool = False) -> Iterator[ReviewItem]:
    for info in store.documents():
        if document not in (None, info.id):
            continue
        doubts: dict[int, list[Problem]] = defaultdict(list)
        for problem in store.problems(info.id):
            open_doubt = problem.doubt and problem_number(info.id, problem) not in store.graph.decisions
            if open_doubt and not apart:
                doubts[problem.page].append(problem)
            else:
                yield _problem(info.id, problem)
        for page, own in doubts.items():  # one thing to look at: they are decided together
            first = _problem(info.id, own[0])
            why = f"{len(own)} places of page {page} were read with doubt. The first: {first.why}"
            boxes = tuple(problem.box for problem in own if problem.box)
            others = tuple(problem_number(info.id, problem) for problem in own[1:])
            yield replace(first, why=why, boxes=boxes, belongs=others) if others else first


def _problem(document: str, problem: Problem) -> ReviewItem:
    boxes = (problem.box,) if problem.box else ()
    number = edge_id(problem_number(document, problem))
    return ReviewItem(
        number, "PROBLEM", document, problem.page, document, "", "", problem.message, 0.0, boxes
    )


def _called(node: Node) -> str:
    return f"{node.document} {node.name or node.key}".strip()


# -- deciding


def decide(store: Store, library: Path, ids: Iterable[str], state: Verdict, why: str) -> list[ReviewItem]:
    """Keep a decision about each of these ids, and return what they name.

    What is listed as one thing is decided together. An id may be cut short as long as it names one thing.
    What its rule accepted may be rejected too.

    Raises:
        BadInput: an id names nothing, or several things; nothing is kept then.
        CannotWrite: the file cannot be written to.
    """
    known = {item.id: item for item in items(store, decided=True, apart=True)}
    known |= {item.id: item for item in items(store, decided=True)}
    wanted = [_named(written, known, store) for written in dict.fromkeys(ids)]
    lines = []
    for item in wanted:
        about = {
            "kind": item.kind, "document": item.document, "page": item.page, "source": item.source,
            "target": item.target, "quote": item.quote,
        }  # fmt: skip
        for name in (item.id, *map(edge_id, item.belongs)):
            with_it = {} if name == item.id else {"with": item.id}
            line = {"id": name, "state": state, "why": why, **with_it, **about}
            lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    _append(review_file(library), "".join(lines))
    return wanted


def _named(written: str, known: Mapping[str, ReviewItem], store: Store) -> ReviewItem:
    start = written.strip().casefold()
    if start in known:
        return known[start]
    found = [item for name, item in known.items() if len(start) >= SHORTEST and name.startswith(start)]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f"{written} may be {', '.join(item.id for item in found[:5])}. Type more of it.")
    number = edge_number(start)
    rows = store.graph.edges(ids=[number]) if number is not None else ()
    if not rows:
        raise BadInput(f"{written} names nothing to decide. `appliance review` lists the ids.")
    return _item(start, *rows[0][1:])


def _append(path: Path, text: str) -> None:
    """Add whole lines in one write, so that two people who decide at once do not mix them.

    A last line without its end (torn, or saved so by an editor) is ended first: it stays a line of its own.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            data = b"\n" * torn + text.encode()
            if os.write(handle, data) < len(data):
                raise CannotWrite(path, "the disk took only a part")
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise CannotWrite(path, error.strerror or str(error)) from error
