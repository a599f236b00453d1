"""The one place or table of a document that a person means by the label that he typed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from rapidfuzz import fuzz

from appliance.core.document import Box, Formula, Label, Table
from appliance.core.errors import AmbiguousLabel, UnknownPlace
from appliance.core.files import shipped
from appliance.core.page_boxes import in_box
from appliance.retrieval.query.labels import asked_labels, names_part, qualified
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.store.read import Bearer, Store, bearers, fitting, ways
from appliance.tables.lookup import match
from appliance.tables.lookup import words as naming_words
from appliance.text.terms import fold, fold_label, words

NEAREST = 3  # places named where there is none of a label
MISSPELT = 75.0  # per cent of equal letters that make a word for a table of what was typed
TITLED = 0.8  # of the words of a name that a title must hold

# What stands in brackets at the end of a name, but not the number of a paragraph ("7.2.3(1)", "5.2(2)P").
_REMARK = re.compile(r"(?:\s+[(\[][^()\[\]]*[)\]]|[(\[][^()\[\]]{4,}[)\]])\s*$")
_UNNUMBERED = frozenset({"heading", "front"})  # whose name is a whole title
_FIRST = re.compile(r"\S\s+\(1\)\s*$")  # of the parts of a table, which bears its bare name
_PART = re.compile(r"\d+|[^\W\d_]+")


def tables_named(store: Store, document: str, label: str) -> tuple[Table, ...]:
    """Return the tables with this label, and its further parts under one caption ("Table 1 (2)").

    Else those named after it; else those below that division.

    Each is tried with the name as given, then without a remark in brackets at its end, then with what
    is left when the words around it ("table", "in", "section") are taken away; then the page, and the
    title of the table or of the division that it stands in, are.
    """
    tables = store.tables(document)
    if keyed := tuple(table for table in tables if table.label.key == label.strip()):
        return _with_parts(keyed, tables)
    for wanted in dict.fromkeys(filter(None, map(fold_label, _forms(label)))):
        # those without a caption may be named by a figure ("Table in Diagram 3.1")
        ending = re.compile(
            rf"[^\W\d_]{re.escape(wanted)}(?:\(\d+\))?\Z" if not wanted[0].isdigit() else r"(?!)"
        )
        found = (
            tuple(table for table in tables if wanted in _naming_folded(table.label, table.title))
            or tuple(t for t in tables if not t.captioned and ending.search(fold_label(str(t.label))))
            or _standing_in(wanted, tables, store, document)
        )
        if found:
            parts = _with_parts(found, tables)
            return found if _FIRST.search(label) and len(parts) > len(found) else parts
    said = re.search(rf"(?i)\b(?:{_any('page')})\s*(\d+)\b", label)  # "table on page 12"
    on_page = [t for t in tables if said and any(box.page == int(said[1]) for box in t.boxes)]
    numbered = tuple(on_page) or _with_parts(_numbered(label, tables), tables)
    return numbered or _titled(_REMARK.sub("", label), tables, store, document)


def _with_parts(found: tuple[Table, ...], tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables with the further parts of each that has a caption."""
    heads = [table.label.key for table in found if table.captioned]
    part = re.compile(rf"(?:{'|'.join(map(re.escape, heads))}) \(\d+\)")
    return (*found, *(t for t in tables if heads and t not in found and part.fullmatch(t.label.key)))


def _forms(label: str) -> Iterator[str]:
    """Yield a name as given, without a remark at its end, and without the words around what it names."""
    yield label
    bare = _REMARK.sub("", label)
    yield bare
    table = _any("table")
    inner = re.sub(rf"(?i)^(?:(?:{_any('article')})\s+)?(?:{table})\s+(?:{_any('standing')})\s+", "", bare)
    inner = re.sub(rf"(?i)[\s,:–-]+(?:{table})$", "", inner)
    yield inner
    word, _, number = inner.partition(" ")
    if " " not in number and load_lexicon().label_kind(word.casefold()) == "clause":
        yield number


def _naming_folded(label: Label, title: str = "") -> set[str]:
    """Return the folded forms of a label: as printed, with the Part that tells it apart, with a title."""
    return {fold_label(str(label)), fold_label(label.named), fold_label(f"{label} {title}")}


def _standing_in(wanted: str, tables: Sequence[Table], store: Store, document: str) -> tuple[Table, ...]:
    """Return the tables of the divisions with this printed label, and of all below them.

    A division may be named without its word ("P1" for "Requirement P1"), where no other has that label.
    """
    contents = store.contents(document)
    below = {e.label.key for e in contents if fold_label(str(e.label)) == wanted}
    if not below and any(map(str.isdigit, wanted)):
        below = {e.label.key for e in contents if fold_label(str(e.label).rpartition(" ")[2]) == wanted}
    for entry in contents:
        if entry.parent and entry.parent.key in below:
            below.add(entry.label.key)
    return tuple(table for table in tables if table.clause and table.clause.key in below)


def _numbered(label: str, tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables with this number, named by a word for a table, spelt well or not, or by none.

    "Tab. 3.1", "Tbale 3.1", "3.1".
    """
    before = re.sub(r"\S+$", "", label.strip())
    found = re.fullmatch(rf"(?i)(?:(?:{_any('article')})\s+)?(?P<word>[^\W\d_]*)\.?\s*", before)
    if found is None:
        return ()
    word, spelled = found["word"].casefold(), shipped("tables")["naming"]["table"]
    if word and not any(fuzz.ratio(word, other) >= MISSPELT for other in spelled):
        return ()
    numbers = {fold_label(form.split()[-1]) for form in _forms(label) if form.split()}
    wanted = {number for number in numbers if any(map(str.isdigit, number))}
    return tuple(t for t in tables if t.captioned and fold_label(str(t.label).split()[-1]) in wanted)


def _titled(label: str, tables: Sequence[Table], store: Store, document: str) -> tuple[Table, ...]:
    """Return the tables whose title holds the words of the name; else those in a division so titled."""
    said = naming_words(re.sub(rf"(?i)\b(?:{_any('table')})\b", "", label))
    telling = any(len(word) > 2 and word.isalpha() for word in said)  # a number is no title
    if not telling:
        return ()
    above = {entry.label.key: entry.title for entry in store.contents(document)}
    own = [f"{table.label} {table.title}" for table in tables]
    standing = [above.get(table.clause.key, "") if table.clause else "" for table in tables]
    if len(said) < 2:  # one word is a whole title or none
        return tuple(t for t, title in zip(tables, standing, strict=True) if fold(title) == fold(label))
    for names in (own, standing):
        scores = match(label, names)
        bound = max(TITLED * max(scores, default=0.0), 0.6)
        if found := tuple(table for table, score in zip(tables, scores, strict=True) if score >= bound):
            return found
    return ()


@cache
def _any(name: str) -> str:
    """Return as alternatives the words for a table, for standing in, a page, a formula, articles."""
    return "|".join(map(re.escape, sorted(shipped("tables")["naming"][name], key=len, reverse=True)))


def tables_in(tables: Iterable[Table], boxes: Sequence[Box]) -> tuple[Table, ...]:
    """Return the tables that stand in these boxes: those of a figure that holds values in rows."""
    return tuple(table for table in tables if any(in_box(own, box) for own in table.boxes for box in boxes))


def formula_named(store: Store, document: str, label: str) -> Formula | None:
    """Return the formula of this number, with or without its brackets and a word before it."""
    number = re.sub(rf"(?i)^(?:{_any('formula')})\s+|[()]", "", label.strip())
    own = store.formula(document, label.strip())
    return own or (store.formula(document, f"({number})") if number else None)


# -- labels that nothing bears


def unknown_place(store: Store, document: str, label: str) -> UnknownPlace:
    """Return the error of a label that nothing bears, naming what is near, or of which kind its bearer is."""
    forms = set(map(fold_label, _forms(label)))
    held = ""
    if store.clause(document, label) is not None:
        held = "clause"
    elif store.figure(document, label) is not None:
        held = "figure"
    elif store.table(document, label) or any(forms & _naming_folded(t.label) for t in store.tables(document)):
        held = "table"  # that prints this label, not one that merely stands in the place so called
    return UnknownPlace(document, label, held, () if held else nearest(store, document, label))


def nearest(store: Store, document: str, label: str) -> tuple[str, ...]:
    """Return the keys of the places next to where this label would stand, at most `NEAREST`, nearest first.

    What is left of the label when its last parts are taken off is looked for: the place that would hold
    it comes first, then those inside it whose own number is closest.
    """
    entries = [entry for entry in store.contents(document) if entry.kind not in _UNNUMBERED]
    wanted = _parts(fold_label(label))
    for length in range(len(wanted) - 1, 0, -1):
        holders = [e.label.key for e in entries if _parts(fold_label(str(e.label))) == wanted[:length]]
        if holders:
            inside = [e.label.key for e in entries if e.parent and e.parent.key == holders[0]]
            asked = _number(wanted[length])
            inside.sort(key=lambda key: abs(_number(_parts(fold_label(key))[-1]) - asked))
            return (holders[0], *inside)[:NEAREST]
    drawn = [item.label for group in (store.tables(document), store.figures(document)) for item in group]
    return _alike(label, [*(entry.label for entry in entries), *drawn])


def _alike(wanted: str, labels: Iterable[Label]) -> tuple[str, ...]:
    """Return the keys of labels with the same word or letter whose numbers are closest: Table 2.1 to 9.9.

    A label without a word ("Q1") is near the numbers that are written as it is ("Requirement K1").
    """
    first, *numbers = _parts(fold(wanted))
    near: list[tuple[list[int], str]] = []
    for label in labels if numbers and first.isalpha() else ():
        own = str(label) if len(first) > 1 else str(label).rpartition(" ")[2]
        word, *has = _parts(fold(own))
        coded = len(first) == 1 and re.fullmatch(r"[A-Z]\d+", own) is not None
        if (word == first or coded) and [*map(str.isdigit, has)] == [*map(str.isdigit, numbers)]:
            pairs = zip(numbers, has, strict=True)
            near.append(([abs(_number(asked) - _number(one)) for asked, one in pairs], label.key))
    return tuple(dict.fromkeys(key for _, key in sorted(near, key=lambda one: one[0])))[:NEAREST]


def _parts(label: str) -> list[str]:
    """Return the numbers and letters that a folded label is made of, in order."""
    return _PART.findall(label) or [label]


def _number(part: str) -> int:
    """Return the place of a part in its sequence: 3 for "3" and for "c"."""
    if part.isdigit():
        return int(part[:9])
    return ord(part[0]) - ord("a") + 1 if len(part) == 1 else 0


# -- places of any kind

EVERY = frozenset({"clause", "table", "figure", "formula"})
UNSUGGESTED = frozenset({"front", "formula"})


def label_typed(store: Store, document: str, typed: str, kinds: Collection[str] = EVERY) -> Label:
    """Return the label of the one place of these kinds that a typed label means.

    Raises:
        UnknownDocument, UnknownPlace: there is none. AmbiguousLabel: there are several.
    """
    found = places_typed(store, document, typed, kinds)
    if len(found) == 1:
        return found[0].label
    if found:
        raise several(store, document, typed, [item.label for item in found])
    other = places_typed(store, document, typed, EVERY - {"formula"})
    if not other:
        raise unknown_place(store, document, typed)
    way = ways(other, bearers(store, document))[0] if len(other) == 1 else typed.strip()
    raise UnknownPlace(document, way, other[0].what)  # it is of another kind


def places_typed(
    store: Store, document: str, typed: str, kinds: Collection[str] = EVERY
) -> tuple[Bearer, ...]:
    """Return all places of these kinds that a typed label may mean; raises UnknownDocument.

    Of what was a web page an anchor is a label too: "s2", "#s2".
    """
    known = [item for item in bearers(store, document) if item.what in kinds]
    wanted = typed.strip().removeprefix(f"{document} ")
    named = store.anchored(document, wanted.removeprefix("#"))
    return tuple(
        fitting(known, wanted)
        or [item for item in known if named and item.label.key == named]
        or _with_words(known, wanted)
    )


def _with_words(known: Sequence[Bearer], typed: str) -> list[Bearer]:
    """Return the places of a label that has words around it, as a question may print it."""
    lexicon = load_lexicon()
    labels = tuple(asked_labels(typed, lexicon))
    own = {word for label in labels for word in words(f"{label.printed} {label.number}")}
    left = {word for word in words(typed) if word not in own and word not in lexicon.stop}
    if not labels or not all(map(lexicon.label_kind, left)):  # a word that belongs to no label
        return []
    readings = list(labels)
    if len(labels) > 1:  # one place, in the Part that the other names
        numbers = [position for position, label in enumerate(labels) if not names_part(label)]
        readings = [reading for position in numbers for reading in qualified(labels, position)]
    for asked in readings:
        wanted = {*asked.forms[0]}
        folded = (
            (item, {fold_label("".join(item.label.parts)), *_naming_folded(item.label)}) for item in known
        )
        if found := [item for item, forms in folded if wanted & forms]:
            return found
    return []


def others_called(store: Store, document: str, label: Label) -> tuple[tuple[str, Bearer], ...]:
    """Return the other places that print a label, each with the shortest way to write it."""
    known = bearers(store, document)
    same = [item for item in known if str(item.label) == str(label) and item.label != label]
    return tuple(zip(ways(same, known), same, strict=True))


def several(store: Store, document: str, typed: str, labels: Collection[Label]) -> AmbiguousLabel:
    """Return the error of a label that several places bear, with the page and heading of each."""
    known = bearers(store, document)
    found = [item for item in known if item.label in labels]
    told = [(way, one.page, one.beside) for way, one in zip(ways(found, known), found, strict=True)]
    return AmbiguousLabel(document, typed, told)


def labels_to_suggest(store: Store) -> Iterator[tuple[frozenset[str], tuple[str, Label, str]]]:
    """Yield the folded ways to begin to type each label, with its (document, label, title or heading)."""
    for info in store.documents():
        for item in bearers(store, info.id):
            if item.kind not in UNSUGGESTED:
                yield frozenset(_naming_folded(item.label)), (info.id, item.label, item.beside)


def told_of(item: Bearer) -> str:
    """Return the page of a place and what stands over it."""
    return f"page {item.page}, {item.beside}" if item.beside else f"page {item.page}"
