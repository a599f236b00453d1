"""Which documents a question names, and which edition of them.

Rules of this module: pure. A document is named by one of its names (naming.py) or by its Part; of names
that stand inside one another the longest counts. A place of a national annex ("NA.2.7") beside the name of
its code names the annex. Editions of one work have the same designation but for the year: the year that a
question names decides among them, without one those in force do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from appliance.document import OUT_OF_FORCE
from appliance.ingest.designations import ANNEX, names_of
from appliance.retrieval.labels import AskedLabel
from appliance.retrieval.lexicon import Lexicon
from appliance.retrieval.naming import any_of, by_name, in_other_form, work
from appliance.store.values import DocumentInfo
from appliance.store.words import fold

LEADING = 5  # places of an edition that is named by its year which come before all others
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d\d(?!\d|\.\d|-\d)")
_BEHIND = re.compile(r"\s?[:(]?\s?((?:19|20)\d\d)(?!\d|\.\d|-\d)")  # the year behind the name of a document


def years(info: DocumentInfo) -> frozenset[str]:
    """Return the years of an edition, that of its amendments among them."""
    return frozenset(_YEAR.findall(f"{fold(info.designation)} {fold(info.edition)}"))


def named_documents(
    folded: str, labels: Sequence[AskedLabel], documents: Sequence[DocumentInfo]
) -> tuple[str, ...]:
    """Return the ids of the documents that a question names, in the edition that it means."""
    parts = [fold(label.printed.split()[-1]) for label in labels if label.kind == "part"]
    parts += _lettered().findall(folded)
    other_forms = list(in_other_form(folded, documents))
    said = " ".join(folded[start:end] for start, end, _ in other_forms)
    parts = [part for part in parts if part not in _words_of(said)]  # "Eurocode 1 Part 1-3" has said it
    of_part = {info.id for info in documents if any(_is_part(part, work(info)) for part in parts)}
    of_series = {found[2] for found in other_forms} & of_part  # "Part 1-3 of Eurocode 1"
    if of_series:
        series = {found[:2] for found in other_forms if found[2] in of_series}
        other_forms = [found for found in other_forms if found[:2] not in series or found[2] in of_series]
        of_part = of_series
    named = _longest([*by_name(folded, documents), *other_forms]) | of_part
    named = _with_annexes(named, labels, documents)
    asked = frozenset(_YEAR.findall(folded))
    meant: set[str] = set()
    for name in {work(info) for info in documents if info.id in named}:
        editions = [info for info in documents if work(info) == name]
        dated = [info for info in editions if years(info) & asked]
        mentioned = [info for info in editions if info.id in named]
        in_force = [info for info in mentioned if info.status not in OUT_OF_FORCE]
        meant |= {info.id for info in dated or in_force or mentioned}
    return tuple(info.id for info in documents if info.id in meant)


def named_editions(
    folded: str, named: Sequence[str], documents: Sequence[DocumentInfo], lexicon: Lexicon
) -> tuple[str, ...]:
    """Return the ids of the documents whose edition a question names by its year.

    The year stands in the name of the document or with a word such as "edition"; a mere year names none.
    """
    said = {year for year in _YEAR.findall(folded) if _with_edition(folded, year, lexicon)}
    asked = frozenset(_YEAR.findall(folded))
    by_name = tuple(info.id for info in documents if info.id in named and years(info) & asked)
    return by_name or tuple(info.id for info in documents if not named and years(info) & said)


def asked_years(folded: str, documents: Sequence[DocumentInfo], lexicon: Lexicon) -> frozenset[str]:
    """Return the years of the editions that a question asks for: "the 2011 edition", "DC 1-1:2011"."""
    behind = (_BEHIND.match(folded, end) for _, end in mentioned(folded, documents))
    said = {year for year in _YEAR.findall(folded) if _with_edition(folded, year, lexicon)}
    return frozenset({*said, *(found[1] for found in behind if found)})


def mentioned(text: str, documents: Sequence[DocumentInfo]) -> tuple[tuple[int, int], ...]:
    """Return where a text names documents, the widest names only; none where folding moves its letters."""
    folded = fold(text)
    if len(folded) != len(text):
        return ()
    found = (*by_name(folded, documents), *in_other_form(folded, documents))
    spans = {(start, end) for start, end, _ in found}
    return tuple(sorted(s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)))


def in_force_first(
    ranked: Sequence[int], owners: Mapping[int, str], documents: Sequence[DocumentInfo], limit: int
) -> list[int]:
    """Return a ranking in which, of the places of one work among the first, those in force come first.

    The places of a work trade places among themselves alone; what is in force of one work does not
    move what another says.
    """
    kept = list(ranked)
    infos = {info.id: info for info in documents}
    works: dict[str, list[int]] = {}
    for position, chunk in enumerate(kept[:limit]):
        works.setdefault(work(infos[owners[chunk]]), []).append(position)
    for positions in works.values():
        chunks = sorted(
            (kept[at] for at in positions), key=lambda chunk: infos[owners[chunk]].status in OUT_OF_FORCE
        )
        for at, chunk in zip(positions, chunks, strict=True):
            kept[at] = chunk
    return kept


def edition_first(ranked: Sequence[int], owners: Mapping[int, str], editions: Sequence[str]) -> list[int]:
    """Return a ranking led by the best places of the editions that the question names."""
    leading = [chunk for chunk in ranked if owners[chunk] in editions][:LEADING]
    return [*leading, *(chunk for chunk in ranked if chunk not in leading)]


def _with_edition(folded: str, year: str, lexicon: Lexicon) -> bool:
    """Tell whether a year stands with a word for an edition: "the 2011 snow code", "edition of 2011"."""
    said = "|".join(map(re.escape, sorted(lexicon.edition_words)))
    before = any_of("before_year")
    pattern = rf"\b{year}( [^\W\d]+)?? (?:{said})\b|\b(?:{said})( (?:{before}))? {year}\b"
    return bool(said) and re.search(pattern, folded) is not None


@cache
def _lettered() -> re.Pattern[str]:
    """Return what finds the letter of a Part that is not typed as a label: "part m"."""
    return re.compile(
        rf"\b(?:{any_of('parts')})\s+(?!(?:{any_of('small')})\b)([^\W\d_])\b(?!\s+(?:{any_of('owned')})\b)"
    )


def _with_annexes(
    named: set[str], labels: Sequence[AskedLabel], documents: Sequence[DocumentInfo]
) -> set[str]:
    """Return the documents that are named, for a place of a national annex ("NA.2.7") the annex.

    The annex has to be loaded; the code itself stays where another place is named besides.
    """
    of_annex = [label for label in labels if _annex_place().match(label.number)]
    codes = {info.id: {name.key for name in names_of(info)} for info in documents}
    found = {
        code: {other for other, keys in codes.items() if keys & {f"{ANNEX}{key}" for key in codes[code]}}
        for code in named
    }
    if not of_annex or not any(found.values()):
        return named
    kept = {code for code in named if not found[code] or len(of_annex) < len(labels)}
    return kept.union(*found.values())


@cache
def _annex_place() -> re.Pattern[str]:
    """Return what the number of a place of a national annex begins with."""
    return re.compile(rf"(?:{any_of('annexed')})[.\d]")


def _words_of(text: str) -> list[str]:
    """Return what stands between the spaces of a text, without stops at its end."""
    return [word.rstrip(".:,;") for word in text.split()]


def _longest(found: Sequence[tuple[int, int, str]]) -> set[str]:
    """Return the ids of the mentions that stand inside no longer one."""
    return {
        name
        for start, end, name in found
        if not any(a <= start and end <= b and b - a > end - start for a, b, _ in found)
    }


def _is_part(number: str, designation: str) -> bool:
    """Tell whether a designation is that of a Part: "K" of "Document K", "1-3" of "EN 1991-1-3"."""
    if number.isdigit():
        return False
    return re.search(rf"(?:\s|\d{{3,}}-){re.escape(number)}(?=$|[\s:+])", designation) is not None
