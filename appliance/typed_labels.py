"""The one place or table of a document that a person means by the label that he typed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from rapidfuzz import fuzz

from appliance.core.document import Box, Formula, Label, Table
from appliance.core.errors import AmbiguousLabel, UnknownPlace
from appliance.core.files import data_folder, shipped
from appliance.core.frames import in_box
from appliance.retrieval.query.labels import AskedLabel, asked_labels, names_part, qualified
from appliance.retrieval.query.lexicon import Lexicon, load_lexicon
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
    is left when the words around it ("table", "in") are taken away; then the page, and the title, are.
    """
    tables = store.tables(document)
    if keyed := tuple(table for table in tables if table.label.key == label.strip()):
        return _with_parts(keyed, tables)
    names = dict.fromkeys(filter(None, map(fold_label, _forms(label))))
    for wanted in names:
        same = tuple(table for table in tables if wanted in _naming_folded(table.label))
        found = same or _named_after(wanted, tables) or _standing_in(wanted, tables, store, document)
        if found:
            parts = _with_parts(found, tables)
            return found if _FIRST.search(label) and len(parts) > len(found) else parts
    return _on_page(label, tables) or _with_parts(_numbered(label, tables), tables) or _titled(label, tables)


def _with_parts(found: tuple[Table, ...], tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables with the further parts of each that has a caption."""
    heads = [table for table in found if table.captioned]
    parts = (t for t in tables if t not in found and any(_is_part(t, one) for one in heads))
    return (*found, *parts)


def _is_part(table: Table, first: Table) -> bool:
    """Tell whether a table is a further part of the first under one caption."""
    number = table.label.key.removeprefix(f"{first.label.key} (")
    return number != table.label.key and number[:-1].isdigit() and number.endswith(")")


def tables_in(tables: Iterable[Table], boxes: Sequence[Box]) -> tuple[Table, ...]:
    """Return the tables that stand in these boxes: those of a figure that holds values in rows."""
    return tuple(table for table in tables if any(in_box(own, box) for own in table.boxes for box in boxes))


def kind_named(store: Store, document: str, label: str) -> str:
    """Return what bears this label: "clause", "table", "figure", or "" where nothing does."""
    if store.clause(document, label) is not None:
        return "clause"
    if store.figure(document, label) is not None:
        return "figure"
    return "table" if store.table(document, label) or _bearing(store.tables(document), label) else ""


def unknown_place(store: Store, document: str, label: str) -> UnknownPlace:
    """Return the error of a label that nothing bears, naming what is near, or of which kind its bearer is."""
    held = kind_named(store, document, label)
    return UnknownPlace(document, label, held, () if held else nearest(store, document, label))


def nearest(store: Store, document: str, label: str) -> tuple[str, ...]:
    """Return the keys of the places next to where this label would stand, at most `NEAREST`, nearest first.

    What is left of the label when its last parts are taken off is looked for: the place that would hold
    it comes first, then those inside it whose own number is closest.
    """
    entries = [entry for entry in store.contents(document) if entry.kind not in _UNNUMBERED]
    wanted = fold_label(label)
    for parts in range(len(_parts(wanted)) - 1, 0, -1):
        above = _parts(wanted)[:parts]
        holders = [entry for entry in entries if _parts(fold_label(str(entry.label))) == above]
        if holders:
            inside = [e.label.key for e in entries if e.parent and e.parent.key == holders[0].label.key]
            asked = _number(_parts(wanted)[parts])
            inside.sort(key=lambda key: abs(_number(_parts(fold_label(key))[-1:][0]) - asked))
            return (holders[0].label.key, *inside)[:NEAREST]
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
        if (word == first or coded) and _shape(has) == _shape(numbers):
            pairs = zip(numbers, has, strict=True)
            near.append(([abs(_number(asked) - _number(one)) for asked, one in pairs], label.key))
    return tuple(dict.fromkeys(key for _, key in sorted(near, key=lambda one: one[0])))[:NEAREST]


def _shape(numbers: Sequence[str]) -> list[bool]:
    """Return which parts of a number are figures."""
    return [number.isdigit() for number in numbers]


def _parts(label: str) -> list[str]:
    """Return the numbers and letters that a folded label is made of, in order."""
    return _PART.findall(label) or [label]


def _number(part: str) -> int:
    """Return the place of a part in its sequence: 3 for "3" and for "c"."""
    if part.isdigit():
        return int(part[:9])
    return ord(part[0]) - ord("a") + 1 if len(part) == 1 else 0


def _bearing(tables: Sequence[Table], label: str) -> tuple[Table, ...]:
    """Return the tables that print this label, not those that merely stand in the place so called."""
    names = {fold_label(form) for form in _forms(label)}
    return tuple(table for table in tables if names & _naming_folded(table.label))


def _naming_folded(label: Label) -> set[str]:
    """Return the folded forms of a label: as printed, and with the Part that tells it from others."""
    return {fold_label(str(label)), fold_label(label.named)}


def formula_named(store: Store, document: str, label: str) -> Formula | None:
    """Return the formula of this number, with or without its brackets and a word before it."""
    word = _words()[3]
    number = re.sub(rf"(?i)^(?:{word})\s+|[()]", "", label.strip())
    return store.formula(document, label.strip()) or (
        store.formula(document, f"({number})") if number else None
    )


def _forms(label: str) -> Iterator[str]:
    """Yield a name as given, without a remark at its end, and without the words around what it names."""
    yield label
    bare = _REMARK.sub("", label)
    yield bare
    table, standing = _words()[:2]
    inner = re.sub(rf"(?i)^(?:(?:{_words()[4]})\s+)?(?:{table})\s+(?:{standing})\s+", "", bare)
    yield re.sub(rf"(?i)[\s,:–-]+(?:{table})$", "", inner)


def _named_after(wanted: str, tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables without a caption that are named by a figure ("Table in Diagram 3.1")."""
    if wanted[0].isdigit():
        return ()
    ending = re.compile(rf"[^\W\d_]{re.escape(wanted)}(?:\(\d+\))?\Z")
    return tuple(
        table for table in tables if not table.captioned and ending.search(fold_label(str(table.label)))
    )


def _standing_in(wanted: str, tables: Sequence[Table], store: Store, document: str) -> tuple[Table, ...]:
    """Return the tables of the divisions with this printed label, and of all below them.

    A division may be named without its word ("P1" for "Requirement P1"), where no other has that label.
    """
    contents = store.contents(document)
    exact = {e.label.key for e in contents if fold_label(str(e.label)) == wanted}
    named = exact or {
        e.label.key
        for e in contents
        if any(c.isdigit() for c in wanted) and fold_label(str(e.label).rpartition(" ")[2]) == wanted
    }
    below = set(named)
    for entry in contents:
        if entry.parent and entry.parent.key in below:
            below.add(entry.label.key)
    return tuple(table for table in tables if table.clause and table.clause.key in below)


def _on_page(label: str, tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables on the page that the name gives ("table on page 12")."""
    found = re.search(rf"(?i)\b(?:{_words()[2]})\s*(\d+)\b", label)
    page = int(found[1]) if found else 0
    return tuple(table for table in tables if any(box.page == page for box in table.boxes))


def _numbered(label: str, tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables with this number, named by a word for a table or by none ("Tab. 3.1", "3.1")."""
    before = re.sub(r"\S+$", "", label.strip())
    word = re.fullmatch(rf"(?i)(?:(?:{_words()[4]})\s+)?(?P<word>[^\W\d_]*)\.?\s*", before)
    if word is None or (word["word"] and not _means_table(word["word"])):
        return ()
    numbers = {fold_label(form.split()[-1]) for form in _forms(label) if form.split()}
    wanted = {number for number in numbers if any(character.isdigit() for character in number)}
    return tuple(t for t in tables if t.captioned and fold_label(str(t.label).split()[-1]) in wanted)


def _means_table(word: str) -> bool:
    """Tell whether a word is one for a table, or such a one misspelt: "Tabel", "Tbale"."""
    spelled = shipped("tables")["naming"]["table"]
    return any(fuzz.ratio(word.casefold(), other) >= MISSPELT for other in spelled)


def _titled(label: str, tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables whose title holds the words of the name."""
    asked = naming_words(label)
    said = naming_words(re.sub(rf"(?i)\b(?:{_words()[0]})\b", "", label))
    if len(asked) < 2 or not any(len(word) > 2 and word.isalpha() for word in said):  # a number is no title
        return ()
    scores = match(label, [f"{table.label} {table.title}" for table in tables])
    best = max(scores, default=0.0)
    near = zip(tables, scores, strict=True)
    return tuple(table for table, score in near if score >= max(TITLED * best, 0.6))


@cache
def _words() -> tuple[str, ...]:
    """Return words as alternatives: for a table, for standing in, a page, a formula, articles."""
    data = tomllib.loads((data_folder() / "tables.toml").read_text(encoding="utf-8"))["naming"]
    return tuple(
        "|".join(map(re.escape, sorted(data[key], key=len, reverse=True)))
        for key in ("table", "standing", "page", "formula", "article")
    )


EVERY = frozenset({"clause", "table", "figure", "formula"})
UNSUGGESTED = frozenset({"front", "formula"})


def label_typed(store: Store, document: str, typed: str, kinds: Collection[str] = EVERY) -> Label:
    """Return the label of the one place of these kinds that a typed label means.

    Raises:
        UnknownDocument, UnknownPlace: there is none. AmbiguousLabel: there are several.
    """
    found = places_typed(store, document, typed, kinds)
    if not found:
        raise _unknown(store, document, typed)
    if len(found) > 1:
        raise several(store, document, typed, [item.label for item in found])
    return found[0].label


def _unknown(store: Store, document: str, typed: str) -> UnknownPlace:
    """Return the error of a label that no place of the kinds wanted bears, naming one of another kind."""
    other = places_typed(store, document, typed, EVERY - {"formula"})
    if not other:
        return unknown_place(store, document, typed)
    way = ways(other, bearers(store, document))[0] if len(other) == 1 else typed.strip()
    return UnknownPlace(document, way, other[0].what)


def places_typed(
    store: Store, document: str, typed: str, kinds: Collection[str] = EVERY
) -> tuple[Bearer, ...]:
    """Return all places of these kinds that a typed label may mean; raises UnknownDocument."""
    known = [item for item in bearers(store, document) if item.what in kinds]
    wanted = typed.strip().removeprefix(f"{document} ")
    return tuple(fitting(known, wanted) or _with_words(known, wanted))


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
                forms = frozenset({fold_label(str(item.label)), fold_label(item.label.named)})
                yield forms, (info.id, item.label, item.beside)


def told_of(item: Bearer) -> str:
    """Return the page of a place and what stands over it."""
    return f"page {item.page}, {item.beside}" if item.beside else f"page {item.page}"


def _with_words(known: Sequence[Bearer], typed: str) -> list[Bearer]:
    """Return the places of a label that has words around it, as a question may print it."""
    lexicon = load_lexicon()
    labels = tuple(asked_labels(typed, lexicon))
    if not labels or _left_over(typed, labels, lexicon):
        return []
    for asked in _readings(labels):
        wanted = {*asked.forms[0]}
        if found := [item for item in known if wanted & _folded(item.label)]:
            return found
    return []


def _readings(labels: Sequence[AskedLabel]) -> Iterator[AskedLabel]:
    """Yield the ways to read labels that are typed together: one place, in the Part that the other names."""
    for position, plain in enumerate(labels):
        if len(labels) == 1:
            yield plain
        elif not names_part(plain):
            yield from qualified(labels, position)


def _left_over(typed: str, labels: Sequence[AskedLabel], lexicon: Lexicon) -> set[str]:
    """Return the words of a typed label that belong to no label in it."""
    own = {word for label in labels for word in words(f"{label.printed} {label.number}")}
    announcing = {word for word in words(typed) if lexicon.label_kind(word)}
    return {word for word in words(typed) if word not in own | announcing and word not in lexicon.stop}


def _folded(label: Label) -> set[str]:
    return {fold_label(str(label)), fold_label("".join(label.parts)), fold_label(label.named)}
